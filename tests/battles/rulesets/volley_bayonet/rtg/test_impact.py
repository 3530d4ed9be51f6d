"""What a charge meets: skirmishers that give way, fugitives that run again, and how it goes on."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.commander import charge_best_target
from battles.rulesets.volley_bayonet.contact import make_charge
from battles.rulesets.volley_bayonet.rtg import impact
from battles.rulesets.volley_bayonet.rtg import terrain as t
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field

HORSE = Stand(kind="linear_cavalry", weight="light", y=10.0)


def charging(*targets: Stand, first: Stand = HORSE) -> Any:
    """Stand 0 charges stand 1 straight ahead and has come into contact with it, or gone through."""
    g = field(first, *targets)
    g.mover = 0
    for i in range(g.n):
        g.u[i].home = 180 if g.u[i].side == 0 else 0
    assert make_charge(g, 0, 1)
    impact.goes_through(g, 0)
    return g


def test_a_charge_goes_straight_in_on_whom_it_may_RTG_CHG_01_02() -> None:
    g = charging(Stand(1, y=20.0))
    assert (g.u[0].charges, g.u[0].x, g.u[0].face) == (1, 30.0, 0)
    foot = field(Stand(), Stand(1, kind="linear_cavalry", y=24.0))
    foot.mover = 0
    assert not impact.may_charge_at(foot, 0, 1)
    assert not charge_best_target(foot, 0), "foot does not charge horse"


def test_horse_skirmishers_retreat_and_the_charge_goes_on_RTG_CHG_05() -> None:
    g = charging(Stand(1, kind="cavalry_skirmisher", y=16.0), Stand(1, y=28.0, state=r.DISORDERED, morale=3))
    assert g.u[1].y == pytest.approx(22.0)
    assert (g.u[0].charges, g.u[0].charged) in ((2, 1), (-1, 0))
    alone = charging(Stand(1, kind="cavalry_skirmisher", y=16.0))
    assert (alone.u[0].charges, alone.u[0].charged) == (-1, 0)


def test_foot_skirmishers_go_to_cover_or_are_destroyed_RTG_CHG_06() -> None:
    g = charging(Stand(1, kind="infantry_skirmisher", y=16.0))
    assert g.u[1].state == r.REMOVED
    g = charging(Stand(1, kind="infantry_skirmisher", y=16.0), Stand(1, y=22.0))
    assert g.u[1].state == r.GOOD and g.u[1].y > 22.0, "behind its friends"
    g = field(HORSE, Stand(1, kind="infantry_skirmisher", y=16.0))
    k = build(g, 30.0, 22.0)
    g.mover, g.t.room = 0, 4
    assert make_charge(g, 0, 1)
    impact.goes_through(g, 0)
    assert g.u[1].inside == k
    g = field(HORSE, Stand(1, kind="infantry_skirmisher", y=16.0))
    k = build(g, 30.0, 22.0)
    g.mover, g.t.room, g.structures[k].capacity = 0, 4, 1
    assert make_charge(g, 0, 1)
    impact.goes_through(g, 0)
    assert g.u[1].state == r.REMOVED, "a village is no cover"


def test_forest_near_by_is_cover_and_broken_ground_is_stood_on_RTG_CHG_06_RTG_TER_02() -> None:
    g = field(HORSE, Stand(1, kind="infantry_skirmisher", y=16.0))
    g.going[2].terrain, g.going[2].costs[:], g.goings_n = t.FOREST, 1.0, 3
    g.ground[20:24, 20:40] = 2
    inches, heading, _, _ = impact.find_cover(g, 1)
    assert (inches, heading) == (4.0, 0)
    g.going[2].terrain = t.BROKEN
    g.ground[14:18, 20:40] = 2
    g.mover = 0
    assert make_charge(g, 0, 1)
    impact.goes_through(g, 0)
    assert g.u[0].charges == 1 and g.u[1].state == r.GOOD


def test_fugitives_run_again_whoever_comes_RTG_CHG_07() -> None:
    g = charging(Stand(1, y=20.0, state=r.ROUTED), first=Stand(y=10.0))
    assert (g.u[1].sp, g.u[1].state) == (2, r.ROUTED)
    assert g.u[1].y == pytest.approx(36.0)
    assert g.u[0].charges == -1
