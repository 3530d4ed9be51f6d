"""Who may charge whom, and what cavalry does to skirmishers and fugitives."""

from typing import Any

import pytest

from battles.files.schema import Feature
from battles.rulesets.volley_bayonet import allowance
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.charging import may_charge
from battles.rulesets.volley_bayonet.contact import can_pay, charge_inches
from battles.rulesets.volley_bayonet.formations import go_stationary
from battles.rulesets.volley_bayonet.rtg import charging, impact
from battles.rulesets.volley_bayonet.rtg.bases import measure_gap
from battles.rulesets.volley_bayonet.rtg.terrain import BROKEN, OPEN
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field, in_file, lay

#: Targets by the words of the table.
TARGETS: dict[str, Stand] = {
    "brigade": Stand(1, "infantry_brigade"),
    "line": Stand(1),
    "routed brigade": Stand(1, state=r.ROUTED),
    "column": Stand(1, form=r.ROAD_MARCH),
    "cavalry brigade": Stand(1, "cavalry_brigade"),
    "firearm cavalry": Stand(1, "firearm_cavalry"),
    "routed cavalry": Stand(1, "linear_cavalry", state=r.ROUTED),
    "skirmisher": Stand(1, "infantry_skirmisher"),
    "riding skirmisher": Stand(1, "cavalry_skirmisher"),
    "guns in front": Stand(1, "artillery_battery"),
    "guns in flank": Stand(1, "artillery_battery"),
}
_SKIRMISHERS, _GUNS = ["skirmisher", "riding skirmisher"], ["guns in front", "guns in flank"]
_HORSE = ["cavalry brigade", "firearm cavalry", "routed cavalry"]
#: Whom each class may charge.
MAY: dict[str, list[str]] = {
    "infantry_brigade": [name for name in TARGETS if name not in _HORSE],
    "linear_infantry": [name for name in TARGETS if name not in _HORSE],
    "cavalry_brigade": list(TARGETS),
    "linear_cavalry": list(TARGETS),
    "firearm_cavalry": list(TARGETS),
    "infantry_skirmisher": [],
    "artillery_battalion": [],
    "cavalry_skirmisher": [*_SKIRMISHERS, "guns in flank", "routed brigade", "column", "routed cavalry"],
    "mounted_infantry": [*_SKIRMISHERS, "guns in flank", "routed brigade", "column", "routed cavalry"],
}


@pytest.mark.parametrize("kind", MAY)
def test_who_may_charge_whom_RTG_CHG_02(kind: Any) -> None:
    for name, target in TARGETS.items():
        g = field(Stand(kind=kind), target)
        edge = r.FLANK if name == "guns in flank" else r.FRONT
        may = may_charge(g, 0) and charging.may_charge_kind(g.u[0], g.u[1], edge)
        assert bool(may) is (name in MAY[kind]), name
    printed = table("RTG-CHG-02")
    if kind in printed:
        assert (printed[kind]["may"] == "none") is (not MAY[kind])
        assert (printed[kind]["may"] == "all") is (MAY[kind] == list(TARGETS))


def test_who_may_not_charge_at_all_RTG_CMD_04_RTG_EXH_02_RTG_RAL_02() -> None:
    for change in ("routed", "exhausted", "out of command"):
        g = field(Stand(division=0), Stand(1, y=22.0))
        u = g.u[0]
        if change == "routed":
            u.state = r.ROUTED
        elif change == "exhausted":
            g.brigades[0].exhausted = 1
        else:
            u.in_command = 0
        assert not may_charge(g, 0), change


def test_going_back_an_inch_from_contact_is_no_move_RTG_CHG_09() -> None:
    g = field(Stand(), Stand(1, y=21.5))
    before = g.u[0].moved
    charging.go_back(g.u[0])
    assert measure_gap(g, 0, 1) == pytest.approx(table("RTG-CHG-09")["move_back_in"])
    assert g.u[0].moved == before
    assert table("RTG-CHG-09")["keeps_stationary"] and go_stationary(g, 0, 0, False)


def test_disorder_is_no_bar_RTG_CHG_04_RTG_MOR_15() -> None:
    for state in (r.DISORDERED, r.PERMANENT):
        g = field(Stand(state=state), Stand(1, y=22.0))
        assert may_charge(g, 0)


@pytest.mark.parametrize("kind", ["linear_infantry", "cavalry_brigade"])
@pytest.mark.parametrize(("ground", "may"), [("swamp", False), ("dense_woods", True)])
def test_targets_where_the_charger_may_not_go_RTG_CHG_08(kind: Any, ground: Any, may: bool) -> None:
    g = field(Stand(kind=kind, x=16.0, y=8.0), Stand(1, "infantry_skirmisher", x=16.0, y=11.5))
    lay(g, Feature(ground, in_file((12.0, 9.5), (20.0, 9.5), (20.0, 13.0), (12.0, 13.0)), "it"))
    allowance.begin_turn(g, g.u[0])
    inches = charge_inches(g, 0, 1, 0.0)
    assert inches > 0.0 and bool(can_pay(g, 0, inches, 0.0)) is may


