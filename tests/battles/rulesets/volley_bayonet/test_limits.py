"""Limits are included: who stands exactly on one is inside, whichever way all of them face (VBW-DEF-03)."""

import pytest

from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet import command, danger, sight
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Leader, Stand, field

#: Headings whose sines are rounded, and those whose are not.
HEADINGS = [0, 17, 30, 45, 60, 90, 133, 180, 211, 270, 301]


def turned(face: int, right: float, ahead: float) -> tuple[float, float]:
    """A spot so far to the right and ahead of the middle of the table, seen along a heading."""
    s, c = float(SIN[face]), float(COS[face])
    return 56.0 + right * c + ahead * s, 32.0 - right * s + ahead * c


@pytest.mark.parametrize("face", HEADINGS)
@pytest.mark.parametrize(("aside", "inside"), [(2.0, True), (2.01, False), (-2.0, True), (-2.01, False)])
def test_a_danger_zone_is_two_inches_to_either_side_VBW_MOR_02_VBW_DEF_03(
    face: int, aside: float, inside: bool
) -> None:
    half = 1.5 if aside > 0 else -1.5
    x, y = turned(face, aside + half, 10.0)
    g = field(Stand(kind="Fd", x=56.0, y=32.0, face=face), Stand(1, x=x, y=y, face=(face + 180) % 360))
    assert (danger.depth_of_zone(g, 0, 1) >= 0.0) == inside


@pytest.mark.parametrize("face", HEADINGS)
@pytest.mark.parametrize(("inches", "inside"), [(16.0, True), (16.01, False)])
def test_a_danger_zone_is_as_deep_as_short_range_VBW_MOR_02_VBW_DEF_03(
    face: int, inches: float, inside: bool
) -> None:
    x, y = turned(face, 0.0, 1.5 + inches + 0.75)
    g = field(Stand(kind="Fd", x=56.0, y=32.0, face=face), Stand(1, x=x, y=y, face=(face + 180) % 360))
    assert (danger.depth_of_zone(g, 0, 1) >= 0.0) == inside


@pytest.mark.parametrize("face", HEADINGS)
@pytest.mark.parametrize(("inches", "reaches"), [(8.0, True), (8.01, False)])
def test_muskets_reach_eight_inches_VBW_HIT_01_VBW_DEF_03(face: int, inches: float, reaches: bool) -> None:
    x, y = turned(face, 0.0, 0.75 + inches + 0.75)
    g = field(Stand(x=56.0, y=32.0, face=face), Stand(1, x=x, y=y, face=(face + 180) % 360))
    assert (sight.can_fire_at(g, 0, 1) >= 0.0) == reaches


@pytest.mark.parametrize(("inches", "commands"), [(6.0, True), (6.01, False)])
@pytest.mark.parametrize("to_right", [1, -1])
def test_a_superior_commands_to_six_inches_VBW_CMD_06_VBW_DEF_03(
    to_right: int, inches: float, commands: bool
) -> None:
    leader = Leader(0, r.BRIGADE_COMMANDER, 56.0 + to_right * (1.5 + 0.75 + inches), 32.0, brigade=0)
    g = field(Stand(x=56.0, y=32.0, brigade=0), leaders=(leader,))
    command.determine_command(g, 0)
    assert bool(g.u[0].in_command) == commands


@pytest.mark.parametrize(("near", "far"), [(5.0, 5.0), (3.3, 1.1 * 3), (0.3, 0.1 * 3)])
def test_equal_distances_block_one_contour_up_VBW_VIS_03(near: float, far: float) -> None:
    assert sight.is_sight_blocked(2, 0, 1, near, far) and sight.is_sight_blocked(0, 2, 1, far, near)


def test_an_obstacle_eight_inches_from_the_lower_hides_nobody_VBW_VIS_04() -> None:
    assert not sight.is_sight_blocked(3, 0, 1, 4.0, 8.0)
    assert not sight.is_sight_blocked(3, 0, 1, 4.0, 2.4 + 5.6 - 1.0e-12), "roundings"
    assert sight.is_sight_blocked(3, 0, 1, 4.0, 7.99)
