"""A battle that comes about again after the campaign has gone back; what was decided of it (HR-UMP-14)."""

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.ledger.journal import records_on_course
from campaign.models import Battle, Campaign, DayRecord
from campaign.rules.world.world_json import to_canonical_json


def battles_alike(campaign: Campaign, contact: str, frozen: Mapping[str, Any]) -> list[Battle]:
    """Battles of courses now undone that came about alike to the last man, the latest first."""
    undone = Battle.objects.filter(
        campaign=campaign, contact=contact, revision__lt=campaign.revision
    ).order_by("-revision")
    return [battle for battle in undone if _encode_opening(battle.inputs) == _encode_opening(frozen)]


def _encode_opening(inputs: Mapping[str, Any]) -> bytes:
    """What a battle was opened with; facts noted since for rules of its own are left out."""
    return to_canonical_json({"contact": inputs["contact"], "file": inputs["file"]})


def find_kept_result(campaign: Campaign, alike: Sequence[Battle]) -> Battle | None:
    """The battle of a course now undone whose result the umpire kept when he took the campaign back."""
    settled = next((battle for battle in alike if battle.state == Battle.State.SETTLED), None)
    if settled is None:
        return None
    rewind = campaign.records.filter(revision=campaign.revision, kind="act").order_by("pk").first()
    act = rewind.inputs["act"] if rewind is not None else {}
    return settled if act.get("keep") and settled.contact not in act.get("anew", ()) else None


def decided_before(campaign: Campaign, contact: str, frozen: Mapping[str, Any]) -> dict[str, Any]:
    """What acts that still stand on the course have decided of a battle, as fields of its row.

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
    """Adjustments as they were after these acts."""
    made = {act["number"] for act in acts if act["kind"] == "battle_adjust"}
    back = {act["number"] for act in acts if act["kind"] == "battle_take_back"}
    return [
        one if one["number"] in back else {key: value for key, value in one.items() if key != "back"}
        for one in adjusted
        if one["number"] in made
    ]
