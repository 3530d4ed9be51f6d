"""verifycampaign: exit 0 and the number of days verified, or the first mismatch and exit 1."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import campaign_or_error
from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.side_journal import side_journal_verify
from campaign.services.proof.verifier import NotVerified, Verified


class Command(BaseCommand):
    help = "Replay every day of a campaign and compare it with the journal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?")
        parser.add_argument(
            "--archive", type=Path, help="An archive or a side's journal instead; no database is needed."
        )

        parser.add_argument(
            "--head",
            default="",
            help="A hash from a bulletin or notification that must be in the chain.",
        )
        parser.add_argument("--all", action="store_true", help="Every campaign of this site.")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, archive = options["slug"], options["archive"]
        if [slug is not None, archive is not None, options["all"]].count(True) != 1:
            raise CommandError("Name a campaign, or a file with --archive, or say --all.")
        if options["all"] and options["head"]:
            raise CommandError("--head goes with one campaign or one archive; leave it out with --all.")
        if options["all"]:
            self._every()
            return
        try:
            if archive is None:
                verified = campaign_verify(campaign=campaign_or_error(slug))
                verify_published_hash(verified, options["head"])
                told = describe_verification(verified)
            else:
                told = file_verify(archive, options["head"])
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
                told = describe_verification(campaign_verify(campaign=campaign))
            except NotVerified as mismatch:
                told, wrong = f"NOT VERIFIED. Day {mismatch.day}: {mismatch}", wrong + 1
            except RuleViolation as violation:
                told, wrong = f"NOT VERIFIED. {violation.message}", wrong + 1
            self.stdout.write(f"{campaign.slug}: {told}")
        if wrong:
            raise CommandError(f"{wrong} campaigns are not verified.", returncode=1)


def verify_published_hash(verified: Verified, kept: str) -> None:
    """Refuses a chain without the hash somebody kept (HR-PRF-03)."""
    if kept and kept not in verified.hashes:
        raise NotVerified(
            verified.days,
            f"The hash {kept} is not in the chain: days were cut off or replaced since it was published. "
            "Compare it with what others kept, and restore a backup.",
        )


def file_verify(path: Path, kept: str = "") -> str:
    """Verify an archive, or a side's journal, which begins as JSON does; `kept` is a hash it must hold."""
    with suppress(OSError), path.open("rb") as stream:
        if stream.read(64).lstrip().startswith(b"{"):
            if kept:
                raise CommandError("A side's journal holds no such hash; use --head with an archive.")
            return side_journal_verify(path)
    verified = archive_verify(archive_open(path))
    verify_published_hash(verified, kept)
    return describe_verification(verified)


def describe_verification(verified: Verified) -> str:
    """Describe the result of the verification in a few sentences."""
    last = f" The last day ends with {verified.world_hash}.{describe_rows(verified)} Head: {verified.head}"
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


def describe_rows(verified: Verified) -> str:
    """Describe the check of the rows beside the days, with a space before the text (HR-PRF-03)."""
    told = [f"{verified.rows} orders, battles, bulletins and letters stand as recorded."]
    if verified.uncovered:
        told.append(f"{verified.uncovered} of the days were recorded before this was covered.")
    if verified.elsewhere:
        told.append(
            f"{verified.elsewhere} rows are covered and did not come with the archive: replays, results as "
            "entered, photographs, letters and the seat history. If this campaign was never imported, "
            "restore a backup."
        )
    if verified.unnamed:
        told.append(f"The authors of {verified.unnamed} rows are not known here.")
    return " " + " ".join(told)
