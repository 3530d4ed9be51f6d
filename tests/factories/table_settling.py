"""A fight of the table settled by its figures, without entries of the sides."""

from collections.abc import Mapping, Sequence

from campaign.models import Battle, User
from campaign.rules.battles.table_results import UnitResult
from campaign.services.battles.entered_results import table_settlement
from campaign.services.battles.sectors import sector_complete
from campaign.services.battles.settlement import battle_settle


def battle_settle_by_table(
    *,
    battle: Battle,
    results: Mapping[str, UnitResult],
    field_held_by: str,
    actor: User | None,
    generals: Mapping[str, str] | None = None,
    pursuit: str = "",
    account: Sequence[str] = (),
) -> Battle:
    """Settle by what `table_settlement` takes, the engine's part of a split fight in it."""
    settlement = table_settlement(
        battle=battle, results=results, field_held_by=field_held_by, generals=generals, pursuit=pursuit
    )
    return battle_settle(battle, sector_complete(battle, settlement), actor, account)
