"""Many courses of a campaign as figures: strength, places, battles to expect (HR-FRC-01)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.names import Names, names_of
from campaign.rules.scoring import objective_points
from campaign.rules.world import World

#: Percent of the runs below each edge of a band.
BAND = (10, 50, 90)

Run = Mapping[str, Any]


def percentile(values: Sequence[int], percent: int) -> int:
    """The least value with at least so many percent of the values at or below it."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def band(values: Sequence[int]) -> dict[str, int]:
    """The 10, 50 and 90 % points of some values."""
    return {f"p{percent}": percentile(values, percent) for percent in BAND}


def forecast_figures(world: World, weeks: int, runs: Sequence[Run]) -> dict[str, Any]:
    """Figures of runs that began on the morning of `world`; shares are of all runs, from 0 to 1."""
    names = names_of(world)
    return {
        "day": world.day,
        "weeks": weeks,
        "runs": len(runs),
        "sides": [
            {
                "id": side.id,
                "name": side.name,
                "points": [
                    band([run["weeks"][week]["points"][side.id] for run in runs]) for week in range(weeks + 1)
                ],
                "objectives": band([run["weeks"][weeks]["objectives"][side.id] for run in runs]),
            }
            for side in world.theatre.sides
        ],
        "places": _places(world, weeks, runs, names),
        "battles": _battles(world, weeks, runs, names),
    }


def _places(world: World, weeks: int, runs: Sequence[Run], names: Names) -> list[dict[str, Any]]:
    """Objectives first, then other places that may change hands, each with the chances week by week."""
    worth = objective_points(world.theatre)
    rows = []
    for place in world.theatre.atlas.places:
        now = world.holders.get(place, "")
        held = [
            _shares([run["weeks"][week]["holders"].get(place, "") for run in runs])
            for week in range(1, weeks + 1)
        ]
        if place in worth or any(shares.get(now) != 1.0 for shares in held):
            rows.append(
                {
                    "id": place,
                    "name": names.place(place),
                    "objective": worth.get(place, 0),
                    "now": now,
                    "held": held,
                }
            )
    return sorted(rows, key=lambda row: (-row["objective"], row["name"]))


def _shares(holders: Sequence[str]) -> dict[str, float]:
    """Share of the runs in which each side holds a place; "" is nobody."""
    counted = Counter(holders)
    return {side: counted[side] / len(holders) for side in sorted(counted)}


def _battles(world: World, weeks: int, runs: Sequence[Run], names: Names) -> dict[str, Any]:
    """Battles a week, tiny fights apart, and where they are fought, the likeliest first."""
    by_week = [
        [
            sum(not one["tiny"] and (one["day"] - world.day) // 7 == week for one in run["battles"])
            for run in runs
        ]
        for week in range(weeks)
    ]
    tiny = sum(one["tiny"] for run in runs for one in run["battles"])
    fought = Counter(
        where for run in runs for where in {one["where"] for one in run["battles"] if not one["tiny"]}
    )
    ranked = sorted(fought.items(), key=lambda item: (-item[1], item[0]))
    return {
        "weeks": [{"mean": sum(counts) / len(runs), **band(counts)} for counts in by_week],
        "small_fights": tiny / len(runs),
        "where": [
            {
                "id": where,
                "name": names.place(where) if where in world.theatre.atlas.places else names.route(where),
                "share": count / len(runs),
            }
            for where, count in ranked
        ],
    }
