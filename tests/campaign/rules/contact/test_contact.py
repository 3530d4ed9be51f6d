"""How enemies meet, and what keeps them from fighting (HR-CON-02 to -13, HR-RET, AWI-C-MAR)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import COVER, Settlement, is_tiny, verify_settlement
from campaign.rules.day.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import RouteKind
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, Stance, UnitStatus, World
from rosters.domain.vocabulary import Mobility, Nation, TroopType
from tests.factories.little_wars import (
    MILE,
    completed,
    day_dice,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)
from tests.factories.scripted_dice import ScriptedDice

SUPPLY = {"crown": ("albany",), "rebel": ("castleton",)}
ROUTES = (way("albany", "bennington", 4), way("bennington", "castleton", 10))


def bennington(
    crown: int = 3,
    rebel: int = 3,
    works: str = "none",
    settings: RuleSettings | None = None,
    weather: str = "fair",
) -> World:
    """Albany -4- Bennington -10- Castleton: Baum at Albany, Stark at Bennington."""
    return little_world(
        (place("albany"), place("bennington", works), place("castleton")),  # type: ignore[arg-type]
        ROUTES,
        {"baum": ("crown", "albany", crown), "stark": ("rebel", "bennington", rebel)},
        holders={"albany": "crown", "bennington": "rebel", "castleton": "rebel"},
        supply=SUPPLY,
        settings=settings,
        weather=weather,
    )


def standing(world: World, formation: str, stance: Stance) -> World:
    order = Order(formation, stance=stance)
    return replace(
        world, formations={**world.formations, formation: replace(world.formations[formation], order=order)}
    )


def script(**dice: Sequence[int]) -> ScriptedDice:
    """Dice by rule, with a fair wind: HR_CON_02=[3] scripts HR-CON-02."""
    named: Mapping[str, Sequence[int]] = {name.replace("_", "-"): values for name, values in dice.items()}
    return ScriptedDice({"HR-WEA-02": [6] * 9, **named})


MARCH = orders(Order("baum", ("bennington",), stance="attack"))


@pytest.mark.parametrize(("die", "escapes"), [(1, False), (2, False), (3, True), (6, True)])
def test_hr_con_02_avoiding_battle(die: int, escapes: bool) -> None:
    world = standing(bennington(), "stark", "avoid")
    result = advance_day(world, MARCH, script(HR_CON_02=[die]), {})
    assert isinstance(result, Completed) is escapes
    if isinstance(result, Completed):
        stark = result.world.formations["stark"].position
        assert stark == Position("", "bennington--castleton--road", "bennington", "castleton", 8 * MILE)
        assert result.world.holders["bennington"] == "crown"
        (roll,) = told(result.events, "escape")[0].rolls
        assert roll.value == die


def test_hr_con_02_light_troops_escape_on_a_two() -> None:
    world = standing(bennington(), "stark", "avoid")
    units = {
        key: replace(unit, troop_type=TroopType.RANGERS) if unit.side == "rebel" else unit
        for key, unit in world.units.items()
    }
    assert units["stark_1"].mobility is Mobility.LIGHT
    completed(replace(world, units=units), MARCH, script(HR_CON_02=[2]))


def test_hr_con_02_a_garrison_does_not_leave() -> None:
    world = standing(bennington(), "stark", "avoid")
    garrison = replace(world.formations["stark"], garrison=True)
    world = replace(world, formations={**world.formations, "stark": garrison})
    assert pending(world, MARCH, script()).key == "d0/bennington/1"


def test_hr_con_02_with_no_way_open_it_must_fight() -> None:
    """Without HR-RET-03 an empty post of the enemy bars the way too."""
    world = standing(bennington(settings=RuleSettings(block_retreat_parts=0)), "stark", "avoid")
    world = replace(world, holders={**world.holders, "castleton": "crown"})
    assert pending(world, MARCH, script(HR_CON_02=[6])).defender == "rebel"


@pytest.mark.parametrize(("rebels", "gone"), [(2, "stark"), (4, "baum")])
def test_hr_con_03_when_nobody_wants_battle_the_weaker_gives_way(rebels: int, gone: str) -> None:
    world = standing(bennington(rebel=rebels), "stark", "delay")
    done = completed(world, orders(Order("baum", ("bennington",), stance="avoid")), script())
    assert [event.formation for event in told(done.events, "retreat")] == [gone]
    assert not told(done.events, "escape")


def test_hr_con_04_at_dawn_a_side_may_march_off_if_the_enemy_does_not_attack() -> None:
    world = bennington()
    there = replace(world.formations["baum"], position=Position(place="bennington"))
    world = replace(world, formations={**world.formations, "baum": there})
    assert pending(world, {}, script()).minute == 240
    leave = orders(Order("stark", ("castleton",)))
    assert completed(world, leave, script()).world.formations["stark"].position == Position(place="castleton")
    pressed = standing(world, "baum", "attack")
    completed(pressed, leave, script(HR_CON_04=[3]))
    caught = pending(pressed, leave, script(HR_CON_04=[2]))
    assert (caught.minute, caught.attacker) == (240, "crown")


@pytest.mark.parametrize(("minutes", "waits"), [(400, False), (541, True)])
def test_hr_con_05_a_contact_near_dark_waits_for_dawn(minutes: int, waits: bool) -> None:
    """Baum reaches Bennington 200 minutes after he starts; dark is set so many minutes after 4 o'clock."""
    world = bennington(settings=RuleSettings(dark=240 + (200 + 59 if waits else minutes)))
    result = advance_day(world, MARCH, script(), {})
    if not waits:
        assert isinstance(result, Pending)
        return
    assert isinstance(result, Completed)
    (dusk,) = told(result.events, "contact_at_dusk")
    assert (dusk.rule, dusk.minute) == ("HR-CON-05", 440)
    assert result.world.holders["bennington"] == "rebel"
    tomorrow = pending(result.world, {}, script())
    assert (tomorrow.key, tomorrow.minute, tomorrow.attacker) == ("d1/bennington/1", 240, "crown")


