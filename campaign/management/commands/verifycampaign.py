"""verifycampaign SLUG: exit 0 and the number of days verified, or the first mismatch and exit 1."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import campaign_or_error
from campaign.rules.errors import RuleViolation
from campaign.services.verification import NotVerified, campaign_verify


class Command(BaseCommand):
    help = "Replay every day of a campaign and compare it with the journal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        try:
            verified = campaign_verify(campaign=campaign)
        except NotVerified as mismatch:
            raise CommandError(f"Day {mismatch.day}: {mismatch}", returncode=1) from mismatch
        except RuleViolation as violation:
            raise CommandError(violation.message, returncode=1) from violation
        self.stdout.write(
            f"{verified.days} days verified, {verified.replayed} of them played again with the same dice."
        )
