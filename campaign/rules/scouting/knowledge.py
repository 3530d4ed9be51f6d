"""A side's knowledge of a world: its own in full, enemies as reported, holders as believed.

`side_view` is what a side's pages, staff and programs may see. Reports come from
`campaign.rules.scouting.intelligence`; nothing else tells a side of the enemy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from campaign.rules.scouting.counters import list_reported_counters
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.sighting import SideLookout, eyes_of, find_keenness
from campaign.rules.world.markers import Arm, Report, Watch
from campaign.rules.world.world import Formation, Position, Unit, UnitStatus, World, present_units
from campaign.rules.world.world_json import formation_from_json

#: Days for which a report still counts as news (HR-ORD-02, HR-BOT-02).
FRESH_DAYS = 7


@dataclass(frozen=True, slots=True)
class Sighting:
    """An enemy formation as last seen: `sp` an estimate that may be out by `error` percent.

    `number` is what the side calls it by. `in_sight` is true for one seen at the last look round;
    `day` and `minute` say when any other was seen, `source` and `by` by whom.
    """

    number: int
    name: str
    side: str
    position: Position
    sp: int
    error: int
    arm: Arm
    day: int
    minute: int
    source: str
    by: str
    in_sight: bool


@dataclass(frozen=True, slots=True)
class SideView:
    """A side's knowledge: its own formations in full, enemies as reported, holders of places.

    `visible` are the places it sees. Of others `holders` has what it last knew (HR-FOG-01).
    """

    side: str
    own: tuple[Formation, ...]
    enemies: tuple[Sighting, ...]
    holders: Mapping[str, str]
    visible: frozenset[str]


def side_view(world: World, side: str) -> SideView:
    """The world as `side` may know it (HR-FOG-01); one in which it has not looked yet, looked at now."""
    if side not in world.watches:
        world = first_look(world)
    world = build_reported_world(world, side)
    own = tuple(
        world.formations[key] for key in sorted(world.formations) if world.formations[key].side == side
    )
    return SideView(
        side,
        own,
        list_known_enemies(world, side),
        known_holders(world, side),
        list_visible_places(world, side),
    )


def list_known_enemies(world: World, side: str) -> tuple[Sighting, ...]:
    """Enemies a side has reports of, by number."""
    if side not in world.watches:
        world = first_look(world)
    watch = world.watches[side]
    found = (sighting_of(report, watch) for report in reports_of(world, side).values() if report.side != side)
    return tuple(sorted(found, key=lambda each: each.number))


def build_reported_world(world: World, side: str) -> World:
    """The world with a side's columns apart from headquarters as they last reported (HR-COU-04).

    Where they stand, their orders and their units' points; units that came to them since are not there yet,
    and as strong as the scenario announced. Counters on the map and holders of places are as headquarters
    knows them; enemies stand where they were last reported, or nowhere. All that a side's people and staff
    reckon with begins here.
    """
    if not world.settings.couriers:
        return world
    if side not in world.watches:
        world = first_look(world)
    reports = _own_reports(world, side)
    formations, units = _build_known_formations(world, side), dict(world.units)
    told = {key for key, report in reports.items() if report.state}
    for key, unit in world.units.items():
        if unit.formation in told and unit.status is UnitStatus.PRESENT:
            units[key] = _build_announced_unit(world, unit)
    for report in sorted(reports.values(), key=lambda each: (each.day, each.minute, each.formation)):
        if not report.state:  # of an older campaign
            formations[report.formation] = replace(formations[report.formation], position=report.position)
            continue
        known = formation_from_json(report.state["formation"])
        formations[known.id] = replace(known, position=report.position)
        for key, points in report.state["units"].items():
            here = world.units.get(key)
            if here is not None and here.formation in reports:
                units[key] = replace(
                    here, formation=known.id, points=points, status=UnitStatus.PRESENT, since=0
                )
    return replace(
        world,
        formations=formations,
        units=units,
        holders=known_holders(world, side),
        provisions={key: one for key, one in world.provisions.items() if key not in reports},
        warriors={key: lost for key, lost in world.warriors.items() if key not in reports},
        **list_reported_counters(world, side),
    )


def _build_announced_unit(world: World, unit: Unit) -> Unit:
    """A unit without a report: expected, with the points published to both sides."""
    published = world.theatre.order_of_battle.get(unit.id)
    points = 0 if published is None else published.points
    return replace(unit, status=UnitStatus.EXPECTED, points=points, since=0)


def _build_known_formations(world: World, side: str) -> dict[str, Formation]:
    """All formations, a side's enemies where it last had a report of them; without one they are nowhere."""
    reports = reports_of(world, side)
    return {
        key: one
        if one.side == side
        else replace(one, position=reports[key].position if key in reports else None)
        for key, one in world.formations.items()
    }


def _own_reports(world: World, side: str) -> dict[str, Report]:
    """Reports of a side's own columns by formation."""
    found = reports_of(world, side)
    return {key: report for key, report in found.items() if report.side == side and key in world.formations}


def own_report(world: World, formation: Formation) -> Report | None:
    """The last report of a formation apart from its headquarters; None for any other (HR-COU-04)."""
    return world.reports.get(f"{formation.side}/{formation.id}")


def reports_of(world: World, side: str) -> dict[str, Report]:
    """The reports a side has, by the formation they are about."""
    return {
        report.formation: report
        for key, report in sorted(world.reports.items())
        if key.partition("/")[0] == side
    }


def sighting_of(report: Report, watch: Watch) -> Sighting:
    return Sighting(
        number=report.number,
        name=report.name,
        side=report.side,
        position=report.position,
        sp=report.sp,
        error=report.error,
        arm=report.arm,
        day=report.day,
        minute=report.minute,
        source=report.source,
        by=report.by,
        in_sight=(report.day, report.minute) == (watch.day, watch.minute),
    )


def known_holders(world: World, side: str) -> dict[str, str]:
    """The holder of each place as `side` believes it, by place in order of id (HR-FOG-01).

    What it held and has lost it knows to be the enemy's.
    """
    theatre, watch = world.theatre, world.watches[side]
    if world.settings.fog == "off":
        return {place: world.holders[place] for place in sorted(world.holders)}
    known = {}
    for place in sorted({*theatre.holders, *world.holders, *watch.holders}):
        believed = watch.holders.get(place, theatre.holders.get(place, ""))
        if world.holders.get(place) == side:
            believed = side
        elif believed == side:
            believed = theatre.enemy_of(side)
        if believed:
            known[place] = believed
    return known


def list_visible_places(world: World, side: str) -> frozenset[str]:
    """Places a side sees from where it knows itself to stand, in the weather of its last look."""
    if world.settings.fog == "off":
        return frozenset(world.theatre.atlas.places)
    world = build_reported_world(world, side)
    watch = world.watches.get(side)
    weather = watch.weather if watch else "fair"
    own = []
    for key, units in sorted(present_units(world).items()):
        formation = world.formations.get(key)
        if formation is not None and formation.side == side and formation.position is not None:
            own.append((key, formation.position, find_keenness(units, world.settings)))
    atlas, settings = world.theatre.atlas, world.settings
    return SideLookout(atlas, settings, eyes_of(atlas, settings, weather, side, own, world.holders)).places()
