"""importcampaign FILE: a campaign out of an archive, verified and written whole, or not at all."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import report_refusals
from campaign.rules.errors import RuleViolation
from campaign.services.archive.imports import Imported, campaign_import
from campaign.services.proof.verifier import NotVerified


class Command(BaseCommand):
    help = "Take in a campaign from an archive."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="Another address than the one it had.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with report_refusals():
                done = _import_archive(options["file"], options["slug"])
        except NotVerified as mismatch:
            raise CommandError(f"Nothing was imported. Day {mismatch.day}: {mismatch}") from mismatch
        campaign = done.campaign
        self.stdout.write(
            f"Campaign {campaign.slug} ({campaign.title}) is in, {done.verified.days} days verified, "
            f"{done.verified.replayed} of them played again. Its seats are empty: giveseat fills them."
        )


def _import_archive(path: Path, slug: str) -> Imported:
    try:
        return campaign_import(path=path, slug=slug)
    except RuleViolation as violation:
        if violation.field != "slug":
            raise
        words = f"{violation.message} Another address is given with --slug."
        raise RuleViolation(violation.rule_id, words, "slug") from violation
