"""advanceday SLUG: play the coming day, or say which battle it waits for."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from campaign.management.lookup import campaign_or_error, report_refusals
from campaign.services.turns.days import day_advance


class Command(BaseCommand):
    help = "Advance a campaign by one day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        with report_refusals():
            result = day_advance(campaign=campaign, actor=None)
        for battle in result.battles_waiting:
            self.stdout.write(f"Waiting: {battle}. Settle it, then advance the day again.")
        for record in result.records:
            self.stdout.write(f"{record.get_kind_display()} {record.day} done; world {record.world_hash}")
