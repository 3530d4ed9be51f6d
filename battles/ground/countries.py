"""Countryside of eastern America as pieces of ground, by the terrain words of the map.

Numbers are pieces on a table of 96 by 60 inches; larger tables get more (HR-BAT-06).
"""

from dataclasses import dataclass
from typing import Literal

Season = Literal["spring", "summer", "autumn", "winter"]
Crossing = Literal["none", "ford", "bridge", "ferry"]


@dataclass(frozen=True, slots=True)
class CountryKind:
    """One kind of country. `size` is the radius of its woods, `stream` the percent that have one.

    `heights` are gentle hills with a level top, `ridges` have a steep brow, `crags` cannot be climbed.
    `gully` says the stream runs in a gully of rough ground.
    """

    open_woods: int = 0
    dense_woods: int = 0
    size: float = 7.0
    heights: int = 0
    ridges: int = 0
    crags: int = 0
    fields: int = 0
    walls: int = 0
    farms: int = 0
    rough: int = 0
    marshes: int = 0
    swamps: int = 0
    stream: int = 50
    gully: bool = False


COUNTRIES: dict[str, CountryKind] = {
    "open": CountryKind(open_woods=1, size=5.0, heights=2, fields=2, walls=1, farms=1, rough=1, stream=40),
    "farmland": CountryKind(open_woods=2, dense_woods=1, size=6.0, heights=2, fields=4, walls=2, farms=1),
    "wooded": CountryKind(
        open_woods=6, dense_woods=2, size=8.0, heights=2, fields=2, walls=1, farms=1, rough=1, stream=60
    ),
    "forest": CountryKind(
        open_woods=12, dense_woods=5, size=10.0, heights=2, rough=2, swamps=1, stream=75, gully=True
    ),
    "marsh": CountryKind(
        open_woods=2, size=6.0, heights=1, fields=1, rough=1, marshes=4, swamps=2, stream=80
    ),
    "hill": CountryKind(
        open_woods=3, dense_woods=1, size=7.0, heights=4, ridges=1, fields=2, walls=2, farms=1, rough=1
    ),
    "mountain": CountryKind(
        open_woods=7, dense_woods=3, size=8.0, heights=2, ridges=2, crags=2, rough=2, stream=60, gully=True
    ),
    # sandy barrens: thin pines, thickets and cedar swamps, hardly a field, no heights to speak of
    "pines": CountryKind(open_woods=10, dense_woods=2, size=9.0, heights=1, fields=1, rough=3, swamps=2),
    "urban": CountryKind(open_woods=1, size=4.0, heights=1, fields=2, walls=4, farms=0, stream=30),
}

#: Buildings of a place, besides the farms of the country (AWI-T-TER-10).
BUILDINGS: dict[str, int] = {
    "city": 7, "town": 4, "village": 3, "fort": 1, "crossing": 1, "portage": 1, "farm": 1, "camp": 0,
}  # fmt: skip
#: Places and ways with water beside them.
SHORES = frozenset({"river", "lake", "sea"})
