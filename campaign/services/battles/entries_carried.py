"""What was entered of a battle goes with it when it comes about again alike (HR-TAB-08)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from campaign.models import Battle, BattleEntry, BattlePhoto, User
from campaign.rules.battles.battle_inputs import by_unit, read_settlement_muster
from campaign.rules.battles.table_results import NEITHER, Entry, UnitResult, entry_to_json
from campaign.services.battles.outcomes import settlement_from_json


def entries_carry(*, before: Battle, battle: Battle) -> None:
    """Give a battle that came about again what was entered of it before, unconfirmed, and its photographs.

    What the umpire had confirmed of a fight on the table stands beside it as his own entry. Figures go with
    it only where it is fought by the same rules: others may count in other points (HR-BAT-13).
    """
    if before.ruleset == battle.ruleset:
        _figures_carry(before, battle)
    for photo in before.photos.all():
        BattlePhoto.objects.create(
            battle=battle, side=photo.side, user=photo.user, image=bytes(photo.image), caption=photo.caption
        )


def _figures_carry(before: Battle, battle: Battle) -> None:
    for row in before.entries.filter(state=BattleEntry.State.ENTERED).select_related("user"):
        _carry_entry(battle, row.side, row.user, row.body, row.updated_at)
    if before.source == "table" and before.settlement:
        body = entry_to_json(entry_of(before.settlement))
        _carry_entry(battle, "", before.settled_by, body, before.settled_at or before.opened_at)


def _carry_entry(battle: Battle, side: str, user: User | None, body: dict[str, Any], at: datetime) -> None:
    """An entry as it was, with its author and his hour."""
    facts = {"user": user, "body": body, "state": BattleEntry.State.ENTERED}
    row, _ = BattleEntry.objects.update_or_create(battle=battle, side=side, defaults=facts)
    BattleEntry.objects.filter(pk=row.pk).update(updated_at=at)  # a save would make it now


def entry_of(stored: Mapping[str, Any]) -> Entry:
    """A settlement as an entry that says the same, in the points of its table (HR-BAT-13)."""
    settlement = settlement_from_json(stored)
    muster = read_settlement_muster(stored)
    losses = {loss.unit: loss for loss in settlement.losses}
    lost = {key: (loss.sp_lost, loss.sp_captured) for key, loss in losses.items()}
    alone = set(losses) - set(by_unit(muster.values()))
    costs: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {key: (lost[key], (key,)) for key in alone}
    costs |= {key: (one.gathered(lost), one.units) for key, one in muster.items()}
    return Entry(
        units={
            key: UnitResult(*cost, all(losses[unit].sp_left == 0 < losses[unit].sp_start for unit in units))
            for key, (cost, units) in sorted(costs.items())
            if any(any(lost[unit]) for unit in units)
        },
        generals={general.general: general.fate for general in settlement.generals},
        held_by=settlement.field_held_by or NEITHER,
        pursuit=settlement.pursuit,
    )
