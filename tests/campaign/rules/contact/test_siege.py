"""Before a fort: assault or blockade, batteries, summons; and warriors who tire of it (HR-SIE, HR-NAT)."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.contact.siege import _siege_guns, cover_of, works_kind, works_sp
from campaign.rules.day.day import _build_column
from campaign.rules.day.field import DayState
from campaign.rules.day.weather import conditions_on
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.markers import Siege
from campaign.rules.world.markers import Works as FieldWorks
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, UnitStatus, World, present_units
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import (
    completed,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)
from tests.factories.scripted_dice import ScriptedDice

WINDS = [6] * 60


def stanwix(crown: int = 4, rebel: int = 2, works: str = "fort", **settings: Any) -> World:
    """St Leger at Oswego, four miles from Stanwix; a hill a mile from it, Albany behind."""
    world = little_world(
        (place("oswego"), place("stanwix", works), place("hill"), place("albany")),  # type: ignore[arg-type]
        (way("oswego", "stanwix", 4), way("hill", "stanwix", 1), way("albany", "stanwix", 20)),
        {"st_leger": ("crown", "oswego", crown), "gansevoort": ("rebel", "stanwix", rebel)},
        holders={"oswego": "crown", "stanwix": "rebel", "albany": "rebel"},
        supply={"crown": ("oswego",), "rebel": ("albany",)},
        settings=RuleSettings(**settings),
    )
    atlas = world.theatre.atlas
    places = [
        replace(each, terrain="mountain") if each.id == "hill" else each for each in atlas.places.values()
    ]
    theatre = replace(world.theatre, atlas=Atlas.of(places, atlas.routes.values()))
    return replace(world, theatre=theatre)


def invested(world: World) -> World:
    """St Leger before the fort since the first day, with orders for a siege."""
    st_leger = replace(
        world.formations["st_leger"],
        position=Position(place="stanwix"),
        order=Order("st_leger", activity="siege"),
    )
    return replace(
        world,
        formations={**world.formations, "st_leger": st_leger},
        sieges={"stanwix": Siege("crown", 0)},
    )


def script(**dice: list[int]) -> ScriptedDice:
    return ScriptedDice(
        {"HR-WEA-02": WINDS, **{key.replace("_", "-"): list(each) for key, each in dice.items()}}
    )


def test_hr_sie_01_only_orders_to_attack_storm_a_fort() -> None:
    world = stanwix()
    assert (
        pending(world, orders(Order("st_leger", ("stanwix",), stance="attack")), script()).cover
        == "fortified"
    )
    done = completed(world, orders(Order("st_leger", ("stanwix",))), script())
    assert told(done.events, "siege_laid")[0].sides == ("crown", "rebel")
    assert done.world.sieges == {"stanwix": Siege("crown", 0)}
    assert done.world.holders["stanwix"] == "rebel"
    next_day = completed(done.world, {}, script())
    assert not told(next_day.events, "siege_laid")
    assert next_day.world.sieges["stanwix"].form == "blockade"


def test_hr_sie_01_the_garrison_may_sally() -> None:
    done = completed(stanwix(), orders(Order("st_leger", ("stanwix",))), script())
    assert pending(done.world, orders(Order("gansevoort", stance="attack")), script()).attacker == "crown"


def test_hr_sie_01_field_works_are_fought_over_and_the_rule_may_be_switched_off() -> None:
    march = orders(Order("st_leger", ("stanwix",)))
    assert pending(stanwix(works="fieldworks"), march, script()).cover == "soft"
    assert pending(stanwix(sieges="off"), march, script()).cover == "fortified"


def test_hr_sie_01_who_marches_out_must_first_escape() -> None:
    world = invested(stanwix())
    away = orders(Order("gansevoort", ("albany",)))
    done = completed(world, away, script(HR_CON_04=[3]))
    assert told(done.events, "escape")[0].data["escaped"] is True
    assert done.world.holders["stanwix"] == "crown"
    assert not done.world.sieges
    held = completed(world, away, script(HR_CON_04=[2], HR_SIE_03=[1]))
    assert held.world.formations["gansevoort"].position == Position(place="stanwix")


def test_hr_sie_01_without_besiegers_the_siege_is_raised() -> None:
    world = invested(stanwix())
    done = completed(world, orders(Order("st_leger", ("oswego",))), script())
    assert told(done.events, "siege_raised")
    assert not done.world.sieges


def guns(world: World, gun_class: GunClass, where: str = "st_leger") -> World:
    gun = replace(
        world.units["st_leger_4"],
        troop_type=TroopType.EUROPEAN_ARTILLERY,
        gun_class=gun_class,
        formation=where,
    )
    return replace(world, units={**world.units, "st_leger_4": gun})


@pytest.mark.parametrize(
    ("gun_class", "lost"), [(GunClass.LIGHT, 0), (GunClass.MEDIUM, 0), (GunClass.HEAVY, 2)]
)
def test_hr_sie_02_field_guns_never_breach(gun_class: GunClass, lost: int) -> None:
    world = replace(invested(guns(stanwix(), gun_class)), day=3)
    done = completed(world, {}, script(HR_SIE_03=[1]))
    assert done.world.sieges["stanwix"].works_lost == lost
    assert works_sp(done.world, "stanwix", "rebel") == 10 - lost


def test_hr_sie_02_a_battery_on_a_height_halves_the_works_in_two_days() -> None:
    world = invested(stanwix())
    phillips = replace(
        world.formations["st_leger"], id="phillips", position=Position(place="hill"), order=None
    )
    world = replace(world, formations={**world.formations, "phillips": phillips})
    world = guns(world, GunClass.MEDIUM, "phillips")
    left = []
    for _ in range(4):
        world = completed(world, {}, script(HR_SIE_03=[1])).world
        left.append(works_sp(world, "stanwix", "rebel"))
    assert left == [10, 5, 5, 2]
    assert cover_of(world, "stanwix", "rebel") == "soft"
    storm = orders(Order("st_leger", stance="attack"))
    contact = pending(world, storm, script(HR_CON_09=[1]))
    assert contact.cover == "soft"
    done = completed(world, storm, script(HR_CON_09=[1]), held_by(contact, "rebel"))
    assert works_sp(done.world, "stanwix", "rebel") == 10  # mended when the siege is raised


def test_hr_wrk_01_field_works_cover_who_threw_them_up() -> None:
    world = replace(stanwix(works="none"), works={"stanwix": FieldWorks("rebel", 4)})
    assert works_kind(world, "stanwix", "rebel") == "fieldworks"
    assert cover_of(world, "stanwix", "rebel") == "soft"
    assert cover_of(world, "stanwix", "crown") == "none"
    attack = orders(Order("st_leger", ("stanwix",), stance="attack"))
    assert pending(world, attack, script()).cover == "soft"


@pytest.mark.parametrize(
    ("crown", "works", "rations", "day", "die", "yields"),
    [
        (4, "fort", None, 0, 6, False),
        (8, "stockade", None, 0, 6, False),  # 4 to 1
        (16, "stockade", None, 0, 6, True),  # 8 to 1
        (16, "stockade", None, 0, 5, False),
        (16, "fort", None, 0, 6, False),
        (16, "fort", None, 8, 6, False),  # a week
        (16, "fort", None, 14, 6, False),
        (16, "fort", 0, 0, 4, True),  # hunger
        (16, "fortress", 0, 0, 4, False),
    ],
)
def test_hr_sie_03_a_summons(
    crown: int, works: str, rations: int | None, day: int, die: int, yields: bool
) -> None:
    world = replace(invested(stanwix(crown, 2, works)), day=day)
    if day >= 8:
        yields = die + 2 - 1 + min(2, day // 7) >= 8
    garrison = replace(world.formations["gansevoort"], rations=rations)
    world = replace(world, formations={**world.formations, "gansevoort": garrison})
    done = completed(world, {}, script(HR_SIE_03=[die]))
    summons, *cut = told(done.events, "summons")
    assert summons.data["accepted"] is yields
    assert [event.sides for event in cut] == ([("crown",)] if rations == 0 else [])  # not of its hunger
    if yields:
        assert done.world.units["gansevoort_1"].status is UnitStatus.SURRENDERED
        assert done.world.holders["stanwix"] == "crown"
        assert not done.world.sieges
    else:
        assert done.world.sieges["stanwix"].summoned == day
        assert not told(completed(done.world, {}, script()).events, "summons")


# --- orders (HR-SIE-01, HR-WAT-04) ---


def test_hr_sie_01_a_siege_is_ordered_before_a_fort_of_the_enemys() -> None:
    world = invested(stanwix())
    assert is_allowed(verify_order, world, Order("st_leger", activity="siege"))
    for elsewhere in (stanwix(), invested(stanwix(works="fieldworks"))):
        with pytest.raises(RuleViolation) as refused:
            verify_order(elsewhere, Order("st_leger", activity="siege"))
        assert (refused.value.rule_id, refused.value.field) == ("HR-SIE-01", "activity")


def test_hr_wat_04_works_command_the_water() -> None:
    world = invested(stanwix())
    atlas = world.theatre.atlas
    places = [replace(each, port="lake") for each in atlas.places.values()]
    lake = way("albany", "stanwix", 5, "lake")
    theatre = replace(world.theatre, atlas=Atlas.of(places, [*atlas.routes.values(), lake]))
    world = replace(world, theatre=theatre)
    with pytest.raises(RuleViolation) as refused:
        verify_order(world, Order("st_leger", ("albany",)))
    assert refused.value.rule_id == "HR-WAT-04"
    assert is_allowed(verify_order, world, Order("gansevoort", ("albany",)))
    taken = replace(world, holders={**world.holders, "stanwix": "crown"})
    assert is_allowed(verify_order, taken, Order("st_leger", ("albany",)))


# --- warriors (HR-NAT-01) ---


def warriors(world: World) -> World:
    units = {
        key: replace(unit, troop_type=TroopType.INDIANS, nation=Nation.NATIVE)
        if unit.side == "crown"
        else unit
        for key, unit in world.units.items()
    }
    return replace(world, units=units)


@pytest.mark.parametrize(("day", "since", "asked"), [(20, 6, True), (20, 7, False), (19, 0, False)])
def test_hr_nat_01_after_two_weeks_of_siege_they_leave_on_four(day: int, since: int, asked: bool) -> None:
    world = replace(
        invested(warriors(stanwix())), day=day, sieges={"stanwix": Siege("crown", since, summoned=day)}
    )
    done = completed(world, {}, script(HR_NAT_01=[3, 4, 6, 1]))
    gone = [key for key, unit in done.world.units.items() if unit.status is UnitStatus.DEPARTED]
    assert gone == (["st_leger_2", "st_leger_3"] if asked else [])
    assert all(event.sides == ("crown",) for event in told(done.events, "warriors_leave"))


@pytest.mark.parametrize(("lost", "asked"), [(40, False), (45, True)])
def test_hr_nat_01_after_losing_a_tenth(lost: int, asked: bool) -> None:
    world = replace(warriors(stanwix()), day=6, warriors={"st_leger": lost})
    done = completed(world, {}, script(HR_NAT_01=[1, 1, 1, 6]))
    assert len(told(done.events, "warriors_leave")) + len(told(done.events, "warriors_stay")) == (
        4 if asked else 0
    )


def test_hr_nat_01_what_they_lose_in_battle_is_counted() -> None:
    world = warriors(stanwix())
    storm = orders(Order("st_leger", ("stanwix",), stance="attack"))
    contact = pending(world, storm, script())
    done = completed(world, storm, script(), held_by(contact, "rebel", {"st_leger_1": 2}))
    assert done.world.warriors == {"st_leger": 10}


# --- heavy rain (HR-CON-14) ---


@pytest.mark.parametrize(
    ("weather", "setting", "both", "put_off"),
    [
        ("storm", "storm", False, True),
        ("storm", "storm", True, False),
        ("rain", "storm", False, False),
        ("rain", "rain", False, True),
        ("storm", "off", False, False),
    ],
)
def test_hr_con_14_heavy_rain_puts_a_battle_off(
    weather: str, setting: str, both: bool, put_off: bool
) -> None:
    world = stanwix(works="none", put_off_in=setting)
    recorded = dict.fromkeys(world.theatre.recorded_weather, weather)
    world = replace(world, theatre=replace(world.theatre, recorded_weather=recorded))
    given = orders(
        Order("st_leger", ("stanwix",), stance="attack"),
        Order("gansevoort", stance="attack" if both else "give_battle"),
    )
    if not put_off:
        pending(world, given, script())
        return
    done = completed(world, given, script())
    assert told(done.events, "put_off_by_rain")
    fair = replace(done.world, weather_set={"1": "fair"})
    assert pending(fair, given, script()).minute == 240


def test_hr_sie_02_guns_that_marched_or_fell_back_today_have_not_stood() -> None:
    world = invested(guns(stanwix(), GunClass.HEAVY))
    field = DayState(world, script(), conditions_on(world, script())[0])
    column = _build_column(field, world.formations["st_leger"], present_units(world)["st_leger"])
    assert _siege_guns(field, [column]) == 5
    column.retreated = 1
    assert _siege_guns(field, [column]) == 0
    column.retreated, column.marched = 0, 30
    assert _siege_guns(field, [column]) == 0
