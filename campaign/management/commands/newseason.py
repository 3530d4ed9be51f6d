"""newseason SLUG NEW --scenario S: a new campaign that begins with the end of another."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from campaign.management.lookup import campaign_or_error, report_refusals
from campaign.rules.battles.ruleset_options import options_sound
from campaign.scenarios.theatres import theatre_load
from campaign.services.seats.assignment import list_seat_plans
from campaign.services.setup.campaigns import campaign_create


class Command(BaseCommand):
    help = "Start a campaign with the armies, posts and generals with which another ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="The campaign that has ended.")
        parser.add_argument("new", help="Address of the new one.")
        parser.add_argument(
            "--scenario",
            help="Map, calendar, goals and reinforcements to come; the old scenario if left out.",
        )
        parser.add_argument("--title", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        old = campaign_or_error(options["slug"])
        with report_refusals():
            campaign = campaign_create(
                scenario=options["scenario"] or old.scenario,
                slug=options["new"],
                title=options["title"],
                seats=list_seat_plans(old),
                battle_policy=old.battle_policy,
                table_units=old.table_units,
                ruleset=old.ruleset,
                ruleset_options=options_sound(old.ruleset_options),
                after=old,
            )
        start = theatre_load(campaign).start
        first = f"{start.day} {start:%B %Y}"
        self.stdout.write(
            f"{campaign.title} begins at {campaign.slug} on {first} with the end of {old.title}."
        )
