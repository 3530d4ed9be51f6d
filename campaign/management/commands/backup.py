"""backup: the whole site in one file, while it goes on; the oldest ones are removed."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.services.backups.backups import backup_make
from campaign.services.backups.files import BackupRefused, backups_prune


class Command(BaseCommand):
    help = "Write database, scenarios and secret key to one file. Who has it knows every secret of the site."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--folder", type=Path, default=Path(settings.BACKUP_DIR))
        parser.add_argument(
            "--portable",
            action="store_true",
            help="In a form that SQLite and PostgreSQL both read: slower; the way from one to the other.",
        )
        parser.add_argument(
            "--keep", type=int, default=settings.BACKUP_KEEP, help="How many stay in the folder; 0 for all."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"]
        if options["keep"] < 0:
            raise CommandError("--keep is a number of backups: 1 or more, or 0 for all.")
        try:
            path = backup_make(folder=folder, portable=options["portable"])
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        removed = backups_prune(folder=folder, keep=options["keep"])
        size = path.stat().st_size / 2**20
        more = f"; {len(removed)} of the oldest removed" if removed else ""
        self.stdout.write(f"{path} ({size:.1f} MB), read again and whole{more}.")
