"""Generals: where they are, who follows whom, wounds, prisoners and exchange (HR-LDR)."""

from dataclasses import replace

import pytest

from campaign.rules.army.leaders import (
    WEEKS_AWAY,
    GeneralFate,
    GeneralLoss,
    apply_general_losses,
    appoint_generals,
    commander_today,
    exchange_generals,
    exchange_offer,
    generals_apply,
    generals_evening,
    leader_today,
    span_of,
)
from campaign.rules.army.organisation import Join, organisation_apply
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from rosters.domain.dice import AddressedDice
from tests.factories.small_war import small_world

DICE = AddressedDice(secret=b"s" * 32, campaign="small", revision=1, day=0)
GENERALS = {
    "acland": General("John Dyke Acland", "crown", "brigade", home="crown_point", seniority=4),
    "balcarres": General("Earl of Balcarres", "crown", "brigade", home="crown_point", seniority=3),
    "burgoyne": General("John Burgoyne", "crown", "army commander", home="st_johns", seniority=9),
    "fraser": General("Simon Fraser", "crown", "brigade", home="crown_point", seniority=1),
    "gates": General(
        "Horatio Gates", "rebel", "army commander", state="expected", until=3, home="ticonderoga", seniority=8
    ),
    "st_clair": General("Arthur St. Clair", "rebel", "wing", home="ticonderoga", seniority=2, departs=5),
}


@pytest.fixture
def world() -> World:
    """Fraser's corps at Crown Point, with Balcarres and Acland; St Clair at Ticonderoga."""
    made = small_world({"corps": ("crown", "crown_point", 3), "garrison": ("rebel", "ticonderoga", 2)})
    led = {"corps": "Simon Fraser", "garrison": "Arthur St. Clair"}
    named = {key: replace(one, commander=led[key]) for key, one in made.formations.items()}
    return appoint_generals(replace(made, formations=named), GENERALS)


def lost(world: World, general: str, fate: GeneralFate) -> World:
    """The evening on which a general was lost."""
    who = world.generals[general]
    losses = [GeneralLoss(general, who.name, who.side, fate)]
    return generals_evening(apply_general_losses(generals_apply(world, losses), losses))[0]


def test_hr_ldr_01_commanders_are_with_their_formations_and_others_where_they_stand(world: World) -> None:
    assert world.formations["corps"].leader == "fraser"
    assert {key: one.formation for key, one in world.generals.items()} == {
        "acland": "corps",
        "balcarres": "corps",
        "burgoyne": "",
        "fraser": "corps",
        "gates": "",
        "st_clair": "garrison",
    }


def test_hr_ldr_01_generals_come_and_go_on_their_days(world: World) -> None:
    assert generals_evening(world)[0].generals["gates"].state == "expected"
    third, events = generals_evening(replace(world, day=2))
    assert (third.generals["gates"].state, third.generals["gates"].formation) == ("well", "garrison")
    assert [(event.kind, event.sides) for event in events] == [("general_arrives", ("rebel",))]
    fifth, events = generals_evening(replace(third, day=4))
    assert [event.kind for event in events] == ["general_leaves", "command_passes"]
    assert fifth.generals["st_clair"].state == "resigned"
    assert (fifth.formations["garrison"].leader, fifth.formations["garrison"].commander) == (
        "gates",
        "Horatio Gates",
    )


@pytest.mark.parametrize("fate", ["wounded", "disabled"])
def test_hr_ldr_02_a_wounded_general_has_a_second_until_he_is_back(world: World, fate: GeneralFate) -> None:
    hurt = lost(world, "fraser", fate)
    assert hurt.generals["fraser"].state == "wounded" and hurt.away == {}
    assert hurt.formations["corps"].leader == "fraser"
    assert commander_today(hurt, hurt.formations["corps"]) == "Earl of Balcarres"
    back = 7 * WEEKS_AWAY[fate]
    assert generals_evening(replace(hurt, day=back - 2))[0].generals["fraser"].state == "wounded"
    healed, events = generals_evening(replace(hurt, day=back - 1))
    assert [event.kind for event in events if event.data.get("general") == "fraser"] == ["general_healed"]
    assert leader_today(healed, healed.formations["corps"]) == "fraser"


@pytest.mark.parametrize(("fate", "state"), [("killed", "dead"), ("captured", "captured")])
def test_hr_ldr_03_the_senior_who_rides_with_him_follows(world: World, fate: GeneralFate, state: str) -> None:
    after = lost(world, "fraser", fate)
    assert after.generals["fraser"].state == state
    assert after.formations["corps"].leader == "balcarres"
    again = lost(lost(after, "balcarres", "killed"), "acland", "killed")
    assert (again.formations["corps"].leader, again.formations["corps"].commander) == ("", "")
    assert commander_today(again, again.formations["corps"]) == ""


def test_hr_ldr_03_rank_goes_before_date(world: World) -> None:
    wing = replace(world.generals["acland"], rank="wing")
    after = lost(replace(world, generals={**world.generals, "acland": wing}), "fraser", "killed")
    assert after.formations["corps"].leader == "acland"


