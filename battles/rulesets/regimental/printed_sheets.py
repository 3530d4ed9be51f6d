"""These rules on paper: a unit's card, a leader's, and how a battle ends. No numba here.

Distances are inches of 25 yards whatever the size of the figures.
"""

from collections.abc import Mapping
from typing import Any

from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.printing.sheet_types import CardTerms, Figures, ReferenceTable, TableTerms, UnitTerms
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.figures import RATE_ROWS, small_arms
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.ratings import Troops, troops_of
from battles.rulesets.regimental.reference import reference_of
from battles.rulesets.regimental.strength import count_stands
from battles.rulesets.regimental.tables import (
    AT_OBJECTIVE,
    BASES,
    CANNON,
    CANNON_COLUMNS,
    COMMAND_RADIUS,
    QUIET_TURNS,
    RATES,
    RATINGS,
    SHORT_RADIUS,
)
from rosters.domain.vocabulary import TYPES, GunClass, Weapon

MILLIMETRES = 25.4
#: Front of a battalion in line by which blinds are cut: six stands.
BLIND_STANDS = 6
KINDS = {r.FOOT: "foot", r.HORSE: "horse", r.GUNS: "guns", r.WAGONS: "wagons"}
CANNON_NAMES = dict(enumerate(CANNON, r.SIEGE_GUN))
#: What leaders are called.
RANKS = {"brigadier": "Brigadier", "senior": "Division commander", "commander_in_chief": "Commander in chief"}
FIRST_ROWS = {r.FOOT: r.R_LINE, r.HORSE: r.H_LINE, r.GUNS: r.G_FOOT, r.WAGONS: r.G_SIEGE}


