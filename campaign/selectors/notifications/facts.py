"""The facts a notification carries: which battle and its result, days played, what its reader does next.

All of it passes the door of the fog for the notification's reader: a battle nobody may show them, or a seat
they lost since, leaves the notification without facts (HR-DUE-03).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KT, KeyTransform
from django.http import Http404
from django.utils.formats import date_format

from campaign.fog.battles import battles_undone_for
from campaign.fog.viewers import Role, Viewer, viewer_of
from campaign.fog.visibility import battles_for
from campaign.models import Battle, Campaign, DayRecord, Notice, User, find_time_zone, format_time_zone
from campaign.rules.world.world import Theatre
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.battles.battles import losses_by_side
from campaign.text.place_names import CampaignNames, names_of_theatre

Kind = Notice.Kind
#: Kinds of notifications that carry facts.
WITH_FACTS = (Kind.BATTLE, Kind.RESULT, Kind.PUBLISHED)
#: What is said of a battle of a course that was left (HR-UMP-14).
UNDONE = "It was undone when the umpire rewound the campaign."
#: Days played longer ago than this before the last one were announced by another notification, or never.
TOGETHER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Reader:
    """A notification's reader in its campaign, and the words for what they may see."""

    viewer: Viewer
    theatre: Theatre
    names: CampaignNames

    def date_of(self, day: int) -> str:
        return _format_date(self.theatre.start + timedelta(days=day))


def facts_add(notices: Iterable[Notice], coming: Mapping[int, int]) -> list[Notice]:
    """Write on notifications the facts they carry; a few queries for each reader and campaign.

    `coming` is the day that orders are for by campaign, beyond the days completed where others have run on.
    """
    rows = list(notices)
    groups: dict[tuple[int, int], list[Notice]] = {}
    for notice in rows:
        notice.facts, notice.is_over = "", False
        if notice.kind in WITH_FACTS:
            groups.setdefault((notice.user_id, notice.campaign_id), []).append(notice)
    for group in groups.values():
        found = _describe_notifications(group[0].user, group[0].campaign, group, coming)
        for notice in group:
            notice.facts = found.get(notice.pk, "")
    return rows


def _describe_notifications(
    user: User, campaign: Campaign, notices: Collection[Notice], coming: Mapping[int, int]
) -> dict[int, str]:
    """The facts of notifications to one reader about one campaign, by the notification's key."""
    try:
        viewer = viewer_of(user, campaign, also=(Role.GUEST, Role.SPECTATOR))
    except Http404:  # the seat was lost since
        for notice in notices:
            notice.is_over = _asks_about_battle(notice)
        return {}
    theatre = theatre_load(campaign)
    reader = _Reader(viewer, theatre, names_of_theatre(theatre))
    played = [notice for notice in notices if notice.kind == Kind.PUBLISHED]
    fought = {notice.pk: key for notice in notices if (key := _parse_battle_key(notice)) is not None}
    ahead = 0 if viewer.looks_on else coming.get(campaign.pk, campaign.day) - campaign.day
    facts = _describe_days_played(reader, played, ahead) if played else {}
    keys = set(fought.values())
    battles = _load_battle_sentences(reader, battles_for(viewer).filter(pk__in=keys)) if keys else {}
    left = keys - battles.keys()
    undone = _load_battle_sentences(reader, battles_undone_for(viewer).filter(pk__in=left)) if left else {}
    for notice in notices:
        key = fought.get(notice.pk)
        asks = _asks_about_battle(notice)
        if key is None:
            continue
        if (battle := battles.get(key)) is not None:
            notice.is_over = bool(battle.outcome) and asks
            rest = battle.outcome if not asks else "It has since been resolved." if battle.outcome else ""
            facts[notice.pk] = f"{battle.named} {rest}".strip()
            continue
        notice.is_over = asks
        if key in undone:
            facts[notice.pk] = f"{undone[key].named} {UNDONE}"
    return facts


def _asks_about_battle(notice: Notice) -> bool:
    """Whether it asks its reader to see to a battle; that of a result asks nothing."""
    tells = notice.kind == Kind.RESULT and notice.subject.startswith("battle ")
    return _parse_battle_key(notice) is not None and not tells


def _parse_battle_key(notice: Notice) -> int | None:
    key = notice.subject.partition(" ")[2].partition(" ")[0]
    return int(key) if notice.kind in (Kind.BATTLE, Kind.RESULT) and key.isdecimal() else None


# --- battles ---


@dataclass(frozen=True, slots=True)
class _Fought:
    """A battle by name, date and sides, and its outcome in words, "" while it waits."""

    named: str
    outcome: str = ""


