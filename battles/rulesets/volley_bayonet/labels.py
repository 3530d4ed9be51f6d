"""A stand's label as the rules have it, and the stand of the state record it makes. No numba here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from battles.rulesets.volley_bayonet.records import (
    D_DETACHMENT,
    D_GUNS,
    D_HORSE,
    D_NONE,
    D_POOR,
    D_REGULAR,
    DETACHMENT,
    FIELD_GUN,
    FORMED,
    GONE,
    GOOD,
    GUNS,
    HEAVY_GUN,
    HORSE,
    HOWITZER,
    INFANTRY,
    LIGHT_GUN,
    MUSKET,
    NATIVE_ARMS,
    NO_WEAPON,
    ON_TABLE,
    PERMANENT,
    RIFLE,
    TRANSPORT,
)
from battles.rulesets.volley_bayonet.tables import ScaleTables

#: What a label says a stand is (VBW-ABL-09), with howitzers and transport, which have no letters there.
Kind = Literal["FI", "SI", "MI", "LC", "MC", "Lt", "Fd", "Ho", "Hv", "pack", "wheels"]
Ability = Literal["SS", "R", "SK", "Sh", "NE", "PT", "MIL", "detachments", "formed", "native"]
_GUNS = {"Lt": LIGHT_GUN, "Fd": FIELD_GUN, "Ho": HOWITZER, "Hv": HEAVY_GUN}
_FOOT, _HORSE = ("FI", "SI"), ("MI", "LC", "MC")
_RATES = {
    "FI": "fast_infantry",
    "SI": "slow_infantry",
    "MI": "mounted_infantry",
    "LC": "light_dragoons",
    "MC": "light_dragoons",
    "Lt": "light_artillery",
    "Fd": "field_artillery",
    "Ho": "field_artillery",
    "Hv": "heavy_artillery",
    "pack": "pack_transport",
    "wheels": "wheeled_transport",
}
#: Ranks of cavalry by weight (VBW-ABL-06).
WEIGHTS = {"MI": 1, "LC": 1, "MC": 2}


@dataclass(frozen=True, slots=True)
class StandLabel:
    """Kind, morale and abilities of the troops on a stand.

    `detachments` says that the stand is a detachment of a unit made of such, `formed` that a unit made of
    such is drawn up in stands (VBW-ORG-10), `native` that it is of a band of Native Americans, who are
    detachments as well.
    """

    kind: Kind
    morale: int
    abilities: frozenset[Ability] = field(default_factory=frozenset)

    def has(self, ability: Ability) -> bool:
        return ability in self.abilities

    @property
    def is_detachment(self) -> bool:
        """Half stands, which can never be stationary (VBW-STD-04)."""
        return self.has("detachments") or self.has("native")


def rate_of(label: StandLabel, tables: ScaleTables, options: Mapping[str, Any]) -> int:
    """Inches a turn (VBW-MOV-01); at division level the poorly trained are slow (VBD-MOV-01)."""
    slow = options["poorly_trained_rate"]
    if label.kind in _FOOT and is_poor(label) and slow != "by_label":
        return int(slow)
    return tables.rates[_RATES[label.kind]]


def is_poor(label: StandLabel) -> bool:
    """Poorly trained; militia counts as that (VBW-ABL-07, VBW-ABL-08)."""
    return label.has("PT") or label.has("MIL")


def stand_write(u: Any, label: StandLabel, sp: int, tables: ScaleTables, options: Mapping[str, Any]) -> None:
    """Write a stand in good order, formed and in command, with so many SP, into a record."""
    u.class_, u.weapon, u.dice_row = _class_of(label), _weapon_of(label), _dice_row_of(label)
    u.poorly_trained, u.militia = int(is_poor(label)), int(label.has("MIL"))
    u.sharpshooter, u.shock = int(label.has("SS")), int(label.has("Sh"))
    u.breaks_up = int(label.has("SK"))
    u.in_detachments = int(label.is_detachment or label.has("formed"))
    u.no_elites, u.native = int(label.has("NE")), int(label.has("native"))
    u.weight, u.rides = WEIGHTS.get(label.kind, 0), int(label.kind == "MI")
    u.pack = int(label.kind == "pack")
    u.rate = rate_of(label, tables, options)
    u.slow = int(label.kind in _FOOT and u.rate < tables.rates["fast_infantry"])
    if label.kind in _GUNS:
        u.rate_foot = tables.rates["slow_infantry"]
    elif label.kind == "MI":
        u.rate_foot, u.rate_horse = tables.rates["fast_infantry"], u.rate
    u.morale = label.morale
    u.sp_start = u.sp = sp
    u.place, u.form, u.inside, u.charges = ON_TABLE, FORMED, -1, -1
    u.brigade = u.wing = u.caller = u.aims = u.leans = u.gun_row = u.partner = -1
    u.in_command, u.left, u.markers = 1, 1.0, 1
    raw = label.has("MIL") and options["raw_militia_permanently_disordered"] == "on"
    u.state = PERMANENT if raw else GOOD


def on_foot(u: Any) -> None:
    """Let mounted infantry begin dismounted: a detachment, at its rate on foot (VBW-STD-10)."""
    u.class_, u.rate, u.dice_row = DETACHMENT, u.rate_foot, D_DETACHMENT


def half_write(g: Any, i: int, k: int) -> None:
    """Keep row k of the record for the half that parts from stand i when it breaks up (VBW-MOV-22).

    Till then it is not there; what it is, is written when it appears.
    """
    u, new = g.u[i], g.u[k]
    new.side, new.battalion, new.class_, new.weapon = u.side, u.battalion, DETACHMENT, u.weapon
    new.morale, new.due, new.place, new.spare, new.inside = u.morale, u.due, GONE, 1, -1
    new.brigade = new.wing = new.caller = new.aims = new.leans = new.gun_row = new.charges = -1
    u.partner, new.partner = k, i


def _class_of(label: StandLabel) -> int:
    if label.kind in _HORSE:
        return HORSE
    if label.kind in _GUNS:
        return GUNS
    if label.kind in ("pack", "wheels"):
        return TRANSPORT
    return DETACHMENT if label.is_detachment else INFANTRY


def _weapon_of(label: StandLabel) -> int:
    if label.kind in _GUNS:
        return _GUNS[label.kind]
    if label.kind in ("LC", "MC", "pack", "wheels"):
        return NO_WEAPON
    if label.has("native"):
        return NATIVE_ARMS
    return RIFLE if label.has("R") else MUSKET


def _dice_row_of(label: StandLabel) -> int:
    if label.kind in _HORSE:
        return D_HORSE
    if label.kind in _GUNS:
        return D_GUNS
    if label.kind in ("pack", "wheels"):
        return D_NONE
    if label.is_detachment:
        return D_DETACHMENT
    return D_POOR if is_poor(label) else D_REGULAR
