"""Reports: seen in passing, kept, aged, struck out (HR-FOG-04, HR-FOG-05, HR-FOG-06)."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.scouting.intelligence import Intelligence, first_look, list_snapshots
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.scouting.sighting import estimate_sp
from campaign.rules.world.world import Order, Position, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from campaign.text.sightings import sighting_text
from rosters.domain.dice import AddressedDice
from tests.factories.fog import EAST, ROW, Hidden, dice_of, played, road, shown

MARCH = Order("gates", ("albany",), pace="double", stance="avoid")


def enemies(world: World, side: str = "crown") -> list[tuple[str, str, bool]]:
    names = side_view(world, side).enemies
    return [(one.name, one.position.place or one.position.route, one.in_sight) for one in names]


def test_hr_fog_04_a_column_is_seen_in_passing_and_then_struck_out() -> None:
    """Gates marches through Castleton, empty but held, and on to the east out of everybody's sight."""
    world = road(holders={"albany": "crown", "castleton": "crown"})
    burgoyne = replace(world.formations["fraser"], position=Position(place="albany"))
    world = replace(world, formations={**world.formations, "fraser": burgoyne})
    gates = replace(
        world.formations["gates"],
        position=Position("", "castleton--dorset--road", "castleton", "dorset", 2 * 1760),
    )
    world = replace(world, formations={**world.formations, "gates": gates})
    world = first_look(world, dice_of(world))
    assert enemies(world) == [("Gates", "castleton--dorset--road", True)]
    world, told = played(world, {0: [Order("gates", ("dorset",))]}, 1)
    assert enemies(world) == []
    kinds = [(each.kind, each.minute) for each in told[0] if each.kind in ("enemy_sighted", "enemy_gone")]
    assert kinds == [("enemy_gone", 480)]


def test_hr_fog_04_a_last_known_place_stays_on_the_map_with_its_age() -> None:
    """Gates halts five miles from Bennington, and Fraser who saw him marches away."""
    world = road(holders={"bennington": "crown"})
    near = Position("", "bennington--castleton--road", "castleton", "bennington", 7 * 1760)
    gates = replace(world.formations["gates"], position=near)
    world = first_look(replace(world, formations={**world.formations, "gates": gates}), dice_of(world))
    lost = replace(world, holders={"albany": "crown"})
    world, _ = played(lost, {0: [Order("fraser", ("albany",))]}, 3)
    (one,) = side_view(world, "crown").enemies
    assert (one.name, one.position, one.in_sight) == ("Gates", near, False)
    text = sighting_text(one, world.theatre, names_of(world))
    assert text == "Last seen on 14 June at nightfall, seen by Fraser"


def test_hr_fog_04_an_enemy_keeps_his_number_and_no_other_gets_it() -> None:
    world = first_look(road(), dice_of(road()))
    known = Intelligence(world, dice_of(world))
    bodies = list_snapshots(world)
    gates = next(body for body in bodies if body.id == "gates")
    other = replace(gates, id="stark", name="Stark", position=Position(place="bennington"))
    here = [*(body for body in bodies if body.side == "crown"), other]
    known.look(0, 240, here, world.holders, "fair")
    assert known.reports["crown/stark"].number == 1
    known.look(0, 480, [body for body in here if body.id != "stark"], world.holders, "fair")
    assert "crown/stark" not in known.reports
    known.look(0, 720, [*here, replace(other, id="poor", name="Poor")], world.holders, "fair")
    assert sorted(report.number for key, report in known.reports.items() if key[:5] == "crown") == [2, 3]
    after = known.close(world)
    known = {enemy.number: enemy.name for enemy in side_view(after, "crown").enemies}
    assert known[3] in ("Stark", "Poor")
    assert 1 not in known


def test_hr_fog_04_battle_tells_both_sides_exactly() -> None:
    given = [Order("gates", ("bennington",), stance="attack"), Order("fraser", ("castleton",))]
    world, told = played(road(), {0: given}, 1)
    assert any(event.kind == "battle" for event in told[0])
    for side, name in (("crown", "Gates"), ("rebel", "Fraser")):
        (one,) = [each for each in side_view(world, side).enemies if each.name == name]
        assert (one.error, one.arm) == (0, "foot")


