"""Choices of two sides made up as one (HR-PAP-03)."""

from campaign.rules.replacements import LoyalistFill
from campaign.rules.week import WeekChoices, close_week, merge_choices
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
