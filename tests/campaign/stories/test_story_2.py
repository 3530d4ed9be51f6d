"""Bennington, 15 and 16 August: will Breymann be there before dark, and what two fights in a day cost."""

from dataclasses import replace
from fractions import Fraction

import pytest

from campaign.rules.contact.casualties import UnitLoss, battle_losses, points_for_battle
from campaign.rules.day.weather import WEATHERS
from campaign.rules.map.paths import path_find
from campaign.rules.march.itinerary import ArrivalChance, arrival_odds, build_schedule, weather_chances
from campaign.rules.march.marching import FOOT
from campaign.rules.world.world import YARDS_PER_MILE, Order, Pace, Position, UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.orders.preview import march_lay_out
from rosters.domain.strength import strength_points
from tests.factories.little_wars import battalion, completed, day_dice, orders, told

AUGUST_15, AUGUST_16, AUGUST_17 = 61, 62, 63
WAY = ("cambridge", "st_coicks_mill", "walloomsac")
EIGHT_O_CLOCK = 4 * 60  # after the others, who march at four


@pytest.fixture(scope="module")
def morning() -> World:
    """Breymann with two guns at Batten Kill on the rainy 15th; nobody knows the weather of the 16th yet."""
    shipped = read_scenario(scenario_path("saratoga-1777")).world
    chosen = ("bw_gren_1", "bw_gren_2", "hh_reserve")
    units = {
        key: replace(shipped.units[key], formation="breymann", status=UnitStatus.PRESENT) for key in chosen
    }
    here = Position(place="batten_kill")
    body = replace(shipped.formations["reserve_corps"], id="breymann", name="Breymann", position=here)
    recorded = {day: word for day, word in shipped.theatre.recorded_weather.items() if day.day != 16}
    theatre = replace(shipped.theatre, recorded_weather=recorded)
    return replace(shipped, day=AUGUST_15, units=units, formations={"breymann": body}, theatre=theatre)


PACES: list[Pace] = ["normal", "plus_half", "double"]


def march(pace: Pace) -> Order:
    return Order("breymann", WAY, pace=pace, stance="give_battle", starts=EIGHT_O_CLOCK)


def test_it_is_25_miles_and_a_half_and_a_day_of_rain_is_half_of_them(morning: World) -> None:
    atlas = morning.theatre.atlas
    assert atlas.routes["cambridge--batten_kill--road"].yards == 14 * YARDS_PER_MILE
    plan = path_find(atlas, Position(place="batten_kill"), WAY, FOOT, morning.settings)
    assert sum(leg.yards for leg in plan.legs) == 25.5 * YARDS_PER_MILE
    night = completed(morning, orders(march("plus_half")), day_dice(morning)).world
    assert night.formations["breymann"].position.yards == 13.5 * YARDS_PER_MILE
    assert len(build_schedule(atlas, plan, "normal", FOOT, morning.settings).days) == 3


def test_the_umpire_sees_the_chance_that_he_arrives_before_dark_on_the_16th(morning: World) -> None:
    assert weather_chances(morning, AUGUST_15) == {"rain": 1}
    assert weather_chances(morning, AUGUST_16)["storm"] == Fraction(90, 1000)
    assert arrival_odds(morning, march("normal"))[0].day == AUGUST_17
    assert arrival_odds(morning, march("plus_half"))[0] == ArrivalChance(AUGUST_16, Fraction(91, 100))


def rest_then(pace: Pace) -> Order:
    return replace(march(pace), activity="rest", starts=0)


@pytest.mark.parametrize(
    "order",
    [
        *(pytest.param(march(pace), id=pace) for pace in PACES),
        *(pytest.param(rest_then(pace), id=f"HR-MAR-05 rest, then {pace}") for pace in PACES),
    ],
)
def test_the_chance_is_what_the_days_come_to_when_they_are_played(morning: World, order: Order) -> None:
    """Every weather of the 16th and 17th, as the umpire may decide it, played out."""
    there = {AUGUST_16: Fraction(0), AUGUST_17: Fraction(0)}
    sixteenth = weather_chances(morning, AUGUST_16)
    assert set(sixteenth) == set(WEATHERS)
    for first, chance in sixteenth.items():
        world = replace(morning, weather_set={str(AUGUST_16): first})
        for second, share in weather_chances(world, AUGUST_17).items():
            now = replace(world, weather_set={**world.weather_set, str(AUGUST_17): second})
            now = completed(now, orders(order), day_dice(now)).world
            for day in there:
                done = completed(now, {}, day_dice(now))
                now = done.world
                late = any(event.minute > now.settings.dark for event in told(done.events, "arrives"))
                arrived = now.formations["breymann"].position == Position("walloomsac")
                there[day] += chance * share * (arrived and not late)
    expected = {each.day: each.chance for each in arrival_odds(morning, order)}
    last = max(expected.values(), default=Fraction(0))
    for day, chance in there.items():
        assert chance == expected.get(day, last if expected and day > min(expected) else 0)


@pytest.mark.parametrize("pace", PACES)
def test_hr_mar_05_the_preview_of_a_march_after_a_rest_is_what_is_played(morning: World, pace: Pace) -> None:
    """A column due for a rest, in fair weather: the night of every day, the arrival, the strength."""
    tired = replace(morning.formations["breymann"], marched=morning.settings.rest_every_days)
    fair = {str(AUGUST_15 + day): "fair" for day in range(6)}
    now = replace(morning, formations={"breymann": tired}, weather_set=fair, wet_days=0)
    preview = march_lay_out(now, rest_then(pace))
    assert preview.days[0].rests and (pace != "normal" or not any(day.points for day in preview.days))
    written = orders(rest_then(pace))
    for day in preview.days:
        done = completed(now, written, day_dice(now))
        now, written = done.world, {}
        assert now.formations["breymann"].position == day.end
        last = preview.legs[-1]
        arrived = [event.minute for event in told(done.events, "arrives")]
        assert arrived == ([last.minute] if last.day == day.day else [])
    assert now.formations["breymann"].position == Position("walloomsac")


def test_decided_weather_leaves_no_chance(morning: World) -> None:
    """HR-UMP-07 and HR-WEA-01: a storm that the umpire has decided on keeps Breymann away."""
    order = march("plus_half")
    stormy = replace(morning, weather_set={str(AUGUST_16): "storm"})
    assert all(each.day > AUGUST_16 for each in arrival_odds(stormy, order))
    fair = replace(morning, weather_set={str(AUGUST_16): "fair"})
    assert arrival_odds(fair, order) == (ArrivalChance(AUGUST_16, Fraction(1)),)


def test_a_unit_fights_its_second_battle_of_a_day_with_what_the_first_cost(morning: World) -> None:
    """120 points lose 2 SP to Baum: 110 for good, but against Breymann they are 100, 5 SP and not 6."""
    stark = battalion("stark_1", "rebel", "stark", 120)
    after, _ = battle_losses(stark, UnitLoss("stark_1", 6, 2), morning.settings)
    assert after.points == 110
    fights_at = points_for_battle(after.points, 2)
    assert fights_at == 100
    assert strength_points(fights_at) == 5
    assert strength_points(110) == 6


def test_dragoons_who_lose_three_and_surrender_two_are_65(morning: World) -> None:
    """AWI-C-BAT-03: not back in the field for nothing."""
    dragoons = battalion("dragoons", "crown", "baum", 100)
    after, _ = battle_losses(dragoons, UnitLoss("dragoons", 5, 3, 2), morning.settings)
    assert after.points == 65
