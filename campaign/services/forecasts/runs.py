"""Runs of a forecast: possible courses of a campaign, played in memory (HR-FRC-01).

A start is all that a run needs, and goes to other processes as JSON; a run comes back as JSON values. A run
depends on the start and its number alone, so one process, several, or all workers give the same figures
(HR-JOB-03).
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings

from battles.files.reading import decode_battle
from battles.rulesets import registry
from campaign.ai.commander import staff_orders
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Job
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import FoughtBattle, play_campaign
from campaign.rules.victory.victory import scenario_points
from campaign.rules.world.world import Order, Theatre, UnitStatus, World
from campaign.rules.world.world_json import to_canonical_json, world_from_json, world_to_json
from campaign.selectors.battles.battle_files import FieldOfficer, battle_file, ground_seed
from campaign.selectors.forecasts.figures import join_figures, runs_tally
from campaign.services.battles.outcomes import BATTLE_DICE, settlement_of
from campaign.services.jobs.parts import Report, parts_ask, parts_work, split_evenly
from rosters.domain.dice import AddressedDice, DiceRoller


@dataclass(frozen=True, slots=True)
class Start:
    """The starting point of every run. `dice` are the forecast's own; `ground` the battlefields'.

    `waiting` are battles that wait, by contact: that and the file as it stands. One that comes about alike
    is fought so (HR-TAB-12). `options` are those chosen of the ruleset (HR-BAT-13).

    Each run throws its dice at addresses of its own; none is the campaign's (HR-CON-10).
    """

    world: World
    ruleset: str
    officers: tuple[FieldOfficer, ...]
    dice: AddressedDice
    ground: AddressedDice
    weeks: int
    waiting: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


def start_to_json(start: Start) -> dict[str, Any]:
    """A start as JSON values, the theatre left out."""
    return {
        "world": world_to_json(start.world),
        "ruleset": start.ruleset,
        "officers": [asdict(officer) for officer in start.officers],
        "dice": _dice_to_json(start.dice),
        "ground": _dice_to_json(start.ground),
        "weeks": start.weeks,
        "waiting": dict(start.waiting),
        "options": dict(start.options),
    }


def start_from_json(data: Mapping[str, Any], theatre: Theatre) -> Start:
    """The inverse of `start_to_json`."""
    return Start(
        world=world_from_json(data["world"], theatre),
        ruleset=data["ruleset"],
        officers=tuple(FieldOfficer(**row) for row in data["officers"]),
        dice=_dice_from_json(data["dice"]),
        ground=_dice_from_json(data["ground"]),
        weeks=data["weeks"],
        waiting=data["waiting"],
        options=data["options"],
    )


def _dice_to_json(dice: AddressedDice) -> dict[str, Any]:
    return {"secret": dice.secret.hex(), "campaign": dice.campaign, "revision": dice.revision}


def _dice_from_json(row: Mapping[str, Any]) -> AddressedDice:
    return AddressedDice(bytes.fromhex(row["secret"]), row["campaign"], row["revision"], 0)


def play_run(start: Start, number: int) -> dict[str, Any]:
    """Play the campaign on once; returns its weeks and battles as JSON values."""
    dice = replace(start.dice, revision=number + 1)
    givers = {side.id: _list_staff_orders for side in start.world.theatre.sides}

    def settle(world: World, contact: Contact, day: DiceRoller) -> Settlement:
        return _fight_contact(start, world, contact, day)

    played = play_campaign(start.world, lambda day: replace(dice, day=day), givers, settle, start.weeks)
    last = len(played.mornings) - 1
    return {
        "run": number,
        "weeks": [_serialize_week(played.mornings[min(7 * week, last)]) for week in range(start.weeks + 1)],
        "battles": [_serialize_battle(fought) for fought in played.battles],
    }


def _list_staff_orders(world: World, side: str, dice: DiceRoller) -> list[Order]:
    """List the orders of a side's staff, which throws no dice and does not look ahead in battle."""
    return staff_orders(world, side)


def _fight_contact(start: Start, world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    assert isinstance(dice, AddressedDice)
    waits = start.waiting.get(contact.key)
    if waits is not None and to_canonical_json(waits["contact"]) == to_canonical_json(asdict(contact)):
        file = decode_battle(waits["file"])
    else:
        file = battle_file(
            world,
            contact,
            ruleset=start.ruleset,
            options=start.options,
            seed=ground_seed(start.ground, contact),
            officers=start.officers,
        )
    outcome = registry.fight_battle(file, dice.seed(BATTLE_DICE, contact.key)).outcome
    return settlement_of(file, outcome, contact.key)


def _serialize_week(world: World) -> dict[str, Any]:
    """Serialize the sides' state on a morning: points in the field, place holders, objective points."""
    points = {side.id: 0 for side in world.theatre.sides}
    for unit in world.units.values():
        if unit.status is UnitStatus.PRESENT and not unit.is_train:
            points[unit.side] += unit.points
    return {
        "points": points,
        "holders": dict(sorted(world.holders.items())),
        "objectives": scenario_points(world),
    }


def _serialize_battle(fought: FoughtBattle) -> dict[str, Any]:
    contact = fought.contact
    return {
        "day": fought.day,
        "where": contact.place or contact.route,
        "attacker": contact.attacker,
        "tiny": contact.tiny,
        "held_by": fought.settlement.field_held_by,
    }


def iter_courses(
    start: Start, numbers: Sequence[int], processes: int, folder: Path
) -> Iterator[dict[str, Any]]:
    """Iterate over the courses with these numbers, in the order in which they finish.

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


PART_KIND = "forecast_part"
#: What is worth sharing, and what one part has of it at the least: courses times their weeks.
WORTH, PART, MOST_PARTS = 120, 40, 64


def split_runs(weeks: int, runs: int) -> list[tuple[int, int]]:
    """Split the courses into parts; one part when sharing is not worth the overhead."""
    work = weeks * runs
    return split_evenly(runs, 1 if work < WORTH else min(MOST_PARTS, runs, work // PART))


def play_forecast_in_parts(
    *, job: Job, start: Start, folder: Path, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """Play a forecast in parts with all workers and join its figures. Raises RuleViolation and JobLost."""
    runs = job.payload["runs"]
    mark = start_mark(start)
    keys = parts_ask(
        job=job,
        kind=PART_KIND,
        mark=mark,
        payloads=[
            {"of": job.pk, "mark": mark, "start": first, "stop": stop}
            for first, stop in split_runs(start.weeks, runs)
        ],
    )

    def report_progress(percent: int) -> None:
        note = f"{runs * percent // 100:,} of {runs:,} courses of the campaign, in {len(keys)} parts."
        report(percent, note)

    tallies = parts_work(
        job=job, keys=keys, work=lambda part, tell: play_part(part, start, folder, tell), told=report_progress
    )
    return join_figures(start.world, start.weeks, tallies)


def play_part(part: Job, start: Start, folder: Path, report: Report) -> dict[str, Any]:
    """Play the courses of a part and count them. `report` raises JobLost when the job was stopped."""
    first, stop = part.payload["start"], part.payload["stop"]
    played = []
    for course in iter_courses(start, range(first, stop), processes_usual(), folder):
        played.append(course)
        report(100 * len(played) // (stop - first))
    return runs_tally(start.world, start.weeks, played)


def processes_usual() -> int:
    """Processes worth using for one part here, where every worker process of the machine may have one."""
    return max(1, (os.cpu_count() or 1) // settings.JOB_WORKERS)


def start_mark(start: Start) -> str:
    """Identifier of a forecast's question: a digest of its start and dice."""
    return compute_digest(start_to_json(start))[:16]
