"""Who is in command, and leaders attached, replaced and away (REG-CMD)."""

from typing import Any

import pytest

from battles.rulesets.regimental import command
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.leading import attach_leaders, ride_to_men
from tests.battles.rulesets.regimental.forces import Leader, Unit, field, paint

BRIGADE = Unit(brigade=0)


def reaches(inches: float, **more: Any) -> bool:
    """Whether a leader so far from the edge of his unit commands it."""
    g = field(BRIGADE, leaders=(Leader(brigade=0, y=19.75 - inches),), **more)
    return bool(command.in_radius(g, 0, 0))


def test_a_leader_reaches_eight_inches_limits_included_REG_CMD_01() -> None:
    assert reaches(8.0) and not reaches(8.1)


def test_poor_light_makes_it_four_REG_CMD_01() -> None:
    assert reaches(4.0, options={"poor_light": "on"}) and not reaches(4.1, options={"poor_light": "on"})


@pytest.mark.parametrize(
    ("ground", "option", "far"),
    [("woods", "all", False), ("orchard", "all", False), ("orchard", "dense_only", True)],
)
def test_dense_woods_make_it_four_REG_CMD_01(ground: str, option: str, far: bool) -> None:
    g = field(BRIGADE, leaders=(Leader(brigade=0, y=14.0),), options={"woods_counted_dense": option})
    paint(g, ground, y=(16, 18))
    assert command.in_radius(g, 0, 0) == far
    g.leaders[0].y = 16.0
    assert command.in_radius(g, 0, 0)


def test_who_is_attached_or_on_foot_reaches_four_but_his_own_unit_always_REG_CMD_01() -> None:
    near, far = Unit(brigade=0, x=30 + 4 + 4), Unit(brigade=0, x=30 + 4 + 4.2)
    g = field(BRIGADE, near, far, leaders=(Leader(brigade=0, unit=0),))
    assert [bool(command.in_radius(g, 0, i)) for i in range(3)] == [True, True, False]
    g.leaders[0].unit, g.leaders[0].y = -1, 12.0
    assert command.in_radius(g, 0, 0)
    g.leaders[0].walks_until = g.turn
    assert not command.in_radius(g, 0, 0)


@pytest.mark.parametrize(("inches", "commands"), [(4.0, True), (4.01, False)])
@pytest.mark.parametrize("stands", [8, 20])
def test_four_inches_from_the_edge_of_the_unit_he_is_with_however_long_REG_CMD_01_REG_DEF_03(
    stands: int, inches: float, commands: bool
) -> None:
    long = Unit(brigade=0, x=40.0, stands=stands)
    g = field(long, Unit(brigade=0, x=80.0, stands=stands), leaders=(Leader(brigade=0, unit=0),))
    g.u[1].x = g.u[0].x + g.u[0].half_width + inches + g.u[1].half_width
    assert bool(command.in_radius(g, 0, 1)) == commands


def test_a_hill_between_takes_command_away_REG_CMD_01() -> None:
    g = field(BRIGADE, leaders=(Leader(brigade=0, y=13.0),))
    paint(g, "hill", y=(15, 17))
    assert not command.in_radius(g, 0, 0)


def test_a_line_of_march_is_commanded_to_its_end_REG_CMD_01() -> None:
    column = [Unit(brigade=0, y=40 - 4.2 * k, form=r.MARCH_COLUMN) for k in range(4)]
    g = field(*column, leaders=(Leader(brigade=0, unit=0),))
    assert command.in_radius(g, 0, 3)
    g.u[1].form = r.LINE
    assert not command.in_radius(g, 0, 3)


def test_command_is_by_the_own_leader_or_another_of_the_side_REG_CMD_02() -> None:
    own, other = Leader(brigade=0, y=16.0), Leader(rank=r.COMMANDER, y=16.0)
    g = field(BRIGADE, leaders=(own, other))
    assert command.command_status(g, 0) == r.IN_COMMAND
    g.leaders[0].y = 2.0
    assert command.command_status(g, 0) == r.PROVISIONAL
    g.leaders[1].y = 2.0
    assert command.command_status(g, 0) == r.OUT_OF_COMMAND


def test_an_enemy_leader_commands_nobody_REG_CMD_02() -> None:
    g = field(BRIGADE, leaders=(Leader(side=1, y=16.0),))
    assert command.command_status(g, 0) == r.OUT_OF_COMMAND


def test_militia_is_always_in_provisional_command_REG_SPC_03() -> None:
    militia = Unit(brigade=0, militia=True)
    for y in (17.0, 1.0):
        assert command.command_status(field(militia, leaders=(Leader(brigade=0, y=y),)), 0) == r.PROVISIONAL


def test_a_colonel_takes_the_place_of_a_lost_brigadier_and_gives_nothing_REG_CMD_03() -> None:
    g = field(BRIGADE, leaders=(Leader(brigade=0, unit=0),))
    assert command.is_led(g, 0)
    g.leaders[0].state, g.leaders[0].unit = r.KILLED, -1
    command.replace_fallen_leaders(g, 0)
    e = g.leaders[0]
    assert (e.state, e.colonel, e.fate) == (r.LEADS, 1, r.KILLED)
    assert command.command_status(g, 0) == r.IN_COMMAND
    e.unit = 0
    assert not command.is_led(g, 0)


def test_a_leader_who_is_away_for_a_turn_comes_back_by_himself_REG_CMD_03() -> None:
    g = field(BRIGADE, leaders=(Leader(brigade=0),))
    g.leaders[0].state, g.leaders[0].back = r.AWAY, 2
    command.replace_fallen_leaders(g, 0)
    assert g.leaders[0].state == r.AWAY
    g.turn = 2
    command.replace_fallen_leaders(g, 0)
    assert (g.leaders[0].state, g.leaders[0].colonel) == (r.LEADS, 0)


def test_nobody_is_replaced_where_the_option_says_so_REG_CMD_03() -> None:
    g = field(BRIGADE, leaders=(Leader(brigade=0),), options={"leaders_replaced": "off"})
    g.leaders[0].state = r.KILLED
    command.replace_fallen_leaders(g, 0)
    assert g.leaders[0].state == r.KILLED


def test_a_brigadier_joins_a_unit_from_which_he_reaches_all_REG_CMD_03() -> None:
    g = field(BRIGADE, Unit(brigade=0, x=34.2), leaders=(Leader(brigade=0),))
    attach_leaders(g, 0)
    assert g.leaders[0].unit in (0, 1)
    g.u[1].x = 50.0
    attach_leaders(g, 0)
    assert g.leaders[0].unit == -1


def test_detached_leaders_ride_after_all_checks_REG_GEN_02_REG_MOV_01() -> None:
    g = field(Unit(brigade=0, y=50.0), leaders=(Leader(brigade=0, y=10.0),))
    ride_to_men(g, 0)
    assert g.leaders[0].y == 34.0
