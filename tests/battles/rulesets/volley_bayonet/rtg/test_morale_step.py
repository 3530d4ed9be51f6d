"""The Morale phase as a whole: who checks with what modified morale, and what comes of it."""

import pytest

from battles.engine.geometry import find_bearing
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.forced import rout_moves
from battles.rulesets.volley_bayonet.rtg import morale_step
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.breakthrough import morale_and_breakthroughs
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field

#: y of a line that a line at 20 touches from below.
TOUCHING = 21.5


def charge(g: object, i: int, j: int, edge: int = r.FRONT) -> None:
    """Say that stand i has charged stand j, which it touches."""
    u = g.u[i]  # type: ignore[attr-defined]
    u.charges, u.charged, u.edge = j, 1, edge


def phase(g: object) -> int:
    """All checks of a Morale phase, before anybody follows up; how many checked."""
    morale_step.begin_checks(g)
    return int(morale_step.check_all(g))


def nerves(g: object) -> list[int]:
    """Modified morale by stand; -1 for who does not check."""
    found = []
    for i in range(g.n):  # type: ignore[attr-defined]
        by = morale_step.prepare_check(g, i)
        found.append(int(g.u[i].nerve) if by >= 0 else -1)  # type: ignore[attr-defined]
    return found


def test_both_of_a_melee_check_and_nobody_else_RTG_MOR_01() -> None:
    g = field(Stand(), Stand(1, y=TOUCHING), Stand(x=60.0))
    assert nerves(g) == [-1, -1, -1], "who only touches does not melee"
    charge(g, 0, 1)
    assert nerves(g) == [5, 5, -1]


@pytest.mark.parametrize(("edge", "ours", "theirs"), [(r.FRONT, 5, 5), (r.FLANK, 6, 3), (r.REAR, 6, 3)])
def test_flanks_for_both_RTG_MOR_08_09_10(edge: int, ours: int, theirs: int) -> None:
    g = field(Stand(), Stand(1, y=TOUCHING))
    charge(g, 0, 1, edge)
    assert nerves(g) == [ours, theirs]


def test_a_line_flanked_by_melee_and_by_guns_takes_the_heavier_alone_RTG_MOR_09() -> None:
    g = field(
        Stand(),
        Stand(1, y=TOUCHING),
        Stand(0, "artillery_battalion", x=33.0, y=TOUCHING, face=270),
    )
    g.u[2].y = TOUCHING + 0.5
    charge(g, 0, 1, r.FLANK)
    assert nerves(g)[1] == 3


def test_close_order_against_skirmishers_only_RTG_MOR_11() -> None:
    g = field(
        Stand(kind="infantry_brigade"),
        Stand(1, "infantry_skirmisher", x=29.2, y=22.25),
        Stand(1, "infantry_skirmisher", x=30.8, y=22.25),
    )
    charge(g, 0, 1)
    assert nerves(g) == [6, 5, 5], "it touches both"
    mixed = field(
        Stand(kind="infantry_brigade"),
        Stand(1, "infantry_skirmisher", x=28.9, y=22.25),
        Stand(1, x=31.6, y=22.25),
    )
    charge(mixed, 0, 1)
    assert nerves(mixed)[0] == 5


def test_guns_meleed_by_cavalry_with_and_without_support_RTG_MOR_06_RTG_MEL_04() -> None:
    for supported, nerve in ((True, 5), (False, 4)):
        g = field(
            Stand(1, "artillery_battalion", y=20.0, stationary=True),
            Stand(0, "cavalry_brigade", y=17.0),
            Stand(1, x=32.25 if supported else 50.0, y=20.0),
        )
        charge(g, 1, 0)
        assert nerves(g)[:2] == [nerve, 4], "its charger comes at its front"


def test_higher_ground_counts_from_where_the_charge_began_RTG_MOR_04() -> None:
    for still, nerve in ((True, 6), (False, 5)):
        g = field(Stand(), Stand(1, y=TOUCHING, stationary=still))
        g.going[2].height, g.going[2].costs[:] = 1, 1.0
        g.ground[20:, :] = 2
        g.u[0].from_y = 5.0
        charge(g, 0, 1)
        assert nerves(g)[1] == nerve


