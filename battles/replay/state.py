"""The table as a replay moves over it: where all stand after each event, and in what state. No numba here."""

from dataclasses import dataclass
from typing import Literal

from battles.engine.events import BattleEvent
from battles.files.initial_positions import Form, InitialPositions
from battles.files.schema import BattleFile, Point

#: How troops are: in hand, shaken, running, or off the table for good.
Mood = Literal["steady", "shaken", "routing", "gone"]

_ROUTS = frozenset({"rout_move", "routs", "routs_again", "routed_by_fire", "melee_routed"})
_SHAKES = frozenset({"shaken", "chain_shaken", "melee_lost", "melee_repulsed"})
#: Kinds after which troops are in good order again.
_STEADIES = frozenset({"recovers"})
#: Kinds that take so many SP off, or gun stands.
_LOSES = frozenset({"sp_lost", "guns_lost"})
_GOES = frozenset({"eliminated", "left_table", "marches_off", "gun_captured", "wagon_captured"})
#: Kinds after which woods no longer hide who did it, and those after which they do (AWI-T-TER-07).
_SHOWS = frozenset({"fire", "fire_at_second_charge", "fire_at_structure", "charge", "counter_charge"})
_HIDES = frozenset(
    {
        "move",
        "fall_back",
        "wheel",
        "change_formation",
        "by_flank",
        "hauled",
        "retire",
        "rout_move",
        "driven_back",
    }
)
_FALLS = frozenset({"killed", "disabled", "captured"})
#: Forms that give way to a column of march, and are taken again after it.
_IN_COLUMN = frozenset({"line", "half", "mounted"})
#: Of guns.
_LIMBERS: dict[Form, Form] = {"deployed": "limbered", "limbered": "deployed"}
#: The form a piece has after these kinds.
_FORMS: dict[str, Form] = {
    "limber": "limbered",
    "deploy": "deployed",
    "breaks_up": "half",
    "detaches": "half",
    "joins": "half",
    "forms_stand": "line",
    "skirmishes": "skirmish",
    "closes_up": "half",
    "forms_to_fight": "half",
    "mounts": "mounted",
    "dismounts": "half",
}


@dataclass(slots=True)
class BoardPiece:
    """A unit on the table: its centre in inches, heading and formation, SP and state.

    `there` is False before it comes up, `shown` says that it has fired or charged since it last moved;
    `spread` is the form it takes again when it comes out of column, `joined` says that it is not there as it
    is part of another.
    """

    x: float
    y: float
    face: int
    form: Form
    sp: int
    side: str
    mood: Mood = "steady"
    there: bool = True
    shown: bool = False
    inside: str = ""
    spread: Form = "line"
    joined: bool = False

    @property
    def stands(self) -> bool:
        return self.there and self.mood != "gone"


@dataclass(slots=True)
class Rider:
    """A general: the unit he is with, or his own spot."""

    x: float
    y: float
    side: str
    with_unit: str = ""
    there: bool = True


class BattleBoard:
    """The table of a battle, moved on event by event."""

    def __init__(self, battle: BattleFile, standing: InitialPositions) -> None:
        sides = {unit.id: unit.side for unit in battle.units}
        leaders = {leader.id: leader.side for leader in battle.leaders}
        self.units = {
            one.id: BoardPiece(
                one.x,
                one.y,
                one.face,
                one.form,
                one.sp,
                sides[one.id],
                mood="shaken" if one.shaken else "steady",
                there=not one.due,
                inside=one.inside,
            )
            for one in standing.units
        }
        self.generals = {
            one.id: Rider(one.x, one.y, leaders[one.id], one.with_unit) for one in standing.generals
        }
        self._rallied = ""

    def place(self, general: str) -> Point:
        """The point where a general is."""
        rider = self.generals[general]
        unit = self.units.get(rider.with_unit)
        return (unit.x, unit.y) if unit else (rider.x, rider.y)

    def apply(self, event: BattleEvent) -> None:
        """Let an event happen."""
        piece, kind = self.units.get(event.actor), event.kind
        rallied, self._rallied = self._rallied, ""
        if event.target in self.generals and kind.startswith("general_"):
            self._general(event)
        if piece is None:
            return
        piece.x, piece.y, piece.face = event.x, event.y, event.face
        if kind == "arrives":
            piece.there = True
        elif kind in _LOSES:
            piece.sp = max(0, piece.sp - event.total)
        elif kind == "change_formation":
            _switch_column(piece)
        elif kind in _FORMS:
            piece.form = _FORMS[kind]
            self._apply_half(piece, event)
        elif kind == "enters_building":
            piece.form, piece.inside = "line", event.target
        elif kind == "leaves_building":
            piece.inside = ""
        elif kind == "turn" and rallied == event.actor and piece.form == "column":
            piece.form = "line"  # who rallies reforms, if there is room (AWI-T-MOR-05)
        self._rallied = event.actor if event.result == "rallied" else ""
        piece.shown = kind in _SHOWS or (piece.shown and kind not in _HIDES)
        piece.mood = _find_mood(piece.mood, event)
        if piece.mood == "gone":
            piece.sp = 0 if kind != "left_table" and kind != "marches_off" else piece.sp

    def _apply_half(self, piece: BoardPiece, event: BattleEvent) -> None:
        """Let a stand break up, its other half appear, or both be one again, with the SP that pass over."""
        other = self.units.get(event.target)
        if event.kind == "breaks_up":
            piece.sp -= event.total if piece.sp > 1 else 0
        elif event.kind == "detaches":
            piece.there, piece.joined, piece.sp = True, False, event.total
            piece.mood = other.mood if other else "steady"
        elif event.kind == "joins":
            piece.there, piece.joined, piece.sp = False, True, 0
        elif event.kind == "forms_stand":
            piece.sp += event.total
            if other is not None and other.mood == "shaken":
                piece.mood = "shaken"

    def _general(self, event: BattleEvent) -> None:
        rider = self.generals[event.target]
        if event.kind == "general_moves":
            rider.with_unit, rider.x, rider.y = "", event.x, event.y
        elif event.kind in ("general_joins", "general_driven_off"):
            rider.with_unit, rider.there = event.actor, bool(event.actor)
        elif event.kind in ("general_leaves", "general_captured") or _is_general_down(event):
            rider.x, rider.y = self.place(event.target)
            rider.with_unit, rider.there = "", False


def _switch_column(piece: BoardPiece) -> None:
    """Go into column, or out of it into the form there was before; guns limber up, or unlimber."""
    if piece.form in _LIMBERS:
        piece.form = _LIMBERS[piece.form]
    elif piece.form in _IN_COLUMN:
        piece.form, piece.spread = "column", piece.form
    else:
        piece.form = piece.spread


def _is_general_down(event: BattleEvent) -> bool:
    """True when an event kills, disables or captures a general."""
    return event.result in _FALLS or (event.kind == "general_die" and event.result == "fails")


def _find_mood(mood: Mood, event: BattleEvent) -> Mood:
    kind = event.kind
    if mood == "gone" or kind in _GOES or event.result == "surrendered":
        return "gone"
    if kind in _ROUTS:
        return "routing"
    if kind in _STEADIES:
        return "steady"
    if kind == "shaken_test":
        return "routing" if event.result == "rout" else "steady"
    if kind == "rout_test":
        return "shaken" if event.result == "rallied" else "routing"
    return "shaken" if kind in _SHAKES and mood != "routing" else mood
