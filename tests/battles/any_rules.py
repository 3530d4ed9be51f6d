"""Battle files of any kind under any ruleset of the registry."""

from dataclasses import replace
from random import Random

import pytest

from battles.errors import BattleFileError
from battles.rulesets import registry
from battles.scenario import BattleFile
from tests.battles.random_files import random_file

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


def file_under(draw: Random, ruleset: str, *, most: int = 7, turns: int = 40) -> BattleFile:
    """A random battle file under a ruleset, in some of which options of its own are chosen.

    Traits it does not know are left out; a battle it has no room for is drawn again.
    """
    rules = registry.rules(ruleset)
    for _ in range(20):
        file = random_file(draw, most=most, turns=turns)
        if file.ruleset == ruleset:
            return file
        options = {
            name: draw.choice(option.choices) for name, option in rules.options.items() if draw.random() < 0.2
        }
        known = rules.traits(rules.options_resolve(options))
        units = tuple(
            replace(unit, traits=tuple(one for one in unit.traits if one in known)) for unit in file.units
        )
        file = replace(file, ruleset=ruleset, options=options, units=units)
        try:
            registry.standing(file)
        except BattleFileError:
            continue
        return file
    raise AssertionError("twenty battles in a row were refused")
