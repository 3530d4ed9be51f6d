"""Returns by week and by rule, and the journal as its reader numbers it."""

from dataclasses import replace

import pytest

from campaign.fog.viewers import viewer_of
from campaign.ledger.journal import record_append
from campaign.models import Campaign, DayRecord, JournalEntry
from campaign.rules.world.world import UnitStatus, present_units
from campaign.selectors.army.returns import load_returns
from campaign.text.place_names import names_of

PAGE = "/campaigns/saratoga/"


def change(saratoga: Campaign, ordinal: int, day: int, unit: str, before: int, after: int, **more) -> None:
    JournalEntry.objects.create(
        campaign=saratoga,
        record=DayRecord.objects.filter(campaign=saratoga).first(),
        day=day,
        ordinal=ordinal,
        minute=600,
        kind=more.pop("kind", "battle_loss"),
        rule=more.pop("rule", "AWI-C-BAT-01"),
        sides="|crown|",
        unit=unit,
        before=before,
        after=after,
        **more,
    )


def test_returns_split_a_battles_loss_by_rule(crown, saratoga, world):
    unit = present_units(world)["advanced_corps"][0]
    before = unit.points
    change(
        saratoga, 10, 0, unit.id, before, before - 20,
        modifiers=[["AWI-C-BAT-01", -10], ["AWI-C-BAT-02", -10]],
    )  # fmt: skip
    returns = crown.get(f"{PAGE}?sheet=returns").context["returns"]
    line = next(line for body in returns.formations for line in body.units if line.name == unit.name)
    assert line.start == before
    assert [(part.rule, part.points) for part in line.changes] == [
        ("AWI-C-BAT-01", -10),
        ("AWI-C-BAT-02", -10),
    ]
    assert [part.signed_points for part in returns.by_rule] == ["\N{MINUS SIGN}10", "\N{MINUS SIGN}10"]


@pytest.mark.parametrize(("day", "week"), [(6, 1), (7, 2)])
def test_days_that_run_on_close_no_week_hr_cal_11(saratoga, burgoyne, world, day, week):
    """A battle of the seventh day waits: the map is a morning ahead, the week is not at its end."""
    saratoga.day = day
    viewer = replace(viewer_of(burgoyne, saratoga), campaign=saratoga)
    found = load_returns(viewer, replace(world, day=7), names_of(world))
    assert (found.week, found.closed, len(found.weeks)) == (week, False, week)


def test_past_weeks_are_as_they_were(crown, saratoga, world):
    """A unit that came or went later is not in a week it had no part in."""
    unit = present_units(world)["advanced_corps"][0]
    late = next(u for u in world.units.values() if u.side == "crown" and u.arrives > 20 and u.points)
    closed = replace(world, day=7, units={**world.units, unit.id: replace(unit, points=100)})
    record_append(
        campaign=saratoga,
        kind="week",
        happened_on=6,
        inputs={},
        versions={},
        events=[],
        world=closed,
        actor=None,
    )
    gone = replace(unit, points=85, status=UnitStatus.DEPARTED)
    come = replace(late, status=UnitStatus.PRESENT)
    later = replace(closed, day=8, units={**closed.units, unit.id: gone, late.id: come})
    record_append(
        campaign=saratoga,
        kind="day",
        happened_on=7,
        inputs={},
        versions={},
        events=[],
        world=later,
        actor=None,
    )
    saratoga.day = 8
    saratoga.save()
    change(saratoga, 10, 2, unit.id, 95, 90)
    change(saratoga, 11, 6, unit.id, 90, 100, kind="recruits", rule="AWI-C-ATT-02")
    change(saratoga, 12, 7, unit.id, 100, 85, kind="attrition", rule="AWI-C-ATT-01")

    def lines(week):
        returns = crown.get(f"{PAGE}?sheet=returns&week={week}").context["returns"]
        return {line.name: line for body in returns.formations for line in body.units}

    first, second = lines(1), lines(2)
    assert (first[unit.name].start, first[unit.name].now, first[unit.name].status) == (95, 100, "")
    assert [part.points for part in first[unit.name].changes] == [-5, 10]
    assert (second[unit.name].start, second[unit.name].now) == (100, 85)
    assert second[unit.name].status == "departed"
    assert late.name not in first and late.name in second
    assert sum(line.now for line in first.values()) == sum(
        u.points for u in closed.units.values() if u.side == "crown" and u.status == "present"
    )


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "x", "0"])
def test_a_wild_number_in_the_address_is_no_crash(crown, saratoga, number):
    assert crown.get(f"{PAGE}?sheet=returns&week={number}").status_code == 200
    assert crown.get(f"{PAGE}?sheet=journal&page={number}").status_code == 200


def test_journal_is_numbered_for_its_reader_newest_first(crown, saratoga, world):
    unit = present_units(world)["advanced_corps"][0]
    for day in range(5):
        change(saratoga, 10 + day, day, unit.id, 100 - day, 99 - day)
    first = crown.get(f"{PAGE}?sheet=journal").context["journal"]
    assert [day.day for day in first.days] == [5, 4, 3]
    assert (first.newer, first.older) == (None, 2)
    second = crown.get(f"{PAGE}?sheet=journal&page=2").context["journal"]
    assert [day.day for day in second.days] == [2, 1]
    lines = [line for day in (*second.days[::-1], *first.days[::-1]) for line in (*day.lines, *day.routine)]
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


#: User, campaign with its head, seat, days ahead, orders, battles, weather, letters; then the sheet's own.
QUERIES = {"orders": 7, "returns": 8, "journal": 10, "battles": 7}


@pytest.mark.parametrize(("sheet", "most"), QUERIES.items())
def test_queries_do_not_grow_with_the_campaign(
    crown, saratoga, world, sheet, most, django_assert_num_queries
):
    unit = present_units(world)["advanced_corps"][0]
    for ordinal in range(10, 60):
        change(saratoga, ordinal, ordinal % 3, unit.id, 100, 100)
    crown.get(PAGE)  # the visit is noted once
    with django_assert_num_queries(most):
        crown.get(f"{PAGE}?sheet={sheet}")
