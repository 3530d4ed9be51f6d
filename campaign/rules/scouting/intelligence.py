"""Scouting during a day: the sides look round every few hours and record what they learn.

`Intelligence` is made from a world in the morning and laid back into the next (HR-FOG-04). What a side
may see of a world is `campaign.rules.scouting.knowledge`.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from campaign.rules.day.field import MIDNIGHT, DayState, count_strength
from campaign.rules.dispatches.couriers import NOWHERE, Elsewhere, hold_back, list_fighting_formations
from campaign.rules.dispatches.report_dispatches import ColumnNews, Correspondence, EnemyNews
from campaign.rules.march.columns import Exact, build_column_position
from campaign.rules.scouting.sighting import (
    Eyes,
    FormationSnapshot,
    Keenness,
    Look,
    SideLookout,
    estimate_sp,
    eyes_of,
    find_keenness,
)
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Arm as ArmSeen
from campaign.rules.world.markers import Report, Watch
from campaign.rules.world.world import Position, Unit, World, present_units
from rosters.domain.dice import AddressedDice, DiceRoller
from rosters.domain.vocabulary import TYPES, Arm

#: Scouts report so often, in minutes from the morning's start to dark (HR-FOG-04).
WATCH_MINUTES = 240
#: Faces of the die behind an estimate: from all of the error too few to all of it too many (HR-FOG-05).
ERROR_FACES = 201
#: The grade of a look from which nobody can tell what arm he sees.
ARM_UNKNOWN = 2
#: A look at who is fought with, or at anybody where there is no fog.
FACE_TO_FACE = -1
ALL_ARMS: tuple[ArmSeen, ...] = get_args(ArmSeen)
ARMS: Mapping[Arm, ArmSeen] = {Arm.FOOT: "foot", Arm.MOUNTED: "mounted", Arm.WHEELED: "guns"}


def arm_of(units: Iterable[Unit]) -> ArmSeen:
    """The strongest arm among units; train if none of them fights."""
    points = dict.fromkeys(ALL_ARMS, 0)
    fighting = [unit for unit in units if not unit.is_train]
    for unit in fighting:
        points[ARMS[TYPES[unit.troop_type].arm]] += unit.points
    strongest: ArmSeen = max(points, key=points.__getitem__)
    return strongest if fighting else "train"


def list_snapshots(world: World) -> list[FormationSnapshot]:
    """Formations on the map as a morning finds them, in order of id."""
    present = present_units(world)
    found = []
    for key in sorted(present):
        formation = world.formations.get(key)
        if formation is not None and formation.position is not None:
            units = present[key]
            found.append(
                FormationSnapshot(
                    key,
                    formation.name,
                    formation.side,
                    formation.position,
                    count_strength(units),
                    arm_of(units),
                    find_keenness(units, world.settings),
                )
            )
    return found


# --- looking out ---


class Intelligence:
    """The knowledge of all sides, look by look; built from a world, written back by `close`."""

    def __init__(self, world: World, dice: DiceRoller | None, others: Elsewhere = NOWHERE) -> None:
        self.world = world
        self.theatre, self.settings = world.theatre, world.settings
        self.reports: dict[str, Report] = dict(world.reports)
        self.watches: dict[str, Watch] = dict(world.watches)
        # Estimates do not depend on the day, or looking again would average the error out (HR-FOG-05).
        self._dice = replace(dice, day=0, entered={}) if isinstance(dice, AddressedDice) else None
        self._mail = Correspondence(world, dice, self.reports, others) if world.settings.couriers else None
        self._lookouts: dict[
            str, tuple[list[tuple[str, Position, Keenness]], Mapping[str, str], str, SideLookout]
        ] = {}
        self._troops: dict[str, tuple[list[Unit], ArmSeen, Keenness]] = {}

    def troops(self, key: str, units: list[Unit]) -> tuple[ArmSeen, Keenness]:
        """The visible arm of a formation and its sight, recomputed when its units change."""
        last = self._troops.get(key)
        if last is None or last[0] != units:
            last = self._troops[key] = (units, arm_of(units), find_keenness(units, self.settings))
        return last[1:]

    def look(
        self,
        day: int,
        minute: int,
        bodies: Sequence[FormationSnapshot],
        holders: Mapping[str, str],
        weather: str,
    ) -> list[Event]:
        """Let every side look round; returns the events of what it learns."""
        events: list[Event] = []
        for side in self.theatre.sides:
            last = self.watches.get(side.id) or Watch(day - 1, 0)
            watch = replace(last, day=day, minute=minute, weather=weather)
            lookout = self._lookout(side.id, bodies, holders, watch)
            seen = dict(self._iter_enemies_in_sight(side.id, lookout, bodies))
            events += self._forget_lost_enemies(side.id, lookout, seen, watch)
            watch = self._report_enemies_in_sight(side.id, seen, last, watch, events)
            beliefs = self._beliefs(side.id, lookout, holders, watch)
            self.watches[side.id] = replace(watch, holders=beliefs)
        return events

    def _lookout(
        self, side: str, bodies: Sequence[FormationSnapshot], holders: Mapping[str, str], watch: Watch
    ) -> SideLookout:
        """The eyes of a side; the last look's are reused if nobody has moved since."""
        own = [(each.id, each.position, each.keen) for each in bodies if each.side == side]
        last = self._lookouts.get(side)
        if last is not None and last[:3] == (own, holders, watch.weather):
            return last[3]
        eyes = list(eyes_of(self.theatre.atlas, self.settings, watch.weather, side, own, holders))
        if self._mail is not None:
            eyes = self._look_afar(side, eyes, bodies, watch)
            return SideLookout(self.theatre.atlas, self.settings, eyes)
        lookout = SideLookout(self.theatre.atlas, self.settings, eyes)
        self._lookouts[side] = (own, dict(holders), watch.weather, lookout)
        return lookout

    def _look_afar(
        self, side: str, eyes: list[Eyes], bodies: Sequence[FormationSnapshot], watch: Watch
    ) -> list[Eyes]:
        """Let columns apart from headquarters look and record reports; returns the other eyes."""
        assert self._mail is not None
        apart = self._mail.apart(side, eyes, bodies)
        afar = SideLookout(self.theatre.atlas, self.settings, (one for one in eyes if one.by in apart))
        for body in bodies:
            if body.side != side:
                for look in sorted(afar.looks(body.position), reverse=True):
                    self._mail.note(side, look.by, self._report(side, body, look, look.source, watch, 0))
        self._mail.empty(side, afar, bodies)
        return [one for one in eyes if one.by not in apart]

    def evening(self, world: World, bodies: Sequence[FormationSnapshot], news: ColumnNews) -> list[Event]:
        """Columns apart from headquarters write to it, and what has come in is read (HR-COU-04)."""
        events: list[Event] = []
        if self._mail is None:
            return events
        for side in self.theatre.sides:
            watch = self.watches[side.id]
            events += self._mail.write(side.id, world, bodies, watch, news)
            found, told = self._mail.read(side.id, watch)
            events += told
            for one in found:
                events += self._by_courier(side.id, one)
            self.watches[side.id] = replace(
                self.watches[side.id],
                headquarters=self._mail.headquarters[side.id],
                counters=self._mail.list_known_counters(side.id),
            )
        return events

    def _by_courier(self, side: str, found: EnemyNews) -> list[Event]:
        """Events for an enemy in a courier's report, unless something later is known."""
        watch, key = self.watches[side], f"{side}/{found.formation}"
        known = self.reports.get(key)
        if found.report is None:
            if known is None or known.day > found.day:
                return []
            del self.reports[key]
            return [_build_enemy_event("enemy_gone", side, known, watch.minute)]
        if known is not None and (known.day, known.minute) >= (found.report.day, found.report.minute):
            return []
        number = known.number if known else watch.reported + 1
        self.watches[side] = replace(watch, reported=max(watch.reported, number))
        self.reports[key] = replace(found.report, number=number, source="courier")
        return [_build_enemy_event("enemy_sighted", side, self.reports[key], watch.minute)]

    def apart(self, side: str) -> frozenset[str]:
        """Formations of a side that headquarters hears of by courier only."""
        return self._mail.far_formations(side) if self._mail is not None else frozenset()

    def close(self, world: World) -> World:
        """A world with what is now known in it."""
        dispatches = self._mail.dispatches if self._mail is not None else world.dispatches
        return replace(
            world,
            reports=dict(sorted(self.reports.items())),
            watches=self.watches,
            dispatches=dict(sorted(dispatches.items())),
        )

    def _iter_enemies_in_sight(
        self, side: str, lookout: SideLookout, bodies: Sequence[FormationSnapshot]
    ) -> Iterable[tuple[str, tuple[FormationSnapshot, Look, str]]]:
        """Enemies in sight by id, with the look had of them and its source."""
        fights = {each.battle for each in bodies if each.side == side} - {""}
        for body in bodies:
            if body.side == side:
                continue
            if body.battle in fights:
                yield body.id, (body, Look(0, 0, "", "column", FACE_TO_FACE), "battle")
            elif self.settings.fog == "off":
                yield body.id, (body, Look(0, 0, "", "column", FACE_TO_FACE), "open")
            elif (look := lookout.best(body.position)) is not None:
                yield body.id, (body, look, look.source)

    def _report_enemies_in_sight(
        self,
        side: str,
        seen: Mapping[str, tuple[FormationSnapshot, Look, str]],
        last: Watch,
        watch: Watch,
        events: list[Event],
    ) -> Watch:
        for key in sorted(seen):
            body, look, source = seen[key]
            known = self.reports.get(f"{side}/{key}")
            number = known.number if known else watch.reported + 1
            watch = replace(watch, reported=max(watch.reported, number))
            report = self._report(side, body, look, source, watch, number)
            if known and known.day == watch.day and known.error < report.error:
                report = replace(report, sp=known.sp, error=known.error, arm=known.arm)
            self.reports[f"{side}/{key}"] = report
            if known is None or (known.day, known.minute) != (last.day, last.minute):
                events.append(_build_enemy_event("enemy_sighted", side, report, watch.minute))
        return watch

    def _report(
        self, side: str, body: FormationSnapshot, look: Look, source: str, watch: Watch, number: int
    ) -> Report:
        return Report(
            formation=body.id,
            name=body.name,
            side=body.side,
            position=body.position,
            sp=estimate_sp(body.sp * (10_000 + look.error * self._skew(side, body.id, look.grade)) // 10_000),
            error=look.error,
            arm="unknown" if look.grade >= ARM_UNKNOWN else body.arm,
            day=watch.day,
            minute=watch.minute,
            source=source,
            by=look.by,
            number=number,
        )

    def _skew(self, side: str, formation: str, grade: int) -> int:
        """The part of the error in an estimate, -100 to 100 percent: one draw for each grade of look."""
        if self._dice is None or grade == FACE_TO_FACE:
            return 0
        roll = self._dice.roll("HR-FOG-05", f"{side}/{formation}", grade, ERROR_FACES)
        return roll.value - 1 - ERROR_FACES // 2

    def _forget_lost_enemies(
        self, side: str, lookout: SideLookout, seen: Mapping[str, object], watch: Watch
    ) -> Iterable[Event]:
        """Reports of enemies who are no longer where they were seen, once that place is looked at."""
        open_map = self.settings.fog == "off"
        for key in sorted(self.reports):
            report = self.reports[key]
            if key.partition("/")[0] != side or report.formation in seen or report.side == side:
                continue
            if open_map or lookout.sees(report.position):
                del self.reports[key]
                yield _build_enemy_event("enemy_gone", side, report, watch.minute)

    def _beliefs(
        self, side: str, lookout: SideLookout, holders: Mapping[str, str], watch: Watch
    ) -> dict[str, str]:
        """Believed holders of places, where they differ from those of the first morning."""
        first, believed = self.theatre.holders, dict(watch.holders)
        for place in {*first, *holders, *believed}:
            now = holders.get(place, "")
            thought = believed.get(place, first.get(place, ""))
            if now == thought:
                continue
            mine = side in (now, thought)
            if mine or self.settings.fog == "off" or lookout.sees(Position(place=place)):
                believed[place] = now
        return {key: believed[key] for key in sorted(believed) if believed[key] != first.get(key, "")}


def _build_enemy_event(kind: str, side: str, report: Report, minute: int) -> Event:
    """An event that tells a side of an enemy, by the side's number for it and not by its id."""
    data = {
        "name": report.name,
        "side": report.side,
        "number": report.number,
        "origin": report.position.origin,
        "destination": report.position.destination,
        "yards": report.position.yards,
    }
    if kind == "enemy_sighted":
        data |= {"sp": report.sp, "error": report.error, "arm": report.arm, "source": report.source}
        data |= {"by": report.by}
    else:
        data |= {"seen_day": report.day, "seen_minute": report.minute}
    place, route = report.position.place, report.position.route
    return Event(kind, minute, "HR-FOG-04", (side,), place=place, route=route, data=data)


def first_look(world: World, dice: DiceRoller | None = None) -> World:
    """A world whose sides have looked round on its morning, in fair weather (HR-FOG-04)."""
    known = Intelligence(world, dice)
    bodies = list_snapshots(world)
    known.look(world.day - 1, MIDNIGHT, bodies, world.holders, "fair")
    known.evening(world, bodies, ColumnNews())
    return known.close(world)


def look_out(field: DayState, known: Intelligence, hours: deque[int], until: Exact) -> None:
    """The sides look round at every hour of the watch that is due (HR-FOG-04).

    At all of them, whatever else happens, or the hour of a report would tell of marches out of sight.
    """
    while hours and hours[0] <= until:
        now = hours.popleft()
        bodies = [_build_snapshot(field, known, key, now) for key in sorted(field.columns)]
        field.events += known.look(field.world.day, now, bodies, field.holders, field.conditions.weather)


def look_out_at_nightfall(field: DayState, known: Intelligence, world: World) -> World:
    """The day's last look round and its letters; gives the world with what is known in it."""
    bodies = list_snapshots(world)
    field.events += known.look(world.day, MIDNIGHT, bodies, world.holders, field.conditions.weather)
    if not world.settings.couriers:
        return known.close(world)
    fought = list_fighting_formations(field.events, world.units)
    held: dict[tuple[str, str], list[Event]] = {}
    for side in world.theatre.sides:
        apart = known.apart(side.id) - fought
        stands = {body.position.place or body.position.route: body.id for body in bodies if body.id in apart}
        field.events, kept = hold_back(field.events, side.id, apart, world.units, stands)
        held |= {(side.id, key): events for key, events in kept.items()}
    field.events += known.evening(world, bodies, ColumnNews(held, fought))
    return known.close(world)


def hours_of_watch(field: DayState) -> deque[int]:
    """The minutes at which the sides look round before the day's end."""
    return deque(range(field.settings.march_starts, field.settings.dark, WATCH_MINUTES))


def _build_snapshot(field: DayState, known: Intelligence, key: str, now: int) -> FormationSnapshot:
    column = field.columns[key]
    arm, keen = known.troops(key, field.units_of(column))
    return FormationSnapshot(
        key,
        column.formation.name,
        column.side,
        build_column_position(column, int(column.yard(now))),
        column.sp,
        arm,
        keen,
        column.battle.key if column.battle is not None else "",
    )
