"""A force that is shut in treats for its surrender (HR-SUR-02)."""

from collections.abc import Iterator, Sequence

from campaign.rules.contact.retreat import surrender_column, way_back
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.map.atlas import CLOSED
from campaign.rules.march.columns import Column
from campaign.rules.supply.supply import count_days_of_food
from campaign.rules.world.markers import Terms
from campaign.rules.world.place_control import claim_place


def terms_evening(field: DayState) -> None:
    """Terms are offered, go on, lapse, or take effect after `terms_days` (HR-SUR-02)."""
    found: dict[str, Terms] = {}
    for where, columns in _iter_exposed_groups(field) if field.settings.surrender_terms else ():
        side = columns[0].side
        begun = field.terms.get(where)
        if begun is not None and begun.side != side:
            continue
        if any(column.marched or column.retreated or column.stance == "attack" for column in columns):
            continue
        if not _is_hopeless(field, columns, begun is not None):
            continue
        terms = begun or Terms(side, field.world.day)
        if field.world.day - terms.day >= field.settings.terms_days:
            _surrender_columns(field, columns)
            continue
        found[where] = terms
        if begun is None:
            _log_terms(field, "terms_begun", where, columns)
    for where in sorted(set(field.terms) - set(found)):
        left = [
            column
            for column in _list_columns_at(field, where)
            if column.side == field.terms[where].side and column.sp
        ]
        if left:
            _log_terms(field, "terms_broken", where, left)
    field.terms = dict(sorted(found.items()))


def is_negotiating(field: DayState, columns: Sequence[Column]) -> bool:
    """True if one of these columns negotiates its surrender, so that fighting rests (HR-SUR-02)."""
    for column in columns:
        terms = field.terms.get(column.place or (column.route.id if column.route else ""))
        if terms is not None and terms.side == column.side and not column.path:
            return True
    return False


def _surrender_columns(field: DayState, columns: Sequence[Column]) -> None:
    for column in columns:
        surrender_column(field, column, MIDNIGHT, "")
    if columns[0].place:
        claim_place(field, columns[0].place, MIDNIGHT)


def _log_terms(field: DayState, kind: str, where: str, columns: Sequence[Column]) -> None:
    at_place = where in field.atlas.places
    field.log(
        kind,
        MIDNIGHT,
        "HR-SUR-02",
        field.both,
        place=where if at_place else "",
        route="" if at_place else where,
        data={"side": columns[0].side, "days": field.settings.terms_days},
    )


def _list_columns_at(field: DayState, where: str) -> list[Column]:
    return field.at(where) if where in field.atlas.places else field.along(where)


def _iter_exposed_groups(field: DayState) -> Iterator[tuple[str, list[Column]]]:
    """Columns of one side that stand together with strength, outside their own closed works."""
    for where in sorted({*field.at_place, *field.on_route}):
        for side in field.both:
            columns = [column for column in _list_columns_at(field, where) if column.side == side]
            if not any(column.sp for column in columns):
                continue
            if where in field.atlas.places:
                works = field.atlas.places[where].fortification in CLOSED
                if works and field.holders.get(where) == side:
                    continue  # a garrison is summoned instead (HR-SIE-03)
                if where in field.world.theatre.supply.get(side, ()):
                    continue
            yield where, columns


def _is_hopeless(field: DayState, columns: Sequence[Column], begun: bool) -> bool:
    """Shut in, and out of food or at 4 to 1; once terms have begun it is enough to be shut in."""
    own = sum(column.sp for column in columns)
    against = _enemies_near(field, columns)
    if not against:
        return False
    food = count_days_of_food(field, columns)
    hungry = food is not None and food <= field.settings.surrender_food_days
    if not (begun or hungry or against >= field.settings.surrender_odds * own):
        return False
    return all(way_back(field, column, MIDNIGHT, own) is None for column in columns if column.sp)


def _enemies_near(field: DayState, columns: Sequence[Column]) -> int:
    """SP of the enemy where a force stands, next door, and on the routes between."""
    first = columns[0]
    if first.route is not None:
        places, routes = {first.route.a, first.route.b}, {first.route.id}
    else:
        about = field.atlas.routes_at(first.place)
        places = {first.place, *(route.other(first.place) for route in about)}
        routes = {route.id for route in about}
    near = [column for place in sorted(places) for column in field.at(place)]
    near += [column for route in sorted(routes) for column in field.along(route)]
    return sum(column.sp for column in near if column.side != first.side)
