"""The words in which battles of these rules are told: kinds of our own, and what we call otherwise."""

from functools import partial

from battles.engine.chain import crown_of
from battles.engine.events import BattleEvent
from battles.files.schema import BattleFile
from battles.replay.event_text import Telling
from battles.replay.words import format_count, format_possessive, is_plural
from battles.rulesets.volley_bayonet.deck import BY_NUMBER, CARDS, CROWN, NEUTRAL
from battles.rulesets.volley_bayonet.explaining import BY_OTHERS, COLLAPSE, COMRADES, FRIENDS, explain_events
from battles.rulesets.volley_bayonet.positions import (
    bases_of,
    build_table_file,
    find_base_size,
    is_half,
    unit_id,
    unit_name,
)
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.tables import MINUTES_PER_TURN

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
    "exhausted": "{n} is exhausted",
    "collapse_die": "{n}",
    "collapses": "{n} collapses",
    "gun_captured": "the guns left behind by {a} are taken",
    "card_drawn": "{n}",
    "card": "{n} is played{on}",
    "card_die": "a die for the card{on}",
    "general_captured": "{t} is taken",
    "general_die": "{t} is under fire, {n} or more fells him",
    "burning_die": "the houses of {a} may catch fire, {n} or more and they burn",
    "fire_out_die": "houses burn, {n} or more and the fire is out",
    "breaks_up": "{a} break up into detachments",
    "detaches": "{a} part from {t}",
    "joins": "{a} join {t}",
    "forms_stand": "{a} form a stand again",
    "skirmishes": "{a} take skirmish order",
    "closes_up": "{a} form up from skirmish order",
    "mounts": "{a} mount",
    "dismounts": "{a} dismount",
    "driven_back": "{a} are driven back ahead of {t}",
    "charge_halts": "{a} halt half way",
    "forms_to_fight": "{a} form to fight hand to hand",
}
#: Cards that help the unit they are played on; the others are played on the enemy's.
HELPS = frozenset({12, 14, 18, 23, 24, 25, 26, 29, 30, 31, 43, 44, 45, 47})
SAYINGS = {
    "shaken": {
        "": "{a} fell into disorder",
        "marsh": "{a} fell into disorder in the marsh",
        "fence": "{a} fell into disorder at the fence they had come over",
        "breakthrough": "{a} fell into disorder as they broke through",
        "check": "{a} lost heart and fell into disorder",
        "melee": "{a} fell back in disorder, worsted hand to hand",
        "building": "{a} fell into disorder among the houses",
        "ground": "{a} fell into disorder on the ground they had won",
        FRIENDS: "{a} fell into disorder as {t} came back through them",
        COMRADES: "{a} fell into disorder as part of them came back through the rest",
        COLLAPSE: "{a} fell into disorder as their brigade gave way",
    },
    "driven_back": {"": "{a} were driven back by {t}, who came back upon them"},
    "charge_halts": {"": "{a} would not charge home"},
    "routs": {"": "{a} broke and ran"},
    "breakthrough": {"": "{a} broke through to {t}"},
    "melee_draw": {"": "{a} fought {t} hand to hand, and neither gave way"},
    "melee_lost": {"": "{a} were worsted by {t} hand to hand and fell back in disorder"},
    "melee_routed": {"": "{a} were broken by {t} hand to hand and ran"},
    "exhausted": {"": "{n} had little more to give"},
    "collapses": {"": "{n} gave way altogether"},
    "marches_off": {"": "{a} marched off the field"},
    "gun_captured": {"": "the guns of {a} were taken where they had been left", "named": "{a} were taken"},
    "breaks_up": {"": "{a} broke up into detachments"},
    "forms_stand": {"": "{a} formed up again"},
    "mounts": {"": "{a} mounted"},
    "dismounts": {"": "{a} dismounted"},
    "piece_lost": {"": "{a} had part of their line destroyed"},
    "general_captured": {"": "{t} was made prisoner"},
    "general_die": {"fails": "{t} fell"},
    "burning_die": {"passes": "the houses of {a} caught fire"},
    "card": {
        str(card.number): f"{{a}} had {{n}} played {'for' if card.number in HELPS else 'against'} them"
        for card in CARDS
    }
    | {
        "16": "{n} was played",
        "29": "{a} had {n} played for them and recovered their order",
        "30": "{a} had {n} played for them and recovered their order",
        "46": "{n} was played, and a stream had marshy banks",
    },
    "card_die": {
        "officers": "{a} lost officers",
        "no_officer": "{a} lost no officer by it",
        "missed": "the sharpshooters missed",
        "unhorsed": "a commander had his horse shot under him",
        "struck": "a commander was hit",
        "slower": "{a} were held up by bad going",
        "faster": "{a} came on faster than they might have",
    },
}
#: Dice beneath the volley or the fight they belong to.
BRIEF = {"hit_die": "{n} or more hits", "card_die": "a die for it"}
UNTOLD = frozenset(
    {
        "recovers", "marsh_die", "fence_die", "morale_check", "hit_die", "save_die", "roll_off",
        "collapse_die", "card_drawn", "fire_out_die", "detaches", "joins", "skirmishes", "closes_up",
        "forms_to_fight",
    }
)  # fmt: skip
#: Kinds that say less than another of the same unit in the same turn.
IMPLIED = {
    "charge": "breakthrough",
    "routs": "melee_routed",
    "shaken": "melee_lost",
    "exhausted": "collapses",
}
_AGAIN = "dice of theirs that missed are rolled again"
_SAVED = "each hit of theirs has one save more"
_STEEL = "1 is added to their dice of morale in this step"
_CALM = "1 is taken from their dice of morale until the turn ends"
_SECOND = "they roll failed checks of this step again"
_RALLY = "their routed stands rally"
_CHECK = "they check their morale, 1 added to the die"
_ORDER = "they recover their order"
_KNOWN = "bad ground does not slow their foot this turn"
#: What cards do to whom they are played on; of those not here their die tells it.
EFFECTS = {
    "12": _AGAIN, "13": _SAVED, "14": _AGAIN, "15": _SAVED,
    "21": _STEEL, "22": _STEEL, "32": _STEEL, "42": _STEEL, "48": _STEEL, "49": _STEEL,
    "23": _SECOND, "44": _SECOND, "24": _RALLY, "43": _RALLY, "25": _CALM, "26": _CALM, "45": _CALM,
    "27": _CHECK, "28": _CHECK, "29": _ORDER, "30": _ORDER, "31": _KNOWN, "47": _KNOWN,
    "46": "twelve inches of a stream have marshy banks for the Crown",
}  # fmt: skip
#: What came of a die, by kind and result.
RESULTS = {
    "": {"passes": "good", "fails": "not good enough"},
    "fence_die": {"passes": "they keep their order", "fails": "they lose their order"},
    "morale_check": {"passes": "they stand", "fails": "they fail"},
    "rout_test": {"rallied": ""},
    "fire": {"hit": "", "miss": ""},
    "collapse_die": {"passes": "they collapse", "fails": "they hold together"},
    "general_die": {"passes": "he is unhurt", "fails": "he falls"},
    "burning_die": {"passes": "they burn", "fails": "they do not"},
    "fire_out_die": {"passes": "it is out", "fails": "it burns on"},
    "shaken": {
        "marsh": "the marsh breaks their order",
        "fence": "the fence breaks their order",
        "breakthrough": "the breakthrough costs them their order",
        "check": "they have failed their check",
        "melee": "they have lost hand to hand",
        "building": "houses break their order",
        "ground": "the ground they have won breaks their order",
        FRIENDS: "friends have come back through them",
        COMRADES: "others of their unit have come back through them",
        COLLAPSE: "their brigade has collapsed",
    },
    "card": EFFECTS,
    "card_die": {
        "officers": "officers fall, and they check their morale at 1 less",
        "no_officer": "no officer falls",
        "missed": "the commander aimed at is unhurt",
        "unhorsed": "his horse is shot, and he is out of command for one turn",
        "struck": "he is hit",
        "out": "turns he is out of command: {n}",
        "slower": "inches off their move this turn: {n}",
        "faster": "inches added to their move this turn: {n}",
    },
}
#: Kinds that belong to the act before them: fire is answered, a melee supported.
FOLLOWS = frozenset(
    {
        "fire", "hit_die", "save_die", "retire", "marsh_die", "fence_die", "roll_off", "occupy",
        "breakthrough", "driven_back", "charge_halts", "card_die", "exhausted", "collapse_die",
        "collapses", "burning_die",
    }
)  # fmt: skip
#: What a card may do at once to those it is played on.
BROUGHT = frozenset(
    {
        "card_die", "morale_check", "shaken", "recovers", "routs", "sp_lost", "eliminated", "rout_move",
        "rout_test",
    }
)  # fmt: skip
JOINT = {"morale_check": "Tests of morale", "card_drawn": "Cards are drawn"}
BY_ROLLS = frozenset(
    {"shaken", "routs", "melee_draw", "melee_lost", "melee_routed", "exhausted", "collapses", "card"}
)