def test_hr_ldr_04_a_formation_over_the_limit_is_not_joined(world: World) -> None:
    two = small_world({"corps": ("crown", "crown_point", 3), "more": ("crown", "crown_point", 2)})
    tight = replace(two, settings=RuleSettings(formation_units=4))
    with pytest.raises(RuleViolation, match="5 units; a formation has 4") as refused:
        organisation_apply(tight, Join("more", "corps"), "crown")
    assert refused.value.rule_id == "HR-LDR-04"
    assert organisation_apply(two, Join("more", "corps"), "crown")[1]


def test_hr_ldr_04_span_grows_with_rank() -> None:
    settings = RuleSettings()
    spans = [span_of(rank, settings) for rank in ("brigade", "wing", "army commander")]
    assert spans == sorted(spans) == [16, 32, 64]


def test_hr_ldr_05_who_rides_with_a_force_that_surrenders_is_taken_with_it(world: World) -> None:
    units = {
        key: replace(unit, status=UnitStatus.SURRENDERED, points=0, since=0) if unit.side == "crown" else unit
        for key, unit in world.units.items()
    }
    after, events = generals_evening(replace(world, units=units))
    held = [key for key, one in after.generals.items() if one.held_by == "rebel"]
    assert held == ["acland", "balcarres", "fraser"]
    assert {event.kind for event in events} == {"general_captured"}
    assert after.formations["corps"].leader == ""


def test_hr_ldr_05_prisoners_are_exchanged_rank_for_rank_when_both_sides_offer(world: World) -> None:
    taken = lost(world, "fraser", "captured")
    wing = lost(taken, "st_clair", "captured")
    with pytest.raises(RuleViolation, match="rank for rank"):
        exchange_offer(wing, "crown", "fraser", "st_clair")
    same = replace(wing.generals["st_clair"], rank="brigade")
    both = replace(wing, generals={**wing.generals, "st_clair": same})
    with pytest.raises(RuleViolation, match="whom the enemy holds"):
        exchange_offer(both, "rebel", "fraser", "st_clair")
    offered, events = exchange_offer(both, "crown", "fraser", "st_clair")
    assert [event.kind for event in events] == ["exchange_offered"]
    assert offered.generals["fraser"].state == "captured"
    free, events = exchange_offer(offered, "rebel", "st_clair", "fraser")
    assert [(event.kind, event.sides) for event in events] == [("generals_exchanged", ("crown", "rebel"))]
    assert {free.generals[key].state for key in ("fraser", "st_clair")} == {"well"}
    assert free == exchange_generals(both, "fraser", "st_clair")[0]


def test_hr_ldr_05_an_offer_for_a_prisoner_who_has_gone_home_is_void(world: World) -> None:
    taken = lost(lost(world, "fraser", "captured"), "st_clair", "captured")
    same = replace(taken.generals["st_clair"], rank="brigade")
    third = replace(taken.generals["fraser"], name="James Hamilton")
    both = replace(taken, generals={**taken.generals, "st_clair": same, "hamilton": third})
    offered, _ = exchange_offer(both, "crown", "hamilton", "st_clair")
    assert offered.generals["hamilton"].exchange_for == "st_clair"
    free, _ = exchange_generals(offered, "fraser", "st_clair")
    again = replace(free.generals["st_clair"], state="captured", held_by="crown")
    retaken = replace(free, generals={**free.generals, "st_clair": again})
    answered, events = exchange_offer(retaken, "rebel", "st_clair", "hamilton")
    assert [event.kind for event in events] == ["exchange_offered"]
    assert answered.generals["hamilton"].state == "captured"


def test_a_campaign_without_generals_plays_as_before(world: World) -> None:
    old = replace(
        world,
        generals={},
        formations={key: replace(one, leader="") for key, one in world.formations.items()},
    )
    assert generals_evening(old) == (old, [])
    assert "generals" not in world_to_json(old)
    assert commander_today(old, old.formations["corps"]) == "Simon Fraser"
    result = advance_day(old, {}, DICE, {})
    assert isinstance(result, Completed) and result.world.generals == {}


def test_generals_come_back_from_json(world: World) -> None:
    again = world_from_json(world_to_json(world), world.theatre)
    assert again == world and world_hash(again) == world_hash(world)


def test_hr_ldr_01_saratogas_generals_stand_with_their_brigades() -> None:
    first = read_scenario(scenario_path("saratoga-1777")).world
    assert first.formations["advanced_corps"].leader == "fraser"
    assert first.generals["acland"].formation == "advanced_corps"
    assert (first.generals["gates"].state, first.generals["gates"].until) == ("expected", 65)
    led = [one for one in first.formations.values() if one.commander]
    assert len(led) > 30 and all(one.leader in first.generals for one in led)


def loss(fate: GeneralFate, general: str = "fraser", side: str = "crown") -> GeneralLoss:
    return GeneralLoss(general, "Simon Fraser", side, fate)


