"""A viewer's map in words: columns, places, signs and battles; the map and its list use the same words.

All comes from `visibility.map_view` and `battles_for`; nothing is decided here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from campaign.fog.visibility import MapView, SeenFormation
from campaign.rules.map.atlas import WATER_KINDS, Place, Route
from campaign.rules.march.boats import WITH
from campaign.rules.victory.victory import objective_points
from campaign.rules.world.world import YARDS_PER_MILE, Position, Theatre, World
from campaign.selectors.battles.battles import BattleRow
from campaign.selectors.orders.orders import FormationOrders
from campaign.text.ground_names import iter_ground_signs, place_signs, route_signs
from campaign.text.order_text import order_text
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.sightings import sighting_text, strength_text

ARMS = {"foot": "foot", "mounted": "horse", "guns": "artillery", "train": "train", "unknown": "not known"}
#: Days after which a settled battle is no longer drawn.
REMEMBERED = 14


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """A formation in words. `low` and `high` bound its strength, `age` is in days since it was seen.

    `locked` names the battles it waits for (HR-CAL-10).
    """

    seen: SeenFormation
    side: str
    tint: str
    strength: str
    low: int
    high: int
    arm: str
    where: str
    state: str
    orders: str
    report: str
    age: int
    locked: tuple[BattleRow, ...]
    mine: bool

    @property
    def ghost(self) -> bool:
        """An enemy who is no longer in sight: where he was last known to be."""
        return not self.seen.own and not self.seen.in_sight


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """A place in words; `kind` has its works and landing, `points` are those of an objective."""

    place: Place
    kind: str
    holder: str
    tint: str
    signs: tuple[str, ...]
    objective: bool
    points: int
    there: tuple[str, ...]

    @property
    def ground(self) -> str:
        """Kind and features of the place, in one line."""
        return "; ".join((f"{self.kind}", self.place.terrain, *self.signs))


@dataclass(frozen=True, slots=True)
class WayFacts:
    """A road or a passage by water in words, between the places named `start` and `end`."""

    route: Route
    start: str
    end: str
    signs: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.route.kind

    @property
    def miles(self) -> str:
        """Its length; a short one to the tenth of a mile."""
        miles = self.route.yards / YARDS_PER_MILE
        return f"{miles:.0f}" if miles >= 2 else f"{miles:.1f}"

    @property
    def by_boat(self) -> bool:
        return self.route.kind in WATER_KINDS

    @property
    def wheels(self) -> bool:
        """True when guns and wagons can pass, by the map (HR-MAR-02)."""
        return self.by_boat or self.route.wheeled

    @property
    def state(self) -> str:
        """Its crossing, and what is known to be broken, laid or felled on it."""
        crossing = self.route.crossing
        return ", ".join((*(() if crossing == "none" else (crossing,)), *self.signs))

    @property
    def line(self) -> str:
        """All of it but its ends, in one line."""
        said = (
            f"{self.kind.capitalize()}, {self.miles} miles",
            f"{self.route.terrain} country",
            "" if self.wheels else "no guns or wagons",
            self.state,
        )
        return ", ".join(part for part in said if part)


@dataclass(frozen=True, slots=True)
class SignFacts:
    """Works, boats, a depot or the like at a `place` or on a `route`."""

    kind: str
    place: str
    route: str
    tint: str
    text: str


@dataclass(frozen=True, slots=True)
class BattleFacts:
    """A battle in words. `fresh` is one of the last week."""

    row: BattleRow
    position: Position
    where: str
    state: str
    fresh: bool


def column_facts(
    view: MapView,
    world: World,
    names: CampaignNames,
    orders: Iterable[FormationOrders],
    locked: Mapping[str, tuple[BattleRow, ...]],
) -> list[ColumnFacts]:
    """The formations on a viewer's map, in the order of the view."""
    rows = {row.seen.id: row for row in orders}
    return [
        _build_column_facts(seen, world, names, rows.get(seen.id), locked.get(seen.id, ()))
        for seen in view.formations
    ]


