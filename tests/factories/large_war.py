"""A war as large as any will be: 2,000 places on a grid, 2,000 units in 500 formations, all on the march."""

from dataclasses import replace

from campaign.rules.map.atlas import Atlas, Place, Route, route_id
from campaign.rules.world.world import Formation, Order, Position, Unit, UnitStatus, World

COLUMNS, ROWS = 50, 40
FORMATIONS, UNITS_EACH = 500, 4
MILES = 6


def place_at(column: int, row: int) -> str:
    return f"p{column:02d}{row:02d}"


def large_atlas() -> Atlas:
    """A grid of roads, every fifth one through woods, every seventh a track."""
    places = [
        Place(place_at(column, row), f"Place {column}, {row}", 42 + row / 100, -74 + column / 100, "village",
              "wooded" if (column + row) % 5 == 0 else "farmland")
        for column in range(COLUMNS) for row in range(ROWS)
    ]  # fmt: skip
    routes = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            for other in ((column + 1, row), (column, row + 1)):
                if other[0] < COLUMNS and other[1] < ROWS:
                    a, b = place_at(column, row), place_at(*other)
                    kind = "track" if (column + 3 * row) % 7 == 0 else "road"
                    terrain = "wooded" if (column + row) % 5 == 0 else "farmland"
                    routes.append(Route(route_id(a, b, kind), a, b, kind, MILES * 1760, terrain))  # type: ignore[arg-type]
    return Atlas.of(places, routes)


def large_world(like: World) -> World:
    """2,000 of a world's kinds of units on the large map, each side in its half, nobody in contact."""
    models = [unit for unit in like.units.values() if unit.status is UnitStatus.PRESENT and not unit.is_train]
    sides = [side.id for side in like.theatre.sides]
    by_side = {side: [unit for unit in models if unit.side == side] for side in sides}
    formations: dict[str, Formation] = {}
    units: dict[str, Unit] = {}
    for number in range(FORMATIONS):
        side = sides[number % 2]
        column = (number // 2 * 7) % 20 + (0 if number % 2 == 0 else 30)
        row = (number // 2 * 11) % ROWS
        key = f"f{number:03d}"
        formations[key] = Formation(key, f"Column {number}", side, Position(place=place_at(column, row)))
        for place in range(UNITS_EACH):
            model = by_side[side][(number * UNITS_EACH + place) % len(by_side[side])]
            units[f"{key}-{place}"] = replace(
                model, id=f"{key}-{place}", formation=key, static=False, departs=None, arrives=0
            )
    holders = {
        place_at(column, row): sides[0] if column < 25 else sides[1]
        for column in range(COLUMNS) for row in range(ROWS)
    }  # fmt: skip
    theatre = replace(
        like.theatre, atlas=large_atlas(), holders=holders, objectives=(), musters={},
        supply={sides[0]: (place_at(0, 0),), sides[1]: (place_at(49, 39),)},
    )  # fmt: skip
    return World(
        theatre=theatre, settings=like.settings, day=1, units=units, formations=formations, holders=holders,
        pools=dict(like.pools),
    )  # fmt: skip


def large_orders(world: World) -> dict[str, Order]:
    """A march of a day or two for every formation, within its own half."""
    orders = {}
    for number, key in enumerate(sorted(world.formations)):
        position = world.formations[key].position
        assert position is not None
        column, row = int(position.place[1:3]), int(position.place[3:])
        goal = place_at(min(max(column + number % 5 - 2, 0), COLUMNS - 1), (row + 1 + number % 3) % ROWS)
        if goal != position.place:
            orders[key] = Order(key, (goal,))
    return orders
