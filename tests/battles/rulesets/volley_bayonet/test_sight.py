"""Lines of sight and firing lanes over ground."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet import sight
from battles.rulesets.volley_bayonet.grounds import cells_clear
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, field, lane_open, paint, raise_ground


def two(gap: float = 20.0, **more: Any) -> Any:
    return field(Stand(y=10.0), Stand(1, y=11.5 + gap, **more))


def test_open_ground_and_other_stands_hide_nothing_VBW_VIS_05() -> None:
    g = field(Stand(y=10.0), Stand(1, y=60.0), Stand(1, y=30.0))
    assert sight.can_see(g, 0, 1)


@pytest.mark.parametrize("ground", ["forest", "woods", "crops"])
def test_nobody_sees_through_growth_VBW_VIS_01_VBW_TER_05_07_12(ground: str) -> None:
    g = two()
    paint(g, ground, y=(18, 22))
    assert not sight.can_see(g, 0, 1) and not sight.can_see(g, 1, 0)


def test_swamp_and_broken_ground_do_not_hide_VBW_TER_04_VBW_VIS_01() -> None:
    for ground in ("swamp", "broken", "marsh"):
        g = two()
        paint(g, ground, y=(18, 22))
        assert sight.can_see(g, 0, 1)


@pytest.mark.parametrize(("ground", "far"), [("woods", 12.0), ("forest", 4.0)])
def test_inside_stands_see_each_other_so_far_VBW_TER_05_VBW_TER_07(ground: str, far: float) -> None:
    for gap, seen in ((far, True), (far + 0.2, False)):
        g = two(gap)
        paint(g, ground)
        assert bool(sight.can_see(g, 0, 1)) is seen


def test_out_of_woods_only_from_their_edge_VBW_TER_05_VBW_TER_07() -> None:
    for depth, seen in ((11, True), (16, False)):
        g = two()
        paint(g, "woods", y=(0, depth))
        assert bool(sight.can_see(g, 0, 1)) is seen
        assert bool(sight.can_see(g, 1, 0)) is seen


def test_a_crest_bars_between_two_lower_stands_VBW_TER_27_VBW_VIS_02() -> None:
    g = two(30.0)
    raise_ground(g, 20, 1, y=(22, 30))
    g.summits[0].x, g.summits[0].y, g.summits[0].height = 30.0, 26.0, 1
    g.summits_n = 1
    assert not sight.can_see(g, 0, 1)
    on_it = field(Stand(y=10.0), Stand(1, y=24.0))
    raise_ground(on_it, 20, 1, y=(22, 30))
    on_it.summits[0].x, on_it.summits[0].y, on_it.summits[0].height = 30.0, 26.0, 1
    on_it.summits_n = 1
    assert sight.can_see(on_it, 0, 1), "on this side of the crest"
    on_it.u[1].y, on_it.u[1].face = 34.0, 180
    assert not sight.can_see(on_it, 0, 1), "down behind it"


@pytest.mark.parametrize(
    ("viewer", "target", "top", "to_viewer", "to_target", "hidden"),
    [
        (0, 0, 1, 5, 5, True),
        (1, 1, 1, 5, 5, False),
        (1, 0, 1, 5, 5, True),
        (2, 0, 1, 5, 5, True),
        (2, 0, 1, 4, 5, False),
        (0, 2, 1, 5, 4, False),
        (3, 0, 1, 1, 7.9, True),
        (3, 0, 1, 50, 8, False),
        (0, 3, 1, 8, 50, False),
    ],
)
def test_heights_VBW_VIS_02_VBW_VIS_03_VBW_VIS_04(
    viewer: int, target: int, top: int, to_viewer: float, to_target: float, hidden: bool
) -> None:
    assert bool(sight.is_sight_blocked(viewer, target, top, to_viewer, to_target)) is hidden


def test_buildings_bar_but_for_who_is_inside_VBW_VIS_01_VBW_TER_45() -> None:
    g = two()
    k = build(g, 30.0, 20.0)
    assert not sight.can_see(g, 0, 1)
    g.u[1].inside = k
    assert sight.can_see(g, 0, 1)


@pytest.mark.parametrize(
    ("kind", "between", "open_"),
    [
        ("FI", {"side": 0}, False),
        ("FI", {"side": 1}, False),
        ("FI", {"side": 1, "form": r.SKIRMISH, "abilities": ("detachments",)}, False),
        ("Fd", {"side": 0}, False),
        ("Fd", {"side": 1}, False),
        ("Fd", {"side": 0, "form": r.SKIRMISH, "abilities": ("detachments",)}, True),
        ("Fd", {"side": 1, "form": r.SKIRMISH, "abilities": ("detachments",)}, True),
    ],
)
def test_lanes_VBW_LAN_01(kind: Any, between: Any, open_: bool) -> None:
    g = field(Stand(kind=kind, y=20.0), Stand(1, y=28.0), Stand(y=24.0, **between))
    assert lane_open(g, 0, 1) is open_


def test_guns_fire_over_friends_from_higher_ground_VBW_LAN_01() -> None:
    g = field(Stand(kind="Fd", y=20.0), Stand(1, y=40.0), Stand(y=30.0))
    raise_ground(g, 20, 1, y=(15, 23))
    assert lane_open(g, 0, 1)


def test_no_gun_fires_over_formed_enemies_from_any_height_VBW_LAN_01() -> None:
    g = field(Stand(kind="Fd", y=20.0), Stand(1, y=40.0), Stand(1, y=30.0))
    raise_ground(g, 20, 1, y=(15, 23))
    assert not lane_open(g, 0, 1)
    assert lane_open(g, 0, 2), "the nearer of them is a target"


def test_out_of_command_not_towards_an_enemy_in_sight_VBW_CMD_12_VBD_CMD_12() -> None:
    g = two()
    assert [bool(sight.comes_nearer(g, 0, 30.0, y, 0)) for y in (11.0, 10.0, 9.0)] == [True, False, False]
    paint(g, "forest", y=(18, 22))
    assert not sight.comes_nearer(g, 0, 30.0, 11.0, 0), "an enemy it does not see"


spots = st.tuples(st.floats(2.0, 110.0), st.floats(2.0, 62.0))
patches = st.tuples(st.integers(0, 100), st.integers(0, 60), st.sampled_from(["woods", "forest", "crops"]))


@given(st.lists(patches, max_size=3), spots, spots)
def test_what_is_known_clear_is_passed_over_and_hides_nothing_VBW_TER_05_07_12(
    grown: list[tuple[int, int, str]], one: tuple[float, float], other: tuple[float, float]
) -> None:
    g = field(Stand(x=one[0], y=one[1]), Stand(1, x=other[0], y=other[1]))
    g.growth = 1
    for x, y, ground in grown:
        paint(g, ground, x=(x, x + 12), y=(y, y + 4))
    looked = [bool(sight.can_see(g, 0, 1)), bool(sight.can_see(g, 1, 0))]
    kinds = np.array([row.kind_ for row in g.going])
    g.clear[:] = cells_clear(np.isin(kinds[g.ground], (r.WOODS, r.FOREST, r.CROPS)))
    assert [bool(sight.can_see(g, 0, 1)), bool(sight.can_see(g, 1, 0))] == looked
