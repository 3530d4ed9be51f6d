"""The one door of the fog of war: all that leaves for a person passes here.

A `Viewer` is a person in a seat. The umpire sees everything; a commander sees what their side
knows (HR-FOG-01); a spectator sees late (HR-SET-12), a guest one battle (HR-SET-11). Nothing else in
the project decides who may see what, but `battles.py` for what was done in a battle.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q, QuerySet

from campaign.fog.seat_roles import UMPIRES
from campaign.fog.viewers import NotSeated as NotSeated
from campaign.fog.viewers import Viewer
from campaign.fog.viewers import campaign_of as campaign_of
from campaign.fog.viewers import campaigns_for as campaigns_for
from campaign.fog.viewers import campaigns_overseen as campaigns_overseen
from campaign.fog.viewers import viewer_of as viewer_of
from campaign.ledger.hash_chain import event_from_json
from campaign.ledger.journal import load_course, on_course, records_on_course
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import (
    Battle,
    Campaign,
    DayRecord,
    Job,
    JournalEntry,
    OrderPaper,
    ProvisionalDay,
    Seat,
    Tenure,
    User,
)
from campaign.rules.army.leaders import commander_today
from campaign.rules.map.bridges import is_known_to
from campaign.rules.march.boats import WITH
from campaign.rules.returns.places_of_arrival import nations_gathering
from campaign.rules.scouting.intelligence import arm_of
from campaign.rules.scouting.knowledge import (
    Sighting,
    build_reported_world,
    own_report,
    side_view,
    sighting_of,
)
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Bridge, Felled, General, Raft
from campaign.rules.world.world import Formation, Position, Unit, World, present_units
from campaign.scenarios.theatres import theatre_load
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import POOL_NATION
from rosters.models import Leader

#: Counters on the map that lie at a place or on a route.
COUNTERS = ("works", "boats", "sieges", "terms", "magazines", "bridges", "rafts", "felled")


# --- the map ---


@dataclass(frozen=True, slots=True)
class SeenFormation:
    """A formation as the viewer knows it.

    `sp` are strength points; for an enemy they are an estimate, as its `sighting` has it, and `units`
    is empty. `arm` is foot, mounted, guns, train or unknown.
    """

    id: str
    name: str
    side: str
    position: Position
    sp: int
    arm: str
    own: bool
    commander: str = ""
    garrison: bool = False
    units: tuple[Unit, ...] = ()
    formation: Formation | None = None
    sighting: Sighting | None = None

    @property
    def in_sight(self) -> bool:
        """An own formation, or an enemy seen at the last look round."""
        return self.sighting is None or self.sighting.in_sight


@dataclass(frozen=True, slots=True)
class MapView:
    """The viewer's map: formations, and the holder of each place (absent: not known).

    `visible` are the places in sight, `rumours` what is said, `counters` the works, boats, sieges, broken
    crossings and felled roads that are known, by kind and by place or route.
    """

    formations: tuple[SeenFormation, ...]
    holders: Mapping[str, str]
    visible: frozenset[str] = frozenset()
    rumours: tuple[str, ...] = ()
    counters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def own(self) -> tuple[SeenFormation, ...]:
        return tuple(seen for seen in self.formations if seen.own)


def build_viewer_world(viewer: Viewer, world: World) -> World:
    """The world with the viewer's own columns as they last reported; the umpire's is the true one.

    Spectators are not told what orders anybody was under: they may still be carried out (HR-SET-12).
    """
    known = world if viewer.sees_all else build_reported_world(world, viewer.side)
    if viewer.day_limit is None:
        return known
    still = {key: replace(formation, order=None) for key, formation in known.formations.items()}
    return replace(known, formations=still)


def map_view(viewer: Viewer, world: World) -> MapView:
    """The world as the viewer's side knows it (HR-FOG-01)."""
    world = build_viewer_world(viewer, world)
    units, wounded = present_units(world), _list_wounded_generals(viewer, world)
    if viewer.sees_all:
        everyone = [
            _in_full(world, formation, units.get(key, []), wounded)
            for key, formation in sorted(world.formations.items())
            if formation.position is not None
        ]
        rumours = tuple(world.rumours[key] for key in sorted(world.rumours))
        visible = frozenset(world.theatre.atlas.places)
        counters = _collect_counters(viewer, world, visible)
        return MapView(tuple(everyone), world.holders, visible, rumours, counters)
    view = side_view(world, viewer.side)
    own = [
        _apply_own_report(world, _in_full(world, formation, units.get(formation.id, []), wounded))
        for formation in view.own
        if formation.position is not None
    ]
    enemies = [
        SeenFormation(
            id=f"seen-{sighting.number}",
            name=sighting.name,
            side=sighting.side,
            position=sighting.position,
            sp=sighting.sp,
            arm=sighting.arm,
            own=False,
            sighting=sighting,
        )
        for sighting in view.enemies
    ]
    rumours, counters = rumours_of(world, viewer.side), _collect_counters(viewer, world, view.visible)
    return MapView((*own, *enemies), view.holders, view.visible, rumours, counters)


