"""exportarmies SCENARIO FILE: a scenario's units as a table to correct, for loadscenario --armies."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import report_refusals
from campaign.scenarios.armies import armies_table
from campaign.scenarios.reading import read_scenario, scenario_path


class Command(BaseCommand):
    help = "Write a scenario's order of battle as CSV, to be corrected and used with loadscenario --armies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        with report_refusals():
            world = read_scenario(scenario_path(options["scenario"])).world
        try:
            options["file"].write_text(armies_table(world), encoding="utf-8", newline="")
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{options['file']} holds {len(world.units)} units.")
