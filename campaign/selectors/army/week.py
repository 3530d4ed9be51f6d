"""The army as one request reads it: its order of battle in a week, and the same as a table of figures."""

import csv
import io
from collections.abc import Iterator
from functools import cached_property

from campaign.fog.visibility import build_viewer_world
from campaign.ops.csv_escape import plain_cell
from campaign.rules.world.world import World
from campaign.selectors.army.order_of_battle import FormationRow, SideRow, list_army_sides
from campaign.selectors.army.returns import PointChange
from campaign.selectors.army.weekly_strength import Musters, load_musters, week_world
from campaign.selectors.campaign_context import Reading
from campaign.text.place_names import CampaignNames, names_of

COLUMNS = (
    "side", "belongs to", "formation", "commander", "where", "formation's state", "unit", "arm", "kind",
    "state", "points", "SP", "points at the week's start", "change", "reasons",
)  # fmt: skip


class ArmyReading:
    """The army as one request reads it: the chosen week, and the world at its end."""

    def __init__(self, reading: Reading, asked: int | None) -> None:
        self.desk = reading
        self.viewer = reading.viewer
        present = reading.world
        self.running = min(present.day, present.theatre.days - 1) // 7 + 1
        self.week = max(1, min(asked, self.running)) if asked is not None else self.running

    @cached_property
    def weeks(self) -> Musters:
        return load_musters(self.viewer, self.desk.world)

    @cached_property
    def world(self) -> World:
        """At the end of the week asked for, as the viewer knew it then; now while it is running."""
        closing = self.weeks.records.get(7 * self.week)
        if self.week == self.running or closing is None:
            return self.desk.world
        return build_viewer_world(self.viewer, week_world(closing, self.desk.world.theatre))

    @cached_property
    def names(self) -> CampaignNames:
        return names_of(self.world)

    @cached_property
    def sides(self) -> tuple[SideRow, ...]:
        return list_army_sides(self.viewer, self.world, self.names, self.weeks, self.week - 1)

    @property
    def table(self) -> str:
        """The order of battle as CSV; no cell of it is a formula."""
        written = io.StringIO()
        written.write("\ufeff")  # or some programs take the letters for another alphabet's
        table = csv.writer(written)
        table.writerow(COLUMNS)
        for side in self.sides:
            for group in (side.columns, side.garrisons, side.elsewhere):
                for top in group:
                    for row in _iter_unit_lines(side, top, ""):
                        table.writerow([plain_cell(cell) for cell in row])
        return written.getvalue()


def _iter_unit_lines(side: SideRow, body: FormationRow, above: str) -> Iterator[tuple[str | int, ...]]:
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
            "; ".join(_format_change(change) for change in unit.changes),
        )
    for part in body.parts:
        yield from _iter_unit_lines(side, part, body.name)


def _format_change(change: PointChange) -> str:
    return f"{change.rule or 'not in the journal yet'} {change.points:+d}"
