"""The words in which battles of these rules are told: kinds of our own, and what we call otherwise."""

from functools import partial

from battles.rulesets.volley_bayonet.deck import BY_NUMBER
from battles.rulesets.volley_bayonet.scales import Scale
from battles.rulesets.volley_bayonet.table import base_of, table_of, unit_id
from battles.rulesets.volley_bayonet.tables import MINUTES_PER_TURN
from battles.scenario import BattleFile
from battles.telling import Telling

STEPS = {
    "-": "before the first move",
    "A": "command",
    "B": "movement",
    "C": "rally",
    "D": "tests of morale",
    "F": "combat",
    "G": "collapse",
}
LINES = {
    "recovers": "{a} recover their order",
    "marsh_die": "{a} wade into marsh",
    "fence_die": "{a} test to charge over a fence, on {n} or less",
    "morale_check": "{a} check their morale",
    "shaken": "{a} fall into disorder",
    "routs": "{a} rout",
    "rout_move": "{a} run {n} inches",
    "rout_test": "{a} are rallied",
    "breakthrough": "{a} break through to {t}",
    "charge": "{a} charge {t}",
    "fire": "{a} fire at {t}, hits: {n}",
    "hit_die": "{a} against {t}, {n} or more hits",
    "save_die": "{a} are covered, {n} or more saves",
    "melee_roll": "{a} fight {t} hand to hand, hits that tell: {n}",
    "melee_draw": "{a} and {t} are even",
    "melee_lost": "{a} lose to {t} hand to hand",
    "melee_routed": "{a} are broken by {t} hand to hand",
    "roll_off": "the melee is level: attacker and defender roll off",
    "exhausted": "the brigade of {a} is exhausted",
    "collapse_die": "the brigade of {a} rolls against collapse, {n} or less collapses",
    "collapses": "the brigade of {a} collapses",
    "card_drawn": "{n} draw a card",
    "card": "the card {n} is played",
    "card_die": "a die for the card",
    "general_captured": "{t} is taken",
    "general_die": "{t} is under fire, {n} or more fells him",
}
SAYINGS = {
    "shaken": {"": "{a} fell into disorder"},
    "routs": {"": "{a} broke and ran"},
    "breakthrough": {"": "{a} broke through to {t}"},
    "melee_draw": {"": "{a} fought {t} hand to hand, and neither gave way"},
    "melee_lost": {"": "{a} were worsted by {t} hand to hand"},
    "exhausted": {"": "{a} and the rest of their brigade were worn out"},
    "collapses": {"": "{a} and the rest of their brigade gave way altogether"},
    "general_captured": {"": "{t} was made prisoner"},
    "general_die": {"fails": "{t} fell"},
}
UNTOLD = frozenset(
    {
        "recovers", "marsh_die", "fence_die", "morale_check", "hit_die", "save_die", "roll_off",
        "collapse_die", "card_drawn", "card", "card_die",
    }
)  # fmt: skip
#: Kinds that belong to the act before them.
FOLLOWS = frozenset(
    {"hit_die", "save_die", "marsh_die", "fence_die", "roll_off", "card_die", "exhausted", "rout_test"}
)


def _side(battle: BattleFile, total: int) -> str:
    return battle.side_name((battle.attacker, battle.defender)[total])


def _card(battle: BattleFile, total: int) -> str:
    return f"“{BY_NUMBER[total].title}” ({BY_NUMBER[total].rule})"


def telling_of(scale: Scale) -> Telling:
    """How battles of a scale are told: a turn is a quarter of an hour (VBW-GEN-03), a piece a stand."""
    return Telling(
        steps=STEPS,
        minutes=MINUTES_PER_TURN,
        lines=LINES,
        sayings=SAYINGS,
        untold=UNTOLD,
        results={"passes": "good", "fails": "not good enough"},
        figures={"card_drawn": _side, "card": _card},
        compared=frozenset({"roll_off"}),
        follows=FOLLOWS,
        moods=("in good order", "disordered", "routed", "gone"),
        base=partial(base_of, options=scale.options_resolve({})),
        pieces=partial(table_of, scale=scale),
        unit_of=unit_id,
    )
