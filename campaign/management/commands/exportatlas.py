"""exportatlas SCENARIO FILE: the map as GraphML or GeoJSON, by the file's ending."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.rules.map.atlas_files import atlas_to_geojson, atlas_to_graphml
from campaign.scenarios.reading import ScenarioError, read_scenario, scenario_path


class Command(BaseCommand):
    help = "Write a scenario's map as GraphML (.graphml) or GeoJSON (.geojson)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            atlas = read_scenario(scenario_path(options["scenario"])).theatre.atlas
        except ScenarioError as error:
            raise CommandError("\n".join(str(problem) for problem in error.problems)) from error
        if file.suffix == ".graphml":
            text = atlas_to_graphml(atlas)
        elif file.suffix == ".geojson":
            text = json.dumps(atlas_to_geojson(atlas), ensure_ascii=False, indent=1)
        else:
            raise CommandError(f"{file} ends in neither .graphml nor .geojson; choose one of them.")
        file.write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(atlas.places)} places and {len(atlas.routes)} routes written to {file}.")
