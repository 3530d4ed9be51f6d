"""Road to Glory on paper: a unit's card, a commander's, and how a battle ends. No numba here.

Distances are inches of a hundred yards whatever the size of the figures: bases are in inches (RTG-GEN-04).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from battles.engine.chain import crown_of
from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.printing.sheet_types import (
    GOES_WITH,
    BrigadeTerms,
    CardTerms,
    Figures,
    ReferenceTable,
    TableTerms,
    UnitTerms,
)
from battles.rulesets.volley_bayonet.chain import find_exhaustion_level
from battles.rulesets.volley_bayonet.rtg.brigades import commander_of, list_pool_units, name_of
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.labels import BATTERIES, BrigadeLabel, dice_row, rate_of
from battles.rulesets.volley_bayonet.rtg.ratings import label_of, pooling_of
from battles.rulesets.volley_bayonet.rtg.reference import format_score, reference_of
from battles.rulesets.volley_bayonet.rtg.scale import FixedScale
from battles.rulesets.volley_bayonet.rtg.strength import (
    MOST_SP,
    BrigadePool,
    find_exact_strength,
    pool_brigades,
)
from battles.rulesets.volley_bayonet.rtg.tables import (
    BASES,
    COMMAND_RADIUS,
    DICE,
    DISTANCES,
    GUNS,
    MEN_PER_SP,
    PER_MORALE,
    QUIET_TURNS,
    RATES,
    SMALL_ARMS,
    find_level_morale,
)
from rosters.domain.vocabulary import GunClass, TroopType

MILLIMETRES = 25.4
TRAITS = {
    "slow": "slow",
    "poorly_trained": "poorly trained",
    "militia": "militia",
    "poor_musketry": "poor musketry",
    "sharpshooter": "sharpshooters",
    "rifles": "rifles",
}
_RANKS = {
    "brigadier": "Brigadier",
    "senior": "Division commander",
    "commander_in_chief": "Army commander",
}
#: Rows of the table of dice, by number.
ROWS = tuple(DICE)


class RoadToGlorySheetTerms:
    """Printed sheets for Road to Glory (`terms.SheetTerms`)."""

    def __init__(self, scale: FixedScale) -> None:
        self.scale = scale

    def table(self, battle: BattleFile, figures: Figures) -> TableTerms:
        """The layout of the battle, alike for figures of any size (RTG-GEN-01, RTG-GEN-04)."""
        options = self.scale.options_resolve(battle.options)
        crown = crown_of(battle)
        rebels = battle.defender if crown == battle.attacker else battle.attacker
        first = battle.side_name(crown if options["first_player"] == "crown" else rebels)
        front, depth = BASES["linear"]
        return TableTerms(
            inch=INCH,
            distances="inches of 100 yards, for figures of any size",
            base=(front * MILLIMETRES, depth * MILLIMETRES),
            based="a stand of a brigade of foot",
            moves_as="slow infantry",
            first_move=f"{first} has the first half of every turn",
            late="side by side about the middle",
        )

    def kind(self, unit: BattleUnit, options: Mapping[str, Any]) -> str:
        """The kind of troops of a unit; of an enemy's guns the class is not told (HR-FOG-03)."""
        if unit.troop_type is TroopType.WAGON:
            return "wagons"
        label = label_of(unit, self.scale.options_resolve(options))
        if label.kind in BATTERIES and unit.gun_class is GunClass.NONE:
            return f"guns, morale {label.morale}"
        return describe_label(label)

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A unit's card: its SP in the file, and how a brigade of such troops moves and fights."""
        boxes = (("SP", unit.sp),)
        if unit.troop_type is TroopType.WAGON:
            return UnitTerms("wagons", "", boxes, facts=(("On the table", "no stand of its own"),))
        chosen = self.scale.options_resolve(options)
        label = label_of(unit, chosen)
        labels = (label, replace(label, kind="artillery_battery")) if label.kind in BATTERIES else (label,)
        share = float(find_exact_strength(unit))
        facts = (
            ("Stands", "in a brigade with others of its kind, in its division if there are any"),
            ("Of its SP there", f"{share:.1f}, a stand has {MOST_SP[pooling_of(unit)]} at the most"),
            *_list_label_facts(labels, chosen),
        )
        return UnitTerms(describe_label(label), "", boxes, facts=facts)

    def pools(self, battle: BattleFile) -> Mapping[str, UnitTerms]:
        """Cards of brigades and of their dedicated guns, by the first unit of each (RTG-GEN-01)."""
        found: dict[str, UnitTerms] = {}
        options = self.scale.options_resolve(battle.options)
        for pool in pool_brigades(battle, options):
            count = len(pool.stands)
            boxes = tuple((f"stand {k}" if count > 1 else "SP", sp) for k, sp in enumerate(pool.stands, 1))
            # a pool of guns may end in a battery, which fights otherwise than its battalions
            labels = tuple({label.kind: label for label in pool.labels()}.values())
            said = describe_label(labels[0]) + (", and a battery" if len(labels) > 1 else "")
            found[pool.units[0]] = UnitTerms(said, "", boxes, facts=_list_label_facts(labels, options))
            if pool.guns:
                facts = ((GOES_WITH, "the first stand of its brigade's foot"),)
                found[pool.guns[0]] = UnitTerms("dedicated gun", "", (("lost", 1),), facts=facts)
        return found

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A commander's card (RTG-CMD-01, RTG-RAL-01, RTG-MIS-01)."""
        chief = leader.rank == "commander_in_chief"
        facts = (
            ("In command", f"his brigades within {COMMAND_RADIUS:g} inches, and who touch them"),
            (
                "With a stand",
                "+1 to its morale; killed on a 6 when it loses a strength point" if chief else "nothing",
            ),
            ("Rallies", "those he touches, without a die" if chief else "nobody"),
            ("Moves", f"{RATES['commander']} inches"),
        )
        return UnitTerms(_RANKS[leader.rank], "commander", (("lost", 1),), facts=facts)

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """The conditions that end a battle, and the side that then holds the field."""
        return self.endings_of(battle, figures, battle)

    def endings_of(self, battle: BattleFile, figures: Figures, whole: BattleFile) -> tuple[str, ...]:
        """The same of a part of a fight, which stands as the whole file has it."""
        told = [self._breaks(battle, side, whole) for side in (battle.attacker, battle.defender)]
        told.append("A side with no stand left that is not routed, and none to come, has lost the field too.")
        undecided = f"the day ends, or {QUIET_TURNS} turns go by without a shot, a contact or ground gained"
        if battle.objective is None:
            told.append(
                f"Otherwise, when {undecided}, the side with fewer collapsed divisions holds the field, or, "
                "if they are level, the one that has lost the smaller share of its SP."
            )
        else:
            told.append(
                f"Otherwise, when {undecided}, the field is his who alone has troops that are not routed "
                f"within {DISTANCES['at_objective']:g} inches of the spot fought for, marked on the map; if "
                "neither has, nobody's."
            )
        return tuple(told)

    def _pools_there(self, battle: BattleFile, whole: BattleFile) -> list[BrigadePool]:
        """The pools of the whole file that are in the battle; none is cut."""
        there = {unit.id for unit in battle.units}
        pools = pool_brigades(whole, self.scale.options_resolve(whole.options))
        return [pool for pool in pools if pool.units[0] in there]

    def _breaks(self, battle: BattleFile, side: str, whole: BattleFile) -> str:
        """The loss at which a side is beaten; dedicated guns, if any, add no point (RTG-CBT-22)."""
        pools = [pool for pool in self._pools_there(battle, whole) if pool.side == side]
        present = sum(pool.points for pool in pools)
        apart = ", dedicated guns not counted" if any(pool.guns for pool in pools) else ""
        percent = battle.break_points.get(side, battle.break_percent)
        points, name = -(-present * percent // 100), battle.side_name(side)
        lost = f"{points} SP {'is' if points == 1 else 'are'} lost ({percent} %)"
        return (
            f"{name[:1].upper()}{name[1:]}, {present} SP of {MEN_PER_SP} men in all{apart}, breaks off when "
            f"{lost}, and the other side holds the field."
        )

    def brigades(self, battle: BattleFile, whole: BattleFile) -> tuple[BrigadeTerms, ...]:
        """Divisions with the SP at whose loss each is exhausted (RTG-EXH-01).

        Their units are brigades, as they have cards; dedicated guns, which add no point, are said to be
        apart (RTG-CBT-22). Of a division of the `whole` file it is the part that is in the battle.
        """
        options = self.scale.options_resolve(battle.options)
        pools = self._pools_there(battle, whole)
        found = []
        for number in sorted({pool.division for pool in pools}):
            own = [pool for pool in pools if pool.division == number]
            n = commander_of(battle, own)
            counted = [(sp, find_level_morale(pool.morale)) for pool in own for sp in pool.stands]
            level = find_exhaustion_level(counted, PER_MORALE, options["exhaustion_rounding"])
            name = battle.leaders[n].name if n >= 0 else name_of(list_pool_units(battle, own[0]))
            found.append(
                BrigadeTerms(
                    name=f"{name}, dedicated guns apart" if any(pool.guns for pool in own) else name,
                    side=own[0].side,
                    units=tuple(pool.units[0] for pool in own),
                    sp=sum(pool.points for pool in own),
                    tires_at=level,
                )
            )
        return tuple(found)

    def cards(self, battle: BattleFile) -> tuple[CardTerms, ...]:
        """None: there is no fog of war deck."""
        return ()

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""
        return reference_of(battle, self.scale)


def describe_label(label: BrigadeLabel) -> str:
    """A label in words: linear infantry, morale 5, slow."""
    words = [label.kind.replace("_", " "), f"morale {label.morale}"]
    if label.gun:
        words.insert(1, label.gun.replace("_", " "))
    return ", ".join([*words, *(told for trait, told in TRAITS.items() if trait in label.traits)])


def _list_label_facts(
    labels: Sequence[BrigadeLabel], options: Mapping[str, Any]
) -> tuple[tuple[str, str], ...]:
    """Fighting values of a stand of each label; of guns, a battalion before a battery (RTG-CBT-20)."""
    told = [("Morale", str(labels[0].morale)), ("Moves", f"{rate_of(labels[0])} inches")]
    for label in labels:
        of = ", a battery" if label.kind == "artillery_battery" and len(labels) > 1 else ""
        told += [
            (f"Fires{of}", _describe_fire(label, options)),
            (f"Melee{of}", _describe_melee(label, options)),
        ]
    return tuple(told)


def _format_dice(moving: int, still: int) -> str:
    """Dice of a stand, and those it has when it is stationary where they are others."""
    said = f"{moving} {'die' if moving == 1 else 'dice'} a stand"
    return said if still == moving else f"{said}, {still} stationary"


def _find_close_score(label: BrigadeLabel, options: Mapping[str, Any]) -> int:
    """The least score of guns at close range and in melee; a battery's is an option (RTG-CBT-15, 20)."""
    if label.kind == "artillery_battery":
        return int(options["battery_close_to_hit"])
    return GUNS[label.gun].short_hit


def _describe_fire(label: BrigadeLabel, options: Mapping[str, Any]) -> str:
    """Dice of a stand, when it is stationary, and the ranges with the least scores that hit."""
    dice = DICE[ROWS[dice_row(label)]]
    if dice.fire == 0:
        return "not at all"
    said = _format_dice(dice.fire, dice.stationary[0] if dice.stationary else dice.fire)
    if label.gun:
        gun, near = GUNS[label.gun], format_score(_find_close_score(label, options))
        return f"{said}; {gun.short:g} inches on {near}, {gun.long:g} on {format_score(gun.long_hit)}"
    arm = SMALL_ARMS["rifle" if label.has("rifles") else "smoothbore"]
    return f"{said}; {arm.long:g} inches on {format_score(arm.long_hit - int(label.has('sharpshooter')))}"


def _describe_melee(label: BrigadeLabel, options: Mapping[str, Any]) -> str:
    dice = DICE[ROWS[dice_row(label)]]
    said = _format_dice(dice.melee, dice.stationary[1] if dice.stationary else dice.melee)
    return (
        f"{said}; on {format_score(_find_close_score(label, options))}, to its front"
        if label.gun
        else f"{said}; on 6"
    )