def _apply_own_report(world: World, seen: SeenFormation) -> SeenFormation:
    """An own formation apart from headquarters with the strength and age of its last report (HR-COU-04)."""
    report = own_report(world, world.formations[seen.id])
    if report is None:
        return seen
    sighting = sighting_of(report, world.watches[seen.side])
    return replace(seen, sp=report.sp, sighting=sighting)


def rumours_of(world: World, side: str) -> tuple[str, ...]:
    """Return the rumours a side has heard; they are stored under "side/number"."""
    return tuple(world.rumours[key] for key in sorted(world.rumours) if key.partition("/")[0] == side)


def _collect_counters(viewer: Viewer, world: World, visible: frozenset[str]) -> dict[str, dict[str, Any]]:
    return {kind: collect_known_counters(viewer, world, kind, visible) for kind in COUNTERS}


def collect_known_counters(
    viewer: Viewer, world: World, kind: str, visible: frozenset[str]
) -> dict[str, Any]:
    """Counters of one of the `COUNTERS`: the viewer's own side's and those at the `visible` places he sees.

    Of crossings and roads those his side has heard of (HR-BRG-03). Boats afloat are their formation's.
    """
    counters: Mapping[str, Any] = getattr(world, kind)
    everything = viewer.sees_all or world.settings.fog == "off"

    def is_known(key: str, counter: Any) -> bool:
        if everything:
            return True
        if isinstance(counter, Bridge | Raft | Felled):
            return is_known_to(counter, viewer.side)
        return counter.side == viewer.side or key in visible

    return {
        key: counter
        for key, counter in sorted(counters.items())
        if not key.startswith(WITH) and is_known(key, counter)
    }


def _list_wounded_generals(viewer: Viewer, world: World) -> frozenset[tuple[str, str]]:
    """Sides and names of the generals who are away with a wound (HR-GEN-01)."""
    away = [general for general, back in world.away.items() if back > world.day]
    if not away:
        return frozenset()
    rows = Leader.objects.filter(order_of_battle=viewer.campaign.order_of_battle_id, slug__in=away)
    return frozenset(rows.values_list("side__slug", "name"))


def _in_full(
    world: World, formation: Formation, units: list[Unit], wounded: frozenset[tuple[str, str]]
) -> SeenFormation:
    assert formation.position is not None
    commander = commander_today(world, formation)
    return SeenFormation(
        id=formation.id,
        name=formation.name,
        side=formation.side,
        position=formation.position,
        sp=sum(strength_points(unit.points) for unit in units),
        arm=arm_of(units),
        own=True,
        commander="" if (formation.side, commander) in wounded else commander,
        garrison=formation.garrison,
        units=tuple(units),
        formation=formation,
    )


# --- rows ---


def journal_for(viewer: Viewer) -> QuerySet[JournalEntry]:
    """Journal entries of the present course the viewer may read, in order of happening."""
    return journal_whole(viewer).filter(on_course(viewer.campaign))


