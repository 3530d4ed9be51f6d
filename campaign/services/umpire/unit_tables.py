"""Units imported from a file: new names, points and units, previewed before anything is written.

The library reads the file and finds what differs; what differs becomes acts, which the preview tries on the
present morning. Confirming does the same acts, all in one transaction and for one reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from import_export.fields import Field
from import_export.instance_loaders import CachedInstanceLoader
from import_export.resources import Diff, ModelResource
from import_export.results import RowResult
from import_export.widgets import CharWidget, IntegerWidget
from tablib import Dataset

from campaign.ledger.hash_chain import compute_digest
from campaign.ledger.world_rows import load_recorded_world
from campaign.models import Campaign, DayRecord, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.correction_effects import FULL, act_apply
from campaign.rules.umpire.corrections import Act, Add, Reinforce, Rename, act_to_json
from campaign.rules.world.world import World
from campaign.services.umpire.corrections import ActRefused, acts_perform
from rosters.domain.text import unescape_cell
from rosters.models import Unit
from rosters.sheet_cells import spoiled_cell, strip_zero_decimals
from rosters.table_files import TableFile, TableRefused, read_table

RULE = "HR-UMP-31"
#: Bytes of a file, and rows that are read.
LARGEST, ROWS = 2**20, 2_000
#: Columns that are taken, and those of an exported list that are not: a change in one of these is said.
READ = ("id", "name", "points")
ONLY_SHOWN = ("side", "formation", "nation", "troop_type", "gun_class")
#: Acts of one table, done together under one lock: three hundred units with another name and other points.
MOST = 600


class Text(CharWidget):
    """A cell of text, as it left in a file of ours."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        return unescape_cell(str("" if value is None else value).strip())


class Points(IntegerWidget):
    """A cell of whole points; a workbook may have them as 60.0, and 60.5 are none."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> int:
        points = parse_points(value)
        if points is None:
            raise ValueError(value)
        return points


def parse_points(value: Any) -> int | None:
    """Parse points from a cell; None when it is not a whole number."""
    text = strip_zero_decimals(str("" if value is None else value).strip().removeprefix("'"))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


class UnitDiff(Diff):
    """Differences of a row: old and new value by field."""

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

    def get_diff_class(self) -> type[UnitDiff]:
        return UnitDiff

    def save_instance(self, *args: Any, **kwargs: Any) -> None:
        return None


@dataclass(slots=True)
class UnitTablePlan:
    """Plan of an import: corrections with their rows, the changes in words, and the errors.

    `head` is the record it was tried on; `unread` is what rows say that is not taken. Rows count from 1, the
    columns' names; 0 is the whole file.
    """

    acts: list[tuple[int, Act]] = field(default_factory=list)
    changes: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)
    unread: list[tuple[int, str]] = field(default_factory=list)
    same: int = 0
    head: int | None = None

    @property
    def digest(self) -> str:
        """32 signs that are others when the acts, or the morning they were tried on, are."""
        return compute_digest(
            {"head": self.head, "acts": [[row, act_to_json(act)] for row, act in self.acts]}
        )[:32]


class PlanRefused(RuleViolation):
    """A table with rows to mend, `wrong` as its plan has them."""

    def __init__(self, wrong: Sequence[tuple[int, str]]) -> None:
        super().__init__(RULE, f"{len(wrong)} rows are to be mended first; nothing was written.", "file")
        self.wrong = wrong


def read_unit_table(data: bytes) -> TableFile:
    """Read the rows of a file. Raises RuleViolation when it is not a table of units.

    Of what is larger than `LARGEST` one byte more is enough to be refused.
    """
    if len(data) > LARGEST:
        raise _build_table_refusal(
            f"The file is larger than {LARGEST // 2**20} MB; take the columns that are read."
        )
    try:
        found = read_table(data, READ, most=ROWS, guess=True)
        for row, sentence in found.faults:
            raise TableRefused(sentence, row)
    except TableRefused as refused:
        raise _build_table_refusal(str(refused)) from refused
    if missing := [each for each in READ if each not in found.columns]:
        raise _build_table_refusal(
            f"The first row does not name {', '.join(missing)}; take a table of this list as it is."
        )
    if not found.rows:
        raise _build_table_refusal(f"The table has no row below the names of its columns; bring 1 to {ROWS}.")
    return found


def _build_table_refusal(sentence: str) -> RuleViolation:
    return RuleViolation(RULE, sentence, "file")


def build_unit_plan(campaign: Campaign, table: TableFile) -> UnitTablePlan:
    """Plan the import of a table into a campaign, tried on its coming morning."""
    plan, world = UnitTablePlan(head=campaign.head_id), load_recorded_world(campaign)
    plan.unread += [(0, note) for note in table.notes]
    for row in table.rows:  # no id begins with an apostrophe; a spreadsheet may set one before any text
        row.cells["id"] = row.cells["id"].removeprefix("'")
    rows = ([row.cells[name] for name in table.columns] for row in table.rows)
    data = Dataset(*rows, headers=table.columns)
    read = UnitReader(campaign).import_data(data, dry_run=True, raise_errors=False)
    taken, seen = set(world.units), set[str]()
    for row, result in zip(table.rows, read.rows, strict=True):
        number, cells = row.number, {name: unescape_cell(cell) for name, cell in row.cells.items()}
        plan.unread += [(number, words) for words in _list_ignored_cells(cells, world)]
        try:
            _row_belongs(row.cells, campaign, world, seen)
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
            break
    plan.unread += _named_alike(plan.acts)
    if len(plan.acts) > MOST:
        plan.wrong.append((0, f"The file changes more than {MOST} things; bring {MOST} at most at a time."))
    return plan


def _named_alike(acts: Sequence[tuple[int, Act]]) -> list[tuple[int, str]]:
    """A sentence for each name the table gives to several units."""
    named: dict[str, list[int]] = {}
    for row, act in acts:
        if isinstance(act, Rename | Add):
            named.setdefault(act.name, []).append(row)
    return [
        (rows[-1], f"{len(rows)} units get the name {name}; give each its own to tell them apart.")
        for name, rows in named.items()
        if len(rows) > 1
    ]


def _list_ignored_cells(cells: dict[str, str], world: World) -> list[str]:
    """List the cells of a known unit's row that an import cannot change, in sentences."""
    unit = world.units.get(cells["id"])
    if unit is None:
        return []
    now = {name: str(getattr(unit, name)) for name in ONLY_SHOWN}
    return [
        f"{unit.name}: its {name.replace('_', ' ')} stays {now[name]}; a table changes names and points. "
        "Use a correction for the rest."
        for name in ONLY_SHOWN
        if cells.get(name) and cells[name] != now[name]
    ]


