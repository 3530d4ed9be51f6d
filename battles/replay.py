"""Replays: one file with a battle, its dice and all that happened, so that every move can be shown.

A replay is JSON, packed with gzip when its name ends in `.gz`. Reading one needs no engine.
"""

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from battles.engine.events import Event
from battles.engine.fighting import FightResult
from battles.errors import BattleFileError
from battles.file_checks import LAYOUT
from battles.files import battle_from_json, battle_to_json, document_read, freeze, thaw
from battles.rulesets import registry
from battles.scenario import BattleFile, BattleOutcome
from battles.standing import Standing

FORMAT, VERSION = "awi-replay", 1


@dataclass(frozen=True, slots=True)
class Replay:
    """A fought battle as it was kept: how all stood at the start, then every event in order."""

    battle: BattleFile
    outcome: BattleOutcome
    standing: Standing
    events: tuple[Event, ...]
    versions: Mapping[str, str]

    @property
    def result(self) -> FightResult:
        """The fight as the engine gave it, for accounts and rolls."""
        return FightResult(self.outcome, self.events, self.outcome.turns)


def replay_write(path: Path, battle: BattleFile, result: FightResult) -> None:
    """Write what happened in a recorded fight to `path`. Raises ValueError for one without events."""
    if not result.events:
        raise ValueError("This fight was not recorded; fight it again with `record`.")
    data = {
        "format": FORMAT,
        "version": VERSION,
        "versions": {
            "engine": result.outcome.engine_version,
            battle.ruleset: registry.get(battle.ruleset).version,
        },
        "seed": result.outcome.seed,
        "battle": battle_to_json(battle),
        "standing": asdict(registry.standing(battle)),
        "events": [freeze_event(event) for event in result.events],
        "outcome": asdict(result.outcome),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    # without a time, so that the same fight is the same file
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def freeze_event(event: Event) -> dict[str, Any]:
    """An event as JSON, without what is empty."""
    return {key: value for key, value in freeze(event).items() if value not in ("", 0, [])}


def _thaw_event(data: Mapping[str, Any]) -> Event:
    empty = dict(asdict(_NOTHING))
    event: Event = thaw(Event, {**empty, **data})
    wrong = [name for name, value in empty.items() if not _alike(getattr(event, name), value)]
    if wrong:
        raise ValueError(f"an event's {wrong[0]} is {getattr(event, wrong[0])!r}")
    return event


def _alike(value: Any, empty: Any) -> bool:
    """True when a field of an event has the type it must have; dice are whole numbers."""
    known = isinstance(value, type(empty))
    return known and (not isinstance(value, tuple) or all(isinstance(die, int) for die in value))


_NOTHING = Event(0, "", "", "", "", "", (), 0, 0, "", "", 0.0, 0.0, 0)


def replay_read(path: Path) -> Replay:
    """The replay of a file.

    Raises BattleFileError, with path and reason, for a file that is none or is of another version.
    """
    try:
        raw = path.read_bytes()
        data = document_read(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except (OSError, EOFError, zlib.error) as error:
        raise BattleFileError(LAYOUT, f"The replay cannot be read: {error}.", "") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BattleFileError(LAYOUT, "This is no replay; `fight --replay` writes one.", "format")
    if data.get("version") != VERSION:
        raise BattleFileError(
            LAYOUT,
            f"This replay is of version {data.get('version')}; this program reads {VERSION}.",
            "version",
        )
    missing = [key for key in ("battle", "outcome", "standing", "events", "versions") if key not in data]
    if missing:
        raise BattleFileError(LAYOUT, f"The replay has no “{missing[0]}”; write it again.", missing[0])
    try:
        battle = battle_from_json(data["battle"])
    except BattleFileError as error:
        place = ".".join(part for part in ("battle", error.field) if part)
        raise BattleFileError(error.rule_id, error.message, place) from error
    try:
        return Replay(
            battle=battle,
            outcome=thaw(BattleOutcome, data["outcome"]),
            standing=thaw(Standing, data["standing"]),
            events=tuple(map(_thaw_event, data["events"])),
            versions=data["versions"],
        )
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BattleFileError(
            LAYOUT, f"The replay is damaged ({error}); write it again.", "events"
        ) from error
