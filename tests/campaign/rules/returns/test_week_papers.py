"""Choices of two sides made up as one (HR-PAP-03)."""

from dataclasses import replace

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.replacements import LoyalistFill
from campaign.rules.returns.week import WeekChoices, close_week, merge_choices, verify_choices
from campaign.rules.world.world import UnitStatus
from rosters.domain.dice import AddressedDice
from tests.campaign.rules.weeks import unit, week_world


def world():
    """A Loyalist and a British unit at one place, pools of both sides, units raised by name."""
    units = [unit("loyalist", "loyal"), unit("british", "foot", 80), unit("continental", "line")]
    return week_world(units, pools={"american/line": 100, "british/line": 100}, auto_raise_units=False)


def test_hr_pap_03_choices_of_all_sides_are_merged_whoever_came_first() -> None:
    now = world()
    crown = WeekChoices(fills=(LoyalistFill("loyal", "foot", 5),))
    rebel = WeekChoices(raised=("american/line",))
    merged = merge_choices(now, {"crown": crown, "rebel": rebel})
    assert merged == merge_choices(now, {"rebel": rebel, "crown": crown})
    assert (merged.fills, merged.raised, merged.refused) == (crown.fills, rebel.raised, ())


def test_hr_pap_03_a_choice_that_cannot_be_made_is_told_to_its_side_and_stops_nothing() -> None:
    now = world()
    fills = tuple(LoyalistFill("loyal", "foot", points) for points in (5, 10))
    stolen = WeekChoices(raised=("british/line",))
    merged = merge_choices(now, {"crown": WeekChoices(fills=fills), "rebel": stolen})
    assert merged.fills == fills[:1] and not merged.raised
    assert [(each.side, each.rule) for each in merged.refused] == [
        ("crown", "AWI-C-LOY-01"),
        ("rebel", "AWI-C-POL-04"),
    ]
    events = close_week(now, merged, AddressedDice(b"secret", "toy", 0, 7)).events
    told = [event for event in events if event.kind == "choice_refused"]
    assert [event.sides for event in told] == [("crown",), ("rebel",)]
    assert "limit is 10" in told[0].data["reason"]
    assert WeekChoices.from_json(merged.to_json()) == merged


def lost(*keys: str):
    """Line units without a man left, each a week longer than the next, and a pool for one of them."""
    units = [
        replace(unit("continental", key, 0), status=UnitStatus.ELIMINATED, since=number)
        for number, key in enumerate(keys)
    ]
    return week_world([*units, unit("continental", "alive")], pools={"american/line": 100})


def rebuilt(choices: WeekChoices) -> list[str]:
    after = close_week(lost("first", "second", "third"), choices, AddressedDice(b"secret", "toy", 0, 7)).world
    return [key for key, each in after.units.items() if each.status is UnitStatus.PRESENT and key != "alive"]


def test_hr_rec_07_a_side_says_who_is_rebuilt_first_AWI_C_POL_03() -> None:
    assert rebuilt(WeekChoices()) == ["first"]
    assert rebuilt(WeekChoices(first=("third", "second"))) == ["third"]
    assert WeekChoices.from_json(WeekChoices(first=("third",)).to_json()) == WeekChoices(first=("third",))
    assert "first" not in WeekChoices().to_json()


@pytest.mark.parametrize("named", [("alive",), ("nobody",), ("first", "first")])
def test_hr_rec_07_only_who_waits_to_be_rebuilt_is_named_and_once(named: tuple[str, ...]) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_choices(lost("first"), WeekChoices(first=named))
    assert (refused.value.rule_id, refused.value.field) == ("HR-REC-07", "first")
