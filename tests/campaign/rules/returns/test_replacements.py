"""Loyalists in British ranks, balancing, and replacements (AWI-C-LOY-01, AWI-C-OVR-02, AWI-C-EUR-01)."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.replacements import (
    BalancingMove,
    LoyalistFill,
    apply_balancing,
    apply_fill,
    send_replacements,
)
from campaign.rules.returns.returns import WeeklyReturns
from campaign.rules.returns.week import WeekChoices, verify_choices
from campaign.rules.world.world import World
from tests.campaign.rules.weeks import book, unit, week_world


def camp(**settings: Any) -> World:
    return week_world(
        [
            unit("british", "9th a", 80, regiment="9th"),
            unit("british", "9th b", 110, regiment="9th"),
            unit("british", "20th", 80, regiment="20th"),
            unit("loyalist", "jessup", 60),
            unit("loyalist", "peters", 100, formation="riedesel"),
            unit("continental", "3rd ny", 80, regiment="3rd"),
            unit("continental", "3rd ny b", 80, regiment="3rd"),
        ],
        **settings,
    )


def refused(choices: WeekChoices, **settings: Any) -> str:
    """The rule that refuses the choices, "" if none does."""
    try:
        verify_choices(camp(**settings), choices)
    except RuleViolation as refusal:
        return refusal.rule_id
    return ""


@pytest.mark.parametrize(
    ("fills", "settings", "rule"),
    [
        ([("jessup", "9th a", 10)], {}, ""),
        ([("jessup", "9th a", 5), ("jessup", "9th b", 5)], {}, ""),
        ([("jessup", "9th a", 10), ("jessup", "9th b", 5)], {}, "AWI-C-LOY-01"),
        ([("jessup", "9th b", 10)], {}, ""),
        ([("jessup", "9th b", 5)], {"loyalist_fill_ceiling": 100}, "AWI-C-LOY-01"),
        ([("peters", "9th a", 10)], {}, "AWI-C-LOY-01"),
        ([("peters", "9th a", 10)], {"loyalist_fill_same_location": False}, ""),
        ([("jessup", "9th a", 3)], {}, "AWI-C-LOY-01"),
        ([("20th", "9th a", 5)], {}, "AWI-C-LOY-01"),
        ([("jessup", "3rd ny", 5)], {}, "AWI-C-LOY-01"),
        ([("jessup", "nobody", 5)], {}, "AWI-C-LOY-01"),
    ],
)
def test_loy_01_who_may_fill_whom(fills: list[tuple[str, str, int]], settings: Any, rule: str) -> None:
    assert refused(WeekChoices(fills=tuple(LoyalistFill(*fill) for fill in fills)), **settings) == rule


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (("9th b", "9th a", 40), ""),
        (("9th b", "9th a", 41), "AWI-C-OVR-02"),
        (("9th b", "20th", 10), "AWI-C-OVR-02"),
        (("3rd ny", "3rd ny b", 10), "AWI-C-OVR-02"),
        (("9th a", "9th a", 10), "AWI-C-OVR-02"),
        (("9th a", "9th b", 0), "AWI-C-OVR-02"),
    ],
)
def test_ovr_02_who_may_balance(move: tuple[str, str, int], rule: str) -> None:
    assert refused(WeekChoices(balancing=(BalancingMove(*move),))) == rule


def parted() -> WeeklyReturns:
    """The week's dice have sent Jessup's men and the 9th's right wing to another place."""
    week = book(camp())
    for key in ("jessup", "9th a"):
        week.units[key] = replace(week.units[key], formation="riedesel")
    return week


def test_loy_01_a_fill_lapses_when_the_week_has_parted_the_units() -> None:
    week = parted()
    apply_fill(week, LoyalistFill("jessup", "20th", 10))
    assert [(event.kind, event.rule) for event in week.events] == [("choice_lapsed", "AWI-C-LOY-01")]
    assert (week.units["jessup"].points, week.units["20th"].points) == (60, 80)
    anywhere = parted()
    anywhere.settings = replace(anywhere.settings, loyalist_fill_same_location=False)
    apply_fill(anywhere, LoyalistFill("jessup", "20th", 10))
    assert (anywhere.units["jessup"].points, anywhere.units["20th"].points) == (40, 90)


def test_ovr_02_balancing_lapses_when_the_week_has_parted_the_units() -> None:
    week = parted()
    apply_balancing(week, BalancingMove("9th b", "9th a", 10))
    assert [(event.kind, event.rule) for event in week.events] == [("choice_lapsed", "AWI-C-OVR-02")]


def test_eur_01_one_die_a_nation_and_the_other_gets_nothing() -> None:
    """AWI-C-EUR-01: the British throw a 6, the Germans a 5."""
    week = book(
        week_world([unit("british", "9th"), unit("british", "20th"), unit("german", "specht")]),
        {"AWI-C-EUR-01/replacements/british": [6], "AWI-C-EUR-01/replacements/german": [5]},
    )
    send_replacements(week)
    assert {key: one.points for key, one in week.units.items()} == {"9th": 110, "20th": 110, "specht": 100}
