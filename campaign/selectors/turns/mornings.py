"""Mornings gone by: the world as it was recorded then, for those who look back."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.fog.visibility import Viewer, orders_for
from campaign.ledger.journal import records_on_course
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Campaign, DayRecord, OrderPaper, ProvisionalDay
from campaign.rules.world.world import World
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.orders.orders import SidePapers


@dataclass(frozen=True, slots=True)
class RecordedMorning:
    """A morning of the present course, after `day` completed days.

    `key` changes whenever anything that was recorded of it does; "" where a morning is provisional.
    """

    day: int
    key: str
    record: int = 0
    provisional: ProvisionalDay | None = None


def morning_find(campaign: Campaign, day: int, ahead: Iterable[ProvisionalDay]) -> RecordedMorning | None:
    """A morning by the days completed before it; None for one that has not come.

    `ahead` are the days that have run on while a battle waits (HR-CAL-11).
    """
    records = DayRecord.objects.filter(records_on_course(campaign), campaign=campaign)
    rows = records.filter(day__in=(day, day + 1)).order_by("pk").values_list("pk", "day", "record_hash")
    here = [row for row in rows if row[1] == day]
    if here:
        key = ".".join(row[2] for row in rows)  # with the next day's, whose papers were this morning's
        return RecordedMorning(day, key, record=here[-1][0])
    provisional = next((each for each in ahead if each.day + 1 == day), None)
    return RecordedMorning(day, "", provisional=provisional) if provisional else None


def morning_world(campaign: Campaign, morning: RecordedMorning) -> World:
    """The world as it was then, from one snapshot."""
    if morning.provisional is not None:
        snapshot = morning.provisional.snapshot
    else:
        snapshot = DayRecord.objects.values_list("snapshot", flat=True).get(pk=morning.record)
    return snapshot_unpack(bytes(snapshot), theatre_load(campaign))


def papers_then(viewer: Viewer, day: int) -> SidePapers:
    """The orders carried out on a day, as far as they are the viewer's to read."""
    papers = orders_for(viewer).filter(
        day=day, kind=OrderPaper.Kind.ACTIVITY, state=OrderPaper.State.CARRIED_OUT
    )
    return SidePapers(orders={paper.formation: paper for paper in papers.order_by("version")})
