"""The command that compiles the engine shows that it is alive."""

import time
from io import StringIO

from django.core.management import call_command

from battles.management.commands import compileengine


def test_progress_shows_steps_and_the_time_a_long_step_takes(monkeypatch):
    def compile_slowly(progress):
        progress("battles of up to 96 units", 0, 1)
        time.sleep(0.2)
        progress("ready", 1, 1)

    monkeypatch.setattr(compileengine, "compile_engine", compile_slowly)
    monkeypatch.setattr(compileengine, "TICK_SECONDS", 0.05)
    out = StringIO()
    call_command("compileengine", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "Engine, 0 of 1 compiled: battles of up to 96 units"
    assert "  still compiling, 0 s" in lines[1:-2]
    assert lines[-2] == "Engine, 1 of 1 compiled: ready"
    assert lines[-1].startswith("The engine is ready after 0.")
