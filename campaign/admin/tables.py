"""Rows as files: what each list holds as a table, in CSV and XLSX. No cell of it is a formula."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from import_export.fields import Field
from import_export.formats.base_formats import CSV, XLSX, TablibFormat
from import_export.resources import ModelResource

from campaign.admin.base import DeskAdmin
from campaign.cells import plain_cell
from campaign.models import JournalEntry
from rosters.models import Formation, Leader, Pool, Unit

#: The most rows of a file: more belongs into an archive of the campaign.
MOST = 20_000


class Table(ModelResource):
    """Columns of a list; cells are guarded on their way out."""

    def export_field(self, field: Field, instance: Model, **kwargs: Any) -> Any:
        value = field.get_value(instance)
        if isinstance(value, int) and not isinstance(value, bool):
            return value  # a number, which the library would write as text
        value = super().export_field(field, instance, **kwargs)
        return plain_cell(str("" if value is None else value))


def _column(name: str, path: str) -> Field:
    return Field(column_name=name, attribute=path.replace(".", "__"), readonly=True)


class UnitTable(Table):
    """Units; the file can be brought back with other names and points (campaign.admin.importing)."""

    id = Field(column_name="id", attribute="slug")
    name = Field(column_name="name", attribute="name")
    points = Field(column_name="points", attribute="points")
    campaign = _column("campaign", "order_of_battle.campaign.slug")
    side = _column("side", "side.slug")
    formation = _column("formation", "formation.slug")
    nation = _column("nation", "nation")
    troop_type = _column("troop_type", "troop_type")
    gun_class = _column("gun_class", "gun_class")
    sp = _column("sp", "strength_points")
    status = _column("status", "status")

    class Meta:
        model = Unit
        fields = (
            "id", "name", "points", "campaign", "side", "formation", "nation", "troop_type", "gun_class",
            "sp", "status",
        )  # fmt: skip


class FormationTable(Table):
    id = _column("id", "slug")
    campaign = _column("campaign", "order_of_battle.campaign.slug")
    side = _column("side", "side.slug")
    place = _column("place", "station.place")
    route = _column("route", "station.route")
    units = _column("units", "count")
    points = _column("points", "sum")

    class Meta:
        model = Formation
        fields = ("id", "name", "campaign", "side", "commander", "place", "route", "units", "points")


class PoolTable(Table):
    campaign = _column("campaign", "order_of_battle.campaign.slug")

    class Meta:
        model = Pool
        fields = ("campaign", "nation", "arm", "points")


class LeaderTable(Table):
    id = _column("id", "slug")
    campaign = _column("campaign", "order_of_battle.campaign.slug")
    side = _column("side", "side.slug")

    class Meta:
        model = Leader
        fields = ("id", "name", "campaign", "side", "rank", "command", "rating")


class JournalTable(Table):
    campaign = _column("campaign", "campaign.slug")

    class Meta:
        model = JournalEntry
        fields = (
            "campaign", "day", "minute", "kind", "rule", "sides", "unit", "formation", "pool", "place",
            "route", "before", "after",
        )  # fmt: skip


RESOURCES: dict[type[Model], type[Table]] = {
    Unit: UnitTable,
    Formation: FormationTable,
    Pool: PoolTable,
    Leader: LeaderTable,
    JournalEntry: JournalTable,
}


def _table(form: type[TablibFormat], words: str) -> Callable[..., HttpResponse | None]:
    extension = form().get_extension()

    def action(desk: DeskAdmin, request: HttpRequest, rows: Any) -> HttpResponse | None:
        if rows.count() > MOST:
            desk.message_user(request, f"A file holds {MOST} rows at most; choose fewer.", messages.WARNING)
            return None
        data = RESOURCES[desk.model]().export(rows)
        name = f"{desk.opts.verbose_name_plural}-{timezone.now():%Y-%m-%d}.{extension}".replace(" ", "-")
        answer = HttpResponse(form().export_data(data), content_type=form().get_content_type())
        answer["Content-Disposition"] = content_disposition_header(True, name) or ""
        return answer

    action.__name__ = f"table_{extension}"
    return admin.action(description=f"As a table ({words})", permissions=["view"])(action)


TABLES = [_table(CSV, "CSV"), _table(XLSX, "XLSX")]