@pytest.mark.parametrize(("die", "taken"), [(2, True), (3, False)])
def test_hr_con_06_a_train_flees_or_is_taken(die: int, taken: bool) -> None:
    world = bennington(rebel=1)
    train = replace(world.units["stark_1"], troop_type=TroopType.WAGON, points=0)
    spent = replace(world.units["stark_1"], id="spent", points=5)
    world = replace(world, units={**world.units, "stark_1": train, "spent": spent})
    done = completed(world, MARCH, script(HR_CON_06=[die]))
    status = UnitStatus.SURRENDERED if taken else UnitStatus.PRESENT
    assert done.world.units["stark_1"].status is status
    assert done.world.units["spent"].points == (0 if taken else 5)
    assert not told(done.events, "contact")
    assert done.world.holders["bennington"] == "crown"


@pytest.mark.parametrize(
    ("first", "second", "works", "tiny"),
    [
        (9, 9, False, True),
        (10, 10, False, False),
        (10, 31, False, True),
        (10, 31, True, False),
        (10, 30, False, False),
    ],
)
def test_hr_con_07_tiny_fights(first: int, second: int, works: bool, tiny: bool) -> None:
    assert is_tiny(first, second, works, RuleSettings()) is tiny
    assert is_tiny(second, first, works, RuleSettings()) is tiny


def test_hr_con_07_tiny_fights_are_flagged_or_evaded() -> None:
    assert pending(bennington(rebel=1), MARCH, script()).tiny
    evade = bennington(rebel=1, settings=RuleSettings(tiny_fights="evade"))
    done = completed(evade, MARCH, script())
    assert [event.rule for event in told(done.events, "retreat")] == ["HR-CON-07"]


@pytest.mark.parametrize("works", sorted(COVER))
def test_hr_con_08_works_cover_a_defender_who_holds_the_place(works: str) -> None:
    world = bennington(works=works)
    assert pending(world, MARCH, script()).cover == COVER[works]  # type: ignore[index]
    unheld = replace(world, holders={**world.holders, "bennington": "crown"})
    assert pending(unheld, MARCH, script()).cover == "none"


