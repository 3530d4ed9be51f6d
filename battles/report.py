"""Events of a battle as an account an officer could have written, and a summary of its result."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from battles.engine.events import Event
from battles.engine.fighting import FightResult
from battles.scenario import BattleFile, UnitOutcome

#: Kinds that a reader of the day hears of; marching, turning and missing are left out.
TOLD = frozenset(
    {
        "arrives", "shaken_test", "rout_test", "surrender_test", "eliminated", "left_table",
        "gun_captured", "wagon_captured", "fire", "fire_at_second_charge", "shaken", "routed_by_fire",
        "charge", "charge_test",
        "counter_charge", "evade", "melee_draw", "melee_lost", "melee_routed", "melee_repulsed",
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
    sentences: list[str] = field(default_factory=list)


def _joined(names: Iterable[str]) -> str:
    """Names as a list in a sentence, each once."""
    once = list(dict.fromkeys(names))
    if len(once) < 2:
        return "".join(once)
    return f"{', '.join(once[:-1])} and {once[-1]}"


def _number(count: int, noun: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    figure = words[count] if count < len(words) else str(count)
    return f"{figure} {noun}{'' if count == 1 else 's'}"


class _Narrator:
    """Turns events into sentences; holds the names of units and sides."""

    def __init__(self, battle: BattleFile) -> None:
        self.battle = battle
        self.names = {unit.id: unit.name for unit in battle.units}
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
        }

    def name(self, unit: str) -> str:
        return self.names.get(unit, unit)

    def sentence(self, event: Event) -> str:
        teller = self.tellers.get(event.kind)
        if teller is None:
            return ""
        said = teller(event, self.name(event.actor), self.name(event.target))
        return said[:1].upper() + said[1:]

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


def _gather(events: Sequence[Event], narrator: _Narrator) -> dict[tuple[int, str], _Turn]:
    turns: dict[tuple[int, str], _Turn] = {}
    for event in events:
        if event.kind not in TOLD:
            continue
        turn = turns.setdefault((event.turn, event.side), _Turn())
        if event.kind in ("fire", "fire_at_second_charge"):
            turn.shots[event.target].append(narrator.name(event.actor))
            turn.hits[event.target] += event.result == "hit"
        elif event.kind == "shaken":
            turn.shaken.append(narrator.name(event.actor))
        elif said := narrator.sentence(event):
            turn.sentences.append(said)
    return turns


def _paragraph(number: int, side: str, turn: _Turn, narrator: _Narrator) -> str:
    said = []
    telling = [target for target in turn.shots if turn.hits[target]]
    for target in telling:
        fired = _joined(turn.shots[target])
        said.append(f"The fire of {fired} told upon {narrator.name(target)}.")
    idle = sum(len(turn.shots[target]) for target in turn.shots if not turn.hits[target])
    if idle and not telling:
        said.append(f"{_number(idle, 'discharge').capitalize()} did no harm.")
    if turn.shaken:
        said.append(f"{_joined(turn.shaken)[:1].upper()}{_joined(turn.shaken)[1:]} wavered.")
    said += turn.sentences
    if not said:
        return ""
    return f"{_clock(number)}, {narrator.battle.side_name(side)} moving: {' '.join(said)}"


def _clock(turn: int) -> str:
    """Time since the first move, at ten minutes a game turn (AWI-T-SCA-02)."""
    hours, minutes = divmod((turn - 1) * 10, 60)
    return f"{hours} h {minutes:02d}"


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
    return (
        f"{battle.title}. {_force(battle, battle.attacker)} came on; "
        f"{_force(battle, battle.defender)} stood {shelter}."
    )


def _force(battle: BattleFile, side: str) -> str:
    own = [unit for unit in battle.units if unit.side == side]
    sp = sum(unit.sp for unit in own)
    return (
        f"{battle.side_name(side)} with {_number(len(own), 'unit')} of {_number(sp, 'strength point')} in all"
    )


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
        reason = f"{_joined(map(battle.side_name, beaten))} had lost too many to stand, and drew off."
    hours, minutes = divmod(outcome.turns * 10, 60)
    return (
        f"{reason}{' ' if reason else ''}{held} after {hours} h {minutes:02d} of fighting. "
        f"{_toll(battle, outcome.units, battle.attacker)}; {_toll(battle, outcome.units, battle.defender)}."
    )
