"""exportcampaign SLUG FILE: the whole campaign as one zip, or what one side may know of the journal."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import campaign_or_error, report_refusals
from campaign.selectors.proof import side_paper
from campaign.services.archive.export import campaign_export
from campaign.services.archive.zip_files import paper_write


class Command(BaseCommand):
    help = "Write a campaign to an archive that stands alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--with-secret",
            action="store_true",
            help="A backup of a running campaign, with the secret of its dice: for the umpire's eyes only.",
        )
        parser.add_argument("--side", help="Only one side's journal, as JSON, to check against the chain.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        side, file = options["side"], options["file"]
        if side is None:
            with report_refusals():
                told = campaign_export(campaign=campaign, path=file, with_secret=options["with_secret"])
            secret = "with" if told else "without"
            self.stdout.write(f"{campaign.title} is in {file}, {secret} the secret of the dice.")
            return
        sides = list(campaign.order_of_battle.sides.order_by("pk").values_list("slug", flat=True))
        if side not in sides:
            raise CommandError(f"There is no side {side}; the sides are {', '.join(sides)}.")
        if options["with_secret"]:
            raise CommandError("A side's journal holds the secret at the end only; leave one option out.")
        with report_refusals():
            paper_write(file, side_paper(campaign, side))
        self.stdout.write(f"The journal of {side} is in {file}.")
