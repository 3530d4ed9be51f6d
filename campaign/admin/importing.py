"""Units brought in from a file: other names and points, and new units. Nothing is written before it is said.

The library reads the file and finds what differs; what differs becomes acts, which the preview tries on the
present morning. Confirming does the same acts, all in one transaction and for one reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zipfile import ZipFile

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from import_export.fields import Field
from import_export.formats.base_formats import CSV
from import_export.instance_loaders import CachedInstanceLoader
from import_export.resources import Diff, ModelResource
from import_export.results import RowResult
from import_export.widgets import CharWidget, IntegerWidget
from openpyxl import load_workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from tablib import Dataset
from tablib.exceptions import InvalidDimensions

from campaign.admin.asking import MOST, done_told, dress
from campaign.admin.base import DeskAdmin
from campaign.admin.work import Work, work_of
from campaign.cells import cell_read
from campaign.frequency import TABLE, upload_verify
from campaign.models import Campaign
from campaign.rules.acts import Act, Add, Reinforce, Rename, act_from_json, act_to_json
from campaign.rules.errors import RuleViolation
from campaign.rules.umpiring import FULL, act_apply
from campaign.rules.world import World
from campaign.services.umpire import ActRefused, acts_perform
from campaign.state import world_recorded
from campaign.uploads import Refused, zip_verify
from campaign.web.forms import SentenceForm, whole_number
from campaign.web.umpire_form import reason_field
from rosters.models import Unit

RULE = "HR-UMP-31"
SALT = "units-from-a-file"
#: Bytes of a file, of what a workbook unpacks to, and rows that are read.
LARGEST, UNPACKED, ROWS = 2**20, 20 * 2**20, 5_000
#: Parts of a workbook, and to how small a part of itself one may have shrunk.
PARTS, SHRUNK = 200, 1000
#: Columns of a workbook that are looked at.
COLUMNS = 50


class Text(CharWidget):
    """A cell of text, as it left in a file of ours."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        return cell_read(str("" if value is None else value).strip())


class Points(IntegerWidget):
    """A cell of whole points; a workbook may have them as 60.0, and 60.5 are none."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> int:
        points = points_read(value)
        if points is None:
            raise ValueError(value)
        return points


def points_read(value: Any) -> int | None:
    """Points out of a cell, None for what is no whole number."""
    return whole_number(str("" if value is None else value).strip().removesuffix(".0"))


class Change(Diff):
    """What a row changes: what was and what is to be, by field."""

    def as_html(self) -> list[tuple[str, str]]:
        return list(zip(self.left, self.right, strict=True))


class UnitReader(ModelResource):
    """Reads names and points of a campaign's units; writes nothing, whatever it is asked."""

    id = Field(column_name="id", attribute="slug", widget=Text())
    name = Field(column_name="name", attribute="name", widget=Text())
    points = Field(column_name="points", attribute="points", widget=Points())

    class Meta:
        model = Unit
        fields = ("id", "name", "points")
        import_id_fields = ("id",)
        instance_loader_class = CachedInstanceLoader
        use_transactions = False
        skip_unchanged = True
        report_skipped = True

    def __init__(self, campaign: Campaign) -> None:
        super().__init__()
        self.campaign = campaign

    def get_queryset(self) -> Any:
        return Unit.objects.filter(order_of_battle=self.campaign.order_of_battle_id)

    def get_diff_class(self) -> type[Change]:
        return Change

    def save_instance(self, *args: Any, **kwargs: Any) -> None:
        return None


@dataclass(slots=True)
class Plan:
    """What a file would do: acts with the rows they come from, what they change in words, what is wrong."""

    acts: list[tuple[int, Act]] = field(default_factory=list)
    changes: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)
    same: int = 0


class FileForm(SentenceForm):
    """Which campaign, and the file."""

    campaign = forms.ChoiceField(label="Campaign")
    file = forms.FileField(label="File", help_text="CSV or XLSX with the columns id, name and points.")

    def __init__(self, *args: Any, work: Work) -> None:
        super().__init__(*args)
        choice = self.fields["campaign"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(each.slug, work.called(each)) for each in work.campaigns.values()]
        self.work = work
        dress(self)

    def clean_campaign(self) -> Campaign:
        slug = self.cleaned_data["campaign"]
        return next(each for each in self.work.campaigns.values() if each.slug == slug)

    def clean_file(self) -> Dataset:
        try:
            upload_verify(self.work.person.pk, TABLE)
            return dataset_read(self.cleaned_data["file"])
        except RuleViolation as violation:
            raise forms.ValidationError(violation.message) from violation


class ConfirmForm(SentenceForm):
    """Why it is done; the plan comes back signed."""

    plan = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"] = reason_field()
        dress(self)


