"""Names for ids, and positions in words. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from campaign.rules.world.world import YARDS_PER_MILE, Position, Theatre, World

#: The inks the pages are printed with, by name, with their red, green and blue.
TINTS = {"madder": (155, 42, 44), "blue": (36, 66, 122), "forest": (63, 94, 58), "ochre": (138, 90, 18)}

UTC = ZoneInfo("UTC")
ROUTES = {"lake": "lake", "river": "river", "sea": "sea passage", "portage": "carrying place"}


@dataclass(frozen=True, slots=True)
class CampaignNames:
    """Names of ids, and the clock that moments are shown by. An unknown id is its own name, made readable."""

    units: Mapping[str, str] = field(default_factory=dict)
    formations: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    routes: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    tints: Mapping[str, str] = field(default_factory=dict)
    generals: Mapping[str, str] = field(default_factory=dict)
    zone: ZoneInfo = UTC

    def general(self, key: str) -> str:
        return self.generals.get(key) or format_id(key)

    def unit(self, key: str) -> str:
        return self.units.get(key) or format_id(key)

    def formation(self, key: str) -> str:
        return self.formations.get(key) or format_id(key)

    def place(self, key: str) -> str:
        return self.places.get(key) or format_id(key)

    def route(self, key: str) -> str:
        return self.routes.get(key) or format_id(key)

    def side(self, key: str) -> str:
        return self.sides.get(key) or format_id(key)

    def tint(self, key: str) -> str:
        return self.tints.get(key, "")

    def moment(self, moment: datetime) -> str:
        """A moment by the reader's clock, which is named: "4 December 2026, 20:00 (Europe/London)"."""
        at = moment.astimezone(self.zone)
        return f"{at.day} {at:%B %Y, %H:%M} ({self.zone.key.replace('_', ' ')})"

    def pool(self, key: str) -> str:
        """A pool's name: "german/line" is the German line pool."""
        nation, _, arm = key.partition("/")
        return f"{nation.title()} {format_id(arm)} pool"


def join_names(names: Iterable[str]) -> str:
    """Names one after another, by semicolons where one of them has a comma of its own."""
    found = list(names)
    return ("; " if any("," in name for name in found) else ", ").join(found)


def names_of_theatre(theatre: Theatre) -> CampaignNames:
    """Names of places, ways and sides; those of bodies are the world's."""
    atlas, sides = theatre.atlas, theatre.sides
    return CampaignNames(
        places={key: place.name for key, place in atlas.places.items()},
        routes={
            key: f"the {ROUTES.get(route.kind, route.kind)} between {atlas.places[route.a].name} "
            f"and {atlas.places[route.b].name}"
            for key, route in atlas.routes.items()
        },
        sides={side.id: side.name for side in sides},
        tints={side.id: tint_of(side.colour) for side in sides},
    )


def names_of(world: World) -> CampaignNames:
    """Names of all that is in a world. What a viewer may hear of is decided elsewhere."""
    return replace(
        names_of_theatre(world.theatre),
        units={key: unit.name for key, unit in world.units.items()},
        formations={key: formation.name for key, formation in world.formations.items()},
        generals={key: general.name for key, general in world.generals.items()},
    )


def tint_of(colour: str) -> str:
    """The ink nearest to a side's colour ("#9b2d30"), or the ink itself when the colour names one."""
    if colour in TINTS:
        return colour
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return min(TINTS, key=lambda ink: sum((a - b) ** 2 for a, b in zip(parts, TINTS[ink], strict=True)))


def format_id(key: str) -> str:
    """An id as words."""
    return key.replace("_", " ").replace("-", " ").strip()


def position_text(position: Position | None, names: CampaignNames) -> str:
    """Describe a body's position, with miles from the end it came from."""
    if position is None:
        return "not on the map"
    if position.place:
        return f"at {names.place(position.place)}"
    miles = round(position.yards / YARDS_PER_MILE)
    if miles == 0:
        return f"just outside {names.place(position.origin)} towards {names.place(position.destination)}"
    return (
        f"{miles} {'mile' if miles == 1 else 'miles'} out of {names.place(position.origin)} "
        f"towards {names.place(position.destination)}"
    )
