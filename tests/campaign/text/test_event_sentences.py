"""Every event is told in one sentence a person can read."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import campaign
from campaign.rules.world.events import Event
from campaign.rules.world.world import Order, Position
from campaign.text.event_sentences import narrate
from campaign.text.event_table import EVENT_KINDS
from campaign.text.order_text import order_text
from campaign.text.place_names import CampaignNames, names_of, position_text, tint_of
from tests.factories.small_war import small_world

NAMES = CampaignNames(
    units={"br_24": "24th Foot"},
    formations={"advanced_corps": "Advanced Corps"},
    places={"hubbardton": "Hubbardton", "castleton": "Castleton", "rutland": "Rutland"},
    routes={"hubbardton--castleton--road": "the road between Hubbardton and Castleton"},
    sides={"crown": "The Crown"},
)


def test_battle_loss_says_what_was_lost_and_what_is_left():
    event = Event(
        "battle_loss",
        720,
        "AWI-C-BAT-01",
        unit="br_24",
        before=80,
        after=60,
        data={"sp_start": 4, "sp_lost": 2, "sp_captured": 1},
    )
    assert narrate(event, NAMES) == (
        "24th Foot came into battle with 4 SP: 2 lost and 1 captured (80 points, now 60)."
    )


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Event("attrition", 1440, "AWI-C-ATT-01", unit="br_24", before=80, after=75), "(80 points, now 75)."),
        (
            Event("recruits", 1440, "AWI-C-ATT-02", unit="br_24", before=80, after=80),
            "(no change, 80 points).",
        ),
        (
            Event("downgraded", 1440, "AWI-C-POL-02", pool="american/line", before=40, after=20),
            "American line",
        ),
        (Event("militia_went_home", 1440, "AWI-C-MIL-02", unit="br_24"), "24th Foot has gone home."),
    ],
)
def test_week_events(event, told):
    assert told in narrate(event, NAMES)


def test_unknown_kind_is_told_by_kind_who_and_where():
    event = Event("comet_seen", 600, "HR-MAR-09", formation="advanced_corps", place="hubbardton")
    assert narrate(event, NAMES) == "Comet seen: Advanced Corps at Hubbardton."


@pytest.mark.parametrize("kind", sorted(EVENT_KINDS))
def test_no_sentence_needs_more_than_an_event_has(kind):
    """A fact an event lacks leaves a gap, never a broken page."""
    told = narrate(Event(kind, 0, "AWI-C-ATT-01"), NAMES)
    assert told.endswith(".")
    assert "{" not in told


def test_every_kind_the_rules_emit_has_its_sentence():
    rules = Path(campaign.__file__).parent / "rules"
    source = "\n".join(path.read_text() for path in rules.rglob("*.py"))
    emitted = set(re.findall(r"\bEvent\(\s*(?:kind=)?\"([a-z_]+)\"", source))
    emitted |= set(re.findall(r"\"([a-z_]+)\",\s*\"(?:AWI-C|HR)-[A-Z]{3}-\d\d\"", source))
    emitted |= set(re.findall(r"\.log\(\s*\"([a-z_]+)\"", source))
    assert len(emitted) > 20
    assert emitted <= set(EVENT_KINDS), sorted(emitted - set(EVENT_KINDS))


def test_order_in_words():
    order = Order(
        "advanced_corps", ("castleton", "rutland"), pace="double", stance="attack", light_order=True
    )
    assert order_text(order, NAMES) == (
        "marches to Rutland by Castleton, by double marches, in light order; is to attack whatever it meets"
    )
    assert order_text(Order("advanced_corps"), NAMES) == "halts and is to give battle"


def test_position_in_words():
    on_the_way = Position(
        route="hubbardton--castleton--road", origin="hubbardton", destination="castleton", yards=1760
    )
    assert position_text(on_the_way, NAMES) == "1 mile out of Hubbardton towards Castleton"
    outside = replace(on_the_way, yards=300)
    assert position_text(outside, NAMES) == "just outside Hubbardton towards Castleton"
    assert position_text(Position(place="rutland"), NAMES) == "at Rutland"
    assert position_text(None, NAMES) == "not on the map"


def test_names_of_a_world_and_the_inks_of_its_sides():
    names = names_of(small_world({"fraser": ("crown", "montreal", 1)}))
    assert names.route("montreal--st_johns--road") == "the road between Montreal and St Johns"
    assert (names.tint("crown"), names.tint("rebel")) == ("madder", "blue")
    assert tint_of("forest") == "forest"
    assert names.place("no_such_place") == "no such place"


def test_what_a_pursuit_takes_is_no_second_battle_hr_pur_01():
    taken = {"sp_start": 4, "sp_lost": 0, "sp_captured": 2}
    event = Event("battle_loss", 720, "AWI-C-BAT-03", unit="br_24", before=60, after=40, data=taken)
    assert narrate(event, NAMES) == ("24th Foot, 4 SP strong, loses 2 SP as prisoners (60 points, now 40).")


@pytest.mark.parametrize(
    ("said", "told"), [("Howe sails.", "It is said: Howe sails."), ("Howe sails", "It is said: Howe sails.")]
)
def test_a_persons_sentence_keeps_its_one_full_stop(said, told):
    assert narrate(Event("rumour", 0, "HR-UMP-09", ("rebel",), data={"text": said}), NAMES) == told


@pytest.mark.parametrize("points", [{}, {"crown": 0, "rebel": 2}])
def test_who_concedes_is_named_without_goals_too_hr_vic_06(points):
    names = replace(NAMES, sides={"crown": "The Crown", "rebel": "United States"})
    data = {"beaten": [], "cause": "conceded", "winner": "rebel", "points": points}
    told = narrate(Event("campaign_ended", 1439, "HR-CAL-02", ("crown", "rebel"), data=data), names)
    assert told.startswith("The campaign is over: The Crown concedes; United States has won")


@pytest.mark.parametrize(
    ("percent", "said"),
    [
        (1, "24th Foot marched on when a day's rest was due, or hardly beyond a normal day's march"),
        (50, "24th Foot was pressed 50 % beyond a normal day's march (80 points, now 75)."),
    ],
)
def test_a_day_without_rest_is_not_told_as_a_forced_pace_hr_mar_05(percent, said):
    event = Event("forced_march", 1080, "AWI-C-MAR-01", unit="br_24", before=80, after=75)
    told = narrate(replace(event, data={"percent_over": percent}), NAMES)
    assert told.startswith(said) and ("HR-MAR-05" in told) == (percent == 1)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("arrives", "Provincials and Canadians arrive at Hubbardton."),
        ("passes", "Provincials and Canadians pass Hubbardton."),
        ("retreat", "Provincials and Canadians fall back at Hubbardton."),
        ("force_surrendered", "Provincials and Canadians, cut off, lay down their arms."),
        (
            "no_trace",
            "Provincials and Canadians stand where the enemy was last known and find no trace of him.",
        ),
        ("bridge_repaired", "Provincials and Canadians have mended the crossing of."),
        ("placed", "Provincials and Canadians are put down at Hubbardton by the umpire."),
        ("order_cancelled", "The order of Provincials and Canadians is cancelled by the umpire; they halt."),
        ("garrisoned", "Provincials and Canadians are relieved of their garrison duty at Hubbardton."),
        ("called_to_battle", "Provincials and Canadians hear the guns and stay at Hubbardton."),
        ("depot_laid", "Provincials and Canadians lay down a depot of rations at Hubbardton."),
        ("crossing_broken", "Provincials and Canadians find the crossing of broken and ford it."),
    ],
)
def test_a_formation_named_in_the_plural_has_verbs_in_the_plural(kind, said):
    names = CampaignNames(formations={"p": "Provincials and Canadians"}, places={"h": "Hubbardton"})
    event = Event(kind, 0, "AWI-C-ATT-01", formation="p", place="h")
    assert narrate(event, names) == said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("warriors_leave", "Six Nations go home after the long siege."),
        ("levy_departed", "Six Nations have served their time and leave."),
        ("muster_waits", "Six Nations find no place to muster and wait."),
        ("overstrength", "Six Nations have men over establishment, who go to the pool."),
        ("unit_rebuilt", "Six Nations are raised again."),
        ("wheels_abandoned", "Six Nations cannot follow the retreat and are left behind."),
    ],
)
def test_a_unit_named_in_the_plural_has_verbs_in_the_plural(kind, said):
    names = CampaignNames(units={"u": "Six Nations"})
    assert narrate(Event(kind, 0, "AWI-C-ATT-01", unit="u"), names) == said
