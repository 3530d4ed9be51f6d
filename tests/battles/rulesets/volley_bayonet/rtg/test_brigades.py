"""A battle file as its brigades: where they stand, when they come, who commands divisions."""

from dataclasses import replace

import pytest

from battles.files.reading import read_battle
from battles.files.schema import BattleFile, BattlePlan
from battles.rulesets.volley_bayonet.rtg.brigades import build_brigade_file, commander_of
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool, pool_brigades
from rosters.domain.vocabulary import GunClass
from rosters.domain.vocabulary import TroopType as T
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, leader

OPTIONS = ROAD_TO_GLORY.options_resolve({})


def file_of(**more: object) -> BattleFile:
    """Two units of the Crown that are one brigade, of 300 and 200 men, against another."""
    units = (
        battle_unit("9th", CROWN, T.BRITISH_LINE, 6, x=20.0, y=10.0, formation="Fraser"),
        battle_unit("20th", CROWN, T.BRITISH_LINE, 4, x=30.0, y=20.0, formation="Fraser", arrives=0),
    )
    other = battle_unit("1st", CONGRESS, T.CONTINENTAL_LINE, 6)
    return battle(units, (other,), **more)


def test_a_brigade_stands_where_its_units_do_on_the_average_RTG_GEN_01() -> None:
    file = file_of(plans={CROWN: BattlePlan("assault", goal=(40.0, 20.0))}, objective=(48.0, 24.0))
    drawn = build_brigade_file(file, pool_brigades(file, OPTIONS))
    one = drawn.units[0]
    assert (one.id, one.name, one.sp, one.formation) == ("9th", "9th and 1 more", 1, "division 1")
    assert (one.x, one.y) == pytest.approx((24.0 / 4, 14.0 / 4))
    assert drawn.plans[CROWN].goal == (10.0, 5.0)
    assert drawn.objective == (12.0, 6.0)
    assert drawn.units[1].x is None


@pytest.mark.parametrize(("late", "arrives"), [((0, 12), 0), ((12, 0), 12), ((6, 6), 6)])
def test_it_comes_when_half_its_strength_is_there(late: tuple[int, int], arrives: int) -> None:
    file = file_of()
    first, second, other = file.units
    units = (replace(first, arrives=late[0]), replace(second, arrives=late[1]), other)
    file = replace(file, units=units)
    assert build_brigade_file(file, pool_brigades(file, OPTIONS)).units[0].arrives == arrives


def test_a_senior_commands_his_division_else_the_first_brigadier_RTG_GEN_04() -> None:
    fraser, senior = leader("Fraser"), leader("Phillips", rank="senior", commands=("Fraser",))
    for leaders, place in (((fraser,), 0), ((fraser, senior), 1), ((senior,), -1)):
        file = file_of(leaders=leaders)
        crown = [pool for pool in pool_brigades(file, OPTIONS) if pool.side == CROWN]
        assert commander_of(file, crown) == place


def test_no_general_has_two_divisions_of_bemis_heights_RTG_GEN_04() -> None:
    """Breymann's weak brigade joins the Germans, and Fraser, its senior, keeps his own division alone."""
    file = read_battle("bemis-heights")
    divisions: dict[int, list[BrigadePool]] = {}
    for pool in pool_brigades(file, OPTIONS):
        divisions.setdefault(pool.division, []).append(pool)
    assert {
        units[0].units[0]: file.leaders[commander_of(file, units)].id for units in divisions.values()
    } == {
        "nh1": "arnold",
        "albany-1": "ten-broeck",
        "rhetz": "riedesel",
        "24th": "fraser",
    }


def test_a_joined_brigades_general_does_not_take_over_the_rest_of_the_side_RTG_GEN_04() -> None:
    """A weak brigade of Phillips's joins Fraser's, which is under nobody, and Fraser leads it still."""
    first, second = leader("Fraser", commands=("9th",)), leader("Hamilton", commands=("62nd",))
    senior = leader("Phillips", rank="senior", commands=("Hamilton",))
    units = (
        battle_unit("9th", CROWN, T.BRITISH_LINE, 6),
        battle_unit("62nd", CROWN, T.BRITISH_LINE, 2),
        battle_unit("guns", CROWN, T.EUROPEAN_ARTILLERY, 6, gun_class=GunClass.HEAVY),
    )
    second = replace(second, commands=("62nd", "guns"))
    other = battle_unit("1st", CONGRESS, T.CONTINENTAL_LINE, 6)
    file = battle(units, (other,), leaders=(first, second, senior))
    crown = {pool.division: pool for pool in pool_brigades(file, OPTIONS) if pool.side == CROWN}
    led = {pool.units: commander_of(file, [pool]) for pool in crown.values()}
    assert led == {("9th", "62nd"): 0, ("guns",): 2}
