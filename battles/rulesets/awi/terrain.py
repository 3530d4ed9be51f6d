"""Costs of ground for each class of troops, and the strength of structures. No numba here."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from battles.engine.survey import GroundSpot, Terrain
from battles.files.schema import Feature

#: Share of its speed a class keeps; None where it cannot go.
Factor = Fraction | None
_ALL, _TWO, _ONE = Fraction(1), Fraction(2, 3), Fraction(1, 3)

#: Close order foot, open order foot, mounted, wheeled (AWI-T-TER-01).
ROUGH_GROUND: tuple[Factor, ...] = (_TWO, _ALL, _TWO, _ONE)
GENTLE_SLOPE: tuple[Factor, ...] = (_TWO, _ALL, _TWO, _ONE)
STEEP_SLOPE: tuple[Factor, ...] = (_ONE, _TWO, _ONE, None)
OPEN_WOODS: tuple[Factor, ...] = (_TWO, _ALL, _TWO, _TWO)
DENSE_WOODS: tuple[Factor, ...] = (_ONE, _TWO, None, None)
#: AWI-T-TER-05.
SWAMP: tuple[Factor, ...] = (_TWO, _ALL, None, None)
#: AWI-T-TER-04.
DENSE_WOODS_ON_STEEP_SLOPE: tuple[Factor, ...] = (None, _TWO * _TWO, None, None)
LEVEL: tuple[Factor, ...] = (_ALL, _ALL, _ALL, _ALL)
BARRED: tuple[Factor, ...] = (None, None, None, None)

SLOPES = (LEVEL, GENTLE_SLOPE, STEEP_SLOPE, BARRED)
ROUGHNESS = (LEVEL, ROUGH_GROUND, SWAMP)

#: Structure SP, of works and bridges by 100 mm (AWI-T-FOR-01). The rules give fences and walls none:
#: theirs are those of soft and of hard cover (AWI-T-TER-11, AWI-T-FIR-11).
STRENGTHS: dict[tuple[str, str], int] = {
    ("bridge", "wood"): 3,
    ("bridge", "stone"): 6,
    ("small", "wood"): 4,
    ("small", "stone"): 8,
    ("large", "wood"): 6,
    ("large", "stone"): 12,
}
STRENGTH_BY_KIND: dict[str, int] = {"fieldwork": 6, "redoubt": 10, "stockade": 8, "fence": 3, "wall": 6}


def find_full_strength(feature: Feature) -> int:
    """Full SP of a structure, or of each 100 mm of it (AWI-T-FOR-01)."""
    if feature.kind in STRENGTH_BY_KIND:
        return STRENGTH_BY_KIND[feature.kind]
    return STRENGTHS[feature.size if feature.kind == "building" else feature.kind, feature.material]


def _combine_factors(one: Factor, two: Factor) -> Factor:
    """Two kinds of ground on one spot: factors multiply, and what bars goes on barring (AWI-T-TER-03)."""
    return None if one is None or two is None else one * two


def _find_inch_cost(factor: Factor) -> float:
    return 0.0 if factor is None else float(1 / factor)


def find_spread_shares(spot: GroundSpot, options: Mapping[str, Any]) -> tuple[Factor, ...]:
    """Share of its speed each class keeps at a spot, roads left out (AWI-T-TER-01, 03 to 05).

    Nobody crosses water spread out save at a ford, whose cost is that of its stream (AWI-T-TER-09).
    """
    if spot.water:
        return LEVEL if spot.water == 3 else BARRED
    woods: tuple[Factor, ...] = (LEVEL, OPEN_WOODS, DENSE_WOODS)[spot.wood]
    if spot.wood == 1:
        woods = (*OPEN_WOODS[:3], Fraction(options["wheeled_open_woods"]))
    slope = SLOPES[spot.grade]
    if spot.wood == 2 and spot.grade == 2:
        woods, slope = DENSE_WOODS_ON_STEEP_SLOPE, LEVEL
    rough = ROUGHNESS[spot.rough]
    return tuple(_combine_factors(_combine_factors(woods[k], slope[k]), rough[k]) for k in range(4))


def find_column_shares(spot: GroundSpot, options: Mapping[str, Any]) -> tuple[Factor, ...]:
    """Share of its speed each class keeps in column, which a road or a bridge helps (AWI-T-TER-09)."""
    if spot.water == 2:
        return LEVEL
    if spot.road and not spot.water:
        return SLOPES[spot.road - 1]
    return find_spread_shares(spot, options)


def terrain_for(options: Mapping[str, Any]) -> Terrain:
    """The ground as these rules have it, under the options chosen."""

    def costs(spot: GroundSpot) -> tuple[float, ...]:
        return tuple(
            _find_inch_cost(f)
            for f in (*find_spread_shares(spot, options), *find_column_shares(spot, options))
        )

    return Terrain(costs, find_full_strength, ford_free=options["ford_cost"] == "free")