def test_hr_con_11_a_settlement_must_fit_its_contact() -> None:
    contact = pending(bennington(), MARCH, script())
    good = held_by(contact, "rebel", {"baum_1": 5})
    verify_settlement(contact, good)
    for wrong, field in (
        (replace(good, contact="d0/albany/1"), "contact"),
        (replace(good, field_held_by="france"), "field_held_by"),
        (replace(good, losses=(UnitLoss("gates_1", 5, 1),)), "gates_1"),
        (replace(good, losses=(UnitLoss("baum_1", 4, 1),)), "baum_1"),
        (replace(good, losses=(UnitLoss("baum_1", 5, 4, 2),)), "baum_1"),
        (replace(good, losses=(UnitLoss("baum_1", 5, 1), UnitLoss("baum_1", 5, 1))), "baum_1"),
    ):
        with pytest.raises(RuleViolation) as refused:
            verify_settlement(contact, wrong)
        assert (refused.value.rule_id, refused.value.field) == ("HR-CON-11", field)


def test_awi_c_bat_losses_are_told_to_the_owner_and_the_dead_unit_is_eliminated() -> None:
    """AWI-C-BAT-01 to -03 and AWI-C-ELI-01: 30 points wiped out (2 SP: 10 + 10) leave 10; 20 leave 5."""
    world = bennington()
    weak = replace(world.units["stark_1"], points=15)
    world = replace(world, units={**world.units, "stark_1": weak})
    contact = pending(world, MARCH, script())
    settled = Settlement(
        contact.key,
        "crown",
        (UnitLoss("stark_1", 1, 1, 0, "eliminated"), UnitLoss("stark_2", 5, 2, 3, "surrendered")),
        "table",
    )
    done = completed(world, MARCH, script(), settled)
    assert (done.world.units["stark_1"].points, done.world.units["stark_1"].status) == (
        0,
        UnitStatus.ELIMINATED,
    )
    assert (done.world.units["stark_2"].points, done.world.units["stark_2"].status) == (
        60,
        UnitStatus.PRESENT,
    )
    assert {event.sides for event in told(done.events, "battle_loss")} == {("rebel",)}
    assert {event.sides for event in told(done.events, "battle")} == {("crown", "rebel")}


def test_attackers_who_win_march_on() -> None:
    """HR-CON-01: 4 miles, six hours of battle, then the rest of ten hours' march, to the beaten by dark."""
    world = bennington()
    given = orders(Order("baum", ("castleton",)))
    contact = pending(world, given, script())
    done = completed(world, given, script(), held_by(contact, "crown"))
    baum = done.world.formations["baum"].position
    assert baum == Position("", "bennington--castleton--road", "bennington", "castleton", 8 * MILE - 1)
    (dusk,) = told(done.events, "contact_at_dusk")
    assert dusk.minute == 240 + 200 + 360 + 400


def test_hr_con_13_an_empty_place_is_taken_in_passing_but_not_by_wagons() -> None:
    world = bennington(rebel=0)
    given = orders(Order("baum", ("castleton",), pace="double"))
    done = completed(world, given, day_dice(world))
    assert [event.place for event in told(done.events, "place_taken")] == ["bennington", "castleton"]
    units = {key: replace(unit, troop_type=TroopType.WAGON, points=0) for key, unit in world.units.items()}
    alone = completed(replace(world, units=units), given, day_dice(world))
    assert alone.world.holders == world.holders


@pytest.mark.parametrize(("weather", "miles"), [("fair", 8), ("rain", 5), ("fog", 8)])
def test_hr_ret_01_distance_of_a_retreat(weather: str, miles: int) -> None:
    world = bennington(weather=weather)
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(), held_by(contact, "crown"))
    stark = done.world.formations["stark"].position
    assert stark == Position("", "bennington--castleton--road", "bennington", "castleton", miles * MILE)