def journal_whole(viewer: Viewer) -> QuerySet[JournalEntry]:
    """The same with entries of days that were undone (HR-UMP-14), which spectators are not shown."""
    if viewer.is_guest:
        return JournalEntry.objects.none()
    entries = JournalEntry.objects.filter(campaign=viewer.campaign)
    if not viewer.sees_all:
        entries = entries_of(viewer.campaign, viewer.side)
    if viewer.day_limit is not None:
        entries = entries.filter(on_course(viewer.campaign), day__lt=viewer.day_limit)
    return entries


def entries_of(campaign: Campaign, side: str) -> QuerySet[JournalEntry]:
    """Journal entries a side may read, in order of happening."""
    return JournalEntry.objects.filter(campaign=campaign, sides__contains=f"|{side}|")


def world_late(viewer: Viewer) -> World:
    """The world on the last morning a spectator may see (HR-SET-12).

    What the umpire did by hand on that morning is told a day later, with the day's journal.
    """
    return snapshot_unpack(bytes(record_late(viewer).snapshot), theatre_load(viewer.campaign))


def record_late(viewer: Viewer) -> DayRecord:
    """The step of the chain that led to the last morning a spectator may see (HR-SET-12)."""
    record = mornings_late(viewer).order_by("-day", "-pk").first()
    assert record is not None  # the start is on every course
    return record


def mornings_late(viewer: Viewer) -> QuerySet[DayRecord]:
    """Steps that led to the mornings a spectator may see: starts, days and weeks, no acts."""
    assert viewer.day_limit is not None
    steps = records_late(viewer).filter(day__lte=viewer.day_limit)
    return steps.exclude(kind=DayRecord.Kind.ACT)


def find_pause_reason(viewer: Viewer) -> str:
    """Return the reason why the campaign is paused, "" if it runs; for a late spectator as on the morning
    they see.
    """
    if viewer.day_limit is None:
        return viewer.campaign.paused
    pauses = records_late(viewer).filter(kind=DayRecord.Kind.ACT, inputs__act__kind="pause")
    last = pauses.filter(day__lt=viewer.day_limit).order_by("-pk").first()
    return last.reason if last is not None and last.inputs["act"]["on"] else ""


def records_late(viewer: Viewer) -> QuerySet[DayRecord]:
    """Steps of the course taken."""
    return DayRecord.objects.filter(records_on_course(viewer.campaign), campaign=viewer.campaign)


def provisional_events(viewer: Viewer, day: ProvisionalDay) -> list[Event]:
    """Events of a day that has run on which the viewer may read, as of a day in the journal (HR-CAL-11)."""
    if viewer.looks_on:
        return []
    return [event_from_json(row) for row in day.events if viewer.is_umpire or viewer.side in row["sides"]]


def secret_for(campaign: Campaign) -> str:
    """The secret of the dice in hexadecimal, a day after the campaign's end; "" before (HR-PRF-02)."""
    return bytes(campaign.secret).hex() if campaign.dice_told else ""


def battles_for(viewer: Viewer) -> QuerySet[Battle]:
    """Battles of the present course of the campaign in which the viewer's side stands."""
    taken = Q(revision=viewer.campaign.revision)
    for stretch in load_course(viewer.campaign)[1:]:
        taken |= Q(revision=stretch.revision, day__lt=stretch.days)
    battles = Battle.objects.filter(taken, campaign=viewer.campaign)
    if viewer.is_guest:
        return battles.filter(pk=viewer.battle or 0)
    if viewer.day_limit is not None:
        battles = battles.filter(day__lt=viewer.day_limit, state=Battle.State.SETTLED)
    if viewer.sees_all:
        return battles
    return battles.filter(Q(attacker=viewer.side) | Q(defender=viewer.side))


def list_known_units(viewer: Viewer, world: World) -> list[Unit]:
    """Units whose strength the viewer may know, as last reported (HR-COU-04), in order of id."""
    world = build_viewer_world(viewer, world)
    return [
        world.units[key]
        for key in sorted(world.units)
        if viewer.sees_all or world.units[key].side == viewer.side
    ]


