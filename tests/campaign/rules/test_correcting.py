"""The umpire's corrections of what is no troops: what they do, who is told, what is refused (HR-UMP)."""

import json
from dataclasses import replace

import pytest

from campaign.rules.acts import Act, act_from_json, act_to_json
from campaign.rules.corrections import ChangePool
from campaign.rules.errors import RuleViolation
from campaign.rules.events import Event
from campaign.rules.outcome import Completed
from campaign.rules.umpiring import act_apply, can_act
from campaign.rules.world import World
from tests.factories.fog import road

WHY = "A slip of the umpire's."
POOLED = replace(road(), pools={"american/line": 60})


def done(world: World, act: Act) -> Completed:
    """An act done as it comes out of the journal."""
    stored = act_from_json(json.loads(json.dumps(act_to_json(act))))
    assert stored == act
    result = act_apply(world, stored, WHY)
    book, *others = result.events
    assert (book.kind, book.sides, book.data["reason"]) == ("umpire_act", (), WHY)
    assert all(WHY not in json.dumps(dict(event.data)) for event in others)
    return Completed(result.world, tuple(others))


def told(world: World, act: Act) -> Event:
    (event,) = done(world, act).events
    return event


def refused(world: World, act: Act) -> tuple[str, str]:
    """Rule and field of a refusal."""
    with pytest.raises(RuleViolation) as caught:
        act_apply(world, act, WHY)
    assert not can_act(world, act, WHY)
    return caught.value.rule_id, caught.value.field


# --- pools (HR-UMP-19) ---


@pytest.mark.parametrize(
    ("act", "before", "after", "side"),
    [
        (ChangePool("american/line", 40), 60, 100, "rebel"),
        (ChangePool("american/line", -60), 60, 0, "rebel"),
        (ChangePool("american/rifles", 5), 0, 5, "rebel"),
        (ChangePool("british/line", 30), 0, 30, "crown"),
    ],
)
def test_hr_ump_19_a_pools_points_are_given_or_taken_and_its_side_alone_reads_it(act, before, after, side):
    event = told(POOLED, act)
    assert (event.kind, event.rule, event.sides) == ("points_changed", "HR-UMP-19", (side,))
    assert (event.pool, event.before, event.after) == (act.pool, before, after)
    changed = done(POOLED, act).world
    assert changed == replace(POOLED, pools={**POOLED.pools, act.pool: after})


@pytest.mark.parametrize(
    ("act", "rule", "field"),
    [
        (ChangePool("american/line", 0), "HR-UMP-19", "points"),
        (ChangePool("american/line", -61), "HR-UMP-19", "points"),
        (ChangePool("american/line", 99_941), "HR-UMP-19", "points"),
        (ChangePool("german/line", 10), "HR-UMP-19", "pool"),
        (ChangePool("american", 10), "AWI-C-POL-01", "pool"),
        (ChangePool("martian/line", 10), "AWI-C-POL-01", "pool"),
    ],
)
def test_hr_ump_19_a_pool_that_cannot_change_so_is_refused_at_its_field(act, rule, field):
    assert refused(POOLED, act) == (rule, field)
