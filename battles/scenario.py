"""One fight as data: what a ruleset is asked to settle, and what it answers. No Django here.

A battle file names sides, units with their strength points, the ground's cover, plans, options
and the length of the day. An outcome says, per unit, what was lost and how.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rosters.domain.vocabulary import GunClass, TroopType

Cover = Literal["none", "soft", "hard", "fortified"]
Plan = Literal["assault", "hold", "delay", "withdraw"]
Fate = Literal["present", "eliminated", "surrendered", "left_table"]


@dataclass(frozen=True, slots=True)
class BattleUnit:
    """A unit as it comes to the table: `sp` strength points, 1 to 6 (AWI-T-STR-02).

    `arrives` is the game turn (10 minutes each, AWI-T-SCA-02) in which it comes on, 0 for the start.
    """

    id: str
    name: str
    side: str
    troop_type: TroopType
    sp: int
    gun_class: GunClass = GunClass.NONE
    poor_militia: bool = False
    formation: str = ""
    arrives: int = 0


@dataclass(frozen=True, slots=True)
class BattleFile:
    """A whole fight. `attacker` and `defender` are side ids; `cover` protects the defender's start line.

    `turns` is the length of the day in game turns. A side whose lost SP reach `break_percent` of
    its start breaks off. `side_names` are what accounts call the sides; the id where none is given.
    """

    title: str
    attacker: str
    defender: str
    units: tuple[BattleUnit, ...]
    cover: Cover = "none"
    plans: Mapping[str, Plan] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    turns: int = 36
    break_percent: int = 50
    ruleset: str = "awi"
    side_names: Mapping[str, str] = field(default_factory=dict)

    def side_name(self, side: str) -> str:
        """What a side is called in an account."""
        return self.side_names.get(side) or side.capitalize()


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """What became of one unit: SP at start = lost + captured + left at the end.

    `sp_captured` counts the SP a unit had when it surrendered (AWI-C-BAT-03); they are not in
    `sp_lost`. `fate` is `left_table` for a unit that ran or marched off with its SP intact.
    """

    id: str
    sp_start: int
    sp_lost: int
    sp_captured: int
    fate: Fate = "present"


@dataclass(frozen=True, slots=True)
class BattleOutcome:
    """`field_held_by` is a side id, or "" when neither holds the field (a draw)."""

    field_held_by: str
    turns: int
    units: tuple[UnitOutcome, ...]
    ruleset: str = "awi"
    engine_version: str = ""
    seed: int | None = None
