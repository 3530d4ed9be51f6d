"""Rows that people are shown as record, and the digests by which the chain vouches for them (HR-PRF-03).

Each record of the chain vouches for itself (its author and its moment), for how the campaign is conducted,
and for every row that was finished since the record before. All digests are salted. What a rewind changes
of a finished row stands in a table of its own (`OF_COURSE`): there only records of the present course count.
"""

import hashlib
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.db.models import Prefetch, Q, QuerySet

from campaign.ledger.hash_chain import OF_COURSE, compute_digest, row_digests
from campaign.models import (
    Battle,
    BattleEntry,
    BattlePhoto,
    BattleReplay,
    Bulletin,
    Campaign,
    DayRecord,
    Letter,
    LetterCopy,
    OrderPaper,
    ProvisionalDay,
    RowDigest,
    Tenure,
)
from campaign.rules.umpire.settings import CONDUCTED

#: The record's own line among those it vouches for.
RECORD = "record"
#: Tables of which an archive holds nothing: its readers are not theirs.
NOT_IN_ARCHIVES = ("replays", "entries", "photos", "letters", "letter_states", "tenures")
#: Tables whose rows are large, and by table the columns that its keys do not need.
LARGE = ("battles", "replays", "photos", "bulletins", "provisional")
OF_BATTLE = (
    "battle__inputs",
    "battle__settlement",
    "battle__account",
    "battle__prediction",
    "battle__adjusted",
)
UNREAD: Mapping[str, tuple[str, ...]] = {
    "papers": ("body",),
    "paper_states": ("body",),
    "battles": ("inputs", "settlement", "account", "prediction", "adjusted"),
    "replays": ("data", "seen", "accounts", *OF_BATTLE),
    "entries": ("body", *OF_BATTLE),
    "photos": ("image", *OF_BATTLE),
    "bulletins": ("body",),
    "provisional": ("inputs", "parts", "events", "snapshot"),
}
#: Tables whose rows name their campaign by their battle.
OF_BATTLES = ("replays", "entries", "photos")
#: The field of a record's own line that tells which tables it vouches for.
TABLES_NAMED = "tables"


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """A table told as record: its fields, the one that names a person, and what archives call a row."""

    fields: tuple[str, ...]
    person: str
    key: Callable[[Any], str]


def _paper_key(row: Any) -> str:
    return f"{row.day}/{row.kind}/{row.formation}/{row.version}"


def _format_battle_key(row: Any) -> str:
    return f"{row.revision}/{row.contact}"


def _letter_key(row: Letter) -> str:
    """Not its code, which opens it, but a digest of that: an archive tells no letters."""
    return compute_digest(row.code)[:24]


TABLES: Mapping[str, RecordedTable] = {
    "papers": RecordedTable(
        ("day", "kind", "formation", "side", "body", "version", "number", "author", "submitted_at"),
        "submitted_by",
        _paper_key,
    ),
    "paper_states": RecordedTable(("state",), "", _paper_key),
    "battles": RecordedTable(
        (
            "revision", "dice_revision", "day", "contact", "minute", "place", "route", "attacker", "defender",
            "inputs", "source", "way", "ruleset", "adjusted", "sector", "settlement", "account", "plans",
            "prediction", "settled_at", "opened_at",
        ),
        "settled_by",
        _format_battle_key,
    ),
    "replays": RecordedTable(
        ("data", "seen", "accounts", "created_at"), "", lambda row: _format_battle_key(row.battle)
    ),
    "entries": RecordedTable(
        ("side", "state", "body", "version", "created_at", "updated_at"),
        "user",
        lambda row: f"{_format_battle_key(row.battle)}/{row.side}",
    ),
    "photos": RecordedTable(
        ("side", "image", "caption", "created_at"),
        "user",
        lambda row: f"{_format_battle_key(row.battle)}/{row.side}/{row.pk}",
    ),
    "bulletins": RecordedTable(
        ("revision", "week", "side", "foreword", "body", "published_at"),
        "published_by",
        lambda row: f"{row.revision}/{row.week}/{row.side}",
    ),
    "letters": RecordedTable(
        ("role", "side", "title", "subject", "text", "sealed", "day", "rides", "written_at", "copies"),
        "author",
        _letter_key,
    ),
    "letter_states": RecordedTable(
        ("withdrawn", "undone", "left", "answers", "root", "deliveries"), "", _letter_key
    ),
    "tenures": RecordedTable(
        ("role", "side", "title", "name", "from_day", "until_day", "created_at"),
        "user",
        lambda row: f"{row.from_day}/{row.role}/{row.side}/{row.pk}",
    ),
    "provisional": RecordedTable(
        ("revision", "day", "inputs", "parts", "halted", "events", "snapshot", "created_at"),
        "actor",
        lambda row: f"{row.revision}/{row.day}",
    ),
}  # fmt: skip


