"""These rules on paper: a unit's card, a commander's, and how a battle ends. No numba here.

Distances are inches of 25 yards whatever the size of the figures: bases are sized in inches (VBW-STD-12).
"""

from collections.abc import Mapping
from typing import Any

from battles.engine.chain import crown_of
from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.printing.sheet_types import (
    BrigadeTerms,
    CardTerms,
    Figures,
    ReferenceTable,
    TableTerms,
    UnitTerms,
)
from battles.rulesets.volley_bayonet.chain import find_exhaustion_level
from battles.rulesets.volley_bayonet.deck import CARDS, WHOSE
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.labels import StandLabel, is_poor, rate_of
from battles.rulesets.volley_bayonet.positions import stand_names
from battles.rulesets.volley_bayonet.ratings import label_of
from battles.rulesets.volley_bayonet.reference import dice_of, reference_of
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.strength import (
    convert_strengths,
    count_points,
    has_commander,
    split_stands,
)
from battles.rulesets.volley_bayonet.tables import (
    AT_OBJECTIVE,
    BASES,
    NATIVE_SHOCK_AT,
    QUIET_TURNS,
    SUPERIOR_RADIUS,
    StandDice,
)
from battles.strength_conversion import map_brigade_names
from rosters.domain.vocabulary import GunClass

MILLIMETRES = 25.4
KINDS = {
    "FI": "fast infantry",
    "SI": "slow infantry",
    "MI": "mounted infantry",
    "LC": "light dragoons",
    "MC": "medium cavalry",
    "Lt": "light guns",
    "Fd": "field guns",
    "Ho": "howitzers",
    "Hv": "heavy guns",
    "pack": "pack animals",
    "wheels": "wagons",
}
ABILITIES = {
    "SS": "sharpshooters",
    "R": "rifles",
    "SK": "may break up",
    "Sh": "shock",
    "NE": "no elites",
    "PT": "poorly trained",
    "MIL": "militia",
    "detachments": "in detachments",
    "native": "Native American",
}
_GUNS = {"Lt": "light_3_4lb", "Fd": "field_6_9lb", "Ho": "field_howitzer_5_5_6in", "Hv": "heavy_12lb"}
_RANKS = {
    "brigadier": "Brigade commander",
    "senior": "Wing commander",
    "commander_in_chief": "Army commander",
}


