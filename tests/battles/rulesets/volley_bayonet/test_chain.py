"""Brigades and commanders of a battle file: who leads whom, and how much a brigade bears."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.chain import UNITS_LED, juniors_of
from battles.engine.compile import is_interpreted
from battles.files.schema import BattleFile
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.cards import return_commanders
from battles.rulesets.volley_bayonet.chain import brigades_of
from battles.rulesets.volley_bayonet.command import commands_stand
from battles.rulesets.volley_bayonet.fighting import prepare_state
from battles.rulesets.volley_bayonet.setup import size_for
from battles.strength_conversion import fighting_units
from rosters.domain.vocabulary import TYPES, Arm, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, force, leader
from tests.battles.random_files import random_file
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES
from tests.battles.rulesets.volley_bayonet.files import FOOT, drawn_up, file_of, stands_of

T = TroopType
EXAMPLES = 10 if is_interpreted() else 60
GUNS = T.EUROPEAN_ARTILLERY
WING = SCALES["vb_wing"]


def led(*units: Any, **more: Any) -> list[tuple[int, list[int], int]]:
    """Side, units and leader of each brigade."""
    file = file_of(*units, **more)
    own = fighting_units(file)
    guns = {k for k, unit in enumerate(own) if TYPES[unit.troop_type].arm is Arm.WHEELED}
    return [(brigade.side, brigade.units, brigade.leader) for brigade in brigades_of(file, own, guns)]


def commanders(g: Any, side: int = 0) -> list[int]:
    """Ranks of a side's commanders."""
    return sorted(int(e.rank) for e in g.leaders[: g.leaders_n] if e.side == side)


def subjects(g: Any, k: int) -> list[int]:
    """Stands that commander k may put in command at all."""
    return [i for i in range(g.n) if commands_stand(g, k, i)]


def ranked(g: Any, rank: int, side: int = 0) -> Iterator[int]:
    return (k for k in range(g.leaders_n) if (g.leaders[k].rank, g.leaders[k].side) == (rank, side))


def test_a_brigadier_leads_those_he_is_given_or_his_formation_VBW_CMD_05() -> None:
    units = [battle_unit(name, CROWN, FOOT, formation=of) for name, of in zip("abcd", "FFFR", strict=True)]
    by_list = leader("Burgoyne", commands=("a", "d"))
    assert led(*units, leaders=(by_list,)) == [(0, [0, 3], 0), (0, [1, 2], -1)]
    by_formation = leader("F")
    assert led(*units, leaders=(by_formation,)) == [(0, [0, 1, 2], 0), (0, [3], -1)]
    assert led(*units) == [(0, [0, 1, 2], -1), (0, [3], -1)]


def test_who_has_no_brigadier_and_no_formation_is_led_by_fours_VBW_CMD_05() -> None:
    found = led(*force(CROWN, *[FOOT] * 9), *force(CONGRESS, *[FOOT] * 2))
    sizes = [(side, len(units)) for side, units, _ in found]
    assert sizes == [(0, UNITS_LED), (0, UNITS_LED), (0, 1), (1, 2)]
    assert led(*(battle_unit(f"{n}", CROWN, FOOT, formation="Fraser") for n in range(6)))[0][1] == [*range(6)]


def test_guns_are_in_a_brigade_only_under_a_brigadier_VBW_CMD_07() -> None:
    units = [battle_unit("a", CROWN, FOOT), battle_unit("b", CROWN, GUNS, formation="F")]
    assert led(*units) == [(0, [0], -1)]
    assert led(*units, leaders=(leader("F"),)) == [(0, [1], 0), (0, [0], -1)]
    g = drawn_up(*units)
    assert [int(u.brigade) for u in g.u[: g.n]] == [0, 0, -1, -1]
    assert g.battalions[1].brigade == -1


