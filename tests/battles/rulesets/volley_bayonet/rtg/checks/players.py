"""The players of the worked checks of Road to Glory, by what the ids look like."""

from tests.battles.rulesets.volley_bayonet.rtg.books import CHECKS
from tests.battles.rulesets.volley_bayonet.rtg.checks import combat, rest
from tests.worked_checks.registry import CheckFamily, Player

#: The first that is for a check plays it.
PLAYERS: tuple[Player, ...] = (
    Player(combat.check_dedicated, r"RTG-CBT-DEDGUN\d*"),
    Player(rest.check_morale, r"RTG-MOR-\d+"),
    Player(rest.check_modified, r"RTG-MOR-[A-Z]+"),
    Player(combat.check_dice, r"RTG-CBT-[A-Z]+-\w+"),
    Player(combat.check_save, r"RTG-SAV-EX-\d+"),
    Player(combat.check_melee, r"RTG-MEL-EX-\d+"),
    Player(combat.check_tie, r"RTG-MEL-TIE-\w+"),
    Player(rest.check_collapse, r"RTG-EXH-\d+"),
    Player(rest.check_level, r"RTG-EXH-LV\d*"),
    Player(rest.check_chief, r"RTG-MIS-AC\d*"),
    Player(rest.check_marsh, r"RTG-TER-MARSH\d*"),
    Player(rest.check_fire_out, r"RTG-TER-OUT\d*"),
    Player(rest.check_town, r"RTG-TER-TOWN\d*"),
    Player(rest.check_move, r"RTG-MOV-EX-\d+"),
    Player(rest.check_charge, r"RTG-CHG-01[A-Z]?"),
    Player(rest.check_skirmisher, r"RTG-CHG-02[A-Z]?"),
)
FAMILY = CheckFamily("Road to Glory", ("RTG-",), PLAYERS, tuple(CHECKS.values()))