def _row_belongs(cells: dict[str, str], campaign: Campaign, world: World, seen: set[str]) -> None:
    """Raises RuleViolation for a row of another campaign, the second row of a unit, and spoiled cells."""
    unit = world.units.get(cells["id"])
    for name in READ:
        stays = name == "name" and unit is not None and unit.name == unescape_cell(cells[name])
        if not stays and (fault := spoiled_cell(cells[name], is_name=name == "name")):
            raise RuleViolation(RULE, fault)
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
        return _build_new_unit(cells, world, taken)
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


def _build_new_unit(cells: dict[str, str], world: World, taken: set[str]) -> tuple[list[Act], list[str]]:
    """Build and describe the corrections that add a unit, which is given an id. Raises RuleViolation."""
    if cells["id"]:
        alike = re.sub(r"[\s-]+", "_", cells["id"].lower())
        cure = f"did you mean {alike}?" if alike in world.units else "a new one has no id, it is given one."
        raise RuleViolation(RULE, f"There is no unit {cells['id']!r} here; {cure}")
    number = 1
    while (key := f"umpire_{number}") in taken:
        number += 1
    taken.add(key)
    formation = cells.get("formation", "")
    if not formation:
        words = "Remove totals and headings; a new unit names its formation."
        raise RuleViolation(RULE, f"The row has neither id nor formation. {words}")
    points = parse_points(cells["points"])
    if points is None:
        raise _no_points(cells["points"])
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


def plan_perform(
    *, campaign: Campaign, plan: UnitTablePlan, digest: str, reason: str, actor: User
) -> list[DayRecord]:
    """Do what a plan says, all of it or nothing; `digest` is that of the plan that was shown.

    Raises PlanRefused for one with rows to mend, and RuleViolation with the row it is about: for another plan
    than was shown, for what cannot be done, and after somebody else's act.
    """
    if plan.wrong:
        raise PlanRefused(plan.wrong)
    if plan.digest != digest:
        words = "This is not what was shown: table or campaign is another. Look again."
        raise RuleViolation(RULE, words, "digest")
    try:
        return acts_perform(
            campaign=campaign,
            acts=[act for _, act in plan.acts],
            reason=reason,
            actor=actor,
            seen=plan.head,
        )
    except RuleViolation as violation:
        raise _in_row(violation, plan.acts) from violation


def _in_row(violation: RuleViolation, acts: Sequence[tuple[int, Act]]) -> RuleViolation:
    """A refusal with the row of the file it is about."""
    if not isinstance(violation, ActRefused) or violation.field == "reason":
        return violation
    return RuleViolation(violation.rule_id, f"Row {acts[violation.number][0]}: {violation.message}")