def test_hr_fog_05_an_estimate_is_within_its_error_and_looking_again_tells_no_more() -> None:
    world = road()
    near = Position("", "bennington--castleton--road", "bennington", "castleton", 6 * 1760)
    gates = replace(world.formations["gates"], position=near)
    world = replace(world, formations={**world.formations, "gates": gates})
    told_as = set()
    for campaign in range(40):
        looks = []
        for day in range(6):
            dice = AddressedDice(b"estimates" * 4, f"c{campaign}", 1, day)
            (one,) = side_view(first_look(replace(world, day=day), dice), "crown").enemies
            assert one.error == 50
            assert estimate_sp(5) <= one.sp <= estimate_sp(15)
            looks.append(one.sp)
        assert len(set(looks)) == 1
        told_as.add(looks[0])
    assert told_as == {5, 10, 15}


def test_hr_fog_06_without_fog_all_is_seen_as_it_is() -> None:
    world = road([Hidden("hubbardton", 4, 100, "Stark")])
    world = replace(world, settings=replace(world.settings, fog="off"))
    world, _ = played(world, {0: [Order("gates", ("easton",))]}, 2)
    view = side_view(world, "crown")
    assert [(one.name, one.sp, one.error) for one in view.enemies] == [("Gates", 10, 0), ("Stark", 20, 0)]
    assert view.visible == set(ROW)
    assert view.holders == world.holders


def test_reports_are_part_of_the_world_and_its_hash() -> None:
    world, _ = played(road(), {0: [MARCH]}, 1)
    assert world.reports and world.watches
    again = world_from_json(json.loads(json.dumps(world_to_json(world))), world.theatre)
    assert again == world
    assert world_hash(again) == world_hash(world)
    assert world_hash(replace(world, reports={})) != world_hash(world)


def test_events_of_scouting_name_no_enemy_id() -> None:
    world, told = played(road(), {0: [MARCH]}, 2)
    scouting = [event for day in told for event in day if event.kind in ("enemy_sighted", "enemy_gone")]
    assert scouting
    for event in scouting:
        assert event.formation == ""
        if event.sides == ("crown",):
            assert "gates" not in {str(value) for value in event.data.values()}
            assert "Gates" in narrate(event, names_of(world))


# --- noninterference: what is hidden changes nothing that is shown ---

hidden_enemies = st.lists(
    st.builds(
        Hidden,
        st.sampled_from(EAST),
        st.integers(1, 5),
        st.integers(1, 24).map(lambda fives: 5 * fives),
        st.sampled_from(("Stark", "Lincoln", "Arnold")),
        st.sampled_from(((), ("granville",), ("hubbardton",), ("fairfax",))),
        st.sampled_from(("march", "march", "entrench", "dismantle", "rest", "siege")),
    ),
    max_size=3,
)
marches = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from(("burgoyne", "fraser", "gates")),
        st.sampled_from(ROW[:4]),
        st.sampled_from(("attack", "give_battle", "delay", "avoid")),
    ),
    max_size=6,
)


def plan(hidden: list[Hidden], ordered: list[tuple[int, str, str, str]]) -> dict[int, list[Order]]:
    given: dict[int, list[Order]] = {}
    for day, formation, goal, stance in ordered:
        given.setdefault(day, []).append(Order(formation, (goal,), stance=stance))  # type: ignore[arg-type]
    for number, one in enumerate(hidden):
        via = one.order if one.activity == "march" else ()
        order = Order(f"hidden_{number}", via, activity=one.activity)
        given.setdefault(1, []).append(order)
    return given


@pytest.mark.parametrize("weather", ["fair", "storm"])
@given(one=hidden_enemies, other=hidden_enemies, ordered=marches, days=st.integers(1, 8))
def test_hr_fog_01_worlds_that_differ_out_of_sight_show_the_same(
    weather: str,
    one: list[Hidden],
    other: list[Hidden],
    ordered: list[tuple[int, str, str, str]],
    days: int,
) -> None:
    """Played on for days with the same dice: every field shown to the Crown is the same in both.

    The Crown comes no nearer than Dorset and the hidden no nearer than Fairfax, 24 miles away.
    """
    first = played(road(one, weather=weather), plan(one, ordered), days)
    second = played(road(other, weather=weather), plan(other, ordered), days)
    assert shown(*first, "crown") == shown(*second, "crown")
