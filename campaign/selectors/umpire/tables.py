"""Rows as files: the umpire's lists as tables, in CSV and XLSX. No cell of one is a formula."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery, Sum
from import_export.fields import Field
from import_export.formats.base_formats import CSV, XLSX, TablibFormat
from import_export.resources import ModelResource

from campaign.models import Campaign, JournalEntry
from campaign.ops.csv_escape import plain_cell
from rosters.models import Formation, Leader, Pool, Unit

#: The most rows of a file, by its kind: more belongs into an archive of the campaign. A workbook is dear (0.7
#: s for 2,000 rows), and whoever asks for it waits, and others behind him.
MOST = {"csv": 20_000, "xlsx": 5_000}


class ExportTable(ModelResource):
    """Columns of a list; cells are guarded on their way out."""

    def export_field(self, field: Field, instance: Model, **kwargs: Any) -> Any:
        value = field.get_value(instance)
        if isinstance(value, int) and not isinstance(value, bool):
            return value  # a number, which the library would write as text
        value = super().export_field(field, instance, **kwargs)
        return plain_cell(str("" if value is None else value))


def _build_export_field(name: str, path: str) -> Field:
    return Field(column_name=name, attribute=path.replace(".", "__"), readonly=True)


class UnitTable(ExportTable):
    """Units; the file can be brought back with other names and points (services/umpire/unit_tables.py)."""

    id = Field(column_name="id", attribute="slug")
    name = Field(column_name="name", attribute="name")
    points = Field(column_name="points", attribute="points")
    campaign = _build_export_field("campaign", "order_of_battle.campaign.slug")
    side = _build_export_field("side", "side.slug")
    formation = _build_export_field("formation", "formation.slug")
    nation = _build_export_field("nation", "nation")
    troop_type = _build_export_field("troop_type", "troop_type")
    gun_class = _build_export_field("gun_class", "gun_class")
    sp = _build_export_field("sp", "strength_points")
    status = _build_export_field("status", "status")

    class Meta:
        model = Unit
        fields = (
            "id", "name", "points", "campaign", "side", "formation", "nation", "troop_type", "gun_class",
            "sp", "status",
        )  # fmt: skip


class FormationTable(ExportTable):
    id = _build_export_field("id", "slug")
    campaign = _build_export_field("campaign", "order_of_battle.campaign.slug")
    side = _build_export_field("side", "side.slug")
    place = _build_export_field("place", "station.place")
    route = _build_export_field("route", "station.route")
    units = _build_export_field("units", "count")
    points = _build_export_field("points", "sum")

    class Meta:
        model = Formation
        fields = ("id", "name", "campaign", "side", "commander", "place", "route", "units", "points")


class PoolTable(ExportTable):
    campaign = _build_export_field("campaign", "order_of_battle.campaign.slug")

    class Meta:
        model = Pool
        fields = ("campaign", "nation", "arm", "points")


class LeaderTable(ExportTable):
    id = _build_export_field("id", "slug")
    campaign = _build_export_field("campaign", "order_of_battle.campaign.slug")
    side = _build_export_field("side", "side.slug")

    class Meta:
        model = Leader
        fields = ("id", "name", "campaign", "side", "rank", "command", "rating")


class JournalTable(ExportTable):
    campaign = _build_export_field("campaign", "campaign.slug")

    class Meta:
        model = JournalEntry
        fields = (
            "campaign", "day", "minute", "kind", "rule", "sides", "unit", "formation", "pool", "place",
            "route", "before", "after",
        )  # fmt: skip


RESOURCES: dict[type[Model], type[ExportTable]] = {
    Unit: UnitTable,
    Formation: FormationTable,
    Pool: PoolTable,
    Leader: LeaderTable,
    JournalEntry: JournalTable,
}


FORMATS: Mapping[str, type[TablibFormat]] = {"csv": CSV, "xlsx": XLSX}
MEDIA_TYPES = {"csv": "text/csv", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
#: What the tables are called in addresses: their rows, how a row leads to its campaign, their order.
_BOOKS = "order_of_battle__campaign"


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of a campaign: its rows, how they lead to the campaign, and in which order they stand."""

    model: type[Model]
    campaign: str = _BOOKS
    order: tuple[str, ...] = ("slug",)


LISTED: Mapping[str, Listed] = {
    "units": Listed(Unit),
    "formations": Listed(Formation),
    "pools": Listed(Pool, order=("nation", "arm")),
    "leaders": Listed(Leader),
    "journal": Listed(JournalEntry, "campaign", ("pk",)),
}


def list_table_rows(campaign: Campaign, name: str, since: int = 0) -> QuerySet[Any]:
    """The rows of one of the `LISTED` of a campaign. All there is of both sides: for umpires alone.

    Of the journal those from the campaign day `since` on, counted from 0; the other lists are as they stand.
    """
    listed = LISTED[name]
    rows: QuerySet[Any] = listed.model._default_manager.filter(**{listed.campaign: campaign})
    if listed.model is JournalEntry:
        rows = rows.filter(day__gte=since)
    return (annotate_formation_totals(rows) if listed.model is Formation else rows).order_by(*listed.order)


def annotate_formation_totals(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Formations with the number of their units and the sum of their points."""
    units = Unit.objects.filter(formation=OuterRef("pk")).order_by().values("formation")
    return rows.annotate(
        count=Subquery(units.annotate(each=Count("pk")).values("each")),
        sum=Subquery(units.annotate(each=Sum("points")).values("each")),
    )


def table_refusal(rows: QuerySet[Any], form: str) -> str:
    """Say in half a sentence why rows cannot be a file of one of the `FORMATS`; "" when they can."""
    count, most = rows.count(), MOST[form]
    if count <= most:
        return ""
    more = f", one of CSV {MOST['csv']}" if form != "csv" else ""
    return f"These are {count} rows, and a file of {form.upper()} holds {most}{more}"


def table_file(rows: QuerySet[Any], form: str) -> bytes:
    """Rows as a file of one of the `FORMATS`; no more than `MOST`, which the caller sees to."""
    joined = [path for path in RELATED[rows.model] if path]
    data = FORMATS[form]().export_data(RESOURCES[rows.model]().export(rows.select_related(*joined)))
    return (
        data if isinstance(data, bytes) else str(data).encode("utf-8-sig")
    )  # or accents are garbled in Excel


#: What is read with the rows of a table, so that it is a fixed number of queries.
RELATED: Mapping[type[Model], tuple[str, ...]] = {
    Unit: ("side", "formation", _BOOKS),
    Formation: ("side", "station", _BOOKS),
    Pool: (_BOOKS,),
    Leader: ("side", _BOOKS),
    JournalEntry: ("campaign",),
}
