"""Replays: one file with a battle, its dice and all that happened, so that every move can be shown.

A replay is JSON, packed with gzip when its name ends in `.gz`. Reading one needs no engine.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from battles.engine.events import BattleEvent
from battles.engine.fighting import FightResult
from battles.errors import BattleFileError, refuse_all
from battles.files.document_checks import LAYOUT
from battles.files.initial_positions import WITHIN, InitialPositions
from battles.files.reading import (
    battle_from_json,
    battle_to_json,
    decode_value,
    describe_read_error,
    encode_value,
    parse_document,
)
from battles.files.schema import BattleFile, BattleOutcome, PlanChoice
from battles.rulesets import registry

FORMAT, VERSION = "awi-replay", 1


@dataclass(frozen=True, slots=True)
class Replay:
    """A fought battle as it was kept: how all stood at the start, then every event in order."""

    battle: BattleFile
    outcome: BattleOutcome
    standing: InitialPositions
    events: tuple[BattleEvent, ...]
    versions: Mapping[str, str]
    choices: tuple[PlanChoice, ...] = ()

    @property
    def table(self) -> BattleFile:
        """The battle with a unit for each piece that moves on its own, as events and standing name them."""
        return registry.get_rules(self.battle.ruleset).telling.pieces(self.battle)

    @property
    def result(self) -> FightResult:
        """The fight as the engine gave it, for accounts and rolls."""
        return FightResult(self.outcome, self.events, self.outcome.turns, self.choices)


def write_replay(path: Path, battle: BattleFile, result: FightResult) -> None:
    """Write what happened in a recorded fight to `path`. Raises ValueError for one without events."""
    text = _encode_replay(battle, result)
    # without a time, so that the same fight is the same file
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def pack_replay(battle: BattleFile, result: FightResult) -> bytes:
    """The same as packed bytes, to be kept elsewhere than in a file."""
    return gzip.compress(_encode_replay(battle, result), mtime=0)


def _encode_replay(battle: BattleFile, result: FightResult) -> bytes:
    if not result.events:
        raise ValueError("This fight was not recorded; fight it again with `record`.")
    data = {
        "format": FORMAT,
        "version": VERSION,
        "versions": {
            "engine": result.outcome.engine_version,
            battle.ruleset: registry.get_ruleset(battle.ruleset).version,
        },
        "seed": result.outcome.seed,
        "battle": battle_to_json(battle),
        "standing": asdict(registry.get_initial_positions(battle)),
        "events": [encode_event(event) for event in result.events],
        "outcome": asdict(result.outcome),
        "choices": encode_value(result.choices),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def encode_event(event: BattleEvent) -> dict[str, Any]:
    """An event as JSON, without what is empty."""
    return {key: value for key, value in encode_value(event).items() if value not in ("", 0, [])}


def _decode_event(data: Any) -> BattleEvent:
    event = BattleEvent(**{**_EMPTY, **data, "dice": tuple(data.get("dice", ()))})
    wrong = [name for name, value in _EMPTY.items() if not _is_same_type(getattr(event, name), value)]
    if wrong or (event.kind == "first_move" and event.total not in (0, 1)):
        raise ValueError
    return event


def _is_same_type(value: Any, empty: Any) -> bool:
    """True when a field of an event has the type it must have; dice are whole numbers."""
    known = isinstance(value, type(empty)) or (isinstance(empty, float) and isinstance(value, int))
    return known and (not isinstance(value, tuple) or all(isinstance(die, int) for die in value))


_EMPTY = asdict(BattleEvent(0, "", "", "", "", "", (), 0, 0, "", "", 0.0, 0.0, 0))
_AGAIN = "write it again with `fight --replay`"


def read_replay(path: Path) -> Replay:
    """The replay of a file.

    Raises BattleFileError, with path and reason, for a file that is none or is of another version.
    """
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        message = f"The replay cannot be read: {describe_read_error(error)}. `fight --replay` writes one."
        raise BattleFileError(LAYOUT, message, "") from error
    return unpack_replay(raw)


def unpack_replay(raw: bytes) -> Replay:
    """The replay of packed or plain bytes. Raises BattleFileError as `read_replay`."""
    data = _parse_replay(raw)
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
        raise BattleFileError(LAYOUT, f"The replay has no “{missing[0]}”; {_AGAIN}.", missing[0])
    try:
        battle = battle_from_json(data["battle"], part=True)
    except BattleFileError as error:
        refuse_all(
            BattleFileError(each.rule_id, each.message, ".".join(filter(None, ("battle", each.field))))
            for each in error.every
        )
        raise
    if not isinstance(data["events"], list):
        raise BattleFileError(LAYOUT, f"The replay's events are no list; {_AGAIN}.", "events")
    return Replay(
        battle=battle,
        outcome=_decode_part(lambda: decode_value(BattleOutcome, data["outcome"]), "outcome"),
        standing=_decode_part(lambda: decode_value(InitialPositions, data["standing"]), "standing"),
        events=tuple(
            _decode_part(partial(_decode_event, event), f"events[{n}]")
            for n, event in enumerate(data["events"])
        ),
        versions=_decode_part(lambda: dict(data["versions"]), "versions"),
        choices=_decode_part(
            lambda: decode_value(tuple[PlanChoice, ...], data.get("choices", ())), "choices"
        ),
    )


def _parse_replay(raw: bytes) -> Any:
    try:
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as error:
        message = f"The replay is cut short or damaged and cannot be read; {_AGAIN}."
        raise BattleFileError(LAYOUT, message, "") from error
    try:
        return parse_document(raw, separator=WITHIN)
    except BattleFileError as error:
        message = f"This is no replay, or one that is cut short or damaged; {_AGAIN}."
        raise BattleFileError(LAYOUT, message, error.field) from error


def _decode_part(thawed: Callable[[], Any], place: str) -> Any:
    try:
        return thawed()
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BattleFileError(LAYOUT, f"The replay is damaged here; {_AGAIN}.", place) from error
