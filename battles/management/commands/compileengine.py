"""Compile the tactical engine before somebody waits for it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from battles.rulesets import registry
from battles.rulesets.registry import compile_engine

TICK_SECONDS = 5.0


class Command(BaseCommand):
    requires_system_checks = ()  # the compiler needs no pages and no database
    help = "Compile the tactical engine, or find it compiled already. The first time takes some minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--large", action="store_true", help="what battles of more than 96 units need, instead"
        )
        known = [ruleset.id for ruleset in registry.RULESETS]
        parser.add_argument("--ruleset", default="", choices=known, help="Only this one.")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()

        def progress(name: str, done: int, total: int) -> None:
            self._line(f"Engine, {done} of {total} compiled: {name}")

        with self._ticking(started):
            compile_engine(progress, large=options["large"], only=options["ruleset"])
        self._line(f"The engine is ready after {time.monotonic() - started:.1f} s.")

    @contextmanager
    def _ticking(self, started: float) -> Iterator[None]:
        """Show while one step takes long that it is still going on."""
        ended = threading.Event()

        def tick() -> None:
            while not ended.wait(TICK_SECONDS):
                self._line(f"  still compiling, {time.monotonic() - started:.0f} s")

        ticker = threading.Thread(target=tick, daemon=True)
        ticker.start()
        try:
            yield
        finally:
            ended.set()
            ticker.join()

    def _line(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
