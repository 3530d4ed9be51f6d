"""The worked checks of the Regimental rules; the players are in `checks/`."""

from collections.abc import Callable

import pytest

from tests.battles.read_whole import play
from tests.battles.rulesets.regimental.books import CHECKS, RULES
from tests.battles.rulesets.regimental.checks.charges import (
    check_chances,
    check_charge_modifier,
    check_leader,
    check_loss,
    check_rate,
    check_victory,
)
from tests.battles.rulesets.regimental.checks.common import Facts
from tests.battles.rulesets.regimental.checks.maneuvers import check_example, check_modifier, check_table
from tests.battles.rulesets.regimental.checks.shooting import (
    check_ammunition,
    check_charge_under_fire,
    check_effects,
    check_fallen,
    check_fifteen,
    check_modifiers,
    check_points,
    check_range,
)

#: Players by the beginning of a check's id, the longest that fits.
PLAYERS: dict[str, Callable[[Facts, Facts], None]] = {
    "REG-MAN-GOOD": check_table,
    "REG-MAN-DIS": check_table,
    "REG-MAN-MOD": check_modifier,
    "REG-MAN-EX": check_example,
    "REG-FIR-ELITE": check_effects,
    "REG-FIR-VETERAN": check_effects,
    "REG-FIR-TRAINED": check_effects,
    "REG-FIR-RAW": check_effects,
    "REG-FIR-PTS": check_points,
    "REG-GUN": check_range,
    "REG-MSK": check_range,
    "REG-FIR-EX": check_modifiers,
    "REG-FIR-LDR": check_fallen,
    "REG-FIR-AMMO": check_ammunition,
    "REG-FIR-CHG": check_charge_under_fire,
    "REG-FIR-15": check_fifteen,
    "REG-FIR-GUN": check_fifteen,
    "REG-CHG-M": check_chances,
    "REG-CHG-P": check_chances,
    "REG-CHG-LOSS": check_loss,
    "REG-CHG-MOD": check_charge_modifier,
    "REG-LDR": check_leader,
    "REG-MOV": check_rate,
    "REG-VP": check_victory,
}


def player_of(key: str) -> str:
    """The longest beginning of an id that has a player."""
    return max((start for start in PLAYERS if key.startswith(start)), key=len)


@pytest.mark.parametrize("key", CHECKS)
def test_worked_check(key: str) -> None:
    check = CHECKS[key]
    play(PLAYERS[player_of(key)], check)


def test_every_check_is_played_and_of_a_rule() -> None:
    assert len(CHECKS) == 143
    assert {player_of(key) for key in CHECKS} == set(PLAYERS)
    assert {check["rule"] for check in CHECKS.values()} <= set(RULES)
