"""importatlas SCENARIO FILE...: a map corrected in another program, into a scenario of one's own."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import report_refusals
from campaign.scenarios.atlas_import import atlas_import
from campaign.scenarios.reading import own_scenarios, scenario_path


class Command(BaseCommand):
    help = "Read a map (.graphml or .geojson) into a scenario of your own; on any fault nothing is written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")
        parser.add_argument("files", type=Path, nargs="+", help="One GraphML file, or GeoJSON files.")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["scenario"]
        with report_refusals():
            folder = scenario_path(name)
            if folder.parent != own_scenarios():
                raise CommandError(
                    f"{name} came with the program and is not changed; make your own with newscenario."
                )
            atlas = atlas_import(folder, options["files"])
        self.stdout.write(
            f"{len(atlas.places)} places and {len(atlas.routes)} routes written to {folder}. "
            f"Check the rest of the scenario with: manage.py checkscenario {name}"
        )