@pytest.fixture
def fraser_world() -> World:
    """Fraser's corps at Crown Point marches on Ticonderoga; another of his formations stays behind."""
    made = small_world(
        {
            "corps": ("crown", "crown_point", 3),
            "rear": ("crown", "montreal", 1),
            "garrison": ("rebel", "ticonderoga", 2),
        }
    )
    led = {
        key: replace(one, commander="Simon Fraser" if one.side == "crown" else "Arthur St. Clair")
        for key, one in made.formations.items()
    }
    return replace(made, formations=led)


def day_fought(fraser_world: World, *losses: GeneralLoss) -> Completed:
    """The attack on Ticonderoga, settled without loss but of generals."""
    orders = {"corps": Order("corps", ("ticonderoga",), stance="attack")}
    pending = advance_day(fraser_world, orders, DICE, {})
    assert isinstance(pending, Pending)
    settled = {one.key: Settlement(one.key, "rebel", generals=losses) for one in pending.contacts}
    result = advance_day(fraser_world, orders, DICE, settled)
    assert isinstance(result, Completed)
    return result


def told(result: Completed) -> list[Event]:
    return [event for event in result.events if event.kind == "general_lost"]


@pytest.mark.parametrize("fate", ["killed", "captured"])
def test_who_is_killed_or_captured_commands_no_more(fraser_world: World, fate: GeneralFate) -> None:
    result = day_fought(fraser_world, loss(fate))
    assert [one.commander for one in result.world.formations.values()] == ["", "", "Arthur St. Clair"]
    assert result.world.away == {}
    (event,) = told(result)
    assert (event.rule, event.sides, bool(event.contact)) == ("HR-GEN-01", ("crown", "rebel"), True)


@pytest.mark.parametrize("fate", ["wounded", "disabled"])
def test_a_wounded_general_is_away_some_weeks_and_comes_back(fraser_world: World, fate: GeneralFate) -> None:
    result = day_fought(fraser_world, loss(fate))
    back = 7 * WEEKS_AWAY[fate]
    assert result.world.away == {"fraser": back}
    assert result.world.formations["corps"].commander == "Simon Fraser"
    last = replace(result.world, day=back - 2)
    assert generals_apply(last, ()).away == {"fraser": back}
    assert generals_apply(replace(last, day=back - 1), ()).away == {}


@pytest.mark.parametrize(
    ("fate", "words"),
    [
        ("killed", "Simon Fraser, a general of Crown, is killed."),
        ("captured", "Simon Fraser, a general of Crown, is taken prisoner."),
        ("wounded", "Simon Fraser, a general of Crown, is wounded."),
        ("disabled", "Simon Fraser, a general of Crown, is wounded."),
    ],
)
def test_the_journal_tells_his_fate(fraser_world: World, fate: GeneralFate, words: str) -> None:
    (event,) = told(day_fought(fraser_world, loss(fate)))
    assert narrate(event, names_of(fraser_world)) == words


@pytest.mark.parametrize(
    ("fate", "words"),
    [
        ("wounded", "Simon Fraser's wound is not grave: he will be away for 2 weeks."),
        ("disabled", "Simon Fraser's wound is grave: he will be away for 6 weeks."),
    ],
)
def test_how_bad_a_wound_is_his_own_side_alone_hears_hr_gen_01(
    fraser_world: World, fate: GeneralFate, words: str
) -> None:
    events = day_fought(fraser_world, loss(fate)).events
    (away,) = [event for event in events if event.kind == "general_away"]
    assert (away.rule, away.sides, narrate(away, names_of(fraser_world))) == ("HR-GEN-01", ("crown",), words)


def test_the_enemy_is_told_the_same_of_every_wound_hr_gen_01_hr_ldr_02_hr_fog_01(fraser_world: World) -> None:
    light, grave = (
        [event for event in day_fought(fraser_world, loss(fate)).events if "rebel" in event.sides]
        for fate in ("wounded", "disabled")
    )
    assert light == grave and "general_lost" in {event.kind for event in light}


def test_a_day_of_older_rules_is_told_without_the_weeks_hr_gen_01(fraser_world: World) -> None:
    (event,) = told(day_fought(fraser_world, loss("wounded")))
    old = replace(event, data={**event.data, "fate": "disabled", "weeks": 6})
    assert narrate(old, names_of(fraser_world)) == narrate(event, names_of(fraser_world))


def test_a_general_of_neither_side_or_of_an_unknown_fate_is_refused(fraser_world: World) -> None:
    for wrong in (loss("killed", side="french"), replace(loss("killed"), fate="promoted")):  # type: ignore[arg-type]
        with pytest.raises(RuleViolation, match=r"Simon Fraser of .* cannot be"):
            day_fought(fraser_world, wrong)


def test_a_world_with_all_generals_well_hashes_as_before_there_were_any(fraser_world: World) -> None:
    assert "away" not in world_to_json(fraser_world)
    hurt = replace(fraser_world, away={"fraser": 14})
    assert world_hash(hurt) != world_hash(fraser_world)
    assert world_from_json(world_to_json(hurt), fraser_world.theatre) == hurt
