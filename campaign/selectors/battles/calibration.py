"""Odds against results of the umpire's campaigns (HR-CAB-01): what the page and its table of figures tell."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from battles.odds.calibration import (
    ENDS,
    GUESSING,
    Calibration,
    Case,
    build_calibration,
    case_of,
    describe_calibration,
)
from battles.odds.intervals import describe_interval
from campaign.drawing.charts_svg import SharePoint, reliability_svg
from campaign.fog.viewers import list_chief_campaigns
from campaign.fog.visibility import Viewer, battles_for, jobs_for
from campaign.models import Battle, Campaign, Job, Seat
from campaign.ops.csv_escape import plain_cell
from campaign.text.battle_measures import rules_title

#: How a battle was settled, in words.
WAYS = {"engine": "Fought by the engine", "table": "Fought on the table", "umpire": "The umpire\u2019s word"}
END_WORDS = {"win": "the attacker", "draw": "neither side", "loss": "the defender"}
#: What is needed of a battle; its ground is large and not asked for.
COLUMNS = ("pk", "day", "attacker", "defender", "source", "ruleset", "settlement", "prediction")
UNITS, TITLE = "inputs__file__units", "inputs__file__title"

Cells = tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """A settled battle; without a prediction its case is None."""

    campaign: str
    slug: str
    key: int
    day: int
    title: str
    ruleset: str
    way: str
    when: str
    end: str
    prediction: Mapping[str, Any] | None
    lost: Mapping[str, int]
    case: Case | None


@dataclass(frozen=True, slots=True)
class CalibrationGroup:
    """Battles judged together, in figures for a table."""

    name: str
    found: Calibration
    brier: str
    expected: str
    by_frequency: str
    bands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Figures on how well the odds of the chosen battles did."""

    n: int
    without: int
    sentences: tuple[str, ...]
    whole: CalibrationGroup
    by_ruleset: tuple[CalibrationGroup, ...]
    by_way: tuple[CalibrationGroup, ...]
    bins: tuple[tuple[str, int, str, str], ...]
    diagram: str
    guessing: str = f"{GUESSING:.2f}"


def rows_of(viewers: Iterable[Viewer]) -> list[CalibrationRow]:
    """Settled battles of these umpires' campaigns, each campaign's present course, oldest first."""
    found = []
    for viewer in viewers:
        settled = battles_for(viewer).filter(state=Battle.State.SETTLED).order_by("day", "minute", "pk")
        found += [
            _build_calibration_row(viewer.campaign, values)
            for values in settled.values(*COLUMNS, UNITS, TITLE)
        ]
    return found


def list_calibration_rows(viewer: Viewer, *, everywhere: bool = False, way: str = "") -> list[CalibrationRow]:
    """Battles of the viewer's campaign or of every one he is umpire of; of one way of `WAYS`, or all."""
    viewers = [viewer]
    if everywhere:
        others = list_chief_campaigns(viewer.user).exclude(pk=viewer.campaign.pk).order_by("pk")
        viewers += [Viewer(campaign, viewer.user, Seat.Role.UMPIRE, "", "") for campaign in others]
    rows = rows_of(viewers)
    return [row for row in rows if row.way == way] if way in WAYS else rows


def battles_without(viewer: Viewer) -> int:
    """Count the settled battles of the viewer's campaign that have no odds."""
    return battles_for(viewer).filter(state=Battle.State.SETTLED, prediction__isnull=True).count()


def _build_calibration_row(campaign: Campaign, values: Mapping[str, Any]) -> CalibrationRow:
    settlement, prediction = values["settlement"] or {}, values["prediction"]
    sides = {unit["id"]: unit["side"] for unit in values[UNITS] or ()}
    lost = {values["attacker"]: 0, values["defender"]: 0}
    for loss in settlement.get("losses", ()):
        if loss["unit"] in sides:
            lost[sides[loss["unit"]]] += loss["sp_lost"] + loss["sp_captured"]
    holder = settlement.get("field_held_by", "")
    end = "draw" if not holder else "win" if holder == values["attacker"] else "loss"
    return CalibrationRow(
        campaign=campaign.title,
        slug=campaign.slug,
        key=values["pk"],
        day=values["day"] + 1,
        title=values[TITLE] or "",
        ruleset=str((prediction or {}).get("ruleset") or values["ruleset"] or campaign.ruleset),
        way=values["source"],
        when=(prediction or {}).get("when", ""),
        end=end,
        prediction=prediction,
        lost=lost,
        case=_parse_case(prediction, end, lost),
    )