#: The copies of letters, in the order in which they were made.
COPIES = Prefetch("copies", queryset=LetterCopy.objects.order_by("pk"), to_attr="every_copy")
#: What is told of each copy's ride.
RIDE = ("side", "title", "due", "day", "minute", "die", "taken", "captured")


def list_finished_rows(
    campaign: Campaign, day: int, contacts: Iterable[str] = (), *, played: int
) -> dict[str, QuerySet[Any]]:
    """The rows that no service changes any more once the record of `day` is written, by table.

    `day` is the campaign day of the record's events, `contacts` the battles that day was played with and
    `played` the days completed with it. Only a rewind to before the record changes what is `OF_COURSE`.
    """
    fought = Q(day__lt=day) | Q(contact__in=list(contacts), revision=campaign.revision)
    battles = Battle.objects.filter(fought, campaign=campaign, state=Battle.State.SETTLED)
    of_battles = Q(battle__in=battles.values("pk"))
    papers = list_finished_papers(campaign, played)
    letters = Letter.objects.filter(campaign=campaign)
    waiting = Q(rides=True, left=None, withdrawn=False, undone=False)
    return {
        "papers": papers,
        "paper_states": papers,
        "battles": battles,
        "replays": BattleReplay.objects.filter(of_battles).select_related("battle"),
        "entries": BattleEntry.objects.filter(of_battles).select_related("battle"),
        "photos": BattlePhoto.objects.filter(of_battles).select_related("battle"),
        "bulletins": Bulletin.objects.filter(campaign=campaign, state=Bulletin.State.PUBLISHED),
        "letters": letters.prefetch_related(COPIES),
        "letter_states": letters.exclude(waiting).select_related("answers", "root").prefetch_related(COPIES),
        "tenures": Tenure.objects.filter(campaign=campaign, until_day__isnull=False),
        "provisional": ProvisionalDay.objects.filter(campaign=campaign, record__isnull=False),
    }


def list_finished_papers(campaign: Campaign, played: int) -> QuerySet[OrderPaper]:
    """The papers put in for days that are played, whatever became of them; no drafts, and none that waits."""
    put_in = OrderPaper.objects.filter(campaign=campaign, day__lt=played, version__gt=0)
    return put_in.exclude(state__in=(OrderPaper.State.DRAFT, OrderPaper.State.QUEUED))


