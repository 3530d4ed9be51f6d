"""Many courses of a campaign as figures: strength, places, battles to expect (HR-FRC-01)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.rules.victory.victory import objective_points
from campaign.rules.world.world import World
from campaign.text.place_names import CampaignNames, names_of

#: Percent of the runs below each edge of a band.
BAND = (10, 50, 90)

Run = Mapping[str, Any]
#: Runs counted, as `runs_tally` gives them.
Tally = Mapping[str, Any]


def compute_percentile(values: Sequence[int], percent: int) -> int:
    """The least value with at least so many percent of the values at or below it."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def compute_band(values: Sequence[int]) -> dict[str, int]:
    """The 10, 50 and 90 % points of some values."""
    return {f"p{percent}": compute_percentile(values, percent) for percent in BAND}


def forecast_figures(world: World, weeks: int, runs: Sequence[Run]) -> dict[str, Any]:
    """Figures of runs that began on the morning of `world`; shares are of all runs, from 0 to 1."""
    return join_figures(world, weeks, [runs_tally(world, weeks, runs)])


def runs_tally(world: World, weeks: int, runs: Sequence[Run]) -> dict[str, Any]:
    """Tally some of the runs as whole numbers and JSON values; `join_figures` joins several tallies."""
    sides = [side.id for side in world.theatre.sides]
    battles = [[one for one in run["battles"] if not one["tiny"]] for run in runs]
    return {
        "runs": len(runs),
        "points": {
            side: [[run["weeks"][week]["points"][side] for run in runs] for week in range(weeks + 1)]
            for side in sides
        },
        "objectives": {side: [run["weeks"][weeks]["objectives"][side] for run in runs] for side in sides},
        "held": [
            {
                place: dict(Counter(run["weeks"][week]["holders"].get(place, "") for run in runs))
                for place in world.theatre.atlas.places
            }
            for week in range(1, weeks + 1)
        ],
        "battles": [
            [sum((one["day"] - world.day) // 7 == week for one in fought) for fought in battles]
            for week in range(weeks)
        ],
        "small": sum(one["tiny"] for run in runs for one in run["battles"]),
        "where": dict(Counter(where for fought in battles for where in {one["where"] for one in fought})),
    }


def join_figures(world: World, weeks: int, tallies: Sequence[Tally]) -> dict[str, Any]:
    """Join the tallies of all runs into the figures of a forecast; the order and the workers of the runs
    do not matter.
    """
    names = names_of(world)
    runs = sum(tally["runs"] for tally in tallies)
    return {
        "day": world.day,
        "weeks": weeks,
        "runs": runs,
        "sides": [
            {
                "id": side.id,
                "name": side.name,
                "points": [
                    compute_band([value for tally in tallies for value in tally["points"][side.id][week]])
                    for week in range(weeks + 1)
                ],
                "objectives": compute_band(
                    [value for tally in tallies for value in tally["objectives"][side.id]]
                ),
            }
            for side in world.theatre.sides
        ],
        "places": _list_place_figures(world, weeks, tallies, names),
        "battles": _build_battle_figures(world, weeks, tallies, names),
    }


def _list_place_figures(
    world: World, weeks: int, tallies: Sequence[Tally], names: CampaignNames
) -> list[dict[str, Any]]:
    """Objectives first, then other places that may change hands, each with the chances week by week."""
    worth = objective_points(world.theatre)
    rows = []
    for place in world.theatre.atlas.places:
        now = world.holders.get(place, "")
        held = [_compute_shares([tally["held"][week][place] for tally in tallies]) for week in range(weeks)]
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


def _compute_shares(counts: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Share of the runs in which each side holds a place; "" is nobody."""
    counted = _add_counts(counts)
    return {side: counted[side] / counted.total() for side in sorted(counted)}


def _add_counts(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total


def _build_battle_figures(
    world: World, weeks: int, tallies: Sequence[Tally], names: CampaignNames
) -> dict[str, Any]:
    """Battles a week, tiny fights apart, and where they are fought, the likeliest first."""
    runs = sum(tally["runs"] for tally in tallies)
    by_week = [[count for tally in tallies for count in tally["battles"][week]] for week in range(weeks)]
    fought = _add_counts(tally["where"] for tally in tallies)
    ranked = sorted(fought.items(), key=lambda item: (-item[1], item[0]))
    return {
        "weeks": [{"mean": sum(counts) / runs, **compute_band(counts)} for counts in by_week],
        "small_fights": sum(tally["small"] for tally in tallies) / runs,
        "where": [
            {
                "id": where,
                "name": names.place(where) if where in world.theatre.atlas.places else names.route(where),
                "share": count / runs,
            }
            for where, count in ranked
        ],
    }
