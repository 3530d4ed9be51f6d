"""Troops on a stand, and the stand of the record they make (RTG-GEN-04, RTG-GEN-05). No numba."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FORMED,
    GOOD,
    GUNS,
    HORSE,
    INFANTRY,
    MUSKET,
    NO_WEAPON,
    ON_TABLE,
    PERMANENT,
    RIFLE,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.rtg.fields import FIREARM, HEAVY, LIGHT, MEDIUM, ROWS, WEAPON_CODES
from battles.rulesets.volley_bayonet.rtg.tables import MARKERS, RATES

Kind = Literal[
    "infantry_brigade", "linear_infantry", "infantry_skirmisher",
    "cavalry_brigade", "linear_cavalry", "firearm_cavalry", "cavalry_skirmisher", "mounted_infantry",
    "artillery_battalion", "artillery_battery",
]  # fmt: skip
GunKind = Literal["", "very_light_guns", "light_guns", "field_guns", "heavy_guns", "siege_guns"]
Weight = Literal["", "light", "medium", "heavy"]
#: `hired` is PPA, artillery that stays unlimbered (RTG-GEN-05); `red` is permanent disorder from the start.
Trait = Literal[
    "slow", "poorly_trained", "militia", "poor_musketry", "no_elites", "sharpshooter", "rifles",
    "lancers", "dedicated_gun", "horse_artillery", "hired", "red",
]  # fmt: skip

FOOT: tuple[Kind, ...] = ("infantry_brigade", "linear_infantry", "infantry_skirmisher")
HORSES: tuple[Kind, ...] = (
    "cavalry_brigade", "linear_cavalry", "firearm_cavalry", "cavalry_skirmisher", "mounted_infantry",
)  # fmt: skip
BATTERIES: tuple[Kind, ...] = ("artillery_battalion", "artillery_battery")
SKIRMISHERS: tuple[Kind, ...] = ("infantry_skirmisher", "cavalry_skirmisher", "mounted_infantry")
MASSED: tuple[Kind, ...] = ("infantry_brigade", "cavalry_brigade")
_WEIGHTS = {"": LIGHT, "light": LIGHT, "medium": MEDIUM, "heavy": HEAVY}


@dataclass(frozen=True, slots=True)
class BrigadeLabel:
    """A stand's class, morale number and traits; guns have a kind of piece, cavalry a weight."""

    kind: Kind
    morale: int
    traits: frozenset[Trait] = field(default_factory=frozenset)
    gun: GunKind = ""
    weight: Weight = ""

    def has(self, trait: Trait) -> bool:
        return trait in self.traits


def dice_row(label: BrigadeLabel) -> int:
    """The row of the table of dice (RTG-CBT-10, RTG-CBT-11); mounted infantry fights as skirmishers do."""
    if label.kind == "mounted_infantry":
        return ROWS["cavalry_skirmisher"]
    if label.kind in ("infantry_brigade", "linear_infantry") and label.has("poor_musketry"):
        return ROWS[f"{label.kind}_poor_musketry"]
    return ROWS[label.kind]


def rate_of(label: BrigadeLabel) -> int:
    """Inches a turn (RTG-MOV-02), guns limbered; cavalry with a dedicated gun moves as heavy cavalry does."""
    if label.kind in FOOT:
        return RATES["slow_infantry" if label.has("slow") else "infantry"]
    if label.kind in BATTERIES:
        return RATES["horse_artillery" if label.has("horse_artillery") else "limbered_artillery"]
    if label.has("dedicated_gun"):
        return RATES["any_cavalry_with_dedicated_gun"]
    return RATES["heavy_cavalry" if label.weight == "heavy" else "light_cavalry"]


def markers_of(label: BrigadeLabel) -> int:
    """Markers a stand trails in march column (RTG-MOV-02, RTG-MOV-07)."""
    if label.kind in BATTERIES:
        return MARKERS["battery" if label.kind == "artillery_battery" else "battalion"]
    if label.kind in SKIRMISHERS:
        return MARKERS["foot_skirmisher" if label.kind in FOOT else "horse_skirmisher"]
    return MARKERS["massed" if label.kind in MASSED else "linear"]


def stand_write(u: Any, label: BrigadeLabel, sp: int, options: Mapping[str, Any]) -> None:
    """Write a stand in good order and in command, with so many SP, into a record; guns are unlimbered."""
    u.class_, u.weapon, u.dice_row = _class_of(label), _weapon_of(label), dice_row(label)
    u.massed, u.battery = int(label.kind in MASSED), int(label.kind == "artillery_battery")
    u.militia, u.sharpshooter = int(label.has("militia")), int(label.has("sharpshooter"))
    u.poorly_trained = int(label.has("poorly_trained") or label.has("militia"))
    u.no_elites, u.lancers = int(label.has("no_elites")), int(label.has("lancers"))
    u.firearm, u.rides = int(label.kind == "firearm_cavalry"), int(label.kind == "mounted_infantry")
    if label.kind in HORSES:
        u.weight = FIREARM if u.firearm == 1 else _WEIGHTS[label.weight]
    u.dedicated, u.horse_guns = int(label.has("dedicated_gun")), int(label.has("horse_artillery"))
    u.hired, u.slow = int(label.has("hired")), int(label.has("slow"))
    u.rate, u.rate_foot = rate_of(label), RATES["slow_infantry"]
    u.morale, u.sp, u.sp_start = label.morale, sp, sp
    u.place, u.inside, u.charges = ON_TABLE, -1, -1
    u.form = SKIRMISH if label.kind in SKIRMISHERS else FORMED
    u.brigade = u.wing = u.caller = u.aims = u.leans = u.gun_row = -1
    u.in_command, u.left, u.markers = 1, 1.0, markers_of(label)
    red = label.has("red") and options["raw_militia_permanently_disordered"] == "on"
    u.state = PERMANENT if red else GOOD


def _class_of(label: BrigadeLabel) -> int:
    if label.kind in HORSES:
        return HORSE
    if label.kind in BATTERIES:
        return GUNS
    return DETACHMENT if label.kind == "infantry_skirmisher" else INFANTRY


def _weapon_of(label: BrigadeLabel) -> int:
    if label.kind in BATTERIES:
        return WEAPON_CODES[label.gun or "field_guns"]
    if label.kind in HORSES and label.kind != "firearm_cavalry":
        return NO_WEAPON
    return RIFLE if label.has("rifles") else MUSKET