def _describe_draw(battle: BattleFile, event: BattleEvent) -> str:
    """The words for a draw: the side, and how many cards."""
    side = battle.side_name((battle.attacker, battle.defender)[event.total])
    return f"{side} draw{'' if is_plural(side) else 's'} {format_count(event.modifier + 1, 'card')}"


def _describe_card(battle: BattleFile, event: BattleEvent) -> str:
    """The words for a card: its side and its title."""
    side, title = _find_card_player(battle, event), f"card “{BY_NUMBER[event.total].title}”"
    return f"{format_possessive(battle.side_name(side))} {title}" if side else f"the {title}"


def _find_card_player(battle: BattleFile, event: BattleEvent) -> str:
    """The side that plays a card: its own, or by whom the card helps; "" for who shoots at a commander."""
    crown = crown_of(battle)
    rebels = battle.defender if crown == battle.attacker else battle.attacker
    kind = BY_NUMBER[event.total].kind
    if kind != NEUTRAL:
        return crown if kind == CROWN else rebels
    sides = {unit_id(unit.id): unit.side for unit in battle.units}
    own = sides.get(unit_id(event.actor), "")
    if not own or event.total in HELPS:
        return own
    return rebels if own == crown else crown


def _describe_brigade(battle: BattleFile, event: BattleEvent) -> str:
    """A brigade by the brigadier its event names, or by the unit that stands for it where none is known."""
    for leader in battle.leaders:
        if leader.id == event.target:
            return f"{format_possessive(leader.name)} brigade"
    unit = unit_id(event.actor)
    for one in battle.units:
        if unit_id(one.id) == unit:
            return f"the brigade of {one.name if one.id == unit else unit_name(one)}"
    return "a brigade"


