"""Whose flanks and rear are covered against cavalry."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import security
from tests.battles.rulesets.volley_bayonet.rtg.forces import BARRED_CODE, Stand, field

#: Friends that cover the right, the left and the back of a line at (30, 20).
RIGHT, LEFT, BACK = Stand(x=33.0), Stand(x=27.0), Stand(y=18.0)


def test_covered_on_all_three_sides_RTG_MIS_02() -> None:
    g = field(Stand(), RIGHT, LEFT, BACK)
    assert security.is_secure(g, 0)
    for gone in (1, 2, 3):
        g.u[gone].place = r.GONE
        assert not security.is_secure(g, 0)
        g.u[gone].place = r.ON_TABLE
    security.note_security(g)
    assert [int(g.u[i].secure) for i in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize(("gap", "secure"), [(0.0, True), (0.9, True), (1.0, False), (1.5, False)])
def test_an_edge_nearer_than_an_inch_covers_RTG_MIS_02(gap: float, secure: bool) -> None:
    g = field(Stand(), Stand(x=33.0 + gap), LEFT, BACK)
    assert bool(security.is_secure(g, 0)) is secure


@pytest.mark.parametrize(
    "friend",
    [
        Stand(0, "infantry_skirmisher", x=32.25),
        Stand(0, state=r.ROUTED, x=33.0),
        Stand(1, x=33.0),
    ],
)
def test_who_covers_nobody_RTG_MIS_02(friend: Stand) -> None:
    g = field(Stand(), friend, LEFT, BACK)
    assert not security.is_secure(g, 0)


def test_horse_and_guns_cover_as_well_RTG_MIS_02() -> None:
    g = field(Stand(), Stand(0, "cavalry_brigade", x=33.0), Stand(0, "artillery_battery", x=27.75), BACK)
    assert security.is_secure(g, 0)


def test_the_table_s_edge_and_ground_cavalry_cannot_enter_cover_RTG_MIS_02() -> None:
    g = field(Stand(x=1.5, y=20.0), Stand(x=4.5), Stand(x=1.5, y=18.0))
    assert security.is_secure(g, 0)
    g = field(Stand(), LEFT, BACK)
    assert not security.is_secure(g, 0)
    g.ground[20, 31:33] = BARRED_CODE
    assert security.is_secure(g, 0)


@pytest.mark.parametrize(
    ("y", "face", "secure"), [(18.5, 180, True), (18.4, 180, True), (18.3, 180, False), (18.5, 0, False)]
)
def test_back_to_back_RTG_MIS_02(y: float, face: int, secure: bool) -> None:
    g = field(Stand(), Stand(y=y, face=face))
    assert bool(security.is_secure(g, 0)) is secure
    assert bool(security.is_secure(g, 1)) is secure


def test_only_infantry_is_cavalry_secure_RTG_MIS_02() -> None:
    g = field(Stand(kind="cavalry_brigade"), Stand(x=33.0), Stand(x=27.0), Stand(y=17.75))
    assert not security.is_secure(g, 0)
