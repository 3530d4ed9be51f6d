"""fight FILE: fight a battle file once and tell it, or many times and print the odds."""

import json
import os
import secrets
import shutil
import signal
import threading
import time
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress, TaskID

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError, format_faults
from battles.files.other_rulesets import document_under
from battles.files.reading import battle_from_json, describe_read_error, find_shipped_battles, read_document
from battles.files.schema import BattleFile
from battles.files.warnings import battle_warnings
from battles.ground.names import join_names
from battles.odds.odds import FightOdds, estimate_odds, odds_of_one
from battles.odds.odds_json import odds_to_json
from battles.odds.ruleset_comparison import Figures, build_figures, build_side_descriptions, file_under
from battles.odds.text_tables import comparison_table, odds_tables
from battles.replay.account import compose_account
from battles.replay.replay import encode_event, write_replay
from battles.replay.rolls import list_roll_lines
from battles.rulesets import registry

#: Runs after which a search for a precision gives up when --runs sets no limit.
MOST_RUNS = 100_000
#: Runs under each ruleset when all are set side by side.
RUNS_EACH = 1000
#: What is said of rules that wait for the compiler.
COMPILING = "Compiled before the first fight here, which takes some minutes: {rules}."


class Command(BaseCommand):
    requires_system_checks = ()  # a fight needs no pages and no database
    help = "Fight a battle file: once, told as an officer would, or many times for the odds."

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(find_shipped_battles()) or "none"
        parser.add_argument("file", help=f"A battle file, or the name of a shipped one: {known}.")
        ids = ", ".join(ruleset.id for ruleset in registry.RULESETS)
        parser.add_argument(
            "--ruleset", default="", help=f"Fight under these rules instead of the file's: {ids}."
        )
        parser.add_argument(
            "--every-ruleset",
            action="store_true",
            help=f"Fight under every ruleset, {RUNS_EACH} times each if --runs says nothing, and set odds, "
            "losses and length side by side.",
        )
        parser.add_argument("--runs", type=parse_integer, help="Fight so many times and print the odds.")
        parser.add_argument(
            "--seed", type=parse_integer, help="The same seed is the same fight; drawn if left out."
        )
        parser.add_argument("--json", action="store_true", help="Print one JSON object and nothing else.")
        parser.add_argument(
            "--replay", metavar="OUT", help="Write every move and die to a file (.gz packs it)."
        )
        parser.add_argument("--dice", action="store_true", help="Print each roll with its modifiers too.")
        parser.add_argument(
            "--precision",
            type=parse_number,
            metavar="POINTS",
            help="Stop when the odds are known so well, ± points.",
        )
        parser.add_argument(
            "--threads", type=parse_integer, help="Threads for the odds; one a processor if left out."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        _check_options(options)
        if options["replay"]:
            _check_replay_path(options["replay"])
        if options["seed"] is None:
            options["seed"] = secrets.randbits(48)
        if options["every_ruleset"]:
            self._under_each(options)
            return
        try:
            document, left_out = document_under(read_document(options["file"]), options["ruleset"])
            battle = battle_from_json(document)
            warnings = [*left_out, *battle_warnings(battle)]
            for warning in warnings:
                self.stderr.write(f"Warning: {warning}", self.style.WARNING)
            self._compiling([battle])
            if (options["runs"] is None and options["precision"] is None) or options["runs"] == 1:
                self._once(battle, options, warnings)
            else:
                self._often(battle, options, warnings)
        except BattleFileError as error:
            if options["ruleset"] and error.field == "ruleset":
                message = f"--ruleset: {error.message} ({error.rule_id})"
            else:
                message = format_faults(error, options["file"])
            raise CommandError(message, returncode=2) from error
        except EngineError as error:
            raise CommandError(str(error)) from error

    def _once(self, battle: BattleFile, options: dict[str, Any], warnings: list[str]) -> None:
        started = time.perf_counter()
        result = registry.fight_battle(battle, options["seed"], record=True)
        seconds = time.perf_counter() - started
        if options["replay"]:
            _write_replay_file(Path(options["replay"]), battle, result)
        told = list_roll_lines(battle, result) if options["dice"] else []
        if options["json"]:
            data = odds_to_json(odds_of_one(battle, result.outcome, seconds))
            data |= {"warnings": warnings, "outcome": asdict(result.outcome)}
            data |= {"choices": [asdict(choice) for choice in result.choices]}
            data |= {"account": compose_account(battle, result)}
            if options["dice"]:
                data |= {"rolls": told, "events": [encode_event(event) for event in result.events]}
            self.stdout.write(json.dumps(data, ensure_ascii=False))
            return
        console = self._console()
        for paragraph in compose_account(battle, result):
            console.print(paragraph, end="\n\n", markup=False, highlight=False)
        for line in told:
            console.print(line, markup=False, highlight=False)
        console.print(f"Seed {options['seed']}: --seed {options['seed']} fights it again.", highlight=False)
        if options["replay"]:
            console.print(f"Replay: {options['replay']}", markup=False, highlight=False)

    def _compiling(self, battles: Iterable[BattleFile]) -> None:
        """Say why one waits, where the layouts that battles need are still to be compiled."""
        waiting = [registry.get_ruleset(one.ruleset).title for one in battles if _is_waiting(one)]
        if waiting:
            self.stderr.write(COMPILING.format(rules=join_names(waiting)))

    def _often(self, battle: BattleFile, options: dict[str, Any], warnings: list[str]) -> None:
        runs = options["runs"] or MOST_RUNS
        alive = Console(stderr=True, quiet=options["json"])
        with (
            Progress(console=alive, transient=True, disable=options["json"]) as bar,
            _stop_on_interrupt() as stop,
        ):
            task = bar.add_task("Battles", total=runs)
            found = estimate_odds(
                battle,
                seed=options["seed"],
                runs=runs,
                precision=options["precision"],
                threads=options["threads"],
                progress=lambda done, asked: bar.update(task, completed=done, total=asked),
                cancelled=stop.is_set,
            )
        if options["json"]:
            data = {**odds_to_json(found), "warnings": warnings}
            self.stdout.write(json.dumps(data, ensure_ascii=False))
            return
        console = self._console()
        for part in odds_tables(battle, found):
            console.print(part)
        console.print(_describe_run(found), highlight=False)

    def _under_each(self, options: dict[str, Any]) -> None:
        """Odds under every ruleset; one that cannot take the file says why."""
        runs = options["runs"] or RUNS_EACH
        try:
            document = read_document(options["file"])
            battle = battle_from_json(document)
        except BattleFileError as error:
            raise CommandError(format_faults(error, options["file"]), returncode=2) from error
        self._compiling(_under_all(document))
        told: list[tuple[str, Figures | str]] = []
        rows: list[dict[str, Any]] = []
        alive = Console(stderr=True, quiet=options["json"])
        with (
            Progress(console=alive, transient=True, disable=options["json"]) as bar,
            _stop_on_interrupt() as stop,
        ):
            for ruleset in registry.RULESETS:
                if stop.is_set():
                    break
                task = bar.add_task(ruleset.title, total=runs)
                row: dict[str, Any] = {"ruleset": ruleset.id, "title": ruleset.title}
                try:
                    file, left_out = file_under(document, ruleset.id)
                    found = estimate_odds(
                        file,
                        seed=options["seed"],
                        runs=runs,
                        precision=options["precision"],
                        threads=options["threads"],
                        progress=partial(_update_progress, bar, task),
                        cancelled=stop.is_set,
                    )
                except (BattleFileError, EngineError) as error:
                    rows.append(row | {"refused": str(error)})
                    told.append((ruleset.title, str(error)))
                    continue
                if not found.runs:
                    break
                row |= odds_to_json(found)
                minutes = registry.get_rules(ruleset.id).telling.minutes
                told.append((ruleset.title, build_figures(battle, row, minutes)))
                rows.append(row | {"left_out": left_out})
        left = registry.RULESETS[len(rows) :]
        if options["json"]:
            data = {"systems": rows, "not_fought": [ruleset.id for ruleset in left]}
            self.stdout.write(json.dumps(data, ensure_ascii=False))
            return
        for row in rows:
            for warning in row.get("left_out", ()):
                self.stderr.write(f"Warning: {warning}", self.style.WARNING)
        console = self._console()
        if told:
            console.print(comparison_table(battle.title, build_side_descriptions(battle), told))
        if left:
            names = ", ".join(ruleset.title for ruleset in left)
            console.print(f"Stopped before these were fought: {names}.", markup=False, highlight=False)
        console.print(f"Seed {options['seed']}.", highlight=False)

    def _console(self) -> Console:
        """Lines as wide as the terminal, or 100 columns into a file."""
        width = shutil.get_terminal_size((100, 24)).columns
        return Console(file=cast(TextIO, self.stdout), width=width)


def _under_all(document: Mapping[str, Any]) -> Iterator[BattleFile]:
    """The battle of a document under each ruleset that takes it."""
    for ruleset in registry.RULESETS:
        with suppress(BattleFileError):
            yield file_under(document, ruleset.id)[0]


def _is_waiting(battle: BattleFile) -> bool:
    """True when a battle's fight compiles first; False when it cannot be drawn up."""
    try:
        return registry.is_waiting(battle)
    except (BattleFileError, EngineError):
        return False


def _update_progress(bar: Progress, task: TaskID, done: int, asked: int) -> None:
    bar.update(task, completed=done, total=asked)


def parse_integer(text: str) -> int:
    """A whole number of the command line."""
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"“{text[:60]}” is no whole number; write it in digits.") from None


