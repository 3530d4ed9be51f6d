"""Measure the engine on the standard fight."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.table import Table

from battles.benchmark import measure_figures


class Command(BaseCommand):
    requires_system_checks = ()  # needs no pages and no database
    help = "Time the standard fight: compiled on one core and on all, interpreted, starts, memory, events."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", metavar="FILE", help="write the figures to this file as JSON too")
        parser.add_argument("--no-starts", action="store_true", help="leave out starts in fresh processes")

    def handle(self, *args: Any, **options: Any) -> None:
        figures = measure_figures(starts=not options["no_starts"])
        table = Table("ratio to the loop", "figure", "value", title="The standard fight")
        for figure in figures:
            ratio = f"{figure.ratio:.2f}" if figure.ratio is not None else ""
            table.add_row(ratio, figure.name, f"{figure.value:,.4g} {figure.unit}")
        Console(file=cast(TextIO, self.stdout)).print(table)
        if options["json"]:
            path = Path(options["json"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps([asdict(figure) for figure in figures], indent=1) + "\n")
            self.stdout.write(f"Written to {path}.")
