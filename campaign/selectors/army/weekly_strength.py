"""Strength week by week: what each week's end left a viewer's units with, and what came between."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.core.cache import cache
from django.db.models import F, IntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from campaign.fog.visibility import Viewer, journal_for, list_known_units
from campaign.ledger.journal import records_on_course
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import DayRecord, JournalEntry
from campaign.rules.world.world import Theatre, UnitStatus, World

#: Points by side and unit of what stands on the map, trains left out (HR-REC-01).
Muster = Mapping[str, Mapping[str, int]]
#: Seconds for which a week's muster is kept; its key has the hash of the day, so it never grows wrong.
KEPT = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class WeekRecord:
    """A morning that began a week: the first of the campaign, or one after a week's end."""

    pk: int
    day: int
    hash: str


@dataclass(frozen=True, slots=True)
class WeeksChange:
    """Points a unit won and lost in a week by one kind of event under one rule."""

    kind: str
    rule: str
    gains: int
    losses: int

    @property
    def points(self) -> int:
        return self.gains + self.losses


@dataclass(frozen=True, slots=True)
class Musters:
    """The weeks' first mornings by day, and the changes by week (0 is the first) and unit."""

    by_day: Mapping[int, Muster]
    records: Mapping[int, WeekRecord]
    changes: Mapping[int, Mapping[str, tuple[WeeksChange, ...]]] = field(default_factory=dict)

    def before(self, day: int) -> Muster:
        """Return the strength of the units at the start of the week in which `day` lies."""
        known = [each for each in self.by_day if each <= day]
        return self.by_day[max(known)] if known else {}


def load_musters(viewer: Viewer, world: World) -> Musters:
    """All the campaign's weeks as the viewer knew them, in three or four queries, however long it was."""
    records = _load_week_records(viewer)
    by_day = _load_musters_by_day(viewer, records, world.theatre)
    return Musters(by_day, {each.day: each for each in records}, _load_week_changes(viewer, world))


def collect_known_points(viewer: Viewer, world: World) -> dict[str, dict[str, int]]:
    """Points by side and unit on the map, as far as the viewer knows."""
    found: dict[str, dict[str, int]] = {
        side.id: {} for side in world.theatre.sides if viewer.sees_all or side.id == viewer.side
    }
    for unit in list_known_units(viewer, world):
        if unit.status is UnitStatus.PRESENT and not unit.is_train:
            found[unit.side][unit.id] = unit.points
    return found


def week_world(record: WeekRecord, theatre: Theatre) -> World:
    """The true world of a week's first morning; what a viewer may see of it is decided elsewhere."""
    snapshot = DayRecord.objects.values_list("snapshot", flat=True).get(pk=record.pk)
    return snapshot_unpack(bytes(snapshot), theatre)


def _load_week_records(viewer: Viewer) -> list[WeekRecord]:
    kinds = (DayRecord.Kind.START, DayRecord.Kind.WEEK)
    rows = DayRecord.objects.filter(
        records_on_course(viewer.campaign), campaign=viewer.campaign, kind__in=kinds
    )
    found = {
        day: WeekRecord(pk, day, key)
        for pk, day, key in _list_record_values(rows, "pk", "day", "record_hash")
    }
    return [found[day] for day in sorted(found)]


def _list_record_values(rows: QuerySet[DayRecord], *columns: str) -> Iterable[tuple[int, int, str]]:
    return rows.order_by("pk").values_list(*columns)


def _load_musters_by_day(
    viewer: Viewer, records: Iterable[WeekRecord], theatre: Theatre
) -> dict[int, Muster]:
    """Musters by day: out of the cache, or read from the days' snapshots and put there."""
    whose = "all" if viewer.sees_all else f"side-{viewer.side}"
    keys = {each.pk: f"muster-1-{whose}-{each.hash}" for each in records}
    found = cache.get_many(keys.values())
    missing = [each.pk for each in records if keys[each.pk] not in found]
    if missing:
        snapshots = DayRecord.objects.filter(pk__in=missing).values_list("pk", "snapshot")
        fresh = {
            keys[pk]: collect_known_points(viewer, snapshot_unpack(bytes(snapshot), theatre))
            for pk, snapshot in snapshots.iterator()
        }
        cache.set_many(fresh, KEPT)
        found |= fresh
    return {each.day: found[keys[each.pk]] for each in records}


def _load_week_changes(viewer: Viewer, world: World) -> dict[int, dict[str, tuple[WeeksChange, ...]]]:
    """Changes of points the viewer was told of, by week and unit, added up by the database."""
    entries = journal_for(viewer).order_by()
    sums = list(_sum_point_changes(entries.filter(before__isnull=False).exclude(unit="")))
    if world.settings.couriers and not viewer.sees_all:
        sums += _sum_courier_changes(
            entries.filter(kind="told_by_courier", data__event__before__isnull=False)
        )
    found: dict[int, dict[str, list[WeeksChange]]] = defaultdict(lambda: defaultdict(list))
    for unit, week, kind, rule, gains, losses in sums:
        if unit and (gains or losses):
            found[week][unit].append(WeeksChange(kind, rule, gains or 0, losses or 0))
    return {
        week: {unit: tuple(changes) for unit, changes in of_week.items()} for week, of_week in found.items()
    }


_Sum = tuple[str, int, str, str, int | None, int | None]


def _sum_point_changes(entries: QuerySet[JournalEntry]) -> Iterable[_Sum]:
    """By unit, week, kind and rule; a battle's charges stand together under the first of its rules."""
    change = F("after") - F("before")
    return (
        entries.annotate(week=F("day") / 7)
        .values("unit", "week", "kind", "rule")
        .annotate(
            gains=Sum(change, filter=Q(after__gt=F("before"))),
            losses=Sum(change, filter=Q(after__lt=F("before"))),
        )
        .order_by("week", "unit", "kind", "rule")
        .values_list("unit", "week", "kind", "rule", "gains", "losses")
    )


def _sum_courier_changes(entries: QuerySet[JournalEntry]) -> Iterable[_Sum]:
    """The same of what couriers told, on the day they came (HR-COU-04)."""
    told = entries.annotate(
        week=F("day") / 7,
        whose=KT("data__event__unit"),
        what=KT("data__event__kind"),
        under=KT("data__event__rule"),
        was=Cast(KT("data__event__before"), IntegerField()),
        now=Cast(KT("data__event__after"), IntegerField()),
    )
    change = F("now") - F("was")
    return (
        told.values("whose", "week", "what", "under")
        .annotate(
            gains=Sum(change, filter=Q(now__gt=F("was"))), losses=Sum(change, filter=Q(now__lt=F("was")))
        )
        .order_by("week", "whose", "what", "under")
        .values_list("whose", "week", "what", "under", "gains", "losses")
    )
