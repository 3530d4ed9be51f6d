"""Journal entries as sentences people read. Pure: an event and the names of things go in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.rules.events import Event
from campaign.rules.world import YARDS_PER_MILE, Order, Position, World

TINTS = ("madder", "blue", "forest", "ochre")

PACES = {"normal": "at the normal pace", "plus_half": "half as far again a day", "double": "by double marches"}
STANCES = {
    "attack": "attack whatever it meets",
    "give_battle": "give battle",
    "delay": "delay the enemy",
    "avoid": "avoid battle",
}
ROUTES = {"lake": "lake", "river": "river", "sea": "sea passage", "portage": "carrying place"}


@dataclass(frozen=True, slots=True)
class Names:
    """What ids are called. An unknown id is its own name, tidied."""

    units: Mapping[str, str] = field(default_factory=dict)
    formations: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    routes: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    tints: Mapping[str, str] = field(default_factory=dict)

    def unit(self, key: str) -> str:
        return self.units.get(key) or tidy(key)

    def formation(self, key: str) -> str:
        return self.formations.get(key) or tidy(key)

    def place(self, key: str) -> str:
        return self.places.get(key) or tidy(key)

    def route(self, key: str) -> str:
        return self.routes.get(key) or tidy(key)

    def side(self, key: str) -> str:
        return self.sides.get(key) or tidy(key)

    def tint(self, key: str) -> str:
        return self.tints.get(key, "")

    def pool(self, key: str) -> str:
        """A pool's name: "german/line" is the German line pool."""
        nation, _, arm = key.partition("/")
        return f"{nation.title()} {tidy(arm)} pool"


def names_of(world: World) -> Names:
    """Names of all that is in a world. What a viewer may hear of is decided elsewhere."""
    atlas = world.theatre.atlas
    sides = world.theatre.sides
    return Names(
        units={key: unit.name for key, unit in world.units.items()},
        formations={key: formation.name for key, formation in world.formations.items()},
        places={key: place.name for key, place in atlas.places.items()},
        routes={
            key: f"the {ROUTES.get(route.kind, route.kind)} between {atlas.places[route.a].name} "
            f"and {atlas.places[route.b].name}"
            for key, route in atlas.routes.items()
        },
        sides={side.id: side.name for side in sides},
        tints={
            side.id: side.colour if side.colour in TINTS else TINTS[number % len(TINTS)]
            for number, side in enumerate(sides)
        },
    )


def tidy(key: str) -> str:
    """An id as words."""
    return key.replace("_", " ").replace("-", " ").strip()


def position_text(position: Position | None, names: Names) -> str:
    """Where a body stands, with miles from the end it came from."""
    if position is None:
        return "not on the map"
    if position.place:
        return f"at {names.place(position.place)}"
    miles = round(position.yards / YARDS_PER_MILE)
    return (
        f"{miles} {'mile' if miles == 1 else 'miles'} out of {names.place(position.origin)} "
        f"towards {names.place(position.destination)}"
    )


def order_text(order: Order, names: Names) -> str:
    """An order in words."""
    if not order.via:
        return f"halts and is to {STANCES[order.stance]}"
    *between, last = (names.place(place) for place in order.via)
    way = f" by {' and '.join(between)}" if between else ""
    light = ", in light order" if order.light_order else ""
    return f"marches to {last}{way}, {PACES[order.pace]}{light}; is to {STANCES[order.stance]}"


class _Facts(dict[str, Any]):
    """Facts for a sentence; one an event lacks is left blank rather than failing a page."""

    def __missing__(self, key: str) -> str:
        return ""


def narrate(event: Event, names: Names) -> str:
    """One sentence that says what an event was."""
    facts = _facts(event, names)
    told = SENTENCES.get(event.kind)
    if callable(told):
        text = told(facts)
    elif told is not None:
        text = told.format_map(facts)
    else:
        text = _plain(event, facts)
    if event.before is not None and event.after is not None and event.before != event.after:
        text += f" {facts['who']}: {event.before} points before, {event.after} after."
    return text[:1].upper() + text[1:]


def _facts(event: Event, names: Names) -> _Facts:
    facts = _Facts(event.data)
    change = (event.after or 0) - (event.before or 0)
    formation = names.formation(event.formation) if event.formation else ""
    unit = names.unit(event.unit) if event.unit else ""
    pool = names.pool(event.pool) if event.pool else ""
    facts.update(
        unit=unit,
        formation=formation,
        who=unit or pool or formation,
        pool=pool,
        place=names.place(event.place) if event.place else "",
        where=names.place(event.place) if event.place else names.route(event.route) if event.route else "",
        route=names.route(event.route) if event.route else "",
        change=abs(change),
        sign=change,
        names=names,
        event=event,
    )
    return facts


def _plain(event: Event, facts: _Facts) -> str:
    """A sentence for an event nobody has written one for: its kind, who and where."""
    at = f" at {facts['where']}" if facts["where"] else ""
    of = f" of {facts['who']}" if facts["who"] else ""
    return f"{tidy(event.kind)}{of}{at}."


SENTENCES: dict[str, str | Callable[[_Facts], str]] = {
    "campaign_begins": "{title} begins. The dice are fixed by a secret; its fingerprint is {commitment}.",
}
