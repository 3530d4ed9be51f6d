"""Reports of columns apart from headquarters, on their way and on arrival (HR-COU-04)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.day.field import MIDNIGHT, count_strength
from campaign.rules.dispatches.couriers import (
    NOWHERE,
    Elsewhere,
    days_behind,
    find_headquarters,
    lived_to_json,
    report_from_json,
    report_to_json,
    send_dispatch,
    told_by_courier,
)
from campaign.rules.scouting.counters import Ground, list_ground_counters, list_surroundings, own_ground
from campaign.rules.scouting.sighting import Eyes, FormationSnapshot, SideLookout
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Dispatch, Report, Watch
from campaign.rules.world.world import Position, World, present_units
from campaign.rules.world.world_json import formation_to_json
from rosters.domain.dice import DiceRoller


@dataclass(frozen=True, slots=True)
class EnemyNews:
    """An enemy in a courier's report: a sighting, or None if the place was found empty on `day`."""

    formation: str
    day: int
    report: Report | None


@dataclass(frozen=True, slots=True)
class ColumnNews:
    """Events held back by side and column, and the columns among them that have fought."""

    held: Mapping[tuple[str, str], Sequence[Event]] = field(default_factory=dict)
    fought: frozenset[str] = frozenset()


class Correspondence:
    """The letters of one day; `reports` are those of the day's intelligence, and are changed.

    `others` is of other parts of the theatre.
    """

    def __init__(
        self,
        world: World,
        dice: DiceRoller | None,
        reports: dict[str, Report],
        others: Elsewhere = NOWHERE,
    ) -> None:
        self.world, self.settings, self.dice = world, world.settings, dice
        self._others = others
        self._units = present_units(world)
        self.atlas = world.theatre.atlas
        self.reports = reports
        self.dispatches: dict[str, Dispatch] = dict(world.dispatches)
        self.headquarters = {side.id: find_headquarters(world, side.id) for side in world.theatre.sides}
        self._days: dict[str, dict[str, int]] = {side.id: {} for side in world.theatre.sides}
        self._notes: dict[tuple[str, str], dict[str, Report]] = {}
        self._empty: dict[str, dict[str, str]] = {side.id: {} for side in world.theatre.sides}
        self._eyes: dict[str, list[Eyes]] = {side.id: [] for side in world.theatre.sides}
        self._heard: dict[str, Ground] = {side.id: {} for side in world.theatre.sides}

    # --- in the course of the day ---

    def apart(
        self, side: str, eyes: Iterable[Eyes], bodies: Sequence[FormationSnapshot]
    ) -> Mapping[str, int]:
        """Days word takes from each of a side's eyes that is apart from headquarters, by who looks."""
        seat = self._seat(side, bodies)
        self._eyes[side] = list(eyes)
        days = {}
        for one in self._eyes[side]:
            behind = days_behind(self.atlas, self.settings, one.position, seat) if seat else 0
            if behind:
                days[one.by] = behind
        self._days[side] = days
        return days

    def note(self, side: str, by: str, report: Report) -> None:
        """Record what a distant column has seen; the day's best look counts."""
        notes = self._notes.setdefault((side, by), {})
        known = notes.get(report.formation)
        if known is not None and known.error < report.error:
            report = replace(report, sp=known.sp, error=known.error, arm=known.arm)
        notes[report.formation] = report

    def empty(self, side: str, afar: SideLookout, bodies: Sequence[FormationSnapshot]) -> None:
        """Note the enemies on headquarters' map whose place is seen from afar, and nobody is there."""
        there = {body.id: body.position for body in bodies}
        found: dict[str, str] = {}
        for key, report in self.reports.items():
            if key.partition("/")[0] != side or report.side == side:
                continue
            look = afar.best(report.position)
            position = there.get(report.formation)
            if look is not None and (position is None or not afar.sees(position)):
                found[report.formation] = look.by
        self._empty[side] = found

    def far_formations(self, side: str) -> frozenset[str]:
        return frozenset(self._days[side]) & frozenset(self.world.formations)

    # --- in the evening ---

    def write(
        self, side: str, world: World, bodies: Sequence[FormationSnapshot], watch: Watch, news: "ColumnNews"
    ) -> list[Event]:
        """Every column apart writes to headquarters in the evening's `world`, and posts that have seen
        something."""
        events: list[Event] = []
        seat = self._seat(side, bodies)
        own = {body.id: body for body in bodies if body.side == side}
        enemies = [body.position for body in bodies if body.side != side and body.sp]
        enemies += self._others.enemies(side)
        heard = self._heard[side] = self._told_nearby(side, world, watch)
        for by, days in sorted(self._days[side].items()):
            notes = self._notes.get((side, by), {})
            empty = [key for key, seer in sorted(self._empty[side].items()) if seer == by]
            ground = self._ground(world, side, [one for one in self._eyes[side] if one.by == by])
            news_of_ground = any(rows != _drop_day(heard.get(subject)) for subject, rows in ground.items())
            if seat is None or (by not in own and not notes and not empty and not news_of_ground):
                continue
            start = own[by].position if by in own else Position(place=by)
            mine = _build_own_report(own[by], world, watch) if by in own else None
            lived = news.held.get((side, by), ())
            paper = Dispatch(
                side,
                "report",
                by,
                "",
                watch.day,
                watch.day + 1 + days,
                {
                    "own": report_to_json(mine) if mine else None,
                    "sighted": [report_to_json(notes[key]) for key in sorted(notes)],
                    "empty": empty,
                    "ground": ground,
                    **({"lived": lived_to_json(lived)} if lived else {}),
                },
            )
            content = {"name": mine.name if mine else "", "post": "" if mine else by, "via": []}
            safe, told = send_dispatch(
                self.world, paper, content, (start, seat), enemies, world.holders, self.dice, MIDNIGHT
            )
            events += told
            if safe:
                self.dispatches[f"{side}/report/{watch.day}/{by}"] = paper
        self._last_known(side, own, watch)
        for key in sorted(news.fought & own.keys() & self.far_formations(side)):
            self.reports[f"{side}/{key}"] = _build_own_report(own[key], world, watch)
        return events

    def read(self, side: str, watch: Watch) -> tuple[list[EnemyNews], list[Event]]:
        """Remove reports due by the next morning; returns them, oldest first, and their events."""
        found: list[EnemyNews] = []
        events: list[Event] = []
        due = [
            key
            for key, paper in self.dispatches.items()
            if paper.side == side and paper.kind == "report" and paper.due <= watch.day + 1
        ]
        for key in sorted(due, key=lambda each: (self.dispatches[each].day, each)):
            paper = self.dispatches.pop(key)
            own = paper.body["own"]
            if own is not None:
                events.append(self._own_report(side, report_from_json(own), paper, watch))
            events += told_by_courier(side, paper, watch.day, watch.minute)
            self._hear(side, paper.body.get("ground", {}), paper.day)
            found += [
                EnemyNews(row["formation"], row["day"], report_from_json({**row, "by": paper.origin}))
                for row in paper.body["sighted"]
            ]
            found += [EnemyNews(enemy, paper.day, None) for enemy in paper.body["empty"]]
        return found, events

    # --- counters on the map ---

    def list_known_counters(self, side: str) -> Ground:
        """Return the reports that headquarters has of the counters on the map, by subject."""
        return {subject: self._heard[side][subject] for subject in sorted(self._heard[side])}

    def _told_nearby(self, side: str, world: World, watch: Watch) -> Ground:
        """The counters heard of before, updated by what eyes near headquarters see at evening."""
        last = self.world.watches.get(side)
        known = last.counters if last is not None else None
        if known is None:  # nobody has written yet
            morning = own_ground(self.world, side)
            known = {subject: {"day": watch.day, **rows} for subject, rows in morning.items()}
        self._heard[side] = dict(known)
        near = [one for one in self._eyes[side] if one.by not in self._days[side]]
        self._hear(side, self._ground(world, side, near), watch.day)
        return self._heard[side]

    def _hear(self, side: str, ground: Ground, day: int) -> None:
        """Record what was seen on a day, unless something later is known."""
        heard = self._heard[side]
        for subject, rows in ground.items():
            if subject not in heard or heard[subject]["day"] <= day:
                heard[subject] = {"day": day, **rows}

    def _ground(self, world: World, side: str, eyes: Sequence[Eyes]) -> Ground:
        """The counters that some of a side's eyes see, on ground that belongs to this part."""
        subjects = set(SideLookout(self.atlas, self.settings, eyes).places())
        for one in eyes:
            subjects |= list_surroundings(
                self.atlas, one.position, one.by if one.by in self.world.formations else ""
            )
        return self._here(list_ground_counters(world, side, sorted(subjects)))

    def _here(self, ground: Ground) -> Ground:
        """That of it which is no other part's of the theatre."""

        def elsewhere(subject: str) -> bool:
            route = self.atlas.routes.get(subject)
            return (route.a if route is not None else subject) in self._others.places

        return {subject: rows for subject, rows in ground.items() if not elsewhere(subject)}

    def _own_report(self, side: str, report: Report, paper: Dispatch, watch: Watch) -> Event:
        known = self.reports.get(f"{side}/{report.formation}")
        if known is not None and known.day <= report.day:
            self.reports[f"{side}/{report.formation}"] = report
        position = report.position
        return Event(
            "report_received",
            watch.minute,
            "HR-COU-04",
            (side,),
            formation=report.formation,
            place=position.place,
            route=position.route,
            data={
                "sent": paper.day,
                "sp": report.sp,
                "origin": position.origin,
                "destination": position.destination,
                "yards": position.yards,
            },
        )

    def _last_known(self, side: str, own: Mapping[str, FormationSnapshot], watch: Watch) -> None:
        """Columns near headquarters need no report; of those just gone the morning's place is known."""
        far = self.far_formations(side)
        for key in [key for key, report in self.reports.items() if key.startswith(f"{side}/")]:
            report = self.reports[key]
            if report.side == side and report.formation not in far:
                del self.reports[key]
        for formation in sorted(far & own.keys()):
            key, before = f"{side}/{formation}", self.world.formations[formation].position
            if key not in self.reports and before is not None:
                sp = count_strength(self._units.get(formation, ()))
                body = replace(own[formation], position=before, sp=sp)
                self.reports[key] = replace(
                    _build_own_report(body, self.world, watch), day=self.world.day - 1
                )

    def _seat(self, side: str, bodies: Sequence[FormationSnapshot]) -> Position | None:
        seat = self.headquarters[side]
        here = next((body.position for body in bodies if body.id == seat), None)
        return here if seat in self.world.formations else self._others.seats.get(side)


def _drop_day(heard: Mapping[str, Any] | None) -> dict[str, Any]:
    """The counters of what was heard, without its day."""
    return {kind: row for kind, row in (heard or {}).items() if kind != "day"}


def _build_own_report(body: FormationSnapshot, world: World, watch: Watch) -> Report:
    """A column's report about itself, with its formation and its units' points."""
    state = {
        "formation": formation_to_json(world.formations[body.id]),
        "units": {unit.id: unit.points for unit in present_units(world).get(body.id, ())},
    }
    return Report(
        body.id, body.name, body.side, body.position, body.sp, 0, body.arm, watch.day, watch.minute,
        "courier", body.id, state=state,
    )  # fmt: skip