def dataset_read(file: UploadedFile) -> Dataset:
    """The rows of a file. Raises RuleViolation for what is no table."""
    name, size = str(file.name).lower(), file.size or 0
    if size > LARGEST:
        raise _unreadable(f"The file is larger than {LARGEST // 2**20} MB; take the columns that are read.")
    try:
        if name.endswith(".xlsx"):
            with ZipFile(file) as book:
                zip_verify(
                    book, files=PARTS, largest=UNPACKED, together=UNPACKED, shrunk=SHRUNK, folders=True
                )
            file.seek(0)
            data = _workbook_read(file)
        else:
            text = file.read().decode("utf-8-sig").replace("\0", "")
            first = text.partition("\n")[0]
            data = CSV().create_dataset(text, delimiter=";" if first.count(";") > first.count(",") else ",")
    except RuleViolation:
        raise
    except Refused as refused:
        raise _unreadable(f"The workbook is not read: {refused}. Save it as CSV.") from refused
    except InvalidDimensions as error:
        raise _unreadable("A row has more cells than the first; a comma in a name needs quotes.") from error
    except Exception as error:  # those of the readers of two formats share no base
        raise _unreadable("This is no table that can be read; save it as CSV (UTF-8) or XLSX.") from error
    missing = [each for each in ("id", "name", "points") if each not in (data.headers or ())]
    if missing:
        raise _unreadable(
            f"The first row does not name {', '.join(missing)}; take a table of this list as it is."
        )
    if not 0 < len(data) <= ROWS:
        raise _unreadable(f"The table has {len(data)} rows; bring 1 to {ROWS}.")
    return data


def _workbook_read(file: UploadedFile) -> Dataset:
    """The first sheet, no further than is read here: what it says of its own size is not believed."""
    sheet = load_workbook(file, read_only=True, data_only=True).active
    assert isinstance(sheet, ReadOnlyWorksheet)
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_col=COLUMNS, values_only=True)
    head = list(next(rows, ()))
    width = max((at for at, cell in enumerate(head, start=1) if cell is not None), default=0)
    data = Dataset(headers=head[:width])
    for row in rows:
        if len(data) == ROWS:
            raise _unreadable(f"The table has more than {ROWS} rows; bring 1 to {ROWS}.")
        cells = row or (None,) * width
        if any(cell is not None for cell in cells[width:]):
            raise InvalidDimensions
        data.append(cells[:width])
    return data


def _unreadable(sentence: str) -> RuleViolation:
    return RuleViolation(RULE, sentence, "file")


def plan_made(campaign: Campaign, data: Dataset) -> Plan:
    """What a table would do to a campaign's units, tried on its coming morning."""
    plan, world = Plan(), world_recorded(campaign)
    read = UnitReader(campaign).import_data(data, dry_run=True, raise_errors=False)
    taken, seen = set(world.units), set[str]()
    for number, (row, result) in enumerate(zip(data.dict, read.rows, strict=True), start=2):
        cells = {
            str(key): cell_read(str("" if value is None else value).strip()) for key, value in row.items()
        }
        if not any(cells.values()):
            continue
        try:
            _row_belongs(cells, campaign, seen)
            acts, words = _row_acts(cells, result, world, taken)
            for act in acts:
                world = act_apply(world, act, "A table is tried.").world
        except RuleViolation as violation:
            plan.wrong.append((number, f"{violation.message} ({violation.rule_id})"))
            continue
        plan.acts += [(number, act) for act in acts]
        plan.changes += [(number, word) for word in words]
        plan.same += not acts
    if len(plan.acts) > MOST:
        plan.wrong.append((0, f"The file changes {len(plan.acts)} things; bring {MOST} at most at a time."))
    return plan


def _row_belongs(cells: dict[str, str], campaign: Campaign, seen: set[str]) -> None:
    """Raises RuleViolation for a row of another campaign, and for the second row of a unit."""
    named, key = cells.get("campaign", ""), cells["id"]
    if named not in ("", campaign.slug):
        raise RuleViolation(RULE, f"This is a row of the campaign {named!r}, not of {campaign.slug!r}.")
    if key and key in seen:
        raise RuleViolation(RULE, f"The id {key} stands in the file twice; give each unit one row.")
    seen.add(key)


def _row_acts(
    cells: dict[str, str], result: RowResult, world: World, taken: set[str]
) -> tuple[list[Act], list[str]]:
    """The acts of a row and what they change, in words. Raises RuleViolation."""
    if result.errors or result.validation_error is not None:
        raise _no_points(cells["points"])
    if result.is_skip():
        return [], []
    if result.is_new():
        return _new(cells, world, taken)
    _, (was_name, name), (was_points, points) = result.diff
    found: list[Act] = []
    words: list[str] = []
    if name != was_name:
        found.append(Rename("unit", cells["id"], name))
        words.append(f"{was_name}: is called {name}")
    if points != was_points:
        found.append(Reinforce(cells["id"], int(points) - int(was_points)))
        words.append(f"{name}: {was_points} points, then {points}")
    return found, words


