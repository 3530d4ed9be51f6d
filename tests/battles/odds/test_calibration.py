"""Predictions against results: scores, bands, and words that claim no more than the figures (HR-CAB-01)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.odds.calibration import (
    ENDS,
    GUESSING,
    Calibration,
    Case,
    SideLoss,
    build_calibration,
    case_of,
    describe_calibration,
    prediction_of,
)

shares = st.tuples(*(st.integers(0, 50),) * 3).filter(any).map(lambda row: tuple(k / sum(row) for k in row))
cases = st.lists(st.builds(Case, shares, st.integers(0, 2)), min_size=1, max_size=40)


def loss(lost: int) -> SideLoss:
    return SideLoss(lost, {"50": (2, 4), "90": (1, 7)}, {"50": 0.6, "90": 0.92})


def drawn(n: int, *, claimed: tuple[float, ...], true: tuple[float, ...]) -> Calibration:
    """Battles whose odds say one thing and that end by another."""
    dice = random.Random(1777)
    return build_calibration(Case(claimed, dice.choices(range(3), true)[0]) for _ in range(n))


@pytest.mark.parametrize(
    ("given_shares", "end", "score"),
    [
        ((1.0, 0.0, 0.0), 0, 0.0),
        ((1.0, 0.0, 0.0), 2, 2.0),
        ((0.5, 0.2, 0.3), 0, 0.25 + 0.04 + 0.09),
        ((1 / 3, 1 / 3, 1 / 3), 1, GUESSING),
    ],
)
def test_hr_cab_01_the_brier_score_of_three_ends(given_shares, end, score) -> None:
    assert Case(given_shares, end).brier == pytest.approx(score)


@given(cases)
def test_hr_cab_01_scores_lie_between_perfect_and_as_wrong_as_can_be(known) -> None:
    found = build_calibration(known)
    assert 0 <= found.brier <= 2 + 1e-9 and 0 <= found.expected <= GUESSING + 1e-9
    assert 0 <= found.by_frequency <= GUESSING + 1e-9
    assert sum(each.n for each in found.bins) == 3 * len(known)
    came = sum(round(each.came.value * each.n) for each in found.bins)
    assert came == len(known), "one of the three comes"


@given(cases)
def test_the_order_of_battles_tells_nothing(known) -> None:
    one, other = build_calibration(known), build_calibration(reversed(known))
    assert one.brier == pytest.approx(other.brier) and one.off == pytest.approx(other.off)
    assert [each.n for each in one.bins] == [each.n for each in other.bins]


@given(shares)
def test_hr_cab_01_the_expected_score_is_the_mean_over_the_ends(given_shares) -> None:
    mean = sum(share * Case(given_shares, k).brier for k, share in enumerate(given_shares))
    assert Case(given_shares, 0).expected_score == pytest.approx(mean)


@given(shares)
def test_nobody_scores_better_by_telling_another_share_than_he_holds_true(held) -> None:
    guess = (1 / 3, 1 / 3, 1 / 3)

    def score(told: tuple[float, ...]) -> float:
        return sum(share * Case(told, k).brier for k, share in enumerate(held))

    assert score(held) <= score(guess) + 1e-9


@given(st.lists(st.integers(0, 10), min_size=1, max_size=30))
def test_hr_cab_01_bands_count_what_lies_in_them_edges_too(lost) -> None:
    found = build_calibration([Case((0.5, 0.25, 0.25), 0, tuple(loss(each) for each in lost))])
    by_name = {band.band: band for band in found.bands}
    assert by_name["50"].within == sum(2 <= each <= 4 for each in lost)
    assert by_name["90"].within == sum(1 <= each <= 7 for each in lost)
    assert by_name["50"].expected == pytest.approx(0.6)


def test_hr_cab_01_nothing_is_said_of_few_battles() -> None:
    assert describe_calibration(build_calibration([])) == [
        "There is no battle yet that has both odds and a result."
    ]
    (few,) = describe_calibration(drawn(9, claimed=(0.9, 0.05, 0.05), true=(0.0, 0.0, 1.0)))
    assert few.startswith("9 battles are too few to tell")
    assert describe_calibration(drawn(1, claimed=(1.0, 0.0, 0.0), true=(1, 0, 0)))[0].startswith(
        "1 battle is too few"
    )


def test_hr_cab_01_right_odds_are_found_right_and_wrong_ones_wrong() -> None:
    right = drawn(400, claimed=(0.7, 0.1, 0.2), true=(0.7, 0.1, 0.2))
    assert abs(right.off) < 2 and "agrees with the odds" in describe_calibration(right)[0]
    bold = drawn(400, claimed=(0.95, 0.01, 0.04), true=(0.6, 0.1, 0.3))
    assert bold.off > 2 and "worse than they should" in describe_calibration(bold)[0]
    shy = drawn(400, claimed=(0.5, 0.2, 0.3), true=(0.95, 0.01, 0.04))
    assert shy.off < -2 and "too cautious" in describe_calibration(shy)[0]


def test_hr_cab_01_losses_that_stray_are_told() -> None:
    strayed = build_calibration(Case((0.6, 0.1, 0.3), 0, (loss(9), loss(0))) for _ in range(40))
    assert any("stray further" in sentence for sentence in describe_calibration(strayed))
    tame = build_calibration(Case((0.6, 0.1, 0.3), 0, (loss(3), loss(3))) for _ in range(40))
    assert any("wider than they need be" in sentence for sentence in describe_calibration(tame))


def test_a_kept_prediction_gives_its_case_again() -> None:
    spread = {
        "mean": 3.0,
        "p5": 1,
        "p25": 2,
        "p50": 3,
        "p75": 4,
        "p95": 7,
        "counts": [1, 5, 30, 30, 20, 8, 3, 3],
    }
    odds = {
        "ruleset": "awi",
        "engine_version": "5",
        "runs": 100,
        "win": {"value": 0.5},
        "draw": {"value": 0.2},
        "loss": {"value": 0.3},
        "sides": [{"id": "east", "sp": 10, "gone": spread}, {"id": "west", "sp": 12, "gone": spread}],
    }
    kept = prediction_of(odds, "before")
    assert kept["when"] == "before" and kept["sides"][0]["in50"] == 0.8 and kept["sides"][0]["in90"] == 0.99
    case = case_of(kept, "loss", {"east": 8, "west": 2})
    assert ENDS[case.end] == "loss" and case.shares == (0.5, 0.2, 0.3)
    assert [one.within("90") for one in case.losses] == [False, True]
