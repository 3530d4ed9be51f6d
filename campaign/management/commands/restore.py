"""restore FILE: a backup in the place of this site's database, verified; what was there is kept first."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.services.backups.backups import backup_restore
from campaign.services.backups.files import BackupRefused


class Command(BaseCommand):
    help = "Put a backup back. Stop the site first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--force", action="store_true", help="Also where there are people or campaigns already."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = backup_restore(path=options["file"], force=options["force"])
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        if done.before is not None:
            self.stdout.write(f"What was here before is in {done.before}.")
        for slug, head in sorted(done.heads.items()):
            self.stdout.write(f"{slug}: its chain ends with {head}.")
        for note in done.notes:
            self.stdout.write(note)
        self.stdout.write("Restored. Prove it with: manage.py verifycampaign --all")
