"""replay FILE: show what a replay holds, without the engine."""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.errors import BattleFileError, faults_told
from battles.replay.account import account
from battles.replay.replay import replay_read
from battles.replay.rolls import log, rolls


class Command(BaseCommand):
    requires_system_checks = ()  # needs no pages, no database and no engine
    help = "Print a replay: every move and die, or with --dice the rolls, or with --account the story."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="A file written by fight --replay.")
        parser.add_argument("--dice", action="store_true", help="Only the rolls.")
        parser.add_argument("--account", action="store_true", help="The account instead.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            replay = replay_read(Path(options["file"]))
        except BattleFileError as error:
            raise CommandError(faults_told(error, options["file"]), returncode=2) from error
        show = account if options["account"] else rolls if options["dice"] else log
        try:
            for line in show(replay.battle, replay.result):
                self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            # who reads has seen enough; nothing may be flushed at the end either
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
