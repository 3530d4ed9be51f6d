"""The words in which battles of these rules are told: kinds of our own, and what we call otherwise."""

from functools import partial

from battles.rulesets.volley_bayonet.deck import BY_NUMBER
from battles.rulesets.volley_bayonet.scales import Scale
from battles.rulesets.volley_bayonet.table import base_of, table_of, unit_id
from battles.rulesets.volley_bayonet.tables import MINUTES_PER_TURN
from battles.scenario import BattleFile
from battles.telling import Telling

STEPS = {
    "-": "before any move",
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
    "fence_die": "{a} cross a fence as they charge, in order below {n}",
    "morale_check": "{a} check their morale, {n} or less holds",
    "shaken": "{a} fall into disorder",
    "routs": "{a} rout",
    "rout_move": "{a} run {n} inches",
    "rout_test": "{a} are rallied",
    "breakthrough": "{a} break through to {t}",
    "charge": "{a} charge {t}",
    "fire": "{a} fire at {t}",
    "hit_die": "{a} against {t}, {n} or more hits",
    "save_die": "{a} save on {n} or more",
    "melee_roll": "{a} fight {t} hand to hand",
    "melee_draw": "{a} and {t} are even",
    "melee_lost": "{a} lose to {t} hand to hand",
    "melee_routed": "{a} are broken by {t} hand to hand",
    "roll_off": "the melee is level, and attacker and defender roll off",
    "exhausted": "the brigade of {a} is exhausted",
    "collapse_die": "the brigade of {a} rolls against collapse, {n} or less collapses",
    "collapses": "the brigade of {a} collapses",
    "card_drawn": "{n} draw a card",
    "card": "the card {n} is played{on}",
    "card_die": "a die for a card{on}",
    "general_captured": "{t} is taken",
    "general_die": "{t} is under fire, {n} or more fells him",
}
SAYINGS = {
    "shaken": {"": "{a} fell into disorder"},
    "routs": {"": "{a} broke and ran"},
    "breakthrough": {"": "{a} broke through to {t}"},
    "melee_draw": {"": "{a} fought {t} hand to hand, and neither gave way"},
    "melee_lost": {"": "{a} were worsted by {t} hand to hand and fell back in disorder"},
    "melee_routed": {"": "{a} were broken by {t} hand to hand and ran"},
    "exhausted": {"": "the brigade of {a} had little more to give"},
    "collapses": {"": "the brigade of {a} gave way altogether"},
    "marches_off": {"": "{a} marched off the field"},
    "piece_lost": {"": "{a} had part of their line destroyed"},
    "general_captured": {"": "{t} was made prisoner"},
    "general_die": {"fails": "{t} fell"},
}
#: Dice beneath the volley or the fight they belong to.
BRIEF = {"hit_die": "{n} or more hits"}
UNTOLD = frozenset(
    {
        "recovers", "marsh_die", "fence_die", "morale_check", "hit_die", "save_die", "roll_off",
        "collapse_die", "card_drawn", "card", "card_die",
    }
)  # fmt: skip
#: Kinds that say less than another of the same unit in the same turn.
IMPLIED = {
    "charge": "breakthrough",
    "routs": "melee_routed",
    "shaken": "melee_lost",
    "exhausted": "collapses",
}
#: What came of a die, by kind and result.
RESULTS = {
    "": {"passes": "good", "fails": "not good enough"},
    "fence_die": {"passes": "they keep their order", "fails": "they lose their order"},
    "morale_check": {"passes": "they stand", "fails": "they fail"},
    "rout_test": {"rallied": ""},
    "fire": {"hit": "", "miss": ""},
    "collapse_die": {"passes": "they collapse", "fails": "they hold together"},
    "general_die": {"passes": "he is unhurt", "fails": "he falls"},
}
#: Kinds that belong to the act before them: fire is answered, a melee supported.
FOLLOWS = frozenset(
    {
        "fire", "hit_die", "save_die", "retire", "marsh_die", "fence_die", "roll_off", "occupy",
        "breakthrough", "card_die", "exhausted", "collapse_die", "collapses",
    }
)  # fmt: skip
JOINT = {"morale_check": "Tests of morale", "card_drawn": "Cards are drawn"}
BY_ROLLS = frozenset(
    {"shaken", "routs", "melee_draw", "melee_lost", "melee_routed", "exhausted", "collapses", "card"}
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
        implied=IMPLIED,
        wavers=frozenset({"shaken", "routs", "eliminated"}),
        stopped="lost heart before they closed with {t}",
        brief=BRIEF,
        results=RESULTS,
        figures={"card_drawn": _side, "card": _card},
        compared=frozenset({"roll_off"}),
        needed=frozenset({"morale_check"}),
        each={"hit_die": "hit", "save_die": "save"},
        by_rolls=BY_ROLLS,
        follows=FOLLOWS,
        joint=JOINT,
        moods=("in good order", "disordered", "routed", "gone"),
        base=partial(base_of, options=scale.options_resolve({})),
        piece="stand",
        pieces=partial(table_of, scale=scale),
        unit_of=unit_id,
    )
