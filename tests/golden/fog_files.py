"""Golden files of what sides are shown: how an event is put down, and how a file is kept."""

import json
import os
from pathlib import Path
from typing import Any

from campaign.rules.world.events import Event


def facts_of(event: Event) -> str:
    """Every fact of an event that is told, but for sentences of refusals: those are told to who ordered."""
    facts = {
        "unit": event.unit,
        "formation": event.formation,
        "pool": event.pool,
        "place": event.place,
        "route": event.route,
        "points": "" if event.before is None else f"{event.before} to {event.after}",
        "dice": [roll.value for roll in event.rolls],
        "modifiers": [f"{name} {value:+d}" for name, value in event.modifiers],
        **{key: value for key, value in sorted(event.data.items()) if key != "reason"},
    }
    return ", ".join(f"{key} {value}" for key, value in facts.items() if value not in ("", [], None))


def file_name(case: str) -> str:
    return f"{case.replace(' ', '_').replace(',', '').replace(chr(39), '')}.json"


def compare(path: Path, found: dict[str, Any]) -> None:
    """What is found is what the file holds; with AWI_GOLDEN=write the file is written anew first."""
    if os.environ.get("AWI_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8")), f"{path.name} differs; see this module"