def test_horse_and_guns_hold_no_town_to_attack_from_RTG_TER_19_RTG_TER_20() -> None:
    g = field(Stand(), Stand(kind="cavalry_brigade"), Stand(kind="artillery_battery"))
    assert [bool(allowance.enter_block(g, i)) for i in range(3)] == [True, False, False]


def met(
    target: Stand, kind: int = OPEN, cover: float = charging.NO_COVER, by: Any = "cavalry_brigade"
) -> int:
    g = field(Stand(kind=by), target)
    return int(charging.met_by_cavalry(g.u[0], g.u[1], kind, cover))


def test_cavalry_skirmishers_retreat_before_a_brigade_RTG_CHG_05() -> None:
    riders = Stand(1, "cavalry_skirmisher")
    assert met(riders) == met(Stand(1, "mounted_infantry")) == charging.RETREATS
    assert met(riders, by="cavalry_skirmisher") == charging.FIGHTS
    assert met(Stand(1)) == charging.FIGHTS


def test_they_go_six_inches_before_it_and_further_past_a_friend_RTG_CHG_05() -> None:
    g = field(Stand(1, "cavalry_skirmisher", y=20.0), Stand(1, y=40.0))
    assert charging.give_way(g, 0, 0) == table("RTG-CHG-05")["cavalry_skirmisher_retreat_in"]
    assert (g.u[0].y, g.u[0].state, g.u[0].face) == (26.0, r.GOOD, 180)
    g.u[0].y, g.u[1].y = 20.0, 26.0
    assert charging.give_way(g, 0, 0) > 6.0
    assert measure_gap(g, 0, 1) >= 0.0 and g.u[1].state == r.GOOD


@pytest.mark.parametrize(
    ("traits", "cover", "result"),
    [
        ((), 8.0, charging.TO_COVER),
        ((), 8.1, charging.DESTROYED),
        (("slow",), 6.0, charging.TO_COVER),
        (("slow",), 6.1, charging.DESTROYED),
        ((), charging.NO_COVER, charging.DESTROYED),
        ((), 0.0, charging.TO_COVER),
    ],
)
def test_foot_skirmishers_reach_cover_or_are_destroyed_RTG_CHG_06(
    traits: Any, cover: float, result: int
) -> None:
    foot = Stand(1, "infantry_skirmisher", traits=traits)
    assert met(foot, OPEN, cover) == result
    assert met(foot, OPEN, cover, "linear_infantry") == charging.FIGHTS


def test_in_broken_ground_skirmishers_fight_cavalry_RTG_TER_02() -> None:
    assert met(Stand(1, "infantry_skirmisher"), BROKEN) == charging.FIGHTS
    assert met(Stand(1, "cavalry_skirmisher"), BROKEN) == charging.FIGHTS


def test_cover_is_a_brigade_or_a_town_and_no_skirmisher_RTG_CHG_06() -> None:
    g = field(
        Stand(1, "infantry_skirmisher"),
        Stand(1, "infantry_skirmisher", x=33.0),
        Stand(1, x=35.0, y=25.0, state=r.ROUTED),
        Stand(0, x=30.0, y=15.0),
    )
    assert impact.find_cover(g, 0)[0] == impact.NO_COVER
    k = build(g, 37.0, 20.0)
    assert [float(value) for value in impact.find_cover(g, 0)] == [7.0, 90.0, 7.0, k]
    g.u[2].state = r.GOOD
    g.u[2].x, g.u[2].y = 30.0, 25.0
    inches, heading, way, block = impact.find_cover(g, 0)
    assert (float(inches), heading, way, block) == (pytest.approx(5.0 - 0.75 - 0.75), 0, 5.0, impact.NONE)


def test_fugitives_rout_again_RTG_CHG_07() -> None:
    assert met(Stand(1, state=r.ROUTED)) == charging.ROUTS_AGAIN
    assert met(Stand(1, state=r.ROUTED), by="linear_infantry") == charging.ROUTS_AGAIN
    g = field(Stand(state=r.ROUTED, sp=2, division=0))
    charging.rout_again(g, 0, 180)
    u = g.u[0]
    assert (u.sp, u.state, u.runs, u.away) == (1, r.ROUTED, 1, 180)
    assert g.brigades[0].lost == 1
    u.runs = 0
    charging.rout_again(g, 0, 180)
    assert (u.place, u.runs) == (r.GONE, 0), "with its last point it is gone"
