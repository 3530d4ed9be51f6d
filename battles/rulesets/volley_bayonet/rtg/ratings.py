"""Ratings of a battle file's troops on a stand of a brigade (RTG-GEN-04, RTG-GEN-05). No numba here.

The card has no ratings, so morale and training are those of wing scale, by troop type and year
(VBW-RAT). The armies of this war fought in two open ranks, so close order stands in line and none is
massed; foot in open order are skirmishers. The poorly trained, who have fewer dice at wing scale, militia
among them, have poor musketry here. Raw militia is permanently disordered, as at wing scale.
"""

from collections.abc import Mapping
from typing import Any, Literal

from battles.files.schema import BattleUnit
from battles.rulesets.volley_bayonet import ratings
from battles.rulesets.volley_bayonet.rtg.labels import BrigadeLabel, GunKind, Kind, Trait
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass

#: Who is pooled with whom.
Pooling = Literal["close", "open", "horse", "guns"]
#: Pieces by the classes of a battle file; howitzers count as field guns (RTG-RNG-01). A grasshopper is a
#: light 3-pounder, which the card has with the 4-pounders, a galloper a 1.5-pounder; wing scale has no
#: lighter guns than light ones, so there both are those.
GUNS: dict[GunClass, GunKind] = {
    GunClass.LIGHT: "light_guns",
    GunClass.GALLOPER: "very_light_guns",
    GunClass.GRASSHOPPER: "light_guns",
    GunClass.MEDIUM: "field_guns",
    GunClass.HOWITZER: "field_guns",
    GunClass.HEAVY: "heavy_guns",
}
KINDS: dict[Pooling, Kind] = {
    "close": "linear_infantry",
    "open": "infantry_skirmisher",
    "horse": "linear_cavalry",
    "guns": "artillery_battalion",
}


def pooling_of(unit: BattleUnit) -> Pooling:
    """With whom a unit is pooled: guns, horse, foot in close order and in open order."""
    facts = TYPES[unit.troop_type]
    if facts.arm is Arm.WHEELED:
        return "guns"
    if facts.arm is Arm.MOUNTED:
        return "horse"
    return "close" if facts.order is FormationOrder.CLOSE else "open"


def is_light_gun(unit: BattleUnit) -> bool:
    """True for pieces that go with the foot as its dedicated guns (RTG-CBT-22)."""
    return pooling_of(unit) == "guns" and GUNS.get(unit.gun_class) in ("light_guns", "very_light_guns")


def label_of(unit: BattleUnit, options: Mapping[str, Any]) -> BrigadeLabel:
    """The label of a stand of nothing but such troops, in the year chosen."""
    rated = ratings.label_of(unit, options)
    pooling = pooling_of(unit)
    traits: set[Trait] = set()
    if rated.kind == "SI":
        traits.add("slow")
    if rated.has("PT") or rated.has("MIL"):
        traits |= {"poorly_trained", "poor_musketry"}
    if rated.has("MIL"):
        traits |= {"militia", "red"}
    if rated.has("NE"):  # the Crown's militia (VBW-RAT-02)
        traits.add("no_elites")
    if rated.has("R"):
        traits.add("rifles")
    if rated.has("SS"):
        traits.add("sharpshooter")
    return BrigadeLabel(
        KINDS[pooling],
        rated.morale,
        frozenset(traits),
        GUNS.get(unit.gun_class, "field_guns") if pooling == "guns" else "",
        "light" if pooling == "horse" else "",
    )
