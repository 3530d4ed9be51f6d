"""A replay made ready to be shown: frames with sentences, dice and what changes on the table, as JSON.

Units and generals are numbered; no id of a campaign is in it. What a side did not see is not in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from battles.engine.events import GENERAL_KINDS, STRUCTURE_KINDS, BattleEvent
from battles.replay.event_text import Telling
from battles.replay.replay import Replay
from battles.replay.rolls import describe_event, describe_result, find_dice_total, telling_of
from battles.replay.sight import known_to, redact_event
from battles.replay.state import BattleBoard, BoardPiece
from battles.replay.words import BattleNames, capitalize_first, format_count
from rosters.domain.vocabulary import TYPES, Arm, TroopType

FORMS = ("line", "column", "limbered", "deployed", "half", "skirmish", "mounted")
MOODS = ("steady", "shaken", "routing", "gone")
#: What is shown instead of a mood of who is part of another stand now.
AWAY = len(MOODS)

#: Kinds that are only marching and turning: those of one step are shown together.
MARCHES = frozenset(
    {
        "move", "fall_back", "turn", "wheel", "change_formation", "limber", "deploy", "recrew",
        "change_facing", "crossing", "by_flank", "hauled", "breaks_up", "detaches", "joins", "forms_stand",
        "skirmishes", "closes_up", "mounts", "dismounts", "general_joins", "general_moves", "marches_off",
        "turn_refused",
    }
)  # fmt: skip
#: Kinds that follow from what was just done to a unit, and are shown with it.
FOLLOWS = frozenset(
    {
        "sp_lost", "shaken", "eliminated", "routed_by_fire", "chain_shaken", "left_table",
        "general_under_fire", "general_in_melee", "general_captured", "general_driven_off",
        "general_leaves", "rout_move", "routs", "routs_again", "surrender_test", "turn", "gun_captured",
        "wagon_captured", "melee_roll", "melee_draw", "melee_lost", "melee_routed", "melee_repulsed",
        "melee_retire", "structure_hit", "structure_falls", "shot_wasted",
    }
)  # fmt: skip


@dataclass(slots=True)
class ReplayLine:
    """One event in words: what happened, the dice with modifier and total, what came of it, the rule."""

    kind: str
    actor: int
    target: int
    words: str
    dice: tuple[int, ...]
    modifier: int
    total: int
    result: str
    rule: str
    changes: list[list[Any]] = field(default_factory=list)
    riders: list[list[Any]] = field(default_factory=list)
    single: bool = False

    @property
    def sums(self) -> bool:
        """True when the total says more than one die does, and the dice are added up."""
        return bool(self.dice) and (bool(self.modifier) or len(self.dice) > 1) and not self.single

    @property
    def signed_modifier(self) -> str:
        return f"{self.modifier:+d}"


@dataclass(slots=True)
class ReplayFrame:
    """One frame of a replay: an act with what follows from it, or a side's marches of one step."""

    turn: int
    side: int
    step: str
    lines: list[ReplayLine]
    telling: Telling
    words: str = ""

    @property
    def clock(self) -> str:
        return self.telling.clock(self.turn)

    @property
    def step_name(self) -> str:
        return self.telling.steps.get(self.step, "")


@dataclass(frozen=True, slots=True)
class Show:
    """A replay for one reader. `units` and `generals` are as they first stand, numbered."""

    title: str
    sides: tuple[str, str]
    table: tuple[float, float]
    units: tuple[dict[str, Any], ...]
    generals: tuple[dict[str, Any], ...]
    frames: tuple[ReplayFrame, ...]
    turns: int
    telling: Telling


def build_show(replay: Replay, side: str = "", seen: Mapping[str, int] | None = None) -> Show:
    """The replay for a side that saw the enemies in `seen`, each from that event on; or for all."""
    return _ShowBuilder(replay, side, seen or {}).build()


def _find_arm_sign(troop_type: TroopType) -> str:
    """Foot, horse, guns or wagons: what a sign on the table shows."""
    if TYPES[troop_type].arm is Arm.MOUNTED:
        return "horse"
    if TYPES[troop_type].arm is Arm.WHEELED:
        return "wagons" if troop_type is TroopType.WAGON else "guns"
    return "foot"


