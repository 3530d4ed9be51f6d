"""Footprints: gaps with the markers of march column, what lies beside a stand."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import bases
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("infantry_brigade", 3),
        ("linear_infantry", 2),
        ("infantry_skirmisher", 0),
        ("cavalry_brigade", 3),
        ("linear_cavalry", 2),
        ("cavalry_skirmisher", 2),
        ("artillery_battalion", 3),
        ("artillery_battery", 1),
    ],
)
def test_markers_trail_behind_a_column_RTG_MOV_07(kind: Kind, count: int) -> None:
    g = field(Stand(kind=kind, form=r.ROAD_MARCH, limbered=True), Stand(1, y=5.0))
    assert bases.count_markers(g.u[0]) == count
    behind = 15.0 - bases.half_depth(g, g.u[0]) - bases.half_depth(g, g.u[1])
    assert bases.measure_gap(g, 0, 1) == bases.measure_gap(g, 1, 0) == pytest.approx(behind - 3.0 * count)
    g.u[0].form = r.FORMED
    assert bases.count_markers(g.u[0]) == 0


def test_gaps_are_between_the_nearest_edges_RTG_CMD_01() -> None:
    g = field(Stand(), Stand(1, "infantry_brigade", y=24.25))
    assert bases.measure_gap(g, 0, 1) == 2.0
    assert not bases.is_touching(g, 0, 1)
    g.u[1].y = 22.25
    assert bases.is_touching(g, 0, 1)


def test_who_is_in_a_block_has_the_block_RTG_TER_20() -> None:
    g = field(Stand(kind="infantry_skirmisher"))
    g.u[0].inside = build(g, 30.0, 20.0)
    assert (bases.half_width(g, g.u[0]), bases.half_depth(g, g.u[0])) == (1.5, 1.5)


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [(34.0, 20.0, bases.RIGHT), (26.0, 20.0, bases.LEFT), (30.0, 17.5, bases.BACK), (30.0, 22.5, None)],
)
def test_what_lies_beside_RTG_MIS_02(x: float, y: float, side: int | None) -> None:
    g = field(Stand(), Stand(x=x, y=y))
    for one in (bases.RIGHT, bases.LEFT, bases.BACK):
        assert bases.lies_beside(g, 0, 1, one, 1.1) == (one == side)
        assert not bases.lies_beside(g, 0, 1, one, 0.9)
