"""checkscenario NAME: what is in a scenario, or every fault with file and row."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from campaign.management.lookup import report_refusals
from campaign.rules.world.world import UnitStatus
from campaign.scenarios.reading import places_verify, read_scenario, scenario_path


class Command(BaseCommand):
    help = "Read a scenario and say what is wrong with it, or what is in it. Nothing is written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")

    def handle(self, *args: Any, **options: Any) -> None:
        with report_refusals():
            folder = scenario_path(options["scenario"])
            found = read_scenario(folder)
            places_verify(folder, found.theatre)
        theatre, units = found.theatre, found.world.units.values()
        self.stdout.write(
            f"{theatre.title}: {theatre.start} to {theatre.end}, {theatre.days} days; "
            f"{len(theatre.atlas.places)} places, {len(theatre.atlas.routes)} routes, "
            f"{len(found.leaders)} leaders, map {theatre.base_map}."
        )
        for side in theatre.sides:
            own = [unit for unit in units if unit.side == side.id]
            late = [unit for unit in own if unit.status is UnitStatus.EXPECTED]
            self.stdout.write(
                f"{side.name}: {len(own)} units of {sum(unit.points for unit in own)} points, "
                f"of them {len(late)} units of {sum(unit.points for unit in late)} points to come."
            )
        self.stdout.write("The scenario is sound.")
