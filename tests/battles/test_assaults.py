"""Assaults are fought to a decision: attackers march up, go round what bars them, or say there is no way."""

from dataclasses import replace
from random import Random

import pytest

from battles.files.schema import BattleFile, BattleGround, BattlePlan, BattleUnit, Feature, Point
from battles.replay.account import ENDINGS
from battles.rulesets import registry
from rosters.domain.vocabulary import TroopType
from tests.battles.any_rules import every_ruleset
from tests.battles.assaults import (
    CONGRESS,
    CROWN,
    TERRAINS,
    could_gain_ground,
    leaders_of,
    random_assault,
    way_lengths,
)

WIDTH, DEPTH = 96.0, 60.0
#: Ground that bars close foot in every ruleset.
LAKE = "water"
ASSAULT = BattlePlan("assault")


def _area(kind: str, left: float, low: float, right: float, high: float) -> Feature:
    points: tuple[Point, ...] = ((left, low), (right, low), (right, high), (left, high))
    return Feature(kind, points, kind)  # type: ignore[arg-type]


def assault(ruleset: str, *features: Feature, turns: int = 60, crown: BattlePlan = ASSAULT) -> BattleFile:
    """Three battalions are to assault two that hold, over that ground."""
    line = TroopType.CONTINENTAL_LINE
    units = tuple(
        BattleUnit(f"{side} {n}", f"{side} {n}", side, line, 6)
        for side, n in _numbered(((CROWN, 3), (CONGRESS, 2)))
    )
    plans = {CROWN: crown, CONGRESS: BattlePlan("hold")}
    ground = BattleGround(WIDTH, DEPTH, features)
    return BattleFile(
        "Assault", CROWN, CONGRESS, units, plans=plans, turns=turns, ruleset=ruleset, ground=ground,
        leaders=leaders_of(units),
    )  # fmt: skip


def _numbered(counts: tuple[tuple[str, int], ...]) -> list[tuple[str, int]]:
    return [(side, n) for side, count in counts for n in range(count)]


def ending(file: BattleFile, seed: int = 1) -> str:
    """Why a fight ended."""
    return registry.fight_battle(file, seed, record=True).events[-1].result


@every_ruleset
def test_an_attacker_who_marches_through_thick_woods_comes_up_HR_BAT_02(ruleset: str) -> None:
    file = assault(ruleset, _area("dense_woods", 0, 0, WIDTH, DEPTH))
    told = registry.fight_battle(file, 1, record=True).events
    assert any(event.kind in ("fire", "charge", "contact") for event in told), told[-1]


@every_ruleset
def test_attackers_go_round_what_bars_the_straight_way_HR_BAT_02(ruleset: str) -> None:
    lake = _area(LAKE, 28, 20, 84, 34)
    told = registry.fight_battle(assault(ruleset, lake), 1, record=True).events
    assert any(event.kind in ("fire", "charge", "contact") for event in told), told[-1]


@every_ruleset
def test_a_fight_without_a_way_to_the_enemy_ends_told_so_HR_BAT_02(ruleset: str) -> None:
    lake = _area(LAKE, 0, 18, WIDTH, 38)
    assert ending(assault(ruleset, lake)) == "no_way"


def test_that_there_is_no_way_is_said_in_the_account_HR_BAT_02() -> None:
    assert ENDINGS["no_way"].startswith("The attackers found no way")


@every_ruleset
def test_who_is_ordered_to_attack_later_is_waited_for_HR_BAT_02(ruleset: str) -> None:
    file = assault(ruleset, crown=BattlePlan("hold", until=20, then="assault"))
    told = registry.fight_battle(file, 1, record=True).events
    assert any(event.kind in ("fire", "charge", "contact") for event in told), told[-1]


@every_ruleset
@pytest.mark.parametrize("terrain", TERRAINS)
def test_no_assault_is_left_off_while_ground_could_be_gained_HR_BAT_02(terrain: str, ruleset: str) -> None:
    file = random_assault(Random(terrain), ruleset, terrain)
    assert could_gain_ground(file, 1) == []


#: Brigades that stood in a village, or before one (RTG-TER-22).
IN_VILLAGES = (
    "farmland/514", "forest/255", "forest/322", "mountain/346", "mountain/860", "open/348", "urban/551",
)  # fmt: skip
#: What troops stood in each other's way for, or turned to and fro.
CROWDS = [
    ("awi", "farmland/163"),  # seven lines before a bridge
    ("awi", "pines/455"),  # a house before it and a stream behind
    ("awi", "forest/473"),  # four lines in a file before a stream
    ("awi", "wooded/477"),  # horse against a house, two lines behind it
    ("awi", "open/641"),  # four lines between two houses and a stream
    ("awi", "farmland/387"),  # a gun that turned to its way and to the enemy
    ("awi", "forest/350"),  # a gun that sees nobody before a bridge
    ("awi", "hill/82"),  # three lines before a house
    ("awi", "mountain/7"),  # a gap beside a house, for columns only
    ("awi", "open/344"),  # a spent line before two others
    ("awi", "pines/244"),  # turned to the enemy and back to its way
    ("awi", "wooded/388"),  # between a stream and a house
    ("vb_rtg", "mountain/6"),  # turns on a corner that led away from the way
    ("vb_rtg", "mountain/29"),  # a house between it and an enemy close by
    ("vb_rtg", "mountain/11"),  # swings past the leg to a bridge
    ("vb_rtg", "mountain/257"),  # before its own skirmishers
    ("vb_rtg", "pines/1072"),  # its way led to where it kept off
    ("vb_rtg", "pines/456"),  # turned to an enemy it does not see, and back to its way
    *(("vb_rtg", name) for name in IN_VILLAGES),
]


@pytest.mark.parametrize(("ruleset", "name"), CROWDS)
def test_troops_in_each_others_way_make_room_HR_BAT_02(ruleset: str, name: str) -> None:
    terrain, number = name.split("/")
    assert could_gain_ground(random_assault(Random(name), ruleset, terrain), int(number)) == []


def test_the_plain_search_finds_ways_round_and_none_through() -> None:
    file = assault("awi", _area(LAKE, 28, 20, 84, 34))
    assert 60.0 < way_lengths(file, [(48.0, 45.0)])[10, 48] < 120.0
    shut = replace(file, ground=BattleGround(WIDTH, DEPTH, (_area(LAKE, 0, 20, WIDTH, 34),)))
    assert way_lengths(shut, [(48.0, 45.0)])[10, 48] == float("inf")
