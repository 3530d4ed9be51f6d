"""Initial positions of units, generals and structures, before the first move."""

from dataclasses import dataclass
from typing import Literal

#: `half`, `skirmish` and `mounted` are stands that have broken up, formed or not, and foot on horseback.
Form = Literal["line", "column", "limbered", "deployed", "half", "skirmish", "mounted"]

#: What parts the id of a unit from the number of its stand: in no id, as a dash or a stroke may be.
WITHIN = "\x1f"


@dataclass(frozen=True, slots=True)
class UnitStanding:
    """A unit's centre in inches, its heading and formation; one that is `due` later is not there yet.

    It may stand in disorder from the first.
    """

    id: str
    sp: int
    x: float
    y: float
    face: int
    form: Form
    inside: str = ""
    due: int = 0
    shaken: bool = False


@dataclass(frozen=True, slots=True)
class GeneralStanding:
    """A general's place, and the unit he is with."""

    id: str
    x: float
    y: float
    with_unit: str = ""


@dataclass(frozen=True, slots=True)
class StructureStanding:
    """A structure by its feature's id, with its SP."""

    id: str
    kind: str
    sp: int


@dataclass(frozen=True, slots=True)
class InitialPositions:
    """A table of `width` by `depth` inches with all that stands on it."""

    width: float
    depth: float
    units: tuple[UnitStanding, ...]
    generals: tuple[GeneralStanding, ...] = ()
    structures: tuple[StructureStanding, ...] = ()