class VolleyBayonetSheetTerms:
    """Printed sheets for a scale of Volley & Bayonet (`terms.SheetTerms`)."""

    def __init__(self, scale: RulesetScale) -> None:
        self.scale = scale

    def table(self, battle: BattleFile, figures: Figures) -> TableTerms:
        """The layout of the battle, alike for figures of any size (VBW-GEN-03, VBW-STD-12, VBW-SEQ-01)."""
        options = self.scale.options_resolve(battle.options)
        crown = crown_of(battle)
        rebels = battle.defender if crown == battle.attacker else battle.attacker
        first = battle.side_name(crown if options["first_player"] == "crown" else rebels)
        front, depth = BASES["infantry"]
        return TableTerms(
            inch=INCH,
            distances="inches of 25 yards, for figures of any size",
            base=(front * MILLIMETRES, depth * MILLIMETRES),
            based="a stand of infantry",
            moves_as="slow infantry",
            first_move=f"{first} has the first phase of every turn",
            late="side by side about the middle",
        )

    def kind(self, unit: BattleUnit, options: Mapping[str, Any]) -> str:
        """The kind of troops of a unit; of an enemy's guns the class is not told (HR-FOG-03)."""
        label = label_of(unit, self.scale.options_resolve(options))
        if label.kind in _GUNS and unit.gun_class is GunClass.NONE:
            return f"guns, morale {label.morale}"
        return describe_label(label)

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A unit's card: its stands with the SP of each, what it moves, fires and melees with."""
        chosen = self.scale.options_resolve(options)
        label = label_of(unit, chosen)
        strengths = split_stands(count_points(unit), label)
        names = stand_names(unit, len(strengths))
        named = ("SP",) if len(strengths) == 1 else tuple(name.capitalize() for name in names)
        boxes = tuple((name, sp) for name, sp in zip(named, strengths, strict=True) if sp)
        led = has_commander(unit, len(strengths), label)
        facts = [
            ("Morale", self._morale(label, chosen)),
            ("Moves", f"{rate_of(label, self.scale.tables, chosen):g} inches"),
            ("Fires", self._fires(label, chosen)),
            ("Melee", self._melee(label, chosen)),
            ("Commander", "a unit commander" if led else "none of its own"),
        ]
        if label.has("MIL") and chosen["raw_militia_permanently_disordered"] == "on":
            facts.insert(1, ("Order", "permanently disordered"))
        if changed := self._as_detachments(label, chosen):
            facts.insert(-1, changed)
        return UnitTerms(describe_label(label), "", boxes, facts=tuple(facts))

    def _as_detachments(self, label: StandLabel, options: Mapping[str, Any]) -> tuple[str, str] | None:
        """The row on stands that have dismounted or broken up (VBW-STD-10, VBW-MOV-22), or None."""
        if label.kind != "MI" and not label.has("SK"):
            return None
        half = StandLabel("FI", label.morale, label.abilities - {"SK"} | {"detachments"})
        fires, melee = self._fires(half, options), self._melee(half, options)
        if label.kind != "MI":
            return "Broken up", f"two detachments a stand, each fires {fires}; melee {melee}"
        rate = self.scale.tables.rates["fast_infantry"]
        return "On foot", f"detachments of {rate:g} inches; fires {fires}; melee {melee}"

    def _morale(self, label: StandLabel, options: Mapping[str, Any]) -> str:
        falls = label.has("native") and options["native_band_morale_drop"] == "on"
        return f"{label.morale}{', 1 less for each stand lost' if falls else ''}"

    def _dice(self, label: StandLabel, options: Mapping[str, Any]) -> StandDice | None:
        tables = dice_of(self.scale, options)
        if label.kind in _GUNS:
            return tables["artillery"]
        if label.kind in ("LC", "MC", "MI"):
            return tables["mounted"]
        if label.kind in ("pack", "wheels"):
            return None
        if label.is_detachment:
            return tables["detachment"]
        return tables["poorly_trained" if is_poor(label) else "regular"]

    def _fires(self, label: StandLabel, options: Mapping[str, Any]) -> str:
        """Dice of a stand, when it is stationary, and the ranges with the least scores that hit."""
        dice = self._dice(label, options)
        if dice is None or dice.fire == 0:
            return "not at all"
        still = f", {dice.stationary[0]} stationary" if dice.stationary else ""
        better = 1 if label.has("SS") else 0
        said = f"{dice.fire} {'die' if dice.fire == 1 else 'dice'} a stand{still}"
        if label.kind in _GUNS:
            gun = self.scale.tables.guns[_GUNS[label.kind]]
            return f"{said}; {gun.short:g} inches on {gun.short_hit}+, {gun.long:g} on {gun.long_hit}+"
        arm = self.scale.tables.small_arms[_small_arm(label)]
        return f"{said}; {arm.long:g} inches on {arm.long_hit - better}+"

    def _melee(self, label: StandLabel, options: Mapping[str, Any]) -> str:
        dice = self._dice(label, options)
        if dice is None:
            return "none"
        still = f", {dice.stationary[1]} stationary" if dice.stationary else ""
        said = f"{dice.melee} {'die' if dice.melee == 1 else 'dice'} a stand{still}"
        if label.kind in _GUNS:
            return f"{said}; on {self.scale.tables.guns[_GUNS[label.kind]].short_hit}+, to its front"
        return f"{said}; on 6{_describe_shock(label, options)}"

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A commander's card (VBW-CMD, VBW-RLY)."""
        facts = (
            ("In command", f"his within {SUPERIOR_RADIUS:g} inches, and who touch them"),
            ("With a unit", "+1 to its morale"),
            ("Rallies", "those he touches, without a die"),
            ("Moves", f"{self.scale.tables.rates['commanders']} inches"),
        )
        return UnitTerms(_RANKS[leader.rank], "commander", (("out of play", 1), ("lost", 1)), facts=facts)

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """The conditions that end a battle, and the side that then holds the field (VBW-DEF-23)."""
        told = [self._breaks(battle, side) for side in (battle.attacker, battle.defender)]
        told.append("A side with no stand left that is not routed, and none to come, has lost the field too.")
        undecided = f"the day ends, or {QUIET_TURNS} turns go by without a shot, a contact or ground gained"
        if battle.objective is None:
            told.append(
                f"Otherwise, when {undecided}, the side with fewer collapsed brigades holds the field, or, "
                "if they are level, the one that has lost the smaller share of its SP."
            )
        else:
            told.append(
                f"Otherwise, when {undecided}, the field is his who alone has troops that are not routed "
                f"within {AT_OBJECTIVE:g} inches of the spot fought for, marked on the map; if neither has, "
                "nobody's."
            )
        return tuple(told)

    def _breaks(self, battle: BattleFile, side: str) -> str:
        present = sum(count_points(unit) for unit in battle.units if unit.side == side)
        percent = battle.break_points.get(side, battle.break_percent)
        points, name = -(-present * percent // 100), battle.side_name(side)
        return (
            f"{name[:1].upper()}{name[1:]}, {present} SP in all, breaks off when {points} SP are lost "
            f"({percent} %), and the other side holds the field."
        )

    def brigades(self, battle: BattleFile, whole: BattleFile) -> tuple[BrigadeTerms, ...]:
        """Brigades with the SP at whose loss each is exhausted (VBW-EXH-01, VBW-EXH-02).

        Of a brigade of the `whole` file it is the part that is in the battle.
        """
        options = self.scale.options_resolve(battle.options)
        units = {unit.id: unit for unit in battle.units}
        mustered = [one for one in convert_strengths(whole, options) if one.unit in units]
        beyond = 1 if options["exhaustion_trigger"] == "losses_gt_level" else 0
        found: list[BrigadeTerms] = []
        for number, name in sorted(map_brigade_names(battle, mustered).items()):
            own = [one for one in mustered if one.brigade == number]
            stands = [(sp, label_of(units[one.unit], options).morale) for one in own for sp in one.stands]
            level = find_exhaustion_level(
                stands, self.scale.tables.exhaustion_per_morale, options["exhaustion_rounding"]
            )
            found.append(
                BrigadeTerms(
                    name=name,
                    side=units[own[0].unit].side,
                    units=tuple(one.unit for one in own),
                    sp=sum(one.points for one in own),
                    tires_at=level + beyond,
                )
            )
        return tuple(found)

    def cards(self, battle: BattleFile) -> tuple[CardTerms, ...]:
        """The fog of war deck, where it is played with (VBW-CRD-10)."""
        if self.scale.options_resolve(battle.options)["cards"] != "on":
            return ()
        return tuple(
            CardTerms(card.title, WHOSE[card.kind], card.when, card.does, card.rule, card.copies)
            for card in CARDS
        )

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""
        return reference_of(self.scale, self.scale.options_resolve(battle.options))


def _describe_shock(label: StandLabel, options: Mapping[str, Any]) -> str:
    """The words for hand-to-hand hits that need one less (VBW-HIT-04, VBW-NAT-03, VBW-COM-08)."""
    if label.has("Sh"):
        return ", on 5 when it charges"
    if label.has("native") and options["native_shock"] == "on":
        return f", on 5 when it charges with morale {NATIVE_SHOCK_AT} or more"
    return ", on 5 when it charges the disordered" if label.kind in ("LC", "MC") else ""


def _small_arm(label: StandLabel) -> str:
    if label.has("native"):
        return "native_american"
    return "rifle" if label.has("R") else "musket"


def describe_label(label: StandLabel) -> str:
    """A label in words: fast infantry, morale 6, shock (VBW-ABL-09)."""
    words = [KINDS[label.kind]]
    if label.kind not in ("pack", "wheels"):
        words.append(f"morale {label.morale}")
    return ", ".join([*words, *(ABILITIES[key] for key in ABILITIES if key in label.abilities)])
