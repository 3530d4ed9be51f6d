"""Beat where the machine's time is set back, while it runs and over a restart."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.utils.module_loading import import_string

DAY = timedelta(days=1)
SCHEDULE = {
    "often": {"task": "often", "schedule": 15.0},
    "hourly": {"task": "hourly", "schedule": 3600.0},
}


class Machine:
    """A machine whose time can be set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.now, self.file = datetime(2027, 3, 5, 12, tzinfo=UTC), folder / "beat-schedule"
        self.app = Celery("test", broker="memory://", set_as_current=False)
        self.app.conf.beat_schedule = SCHEDULE
        self.started: list[Any] = []
        monkeypatch.setattr(self.app, "now", lambda: self.now)
        monkeypatch.setattr(time, "time", lambda: self.now.timestamp())

    def beat(self) -> Any:
        """The site's scheduler, started."""
        module, _, name = settings.CELERY_BEAT_SCHEDULER.partition(":")
        scheduler = import_string(f"{module}.{name}")(self.app, schedule_filename=str(self.file))
        for entry in scheduler.schedule.values():
            entry.schedule.nowfun = lambda: self.now
        scheduler.asked = []
        self.started.append(scheduler)
        scheduler.apply_entry = lambda entry, producer=None: scheduler.asked.append(entry.task)
        return scheduler

    def end(self) -> None:
        """Beat is stopped."""
        for scheduler in self.started:
            for entry in scheduler.schedule.values():
                entry.schedule.nowfun = None  # the file holds no functions
            scheduler.close()
        self.started.clear()

    def goes(self, scheduler: Any, seconds: float) -> list[str]:
        """What was asked for while so many seconds go by."""
        scheduler.asked.clear()
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            wait = scheduler.tick()
            self.now += timedelta(seconds=max(wait, 0.001))
        return scheduler.asked


@pytest.fixture
def machine(monkeypatch, tmp_path) -> Iterator[Machine]:
    machine = Machine(monkeypatch, tmp_path)
    yield machine
    machine.end()


@pytest.mark.parametrize("again", [False, True], ids=["while it runs", "over a restart"])
@pytest.mark.parametrize("back", [DAY, timedelta(minutes=10), 365 * DAY], ids=str)
def test_deadlines_are_looked_at_after_time_was_set_back(machine, back, again):
    beat = machine.beat()
    assert len(machine.goes(beat, 3700)) >= 240
    if again:
        machine.end()
    machine.now -= back
    if again:
        beat = machine.beat()
    asked = machine.goes(beat, 60)
    assert 3 <= asked.count("often") <= 5
    assert "hourly" in machine.goes(beat, 3600)


def test_time_that_goes_on_asks_for_no_more_than_is_due(machine):
    beat = machine.beat()
    machine.goes(beat, 60)
    asked = machine.goes(beat, 600)
    assert 39 <= asked.count("often") <= 41 and asked.count("hourly") <= 1
    machine.end()
    machine.now += DAY
    assert sorted(machine.goes(machine.beat(), 10)) == ["hourly", "often"]