def parse_number(text: str) -> float:
    """A number of the command line."""
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"“{text[:60]}” is no number; write it in digits.") from None


def _check_options(options: dict[str, Any]) -> None:
    """Refuse options that say nothing that can be done."""
    runs, precision = options["runs"], options["precision"]
    if runs is not None and runs < 1:
        raise CommandError(f"--runs is {runs}; it must be 1 or more.", returncode=2)
    if precision is not None and not 0.1 <= precision <= 50:
        raise CommandError("--precision is in points, 0.1 to 50.", returncode=2)
    if options["threads"] is not None and not 1 <= options["threads"] <= 256:
        raise CommandError("--threads must be 1 to 256.", returncode=2)
    if options["seed"] is not None and not 0 <= options["seed"] < 2**64:
        raise CommandError("--seed must be 0 to 18446744073709551615.", returncode=2)
    many = (runs or 1) > 1 or (precision is not None and runs is None)
    if options["every_ruleset"] and (options["ruleset"] or options["replay"] or options["dice"]):
        raise CommandError(
            "--every-ruleset counts many fights; leave out --ruleset, --replay and --dice.", returncode=2
        )
    if many and (options["replay"] or options["dice"]):
        raise CommandError(
            "A replay and the dice are of one fight; leave out --runs and --precision for them.", returncode=2
        )