def _build_column_facts(
    seen: SeenFormation,
    world: World,
    names: CampaignNames,
    row: FormationOrders | None,
    locked: tuple[BattleRow, ...],
) -> ColumnFacts:
    sighting = seen.sighting
    doubt = sighting.error if sighting and not seen.own else 0
    order = row.order if row else None
    where = position_text(seen.position, names)
    return ColumnFacts(
        seen=seen,
        side=names.side(seen.side),
        tint=names.tint(seen.side),
        strength=strength_text(seen.sp, doubt) if sighting and not seen.own else f"{seen.sp} SP",
        low=seen.sp * (100 - doubt) // 100,
        high=-(-seen.sp * (100 + doubt) // 100),
        arm=ARMS[seen.arm],
        where=where[:1].upper() + where[1:],
        state=_describe_formation_state(seen, world, locked),
        orders=order_text(order, names) if order else "",
        report=sighting_text(sighting, world.theatre, names) if sighting else "",
        age=0 if sighting is None or sighting.in_sight else max(0, world.day - sighting.day),
        locked=locked,
        mine=row is not None and row.mine,
    )


def _describe_formation_state(seen: SeenFormation, world: World, locked: tuple[BattleRow, ...]) -> str:
    """Describe the state of an own formation; of one away from headquarters only what its report tells
    (HR-COU-04).
    """
    if not seen.own or seen.formation is None:
        return ""
    found = ["In garrison" if seen.garrison else "Between two places" if seen.position.route else "In camp"]
    if seen.sighting is None:
        if f"{WITH}{seen.id}" in world.boats:
            found.append("in boats")
        if seen.formation.hungry_days:
            days = seen.formation.hungry_days
            found.append(f"hungry for {days} {'day' if days == 1 else 'days'}")
    if locked:
        found.append("waits for " + " and ".join(f"the {row.title}" for row in locked))
    return ", ".join(found)


def place_facts(view: MapView, world: World, names: CampaignNames) -> list[PlaceFacts]:
    """The places of the theatre as the viewer knows them."""
    there: dict[str, list[str]] = defaultdict(list)
    for seen in view.formations:
        there[seen.position.place].append(seen.name)
    worth = objective_points(world.theatre)
    return [
        _build_place_facts(place, view, names, worth, tuple(there.get(place.id, ())))
        for place in world.theatre.atlas.places.values()
    ]


def _build_place_facts(
    place: Place, view: MapView, names: CampaignNames, worth: Mapping[str, int], there: tuple[str, ...]
) -> PlaceFacts:
    holder = view.holders.get(place.id, "")
    kind, works = place.kind.capitalize(), ""
    if place.fortification not in ("none", place.kind):
        kind, works = _describe_fortification(place)
    landing = "" if place.port == "none" else f", {place.port} landing"
    return PlaceFacts(
        place=place,
        kind=f"{kind}{works}{landing}",
        holder=names.side(holder) if holder else "",
        tint=names.tint(holder) if holder else "",
        signs=tuple(place_signs(view.counters, place.id, names)),
        objective=place.id in worth,
        points=worth.get(place.id, 0),
        there=there,
    )


def _describe_fortification(place: Place) -> tuple[str, str]:
    """A fort is called what its works are; any other place has them besides."""
    if place.kind == "fort":
        return place.fortification.capitalize(), ""
    return place.kind.capitalize(), f", {place.fortification}"


def sign_facts(view: MapView, world: World, names: CampaignNames) -> Iterator[SignFacts]:
    """List what is known of works, boats, depots, sieges, broken crossings and felled roads."""
    atlas = world.theatre.atlas
    for kind, key, side, text in iter_ground_signs(view.counters, atlas, names):
        on_route = key in atlas.routes
        yield SignFacts(kind, "" if on_route else key, key if on_route else "", names.tint(side), text)


def route_facts(view: MapView, world: World) -> Iterator[WayFacts]:
    """Every road and water of the theatre, with what the viewer knows to be broken, laid or felled on it."""
    atlas = world.theatre.atlas
    for route in atlas.routes.values():
        signs = tuple(route_signs(view.counters, route.id, route.crossing))
        yield WayFacts(route, atlas.places[route.a].name, atlas.places[route.b].name, signs)


def ways_by_place(ways: Iterable[WayFacts]) -> list[tuple[str, list[tuple[str, WayFacts]]]]:
    """By the names of places the ways that lead from each, with where to; so each way stands twice."""
    leading: dict[str, list[tuple[str, WayFacts]]] = defaultdict(list)
    for way in ways:
        leading[way.start].append((way.end, way))
        leading[way.end].append((way.start, way))
    return [
        (start, sorted(leading[start], key=lambda row: (row[0], row[1].kind))) for start in sorted(leading)
    ]


def battle_facts(rows: Iterable[BattleRow], world: World, names: CampaignNames) -> list[BattleFacts]:
    """The viewer's battles that wait, and those of the last fortnight, newest first."""
    return [
        _build_battle_facts(row, world, names)
        for row in rows
        if row.waiting or world.day - row.battle.day <= REMEMBERED
    ]


def _build_battle_facts(row: BattleRow, world: World, names: CampaignNames) -> BattleFacts:
    position = _locate_battle(row, world.theatre)
    return BattleFacts(
        row=row,
        position=position,
        where=position_text(position, names),
        state=f"Not settled yet; opened on {_format_day_and_month(row.date)} at {row.clock}"
        if row.waiting
        else _describe_outcome(row, names),
        fresh=world.day - row.battle.day <= 7,
    )


def _describe_outcome(row: BattleRow, names: CampaignNames) -> str:
    holder = (row.battle.settlement or {}).get("field_held_by", "")
    held = f"{names.side(holder)} held the field" if holder else "neither side held the field"
    return f"Fought on {_format_day_and_month(row.date)}; {held}"


def _locate_battle(row: BattleRow, theatre: Theatre) -> Position:
    battle = row.battle
    if battle.place:
        return Position(place=battle.place)
    route = theatre.atlas.routes[battle.route]
    yards = int(battle.inputs["contact"].get("yards") or route.yards // 2)
    return Position(route=route.id, origin=route.a, destination=route.b, yards=yards)


def _format_day_and_month(when: date) -> str:
    return f"{when.day} {when:%B}"


def morning_words(world: World) -> str:
    """The date of a world's morning, in words."""
    when = world.theatre.start + timedelta(days=world.day)
    return f"{when:%A}, {when.day} {when:%B} {when.year}"
