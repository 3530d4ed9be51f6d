"""How a ruleset's battles are told: words for its own kinds of event, its clock, its pieces. Plain data."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from battles.engine.events import Event
from battles.scenario import BattleFile, BattleUnit
from battles.wording import counted

#: Game turns of the battle file: minutes of each (AWI-T-SCA-02).
FILE_MINUTES = 10


def _inches(battle: BattleFile, total: int) -> str:
    """Hundredths of an inch as inches."""
    return f"{total / 100.0:g}"


#: How the figure of an event is told, by kind; of all others it is its total.
FIGURES: dict[str, Callable[[BattleFile, int], str]] = dict.fromkeys(
    ("rout_move", "retire", "move", "fall_back"), _inches
)


def _as_it_is(battle: BattleFile) -> BattleFile:
    return battle


def _whole(piece: str) -> str:
    return piece


@dataclass(frozen=True, slots=True)
class Telling:
    """What a ruleset adds to the words that all share, or says otherwise.

    Of rolls and replays: `steps` of its turn by letter, the `minutes` of a turn, `lines` by kind, `results`
    of dice by kind ("" for any) and result. `figures` tell an event's total. Dice of kinds in `compared` are
    not added up; those of kinds in `each` are told together: every one needed the total, and how many were
    good is counted. The total of kinds in `needed` is what was asked of the dice, not what they make.
    `by_rolls` are kinds without dice that belong among rolls.

    Of accounts: `sayings` by kind and result, with `untold` for kinds left out. A kind in `implied` says
    nothing where the one beside it has been said of the same unit in the same turn. `stopped` is said of a
    charge that came to nothing after an event of a kind in `wavers`.

    Of replays: `brief` are lines that say less, of kinds that stand beneath what they belong to. `follows`
    are kinds that belong to what was just done, `joint` those of which a step's are shown together, with
    their headline. `moods` are what troops are called who are in hand, in disorder, running, and gone.
    `base` is inches of the file of a piece's front and depth, where it is not two bases of 45 mm. `pieces`
    gives the battle file with a unit for each `piece` that moves on its own, `unit_of` the unit of one.
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
    figures: Mapping[str, Callable[[BattleFile, int], str]] = field(default_factory=dict)
    compared: frozenset[str] = frozenset()
    each: Mapping[str, str] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    by_rolls: frozenset[str] = frozenset({"shaken", "routed_by_fire"})
    follows: frozenset[str] = frozenset()
    joint: Mapping[str, str] = field(default_factory=dict)
    moods: tuple[str, str, str, str] = ("in good order", "shaken", "routing", "gone")
    base: Callable[[BattleUnit], tuple[float, float]] | None = None
    piece: str = "unit"
    pieces: Callable[[BattleFile], BattleFile] = _as_it_is
    unit_of: Callable[[str], str] = _whole

    def clock(self, turn: int) -> str:
        """Time since the first move: 1 h 20."""
        hours, minutes = divmod(max(0, turn - 1) * self.minutes, 60)
        return f"{hours} h {minutes:02d}"

    def figure(self, battle: BattleFile, kind: str, total: int) -> str:
        """The figure of an event in words."""
        told = self.figures.get(kind) or FIGURES.get(kind)
        return told(battle, total) if told else str(total)

    def together(self, before: Event, event: Event) -> Event | None:
        """Two events as one when their dice are told together; else None."""
        if event.kind not in self.each or _act(before) != _act(event):
            return None
        return replace(before, dice=before.dice + event.dice)

    def gathered(self, events: Iterable[Event]) -> list[Event]:
        """The events, those whose dice are told together as one."""
        gathered: list[Event] = []
        for event in events:
            if gathered and (both := self.together(gathered[-1], event)):
                gathered[-1] = both
            else:
                gathered.append(event)
        return gathered

    def came(self, event: Event) -> str | None:
        """What came of an event in words of the ruleset's own, or None."""
        if noun := self.each.get(event.kind):
            good = sum(die >= event.total for die in event.dice)
            return counted(good, noun) if good else f"no {noun}"
        of_kind = self.results.get(event.kind, {})
        return of_kind.get(event.result, self.results.get("", {}).get(event.result))


def _act(event: Event) -> tuple[int, str, str, str, str, str, int]:
    """What dice have in common that are told together."""
    return event.turn, event.side, event.step, event.kind, event.actor, event.target, event.total
