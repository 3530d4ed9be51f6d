"""Fresh light troops follow the beaten until dark (HR-PUR-01)."""

from dataclasses import replace

import pytest

from campaign.rules.contact.aftermath import close_battle
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column, OpenBattle
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, World
from rosters.domain.vocabulary import TroopType
from tests.factories.little_wars import (
    completed,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)
from tests.factories.scripted_dice import ScriptedDice

MARCH = orders(Order("fraser", ("bennington",), stance="attack"))


def hubbardton(miles: int = 4, **settings: int) -> World:
    """Fraser with a battalion of foot and one of light infantry marches on Warner."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton")),
        (way("albany", "bennington", miles), way("bennington", "castleton", 10)),
        {"fraser": ("crown", "albany", 2), "warner": ("rebel", "bennington", 2)},
        holders={"albany": "crown", "bennington": "rebel", "castleton": "rebel"},
        supply={"crown": ("albany",), "rebel": ("castleton",)},
        settings=RuleSettings(**settings),  # type: ignore[arg-type]
    )
    light = replace(world.units["fraser_2"], troop_type=TroopType.BRITISH_LIGHT_INFANTRY)
    return replace(world, units={**world.units, "fraser_2": light})


def script(*pursuit: int) -> ScriptedDice:
    return ScriptedDice({"HR-WEA-02": [6] * 9, "HR-PUR-01": list(pursuit)})


def test_hr_pur_01_each_fresh_light_sp_takes_one_on_a_six() -> None:
    world = hubbardton()
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(6, 5, 6, 1, 2), held_by(contact, "crown", {"fraser_1": 2}))
    (event,) = told(done.events, "pursuit")
    assert (event.data["sp"], event.data["taken"], len(event.rolls)) == (5, 2, 5)
    assert set(event.sides) == {"crown", "rebel"}
    lost = {each.unit: (each.before, each.after) for each in told(done.events, "battle_loss")}
    assert lost["warner_1"] == lost["warner_2"] == (100, 90)  # ten points a captured SP (AWI-C-BAT-03)
    assert done.world.units["warner_1"].points == 90


def test_hr_pur_01_sp_are_taken_from_who_has_most_left_after_the_battle() -> None:
    """Warner's first battalion has lost 2 SP and stands at 80 for the day, 4 SP (AWI-C-BAT-04)."""
    world = hubbardton()
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(6, 1, 1, 1, 1), held_by(contact, "crown", {"warner_1": 2}))
    taken = [each for each in told(done.events, "battle_loss") if each.data["sp_captured"]]
    assert [(each.unit, each.data["sp_start"]) for each in taken] == [("warner_2", 5)]


def test_hr_pur_01_who_has_lost_in_the_battle_is_not_fresh() -> None:
    world = hubbardton()
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(), held_by(contact, "crown", {"fraser_2": 1}))
    assert not told(done.events, "pursuit")


@pytest.mark.parametrize(("dark", "dice"), [(14 * 60 - 20, 0), (14 * 60 + 12, 3), (20 * 60, 5)])
def test_hr_pur_01_dark_ends_it(dark: int, dice: int) -> None:
    """The battle opens at 7:20 and ends at 13:20; dark leaves no, 52 or more than 120 minutes."""
    world = hubbardton(dark=dark)
    contact = pending(world, MARCH, script())
    assert contact.ends == 13 * 60 + 20
    if not dice:
        world = replace(world, settings=replace(world.settings, dark=contact.ends))
    done = completed(world, MARCH, script(*[1] * 5), held_by(contact, "crown"))
    assert sum(len(event.rolls) for event in told(done.events, "pursuit")) == (
        dice and 5 * min(120, dark - contact.ends) // 120
    )


def test_hr_pur_01_may_be_switched_off() -> None:
    world = hubbardton(pursuit_miles=0)
    contact = pending(world, MARCH, script())
    assert not told(completed(world, MARCH, script(), held_by(contact, "crown")).events, "pursuit")


def test_hr_pur_01_only_who_falls_back_from_this_battle_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warner has fallen back a whole day's march before: he can no more, and stays where he is."""

    def tired(field: DayState, battle: OpenBattle, settlement: Settlement) -> list[Column]:
        field.columns["warner"].retreated = field.settings.march_minutes
        return close_battle(field, battle, settlement)

    monkeypatch.setattr("campaign.rules.day.day.close_battle", tired)
    world = hubbardton()
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(), held_by(contact, "crown"))
    assert not told(done.events, "retreat") and not told(done.events, "pursuit")


def test_hr_tab_06_a_victor_who_holds_his_men_back_throws_no_die() -> None:
    world = hubbardton()
    contact = pending(world, MARCH, script())
    settled = replace(held_by(contact, "crown"), pursuit="none")
    done = completed(world, MARCH, script(6, 6, 6, 6, 6), settled)
    assert told(done.events, "pursuit") == [] and told(done.events, "retreat")
    (battle,) = told(done.events, "battle")
    assert battle.data["pursuit"] == "none"


def test_hr_tab_06_a_pursuit_pressed_is_that_of_any_battle() -> None:
    world = hubbardton()
    contact = pending(world, MARCH, script())
    usual = held_by(contact, "crown", {"fraser_1": 2})
    pressed = replace(usual, pursuit="pressed")
    dice = (6, 5, 6, 1, 2)
    one, other = (completed(world, MARCH, script(*dice), each) for each in (usual, pressed))
    assert one == other
