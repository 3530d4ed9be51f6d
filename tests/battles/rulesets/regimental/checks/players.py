"""The players of the worked checks of the Regimental rules, by the beginning of an id."""

from tests.battles.rulesets.regimental.books import CHECKS
from tests.battles.rulesets.regimental.checks.charges import (
    check_chances,
    check_charge_modifier,
    check_leader,
    check_loss,
    check_rate,
    check_victory,
)
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
from tests.worked_checks.registry import CheckFamily, Player

#: The first that is for a check plays it, so the longest beginning stands first.
PLAYERS: tuple[Player, ...] = (
    Player(check_effects, "REG-FIR-TRAINED.*"),
    Player(check_effects, "REG-FIR-VETERAN.*"),
    Player(check_effects, "REG-FIR-ELITE.*"),
    Player(check_loss, "REG-CHG-LOSS.*"),
    Player(check_ammunition, "REG-FIR-AMMO.*"),
    Player(check_table, "REG-MAN-GOOD.*"),
    Player(check_charge_modifier, "REG-CHG-MOD.*"),
    Player(check_charge_under_fire, "REG-FIR-CHG.*"),
    Player(check_fifteen, "REG-FIR-GUN.*"),
    Player(check_fallen, "REG-FIR-LDR.*"),
    Player(check_points, "REG-FIR-PTS.*"),
    Player(check_effects, "REG-FIR-RAW.*"),
    Player(check_table, "REG-MAN-DIS.*"),
    Player(check_modifier, "REG-MAN-MOD.*"),
    Player(check_fifteen, "REG-FIR-15.*"),
    Player(check_modifiers, "REG-FIR-EX.*"),
    Player(check_example, "REG-MAN-EX.*"),
    Player(check_chances, "REG-CHG-M.*"),
    Player(check_chances, "REG-CHG-P.*"),
    Player(check_range, "REG-GUN.*"),
    Player(check_leader, "REG-LDR.*"),
    Player(check_rate, "REG-MOV.*"),
    Player(check_range, "REG-MSK.*"),
    Player(check_victory, "REG-VP.*"),
)
FAMILY = CheckFamily("Regimental", ("REG-",), PLAYERS, tuple(CHECKS.values()))
