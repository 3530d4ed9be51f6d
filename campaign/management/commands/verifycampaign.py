"""verifycampaign: exit 0 and the number of days verified, or the first mismatch and exit 1."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import campaign_or_error
from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.services.archive_schema import archive_open, archive_verify
from campaign.services.proof import NotVerified, Verified
from campaign.services.side_journal import side_journal_verify
from campaign.services.verification import campaign_verify


class Command(BaseCommand):
    help = "Replay every day of a campaign and compare it with the journal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?")
        parser.add_argument(
            "--archive", type=Path, help="An archive or a side's journal instead; no database is needed."
        )

        parser.add_argument("--all", action="store_true", help="Every campaign of this site.")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, archive = options["slug"], options["archive"]
        if [slug is not None, archive is not None, options["all"]].count(True) != 1:
            raise CommandError("Name a campaign, or a file with --archive, or say --all.")
        if options["all"]:
            self._every()
            return
        try:
            if archive is None:
                told = said(campaign_verify(campaign=campaign_or_error(slug)))
            else:
                told = file_verify(archive)
        except NotVerified as mismatch:
            raise CommandError(f"Day {mismatch.day}: {mismatch}", returncode=1) from mismatch
        except RuleViolation as violation:
            raise CommandError(violation.message, returncode=1) from violation
        self.stdout.write(told)

    def _every(self) -> None:
        """Each campaign in a line; all are looked at before a mismatch ends it."""
        wrong = 0
        for campaign in Campaign.objects.order_by("slug"):
            try:
                told = said(campaign_verify(campaign=campaign))
            except NotVerified as mismatch:
                told, wrong = f"NOT VERIFIED. Day {mismatch.day}: {mismatch}", wrong + 1
            except RuleViolation as violation:
                told, wrong = f"NOT VERIFIED. {violation.message}", wrong + 1
            self.stdout.write(f"{campaign.slug}: {told}")
        if wrong:
            raise CommandError(f"{wrong} campaigns are not verified.", returncode=1)


def file_verify(path: Path) -> str:
    """Verify an archive, or a side's journal, which begins as JSON does."""
    with suppress(OSError), path.open("rb") as stream:
        if stream.read(64).lstrip().startswith(b"{"):
            return side_journal_verify(path)
    return said(archive_verify(archive_open(path)))


def said(verified: Verified) -> str:
    """What was verified, in a few sentences."""
    last = f" The last day ends with {verified.world_hash}."
    if verified.sealed:
        return (
            f"{verified.days} days verified: chain, journal and worlds. The dice are sealed until the "
            f"campaign has ended.{last}"
        )
    undone = (
        f" {verified.superseded} steps of courses given up are in the chain." if verified.superseded else ""
    )
    return (
        f"{verified.days} days verified, {verified.replayed} of them played again with the same dice.{undone}"
        f"{last}"
    )
