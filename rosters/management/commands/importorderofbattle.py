"""importorderofbattle FILE: a new order of battle from a CSV file, for no campaign as yet."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rosters.importing import OPTIONAL, REQUIRED, RosterErrors
from rosters.models import Side
from rosters.services import SideError, order_of_battle_create


class Command(BaseCommand):
    help = (
        "Make a new order of battle from a CSV file, one unit a row, or write nothing and list every "
        f"fault. Columns: {', '.join(REQUIRED)}; if wanted {', '.join(OPTIONAL)}. Campaigns are left alone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--title", required=True)
        parser.add_argument(
            "--sides",
            required=True,
            metavar="ID=NAME:COLOUR,...",
            help='As "crown=Crown:#8a2a2b,rebel=United States:#24427a".',
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data = options["file"].read_bytes()
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        try:
            notes: list[str] = []
            made = order_of_battle_create(
                title=options["title"], sides=_parse_sides(options["sides"]), data=data, notes=notes
            )
        except RosterErrors as refused:
            raise CommandError(f"{options['file']} is refused, nothing is written:\n{refused}") from refused
        except SideError as error:
            raise CommandError(str(error)) from error
        for note in notes:
            self.stderr.write(note)
        self.stdout.write(f"Order of battle {made.pk} ({made.title}) has {made.units.count()} units.")


def _parse_sides(text: str) -> list[Side]:
    sides = []
    for part in text.split(","):
        slug, equals, rest = part.partition("=")
        name, colon, colour = rest.rpartition(":")
        if not (equals and colon):
            raise CommandError(f"--sides: {part!r} is not ID=NAME:COLOUR, as crown=Crown:#8a2a2b.")
        sides.append(Side(slug=slug.strip(), name=name.strip(), colour=colour.strip()))
    return sides
