"""Digests of a hundred small fights with all their events, to compare the two modes of the engine.

Run as a program, it prints them as JSON: `python -m tests.battles.digests`.
"""

import json
from dataclasses import astuple
from hashlib import sha256

from battles.rulesets.registry import fight
from tests.battles.forces import random_battle

FIGHTS = 100


def digest(seed: int) -> str:
    """Digest of the outcome and of every event of one fight of three against three."""
    result = fight(random_battle(seed), seed, record=True)
    told = json.dumps([astuple(event) for event in result.events]) + repr(result.outcome)
    return f"{len(result.events)}:{sha256(told.encode()).hexdigest()}"


def digests() -> list[str]:
    return [digest(seed) for seed in range(FIGHTS)]


if __name__ == "__main__":
    print(json.dumps(digests()))
