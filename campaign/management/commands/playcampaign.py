"""playcampaign SCENARIO: a whole campaign with staff on both sides, from first day to last."""

import json
import time
from datetime import date
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from campaign.management.lookup import report_refusals
from campaign.models import Battle, Campaign, DayRecord
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.returns.tables import battle_summary, week_returns
from campaign.services.setup.campaigns import campaign_create
from campaign.services.turns.days import day_advance

#: Letters that stand unbroken in a column of places, as in Mount Independence.
LONGEST_WORD = 14


class Command(BaseCommand):
    help = "Play a scenario through with staff officers in command of both sides."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")
        parser.add_argument("--weeks", type=int, help="Weeks to play; all of the scenario's if left out.")
        parser.add_argument("--seed", type=int, default=1777)
        parser.add_argument("--ruleset", default="awi")
        parser.add_argument(
            "--slug", help="Address of the campaign; made up from scenario and seed if left out."
        )
        parser.add_argument("--json", action="store_true", help="Print one JSON object and nothing else.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["weeks"] is not None and options["weeks"] < 1:
            raise CommandError("--weeks must be 1 or more.")
        started = time.perf_counter()
        console = Console(file=cast(TextIO, self.stdout), quiet=options["json"])
        campaign = self._campaign(options)
        most = (
            7 * options["weeks"]
            if options["weeks"]
            else read_scenario(scenario_path(options["scenario"])).theatre.days
        )
        weeks: list[dict[str, Any]] = []
        with Progress(console=console, disable=options["json"]) as progress:
            days = progress.add_task("Days", total=most)
            for _ in range(most):
                with report_refusals():
                    result = day_advance(campaign=campaign, actor=None)
                progress.advance(days)
                for record in result.records:
                    if record.kind == DayRecord.Kind.WEEK:
                        weeks.append(week_returns(record))
                        console.print(_week_table(weeks[-1]))
                campaign.refresh_from_db()
                if campaign.state == Campaign.State.ENDED:
                    break
        battles = [battle_summary(battle) for battle in Battle.objects.filter(campaign=campaign)]
        head = campaign.records.latest("pk")
        report = {
            "campaign": campaign.slug,
            "seed": options["seed"],
            "weeks": weeks,
            "battles": battles,
            "world_hash": head.world_hash,
            "seconds": round(time.perf_counter() - started, 2),
        }
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        console.print(_battle_table(battles))
        console.print(
            f"{campaign.title}: day {campaign.day}, {campaign.state}; {report['seconds']} s. Its world is\n"
            f"{head.world_hash}\n"
            f"Check it with: manage.py verifycampaign {campaign.slug}",
            soft_wrap=True,
        )

    def _campaign(self, options: dict[str, Any]) -> Campaign:
        """A new campaign whose dice come from the seed: the same seed is the same war (HR-SET-17)."""
        base = options["slug"] or f"{options['scenario']}-seed-{options['seed']}"
        slug, number = base, 1
        while Campaign.objects.filter(slug=slug).exists():
            number += 1
            slug = f"{base}-{number}"
        with report_refusals():
            return campaign_create(
                scenario=options["scenario"],
                slug=slug,
                seed=options["seed"],
                battle_policy="automatic",
                ruleset=options["ruleset"],
            )


def _week_table(week: dict[str, Any]) -> Table:
    table = Table(
        title=f"Returns of week {week['week']}, to {_format_short_date(week['date'])}", title_justify="left"
    )
    columns = ("units", "points", "change", "losses", "gains", "arrivals", "places")
    table.add_column("Side")
    for heading in columns:
        table.add_column(heading.capitalize(), justify="right", no_wrap=True)
    for side in week["sides"]:
        table.add_row(side["name"], *(str(side[key]) for key in columns))
    if any(side["arrivals"] < 0 for side in week["sides"]):
        table.caption = "Arrivals below 0: more points left the map than came to it."
    return table


def _battle_table(battles: list[dict[str, Any]]) -> Table:
    """The battles in 80 columns: figures stand whole, names wrap."""
    table = Table(
        title="Battles (strength points lost of those engaged)",
        title_justify="left",
        box=SIMPLE,
        pad_edge=False,
        collapse_padding=True,
    )
    for heading in ("Date", "Where", "Attacker", "Lost", "Defender", "Lost", "Field"):
        figures = heading in ("Date", "Lost")
        table.add_column(
            heading,
            no_wrap=figures,
            justify="right" if figures else "left",
            overflow="fold",
            min_width=LONGEST_WORD if heading == "Where" else None,
        )
    for battle in battles:
        attacker, defender = battle["attacker"], battle["defender"]
        table.add_row(
            _format_short_date(battle["date"]),
            battle["where"],
            attacker["name"],
            f"{attacker['lost']} of {attacker['sp']}",
            defender["name"],
            f"{defender['lost']} of {defender['sp']}",
            battle["field_held_by"] or "neither",
        )
    return table


def _format_short_date(day: str) -> str:
    """A date as 27 Jun."""
    return f"{date.fromisoformat(day):%-d %b}"
