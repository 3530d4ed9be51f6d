"""What each side is shown, for each kind of order and event: golden files (HR-FOG-01 to HR-FOG-06).

A file holds both sides' views after a little campaign of tests/golden/fog_cases.py: their journals, the
enemies on their maps, the places they see and who they believe to hold them. After a change that is
meant, write them anew and read the difference:

    AWI_GOLDEN=write python -m pytest tests/golden/test_fog.py
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from campaign.narration import names_of, position_text
from campaign.rules.events import Event
from campaign.rules.knowledge import side_view
from campaign.rules.world import World
from campaign.scouting_words import sighting_text
from tests.golden.fog_cases import CASES, Case

FOLDER = Path(__file__).parent / "fog"
#: Events of which at least one case must tell.
TOLD = frozenset(
    {
        "arrival_waits", "arrived", "arrives", "battle", "battle_loss", "called_to_battle",
        "campaign_ended", "command_taken", "contact", "contact_at_dusk", "detached", "enemy_gone",
        "enemy_sighted", "enlistments", "escape", "escorted", "forced_march", "garrisoned", "halts",
        "joined", "joins_battle", "levy_departed", "levy_stays", "loyalist_fill", "march_held_up",
        "militia", "order_refused", "organisation_refused", "passes", "place_taken", "rejoined",
        "retreat", "stand_off", "transferred", "weather",
    }
)  # fmt: skip


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
        **{key: value for key, value in sorted(event.data.items()) if key != "reason"},
    }
    return ", ".join(f"{key} {value}" for key, value in facts.items() if value not in ("", [], None))


def view_of(world: World, told: Any, side: str) -> dict[str, Any]:
    """One side's map and journal, short."""
    names, view = names_of(world), side_view(world, side)
    return {
        "own": [
            f"{one.name} {position_text(one.position, names)}" for one in view.own if one.position is not None
        ],
        "enemies": [
            f"{one.number}: {one.name}, {one.sp} SP give or take {one.error} %, {one.arm}, "
            f"{position_text(one.position, names)}. {sighting_text(one, world.theatre, names)}"
            for one in view.enemies
        ],
        "sees": sorted(view.visible),
        "holders": dict(view.holders),
        "journal": [
            f"{day} {event.minute // 60}:{event.minute % 60:02d} {event.kind}: {facts_of(event)}"
            for day, events in enumerate(told, start=1)
            for event in events
            if side in event.sides
        ],
    }


def shown(case: Case) -> dict[str, Any]:
    world, told = case.played()
    return {side: view_of(world, told, side) for side in ("crown", "rebel")}


def file_of(name: str) -> Path:
    return FOLDER / f"{name.replace(' ', '_').replace(',', '').replace(chr(39), '')}.json"


@pytest.mark.parametrize("name", CASES)
def test_hr_fog_01_what_each_side_is_shown(name: str) -> None:
    found = shown(CASES[name])
    path = file_of(name)
    if os.environ.get("AWI_GOLDEN") == "write":
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8")), f"{path.name} differs; see this module"


def test_the_golden_files_are_those_of_the_cases() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {file_of(name).name for name in CASES}


def test_the_cases_tell_of_every_kind_of_event_listed() -> None:
    found = {event.kind for case in CASES.values() for day in case.played()[1] for event in day}
    assert TOLD - found == set()
