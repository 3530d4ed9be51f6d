"""What headquarters knows of its columns apart: as they last reported, and nothing later (HR-COU-04)."""

from dataclasses import replace

import pytest

from campaign.ai.estimated_world import build_estimated_world
from campaign.rules.day.day import advance_day
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.scouting.knowledge import build_reported_world, own_report
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Pending
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from rosters.domain.dice import AddressedDice
from rosters.domain.vocabulary import Nation, TroopType
from tests.campaign.rules.dispatches.test_couriers import apart
from tests.factories.fog import dice_of, road, settle, shown
from tests.factories.little_wars import completed, orders

#: Two days' ride from Burgoyne at Albany.
FAR = "granville"


def weaker(world: World, points: int) -> World:
    """Fraser's battalion with other points, as no report has told yet."""
    return replace(world, units={**world.units, "fraser_1": replace(world.units["fraser_1"], points=points)})


def days_of(world: World, days: int, order: Order | None = None) -> tuple[World, list[tuple[Event, ...]]]:
    told = []
    for day in range(days):
        given = orders(order) if order is not None and day == 0 else {}
        done = completed(world, given, dice_of(world))
        world = done.world
        told.append(done.events)
    return world, told


def known_points(world: World) -> int:
    return build_reported_world(world, "crown").units["fraser_1"].points


def test_hr_cou_04_strength_is_as_last_reported() -> None:
    world = apart(FAR)
    changed = weaker(world, 40)
    assert known_points(changed) == known_points(world) == world.units["fraser_1"].points
    after, _ = days_of(changed, 1)
    assert known_points(after) == world.units["fraser_1"].points, "the report of the 1st is on its way"
    after, _ = days_of(changed, 3)
    assert known_points(after) == after.units["fraser_1"].points < 50


@pytest.mark.parametrize("days", [0, 1])
def test_hr_cou_04_nothing_shown_tells_what_is_not_reported_yet(days: int) -> None:
    """Fraser is weaker, on short rations and gone on: until word comes everything reads the same."""
    world = apart(FAR)
    world = replace(world, holders={**world.holders, FAR: "crown"})  # a place won is heard of at once
    fraser = world.formations["fraser"]
    otherwise = weaker(world, 40)
    order = Order("fraser", ("fairfax",))
    otherwise = replace(
        otherwise,
        formations={**world.formations, "fraser": replace(fraser, hungry_days=3, marched=4, order=order)},
    )
    one, other = (shown(*days_of(each, days), "crown") for each in (world, otherwise))
    assert one == other


def test_hr_cou_04_the_same_for_the_sides_own_forecast() -> None:
    world = apart(FAR)
    assert world_hash(build_estimated_world(weaker(world, 40), "crown")) == world_hash(
        build_estimated_world(world, "crown")
    )


def test_hr_cou_04_papers_on_their_way_are_in_nobodys_forecast() -> None:
    """What a courier has not brought yet, or never will, is not known."""
    world = completed(apart(FAR), {}, dice_of(apart(FAR))).world
    assert world.dispatches and not build_estimated_world(world, "crown").dispatches


def test_hr_cou_04_the_umpires_world_is_the_true_one() -> None:
    assert weaker(apart(FAR), 40).units["fraser_1"].points == 40
    off = road(settings=RuleSettings())
    assert build_reported_world(off, "crown") is off


def test_hr_cou_04_what_befell_a_column_is_told_by_its_report() -> None:
    """A double march costs Fraser points at Castleton, a day's ride off: headquarters hears next day."""
    world = apart("castleton")
    standing = replace(
        world.formations["fraser"], order=Order("fraser", ("easton",), pace="double"), position=None
    )
    standing = replace(standing, position=world.formations["fraser"].position)
    world = replace(world, formations={**world.formations, "fraser": standing})
    after, told = days_of(world, 3)
    lived = [each for each in told[0] if each.formation == "fraser" and each.kind == "arrives"]
    losses = [each for each in told[0] if each.kind == "forced_march"]
    assert lived and losses and all(each.sides == () for each in (*lived, *losses))
    reports = [each for day in told[1:] for each in day if each.kind == "told_by_courier"]
    inner = [inner_event(each) for each in reports]
    assert {each.kind for each in inner if each} >= {"arrives", "forced_march"}
    assert all(each.sides == ("crown",) and each.before is None for each in reports)
    (march,) = [
        each for each in reports if each.data["event"]["kind"] == "arrives" and each.data["sent"] == 0
    ]
    names = names_of(after)
    assert narrate(march, names) == "Fraser reports of yesterday: Fraser arrives at Easton."
    assert losses[0].rolls == next(each for each in inner if each and each.kind == "forced_march").rolls


def test_hr_cou_04_of_a_battle_headquarters_hears_at_once() -> None:
    world = apart("dorset", "castleton")
    ordered = replace(world.formations["fraser"], order=Order("fraser", ("castleton",), stance="attack"))
    world = replace(world, formations={**world.formations, "fraser": ordered})
    pending = advance_day(world, {}, dice_of(world), {})
    assert isinstance(pending, Pending)
    done = completed(world, {}, dice_of(world), settle(pending.contacts[0], "crown"))
    assert any(each.kind == "battle" for each in done.events)
    report = own_report(done.world, done.world.formations["fraser"])
    assert report is not None and report.day == 0
    assert known_points(done.world) == done.world.units["fraser_1"].points
    mine = [each for each in done.events if each.formation == "fraser" and each.kind == "arrives"]
    assert all(each.sides == ("crown",) for each in mine)


def test_hr_cou_04_the_weeks_returns_of_a_column_follow_by_courier() -> None:
    world = apart("castleton")
    militia = replace(world.units["fraser_1"], nation=Nation.AMERICAN_MILITIA, troop_type=TroopType.MILITIA)
    world, _ = days_of(replace(world, units={**world.units, "fraser_1": militia}), 7)
    dice = AddressedDice(b"the week's dice", "fog", 1, world.day)
    closed = close_week(world, WeekChoices(), dice)
    mine = [each for each in closed.events if each.unit == "fraser_1"]
    assert mine and all(each.sides == () for each in mine)
    _, told = days_of(closed.world, 2)
    heard = [inner_event(each) for day in told for each in day if each.kind == "told_by_courier"]
    assert {each.kind for each in heard if each} >= {each.kind for each in mine}


def test_hr_cou_04_who_joins_a_column_is_there_when_it_says_so() -> None:
    world = apart(FAR)
    late = replace(world.units["fraser_1"], id="fraser_2", points=80)
    world = replace(world, units={**world.units, "fraser_2": late})
    assert build_reported_world(world, "crown").units["fraser_2"].status is UnitStatus.EXPECTED
    after, _ = days_of(world, 3)
    assert build_reported_world(after, "crown").units["fraser_2"].status is UnitStatus.PRESENT


def test_hr_cou_04_what_a_column_says_is_part_of_the_world() -> None:
    world, _ = days_of(apart(FAR), 2)
    assert own_report(world, world.formations["fraser"]) is not None
    assert world_from_json(world_to_json(world), world.theatre) == world