def _describe_collapse_roll(battle: BattleFile, event: BattleEvent) -> str:
    """The words for a brigade's roll against collapse."""
    return f"{_describe_brigade(battle, event)} rolls against collapse, {event.total} or less collapses"


def telling_of(scale: RulesetScale) -> Telling:
    """The event words of a scale: a turn is a quarter of an hour (VBW-GEN-03), a piece a stand."""
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
        figures={
            "card_drawn": _describe_draw,
            "card": _describe_card,
            "exhausted": _describe_brigade,
            "collapse_die": _describe_collapse_roll,
            "collapses": _describe_brigade,
        },
        compared=frozenset({"roll_off"}),
        needed=frozenset({"morale_check"}),
        each={"hit_die": "hit", "save_die": "save"},
        by_rolls=BY_ROLLS,
        times=frozenset({"card_drawn"}),
        explained=partial(explain_events, scale=scale),
        by_others=BY_OTHERS,
        whole=frozenset({"card", "card_die", "exhausted", "collapse_die", "collapses"}),
        follows=FOLLOWS,
        brings={"card": BROUGHT},
        joint=JOINT,
        on_march=frozenset({"shaken"}),
        moods=("in good order", "disordered", "routed", "gone"),
        base=partial(find_base_size, options=scale.options_resolve({})),
        bases=partial(bases_of, options=scale.options_resolve({})),
        piece="stand",
        pieces=partial(build_table_file, scale=scale),
        unit_of=unit_id,
        is_spare=is_half,
    )
