"""Limits are included: who stands exactly on one is inside, whichever way both units face (AWI-T-FIR-04)."""

from typing import Any

import pytest

from battles.engine.bases import half_depth
from battles.engine.dtypes import SHAKEN, STEADY
from battles.engine.geometry import COS, SIN
from battles.rulesets.awi import engineering, generals, highland, retreat, sighting
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CROWN, Stand, leader, table

LINE_FOOT, GUN = TroopType.CONTINENTAL_LINE, TroopType.EUROPEAN_ARTILLERY
#: Headings whose sines are rounded, and those whose are not.
HEADINGS = [0, 17, 30, 45, 60, 90, 133, 180, 211, 270, 301]


def ahead(g: Any, i: int, j: int, inches: float) -> None:
    """Set unit j down so many inches straight before unit i's front, facing it."""
    a, b = g.u[i], g.u[j]
    b.face = (int(a.face) + 180) % 360
    out = half_depth(a) + inches + half_depth(b)
    b.x, b.y = a.x + SIN[a.face] * out, a.y + COS[a.face] * out


def pair(
    face: int, inches: float, other: TroopType = LINE_FOOT, *, side: int = 1, gun: GunClass | None = None
) -> Any:
    """A Crown line, or its gun, and a unit so many inches straight before it."""
    g = table(Stand(0, GUN if gun else LINE_FOOT, 48, 36, face, gun_class=gun), Stand(side, other, 48, 60))
    ahead(g, 0, 1, inches)
    return g


def facing(*limits: tuple[float, bool]) -> Any:
    """A case for each limit and heading."""
    return pytest.mark.parametrize(
        ("face", "inches", "inside"), [(face, *limit) for face in HEADINGS for limit in limits]
    )


@facing((6.0, True), (6.01, False))
def test_muskets_reach_six_inches_AWI_T_FIR_04(face: int, inches: float, inside: bool) -> None:
    g = pair(face, inches)
    assert (sighting.fire_range(g, 0, 1) >= 0.0) == inside


@facing((9.0, True), (9.01, False), (14.99, False), (15.0, True), (36.0, True), (36.01, False))
def test_nine_is_short_fifteen_medium_and_nothing_between_AWI_T_FIR_07(
    face: int, inches: float, inside: bool
) -> None:
    g = pair(face, inches, gun=GunClass.HOWITZER)
    assert (sighting.fire_range(g, 0, 1) >= 0.0) == inside


@facing((12.0, True), (11.99, False))
def test_friends_are_fired_over_from_twelve_inches_AWI_T_FIR_10(
    face: int, inches: float, inside: bool
) -> None:
    howitzer, friend = Stand(0, GUN, 48, 36, face, gun_class=GunClass.HOWITZER), Stand(0, LINE_FOOT, 48, 50)
    g = table(howitzer, friend, Stand(1, LINE_FOOT, 48, 60))
    ahead(g, 0, 1, inches)
    g.u[1].face = face
    ahead(g, 1, 2, inches)
    g.u[1].face = face
    assert bool(sighting.shoots_over(g, 0, 2, 1)) == inside


@facing((12.0, True), (12.01, False))
def test_a_highland_charge_spreads_twelve_inches_AWI_T_V45_09(face: int, inches: float, inside: bool) -> None:
    g = pair(face, inches, side=0)
    g.u[1].highland_charge = 1
    assert bool(highland.is_caught_up(g, 0)) == inside


@facing((6.0, True), (6.01, False))
def test_highlanders_need_a_five_within_musket_range_AWI_T_V45_03(
    face: int, inches: float, inside: bool
) -> None:
    g = pair(face, inches)
    assert highland.highland_need(highland.enemy_gap(g, 0)) == (5 if inside else 6)


@facing((6.0, True), (6.01, False))
def test_a_wagon_serves_within_six_inches_AWI_T_ENG_01(face: int, inches: float, inside: bool) -> None:
    g = pair(face, inches, TroopType.WAGON, side=0)
    g.u[1].tools, g.u[1].mood = 1, STEADY
    assert (engineering.wagon_for(g, 0, 0) == 1) == inside


@facing((6.0, True), (6.01, False))
def test_who_cannot_run_surrenders_within_six_inches_AWI_T_SUR_01(
    face: int, inches: float, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = pair(face, inches)
    monkeypatch.setattr(retreat, "rout_way", lambda *told: (0, 0.0, -1, 1.0e18))
    # compiled, it would call what it was made with
    hemmed_in = getattr(retreat.hemmed_in, "py_func", retreat.hemmed_in)
    assert bool(hemmed_in(g, 0)) == inside


@pytest.mark.parametrize("face", HEADINGS)
@pytest.mark.parametrize(("inches", "shaken"), [(18.0, True), (17.0, True), (18.01, False)])
def test_a_general_s_fall_shakes_his_units_within_eighteen_inches_AWI_T_GEN_02(
    face: int, inches: float, shaken: bool
) -> None:
    stands = Stand(0, LINE_FOOT, 48, 30, face), Stand(1, LINE_FOOT, 20, 58)
    g = table(*stands, leaders=(leader("Howe", CROWN, rank="commander_in_chief"),))
    s, out = g.generals[0], half_depth(g.u[0]) + inches
    s.unit, s.x, s.y = -1, g.u[0].x + SIN[face] * out, g.u[0].y + COS[face] * out
    generals.shake_chain(g, 0)
    assert (g.u[0].mood == SHAKEN) == shaken