def test_a_town_shelters_its_defenders_RTG_MOR_05_RTG_TER_20() -> None:
    g = field(Stand(), Stand(1, y=22.25))
    g.u[1].inside = build(g, 30.0, 22.25)
    charge(g, 0, 1)
    assert nerves(g) == [5, 6]


def test_ground_of_cells_counts_by_its_kind_RTG_MOR_05() -> None:
    g = field(Stand(), Stand(1, y=TOUCHING))
    g.going[2].terrain, g.going[2].costs[:] = t.HASTY_WORKS, 1.0
    g.ground[21:23, 25:35] = 2
    charge(g, 0, 1)
    assert nerves(g)[1] == 6


def test_foot_covered_on_all_sides_stands_against_cavalry_RTG_MOR_07_RTG_MIS_02() -> None:
    g = field(
        Stand(kind="cavalry_brigade"),
        Stand(1, y=22.25),
        Stand(1, x=33.0, y=22.25),
        Stand(1, x=27.0, y=22.25),
        Stand(1, y=24.0),
    )
    charge(g, 0, 1)
    assert phase(g) > 0
    assert g.u[1].nerve == 5
    g.u[4].place = r.GONE
    phase(g)
    assert g.u[1].nerve == 4


def test_guns_in_close_range_call_a_check_from_the_flank_too_RTG_MOR_01_08() -> None:
    g = field(Stand(0, "artillery_battalion"), Stand(1, y=24.25), Stand(1, x=60.0))
    assert nerves(g) == [-1, 5, -1]
    g.u[1].face = 0
    assert nerves(g)[1] == 4, "from behind its front, and no melee"
    open_order = field(Stand(0, "artillery_battalion"), Stand(1, "infantry_skirmisher", y=24.25, face=0))
    assert nerves(open_order)[1] == 5, "skirmishers have no flank"


def test_all_are_rolled_before_any_drops_and_the_routed_owe_their_move_RTG_MOR_02_14_RTG_ROU_01() -> None:
    g = field(Stand(state=r.DISORDERED), Stand(1, y=TOUCHING), dice=(6, 6))
    charge(g, 0, 1)
    assert phase(g) == 2
    assert (g.u[0].state, g.u[1].state) == (r.ROUTED, r.DISORDERED)
    assert (g.u[0].sp, g.u[0].away, g.u[0].runs) == (2, 180, 1)
    assert rout_moves(g) == 1
    assert (g.u[0].y, g.u[0].face) == (pytest.approx(4.0), 180)


def test_who_routs_runs_from_all_who_are_in_contact_RTG_ROU_01() -> None:
    """One before it and one at its right: away from both, to the left and back."""
    g = field(
        Stand(x=28.5), Stand(x=33.8, y=22.2, face=270), Stand(1, x=30.0, y=TOUCHING, state=r.DISORDERED),
        dice=(1, 1, 6),
    )  # fmt: skip
    g.mover = 0
    charge(g, 0, 2)
    charge(g, 1, 2, r.FLANK)
    g.u[0].x, g.u[1].x = 29.0, 32.26
    assert morale_step.has_met(g, 0, 2) and morale_step.has_met(g, 1, 2)
    morale_and_breakthroughs(g)
    middle_x, middle_y = (29.0 + 32.26) / 2, (20.0 + 22.2) / 2
    assert g.u[2].state == r.ROUTED
    assert g.u[2].face == find_bearing(30.0 - middle_x, TOUCHING - middle_y)
    assert g.u[2].face not in (find_bearing(1.0, 1.5), find_bearing(-2.26, -0.7)), (
        "nor from one of them alone"
    )


def test_who_has_enemies_on_both_sides_runs_from_him_who_calls_the_check_RTG_ROU_01() -> None:
    g = field(
        Stand(), Stand(y=23.0, face=180), Stand(1, y=TOUCHING, state=r.DISORDERED), dice=(1, 1, 6)
    )  # fmt: skip
    g.mover = 0
    charge(g, 0, 2)
    charge(g, 1, 2, r.REAR)
    morale_and_breakthroughs(g)
    assert (g.u[2].state, g.u[2].face) == (r.ROUTED, 0)


def test_a_passed_check_changes_nothing_RTG_MOR_02() -> None:
    g = field(Stand(), Stand(1, y=TOUCHING), dice=(5, 1))
    charge(g, 0, 1)
    phase(g)
    assert (g.u[0].state, g.u[1].state) == (r.GOOD, r.GOOD)
