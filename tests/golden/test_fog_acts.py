"""What each side is told outside the days: golden files of acts, treaties and the journal's rows (HR-UMP).

A file holds by reader the kinds, facts and sentences; "umpire" is what nobody else reads. Written anew
as those of tests/golden/test_fog.py.
"""

from pathlib import Path

import pytest

from campaign.fog.visibility import entries_of
from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import world_load
from campaign.models import JournalEntry, Seat, User
from campaign.rules.umpire import corrections
from campaign.rules.victory.treaties import AnswerTerms, OfferTerms
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Position
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.umpire.corrections import act_perform
from campaign.text.event_sentences import narrate
from campaign.text.place_names import CampaignNames, names_of
from tests.golden.fog_acts import ACTS, WHY
from tests.golden.fog_files import compare, facts_of, file_name

FOLDER = Path(__file__).parent / "fog_acts"
READERS = ("crown", "rebel")
#: The golden that is read from rows.
ROWS = "rows of a campaign"


def line(event: Event, names: CampaignNames) -> str:
    return f"{event.kind}: {facts_of(event)} | {narrate(event, names)}"


@pytest.mark.parametrize("name", ACTS)
def test_hr_ump_01_what_each_side_is_told_of_an_act(name: str) -> None:
    world, events = ACTS[name]()
    names = names_of(world)
    found = {side: [line(event, names) for event in events if side in event.sides] for side in READERS}
    found["umpire"] = [line(event, names) for event in events if not event.sides]
    compare(FOLDER / file_name(name), found)


def test_the_golden_files_are_those_of_the_acts() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {file_name(name) for name in (*ACTS, ROWS)}


def test_hr_ump_01_why_the_umpire_did_it_is_told_of_what_holds_for_all_only() -> None:
    for name, act in ACTS.items():
        world, events = act()
        for event in events:
            if WHY.rstrip(".") in narrate(event, names_of(world)):
                assert event.sides in ((), READERS), name


@pytest.mark.django_db
def test_hr_fog_01_what_each_side_reads_in_the_journals_rows() -> None:
    """From the rows, as every page reads them: the beginning, acts of all kinds of hearers, a treaty."""
    umpire, gentleman = User.objects.create_user("carleton"), User.objects.create_user("burgoyne")
    gates = User.objects.create_user("gates")
    role = Seat.Role
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug="goldens",
        secret=b"the dice of these goldens, 32 b.",
        seats=(
            SeatPlan(role.UMPIRE, title="The umpire", user=umpire),
            SeatPlan(role.COMMANDER, "crown", "Burgoyne", gentleman),
            SeatPlan(role.COMMANDER, "rebel", "Gates", gates),
        ),
        actor=umpire,
    )
    deeds: tuple[tuple[corrections.Act, User], ...] = (
        (corrections.PlaceFormation("advanced_corps", Position(place="valcour_island")), umpire),
        (corrections.Rumour("rebel", "Burgoyne is at Valcour Island"), umpire),
        (corrections.SetWeather(1, "storm"), umpire),
        (corrections.EnterDie("HR-WEA-02", "theatre", 0, 6), umpire),
        (corrections.Pause(True), umpire),
        (corrections.Pause(False), umpire),
        (OfferTerms("crown", "", "Everybody goes home."), gentleman),
        (AnswerTerms("rebel", "refuse"), gates),
    )
    for act, actor in deeds:
        act_perform(campaign=campaign, act=act, reason=WHY, actor=actor)
        campaign.refresh_from_db()
    names = names_of(world_load(campaign))
    found = {
        side: [line(event_from_entry(entry), names) for entry in entries_of(campaign, side)]
        for side in READERS
    }
    others = JournalEntry.objects.filter(campaign=campaign, sides="").order_by("pk")
    found["umpire"] = [line(event_from_entry(entry), names) for entry in others]
    assert found["crown"][0].startswith("campaign_begins")
    compare(FOLDER / file_name(ROWS), found)
