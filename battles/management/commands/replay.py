"""replay FILE: show what a replay holds, without the engine."""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.errors import BattleFileError, format_faults
from battles.replay.account import compose_account
from battles.replay.replay import read_replay
from battles.replay.rolls import list_log_lines, list_roll_lines


class Command(BaseCommand):
    requires_system_checks = ()  # needs no pages, no database and no engine
    help = "Print a replay: every move and die, or with --dice the rolls, or with --account the story."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="A file written by fight --replay.")
        parser.add_argument("--dice", action="store_true", help="Only the rolls.")
        parser.add_argument("--account", action="store_true", help="The account instead.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            replay = read_replay(Path(options["file"]))
        except BattleFileError as error:
            raise CommandError(format_faults(error, options["file"]), returncode=2) from error
        show = (
            compose_account if options["account"] else list_roll_lines if options["dice"] else list_log_lines
        )
        try:
            for line in show(replay.battle, replay.result):
                self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            # who reads has seen enough; nothing may be flushed at the end either
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