def army() -> Any:
    """Two wings of two brigades each, a battery, and an army commander; one unit of the enemy."""
    units = [battle_unit(name, CROWN, FOOT, 6) for name in "abcd"]
    chiefs = [leader(f"b{name}", commands=(name,)) for name in "abcd"]
    wings = [
        leader("left", rank="senior", commands=("ba", "bb")),
        leader("right", rank="senior"),  # all whom no other leads
    ]
    howe = leader("Howe", rank="commander_in_chief")
    return drawn_up(
        *units, battle_unit("gun", CROWN, GUNS), battle_unit("e", CONGRESS, FOOT, 6),
        leaders=(*chiefs, *wings, howe),
    )  # fmt: skip


def test_the_chain_of_command_VBW_CMD_02() -> None:
    g = army()
    ranks = [r.UNIT_COMMANDER] * 4 + [r.BRIGADE_COMMANDER] * 4 + [r.WING_COMMANDER] * 2 + [r.ARMY_COMMANDER]
    assert commanders(g) == ranks
    places = {int(e.named): k for k, e in enumerate(g.leaders[: g.leaders_n]) if e.named >= 0}
    assert sorted(places) == [*range(7)]
    assert [int(g.leaders[places[n]].superior) for n in range(4)] == [
        places[4], places[4], places[5], places[5],
    ]  # fmt: skip
    for b in range(g.brigades_n):
        assert g.leaders[g.brigades[b].commander].brigade == b


def test_an_army_commander_commands_all_of_his_side_VBW_CMD_03() -> None:
    g = army()
    (chief,) = ranked(g, r.ARMY_COMMANDER)
    assert subjects(g, chief) == [i for i in range(g.n) if g.u[i].side == 0]


def test_a_wing_commander_commands_his_wing_VBW_CMD_04() -> None:
    g = army()
    guns = stands_of(g, 4)
    left, right = ranked(g, r.WING_COMMANDER)
    assert subjects(g, left) == [*stands_of(g, 0), *stands_of(g, 1), *guns]
    assert subjects(g, right) == [*stands_of(g, 2), *stands_of(g, 3), *guns]


def test_brigade_and_unit_commanders_command_their_own_VBW_CMD_05_06_07() -> None:
    g = army()
    guns = stands_of(g, 4)
    for rank in (r.BRIGADE_COMMANDER, r.UNIT_COMMANDER):
        found = [subjects(g, k) for k in ranked(g, rank)]
        assert found == [[*stands_of(g, unit), *guns] for unit in range(4)]
    for k in ranked(g, r.UNIT_COMMANDER):
        e = g.leaders[k]
        assert e.brigade == g.battalions[e.battalion].brigade


def test_seniors_without_a_list_lead_whom_no_other_claims_VBW_CMD_04() -> None:
    file = file_of(
        *force(CROWN, FOOT), *force(CONGRESS, FOOT),
        leaders=(
            leader("a"), leader("b"), leader("e", CONGRESS),
            leader("s", rank="senior", commands=("a",)), leader("t", rank="senior"),
        ),
    )  # fmt: skip
    assert [juniors_of(file, one) for one in file.leaders[3:]] == [{"a"}, {"b"}]


@pytest.mark.parametrize(
    ("kind", "sp", "has"),
    [
        (FOOT, 6, True),  # two stands of British regulars
        (FOOT, 3, False),
        (T.CONTINENTAL_LINE, 6, False),
        (T.AMERICAN_LIGHT_CAVALRY, 6, True),
        (T.AMERICAN_LIGHT_CAVALRY, 3, False),
        (T.BRITISH_LIGHT_INFANTRY, 6, False),
        (T.MILITIA, 6, False),
        (T.INDIANS, 6, False),
        (GUNS, 6, False),
    ],
)
def test_units_with_a_commander_of_their_own_VBW_ORG_03_07_12_14(kind: T, sp: int, has: bool) -> None:
    g = drawn_up(*force(CROWN, kind, sp=sp))
    assert (r.UNIT_COMMANDER in commanders(g)) is has


