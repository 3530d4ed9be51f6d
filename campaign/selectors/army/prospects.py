"""Prospects of an army: its generals, its replacement pools and what they will raise, reinforcements on
the way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from campaign.fog.visibility import Viewer, list_known_pools, list_known_units, may_know_general
from campaign.rules.army.leaders import leader_today, seniority_key, span_of
from campaign.rules.returns.places_of_arrival import muster_places
from campaign.rules.returns.pools import DOWNGRADES, NEW_UNIT_TYPES, parse_pool
from campaign.rules.returns.returns import counts_in_returns
from campaign.rules.world.markers import General
from campaign.rules.world.world import Unit, UnitStatus, World
from campaign.text.place_names import CampaignNames, join_names, position_text
from campaign.text.unit_names import day_words
from rosters.domain.strength import BASIC_POINTS


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A general: what he commands and how many units he can (HR-LDR-04), how he is.

    `formation` is the id of the one he is with, "" for who is with none.
    """

    id: str
    name: str
    side: str
    side_id: str
    tint: str
    rank: str
    formation: str
    command: str
    where: str
    span: int
    state: str
    fit: bool


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A pool: its points, what it becomes at the week's end, and who waits to be raised from it, in turn.

    `missing` are the points it lacks for the next unit; None for a pool that raises none. `below` is the key
    of the pool its points may go down to, "" for none.
    """

    key: str
    name: str
    points: int
    below: str
    raises: int
    missing: int | None
    waiting: tuple[str, ...]
    waiting_ids: tuple[str, ...]
    becomes: str
    places: tuple[str, ...]
    place_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DueRow:
    """Units expected on one day at one place."""

    date: date
    days: int
    side: str
    side_id: str
    tint: str
    place: str
    where: str
    units: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Prospects:
    """`weeks_end` is the morning by which pools raise their next units, in `days_left` days; both are None
    when no week ends any more."""

    leaders: tuple[LeaderRow, ...]
    pools: tuple[PoolRow, ...]
    due: tuple[DueRow, ...]
    weeks_end: date | None
    days_left: int | None
    by_themselves: bool


def build_prospects(viewer: Viewer, world: World, names: CampaignNames) -> Prospects:
    """Read from the viewer's world alone."""
    closes = 7 * (world.day // 7 + 1)
    over = world.ended or closes > world.theatre.days
    return Prospects(
        leaders=tuple(_iter_leader_rows(viewer, world, names)),
        pools=tuple(_iter_pool_rows(viewer, world, names)),
        due=tuple(_iter_due_rows(viewer, world, names)),
        weeks_end=None if over else world.theatre.start + timedelta(days=closes),
        days_left=None if over else closes - world.day,
        by_themselves=world.settings.auto_raise_units,
    )


# --- generals ---


def _iter_leader_rows(viewer: Viewer, world: World, names: CampaignNames) -> Iterator[LeaderRow]:
    keys = [key for key, general in world.generals.items() if may_know_general(viewer, general)]
    for key in sorted(keys, key=lambda key: _place_of(viewer, world, key)):
        general = world.generals[key]
        body = world.formations.get(general.formation)
        leads = body is not None and leader_today(world, body) == key
        own = body is not None and body.leader == key
        yield LeaderRow(
            id=key,
            name=general.name,
            side=names.side(general.side),
            side_id=general.side,
            tint=names.tint(general.side),
            rank=general.rank,
            formation=body.id if body is not None else "",
            command=_describe_command(body.name, leads, own) if body is not None else "",
            where=position_text(body.position, names) if body is not None and body.position else "",
            span=span_of(general.rank, world.settings),
            state=_describe_leader_state(general, world, names),
            fit=general.state == "well",
        )


def _place_of(viewer: Viewer, world: World, key: str) -> tuple[bool, str, bool, int, int, str]:
    """The viewer's own first, by side; who is gone last; then by rank and date of rank."""
    general = world.generals[key]
    gone = general.state in ("dead", "resigned")
    return general.side != viewer.side, general.side, gone, *seniority_key(world, key)


def _describe_command(name: str, leads: bool, own: bool) -> str:
    if own:
        return name
    return f"{name}, for its general" if leads else f"rides with {name}"


def _describe_leader_state(general: General, world: World, names: CampaignNames) -> str:
    when = day_words(world.theatre.start, general.until) if general.until is not None else ""
    if general.state == "wounded":
        return f"wounded, back on {when}" if when else "wounded"
    if general.state == "expected":
        return f"expected on {when}" if when else "expected"
    if general.state == "captured":
        offered = world.generals.get(general.exchange_for)
        asked = f"; {offered.name} is offered for him" if offered is not None else ""
        return f"a prisoner of {names.side(general.held_by)}{asked}"
    if general.state == "well" and general.departs is not None:
        return f"well; leaves on {day_words(world.theatre.start, general.departs)}"
    return {"well": "well", "resigned": "gone", "dead": "dead"}[general.state]


# --- pools (AWI-C-POL-01 to 05) ---


def _iter_pool_rows(viewer: Viewer, world: World, names: CampaignNames) -> Iterator[PoolRow]:
    waiting = _group_eliminated_units(list_known_units(viewer, world), world)
    known = list_known_pools(viewer, world)
    for key in sorted({key for key, points in known.items() if points} | (waiting.keys() & known.keys())):
        points, queue = known.get(key, 0), waiting.get(key, [])
        nation, arm = parse_pool(key, "pool")
        raising = arm in NEW_UNIT_TYPES.get(nation, {})
        raises = max(0, points) // BASIC_POINTS if raising else 0
        below, places = DOWNGRADES.get(arm), muster_places(world.theatre.musters, nation)
        yield PoolRow(
            key=key,
            name=names.pool(key),
            points=points,
            below=f"{nation}/{below}" if below else "",
            raises=raises,
            missing=BASIC_POINTS * (raises + 1) - points if raising else None,
            waiting=tuple(unit.name for unit in queue),
            waiting_ids=tuple(unit.id for unit in queue),
            becomes=_describe_raised_units(raises, [unit.name for unit in queue]) if raising else "",
            places=tuple(names.place(place) for place in places),
            place_ids=tuple(places),
        )


def _group_eliminated_units(units: Iterable[Unit], world: World) -> dict[str, list[Unit]]:
    """Units to be rebuilt by pool, the longest without men first (AWI-C-ELI-01)."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.status is UnitStatus.ELIMINATED and counts_in_returns(unit, world.day):
            found.setdefault(unit.pool, []).append(unit)
    for queue in found.values():
        queue.sort(key=lambda unit: (unit.since, unit.id))
    return found


def _describe_raised_units(raises: int, queue: list[str]) -> str:
    """Describe the units that the pool's points raise, those longest without men first: "Grant's Corps
    again, and 1 new unit".
    """
    again = queue[:raises]
    new = raises - len(again)
    parts = [f"{join_names(again)} again"] if again else []
    if new:
        parts.append(f"{new} new unit{'s' if new > 1 else ''}")
    return " and ".join(parts)


# --- reinforcements (HR-ARR-01) ---


def _iter_due_rows(viewer: Viewer, world: World, names: CampaignNames) -> Iterator[DueRow]:
    found: dict[tuple[int, str, str], list[Unit]] = {}
    for unit in list_known_units(viewer, world):
        if unit.status is UnitStatus.EXPECTED and unit.arrives >= max(1, world.day):
            found.setdefault((unit.arrives, unit.side, unit.home), []).append(unit)
    for (day, side, home), units in sorted(found.items()):
        yield DueRow(
            date=world.theatre.start + timedelta(days=day),
            days=day - world.day,
            side=names.side(side),
            side_id=side,
            tint=names.tint(side),
            place=home,
            where=names.place(home) if home else "",
            units=tuple(unit.name for unit in units),
            points=sum(unit.points for unit in units if not unit.is_train),
        )
