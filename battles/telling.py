"""How a ruleset's battles are told: words for its own kinds of event, its clock, its pieces. Plain data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from battles.scenario import BattleFile, BattleUnit

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

    `steps` are the steps of its turn by letter, `minutes` how long a turn of its own is. `lines` are for
    rolls and replays, `sayings` for accounts, with `untold` for the kinds those leave out; `results` say
    what came of a die. `figures` tell an event's total; dice of kinds in `compared` are not added up.
    `follows` are kinds that belong to what was just done. `moods` are what troops are called who are in
    hand, in disorder, running, and gone. `base` is inches
    of the file of a piece's front and depth, where it is not two bases of 45 mm. `pieces` gives the battle
    file with a unit for each piece that moves on its own, `unit_of` the unit of a piece.
    """

    steps: Mapping[str, str]
    minutes: int = FILE_MINUTES
    lines: Mapping[str, str] = field(default_factory=dict)
    sayings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    results: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Callable[[BattleFile, int], str]] = field(default_factory=dict)
    compared: frozenset[str] = frozenset()
    follows: frozenset[str] = frozenset()
    moods: tuple[str, str, str, str] = ("in good order", "shaken", "routing", "gone")
    base: Callable[[BattleUnit], tuple[float, float]] | None = None
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
