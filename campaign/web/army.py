"""The army: its order of battle, what changed it and why, what it can count on; as a page and as a file."""

import csv
from collections.abc import Iterator
from datetime import timedelta
from functools import cached_property

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from campaign.names import Names, names_of
from campaign.rules.world import World
from campaign.selectors.army import FormationRow, SideRow, army
from campaign.selectors.musters import Musters, musters, week_world
from campaign.selectors.prospects import prospects
from campaign.selectors.returns import Change
from campaign.selectors.standing import calendar
from campaign.selectors.strength import strength
from campaign.selectors.unit_roll import unit_roll, unit_weeks
from campaign.unit_words import arm_words, kind_words, state_words
from campaign.visibility import units_known, world_known
from campaign.web.access import is_fragment, signed_in
from campaign.web.cells import plain_cell
from campaign.web.charts import causes_chart, course_chart
from campaign.web.desk import Desk
from campaign.web.forms import whole_number

COLUMNS = (
    "side", "belongs to", "formation", "commander", "where", "formation's state", "unit", "arm", "kind",
    "state", "points", "SP", "points at the week's start", "change", "reasons",
)  # fmt: skip


class Sheet:
    """What the pages of an army read: the week that was asked for, and the world at its end."""

    def __init__(self, request: HttpRequest, slug: str) -> None:
        self.desk: Desk = Desk.of(request.user, slug)
        self.viewer = self.desk.viewer
        present = self.desk.world
        self.running = min(present.day, present.theatre.days - 1) // 7 + 1
        asked = whole_number(request.GET.get("week", ""))
        self.week = max(1, min(asked, self.running)) if asked is not None else self.running

    @cached_property
    def weeks(self) -> Musters:
        return musters(self.viewer, self.desk.world)

    @cached_property
    def world(self) -> World:
        """At the end of the week asked for, as the viewer knew it then; now while it is running."""
        closing = self.weeks.records.get(7 * self.week)
        if self.week == self.running or closing is None:
            return self.desk.world
        return world_known(self.viewer, week_world(closing, self.desk.world.theatre))

    @cached_property
    def names(self) -> Names:
        return names_of(self.world)

    @cached_property
    def sides(self) -> tuple[SideRow, ...]:
        return army(self.viewer, self.world, self.names, self.weeks, self.week - 1)


@signed_in
@never_cache
@gzip_page
@require_GET
def army_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The order of battle with the week's changes, leaders, pools, and the course of the campaign."""
    sheet = Sheet(request, slug)
    desk, theatre = sheet.desk, sheet.desk.world.theatre
    figures = strength(desk.viewer, desk.world, desk.names, sheet.weeks)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": calendar(desk.viewer, desk.world),
        "week": sheet.week,
        "at": reverse("army", args=[slug]),
        "asked": f"?week={sheet.week}",
        "weeks": range(sheet.running, 0, -1),
        "closed": sheet.desk.world.day >= 7 * sheet.week,
        "until": theatre.start + timedelta(days=min(7 * sheet.week, theatre.days) - 1),
        "sides": sheet.sides,
        "fold": "fold" in request.GET,
        "prospects": prospects(desk.viewer, sheet.world, sheet.names),
        "figures": figures,
        "courses": [
            course_chart("Campaign points on the map", figures, "points"),
            course_chart("Strength points on the map", figures, "sp"),
        ],
        "causes": [causes_chart(f"{side.name}: won and lost", side) for side in figures if side.causes],
    }
    return render(request, "campaign/army.html", context)


@signed_in
@never_cache
@gzip_page
@require_GET
def army_unit(request: HttpRequest, slug: str, unit: str) -> HttpResponse:
    """What befell a unit in a week, with rules and dice; for a script only the entries."""
    sheet = Sheet(request, slug)
    known = next((each for each in units_known(sheet.viewer, sheet.desk.world) if each.id == unit), None)
    if known is None:
        raise Http404("You know of no such unit.")
    desk = sheet.desk
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "unit": known,
        "kind": kind_words(known),
        "arm": arm_words(known),
        "state": state_words(known, desk.world, desk.names),
        "formation": desk.names.formation(known.formation),
        "week": sheet.week,
        "weeks": range(sheet.running, 0, -1),
        "older": sheet.week - 1,
        "newer": sheet.week + 1 if sheet.week < sheet.running else None,
        "lines": unit_roll(desk.viewer, desk.world, desk.names, unit, sheet.week - 1),
    }
    if is_fragment(request):
        return render(request, "campaign/_unit_roll.html", context)
    context["calendar"] = calendar(desk.viewer, desk.world)
    context["course"] = unit_weeks(desk.viewer, desk.world, sheet.weeks, known)
    return render(request, "campaign/army_unit.html", context)


# --- as a file ---


@signed_in
@never_cache
@gzip_page
@require_GET
def army_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The order of battle as a table of figures; no cell of it is a formula."""
    sheet = Sheet(request, slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{slug}-army-week-{sheet.week}.csv"
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    response.write("\ufeff")  # or some programs take the letters for another alphabet's
    table = csv.writer(response)
    table.writerow(COLUMNS)
    for side in sheet.sides:
        for group in (side.columns, side.garrisons, side.elsewhere):
            for top in group:
                for row in _lines(side, top, ""):
                    table.writerow([plain_cell(cell) for cell in row])
    return response


def _lines(side: SideRow, body: FormationRow, above: str) -> Iterator[tuple[str | int, ...]]:
    for unit in body.units:
        yield (
            side.name,
            above,
            body.name,
            body.commander,
            body.where,
            "; ".join(body.notes),
            unit.name,
            unit.arm,
            unit.kind,
            "engaged" if unit.engaged else unit.state,
            unit.points,
            unit.sp,
            unit.start,
            unit.now - unit.start,
            "; ".join(_reason(change) for change in unit.changes),
        )
    for part in body.parts:
        yield from _lines(side, part, body.name)


def _reason(change: Change) -> str:
    return f"{change.rule or 'not in the journal yet'} {change.points:+d}"
