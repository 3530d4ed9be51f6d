"""Bands, chances and battles out of many courses of a campaign (HR-FRC-01)."""

import pytest

from campaign.selectors.forecasts.figures import compute_band, compute_percentile, forecast_figures
from tests.factories.small_war import small_world


def course(run: int, points: int, ticonderoga: str, battles: list[dict]) -> dict:
    world = small_world({"st_clair": ("rebel", "ticonderoga", 3)})
    week = {
        "points": {"crown": points, "rebel": 300},
        "holders": {**world.holders, "ticonderoga": ticonderoga},
        "objectives": {"crown": points // 100, "rebel": 3},
    }
    return {"run": run, "weeks": [week, week], "battles": battles}


def fight(day: int, where: str = "ticonderoga", *, tiny: bool = False) -> dict:
    return {"day": day, "where": where, "attacker": "crown", "tiny": tiny, "held_by": "crown"}


@pytest.mark.parametrize(("percent", "value"), [(10, 1), (50, 5), (90, 9), (100, 10)])
def test_a_percentile_is_a_value_that_came_about(percent: int, value: int) -> None:
    assert compute_percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], percent) == value


def test_a_band_of_one_course_is_that_course() -> None:
    assert compute_band([7]) == {"p10": 7, "p50": 7, "p90": 7}


def test_figures_of_four_courses() -> None:
    world = small_world({"st_clair": ("rebel", "ticonderoga", 3)})
    runs = [
        course(0, 100, "crown", [fight(3), fight(4, tiny=True)]),
        course(1, 200, "rebel", []),
        course(2, 300, "", [fight(3), fight(6)]),
        course(3, 400, "crown", [fight(2, "albany")]),
    ]
    found = forecast_figures(world, 1, runs)
    crown, rebel = found["sides"]
    assert crown["points"][1] == {"p10": 100, "p50": 200, "p90": 400}
    assert rebel["points"][1] == compute_band([300])
    ticonderoga = next(row for row in found["places"] if row["id"] == "ticonderoga")
    assert ticonderoga["held"] == [{"": 0.25, "crown": 0.5, "rebel": 0.25}]
    assert ticonderoga["now"] == "rebel" and ticonderoga["objective"] == 10
    assert found["battles"]["weeks"] == [{"mean": 1.0, "p10": 0, "p50": 1, "p90": 2}]
    assert found["battles"]["small_fights"] == 0.25
    assert [(row["id"], row["share"]) for row in found["battles"]["where"]] == [
        ("ticonderoga", 0.5),
        ("albany", 0.25),
    ]
