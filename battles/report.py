"""Events of a battle as an account an officer could have written, and a summary of its result."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from battles.engine.events import Event
from battles.engine.fighting import FightResult
from battles.scenario import BattleFile, UnitOutcome
from battles.wording import Names, capital, clock, counted, ground_told, joined

#: Kinds that a reader of the day hears of.
TOLD = frozenset(
    {
        "arrives", "shaken_test", "rout_test", "surrender_test", "eliminated", "left_table",
        "gun_captured", "wagon_captured", "fire", "fire_at_second_charge", "shaken", "routed_by_fire",
        "charge", "charge_test",
        "counter_charge", "evade", "melee_draw", "melee_lost", "melee_routed", "melee_repulsed",
        "enters_building", "leaves_building",
        "general_under_fire", "general_in_melee", "general_captured", "chain_shaken",
        "general_driven_off", "general_leaves",
        "lays_charge", "explosion", "blast",
    }
)  # fmt: skip
#: Kinds an account leaves out: marching, turning, single dice, and what another kind tells already.
UNTOLD = frozenset(
    {
        "first_move", "rout_move", "retire", "sp_lost", "move", "fall_back", "turn", "wheel",
        "change_formation", "limber", "deploy", "recrew", "change_facing", "shot_wasted", "routs",
        "routs_again", "contact", "occupy", "melee_roll", "melee_retire", "marches_off", "battle_ends",
        "turn_refused", "effectiveness", "crossing", "general_joins", "general_moves",
        "builds", "dismantles", "digging_lost", "blast_dice",
    }
)  # fmt: skip

ENDINGS = {
    "day_over": "Night put an end to the fighting.",
    "nothing_left": "There was nothing left in the field to oppose.",
    "broken": "",
    "no_contact": "The firing died away, and neither side came on again.",
}


@dataclass(slots=True)
class _Turn:
    """What happened in one player turn, gathered so that a paragraph can be made of it."""

    shots: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    hits: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    shaken: list[str] = field(default_factory=list)
    chains: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sentences: list[str] = field(default_factory=list)


class _Narrator:
    """Turns events into sentences."""

    def __init__(self, battle: BattleFile) -> None:
        self.battle = battle
        self.names = Names(battle)
        self.tellers: dict[str, Callable[[Event, str, str], str]] = {
            "arrives": lambda e, a, t: f"{a} came up and entered the field.",
            "shaken_test": self._shaken_test,
            "rout_test": self._rout_test,
            "surrender_test": self._surrender_test,
            "eliminated": lambda e, a, t: f"{a} ceased to exist as a body.",
            "left_table": lambda e, a, t: f"{a} left the field.",
            "gun_captured": lambda e, a, t: f"{t or 'The victors'} took the guns of {a}.",
            "wagon_captured": lambda e, a, t: f"{t or 'The victors'} took {a}.",
            "routed_by_fire": lambda e, a, t: f"{a} gave way under the fire and ran.",
            "charge": self._charge,
            "charge_test": self._charge_test,
            "counter_charge": lambda e, a, t: f"{a} went forward to meet {t}.",
            "evade": lambda e, a, t: f"{a} slipped away before {t}.",
            "melee_draw": lambda e, a, t: f"{a} and {t} fought hand to hand until both drew off.",
            "melee_lost": lambda e, a, t: f"{a} were worsted by {t} and fell back shaken.",
            "melee_routed": lambda e, a, t: f"{a} were broken by {t} hand to hand.",
            "melee_repulsed": lambda e, a, t: f"{t} flung {a} back with loss.",
            "enters_building": lambda e, a, t: f"{a} threw themselves into {t}.",
            "leaves_building": lambda e, a, t: f"{a} quitted {t}.",
            "general_under_fire": self._general_hit,
            "general_in_melee": self._general_hit,
            "general_captured": lambda e, a, t: f"{t} was taken with {a}.",
            "general_driven_off": lambda e, a, t: f"{t} had to seek safety among {a}.",
            "general_leaves": lambda e, a, t: f"{t} was carried from the field with {a}.",
            "lays_charge": lambda e, a, t: f"{a} laid powder under {t}.",
            "explosion": self._explosion,
            "blast": lambda e, a, t: f"{a} were caught by the blast.",
            "structure_hit": lambda e, a, t: f"The guns beat down part of {t}.",
            "structure_falls": lambda e, a, t: f"{t} was shot to pieces.",
        }

    def sentence(self, event: Event) -> str:
        teller = self.tellers.get(event.kind)
        if teller is None:
            return ""
        return capital(teller(event, self.names.actor(event), self.names.target(event)))

    def _shaken_test(self, event: Event, actor: str, target: str) -> str:
        if event.result == "retire":
            return f"{actor} drew back to recover their order."
        return f"{actor} broke and ran." if event.result == "rout" else ""

    def _rout_test(self, event: Event, actor: str, target: str) -> str:
        return f"{actor} were rallied." if event.result == "rallied" else ""

    def _surrender_test(self, event: Event, actor: str, target: str) -> str:
        return f"{actor} laid down their arms." if event.result == "surrendered" else ""

    def _charge(self, event: Event, actor: str, target: str) -> str:
        where = {1: " in flank", 2: " in rear"}.get(event.modifier, "")
        return f"{actor} charged {target}{where}."

    def _charge_test(self, event: Event, actor: str, target: str) -> str:
        return f"{actor} did not await them, but broke." if event.result == "rout" else ""

    def _general_hit(self, event: Event, actor: str, target: str) -> str:
        fate = {
            "wounded": f"was wounded at the head of {actor}",
            "disabled": "was hit a second time and led from the field",
            "killed": f"fell at the head of {actor}",
            "captured": f"was taken in the press with {actor}",
        }.get(event.result)
        return f"{target} {fate}." if fate else ""

    def _explosion(self, event: Event, actor: str, target: str) -> str:
        return f"{target} {'did not yield to the charges' if event.result == 'miss' else 'was blown up'}."


def _gather(events: Sequence[Event], narrator: _Narrator) -> dict[tuple[int, str], _Turn]:
    turns: dict[tuple[int, str], _Turn] = {}
    for event in events:
        if event.kind not in TOLD:
            continue
        turn = turns.setdefault((event.turn, event.side), _Turn())
        if event.kind in ("fire", "fire_at_second_charge"):
            turn.shots[event.target].append(narrator.names.actor(event))
            turn.hits[event.target] += event.result == "hit"
        elif event.kind == "shaken":
            turn.shaken.append(narrator.names.actor(event))
        elif event.kind == "chain_shaken":
            turn.chains[narrator.names.target(event)].append(narrator.names.actor(event))
        elif (said := narrator.sentence(event)) and said not in turn.sentences:
            turn.sentences.append(said)
    return turns


def _paragraph(number: int, side: str, turn: _Turn, narrator: _Narrator) -> str:
    said = []
    telling = [target for target in turn.shots if turn.hits[target]]
    for target in telling:
        fired = joined(turn.shots[target])
        said.append(f"The fire of {fired} told upon {narrator.names.unit(target)}.")
    idle = sum(len(turn.shots[target]) for target in turn.shots if not turn.hits[target])
    if idle and not telling:
        said.append(f"{capital(counted(idle, 'discharge'))} did no harm.")
    if turn.shaken:
        said.append(f"{capital(joined(turn.shaken))} wavered.")
    said += turn.sentences
    said += [f"{capital(fallen)}'s loss shook {joined(units)}." for fallen, units in turn.chains.items()]
    if not said:
        return ""
    return f"{clock(number)}, {narrator.battle.side_name(side)} moving: {' '.join(said)}"


def account(battle: BattleFile, result: FightResult) -> list[str]:
    """The battle told in paragraphs: how they stood, each turn in which something fell out, the end."""
    narrator = _Narrator(battle)
    paragraphs = [_opening(battle)]
    for (number, side), turn in _gather(result.events, narrator).items():
        if text := _paragraph(number, side, turn, narrator):
            paragraphs.append(text)
    paragraphs.append(summary(battle, result))
    return paragraphs


def _opening(battle: BattleFile) -> str:
    shelter = {
        "none": "in the open",
        "soft": "behind fences",
        "hard": "behind breastworks",
        "fortified": "in fortified lines",
    }[battle.cover]
    said = (
        f"{battle.title}. {capital(_force(battle, battle.attacker))} came on; "
        f"{_force(battle, battle.defender)} stood {shelter}."
    )
    return f"{said} {ground_told(battle.ground)}".strip()


def _force(battle: BattleFile, side: str) -> str:
    own = [unit for unit in battle.units if unit.side == side]
    if not own:
        return f"no troops of {battle.side_name(side)}"
    sp = sum(unit.sp for unit in own)
    strength = f"{counted(len(own), 'unit')} of {counted(sp, 'strength point')} in all"
    return f"{battle.side_name(side)} with {strength}{_under(battle, side)}"


def _under(battle: BattleFile, side: str) -> str:
    """Who commands a side: the highest general it has."""
    own = [leader for leader in battle.leaders if leader.side == side]
    ranks = ("commander_in_chief", "senior", "brigadier")
    chief = min(own, key=lambda leader: ranks.index(leader.rank), default=None)
    return f", under {chief.name}," if chief else ""


def _toll(battle: BattleFile, outcomes: Sequence[UnitOutcome], side: str) -> str:
    own = {unit.id for unit in battle.units if unit.side == side}
    lost = sum(unit.sp_lost for unit in outcomes if unit.id in own)
    taken = sum(unit.sp_captured for unit in outcomes if unit.id in own)
    start = sum(unit.sp_start for unit in outcomes if unit.id in own)
    captured = f" and {taken} captured" if taken else ""
    return f"{battle.side_name(side)} lost {lost} of {start} strength points{captured}"


def summary(battle: BattleFile, result: FightResult) -> str:
    """Who holds the field and what it cost, in two sentences."""
    outcome = result.outcome
    if outcome.field_held_by:
        held = f"{battle.side_name(outcome.field_held_by)} held the field"
    else:
        held = "Neither side held the field"
    last = result.events[-1].result if result.events else ""
    reason = ENDINGS.get(last, "")
    if last == "broken":
        beaten = [side for side in (battle.attacker, battle.defender) if side != outcome.field_held_by]
        reason = f"{joined(map(battle.side_name, beaten))} had lost too many to stand, and drew off."
    hours, minutes = divmod(outcome.turns * 10, 60)
    tolls = [_toll(battle, outcome.units, side) for side in (battle.attacker, battle.defender)]
    return (
        f"{capital(reason)}{' ' if reason else ''}{capital(held)} after {hours} h {minutes:02d} of fighting. "
        f"{capital('; '.join(tolls))}."
        f"{_generals(battle, result)}{_ruins(battle, result)}"
    )


def _generals(battle: BattleFile, result: FightResult) -> str:
    """What became of the generals who came to harm, as sentences after the toll."""
    fates = {
        "wounded": "was wounded",
        "disabled": "was disabled by wounds",
        "killed": "was killed",
        "captured": "was made prisoner",
    }
    names = Names(battle)
    told = [
        f"{capital(names.general(one.id))} {fates[one.fate]}."
        for one in result.outcome.generals
        if one.fate in fates
    ]
    return "".join(f" {sentence}" for sentence in told)


def _ruins(battle: BattleFile, result: FightResult) -> str:
    names = Names(battle)
    fallen = [names.structure(one.id) for one in result.outcome.structures if one.sp == 0 < one.sp_start]
    if not fallen:
        return ""
    return f" {capital(joined(fallen))} {'was' if len(set(fallen)) == 1 else 'were'} destroyed."
