"""Who is in command, and rallying."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import command, dice
from battles.rulesets.volley_bayonet.rtg.bases import measure_gap
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, CORPS_COMMANDER, DIVISION_COMMANDER
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, field

#: y of a commander's base whose edge is six inches ahead of a line at 20.
SIX_AHEAD = 20.0 + 0.75 + 0.75 + 6.0


@pytest.mark.parametrize(
    ("rank", "off", "seniors", "commands"),
    [
        (DIVISION_COMMANDER, 0.0, "off", True),
        (DIVISION_COMMANDER, 0.1, "off", False),
        (CORPS_COMMANDER, 0.0, "off", False),
        (CORPS_COMMANDER, 0.0, "on", True),
        (CHIEF, 0.0, "off", False),
        (CHIEF, 0.0, "on", True),
    ],
)
def test_within_six_inches_of_its_own_commander_RTG_CMD_01(
    rank: int, off: float, seniors: str, commands: bool
) -> None:
    leader = Leader(0, rank, 30.0, SIX_AHEAD + off, 0 if rank == DIVISION_COMMANDER else -1)
    g = field(
        Stand(division=0, corps=0),
        options={"senior_commanders_put_in_command": seniors},
        leaders=(leader,),
    )
    command.determine_command(g, 0)
    assert bool(g.u[0].in_command) is commands


def test_another_division_s_commander_or_the_enemy_s_does_not_RTG_CMD_01() -> None:
    for leader in (Leader(0, DIVISION_COMMANDER, 30.0, 22.0, 1), Leader(1, CHIEF, 30.0, 22.0)):
        g = field(Stand(division=0), leaders=(leader,))
        command.determine_command(g, 0)
        assert g.u[0].in_command == 0


def test_a_stand_of_no_division_has_its_corps_or_the_army_s_RTG_CMD_01() -> None:
    g = field(
        Stand(corps=0),
        Stand(x=50.0),
        leaders=(Leader(0, CORPS_COMMANDER, 30.0, 22.0), Leader(0, CHIEF, 50.0, 22.0)),
    )
    command.determine_command(g, 0)
    assert (g.u[0].in_command, g.u[1].in_command) == (1, 1)


def test_it_runs_by_touch_through_the_division_and_is_lost_with_it_RTG_CMD_02() -> None:
    g = field(
        Stand(division=0),
        Stand(x=33.0, division=0),
        Stand(x=36.0, division=0),
        Stand(x=39.0, division=1),
        leaders=(Leader(0, DIVISION_COMMANDER, 26.0, 22.0, 0),),
    )
    g.leaders[0].x, g.leaders[0].y = 22.0, 20.0
    command.determine_command(g, 0)
    assert [int(g.u[i].in_command) for i in range(4)] == [1, 1, 1, 0]
    assert [int(g.u[i].leans) for i in range(3)] == [-1, 0, 1]
    assert command.keeps_touch(g, 2)
    g.u[2].y += 2.0
    assert not command.keeps_touch(g, 2)
    assert command.keeps_touch(g, 0), "who has a commander needs nobody"


def test_skirmishers_by_any_commander_or_any_who_is_in_command_and_so_on_RTG_CMD_03() -> None:
    g = field(
        Stand(division=0),
        Stand(0, "infantry_skirmisher", x=38.0, division=1),
        Stand(0, "infantry_skirmisher", x=45.0, division=1),
        Stand(0, "infantry_skirmisher", x=53.0, division=1),
        Stand(0, "infantry_skirmisher", x=90.0, division=1),
        leaders=(Leader(0, DIVISION_COMMANDER, 30.0, 22.0, 0), Leader(0, DIVISION_COMMANDER, 90.0, 22.0, 3)),
    )
    command.determine_command(g, 0)
    assert [int(g.u[i].in_command) for i in range(5)] == [1, 1, 1, 0, 1]


@pytest.mark.parametrize(("off", "commands"), [(0.0, 1), (0.1, 0)])
def test_skirmishers_exactly_six_inches_from_who_is_in_command_RTG_CMD_03(off: float, commands: int) -> None:
    g = field(
        Stand(division=0),
        Stand(0, "infantry_skirmisher", x=38.0, division=1),
        leaders=(Leader(0, DIVISION_COMMANDER, 24.0, 20.0, 0),),
    )
    g.u[1].x += 6.0 - measure_gap(g, 0, 1) + off
    command.determine_command(g, 0)
    assert measure_gap(g, 0, 1) == pytest.approx(6.0 + off)
    assert [int(g.u[i].in_command) for i in range(2)] == [1, commands]


def test_the_routed_feel_nothing_of_it_RTG_CMD_01() -> None:
    g = field(Stand(division=0, state=r.ROUTED), leaders=(Leader(0, DIVISION_COMMANDER, 30.0, 22.0, 0),))
    command.determine_command(g, 0)
    assert g.u[0].in_command == 0


@pytest.mark.parametrize(
    ("rank", "away", "rallies"),
    [(CHIEF, 0.0, True), (CHIEF, 0.5, False), (CORPS_COMMANDER, 0.0, True), (DIVISION_COMMANDER, 0.0, False)],
)
def test_corps_and_army_commanders_rally_by_touch_without_a_die_RTG_RAL_01(
    rank: int, away: float, rallies: bool
) -> None:
    leader = Leader(0, rank, 30.0, 21.5 + away, 0 if rank == DIVISION_COMMANDER else -1)
    g = field(
        Stand(division=0, corps=0, state=r.ROUTED),
        Stand(x=33.0, state=r.ROUTED, corps=0),
        Stand(x=33.0, y=30.0, state=r.ROUTED, corps=0),
        leaders=(leader,),
    )
    g.leaders[0].x = 31.5
    assert command.rally_all(g, 0) == (2 if rallies else 0)
    assert g.cursor == 0


def test_a_corps_commander_rallies_no_other_corps_RTG_RAL_01() -> None:
    g = field(Stand(corps=3, state=r.ROUTED), leaders=(Leader(0, CORPS_COMMANDER, 30.0, 21.5),))
    assert command.rally_all(g, 0) == 0


def test_who_is_rallied_keeps_its_red_and_does_not_fight_RTG_RAL_02_03() -> None:
    g = field(Stand(state=r.ROUTED), Stand(1, y=22.0), leaders=(Leader(0, CHIEF, 30.0, 21.5),))
    assert command.rally_all(g, 0) == 1
    u = g.u[0]
    assert table("RTG-RAL-03")["rout"] == "permanent_disorder" and u.state == r.PERMANENT
    assert dice.own_fire_dice(g, u, 1.0) == 0 and dice.melee_dice(g, u, 1) == 0
    u.rallied = 0
    assert dice.own_fire_dice(g, u, 1.0) == 2 and dice.melee_dice(g, u, 1) == 3