def _load_battle_sentences(reader: _Reader, battles: QuerySet[Battle]) -> dict[int, _Fought]:
    rows = battles.annotate(
        title=KT("inputs__file__title"), units=KeyTransform("units", KeyTransform("contact", "inputs"))
    )
    fields = ("pk", "day", "attacker", "defender", "state", "settlement", "title", "units")
    return {row["pk"]: _build_battle_sentences(reader, row) for row in rows.order_by().values(*fields)}


def _build_battle_sentences(reader: _Reader, row: Mapping[str, Any]) -> _Fought:
    """ "Battle of Bennington, 16 August 1777, A against B." "Field held by A. Losses: A 3 SP, B 12 SP."."""
    attacker, defender = reader.names.side(row["attacker"]), reader.names.side(row["defender"])
    named = f"{row['title']}, {reader.date_of(row['day'])}, {attacker} against {defender}."
    settlement = row["settlement"]
    if row["state"] != Battle.State.SETTLED or not settlement:
        return _Fought(named)
    held = settlement["field_held_by"]
    field = f"Field held by {reader.names.side(held) if held else 'neither side'}."
    lost = losses_by_side(settlement, row["units"] or (), (row["attacker"], row["defender"]))
    losses = ", ".join(f"{reader.names.side(side)} {sp} SP" for side, sp in lost.items())
    return _Fought(named, f"{field} Losses: {losses}.")


# --- days ---


def _describe_days_played(reader: _Reader, notices: Collection[Notice], ahead: int) -> dict[int, str]:
    """Describe the days played or undone, by the notification's key; the latest also says what its reader
    does next.

    `ahead` days have been played provisionally since, while a battle waits (HR-CAL-11).
    """
    campaign = reader.viewer.campaign
    records = {
        record.pk: record
        for record in DayRecord.objects.filter(
            campaign=campaign, kind__in=(DayRecord.Kind.DAY, DayRecord.Kind.ACT)
        ).only("pk", "kind", "day", "revision", "created_at")
    }
    announced = _list_announced_records(campaign)
    facts = {}
    for notice in notices:
        what, _, key = notice.subject.partition(" ")
        record = records.get(int(key)) if key.isdecimal() else None
        if record is None:
            continue
        morning = reader.date_of(record.day)
        now = (record.day, record.revision) == (campaign.day, campaign.revision)
        if what == "rewound":
            told = f"The campaign is back on the morning of {morning}."
        else:
            number = _count_days_played(record, records.values(), announced)
            more = f", and {ahead} more provisionally" if now and ahead else ""
            told = f"Days played: {number}{more}. It is now the morning of {morning}."
            if more:
                told = f"{told[:-1]}; other columns have moved on to {reader.date_of(campaign.day + ahead)}."
        facts[notice.pk] = f"{told} {_describe_next_task(reader)}".strip() if now else told
    return facts


def _list_announced_records(campaign: Campaign) -> list[int]:
    """Keys of the day records that a notification of the campaign was written about."""
    rows = Notice.objects.filter(campaign=campaign, kind=Kind.PUBLISHED, subject__startswith="record ")
    keys = (subject.removeprefix("record ") for subject in rows.values_list("subject", flat=True).distinct())
    return sorted(int(key) for key in keys if key.isdecimal())


def _count_days_played(record: DayRecord, records: Iterable[DayRecord], announced: Collection[int]) -> int:
    """Count the days played between the last announcement and this record."""
    before = max((key for key in announced if key < record.pk), default=0)
    return sum(
        each.kind == DayRecord.Kind.DAY
        and each.revision == record.revision
        and before < each.pk <= record.pk
        and record.created_at - each.created_at < TOGETHER
        for each in records
    )


def _describe_next_task(reader: _Reader) -> str:
    """Say what the reader has to do next, and until when."""
    viewer, campaign = reader.viewer, reader.viewer.campaign
    if campaign.state == Campaign.State.ENDED:
        return "The campaign has ended."
    if viewer.day_limit is not None:  # who looks on late is told no present deadline
        return ""
    told = []
    waiting = battles_for(viewer).filter(state=Battle.State.WAITING).count()
    if waiting:
        told.append(
            f"{waiting} battles wait to be resolved." if waiting > 1 else "1 battle waits to be resolved."
        )
    if campaign.deadline is not None and not campaign.paused:
        zone = find_time_zone(viewer.user, campaign)
        at = campaign.deadline.astimezone(zone)
        until = f"{date_format(at, 'l j F')} at {at:%H:%M} ({format_time_zone(zone)})"
        told.append(f"{'Submit your orders by' if viewer.may_order else 'Orders are due on'} {until}.")
    elif campaign.paused:
        told.append("The campaign is paused.")
    elif viewer.may_order:
        told.append("Submit your orders for the coming day; there is no deadline.")
    return " ".join(told)


def _format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
