"""Digests of fights with all their events, to compare the two modes of the engine.

Run as a program it reads battle files as a JSON list and prints their digests:
`python -m tests.battles.digests < FILES`.
"""

import json
import sys
from dataclasses import astuple
from hashlib import sha256
from typing import Any

from battles.files.reading import battle_from_json
from battles.rulesets.registry import fight_battle


def digest(data: Any, seed: int) -> str:
    """Digest of the outcome and of every event of one fight; the number of events stands before it."""
    result = fight_battle(battle_from_json(data, part=True), seed, record=True)
    told = json.dumps([astuple(event) for event in result.events]) + repr(result.outcome)
    return f"{len(result.events)}:{sha256(told.encode()).hexdigest()}"


def digests(files: list[Any]) -> list[str]:
    return [digest(data, seed) for seed, data in enumerate(files)]


if __name__ == "__main__":
    print(json.dumps(digests(json.load(sys.stdin))))
