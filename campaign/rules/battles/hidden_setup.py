"""Hidden set-up of a fight on the table: who scouts better, and what dummies that gives (HR-TAB-21)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from battles.files.schema import BattleUnit
from battles.printing.sheet_types import TableTerms
from campaign.rules.scouting.sighting import WOODS
from campaign.rules.world.settings import RuleSettings
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, TroopType

#: Units for each dummy of who scouts better, of equals and of who scouts worse.
BETTER, EVEN, WORSE = 3, 4, 6
#: The same for twice the enemy's scouting; the enemy then has none.
FAR_BETTER = 2
#: Inches of a battle file, 200 yards, within which a clear view turns a blind up (HR-TAB-22).
IN_VIEW = 12.0


def turned_up(table: TableTerms) -> str:
    """The printed rule for revealing a blind, with distances in inches of this table (HR-TAB-22)."""
    return (
        f"A blind moves as {table.moves_as}. Turn it up when it fires, charges or is charged, and when an "
        f"enemy unit has a clear view of it within {IN_VIEW * table.inch:g} inches, in woods as near as "
        "troops are seen there. A dummy then goes off the table. Who comes later comes unhidden."
    )


@dataclass(frozen=True, slots=True)
class SetUp:
    """A side's rights in a hidden set-up: units for each dummy (0: none), and who sets up first."""

    units_a_dummy: int
    first: bool
    told: str

    def dummies(self, units: int) -> int:
        """The number of dummies for so many hidden units: at least one if there are any."""
        return max(1, units // self.units_a_dummy) if self.units_a_dummy and units else 0


def score_scouting(units: Iterable[BattleUnit], settings: RuleSettings, terrain: str) -> int:
    """A side's scouting score: SP of scouts times the miles they see beyond infantry.

    By the miles of HR-FOG-01; in wooded country all but natives see less far. Late troops count too: both
    sides know them, and must not learn who is late.
    """
    percent = settings.sight_woods_percent if terrain in WOODS else 100
    light = max(0, settings.sight_light_miles - settings.sight_foot_miles) * percent
    natives = max(0, settings.sight_natives_miles - settings.sight_foot_miles) * 100
    return sum(
        unit.sp * (natives if unit.troop_type is TroopType.INDIANS else light)
        for unit in units
        if _is_scout(unit)
    )


def _is_scout(unit: BattleUnit) -> bool:
    facts = TYPES[unit.troop_type]
    return facts.arm is Arm.MOUNTED or facts.order is FormationOrder.OPEN


def hidden_setup(
    units: Iterable[BattleUnit],
    attacker: str,
    defender: str,
    settings: RuleSettings,
    terrain: str,
    what: str = "units",
) -> Mapping[str, SetUp]:
    """Each side's set-up rights, from the troops both know of; `what` is the thing under a blind."""
    known = list(units)
    worth = {
        side: score_scouting((unit for unit in known if unit.side == side), settings, terrain)
        for side in (attacker, defender)
    }
    return {
        attacker: _set_up(worth[attacker], worth[defender], what, attacks=True),
        defender: _set_up(worth[defender], worth[attacker], what, attacks=False),
    }


def _set_up(own: int, enemy: int, what: str, *, attacks: bool) -> SetUp:
    if own == enemy:
        order = "being the attacker you set out first" if attacks else "the attacker sets out first"
        return SetUp(EVEN, attacks, f"Both sides scout alike: {order}, with a dummy for every {EVEN} {what}.")
    if own > enemy:
        each = FAR_BETTER if own >= 2 * enemy else BETTER
        return SetUp(
            each,
            False,
            f"You scout better: the enemy sets out first, and you have a dummy for every {each} {what}.",
        )
    if enemy >= 2 * own:
        return SetUp(0, True, "The enemy scouts far better: you set out first, and without dummies.")
    return SetUp(
        WORSE, True, f"The enemy scouts better: you set out first, with a dummy for every {WORSE} {what}."
    )
