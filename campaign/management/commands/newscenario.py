"""newscenario NAME: a folder with a small scenario to make one's own from."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from campaign.management.lookup import report_refusals
from campaign.scenarios.making import scenario_new


class Command(BaseCommand):
    help = "Make a new scenario from the template; docs/scenarios.md tells how to go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario", help="Its name: small letters, figures and hyphens.")
        parser.add_argument("--title", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        with report_refusals():
            folder = scenario_new(options["scenario"], options["title"])
        name = options["scenario"]
        self.stdout.write(
            f"The scenario {name} lies in {folder}.\n"
            f"It can be played as it is: change its files, and check them with: "
            f"manage.py checkscenario {name}"
        )