def test_a_side_nobody_leads_has_an_army_commander_VBW_CMD_07() -> None:
    few, many = force(CROWN, *[T.MILITIA] * 4), force(CROWN, *[T.MILITIA] * 5)
    assert commanders(drawn_up(*few)) == [r.BRIGADE_COMMANDER]
    assert commanders(drawn_up(*many)) == [r.BRIGADE_COMMANDER] * 2 + [r.ARMY_COMMANDER]
    assert commanders(drawn_up(*many, leaders=(leader("s", rank="senior"),))).count(r.ARMY_COMMANDER) == 0
    assert commanders(drawn_up(*force(CROWN, GUNS, T.WAGON))) == [r.ARMY_COMMANDER], "guns need somebody"
    assert commanders(drawn_up(*many), side=1) == [], "who is not there"


ROUNDINGS = {"nearest_half_up": lambda x: int(x + Fraction(1, 2)), "up": lambda x: -int(-x // 1), "down": int}


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_exhaustion_levels_are_the_sum_of_the_stands_VBW_EXH_01(rounding: str) -> None:
    shares = RULES["VBW-EXH-01"]["table"]
    units = (
        battle_unit("line", CROWN, FOOT, 5),
        battle_unit("light", CROWN, T.BRITISH_LIGHT_INFANTRY, 6),
        battle_unit("raw", CROWN, T.MILITIA, 4, poor_militia=True),
        battle_unit("train", CROWN, T.WAGON, 2),
    )
    g = drawn_up(*units, leaders=(leader("b", commands=("line", "light", "raw", "train")),),
                 options={"exhaustion_rounding": rounding})  # fmt: skip
    exact = sum(Fraction(str(shares[int(u.morale)])) * int(u.sp) for u in g.u[: g.n] if u.sp)
    assert exact.denominator > 1, "else nothing is rounded"
    assert g.brigades[0].level == ROUNDINGS[rounding](exact)
    assert g.brigades[0].sp_start == 5 + 3 + 4


def test_the_weakest_brigade_bears_one_and_one_without_points_has_no_level_VBW_EXH_01() -> None:
    one = drawn_up(*force(CROWN, T.MILITIA, sp=1))
    assert (one.brigades[0].sp_start, one.brigades[0].level) == (1, 1)
    idle = drawn_up(*force(CROWN, FOOT), leaders=(leader("idle", commands=()),))
    assert (idle.brigades[0].sp_start, idle.brigades[0].level) == (0, 0)


def random_drawn_up(draw: Random) -> tuple[BattleFile, Any]:
    file = random_file(draw)
    plain = BattleFile(
        file.title, file.attacker, file.defender, file.units, leaders=file.leaders, ground=file.ground
    )
    return plain, prepare_state(plain, WING, size_for(plain, WING))[0]


@given(st.randoms(use_true_random=False))
@settings(max_examples=EXAMPLES, deadline=None)
def test_somebody_may_command_every_stand_VBW_CMD_02_to_07(draw: Random) -> None:
    file, g = random_drawn_up(draw)
    g.turn = file.turns
    return_commanders(g)
    # the last of those to come is there
    g.turn = max([*(int(u.due) for u in g.u[: g.n]), 1])
    return_commanders(g)
    for i in range(g.n):
        assert any(commands_stand(g, k, i) for k in range(g.leaders_n)), i
        assert (g.u[i].brigade >= 0) or g.u[i].class_ in (r.GUNS, r.TRANSPORT)
    for b in range(g.brigades_n):
        own = [i for i in range(g.n) if g.u[i].brigade == b]
        assert {int(g.u[i].side) for i in own} <= {int(g.brigades[b].side)}
        assert g.brigades[b].sp_start == sum(int(g.u[i].sp) for i in own)
    assert sorted(int(e.named) for e in g.leaders[: g.leaders_n] if e.named >= 0) == [
        *range(len(file.leaders))
    ]
