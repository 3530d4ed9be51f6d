"""These rules on paper: a unit's card, a commander's, and how a battle ends. No numba here.

Distances are inches of 25 yards whatever the size of the figures: bases are sized in inches (VBW-STD-12).
"""

from collections.abc import Mapping
from typing import Any

from battles.rulesets.volley_bayonet.labels import Label, rate_of
from battles.rulesets.volley_bayonet.muster import has_commander, points_of, stands_of
from battles.rulesets.volley_bayonet.ratings import label_of
from battles.rulesets.volley_bayonet.reference import reference_of
from battles.rulesets.volley_bayonet.scales import Scale
from battles.rulesets.volley_bayonet.table import PARTS
from battles.rulesets.volley_bayonet.tables import AT_OBJECTIVE, BASES, QUIET_TURNS, Dice
from battles.scenario import BattleFile, BattleLeader, BattleUnit
from battles.terms import Figures, ReferenceTable, Track, UnitTerms

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
    "SK": "may skirmish",
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
_ARMS = {"LC": "horse", "MC": "horse", "MI": "horse", "wheels": "train", "pack": "train"}


class Paper:
    """How a scale of Volley & Bayonet speaks of a battle on paper (`terms.SheetTerms`)."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale

    def kind(self, unit: BattleUnit) -> str:
        """What troops a unit is, by its label of the default year."""
        return label_told(label_of(unit, self.scale.options_resolve({})))

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A unit's card: its stands with the SP of each, what it moves, fires and melees with."""
        chosen = self.scale.options_resolve(options)
        label = label_of(unit, chosen)
        strengths = stands_of(points_of(unit), label)
        names = PARTS.get(len(strengths), tuple(f"Stand {n}" for n in range(1, len(strengths) + 1)))
        names = ("SP",) if len(strengths) == 1 else tuple(name.capitalize() for name in names)
        tracks = tuple(
            Track(name, tuple(str(left) for left in range(sp, 0, -1)))
            for name, sp in zip(names, strengths, strict=False)
            if sp
        )
        led = has_commander(unit, len(strengths), label)
        facts = (
            ("Morale", str(label.morale)),
            ("Moves", f"{rate_of(label, self.scale.tables, chosen):g} inches"),
            ("Fires", self._fires(label)),
            ("Melee", self._melee(label)),
            ("Commander", "a unit commander" if led else "none of its own"),
        )
        return UnitTerms(label_told(label), _arm(label), tracks, facts)

    def _dice(self, label: Label) -> Dice | None:
        tables = self.scale.tables.dice
        if label.kind in _GUNS:
            return tables["artillery"]
        if label.kind in ("LC", "MC", "MI"):
            return tables["mounted"]
        if label.kind in ("pack", "wheels"):
            return None
        if label.is_detachment:
            return tables["detachment"]
        return tables["poorly_trained" if label.has("PT") or label.has("MIL") else "regular"]

    def _fires(self, label: Label) -> str:
        """Dice of a stand, when it is stationary, and the ranges with the least scores that hit."""
        dice = self._dice(label)
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

    def _melee(self, label: Label) -> str:
        dice = self._dice(label)
        if dice is None:
            return "none"
        still = f", {dice.stationary[1]} stationary" if dice.stationary else ""
        said = f"{dice.melee} {'die' if dice.melee == 1 else 'dice'} a stand{still}"
        if label.kind in _GUNS:
            return f"{said} on {self.scale.tables.guns[_GUNS[label.kind]].short_hit}+, to its front"
        return f"{said} on 6{', on 5 when it charges' if label.has('Sh') else ''}"

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A commander's card (VBW-CMD, VBW-RLY)."""
        facts = (
            ("Commands", "stands of his within 6 inches, and those that touch them"),
            ("With a unit", "+1 to its morale"),
            ("Rallies", "routed stands of his that he touches, without a die"),
            ("Moves", f"{self.scale.tables.rates['commanders']} inches"),
        )
        return UnitTerms(_RANKS[leader.rank], "commander", (), facts)

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """When a battle is over and who then holds the field (VBW-DEF-23)."""
        told = [self._breaks(battle, side) for side in (battle.attacker, battle.defender)]
        told.append("A side with no stand left that is not routed, and none to come, has lost the field too.")
        undecided = f"the day ends, or {QUIET_TURNS} turns go by without a shot or a contact"
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
        present = sum(points_of(unit) for unit in battle.units if unit.side == side)
        percent = battle.break_points.get(side, battle.break_percent)
        points, name = -(-present * percent // 100), battle.side_name(side)
        return (
            f"{name[:1].upper()}{name[1:]}, {present} SP in all, breaks off when {points} SP are lost "
            f"({percent} %), and the other side holds the field."
        )

    def base(self, figures: Figures) -> tuple[float, float]:
        """Millimetres of front and depth of an infantry stand (VBW-STD-12)."""
        front, depth = BASES["infantry"]
        return front * MILLIMETRES, depth * MILLIMETRES

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""
        return reference_of(self.scale, self.scale.options_resolve(battle.options))


def _small_arm(label: Label) -> str:
    if label.has("native"):
        return "native_american"
    return "rifle" if label.has("R") else "musket"


def _arm(label: Label) -> str:
    if label.kind in _GUNS:
        return "artillery"
    return _ARMS.get(label.kind, "foot in detachments" if label.is_detachment else "foot")


def label_told(label: Label) -> str:
    """A label in words: fast infantry, morale 6, shock (VBW-ABL-09)."""
    words = [KINDS[label.kind]]
    if label.kind not in ("pack", "wheels"):
        words.append(f"morale {label.morale}")
    return ", ".join([*words, *(ABILITIES[key] for key in ABILITIES if key in label.abilities)])
