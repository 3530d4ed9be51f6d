"""What the pages read, already cut to the viewer: every row comes through `campaign.visibility`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from campaign.journal import event_from_entry
from campaign.models import Battle, Campaign, Job, JournalEntry, OrderPaper
from campaign.narration import Names, narrate, order_text, position_text
from campaign.rules.world import Order, Unit, UnitStatus, World, order_from_json
from campaign.visibility import (
    MapView,
    SeenFormation,
    Viewer,
    battles_for,
    jobs_for,
    journal_for,
    orders_for,
    pools_known,
    units_known,
)
from rosters.domain.dice import Roll
from rosters.domain.strength import strength_points

#: Days of journal on one page.
DAYS_ON_A_PAGE = 3
#: Kinds of event that are shown with the small print of a day, besides those of single units.
ROUTINE = frozenset({"passes", "halts", "rejoined"})
COVER = {"soft": "soft cover", "hard": "hard cover", "fortified": "fortifications"}
SOURCES = {"engine": "the engine", "table": "the tabletop result", "umpire": "the umpire's word"}


@dataclass(frozen=True, slots=True)
class Calendar:
    """Where the campaign stands in time. `weather` is the last completed day's, "" before the first."""

    date: date
    day: int
    days: int
    week: int
    weeks: int
    weather: str
    ended: bool
    deadline: datetime | None


