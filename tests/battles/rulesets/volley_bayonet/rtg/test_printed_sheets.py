"""A brigade's card says of it what its order of battle does, and all count the same points."""

from dataclasses import replace

import pytest

from battles.files.reading import find_shipped_battles, read_battle
from battles.printing.packs import ForceSheet, Occasion, Pack
from battles.printing.sheets import build_pack
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY


def printed(name: str) -> Pack:
    """The umpire's copy of a shipped battle."""
    file = replace(read_battle(name), ruleset=ROAD_TO_GLORY.id, options={})
    return build_pack(file, Occasion(), own=(file.attacker, file.defender))


def guns_of(force: ForceSheet) -> int:
    """Dedicated guns among a force's cards, which add no point."""
    return sum(unit.kind == "dedicated gun" for unit in force.units)


@pytest.mark.parametrize("name", list(find_shipped_battles()))
def test_title_and_facts_of_a_card_agree_RTG_GEN_01(name: str) -> None:
    for force in printed(name).forces:
        for unit in force.units:
            assert unit.terms is not None and unit.kind == unit.terms.kind
            if unit.kind == "dedicated gun":
                continue
            assert f"morale {dict(unit.terms.facts)['Morale']}" in unit.kind
            assert ("artillery battery" in unit.kind) <= (unit.sp == 1)
            assert ("artillery battalion" in unit.kind) <= (unit.sp > 1)


@pytest.mark.parametrize("name", list(find_shipped_battles()))
def test_brigades_and_break_points_count_what_has_points_RTG_CBT_22(name: str) -> None:
    contents = printed(name)
    for force, ending in zip(contents.forces, contents.endings, strict=False):
        guns = guns_of(force)
        assert sum(one.sp for one in force.brigades) == force.sp - guns
        assert sum(len(one.units) for one in force.brigades) == len(force.units) - guns
        assert f" {force.sp - guns} SP of 500 men in all" in ending
        assert ("dedicated guns not counted" in ending) == (guns > 0)
        assert any("dedicated guns apart" in one.name for one in force.brigades) == (guns > 0)


def test_dedicated_guns_come_when_their_foot_does_RTG_CBT_22() -> None:
    file = replace(read_battle("bennington"), ruleset=ROAD_TO_GLORY.id, options={})
    late = tuple(replace(unit, arrives=12 if "Hanau" in unit.name else unit.arrives) for unit in file.units)
    paper = build_pack(replace(file, units=late), Occasion(), own=(file.attacker, file.defender))
    comes = {unit.name: unit.arrives for force in paper.forces for unit in force.units if unit.taken_whole}
    assert comes == {"Hanau 3-pounders": "at the start"}
