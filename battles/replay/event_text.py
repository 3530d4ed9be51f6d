"""Words and groups of a ruleset's events, its clock and its pieces. Plain data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from battles.engine.events import BattleEvent
from battles.files.initial_positions import Form
from battles.files.schema import BattleFile, BattleUnit
from battles.replay.words import format_count

#: Game turns of the battle file: minutes of each (AWI-T-SCA-02).
FILE_MINUTES = 10


#: How a figure of an event is told.
Figure = Callable[[BattleFile, BattleEvent], str]


def _format_inches(battle: BattleFile, event: BattleEvent) -> str:
    """Hundredths of an inch as inches."""
    return f"{event.total / 100.0:g}"


#: How the figure of an event is told, by kind; of all others it is its total.
FIGURES: dict[str, Figure] = dict.fromkeys(("rout_move", "retire", "move", "fall_back"), _format_inches)


def _as_it_is(battle: BattleFile) -> BattleFile:
    return battle


def _as_they_are(battle: BattleFile, events: Sequence[BattleEvent]) -> Sequence[BattleEvent]:
    return events


def _keep_id(piece: str) -> str:
    return piece


def _is_never_spare(piece: str) -> bool:
    return False


def _no_bases(unit: BattleUnit) -> Mapping[Form, tuple[float, float]]:
    return {}


@dataclass(frozen=True, slots=True)
class Telling:
    """The words a ruleset adds to those that all share, or says otherwise.

    Of rolls and replays: `steps` of its turn by letter, the `minutes` of a turn, `lines` by kind, `results`
    of dice by kind ("" for any) and result.
    `figures` tell an event's total. Dice of kinds in `compared` are not added up; those of kinds in `each`
    are told together: every one needed the total, and how many were good is counted. The total of kinds in
    `needed` is what was asked of the dice, not what they make. `by_rolls` are kinds without dice that belong
    among rolls. Of kinds in `times` that say the same only one is told, its modifier how often it happened
    besides. `explained` gives the events in the same order with what they tell only beside the others, as
    their result; those in `by_others` are the target's doing, and not told to whom he is unknown. Kinds in
    `whole` happen to a whole unit, though a piece of it is named.

    Of accounts: `sayings` by kind and result, with `untold` for kinds left out. A kind in `implied` says
    nothing where the one beside it has been said of the same unit in the same turn. `stopped` is said of a
    charge that came to nothing after an event of a kind in `wavers`.

    Of replays: `brief` are lines that say less, of kinds that stand beneath what they belong to. `follows`
    are kinds that belong to what was just done, `brings` those alone that a kind brings about, on the same
    unit, `joint` those of which a step's are shown together, with their headline. `moods` are what troops
    are called who are in hand, in disorder, running, and gone. `base` is inches of the file of a piece's
    front and depth, where it is not two bases of 45 mm, `bases` those of the forms it may take besides.
    Kinds `on_march` happen to who marches and are shown with it. `pieces` gives the battle file with a unit
    for each `piece` that moves on its own, `unit_of` the unit of one, `is_spare` which of them are not there
    until they part from another.
    """

    steps: Mapping[str, str]
    minutes: int = FILE_MINUTES
    lines: Mapping[str, str] = field(default_factory=dict)
    sayings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    implied: Mapping[str, str] = field(default_factory=dict)
    stopped: str = "were stopped by the fire of {t}"
    wavers: frozenset[str] = frozenset({"shaken", "eliminated", "routed_by_fire"})
    brief: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    compared: frozenset[str] = frozenset()
    each: Mapping[str, str] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    by_rolls: frozenset[str] = frozenset({"shaken", "routed_by_fire"})
    times: frozenset[str] = frozenset()
    explained: Callable[[BattleFile, Sequence[BattleEvent]], Sequence[BattleEvent]] = _as_they_are
    by_others: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    follows: frozenset[str] = frozenset()
    brings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    joint: Mapping[str, str] = field(default_factory=dict)
    on_march: frozenset[str] = frozenset()
    moods: tuple[str, str, str, str] = ("in good order", "shaken", "routing", "gone")
    base: Callable[[BattleUnit], tuple[float, float]] | None = None
    bases: Callable[[BattleUnit], Mapping[Form, tuple[float, float]]] = _no_bases
    piece: str = "unit"
    pieces: Callable[[BattleFile], BattleFile] = _as_it_is
    unit_of: Callable[[str], str] = _keep_id
    is_spare: Callable[[str], bool] = _is_never_spare

    def clock(self, turn: int) -> str:
        """Time since the first move: 1 h 20."""
        hours, minutes = divmod(max(0, turn - 1) * self.minutes, 60)
        return f"{hours} h {minutes:02d}"

    def turns(self, in_file: int) -> int:
        """Game turns of the rules that so many of the battle file's are, begun ones counted."""
        return -(-in_file * FILE_MINUTES // self.minutes)

    def turn_told(self, in_file: int, *, entered: bool = False) -> str:
        """A turn of the battle file as one of the rules, and, where it is `entered`, with the file's own."""
        told = f"turn {self.turns(in_file)}"
        return f"{told} (turn {in_file} of ten minutes)" if entered and self.minutes != FILE_MINUTES else told

    def figure(self, battle: BattleFile, event: BattleEvent) -> str:
        """The figure of an event in words."""
        told = self.figures.get(event.kind) or FIGURES.get(event.kind)
        return told(battle, event) if told else str(event.total)

    def together(self, before: BattleEvent, event: BattleEvent) -> BattleEvent | None:
        """Two events as one when they are told together; else None."""
        if _build_act_key(before) != _build_act_key(event):
            return None
        if event.kind in self.each:
            return replace(before, dice=before.dice + event.dice)
        return replace(before, modifier=before.modifier + 1) if event.kind in self.times else None

    def joins(self, events: Sequence[BattleEvent], event: BattleEvent) -> tuple[int, BattleEvent] | None:
        """The place of the event among `events` with which one after them is told, and both as one."""
        for place in range(len(events) - 1, -1, -1):
            if both := self.together(events[place], event):
                return place, both
            if event.kind not in self.times or events[place].kind != event.kind:
                break
        return None

    def merge_events(self, events: Iterable[BattleEvent]) -> list[BattleEvent]:
        """The events, those that are told together as one."""
        gathered: list[BattleEvent] = []
        for event in events:
            if found := self.joins(gathered, event):
                gathered[found[0]] = found[1]
            else:
                gathered.append(event)
        return gathered

    def result(self, event: BattleEvent) -> str:
        """The result of an event as far as it may be told: none that is the doing of somebody unknown."""
        return "" if event.result in self.by_others and not event.target else event.result

    def came(self, event: BattleEvent) -> str | None:
        """The result of an event in words of the ruleset's own, or None; `{n}` in them is its total."""
        if noun := self.each.get(event.kind):
            good = sum(die >= event.total for die in event.dice)
            return format_count(good, noun) if good else f"no {noun}"
        of_kind, result = self.results.get(event.kind, {}), self.result(event)
        said = of_kind.get(result, self.results.get("", {}).get(result))
        return None if said is None else said.format(n=event.total)


def _build_act_key(event: BattleEvent) -> tuple[int, str, str, str, str, str, int]:
    """The values that events must share to be told together."""
    return event.turn, event.side, event.step, event.kind, event.actor, event.target, event.total