class _ShowBuilder:
    def __init__(self, replay: Replay, side: str, seen: Mapping[str, int]) -> None:
        self.telling = telling_of(replay.battle)
        self.replay, self.battle = replay, replay.table
        battle, self.names = self.battle, BattleNames(self.battle, replay.battle)
        everyone = {unit.id for unit in battle.units} | {leader.id for leader in battle.leaders}
        self.known = known_to(battle, side, seen) if side else everyone
        self.seen = seen if side else {}
        self.sides = (battle.attacker, battle.defender)
        self.board = BattleBoard(battle, replay.standing)
        self.unit_no = {
            one: number for number, one in enumerate(key for key in self.board.units if key in self.known)
        }
        self.general_no = {
            one: number for number, one in enumerate(key for key in self.board.generals if key in self.known)
        }
        self.last: dict[str, tuple[Any, ...]] = {}
        self.marches = MARCHES | self.telling.on_march

    def build(self) -> Show:
        units = tuple(self._unit(key) for key in self.unit_no)
        generals = tuple(self._general(key) for key in self.general_no)
        events = enumerate(self.telling.explained(self.replay.battle, self.replay.events))
        lines = self._merge_lines(line for number, event in events for line in self._lines(number, event))
        return Show(
            title=self.battle.title,
            sides=(self.battle.side_name(self.sides[0]), self.battle.side_name(self.sides[1])),
            table=(self.replay.standing.width, self.replay.standing.depth),
            units=units,
            generals=generals,
            frames=tuple(self._frames(lines)),
            turns=max((event.turn for event in self.replay.events), default=0),
            telling=self.telling,
        )

    def _unit(self, key: str) -> dict[str, Any]:
        unit = next(one for one in self.battle.units if one.id == key)
        facts = {
            "name": unit.name,
            "side": self.sides.index(unit.side),
            "type": unit.troop_type.replace("_", " "),
            "arm": _find_arm_sign(unit.troop_type),
            "sp": self.board.units[key].sp,
        }
        if self.telling.base is not None:
            facts["base"] = list(self.telling.base(unit))
        if bases := self.telling.bases(unit):
            facts["bases"] = {str(FORMS.index(form)): list(base) for form, base in bases.items()}
        if self.seen.get(key, 0) == 0 and self.board.units[key].there:
            facts["at"] = self._state(key)[1:]
        return facts

    def _general(self, key: str) -> dict[str, Any]:
        leader = next(one for one in self.battle.leaders if one.id == key)
        facts: dict[str, Any] = {"name": leader.name, "side": self.sides.index(leader.side)}
        if self.seen.get(key, 0) == 0:
            facts["at"] = self._rider(key)[1:]
        return facts

    def _state(self, key: str) -> list[Any]:
        piece: BoardPiece = self.board.units[key]
        state = [
            self.unit_no[key],
            round(piece.x, 1),
            round(piece.y, 1),
            piece.face,
            FORMS.index(piece.form),
            piece.sp,
            AWAY if piece.joined else MOODS.index(piece.mood),
        ]
        self.last[key] = tuple(state)
        return state

    def _rider(self, key: str) -> list[Any]:
        rider = self.board.generals[key]
        x, y = self.board.place(key)
        with_unit = self.unit_no.get(rider.with_unit, -1)
        state = [self.general_no[key], with_unit, round(x, 1), round(y, 1), int(rider.there)]
        self.last[key] = (with_unit, rider.there, *((0.0, 0.0) if with_unit >= 0 else (x, y)))
        return state

    def _lines(self, number: int, event: BattleEvent) -> Iterable[tuple[BattleEvent, ReplayLine]]:
        """The event's line with what it changes, if the reader saw it."""
        self.board.apply(event)
        cut = redact_event(event, self.known, self.seen, number)
        if cut is None:
            return
        general = cut.kind in GENERAL_KINDS
        target = -1 if general or cut.kind in STRUCTURE_KINDS else self.unit_no.get(cut.target, -1)
        line = ReplayLine(
            kind=cut.kind,
            actor=self.unit_no.get(cut.actor, -1),
            target=target,
            words=self._words(cut),
            dice=cut.dice,
            modifier=cut.modifier if cut.dice else 0,
            total=find_dice_total(cut, self.telling),
            result=describe_result(self.battle, cut),
            rule=cut.rule,
            single=cut.kind in self.telling.compared or cut.kind in self.telling.each,
        )
        appear = [key for key, when in self.seen.items() if when == number and key in self.unit_no]
        for key in dict.fromkeys([cut.actor, *appear]):
            if key in self.unit_no:
                before = self.last.get(key)
                state = self._state(key)
                if tuple(state) != before:
                    line.changes.append(state)
        riders = [key for key, when in self.seen.items() if when == number]
        for key in dict.fromkeys([*riders, *([cut.target] if general else [])]):
            if key in self.general_no:
                line.riders.append(self._rider(key))
        if cut.kind == "battle_ends":
            self._leave_field(line)
        yield cut, line

    def _words(self, event: BattleEvent) -> str:
        return capitalize_first(describe_event(self.battle, self.names, event, briefly=True))

    def _leave_field(self, line: ReplayLine) -> None:
        """Take the beaten off the table with the last event; no event of their own says so."""
        fates = {one.id: one.fate for one in self.replay.outcome.units}
        for key in self.unit_no:
            piece = self.board.units[key]
            if piece.stands and fates.get(self.telling.unit_of(key), "present") != "present":
                piece.mood = "gone"
                line.changes.append(self._state(key))
        present = {
            one.side for one in self.battle.units if fates.get(self.telling.unit_of(one.id)) == "present"
        }
        for key in self.general_no:
            rider = self.board.generals[key]
            if rider.there and not rider.with_unit and rider.side not in present:
                rider.there = False
                line.riders.append(self._rider(key))

    def _merge_lines(
        self, lines: Iterable[tuple[BattleEvent, ReplayLine]]
    ) -> list[tuple[BattleEvent, ReplayLine]]:
        """The lines, those of events that are told together as one."""
        gathered: list[ReplayLine] = []
        told: list[BattleEvent] = []
        for event, line in lines:
            found = self.telling.joins(told, event)
            if found is None:
                gathered.append(line)
                told.append(event)
                continue
            place, both = found
            first, told[place] = gathered[place], both
            first.words, first.dice = self._words(both), both.dice
            first.result = describe_result(self.battle, both)
            first.changes += line.changes
            first.riders += line.riders
        return list(zip(told, gathered, strict=True))

    def _frames(self, lines: Sequence[tuple[BattleEvent, ReplayLine]]) -> Iterable[ReplayFrame]:
        frame: ReplayFrame | None = None
        involved: set[str] = set()
        first: BattleEvent | None = None
        last: BattleEvent | None = None
        for event, line in lines:
            same = last is not None and (last.turn, last.side, last.step) == (
                event.turn,
                event.side,
                event.step,
            )
            marching = last is not None and {event.kind, last.kind} <= self.marches
            follows = event.kind in FOLLOWS or event.kind in self.telling.follows
            follows = follows and (bool({event.actor, event.target} & involved) or not event.actor)
            follows = follows or (first is not None and self._is_caused_by(first, event))
            if frame is not None and same and self._belongs(event, frame, follows=follows, marching=marching):
                frame.lines.append(line)
            else:
                if frame is not None:
                    yield self._add_headline(frame)
                side = self.sides.index(event.side)
                frame, involved = ReplayFrame(event.turn, side, event.step, [line], self.telling), set()
                first = event
            involved |= {event.actor, event.target} - {""}
            last = event
        if frame is not None:
            yield self._add_headline(frame)

    def _is_caused_by(self, first: BattleEvent, event: BattleEvent) -> bool:
        """Whether what a frame begins with brings an event about on the same unit."""
        unit_of = self.telling.unit_of
        same = unit_of(first.actor) == unit_of(event.actor)
        return same and event.kind in self.telling.brings.get(first.kind, ())

    def _belongs(self, event: BattleEvent, frame: ReplayFrame, *, follows: bool, marching: bool) -> bool:
        """True when an event of the same step is shown with a frame."""
        first = frame.lines[0]
        brought = self.telling.brings.get(first.kind)
        if brought is not None:
            return follows and event.kind in brought
        if event.kind == first.kind and event.kind in self.telling.joint:
            return True
        if follows and event.kind == first.kind == "fire":
            # whoever moves fires at another: his target's answer is of the same fight, not his next shot
            active = self.board.units[event.actor].side == event.side
            return not active or self.unit_no.get(event.target, -1) == first.target
        return follows or (marching and first.kind in self.marches)

    def _add_headline(self, frame: ReplayFrame) -> ReplayFrame:
        """A frame with its headline: the act's own, what is shown together, or how many marched."""
        first = frame.lines[0]
        frame.words = first.words
        if sum(line.kind == first.kind for line in frame.lines) > 1 and first.kind in self.telling.joint:
            frame.words = self.telling.joint[first.kind]
        if first.kind in self.marches and any(line.kind in MARCHES for line in frame.lines[1:]):
            units = {line.actor for line in frame.lines if line.actor >= 0}
            side = capitalize_first(self.battle.side_name(self.sides[frame.side]))
            if all(line.kind == "change_facing" for line in frame.lines):
                frame.words = (
                    f"{format_count(len(units), self.telling.piece).capitalize()} turn to face the enemy"
                )
            elif len(units) > 1:
                frame.words = f"{side}: {format_count(len(units), self.telling.piece)} on the move"
        return frame


def show_to_json(shown: Show) -> dict[str, Any]:
    """A show for the page's script; what is empty is left out."""
    return {
        "title": shown.title,
        "sides": list(shown.sides),
        "table": list(shown.table),
        "turns": shown.turns,
        "steps": dict(shown.telling.steps),
        "minutes": shown.telling.minutes,
        "moods": list(shown.telling.moods),
        "units": list(shown.units),
        "generals": list(shown.generals),
        "frames": [
            {
                "t": frame.turn,
                "s": frame.side,
                "p": frame.step,
                "w": frame.words,
                "e": [_line_to_json(line, frame.words) for line in frame.lines],
            }
            for frame in shown.frames
        ],
    }


def _line_to_json(line: ReplayLine, said: str) -> dict[str, Any]:
    told = {
        "k": line.kind,
        "a": line.actor,
        "b": line.target,
        "w": "" if line.words == said else line.words,
        "d": list(line.dice),
        "m": line.modifier if line.sums else 0,
        "n": line.total if line.sums else 0,
        "r": line.result,
        "u": line.rule,
        "c": line.changes,
        "g": line.riders,
    }
    # a unit's number may be 0: only -1 means nobody
    return {key: value for key, value in told.items() if (value != -1 if key in "ab" else value)}
