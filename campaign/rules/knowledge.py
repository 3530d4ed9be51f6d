"""What a side knows of a world: its own in full, enemies as last reported, who holds which place.

`side_view` is what a side's pages, staff and programs may see. Reports come from
`campaign.rules.intelligence`; nothing else tells a side of the enemy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from campaign.rules.intelligence import first_look
from campaign.rules.markers import Arm, Report, Watch
from campaign.rules.sighting import Lookout, eyes_of, keenness
from campaign.rules.world import Formation, Position, World, present_units


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
    """What a side knows: its own formations in full, enemies as reported, and who holds which place.

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
    own = tuple(
        _as_reported(world, world.formations[key])
        for key in sorted(world.formations)
        if world.formations[key].side == side
    )
    return SideView(
        side, own, enemies_known(world, side), known_holders(world, side), places_seen(world, side)
    )


def enemies_known(world: World, side: str) -> tuple[Sighting, ...]:
    """Enemies a side has reports of, by number."""
    if side not in world.watches:
        world = first_look(world)
    watch = world.watches[side]
    found = (sighting_of(report, watch) for report in reports_of(world, side).values() if report.side != side)
    return tuple(sorted(found, key=lambda each: each.number))


def _as_reported(world: World, formation: Formation) -> Formation:
    """An own formation where headquarters believes it to be (HR-COU-04)."""
    report = own_report(world, formation)
    if report is None or formation.position is None:
        return formation
    return replace(formation, position=report.position)


def own_report(world: World, formation: Formation) -> Report | None:
    """What a formation apart from its headquarters last reported; None for any other (HR-COU-04)."""
    return world.reports.get(f"{formation.side}/{formation.id}")


def reports_of(world: World, side: str) -> dict[str, Report]:
    """The reports a side has, by the formation they are about."""
    return {
        report.formation: report
        for key, report in sorted(world.reports.items())
        if key.partition("/")[0] == side
    }


def reported(world: World, side: str, number: int) -> Report | None:
    """The report a side knows by a number; None when there is none (any more)."""
    found = (each for each in reports_of(world, side).values() if each.side != side)
    return next((each for each in found if each.number == number), None)


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
    """Who holds each place as `side` believes it, by place in order of id (HR-FOG-01).

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


def places_seen(world: World, side: str) -> frozenset[str]:
    """Places a side sees from where it now stands, in the weather of its last look."""
    if world.settings.fog == "off":
        return frozenset(world.theatre.atlas.places)
    watch = world.watches.get(side)
    weather = watch.weather if watch else "fair"
    own = []
    for key, units in sorted(present_units(world).items()):
        formation = world.formations.get(key)
        if formation is not None and formation.side == side and formation.position is not None:
            own.append((key, formation.position, keenness(units, world.settings)))
    atlas, settings = world.theatre.atlas, world.settings
    return Lookout(atlas, settings, eyes_of(atlas, settings, weather, side, own, world.holders)).places()