def _check_replay_path(name: str) -> None:
    """Refuse a replay that cannot be written before the fight, not after it."""
    path = Path(name)
    there = path if path.exists() else path.parent
    if path.is_dir():
        raise CommandError(f"--replay {name}: it is a folder; name a file in it.", returncode=2)
    if not path.parent.is_dir():
        raise CommandError(f"--replay {name}: there is no folder {path.parent}; make it first.", returncode=2)
    if not os.access(there, os.W_OK):
        raise CommandError(f"--replay {name}: you may not write there; name another file.", returncode=2)


def _write_replay_file(path: Path, battle: BattleFile, result: Any) -> None:
    try:
        write_replay(path, battle, result)
    except OSError as error:
        message = f"--replay {path}: it cannot be written, {describe_read_error(error)}; name another file."
        raise CommandError(message, returncode=2) from error


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """Ctrl-C asks to stop, so that what was done is shown; a second one ends at once."""
    stop = threading.Event()

    def ask(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _describe_run(found: FightOdds) -> str:
    why = {
        "": "",
        "precision": ", stopped when they were as precise as asked",
        "cancelled": ", stopped before all were fought",
    }[found.stopped]
    rate = found.runs / max(found.seconds, 1e-9)
    battles = f"{found.runs:,} battle{'' if found.runs == 1 else 's'}"
    speed = f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second"
    return f"{battles} in {found.seconds:.1f} s ({speed}){why}. Seed {found.seed}."
