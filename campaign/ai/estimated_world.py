"""The world as a side may reckon it to be, for its own forecasts: nothing it does not know (HR-FRC-02).

Its own troops are as it knows them. Enemies stand where they were last reported, at the strength
reported; posts of the enemy out of sight hold what their works are built for; whoever of the enemy's
order of battle is in neither is reckoned at his bases.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from campaign.ai.assessment import STALE_DAYS, UNSEEN_GARRISON
from campaign.fog.known_world import seen_id
from campaign.rules.scouting.knowledge import SideView, build_reported_world, side_view
from campaign.rules.world.markers import Arm, Position, Report, Score
from campaign.rules.world.world import Formation, Unit, UnitStatus, World
from rosters.domain.strength import BASIC_POINTS, POINTS_PER_SP, strength_points
from rosters.domain.vocabulary import POOL_NATION, TYPES
from rosters.domain.vocabulary import Arm as TroopArm

#: SP of a unit at its basic points.
UNIT_SP = strength_points(BASIC_POINTS)
ARMS: dict[Arm, TroopArm] = {"mounted": TroopArm.MOUNTED, "guns": TroopArm.WHEELED}


def build_estimated_world(world: World, side: str) -> World:
    """A whole world made of what `side` knows on this morning."""
    world = build_reported_world(world, side)
    view = side_view(world, side)
    enemy = world.theatre.enemy_of(side)
    formations = {body.id: body for body in view.own}
    mine = set(formations)
    units = {key: unit for key, unit in world.units.items() if unit.side == side}
    for body, troops in _estimate_enemies(world, view, enemy):
        formations[body.id] = body
        units |= {unit.id: unit for unit in troops}
    units |= _estimate_reinforcements(world, enemy, formations)
    own = {POOL_NATION[unit.nation] for unit in world.units.values() if unit.side == side}
    watch = world.watches.get(side)
    return World(
        theatre=world.theatre,
        settings=world.settings,
        day=world.day,
        units=dict(sorted(units.items())),
        formations=dict(sorted(formations.items())),
        holders=dict(view.holders),
        pools={key: points for key, points in world.pools.items() if key.partition("/")[0] in own},
        wet_days=world.wet_days,
        ended=world.ended,
        reports=_estimate_reports(world, side, formations),
        watches={side: watch} if watch is not None else {},
        bridges={key: bridge for key, bridge in world.bridges.items() if bridge.known_by in ("", side)},
        goals={key: goal for key, goal in world.goals.items() if goal.side in ("", side)},
        warriors={key: lost for key, lost in world.warriors.items() if key in mine},
        provisions={key: one for key, one in world.provisions.items() if key in mine},
        scores={key: _estimate_score(score, own=key == side) for key, score in world.scores.items()},
        works=_filter_known_counters(world.works, view),
        boats=_filter_known_counters(world.boats, view),
        sieges=_filter_known_counters(world.sieges, view),
        terms=_filter_known_counters(world.terms, view),
        magazines=_filter_known_counters(world.magazines, view),
        generals=_filter_own_counters(world.generals, side),
    )


def _estimate_score(score: Score, *, own: bool) -> Score:
    """No points, which the umpire alone knows (HR-VIC-05), and how long a side itself has held its goal."""
    return Score(0, score.days if own else 0)


def _filter_own_counters(counters: Mapping[str, Any], side: str) -> dict[str, Any]:
    return {key: counter for key, counter in counters.items() if counter.side == side}


def _filter_known_counters(counters: Mapping[str, Any], view: SideView) -> dict[str, Any]:
    """A side's own counters, and others in its sight."""
    return {
        key: counter for key, counter in counters.items() if counter.side == view.side or key in view.visible
    }


def _estimate_reports(world: World, side: str, formations: Mapping[str, Formation]) -> dict[str, Report]:
    """The side's reports, told of the formations that are assumed."""
    found = {}
    for key, report in sorted(world.reports.items()):
        if key.partition("/")[0] != side:
            continue
        if report.side == side:
            found[key] = report
        elif (known := seen_id(report.number)) in formations:
            found[f"{side}/{known}"] = replace(report, formation=known)
    return found


# --- the enemy ---