def list_known_pools(viewer: Viewer, world: World) -> dict[str, int]:
    """Replacement pools the viewer may know: those only their own side draws on."""
    if viewer.sees_all:
        return dict(sorted(world.pools.items()))
    mine = {POOL_NATION[unit.nation] for unit in world.units.values() if unit.side == viewer.side}
    published = world.theatre.order_of_battle.values()
    theirs = {POOL_NATION[unit.nation] for unit in published if unit.side != viewer.side}
    theirs = theirs or nations_gathering(world.theatre, world.theatre.enemy_of(viewer.side))
    own = {str(nation) for nation in mine - theirs}
    return {key: points for key, points in sorted(world.pools.items()) if key.split("/")[0] in own}


def orders_for(viewer: Viewer) -> QuerySet[OrderPaper]:
    """Papers of the viewer's side; for the umpire all that were submitted, but nobody's drafts save his."""
    papers = OrderPaper.objects.filter(campaign=viewer.campaign)
    if viewer.looks_on:
        return papers.none()
    if viewer.is_umpire:
        return papers.exclude(~Q(side=""), state=OrderPaper.State.DRAFT)
    return papers.filter(side=viewer.side)


def jobs_for(viewer: Viewer) -> QuerySet[Job]:
    """Jobs of the campaign, for its umpire only: a commander may not watch the day being played."""
    jobs = Job.objects.filter(campaign=viewer.campaign)
    return jobs if viewer.is_umpire else jobs.none()


def forecasts_for(viewer: Viewer) -> QuerySet[Job]:
    """Forecasts the viewer may read: what his own seat may ask for, never the other side's (HR-FRC-02)."""
    found = Job.objects.filter(campaign=viewer.campaign, kind="forecast", payload__side=viewer.side)
    return found if viewer.may_forecast else found.none()


def fights_of(user: User, *kinds: str) -> QuerySet[Job]:
    """Fights or comparisons of battle files that a person asked for: his alone (HR-BAT-12)."""
    return Job.objects.filter(kind__in=kinds, campaign=None, parent=None, requested_by=user)


def dry_runs_for(viewer: Viewer) -> QuerySet[Job]:
    """Days tried out: the umpire's alone, because they begin with what is true (HR-UMP-13)."""
    found = Job.objects.filter(campaign=viewer.campaign, kind="dry_run").order_by("-pk")
    return found if viewer.is_umpire else found.none()


# --- victory and generals ---


def list_known_scores(viewer: Viewer, world: World) -> dict[str, int]:
    """Points scored by side: the umpire's alone until the end stands, unless there is no fog (HR-VIC-05)."""
    open_book = viewer.sees_all or viewer.campaign.dice_told or world.settings.fog == "off"
    return {side: score.points for side, score in world.scores.items()} if open_book else {}


def may_know_general(viewer: Viewer, general: General) -> bool:
    """True for a side's own generals, and for the enemy generals it holds prisoner."""
    return viewer.sees_all or viewer.side in (general.side, general.held_by)


# --- people ---


def may_know_seat(viewer: Viewer | None, seat: Seat | Tenure) -> bool:
    """True when the viewer may know a seat's holder: umpires and commanders are public, columns and
    deputies are known to their side.

    None is somebody who has only the public page.
    """
    if viewer is not None and viewer.is_umpire:
        return True
    if seat.role in (*UMPIRES, Seat.Role.COMMANDER):
        return True
    own = viewer is not None and not viewer.looks_on and seat.side == viewer.side
    return own and seat.role in (Seat.Role.COLUMN, Seat.Role.DEPUTY, Seat.Role.GUEST)


def may_know_absence(viewer: Viewer | None, seat: Seat) -> bool:
    """True when the viewer is told that a seat's holder is absent: for their own side's seats and the
    umpires'.
    """
    if viewer is None or viewer.looks_on:
        return False
    return viewer.is_umpire or seat.side == viewer.side or seat.role in UMPIRES