class KeptRows(Mapping[str, Mapping[str, Any]]):
    """All rows of a recorded table by key: their fields, and their state if any.

    A few are read at a time, as they are asked for in the order in which they were made, and then forgotten.
    """

    def __init__(self, name: str, rows: QuerySet[Any]) -> None:
        self._name, self._rows = name, rows
        self._few = 5 if name in LARGE else 50
        short = rows.defer(*UNREAD.get(name, ()))
        self._places = {TABLES[name].key(row): row.pk for row in short.iterator(200)}
        self._order = sorted(self._places.values())
        self._read: dict[int, Mapping[str, Any]] = {}

    def __getitem__(self, key: str) -> Mapping[str, Any]:
        place = self._places[key]
        if place not in self._read:
            start = bisect_left(self._order, place)
            rows = self._rows.filter(pk__in=self._order[start : start + self._few])
            self._read = {row.pk: _get_row_state(row) | row_values(self._name, row) for row in rows}
        return self._read[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def recorded_rows(campaign: Campaign) -> dict[str, KeptRows]:
    """All rows of the recorded tables there are, by table and key."""
    return {name: KeptRows(name, rows) for name, rows in _list_all_rows(campaign).items()}


def _list_all_rows(campaign: Campaign) -> dict[str, QuerySet[Any]]:
    """All rows of the recorded tables, finished or not."""
    related = {"letters": (), "letter_states": ("answers", "root")} | dict.fromkeys(OF_BATTLES, ("battle",))
    found = {}
    for name, rows in list_finished_rows(campaign, 0, played=0).items():
        owner = "battle__campaign" if name in OF_BATTLES else "campaign"
        every = rows.model._default_manager.filter(**{owner: campaign}).order_by("pk")
        every = every.select_related(*related[name]) if related.get(name) else every
        found[name] = every.prefetch_related(COPIES) if rows.model is Letter else every
    return found


def _get_row_state(row: Any) -> dict[str, Any]:
    return {"state": row.state} if hasattr(row, "state") else {}


def row_values(name: str, row: Any) -> dict[str, Any]:
    """A row's fields as they are digested, with the person."""
    table = TABLES[name]
    values = {field: plain_value(_get_row_value(row, field)) for field in table.fields}
    if table.person:
        values[f"{table.person}_id"] = getattr(row, f"{table.person}_id")
    if isinstance(row, Letter):  # whoever guesses a short letter cannot try the guess
        return {field: value if value is None else [row.code, value] for field, value in values.items()}
    return values


def _get_row_value(row: Any, field: str) -> Any:
    if field == "copies":
        return [[copy.side, copy.title] for copy in row.every_copy if not copy.captured]
    if field == "deliveries":
        return [[getattr(copy, name) for name in RIDE] for copy in row.every_copy]
    if field in ("answers", "root"):
        other = getattr(row, field)
        return _letter_key(other) if other is not None else None
    if field == "snapshot":
        return hashlib.sha256(zlib.decompress(bytes(row.snapshot))).hexdigest()
    return getattr(row, field)


def plain_value(value: Any) -> Any:
    """A value as JSON has it: moments in UTC, bytes as their digest."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(bytes(value)).hexdigest()
    return value


def plain_rows(keys: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Rows by table and key, in order, as JSON has them."""
    return [list(key) for key in sorted(keys)]


def conduct_facts(campaign: Campaign) -> dict[str, Any]:
    """Return the campaign's settings of conduct and its course, as its records vouch for them."""
    return {name: getattr(campaign, name) for name in CONDUCTED}


def list_absent_rows(campaign: Campaign) -> list[tuple[str, str]]:
    """Table and key of the rows vouched for that did not come with the archive a campaign was imported from.

    An archive holds nothing of some tables, and all of the others.
    """
    lines = RowDigest.objects.filter(campaign=campaign, row=None, table__in=NOT_IN_ARCHIVES)
    return sorted(set(lines.values_list("table", "key")))


def build_row_digests(
    campaign: Campaign,
    salt: str,
    moment: datetime,
    actor: models.Model | None,
    rows: Iterable[RowDigest],
    lacking: Iterable[tuple[str, str]],
) -> list[RowDigest]:
    """Build the digests a record vouches for: its own line and `rows`.

    Its own line tells the rows that are `absent`, and with which head the campaign was imported.
    """
    own = {
        "created_at": plain_value(moment),
        "actor_id": actor.pk if actor else None,
        "absent": plain_rows(lacking),
        "imported_head": campaign.imported_head,
        TABLES_NAMED: sorted(TABLES),
        **conduct_facts(campaign),
    }
    line = RowDigest(campaign=campaign, table=RECORD, digests=row_digests(salt, own))
    return [line, *rows]


def digest_finished_rows(
    campaign: Campaign, salt: str, day: int, contacts: Iterable[str], played: int
) -> list[RowDigest]:
    """The rows finished by a record of `day` for which none before it vouches, with their digests."""
    made = []
    left = _find_abandoned_records(campaign)
    for name, rows in list_finished_rows(campaign, day, contacts, played=played).items():
        before = RowDigest.objects.filter(campaign=campaign, table=name).exclude(row=None)
        if left and name in OF_COURSE:
            before = before.exclude(record__in=left)
        for row in rows.exclude(pk__in=before.values("row")).order_by("pk"):
            values = row_values(name, row)
            if name == "battles" and values["prediction"] is None:  # it may be worked out yet
                del values["prediction"]
            made.append(
                RowDigest(
                    campaign=campaign,
                    table=name,
                    row=row.pk,
                    key=TABLES[name].key(row),
                    digests=row_digests(salt, values),
                )
            )
    return made


def _find_abandoned_records(campaign: Campaign) -> set[int]:
    """Records of courses that were given up by going back (HR-UMP-14)."""
    if campaign.revision == 1:
        return set()
    parents = dict(DayRecord.objects.filter(campaign=campaign).values_list("pk", "parent_id"))
    left, record = set(parents), campaign.head_id
    while record is not None:
        left.discard(record)
        record = parents[record]
    return left


def record_row_digests(campaign: Campaign) -> None:
    """Find the rows that digests out of an archive are of, so that none is vouched for twice."""
    keys = {
        (name, TABLES[name].key(row)): row.pk
        for name, rows in _list_all_rows(campaign).items()
        for row in rows.defer(*UNREAD.get(name, ())).iterator(200)
    }
    digests = list(RowDigest.objects.filter(campaign=campaign).exclude(table=RECORD))
    for each in digests:
        each.row = keys.get((each.table, each.key))
    RowDigest.objects.bulk_update(digests, ["row"], batch_size=200)
