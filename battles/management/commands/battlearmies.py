"""battlearmies FILE TABLE OUT: a battle file with the units of an order of battle."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.errors import BattleFileError, format_faults
from battles.files.armies import apply_roster
from battles.files.reading import battle_from_json, describe_read_error, find_shipped_battles, read_document
from rosters.importing import RosterErrors, RosterRow, roster_rows
from rosters.models import OrderOfBattle
from rosters.services import order_of_battle_rows


class Command(BaseCommand):
    help = "Write a battle file with the units of an order of battle: of one of its sides, or of both."

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(find_shipped_battles()) or "none"
        parser.add_argument("file", help=f"A battle file, or the name of a shipped one: {known}.")
        parser.add_argument(
            "table", help="An order of battle (CSV or XLSX), or the number importorderofbattle gave one."
        )
        parser.add_argument("out", type=Path, help="The battle file to write.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document = read_document(options["file"])
            battle_from_json(document)
            notes: list[str] = []
            made, fell_away = apply_roster(document, _read_roster_rows(options["table"], notes))
            battle_from_json(made)
        except RosterErrors as refused:
            raise CommandError(f"{options['table']} is refused, nothing is written:\n{refused}") from refused
        except BattleFileError as refused:
            raise CommandError(format_faults(refused, options["file"])) from refused
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['table']} cannot be read: {describe_read_error(error)}.") from error
        try:
            text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error
        for note in (*notes, *fell_away):
            self.stderr.write(note)
        self.stdout.write(f"{options['out']} has {len(made['units'])} units.")


def _read_roster_rows(table: str, notes: list[str]) -> tuple[RosterRow, ...]:
    """The units of a file, or of an order of battle by its number; `notes` as in `roster_rows`."""
    if not table.isdecimal():
        return roster_rows(Path(table).read_bytes(), notes=notes)
    found = OrderOfBattle.objects.filter(pk=int(table)).first() if len(table) < 18 else None
    if found is None:
        raise CommandError(f"There is no order of battle {table}; importorderofbattle prints its number.")
    return order_of_battle_rows(found)