class RegimentalSheetTerms:
    """Terms of printed sheets under the Regimental rules (`terms.SheetTerms`)."""

    def table(self, battle: BattleFile, figures: Figures) -> TableTerms:
        """The layout of the battle, alike for figures of any size (REG-GEN-01, REG-DEF-01)."""
        options = options_resolve(battle.options)
        first = battle.attacker if options["first_player"] == "attacker" else battle.defender
        front, depth = BASES["foot"]
        return TableTerms(
            inch=INCH,
            distances="inches of 25 yards, for figures of any size",
            base=(front * BLIND_STANDS * MILLIMETRES, depth * MILLIMETRES),
            based="a battalion in line",
            moves_as="infantry in line",
            first_move=f"{battle.side_name(first)} has the first turn",
            late="side by side about the middle",
        )

    def kind(self, unit: BattleUnit, options: Mapping[str, Any]) -> str:
        """The kind of troops of a unit; of an enemy's guns the class is not told (HR-FOG-03)."""
        troops = troops_of(unit, options_resolve(options))
        battery = TYPES[unit.troop_type].weapon is Weapon.GUN
        return describe_troops(troops, named=not battery or unit.gun_class is not GunClass.NONE)

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A unit's card: its stands, its rating, what it moves and fires."""
        chosen = options_resolve(options)
        troops = troops_of(unit, chosen)
        facts = [
            ("Rated", RATINGS[troops.rating]),
            ("Moves", self._moves(troops)),
            ("Fires", self._fires(troops, chosen)),
        ]
        if troops.class_ in (r.FOOT, r.HORSE):
            facts.append(("Cold steel", "yes" if troops.bayonets else "no"))
            stands = count_stands(unit)
            if stands > 1:
                facts.append(("Worn, spent", f"at {at_most(stands, chosen)} stands"))
        if troops.militia:
            facts.append(("Militia", "provisional command, no field column, 1 less in a charge"))
        return UnitTerms(describe_troops(troops), "", (("stands", count_stands(unit)),), facts=tuple(facts))

    def _moves(self, troops: Troops) -> str:
        row = FIRST_ROWS[troops.class_]
        if troops.weapon == r.GALLOPER:
            row = r.G_GALLOPER
        elif troops.weapon in (r.SIEGE_GUN, r.SIEGE_HOWITZER):
            row = r.G_SIEGE
        elif troops.class_ == r.FOOT and (troops.marksmen or troops.light):
            row = r.R_EXTENDED
        full, quick = RATE_ROWS[row].open
        formed = {r.R_LINE: " in line", r.R_EXTENDED: " in extended line", r.H_LINE: " in line"}.get(row, "")
        return f"{full} inches{formed}, {quick} at the double quick"

    def _fires(self, troops: Troops, options: Mapping[str, Any]) -> str:
        """Points of a stand and how far they reach."""
        if troops.weapon == r.NO_WEAPON:
            return "not at all"
        if troops.class_ != r.GUNS:
            arms = small_arms(options)[troops.weapon]
            told = ", ".join(f"{points} up to {inches:g}" for inches, points in arms)
            return f"points a stand: {told} inches"
        columns = (options["canister_max_in"], *CANNON_COLUMNS[1:])
        points = CANNON[CANNON_NAMES[troops.weapon]]
        reaches = zip(columns, points, strict=True)
        told = ", ".join(f"{one} up to {inches:g}" for inches, one in reaches if one)
        return f"points a stand: {told} inches"

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """A leader's card (REG-CMD, REG-LDR)."""
        rate = RATES["leader"]["mounted"].open[0]
        facts = (
            ("Commands", f"{COMMAND_RADIUS:g} inches in sight, {SHORT_RADIUS:g} when attached"),
            ("With a unit", "+1 to its maneuver and in charges"),
            ("Moves", f"{rate} inches"),
        )
        boxes = (("wounded", 1), ("out of the battle", 1), ("killed", 1), ("captured", 1))
        return UnitTerms(RANKS[leader.rank], "leader", boxes, facts=facts)

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """Sentences on when a battle is over and who then holds the field (REG-DEF-08)."""
        told = [self._breaks(battle, side) for side in (battle.attacker, battle.defender)]
        told.append("A side with no unit left that is not broken, and none to come, has lost the field too.")
        undecided = f"the day ends, or {QUIET_TURNS} turns go by without a shot, a charge or ground gained"
        if battle.objective is None:
            told.append(f"Otherwise, when {undecided}, the side with more victory points holds the field.")
        else:
            told.append(
                f"Otherwise, when {undecided}, the field is his who alone has unbroken troops within "
                f"{AT_OBJECTIVE:g} inches of the spot fought for, marked on the map; if neither has, "
                "nobody's."
            )
        return tuple(told)

    def _breaks(self, battle: BattleFile, side: str) -> str:
        present = sum(count_stands(unit) for unit in battle.units if unit.side == side)
        percent = battle.break_points.get(side, battle.break_percent)
        stands, name = -(-present * percent // 100), battle.side_name(side)
        return (
            f"{name[:1].upper()}{name[1:]}, {present} stands in all, breaks off when {stands} are lost "
            f"({percent} %), and the other side holds the field."
        )

    def cards(self, battle: BattleFile) -> tuple[CardTerms, ...]:
        """No deck is played with."""
        return ()

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""
        return reference_of(options_resolve(battle.options))


def describe_troops(troops: Troops, *, named: bool = True) -> str:
    """Troops in words: veteran foot, marksmen; trained medium guns."""
    said = KINDS[troops.class_]
    if troops.class_ == r.GUNS and named:
        said = f"{CANNON_NAMES[troops.weapon].replace('_', ' ')}s"
    if troops.class_ == r.WAGONS:
        return said
    words = [f"{RATINGS[troops.rating]} {said}"]
    if troops.marksmen:
        words.append("marksmen")
    if troops.militia:
        words.append("militia")
    return ", ".join(words)


def at_most(stands: int, options: Mapping[str, Any]) -> str:
    """The most stands at which a unit is worn, and spent (REG-UNI-03)."""
    shares = [tuple(map(int, str(options[name]).split("/"))) for name in ("worn_at", "spent_at")]
    return ", ".join(f"{stands * top // bottom}" for top, bottom in shares)
