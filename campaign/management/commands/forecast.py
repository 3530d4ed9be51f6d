"""forecast SLUG: what may become of a campaign, by playing it on many times in memory."""

import json
import time
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandParser
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from campaign.management.lookup import campaign_or_error, report_refusals
from campaign.services.forecasts.forecasts import USUAL_RUNS, USUAL_WEEKS, compute_forecast

#: Lines of places and battlefields printed; --json has them all.
MOST_LINES = 20


class Command(BaseCommand):
    help = "Play a campaign on many times in memory, staff on both sides, and tell what may come of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--weeks", type=int, default=USUAL_WEEKS)
        parser.add_argument("--runs", type=int, default=USUAL_RUNS)
        parser.add_argument("--side", default="", help="Begin with what this side knows, not what is true.")
        parser.add_argument("--workers", type=int, help="Processes; one for each core if left out.")
        parser.add_argument("--json", action="store_true", help="Print one JSON object and nothing else.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        console = Console(file=cast(TextIO, self.stdout), quiet=options["json"])
        started = time.perf_counter()
        with Progress(console=console, disable=options["json"]) as progress, report_refusals():
            task = progress.add_task("Courses", total=options["runs"])
            found = compute_forecast(
                campaign=campaign,
                weeks=options["weeks"],
                runs=options["runs"],
                side=options["side"],
                workers=options["workers"],
                progress=lambda done, _: progress.update(task, completed=done),
            )
        found["seconds"] = round(time.perf_counter() - started, 2)
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        for table in (_build_strength_table(found), _build_places_table(found), _build_battles_table(found)):
            console.print(table)
        console.print(
            f"{found['runs']} courses of {found['weeks']} weeks from day {found['day'] + 1}, "
            f"{found['seconds']} s; with dice of their own, they tell what may happen and not what will.",
            soft_wrap=True,
        )


def _start_table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
    for number, heading in enumerate(columns):
        table.add_column(heading, justify="right" if number else "left")
    return table


def _build_strength_table(found: dict[str, Any]) -> Table:
    weeks = ["now", *(f"week {number}" for number in range(1, found["weeks"] + 1))]
    table = _start_table("Points in the field: the middle, and eight courses in ten", "Side", *weeks)
    for side in found["sides"]:
        table.add_row(side["name"], *(_format_range(each) for each in side["points"]))
    return table


def _format_range(each: dict[str, int]) -> str:
    same = each["p10"] == each["p90"]
    return str(each["p50"]) if same else f"{each['p50']} ({each['p10']} to {each['p90']})"


def _build_places_table(found: dict[str, Any]) -> Table:
    sides = [(side["id"], side["name"]) for side in found["sides"]]
    table = _start_table(
        f"Who holds a place after {found['weeks']} weeks",
        "Place",
        "Worth",
        *(name for _, name in sides),
        "Nobody",
    )
    for row in found["places"][:MOST_LINES]:
        shares = [row["held"][-1].get(side, 0.0) for side, _ in (*sides, ("", ""))]
        table.add_row(row["name"], str(row["objective"] or ""), *(f"{100 * share:.0f} %" for share in shares))
    return table


def _build_battles_table(found: dict[str, Any]) -> Table:
    expected = ", ".join(f"{week['mean']:.1f}" for week in found["battles"]["weeks"])
    table = _start_table(f"Battles a week: {expected}; where", "Where", "Courses")
    for row in found["battles"]["where"][:MOST_LINES]:
        table.add_row(row["name"], f"{100 * row['share']:.0f} %")
    return table
