"""What a side supposes for its own forecast: all it knows and nothing else (HR-FRC-02)."""

from dataclasses import replace

from campaign.ai.estimated_world import build_estimated_world
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.world.markers import Provision, Score
from campaign.rules.world.world import Position, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from rosters.domain.strength import strength_points
from tests.factories.headless import saratoga
from tests.factories.small_war import small_world


def small() -> World:
    return first_look(
        small_world(
            {
                "burgoyne": ("crown", "crown_point", 8),
                "st_clair": ("rebel", "ticonderoga", 3),
                "gates": ("rebel", "albany", 4),
            },
            garrisons=("st_clair",),
        )
    )


def strength(world: World, side: str) -> int:
    return sum(strength_points(unit.points) for unit in world.units.values() if unit.side == side)


def test_hr_frc_02_a_hidden_enemy_may_stand_anywhere() -> None:
    world = small()
    gates = replace(world.formations["gates"], position=Position(place="bennington"))
    moved = replace(world, formations={**world.formations, "gates": gates})
    assert world_hash(build_estimated_world(moved, "crown")) == world_hash(
        build_estimated_world(world, "crown")
    )


def test_hr_frc_02_hidden_losses_and_names_of_the_enemy_do_not_show() -> None:
    world = small()
    units = {
        key: replace(unit, points=20) if unit.formation == "gates" else unit
        for key, unit in world.units.items()
    }
    weak = replace(world, units=units)
    assert world_hash(build_estimated_world(weak, "crown")) == world_hash(
        build_estimated_world(world, "crown")
    )
    assert "gates" not in str(world_to_json(build_estimated_world(world, "crown")))


def test_hr_frc_02_enemy_food_losses_of_warriors_and_points_scored_do_not_show() -> None:
    """A column of the enemy's that has units still to come is in the forecast, but not how it was fed."""
    world = first_look(saratoga())
    order = world.theatre.order_of_battle.values()
    coming = next(unit.formation for unit in order if unit.side == "rebel" and unit.arrives > world.day)
    assert coming in build_estimated_world(world, "crown").formations
    known = world_hash(build_estimated_world(world, "crown"))
    fed = replace(world, provisions={coming: Provision(0, "line", percent=40)})
    lost = replace(world, warriors={coming: 45})
    scored = replace(world, scores={side.id: Score(31) for side in world.theatre.sides})
    for told in (fed, lost):
        assert world_hash(build_estimated_world(told, "crown")) == known
    nothing = replace(world, scores={side.id: Score(0) for side in world.theatre.sides})
    assert world_hash(build_estimated_world(scored, "crown")) == world_hash(
        build_estimated_world(nothing, "crown")
    )  # HR-VIC-05
    own = next(key for key, one in world.formations.items() if one.side == "crown")
    hungry = replace(world, provisions={own: Provision(0, "line", percent=40)}, warriors={own: 45})
    assert build_estimated_world(hungry, "crown").provisions == hungry.provisions
    assert build_estimated_world(hungry, "crown").warriors == hungry.warriors


def test_hr_frc_02_own_troops_are_as_they_are_and_enemies_as_reported() -> None:
    world = first_look(saratoga())
    supposed = build_estimated_world(world, "rebel")
    own = {key: unit for key, unit in world.units.items() if unit.side == "rebel"}
    assert {key: unit for key, unit in supposed.units.items() if unit.side == "rebel"} == own
    seen = side_view(world, "rebel").enemies
    for sighting in seen:
        body = supposed.formations[f"seen-{sighting.number}"]
        troops = [unit for unit in supposed.units.values() if unit.formation == body.id]
        assert body.position == sighting.position
        assert sum(unit.points for unit in troops) == 20 * sighting.sp or sighting.arm == "train"


def test_hr_frc_02_whoever_nobody_has_seen_is_reckoned_at_the_bases() -> None:
    world = small()
    supposed = build_estimated_world(world, "crown")
    reserve = supposed.formations["reserve-albany"]
    assert reserve.position == Position(place="albany")
    assert strength(supposed, "rebel") == 5 * 7  # seven battalions in the order of battle


def test_a_supposed_world_is_a_whole_one() -> None:
    for side in ("crown", "rebel"):
        world = first_look(saratoga())
        supposed = build_estimated_world(world, side)
        again = world_from_json(world_to_json(supposed), world.theatre)
        assert world_hash(again) == world_hash(supposed)
        present = [unit for unit in supposed.units.values() if unit.status is UnitStatus.PRESENT]
        assert {unit.formation for unit in present} <= supposed.formations.keys()
        assert {unit.side for unit in present} == {"crown", "rebel"}
