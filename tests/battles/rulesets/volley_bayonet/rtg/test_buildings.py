"""Towns and villages: room, dice on four sides, stone and fire."""

import pytest

from battles.rulesets.volley_bayonet.bases import half_depth
from battles.rulesets.volley_bayonet.moving import go_in, has_room_for
from battles.rulesets.volley_bayonet.rtg import buildings as b
from battles.rulesets.volley_bayonet.rtg import combat_step, dice
from battles.rulesets.volley_bayonet.rtg.combats import BURNT
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.rtg.tables import TOWN_ROOM, VILLAGE_ROOM
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field


@pytest.mark.parametrize(
    ("kind", "town", "village"),
    [
        ("infantry_brigade", 1, 0),
        ("linear_infantry", 1, 0),
        ("infantry_skirmisher", 4, 1),
        ("cavalry_brigade", 0, 0),
        ("artillery_battery", 0, 0),
    ],
)
def test_room_in_a_town_and_a_village_RTG_TER_20_RTG_TER_22(kind: Kind, town: int, village: int) -> None:
    for most, room in ((town, TOWN_ROOM), (village, VILLAGE_ROOM)):
        g = field(*(Stand(kind=kind, x=90.0, y=8.0 + 6.0 * k) for k in range(6)))
        place = build(g, 30.0, 28.0)
        g.structures[place].capacity = room
        count = 0
        for i in range(6):
            g.u[i].x, g.u[i].y = 30.0, 28.0 - 1.5 - half_depth(g, g.u[i])
            count += int(go_in(g, i, place))
        assert count == most


@pytest.mark.parametrize("total", range(13))
def test_a_quarter_of_the_dice_on_the_side_it_fights_to_RTG_TER_20(total: int) -> None:
    assert b.side_dice(total) == -(-total // 4)
    g = field(Stand())
    assert combat_step.on_one_side(g, g.u[0], total) == total
    g.u[0].inside = build(g, 30.0, 20.0)
    assert combat_step.on_one_side(g, g.u[0], total) == -(-total // 4)
    g.structures[0].capacity = VILLAGE_ROOM
    assert combat_step.on_one_side(g, g.u[0], total) == total


def test_guns_at_stone_RTG_TER_23() -> None:
    printed = table("RTG-TER-23")
    assert printed["artillery_band"] == "long" and not printed["artillery_fire_in_occupiers_turn"]
    for troops in (Stand(kind="artillery_battalion"), Stand(kind="artillery_battery")):
        g = field(troops, options={"battery_close_to_hit": 4})
        assert [int(dice.fire_score(g, g.u[0], 4.0, stone)) for stone in (0, 1)] == [4, 6]


def test_wood_catches_fire_on_a_6_and_burns_two_turns_at_least_RTG_TER_24() -> None:
    assert [die for die in range(1, 7) if b.catches_fire(die)] == table("RTG-TER-24")["catch_fire_on"]
    for place, name in ((b.VILLAGE_PLACE, "village"), (b.TOWN_PLACE, "town")):
        assert [die for die in range(1, 7) if b.goes_out(place, die)] == table("RTG-TER-24")["out_on"][name]
    assert [turn for turn in range(3, 8) if b.rolls_for_end(4, turn)] == [6, 7]
    assert not b.rolls_for_end(b.NOT_BURNING, 6)


@pytest.mark.parametrize(("lit", "open_"), [(b.NOT_BURNING, True), (4, False), (BURNT, True)])
def test_nobody_goes_into_a_place_that_burns_RTG_TER_24(lit: int, open_: bool) -> None:
    g = field(Stand(y=28.0))
    town = build(g, 30.0, 28.0)
    g.lit[town] = lit
    assert bool(has_room_for(g, town, g.u[0])) == open_