def _no_points(cell: str) -> RuleViolation:
    said = f"{cell!r} are no points" if cell else "The points are missing"
    return RuleViolation(RULE, f"{said}; give a whole number from 0 to {FULL}.")


def _new(cells: dict[str, str], world: World, taken: set[str]) -> tuple[list[Act], list[str]]:
    """A unit that is not in the books: it is given an id."""
    if cells["id"]:
        raise RuleViolation(
            RULE, f"There is no unit {cells['id']!r} here; a new one has no id, it is given one."
        )
    number = 1
    while (key := f"umpire_{number}") in taken:
        number += 1
    taken.add(key)
    points = points_read(cells["points"])
    if points is None:
        raise _no_points(cells["points"])
    formation = cells.get("formation", "")
    if formation not in world.formations:
        raise RuleViolation(
            RULE, f"There is no formation {formation!r} for the new unit; name one by its id."
        )
    act = Add(
        id=key,
        name=cells["name"],
        side=cells.get("side", "") or world.formations[formation].side,
        nation=cells.get("nation", ""),
        troop_type=cells.get("troop_type", ""),
        points=points,
        formation=formation,
        gun_class=cells.get("gun_class", "") or "none",
    )
    return [act], [f"{act.name}: new, {points} points, in {world.formations[formation].name}"]


class ImportPage(DeskAdmin):
    """The list of units with the page that takes a file."""

    list_before_template = "umpire/_import_link.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.import_view)
        return [path("import/", view, name="rosters_unit_import"), *super().get_urls()]

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """The file is asked for, then shown as what it would do, then done."""
        if "plan" in request.POST:
            return self._confirmed(request)
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = FileForm(*sent, work=work_of(request))
        form.initial = {"campaign": request.GET.get("of", "")}
        if not form.is_bound or not form.is_valid():
            return self._answer(request, {"form": form}, 422 if form.is_bound else 200)
        campaign: Campaign = form.cleaned_data["campaign"]
        plan = plan_made(campaign, form.cleaned_data["file"])
        if plan.wrong or not plan.acts:
            return self._answer(request, {"form": form, "plan": plan}, 422 if plan.wrong else 200)
        signed = signing.dumps(
            {
                "user": work_of(request).person.pk,
                "campaign": campaign.pk,
                "head": campaign.head_id,
                "acts": [(row, act_to_json(act)) for row, act in plan.acts],
                "changes": plan.changes,
            },
            salt=SALT,
            compress=True,
        )
        confirm = ConfirmForm(initial={"plan": signed})
        called = work_of(request).called(campaign)
        return self._answer(request, {"confirm": confirm, "plan": plan, "called": called})

    def _confirmed(self, request: HttpRequest) -> HttpResponse:
        form, work = ConfirmForm(request.POST), work_of(request)
        try:
            kept = signing.loads(request.POST["plan"], salt=SALT, max_age=24 * 3600)
        except signing.BadSignature:
            kept = {"campaign": 0, "user": 0}
        campaign = work.campaigns.get(kept["campaign"])
        if campaign is None or kept["user"] != work.person.pk:
            empty = FileForm(work=work)
            return self._answer(
                request, {"form": empty, "lost": "This preview is old; bring the file again."}, 422
            )
        plan = Plan(
            acts=[(row, act_from_json(act)) for row, act in kept["acts"]],
            changes=[(row, words) for row, words in kept["changes"]],
        )
        if form.is_valid():
            try:
                records = acts_perform(
                    campaign=campaign,
                    acts=[act for _, act in plan.acts],
                    reason=form.cleaned_data["reason"],
                    actor=work.person,
                    seen=kept["head"],
                )
            except RuleViolation as violation:
                form.refuse(_in_row(violation, plan.acts))
            else:
                self.message_user(request, done_told(campaign, records, work))
                return redirect(reverse("umpire:rosters_unit_changelist"))
        return self._answer(request, {"confirm": form, "plan": plan, "called": work.called(campaign)}, 422)

    def _answer(self, request: HttpRequest, shown: dict[str, Any], status: int = 200) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Units from a file",
            "back": reverse("umpire:rosters_unit_changelist"),
            **shown,
        }
        return TemplateResponse(request, "umpire/import.html", context, status=status)


def _in_row(violation: RuleViolation, acts: Sequence[tuple[int, Act]]) -> RuleViolation:
    """A refusal with the row of the file it is about."""
    if not isinstance(violation, ActRefused) or violation.field == "reason":
        return violation
    return RuleViolation(violation.rule_id, f"Row {acts[violation.number][0]}: {violation.message}")
