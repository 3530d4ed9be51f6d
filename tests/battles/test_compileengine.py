"""The command that compiles the engine shows that it is alive."""

import re
import time
from io import StringIO

from django.core.management import call_command

from battles.management.commands import compileengine


def test_progress_shows_steps_and_the_time_a_long_step_takes(monkeypatch):
    out = StringIO()

    def compile_slowly(progress, *, large, only):
        progress("battles of up to 96 units", 0, 1)
        patience = time.monotonic() + 60
        while "still compiling" not in out.getvalue() and time.monotonic() < patience:
            time.sleep(0.01)
        progress("ready", 1, 1)

    monkeypatch.setattr(compileengine, "compile_engine", compile_slowly)
    monkeypatch.setattr(compileengine, "TICK_SECONDS", 0.05)
    call_command("compileengine", stdout=out)
    lines = out.getvalue().splitlines()
    steps = [line for line in lines if "still compiling" not in line]  # which comes whenever it will
    assert steps[0] == "Engine, 0 of 1 compiled: battles of up to 96 units"
    assert any(re.fullmatch(r"  still compiling, \d+ s", line) for line in lines)
    assert steps[1] == "Engine, 1 of 1 compiled: ready"
    assert re.fullmatch(r"The engine is ready after \d+\.\d s\.", lines[-1])