def _estimate_enemies(world: World, view: SideView, enemy: str) -> Iterable[tuple[Formation, list[Unit]]]:
    """Enemy formations: those reported, garrisons out of sight, and the rest at his bases."""
    reckoned = 0
    taken = set()
    for sighting in view.enemies:
        if world.day - sighting.day > STALE_DAYS:
            continue
        taken.add(sighting.position.place)
        reckoned += sighting.sp
        body = Formation(seen_id(sighting.number), sighting.name, enemy, sighting.position)
        yield body, _estimate_units(world, body, sighting.sp, sighting.arm)
    for place in sorted(world.theatre.atlas.places):
        sp = UNSEEN_GARRISON[world.theatre.atlas.places[place].fortification]
        if sp and view.holders.get(place) == enemy and place not in view.visible | taken:
            reckoned += sp
            name = world.theatre.atlas.places[place].name
            body = Formation(
                f"garrison-{place}", f"Garrison of {name}", enemy, Position(place=place), garrison=True
            )
            yield body, _estimate_units(world, body, sp, "foot", static=True)
    bases = [place for place in world.theatre.supply.get(enemy, ()) if view.holders.get(place) == enemy]
    bases = [place for place in bases if place not in view.visible]
    left = max(0, UNIT_SP * len(_in_the_field(world, enemy)) - reckoned)
    for number, place in enumerate(bases):
        sp = left // len(bases) + (number < left % len(bases))
        body = Formation(f"reserve-{place}", "Troops nobody has seen", enemy, Position(place=place))
        if sp:
            yield body, _estimate_units(world, body, sp, "foot")


def _in_the_field(world: World, enemy: str) -> list[Unit]:
    """The units of the enemy's order of battle that should be there by now, as the scenario lays it down."""
    dated = world.settings.arrivals == "dated"
    return [
        unit
        for unit in world.theatre.order_of_battle.values()
        if unit.side == enemy
        and not unit.is_train
        and unit.arrives <= (world.day if dated else 0)
        and (unit.departs is None or unit.departs >= world.day)
    ]


def _estimate_reinforcements(world: World, enemy: str, formations: dict[str, Formation]) -> dict[str, Unit]:
    """Reinforcements whose day the order of battle names; their formations join those assumed."""
    if world.settings.arrivals != "dated":
        return {}
    coming = {
        key: replace(unit, status=UnitStatus.EXPECTED, points=BASIC_POINTS, since=0)
        for key, unit in world.theatre.order_of_battle.items()
        if unit.side == enemy and unit.arrives > world.day
    }
    for unit in coming.values():
        formations.setdefault(unit.formation, Formation(unit.formation, unit.formation, enemy))
    return coming


def _estimate_units(world: World, body: Formation, sp: int, arm: Arm, *, static: bool = False) -> list[Unit]:
    """So many SP of the enemy's commonest troops of an arm, in units of basic strength."""
    model = _find_model_unit(world, body.side, ARMS.get(arm, TroopArm.FOOT))
    if arm == "train" or model is None:
        return []
    count = max(1, -(-sp // UNIT_SP))
    points = sp * POINTS_PER_SP
    return [
        replace(
            model,
            id=f"{body.id}/{number + 1}",
            name=f"{body.name}, {number + 1}",
            formation=body.id,
            points=points // count + (number < points % count),
            status=UnitStatus.PRESENT,
            since=0,
            arrives=0,
            departs=None,
            static=static,
            regiment="",
        )
        for number in range(count)
    ]


def _find_model_unit(world: World, side: str, arm: TroopArm) -> Unit | None:
    """A unit of the kind a side has most of in an arm; of any arm when it has none of that.

    Where nobody has read an order of battle it is of the kinds of the other side, who asks (HR-SET-14).
    """
    laid_down = world.theatre.order_of_battle
    own = [laid_down[key] for key in sorted(laid_down) if laid_down[key].side == side]
    if not own:
        own = [replace(unit, side=side) for _, unit in sorted(world.units.items()) if unit.side != side]
    fighting = [unit for unit in own if not unit.is_train]
    of_arm = [unit for unit in fighting if TYPES[unit.troop_type].arm is arm] or fighting
    kinds = Counter((unit.nation, unit.troop_type, unit.gun_class) for unit in of_arm)
    if not kinds:
        return None
    common = min(kinds, key=lambda kind: (-kinds[kind], kind))
    return next(unit for unit in of_arm if (unit.nation, unit.troop_type, unit.gun_class) == common)
