"""6 to 8 July: St Clair's retreat; Hubbardton waits for Thursday's table while Fort Anne is fought out."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from campaign.rules.contact.casualties import forced_march_distribution
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.locks import Part
from campaign.rules.day.provisional import RunOn, find_definitive_division, play_day, run_on
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from tests.factories.little_wars import completed, day_dice, held_by, orders, told

JULY_6 = 21
#: The bodies of the story: whose officers and books they have, where they stand, their units.
BODIES = {
    "st_clair": ("poors_brigade", "mount_independence", "nh1 nh3 ma14 ma12 ma10 ma_leonard ma_wells"),
    "rear_guard": ("fermoys_brigade", "mount_independence", "nh2 ma11 warner_add"),
    "fraser": (
        "advanced_corps",
        "ticonderoga",
        "br_gren_1 br_gren_2 br_light_1 br_light_2 br_light_3 br_light_4 br_24_1 br_24_2 br_marksmen",
    ),
    "ninth": ("british_1st_brigade", "skenesborough", "br_9_1 br_9_2"),
    "long": ("fermoys_brigade", "fort_anne", "nh_long ny_vanr_1 ny_vanr_2"),
}
RETREAT = orders(
    Order(
        "st_clair", ("hubbardton", "castleton"), pace="double", light_order=True, stance="avoid"
    ),  # AWI-C-MAR-02
    Order("rear_guard", ("hubbardton",), pace="double", light_order=True),
    Order("fraser", ("hubbardton",), light_order=True, stance="attack"),
)
ON_THE_7TH = orders(
    Order("st_clair", ("rutland",), stance="avoid"),
    Order("fraser", ("hubbardton",), light_order=True, stance="attack"),
    Order("ninth", ("fort_anne",), stance="attack"),
)
ON_THE_8TH = orders(Order("long", stance="attack"))
ABOUT_HUBBARDTON = {"st_clair", "rear_guard", "fraser"}


@pytest.fixture(scope="module")
def july_6() -> World:
    """The morning after the council of war."""
    shipped = read_scenario(scenario_path("saratoga-1777")).world
    formations, units = {}, {}
    for name, (like, place, chosen) in BODIES.items():
        formations[name] = replace(
            shipped.formations[like],
            id=name,
            name=name.title(),
            parent="",
            position=Position(place=place),
            order=None,
        )
        for key in chosen.split():
            units[key] = replace(shipped.units[key], formation=name, status=UnitStatus.PRESENT, departs=None)
    return replace(shipped, day=JULY_6, units=units, formations=formations)


def test_28_miles_of_track_in_light_order_are_legal_and_cost_what_the_table_says(july_6: World) -> None:
    """22 + 6.5 miles are 190 % of a normal day: 6.7 points a regular unit in the mean, 10 a militia unit."""
    night = completed(july_6, RETREAT, day_dice(july_6))
    assert night.world.formations["st_clair"].position == Position(place="castleton")
    marched = [event for event in told(night.events, "forced_march") if event.formation == "st_clair"]
    assert len(marched) == 7
    assert {(event.rule, event.data["percent_over"]) for event in marched} == {("AWI-C-MAR-02", 90)}
    militia = {event.unit for event in marched if dict(event.modifiers).get("militia")}
    assert militia == {"ma_leonard", "ma_wells"}
    for is_militia, mean in ((False, Fraction(20, 3)), (True, Fraction(10))):
        odds = forced_march_distribution(90, is_militia, adverse_weather=False)
        assert sum(loss * chance for loss, chance in odds.items()) == mean


def test_hubbardton_waits_while_fort_anne_is_fought_out(july_6: World) -> None:
    seventh, eighth = two_days(july_6)
    assert [contact.place for contact in seventh.contacts] == ["hubbardton"]
    assert seventh.locked_formations == eighth.locked_formations == ABOUT_HUBBARDTON
    assert f"{seventh.world.date}" == "1777-07-08"
    assert told(seventh.events, "weather")[0].data["weather"] == "fair"
    assert told(eighth.events, "weather")[0].data["weather"] == "storm"
    (fight,) = told(eighth.events, "battle")
    assert (fight.place, fight.contact) == ("fort_anne", "d23/fort_anne/1")
    assert eighth.contacts == ()
    assert eighth.world.formations["st_clair"].position == Position(place="castleton")  # he waits


@pytest.mark.parametrize("winner", ["crown", "rebel"])
def test_its_result_lands_on_the_7th_and_changes_no_other_die(july_6: World, winner: str) -> None:
    world = completed(july_6, RETREAT, day_dice(july_6)).world
    ahead = two_days(july_6)
    (contact,) = ahead[0].contacts
    hubbardton = held_by(contact, winner, {"ma11": 6, "nh2": 5, "br_light_1": 3})
    settled = {contact.key: hubbardton, **fort_anne(ahead[0], {})}
    known = world
    for shown, given in zip(ahead, (ON_THE_7TH, ON_THE_8TH), strict=True):
        apart = find_definitive_division(known, world, shown.apart(), ahead[-1].world)
        day = play_day(world, given, day_dice(world), settled, apart=apart)
        assert isinstance(day, Completed)
        others = [event for event in day.events if not concerns_hubbardton(event, world)]
        assert [event for event in shown.events if event not in others] == []
        assert dice(shown.events) <= dice(day.events)
        assert told(day.events, "battle")[0].contact == (
            contact.key if shown is ahead[0] else "d23/fort_anne/1"
        )
        for key in ("ninth", "long"):
            assert day.world.formations[key] == shown.world.formations[key]
        known, world = shown.world, day.world
    assert [unit.points for key, unit in world.units.items() if key == "ma11"] != [118]
    assert world.holders["hubbardton"] == winner


def two_days(july_6: World) -> tuple[RunOn, RunOn]:
    """The 7th and the 8th beside the battle of Hubbardton; Fort Anne is settled at once."""
    world = completed(july_6, RETREAT, day_dice(july_6)).world
    seventh = run_on(world, ON_THE_7TH, day_dice(world), {})
    return seventh, beside(seventh, fort_anne(seventh, {}))


def beside(seventh: RunOn, settled: Mapping[str, Settlement]) -> RunOn:
    parts: tuple[Part, ...] = seventh.parts
    return run_on(seventh.world, ON_THE_8TH, day_dice(seventh.world), settled, parts)


def fort_anne(seventh: RunOn, lost: Mapping[str, int]) -> dict[str, Settlement]:
    """Long gives way to the 9th, as the engine or the umpire may have it."""
    (contact,) = beside(seventh, {}).contacts
    return {contact.key: held_by(contact, "crown", {"nh_long": 1, "br_9_1": 1, **lost})}


def concerns_hubbardton(event: Event, world: World) -> bool:
    formation = event.formation or (world.units[event.unit].formation if event.unit else "")
    return formation in ABOUT_HUBBARDTON


def dice(events: tuple[Event, ...]) -> set[tuple[str, int]]:
    return {(roll.address, roll.value) for event in events for roll in event.rolls}
