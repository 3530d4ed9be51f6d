"""A battle that happens again after a rewind, and what was decided of it (HR-UMP-14, HR-TAB-08)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from campaign.ledger.journal import records_on_course
from campaign.models import Battle, BattleEntry, BattlePhoto, Campaign, DayRecord, User
from campaign.rules.battles.battle_inputs import by_unit, read_settlement_muster
from campaign.rules.battles.table_results import NEITHER, Entry, UnitResult, entry_to_json
from campaign.rules.world.world_json import to_canonical_json
from campaign.services.battles.outcomes import settlement_from_json


def battles_alike(campaign: Campaign, contact: str, frozen: Mapping[str, Any]) -> list[Battle]:
    """Battles of courses now undone that came about alike to the last man, the latest first."""
    undone = Battle.objects.filter(
        campaign=campaign, contact=contact, revision__lt=campaign.revision
    ).order_by("-revision")
    return [battle for battle in undone if _encode_opening(battle.inputs) == _encode_opening(frozen)]


def _encode_opening(inputs: Mapping[str, Any]) -> bytes:
    """Encode the contact and file a battle was opened with, without facts added later for its own rules."""
    return to_canonical_json({"contact": inputs["contact"], "file": inputs["file"]})


def find_kept_result(campaign: Campaign, alike: Sequence[Battle]) -> Battle | None:
    """Find the battle of an undone course whose result the umpire kept when rewinding the campaign."""
    settled = next((battle for battle in alike if battle.state == Battle.State.SETTLED), None)
    if settled is None:
        return None
    rewind = campaign.records.filter(revision=campaign.revision, kind="act").order_by("pk").first()
    act = rewind.inputs["act"] if rewind is not None else {}
    return settled if act.get("keep") and settled.contact not in act.get("anew", ()) else None


def decided_before(campaign: Campaign, contact: str, frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Earlier decisions about a battle that are still valid on this course, as fields of its row.

    Those are acts of a morning the campaign has gone back to after the battle had been met.
    """
    if campaign.revision == 1:
        return {}
    records = DayRecord.objects.filter(
        records_on_course(campaign), campaign=campaign, kind=DayRecord.Kind.ACT, day__lte=campaign.day
    ).filter(inputs__act__field__contact=contact)
    acts = [inputs["act"] for inputs in records.order_by("pk").values_list("inputs", flat=True)]
    before = next(iter(battles_alike(campaign, contact, frozen)), None) if acts else None
    if before is None:
        return {}
    found: dict[str, Any] = {"adjusted": _list_standing_adjustments(before.adjusted, acts)}
    for act in acts:
        if act["kind"] == "battle_way":
            found |= {"way": act["way"], "ruleset": act["ruleset"]}
        elif act["kind"] == "battle_split":
            found["sector"] = act["units"]
        if found.get("way", before.way) != Battle.Way.TABLE:
            found["sector"] = []
    return found


def _list_standing_adjustments(
    adjusted: list[dict[str, Any]], acts: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """List the adjustments that are valid after these corrections."""
    made = {act["number"] for act in acts if act["kind"] == "battle_adjust"}
    back = {act["number"] for act in acts if act["kind"] == "battle_take_back"}
    return [
        one if one["number"] in back else {key: value for key, value in one.items() if key != "back"}
        for one in adjusted
        if one["number"] in made
    ]


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
    """Copy an entry with its author and time."""
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
    costs |= {key: (one.sum_points(lost), one.units) for key, one in muster.items()}
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
