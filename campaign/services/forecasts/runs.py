"""Courses of a forecast played by one process or several: each hangs on the start and its number alone."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings

from campaign.services.forecasts.forecast_runs import Start, play_run, start_to_json


def iter_courses(
    start: Start, numbers: Sequence[int], processes: int, folder: Path
) -> Iterator[dict[str, Any]]:
    """The courses of these numbers, in the order in which they are finished.

    One process is this one; several are started with the scenario's `folder`, and end with the generator.
    """
    count = min(len(numbers), processes)
    if count > 1:
        return _iter_shared_courses(start, numbers, count, folder)
    return (play_run(start, number) for number in numbers)


def _iter_shared_courses(
    start: Start, runs: Sequence[int], count: int, folder: Path
) -> Iterator[dict[str, Any]]:
    told = json.dumps(start_to_json(start))
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(max_workers=count))
        processes = [stack.enter_context(_Worker(folder, told)) for _ in range(count)]
        numbers = iter(runs)
        waiting: dict[Future[dict[str, Any]], _Worker] = {
            threads.submit(process.play, number): process
            for process, number in zip(processes, numbers, strict=False)
        }
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                process = waiting.pop(future)
                result = future.result()
                number = next(numbers, None)
                if number is not None:
                    waiting[threads.submit(process.play, number)] = process
                yield result


class _Worker:
    """A process that plays runs one at a time; killed when it is left."""

    def __init__(self, folder: Path, told: str) -> None:
        self._faults = TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "campaign.services.forecasts.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._faults,
            text=True,
            cwd=settings.BASE_DIR,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE},
        )
        self._told = told + "\n"

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._faults.close()

    def play(self, number: int) -> dict[str, Any]:
        """One run. Raises RuntimeError when the process has died."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        try:
            requests.write(self._told + f"{number}\n")
            requests.flush()
        except OSError as error:
            raise self._build_stop_error() from error
        self._told = ""
        line = answers.readline()
        if not line:
            raise self._build_stop_error()
        result: dict[str, Any] = json.loads(line)
        return result

    def _build_stop_error(self) -> RuntimeError:
        """Why the process has died, as its last words tell."""
        self._process.wait()
        self._faults.seek(0)
        last = (self._faults.read().strip().splitlines() or ["without a word"])[-1]
        return RuntimeError(f"A worker of the forecast stopped: {last}")