def _parse_case(prediction: Mapping[str, Any] | None, end: str, lost: Mapping[str, int]) -> Case | None:
    """The case of a prediction; one that came damaged from an archive is none."""
    if not prediction:
        return None
    try:
        return case_of(prediction, end, lost)
    except (KeyError, TypeError, ValueError):
        return None


def measure_reliability(rows: Iterable[CalibrationRow]) -> Reliability:
    """Measure how well the odds of these battles did."""
    listed = list(rows)
    told = [row for row in listed if row.case is not None]
    whole = _build_calibration_group("All", told)
    return Reliability(
        n=len(told),
        without=len(listed) - len(told),
        sentences=tuple(describe_calibration(whole.found)),
        whole=whole,
        by_ruleset=tuple(_iter_calibration_groups(told, "ruleset", rules_title)),
        by_way=tuple(_iter_calibration_groups(told, "way", lambda way: WAYS.get(way, way))),
        bins=tuple(
            (
                f"{100 * each.low:.0f} to {100 * each.high:.0f}",
                each.n,
                f"{100 * each.predicted:.0f}\N{NO-BREAK SPACE}%",
                describe_interval(each.came, each.n),
            )
            for each in whole.found.bins
        ),
        diagram=reliability_svg(
            "How often the odds said it, and how often it came",
            [
                SharePoint(each.predicted, each.came.value, each.came.low, each.came.high, each.n)
                for each in whole.found.bins
            ],
        ),
    )


def _iter_calibration_groups(rows: list[CalibrationRow], key: str, name: Any) -> Iterable[CalibrationGroup]:
    for value in sorted({getattr(row, key) for row in rows}):
        yield _build_calibration_group(name(value), [row for row in rows if getattr(row, key) == value])


def _build_calibration_group(name: str, rows: list[CalibrationRow]) -> CalibrationGroup:
    found = build_calibration(row.case for row in rows if row.case is not None)
    return CalibrationGroup(
        name=name,
        found=found,
        brier=f"{found.brier:.2f}" if found.n else "",
        expected=f"{found.expected:.2f}" if found.n else "",
        by_frequency=f"{found.by_frequency:.2f}" if found.n else "",
        bands=tuple(
            f"{band.within} of {band.n} ({100 * band.expected:.0f} % expected)" for band in found.bands
        ),
    )


def predictions_running(viewer: Viewer) -> int:
    """Count the predictions of this campaign that are being computed."""
    busy = (Job.State.QUEUED, Job.State.RUNNING)
    return jobs_for(viewer).filter(kind="battle_prediction", state__in=busy).count()


# --- as a table of figures ---

HEAD = (
    "campaign", "day", "battle", "rules", "settled by", "odds worked out", "odds that the attacker holds",
    "odds that neither holds", "odds that the defender holds", "who held the field",
    "Brier score (0 best, 2 worst)", "side", "SP", "SP lost", "SP lost by the odds, mean",
    "SP lost by the odds, 5 %", "SP lost by the odds, 25 %", "SP lost by the odds, 75 %",
    "SP lost by the odds, 95 %",
)  # fmt: skip


def iter_calibration_cells(rows: Iterable[CalibrationRow]) -> Iterable[Cells]:
    """A line for each side of each battle that has odds."""
    for row in rows:
        if row.case is None or row.prediction is None:
            continue
        shares = tuple(round(float(row.prediction[end]), 4) for end in ENDS)
        begins: Cells = (row.campaign, row.day, row.title, row.ruleset, row.way, row.when, *shares)
        for side in row.prediction["sides"]:
            figures = tuple(float(side[key]) for key in ("mean", "p5", "p25", "p75", "p95"))
            lost = row.lost.get(side["id"], 0)
            yield (
                *begins,
                END_WORDS[row.end],
                round(row.case.brier, 4),
                side["id"],
                side["sp"],
                lost,
                *figures,
            )


def table_text(rows: Iterable[CalibrationRow]) -> str:
    """The table as CSV; no cell of it is a formula."""
    written = io.StringIO()
    written.write("\ufeff")  # or some programs take the letters for another alphabet's
    table = csv.writer(written)
    table.writerow(HEAD)
    table.writerows([plain_cell(cell) for cell in row] for row in iter_calibration_cells(rows))
    return written.getvalue()
