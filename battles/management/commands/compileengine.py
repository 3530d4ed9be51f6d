"""Compile the tactical engine before somebody waits for it."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from battles.rulesets.registry import compile_engine


class Command(BaseCommand):
    requires_system_checks = ()  # the compiler needs no pages and no database
    help = "Compile the tactical engine, or find it compiled already. Takes about a minute the first time."

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()

        def progress(name: str, done: int, total: int) -> None:
            seconds = time.monotonic() - started
            self.stdout.write(f"  engine {done} of {total}: {name} ({seconds:.1f} s)")
            self.stdout.flush()

        compile_engine(progress)
        self.stdout.write(f"The engine is compiled ({time.monotonic() - started:.1f} s).")