def calendar(viewer: Viewer, world: World) -> Calendar:
    """The calendar strip; `day` and `week` count from 1."""
    days = world.theatre.days
    day = min(world.day, days - 1)
    weather = (
        journal_for(viewer)
        .filter(kind="weather", day=world.day - 1)
        .values_list("data__weather", flat=True)
        .last()
    )
    return Calendar(
        date=world.theatre.start + timedelta(days=day),
        day=day + 1,
        days=days,
        week=day // 7 + 1,
        weeks=-(-days // 7),
        weather=weather or "",
        ended=world.ended,
        deadline=viewer.campaign.deadline,
    )


# --- orders ---


@dataclass(frozen=True, slots=True)
class FormationOrders:
    """One own formation and the order it is under; `paper` is today's, if one was given."""

    seen: SeenFormation
    tint: str
    where: str
    text: str
    order: Order | None
    paper: OrderPaper | None

    @property
    def idle(self) -> bool:
        """Neither a new order nor an older one still being carried out."""
        return self.order is None


def formation_orders(viewer: Viewer, world: World, view: MapView, names: Names) -> list[FormationOrders]:
    """Own formations with their orders, by name; garrisons last."""
    papers = {
        paper.formation: paper
        for paper in orders_for(viewer).filter(day=world.day, state=OrderPaper.State.STANDING)
    }
    rows = []
    for seen in sorted(view.own, key=lambda seen: (seen.garrison, seen.side, seen.name)):
        paper = papers.get(seen.id)
        standing = seen.formation.order if seen.formation else None
        order = order_from_json(paper.body) if paper else standing
        rows.append(
            FormationOrders(
                seen=seen,
                tint=names.tint(seen.side),
                where=position_text(seen.position, names),
                text=order_text(order, names) if order else "stands where it is",
                order=order,
                paper=paper,
            )
        )
    return rows


# --- returns ---


@dataclass(frozen=True, slots=True)
class Change:
    """A gain or loss of points under one rule."""

    rule: str
    points: int

    @property
    def signed(self) -> str:
        """With its sign: a true minus, so that figures line up."""
        return f"+{self.points}" if self.points > 0 else f"\N{MINUS SIGN}{-self.points}"


@dataclass(frozen=True, slots=True)
class UnitReturn:
    """One unit's line: campaign points at the week's start and now, and what lies between."""

    name: str
    status: str
    start: int
    now: int
    changes: tuple[Change, ...] = ()

    @property
    def strength_points(self) -> int:
        return strength_points(self.now)


@dataclass(frozen=True, slots=True)
class FormationReturn:
    """A formation's lines and their sums, in campaign points."""

    name: str
    side: str
    units: tuple[UnitReturn, ...]

    @property
    def start(self) -> int:
        return sum(unit.start for unit in self.units)

    @property
    def now(self) -> int:
        return sum(unit.now for unit in self.units)

    @property
    def change(self) -> Change | None:
        """What the week has done to it in all, None when nothing."""
        points = sum(change.points for unit in self.units for change in unit.changes)
        return Change("", points) if points else None


@dataclass(frozen=True, slots=True)
class Returns:
    """The returns of one week, counted from 1. `closed` once the week's rules have been applied."""

    week: int
    weeks: tuple[int, ...]
    closed: bool
    formations: tuple[FormationReturn, ...]
    pools: tuple[tuple[str, int], ...]
    by_rule: tuple[Change, ...]

    @property
    def start(self) -> int:
        return sum(formation.start for formation in self.formations)

    @property
    def now(self) -> int:
        return sum(formation.now for formation in self.formations)


def returns(viewer: Viewer, world: World, names: Names, week: int | None = None) -> Returns:
    """Points by formation and unit in `week` (the running one when None), in two queries.

    Past weeks are read back from the journal: what a unit had before its first change in or after
    a week is what it had when the week began.
    """
    running = min(world.day, world.theatre.days - 1) // 7 + 1
    shown = running if week is None else max(1, min(week, running))
    first, after = 7 * (shown - 1), 7 * shown
    in_week: dict[str, list[JournalEntry]] = defaultdict(list)
    later: dict[str, int] = {}
    entries = journal_for(viewer).filter(day__gte=first, before__isnull=False).exclude(unit="")
    for entry in entries.only("day", "unit", "rule", "before", "after", "modifiers", "kind"):
        if entry.day < after:
            in_week[entry.unit].append(entry)
        else:
            later.setdefault(entry.unit, entry.before or 0)
    by_formation: dict[str, list[UnitReturn]] = defaultdict(list)
    by_rule: dict[str, int] = defaultdict(int)
    for unit in units_known(viewer, world):
        gone = unit.status in (UnitStatus.EXPECTED, UnitStatus.DEPARTED, UnitStatus.SURRENDERED)
        if unit.is_train or (gone and unit.id not in in_week):
            continue  # trains have no points (HR-REC-01), others are not here yet or any more
        line = _unit_return(unit, in_week.get(unit.id, []), later.get(unit.id, unit.points))
        for change in line.changes:
            by_rule[change.rule] += change.points
        by_formation[unit.formation].append(line)
    return Returns(
        week=shown,
        weeks=tuple(range(running, 0, -1)),
        closed=world.day >= after,
        formations=tuple(
            FormationReturn(names.formation(key), world.formations[key].side, tuple(by_formation[key]))
            for key in sorted(
                by_formation, key=lambda key: (world.formations[key].side, names.formation(key))
            )
        ),
        pools=tuple(
            (names.pool(key), points) for key, points in pools_known(viewer, world).items() if points
        ),
        by_rule=tuple(Change(rule, by_rule[rule]) for rule in sorted(by_rule)),
    )


def _unit_return(unit: Unit, entries: list[JournalEntry], now: int) -> UnitReturn:
    changes: dict[str, int] = {}
    for entry in entries:
        for rule, points in _split(entry):
            changes[rule] = changes.get(rule, 0) + points
    return UnitReturn(
        name=unit.name,
        status="" if unit.status is UnitStatus.PRESENT else str(unit.status),
        start=(entries[0].before or 0) if entries else now,
        now=now,
        changes=tuple(Change(rule, points) for rule, points in changes.items() if points),
    )


def _split(entry: JournalEntry) -> list[tuple[str, int]]:
    """A change by rule: a battle names its charges in the modifiers, when they add up to it."""
    total = (entry.after or 0) - (entry.before or 0)
    charges = [(name, value) for name, value in entry.modifiers if name.startswith(("AWI-", "HR-"))]
    if charges and sum(value for _, value in charges) == total:
        return charges
    return [(entry.rule, total)]


# --- journal ---


@dataclass(frozen=True, slots=True)
class Line:
    """A journal entry as its reader sees it; `number` counts the reader's own entries."""

    number: int
    time: str
    text: str
    rule: str
    dice: str
    routine: bool


@dataclass(frozen=True, slots=True)
class JournalDay:
    """A day's lines. `routine` holds the many small ones: the week's rolls and losses by unit."""

    date: date
    day: int
    lines: tuple[Line, ...]
    routine: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class JournalPage:
    """Some days, newest first; `newer` and `older` are page numbers or None."""

    days: tuple[JournalDay, ...] = ()
    newer: int | None = None
    older: int | None = None


def journal_page(viewer: Viewer, world: World, names: Names, page: int = 1) -> JournalPage:
    """One page of the viewer's journal, in three queries."""
    entries = journal_for(viewer)
    days = list(entries.order_by("-day").values_list("day", flat=True).distinct())
    page = max(1, min(page, -(-len(days) // DAYS_ON_A_PAGE) or 1))
    shown = days[(page - 1) * DAYS_ON_A_PAGE : page * DAYS_ON_A_PAGE]
    if not shown:
        return JournalPage()
    number = entries.filter(day__lt=shown[-1]).count()
    by_day: dict[int, list[Line]] = {day: [] for day in shown}
    for entry in entries.filter(day__in=shown):
        number += 1
        by_day[entry.day].append(_line(number, entry, names))
    return JournalPage(
        days=tuple(
            JournalDay(
                date=world.theatre.start + timedelta(days=day),
                day=day + 1,
                lines=tuple(line for line in by_day[day] if not line.routine),
                routine=tuple(line for line in by_day[day] if line.routine),
            )
            for day in shown
        ),
        newer=page - 1 if page > 1 else None,
        older=page + 1 if page * DAYS_ON_A_PAGE < len(days) else None,
    )


def _line(number: int, entry: JournalEntry, names: Names) -> Line:
    event = event_from_entry(entry)
    minute = min(entry.minute, 24 * 60)
    return Line(
        number=number,
        time=f"{minute // 60}:{minute % 60:02d}",
        text=narrate(event, names),
        rule=entry.rule,
        dice=dice_text(event.rolls),
        routine=bool(entry.unit or entry.pool) or entry.kind in ROUTINE,
    )


def dice_text(rolls: Iterable[Roll]) -> str:
    """Dice as they fell, by kind of die: "9, 2 (d10); 3 (d6)"."""
    by_sides: dict[int, list[str]] = {}
    for roll in rolls:
        by_sides.setdefault(roll.sides, []).append(str(roll.value))
    return "; ".join(f"{', '.join(values)} (d{sides})" for sides, values in by_sides.items())


# --- battles ---


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle in the list. `title` is its name as men would call it."""

    battle: Battle
    title: str
    date: date
    attacker: str
    defender: str
    waiting: bool
    cover: str
    by: str


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """A unit that fought: strength points it came with, and what became of them once settled."""

    id: str
    name: str
    kind: str
    sp: int
    arrives: int
    lost: int | None = None
    captured: int | None = None
    fate: str = ""


@dataclass(frozen=True, slots=True)
class Force:
    """One side of a battle."""

    side: str
    name: str
    tint: str
    role: str
    units: tuple[ForceUnit, ...]
    formations: tuple[str, ...] = field(default=())

    @property
    def sp(self) -> int:
        return sum(unit.sp for unit in self.units)

    @property
    def lost(self) -> int:
        return sum(unit.lost or 0 for unit in self.units)

    @property
    def captured(self) -> int:
        return sum(unit.captured or 0 for unit in self.units)


def battle_rows(viewer: Viewer, world: World, names: Names) -> list[BattleRow]:
    """The viewer's battles, newest first."""
    return [
        battle_row(battle, world, names) for battle in battles_for(viewer).order_by("-day", "-minute", "-id")
    ]


def battle_row(battle: Battle, world: World, names: Names) -> BattleRow:
    """One battle with its names."""
    return BattleRow(
        battle=battle,
        title=battle.inputs["file"]["title"],
        date=world.theatre.start + timedelta(days=battle.day),
        attacker=names.side(battle.attacker),
        defender=names.side(battle.defender),
        waiting=battle.state == Battle.State.WAITING,
        cover=COVER.get(battle.inputs["file"]["cover"], ""),
        by=SOURCES.get(battle.source, ""),
    )


def forces(battle: Battle, names: Names) -> tuple[Force, ...]:
    """Both sides of a battle, the attacker first."""
    losses = {loss["unit"]: loss for loss in (battle.settlement or {}).get("losses", [])}
    rows: Mapping[str, list[dict[str, Any]]] = defaultdict(list)
    for unit in battle.inputs["file"]["units"]:
        rows[unit["side"]].append(unit)
    return tuple(
        Force(
            side=side,
            name=names.side(side),
            tint=names.tint(side),
            role=role,
            units=tuple(_force_unit(unit, losses.get(unit["id"])) for unit in rows[side]),
            formations=tuple(dict.fromkeys(names.formation(unit["formation"]) for unit in rows[side])),
        )
        for side, role in ((battle.attacker, "attacks"), (battle.defender, "defends"))
    )


def _force_unit(unit: Mapping[str, Any], loss: Mapping[str, Any] | None) -> ForceUnit:
    return ForceUnit(
        id=unit["id"],
        name=unit["name"],
        kind=unit["troop_type"].replace("_", " "),
        sp=unit["sp"],
        arrives=unit["arrives"],
        lost=loss["sp_lost"] if loss else None,
        captured=loss["sp_captured"] if loss else None,
        fate=loss["fate"].replace("_", " ") if loss else "",
    )


# --- the umpire's day ---


def job_latest(viewer: Viewer) -> Job | None:
    """The last job asked for in the campaign, for its umpire."""
    return jobs_for(viewer).first()


def seats(campaign: Campaign) -> list[tuple[str, str]]:
    """Seat titles and who sits there."""
    return [
        (str(seat), seat.user.get_full_name() or seat.user.get_username() if seat.user else "the staff")
        for seat in campaign.seats.select_related("user").order_by("role", "side")
    ]


def orders_received(rows: Iterable[FormationOrders], names: Names) -> list[tuple[str, int, int]]:
    """By side: its name, orders received for the day, formations that could have one."""
    counted: dict[str, list[int]] = {}
    for row in rows:
        count = counted.setdefault(row.seen.side, [0, 0])
        count[0] += row.paper is not None
        count[1] += not row.seen.garrison
    return [(names.side(side), given, able) for side, (given, able) in sorted(counted.items())]
