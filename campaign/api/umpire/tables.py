"""The umpire's lists as tables, and units brought in from one: shown first, then done for a reason."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.parsing import FormParser
from campaign.api.framework.problems import KINDS, problem_response
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import UmpireView
from campaign.api.umpire.turns import RecordsShape
from campaign.ops.rate_limit import TABLE
from campaign.rules.errors import RuleViolation
from campaign.selectors.umpire.tables import (
    FORMATS,
    LISTED,
    MEDIA_TYPES,
    list_table_rows,
    table_file,
    table_refusal,
)
from campaign.services.umpire.unit_tables import (
    LARGEST,
    RULE,
    PlanRefused,
    UnitTablePlan,
    build_unit_plan,
    plan_perform,
    read_unit_table,
)

UMPIRES = "The umpire and the assistants; for others there is nothing here."


class TableFormShape(Shape):
    """The kind of file, and for the journal the first day."""

    form = serializers.ChoiceField([*FORMATS], default="csv")
    since = serializers.IntegerField(
        min_value=1, default=1, help_text="The first day, counted from 1; for the journal alone."
    )


class UnitsFileShape(Shape):
    """A table of units as CSV (UTF-8) or XLSX, with the columns id, name and points.

    A row without id is a new unit: it names a formation by id, nation, troop_type and gun_class."""

    media_type = "multipart/form-data"

    file = serializers.FileField(max_length=200)


class UnitsConfirmShape(UnitsFileShape):
    """The same table once more, with the digest of what it was shown to do, and why."""

    media_type = "multipart/form-data"

    digest = serializers.CharField(max_length=64, help_text="Of the preview.")
    reason = serializers.CharField(max_length=300, help_text="Stands in the journal.")


class TableRowShape(Shape):
    """The effect of a table's row, or its error."""

    row = serializers.IntegerField(min_value=0, help_text="1 is that of the columns; 0: the whole file.")
    says = serializers.CharField()


class UnitsPlanShape(Shape):
    """The changes a table would make to the units on the present morning."""

    digest = serializers.CharField(help_text="Sent with the table to do it; empty where nothing is to do.")
    changes = TableRowShape(many=True)
    wrong = TableRowShape(many=True, help_text="Rows to mend: while there are any, nothing can be done.")
    unread = TableRowShape(many=True, help_text="What the table says that is not taken.")
    same = serializers.IntegerField(min_value=0, help_text="Rows that change nothing.")


class TableDownload(UmpireView):
    """A list as a file."""

    @endpoint(
        "tables_read",
        "A list as a table",
        query=TableFormShape,
        files=dict.fromkeys(MEDIA_TYPES.values(), "The table; no cell of it is a formula."),
        cost=10,
        refuses=(422,),
        seen=UMPIRES,
    )
    def get(self, request: Request, slug: str, table: str) -> HttpResponse:
        """units, formations, pools, leaders or journal, of both sides, as CSV or XLSX."""
        if table not in LISTED:
            raise Http404
        rows, form = list_table_rows(self.campaign, table, since=self.asked["since"] - 1), self.asked["form"]
        if words := table_refusal(rows, form):
            todo, field = _suggest_alternative(table, larger=not table_refusal(rows, "csv"))
            raise RuleViolation(RULE, f"{words}; {todo}.", field)
        name = content_disposition_header(True, f"{slug}-{table}.{form}") or ""
        answer = HttpResponse(table_file(rows, form), content_type=MEDIA_TYPES[form])
        answer["Content-Disposition"] = name
        return answer


def _suggest_alternative(table: str, *, larger: bool) -> tuple[str, str]:
    """Suggest an alternative to a file that is too long, and the parameter for it; `larger`: CSV would be
    short enough.
    """
    if table == "journal":
        return "name a later day in `since`, or read it in pages at journal/", "since"
    return ("ask for CSV in `form`", "form") if larger else ("take the archive", "")


class UnitsView(UmpireView):
    """A view that takes a table of units."""

    parser_classes = (FormParser,)

    def plan(self) -> UnitTablePlan:
        """Return the changes the table sent would make. Raises RuleViolation for a file that is no table."""
        file: UploadedFile[Any] = self.given["file"]
        return build_unit_plan(self.campaign, read_unit_table(file.read(LARGEST + 1)))


class UnitsPreview(UnitsView):
    """A table of units, looked at."""

    @endpoint(
        "tables_units_preview",
        "What a table of units would do",
        answer=UnitsPlanShape,
        body=UnitsFileShape,
        scope=Scope.UMPIRE,
        cost=TABLE,
        largest=LARGEST + 64 * 1024,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Other names, points and new units, row by row, with what is wrong. Writes nothing (HR-UMP-31)."""
        plan = self.plan()
        return {
            "digest": plan.digest if plan.acts and not plan.wrong else "",
            "changes": _build_row_messages(plan.changes),
            "wrong": _build_row_messages(plan.wrong),
            "unread": _build_row_messages(plan.unread),
            "same": plan.same,
        }


class Units(UnitsView):
    """A table of units, done."""

    @endpoint(
        "tables_units_bring",
        "Bring a table of units in",
        answer=RecordsShape,
        status=201,
        body=UnitsConfirmShape,
        scope=Scope.UMPIRE,
        cost=TABLE,
        largest=LARGEST + 64 * 1024,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str) -> Any:
        """Does what the preview showed, each change an act, all of them or none.

        With the digest of another table, or of a morning gone by, it is refused; so is a table with a row to
        mend, each of them in `errors`. Rules: HR-UMP-31."""
        try:
            records = plan_perform(
                campaign=self.campaign,
                plan=self.plan(),
                digest=self.given["digest"],
                reason=self.given["reason"],
                actor=self.person,
            )
        except PlanRefused as refused:
            errors = [{"field": f"row {row}", "detail": words} for row, words in refused.wrong]
            rule, field = refused.rule_id, refused.field
            return problem_response(KINDS["rule"], refused.message, rule=rule, field=field, errors=errors)
        return {"records": records}


def _build_row_messages(rows: list[tuple[int, str]]) -> list[dict[str, Any]]:
    return [{"row": row, "says": words} for row, words in rows]