def bennington_with_guns(kind: RouteKind) -> World:
    """Stark has guns, and the one way back for him is of `kind` and carries no wheels."""
    world = bennington()
    back = way("bennington", "castleton", 10, kind, wheeled=False)
    places = [replace(item, port="lake") for item in world.theatre.atlas.places.values()]
    atlas = type(world.theatre.atlas).of(places, (ROUTES[0], back))
    guns = replace(world.units["stark_1"], troop_type=TroopType.AMERICAN_ARTILLERY)
    return replace(world, theatre=replace(world.theatre, atlas=atlas), units={**world.units, "stark_1": guns})


def test_hr_ret_02_wheels_are_lost_on_a_trail() -> None:
    world = bennington_with_guns("trail")
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(), held_by(contact, "crown"))
    (lost,) = told(done.events, "wheels_abandoned")
    assert (lost.unit, lost.before, lost.after, lost.rule) == ("stark_1", 100, 0, "HR-RET-02")
    assert done.world.units["stark_2"].status is UnitStatus.PRESENT


def test_hr_ret_02_guns_go_back_by_boat() -> None:
    """HR-WAT-02: what came by water goes back by water, guns and all."""
    world = bennington_with_guns("lake")
    contact = pending(world, MARCH, script())
    done = completed(world, MARCH, script(), held_by(contact, "crown"))
    assert not told(done.events, "wheels_abandoned")
    assert done.world.units["stark_1"].status is UnitStatus.PRESENT
    position = done.world.formations["stark"].position
    assert position is not None and position.route == "bennington--castleton--lake"


@pytest.mark.parametrize(
    ("pace", "rule", "percent"), [("plus_half", "AWI-C-MAR-01", 50), ("double", "AWI-C-MAR-02", 100)]
)
def test_awi_c_mar_forced_march_losses_at_the_end_of_the_march(pace: str, rule: str, percent: int) -> None:
    """AWI-C-MAR-01, AWI-C-MAR-02: 24 miles of road on one day; AWI-C-MAR-03 adds 1 for militia and fog."""
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 24),),
        {"baum": ("crown", "albany", 2)},
        weather="fog",
    )
    militia = replace(world.units["baum_2"], troop_type=TroopType.MILITIA, nation=Nation.AMERICAN_MILITIA)
    world = replace(world, units={**world.units, "baum_2": militia})
    given = orders(Order("baum", ("bennington",), pace=pace))  # type: ignore[arg-type]
    dice = ScriptedDice({"HR-WEA-02": [6], rule: [4, 4]})
    done = completed(world, given, dice)
    events = told(done.events, "forced_march")
    assert [(each.unit, each.rule, each.data["percent_over"]) for each in events] == [
        ("baum_1", rule, percent),
        ("baum_2", rule, percent),
    ]
    expected = {"AWI-C-MAR-01": (95, 90), "AWI-C-MAR-02": (90, 80)}[rule]
    assert tuple(done.world.units[f"baum_{n}"].points for n in (1, 2)) == expected


def test_hr_mar_05_a_fifth_day_of_marching_is_a_forced_march_and_a_halt_is_a_rest() -> None:
    world = bennington(rebel=0)
    tired = replace(world.formations["baum"], marched=4)
    world = replace(world, formations={**world.formations, "baum": tired})
    done = completed(world, MARCH, script(AWI_C_MAR_01=[5, 5, 5]))
    assert {unit.points for unit in done.world.units.values()} == {95}
    assert done.world.formations["baum"].marched == 5
    assert completed(done.world, {}, script()).world.formations["baum"].marched == 0


def test_the_campaign_ends_on_its_last_day_and_an_ended_one_is_not_played() -> None:
    """HR-CAL-02, and rain counted for the fords (HR-MAR-07)."""
    world = little_world((place("albany"),), (), {"baum": ("crown", "albany", 1)}, days=2, weather="rain")
    first = completed(world, {}, script()).world
    assert (first.day, first.ended, first.wet_days) == (1, False, 1)
    last = completed(first, {}, script()).world
    assert (last.day, last.ended, last.wet_days) == (2, True, 2)
    with pytest.raises(RuleViolation, match="has ended"):
        advance_day(last, {}, script(), {})
