"""Battle files of any kind under any ruleset of the registry."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets import registry
from battles.rulesets.volley_bayonet.ratings import may_break_up, may_ride
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.random_files import random_file

#: Troops that may break up, for more of them than there are among all types.
LIGHT = (TroopType.BRITISH_LIGHT_INFANTRY, TroopType.JAEGERS, TroopType.RANGERS)
IDS = [ruleset.id for ruleset in registry.RULESETS]
#: Each family is loaded in one process of those that share the tests: to compile it takes over a minute.
FAMILIES = dict.fromkeys(("vb_wing", "vb_division", "vb_rtg"), "volley bayonet")
#: A test for every ruleset.
every_ruleset = pytest.mark.parametrize(
    "ruleset",
    [
        name
        if name == "awi"
        else pytest.param(name, marks=pytest.mark.xdist_group(f"{FAMILIES.get(name, name)} fights"))
        for name in IDS
    ],
)


def with_traits(draw: Random, units: tuple[BattleUnit, ...], known: Sequence[str]) -> tuple[BattleUnit, ...]:
    """Units with the traits that are known, and in half of all battles more light troops and riders."""
    units = tuple(replace(unit, traits=tuple(one for one in unit.traits if one in known)) for unit in units)
    if not {"breaks_up", "mounted"} <= set(known) or draw.random() < 0.5:
        return units
    return tuple(_with_more(draw, unit) for unit in units)


def _with_more(draw: Random, unit: BattleUnit) -> BattleUnit:
    if draw.random() < 0.4:
        unit = replace(unit, troop_type=draw.choice(LIGHT), poor_militia=False, gun_class=GunClass.NONE)
    if draw.random() < 0.3:
        return unit
    if may_break_up(unit) and draw.random() < 0.6:
        return replace(unit, sp=max(unit.sp, 1), traits=(*unit.traits, "breaks_up"))
    return replace(unit, traits=(*unit.traits, "mounted")) if may_ride(unit) else unit


def file_under(draw: Random, ruleset: str, *, most: int = 7, turns: int = 40) -> BattleFile:
    """A random battle file under a ruleset, in some of which options of its own are chosen.

    Traits it does not know are left out; a battle it has no room for is drawn again.
    """
    rules = registry.get_rules(ruleset)
    for _ in range(20):
        file = random_file(draw, most=most, turns=turns)
        if file.ruleset == ruleset:
            return file
        options = {
            name: draw.choice(option.choices) for name, option in rules.options.items() if draw.random() < 0.2
        }
        known = rules.traits(rules.options_resolve(options))
        units = with_traits(draw, file.units, known)
        file = replace(file, ruleset=ruleset, options=options, units=units)
        try:
            registry.get_initial_positions(file)
        except BattleFileError:
            continue
        return file
    raise AssertionError("twenty battles in a row were refused")
