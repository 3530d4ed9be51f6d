"""What each side is shown, for each kind of order and event: golden files (HR-FOG-01 to HR-FOG-06).

A file holds both sides' views after a little campaign of tests/golden/fog_cases.py or fog_cases_days.py:
their journals, the enemies and counters on their maps, the places they see and whose they believe them.
After a change that is meant, write them anew and read the difference:

    AWI_GOLDEN=write python -m pytest tests/golden/test_fog.py
"""

import re
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from campaign.fog.viewers import Viewer
from campaign.fog.visibility import COUNTERS, collect_known_counters
from campaign.models import Campaign, Seat, User
from campaign.rules.army.organisation import KINDS, kind_of
from campaign.rules.returns.week import WeekChoices
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.umpire import corrections
from campaign.rules.world.events import Event
from campaign.rules.world.world import Activity, Pace, Stance, World
from campaign.text.event_table import EVENT_KINDS
from campaign.text.place_names import names_of, position_text
from campaign.text.sightings import sighting_text
from tests.golden.fog_acts import ACTS
from tests.golden.fog_cases import CASES, Case
from tests.golden.fog_cases_days import CASES as CASES_OF_DAYS
from tests.golden.fog_files import compare, facts_of, file_name

FOLDER = Path(__file__).parent / "fog"
#: Every little campaign, by name.
EVERY: dict[str, Case] = {**CASES, **CASES_OF_DAYS}
#: Kinds of events that no case here tells of, and why.
ELSEWHERE = {"campaign_begins": "tests/golden/test_fog_acts.py reads it from the journal's rows"}
#: Kinds about a unit or a column that both sides hear of.
OF_BOTH = frozenset({"joins_battle", "force_surrendered", "general_captured"})
#: Kinds that name the enemy's column or its units themselves.
NAMES = ("pursuit", "dispatch_taken")


def counters_of(world: World, side: str, visible: frozenset[str]) -> list[str]:
    """Works, boats, sieges, terms, food, crossings and roads on a side's map; facts that are 0 left out."""
    viewer = Viewer(Campaign(), User(), Seat.Role.COMMANDER, side, "")
    return [
        f"{kind} {key}: " + ", ".join(f"{name} {value}" for name, value in asdict(counter).items() if value)
        for kind in COUNTERS
        for key, counter in collect_known_counters(viewer, world, kind, visible).items()
    ]


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
        "counters": counters_of(world, side, view.visible),
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


@pytest.mark.parametrize("name", EVERY)
def test_hr_fog_01_what_each_side_is_shown(name: str) -> None:
    compare(FOLDER / file_name(name), shown(EVERY[name]))


def test_the_golden_files_are_those_of_the_cases() -> None:
    assert not set(CASES) & set(CASES_OF_DAYS)
    assert {path.name for path in FOLDER.glob("*.json")} == {file_name(name) for name in EVERY}


# --- whether everything is told of ---


@pytest.fixture(scope="module")
def told() -> dict[str, list[Event]]:
    """The events of every golden, the acts' among them, by kind."""
    found: dict[str, list[Event]] = {}
    days = [event for case in EVERY.values() for day in case.played()[1] for event in day]
    for event in [*days, *(event for act in ACTS.values() for event in act()[1])]:
        found.setdefault(event.kind, []).append(event)
    return found


def test_every_kind_of_event_with_words_is_in_a_golden(told: dict[str, list[Event]]) -> None:
    assert set(EVENT_KINDS) - set(told) == set(ELSEWHERE), "write a case for it, or say in ELSEWHERE why not"


def test_hr_fog_01_no_more_are_told_of_an_event_than_its_kind_says(told: dict[str, list[Event]]) -> None:
    wider = {
        (code, len(event.sides))
        for code, events in told.items()
        for event in events
        if len(event.sides) > EVENT_KINDS[code].readers
    }
    assert wider == set()


def test_an_event_names_a_rule_of_its_kind(told: dict[str, list[Event]]) -> None:
    others = {
        (code, event.rule)
        for code, events in told.items()
        for event in events
        if EVENT_KINDS[code].rules and event.rule not in EVENT_KINDS[code].rules
    }
    assert others == set()


def test_every_act_and_treaty_is_in_a_golden() -> None:
    assert set(corrections.KINDS) <= set(ACTS)


def test_every_kind_of_order_is_in_a_golden() -> None:
    given = [order for case in EVERY.values() for orders in case.orders.values() for order in orders]
    standing = [one.order for case in EVERY.values() for one in case.world.formations.values() if one.order]
    parts = [stage for order in given for stage in order.stages]
    assert {order.activity for order in (*given, *standing)} == set(get_args(Activity))
    assert {part.pace for part in (*given, *parts)} == set(get_args(Pace))
    assert {part.stance for part in (*given, *parts)} == set(get_args(Stance))
    assert all(
        any(getattr(order, name) for order in given)
        for name in ("light_order", "starts", "by_water", "stages", "target")
    )


def test_every_paper_of_organisation_is_in_a_golden() -> None:
    assert {kind_of(paper) for case in EVERY.values() for paper in case.organisation} == set(KINDS)


def test_every_choice_for_the_returns_is_in_a_golden() -> None:
    chosen = [case.choices for case in EVERY.values() if case.choices is not None]
    assert {item.name for item in fields(WeekChoices) for choice in chosen if getattr(choice, item.name)} == {
        item.name for item in fields(WeekChoices)
    }


# --- whether anybody is told too much ---


def test_hr_fog_01_figures_of_a_unit_are_told_to_its_own_side_only() -> None:
    """In every case: who reads points, dice or places of a unit or of a column is of its side."""
    for name, case in EVERY.items():
        world, days = case.played()
        for event in (event for day in days for event in day):
            unit, body = world.units.get(event.unit), world.formations.get(event.formation)
            own = unit.side if unit is not None else body.side if body is not None else ""
            if own and event.kind not in OF_BOTH:
                assert set(event.sides) <= {own}, f"{name}: {event}"


def test_what_both_sides_read_of_a_roll_names_no_column_outside_battle() -> None:
    """Addresses of dice go into a side's file (HR-PRF-01): none names an enemy's unit or column."""
    for name, case in EVERY.items():
        world, days = case.played()
        owners = {key: one.side for key, one in [*world.formations.items(), *world.units.items()]}
        for event in (event for day in days for event in day if event.kind not in NAMES):
            said = " ".join([event.contact, *(roll.address for roll in event.rolls), str(event.modifiers)])
            named = {owners[word] for word in re.split(r"[^a-z0-9_-]+", said) if word in owners}
            assert all(named <= {side} for side in event.sides), f"{name}: {event}"


def test_hr_sie_03_who_besieges_is_not_told_that_the_garrison_starves() -> None:
    _, (day,) = EVERY["summons of a hungry garrison"].played()
    summons = [event for event in day if event.kind == "summons"]
    assert any("rebel" in event.sides and ("hunger", 3) in event.modifiers for event in summons)
    assert not any("crown" in event.sides and ("hunger", 3) in event.modifiers for event in summons)
