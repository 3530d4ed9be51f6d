"""18 to 19 September: Stark's levies go or stay; Freeman's Farm, where Riedesel enters at five o'clock."""

from dataclasses import replace

import pytest

from campaign.rules.day.day import advance_day
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.outcome import Pending
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.battles.battle_files import battle_file
from rosters.domain.dice import AddressedDice
from tests.factories.little_wars import completed, day_dice, held_by, orders, told

SEPTEMBER_19 = 96
CROWN = ("advanced_corps", "british_2nd_brigade", "reserve_corps", "german_1st_brigade")
#: Gates's left, by the formation their books are in.
LEFT = {
    "morgans_corps": "morgan_1 morgan_2 morgan_3 morgan_4 dearborn_1 dearborn_2 dearborn_3",
    "poors_brigade": "nh1 nh2 nh3 rangers_wl ny2 ny4 ct_cook ct_latimer",
    "learneds_brigade": "ma9 ma2 cav_hyde",
}
STARK = ("nh_nichols_1", "nh_nichols_2", "nh_stickney_1", "nh_stickney_2", "nh_hobart")
#: Four hours after the march begins Burgoyne's centre and right set off, four later Riedesel.
TO_THE_FARM = orders(
    *(Order(key, ("freemans_farm",), stance="attack", starts=4 * 60) for key in CROWN[:3]),
    Order("german_1st_brigade", ("freemans_farm",), stance="attack", starts=8 * 60),
    *(Order(key, ("freemans_farm",), stance="give_battle", starts=4 * 60) for key in LEFT),
)


@pytest.fixture(scope="module")
def september() -> World:
    """The morning of the 19th: Burgoyne at Dovegat, Gates on Bemis Heights with Stark just come."""
    shipped = read_scenario(scenario_path("saratoga-1777")).world
    units, formations = {}, {}
    for key in CROWN:
        formations[key] = replace(shipped.formations[key], position=Position(place="dovegat"))
        units |= {unit.id: unit for unit in shipped.units.values() if unit.formation == key}
    for key, chosen in {**LEFT, "starks_brigade": " ".join(STARK)}.items():
        formations[key] = replace(shipped.formations[key], position=Position(place="bemis_heights"))
        units |= {unit: replace(shipped.units[unit], formation=key) for unit in chosen.split()}
    units = {key: replace(unit, status=UnitStatus.PRESENT) for key, unit in units.items()}
    holders = {**shipped.holders, "dovegat": "crown", "saratoga": "crown"}
    calm = {shipped.theatre.start.fromordinal(shipped.theatre.start.toordinal() + SEPTEMBER_19): "fair"}
    theatre = replace(shipped.theatre, recorded_weather=calm)
    world = replace(
        shipped, theatre=theatre, day=SEPTEMBER_19, units=units, formations=formations, holders=holders
    )
    return first_look(world)


def stark_throws(world: World, *values: int) -> AddressedDice:
    """The day's dice, with those of Stark's levies entered."""
    plain = day_dice(world)
    thrown = {plain.address("HR-LEV-01", key): value for key, value in zip(STARK, values, strict=True)}
    return AddressedDice(plain.secret, plain.campaign, plain.revision, plain.day, thrown)


def test_stark_s_levies_roll_to_stay_hr_lev_01(september: World) -> None:
    """Their time was up on the 18th: each rolls, and with the enemy in sight a 3 is enough."""
    dice = stark_throws(september, 1, 2, 3, 4, 6)
    result = completed(september, {}, dice)
    gone = {event.unit for event in told(result.events, "levy_departed")}
    stays = told(result.events, "levy_stays")
    assert {event.data["needed"] for event in stays} == {3}
    assert gone == {"nh_nichols_1", "nh_nichols_2"}
    assert all(result.world.units[key].status is UnitStatus.DEPARTED for key in gone)
    before = replace(september, day=SEPTEMBER_19 - 1)
    assert not told(completed(before, {}, day_dice(before)).events, "levy_departed")


def test_31_units_of_135_sp_meet_18_of_85_and_riedesel_enters_at_five(september: World) -> None:
    dice = stark_throws(september, 1, 1, 1, 1, 1)  # who stays may march to the guns
    waiting = advance_day(september, TO_THE_FARM, dice, {})
    assert isinstance(waiting, Pending)
    (contact,) = waiting.contacts
    assert contact.place == "freemans_farm" and not contact.tiny
    sides = {side: [one for one in contact.units if one.side == side] for side in ("crown", "rebel")}
    assert {side: (len(found), contact.sp_of(side)) for side, found in sides.items()} == {
        "crown": (31, 135),
        "rebel": (18, 85),
    }
    came = {one.formation: one.minute for one in contact.participants}
    assert came["german_1st_brigade"] == 17 * 60
    turn = (came["german_1st_brigade"] - contact.minute) // 10
    file = battle_file(september, contact, ruleset="awi")
    late = {unit.id: unit.arrives for unit in file.units if unit.arrives}
    germans = {key for key, unit in september.units.items() if unit.formation == "german_1st_brigade"}
    assert {key: late[key] for key in germans} == dict.fromkeys(germans, turn) and turn > 0


def test_a_unit_more_or_less_is_all_that_two_results_differ_by(september: World) -> None:
    """The table's report is corrected: the day is played anew, and nothing else changes."""
    dice = day_dice(september)
    waiting = advance_day(september, TO_THE_FARM, dice, {})
    assert isinstance(waiting, Pending)
    (contact,) = waiting.contacts
    one = held_by(contact, "crown", {"nh2": 2, "ny2": 1})
    other = held_by(contact, "crown", {"nh2": 2, "ny2": 1, "ny4": 1})
    first = completed(september, TO_THE_FARM, dice, one)
    second = completed(september, TO_THE_FARM, dice, other)
    differs = {key for key in first.world.units if first.world.units[key] != second.world.units[key]}
    assert differs == {"ny4"}
    assert first.world.formations == second.world.formations
