"""What the umpire's desk lays on the map besides: the days of marches, and the day as it was tried out."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaign.rules.map.atlas import Atlas
from campaign.rules.world.markers import Position
from campaign.rules.world.world import World
from campaign.selectors.map.geojson import MARGIN, find_coordinates
from campaign.selectors.umpire.corrections import DryRun
from campaign.text.place_names import CampaignNames
from campaign.web.umpire.orders_table import DeskRow

Feature = dict[str, Any]


def march_halts(rows: Iterable[DeskRow]) -> Iterator[Feature]:
    """The nights and the end of each ordered march, with the date and what a forced day may cost."""
    for row in rows:
        if row.march is None:
            continue
        for mark in row.march.marks:
            lat, lon = mark["at"]
            yield _build_point(
                "halt",
                [lon, lat],
                kind=mark["kind"],
                word=mark["word"],
                loss=mark["loss"],
                tint=row.overview.orders.tint,
                name=row.overview.orders.seen.name,
            )


def trial_features(run: DryRun | None, world: World, names: CampaignNames) -> list[Feature]:
    """Arrows from morning to evening and swords where battles are expected, of a trial that still counts."""
    if run is None or run.stale or not run.found:
        return []
    atlas = world.theatre.atlas
    moves = (_build_move(row, world, atlas, names) for row in run.found["moves"])
    battles = zip(run.found["battles"], run.battles, strict=True)
    return [
        *(move for move in moves if move is not None),
        *(_build_expected(row, words, atlas) for row, words in battles if not row.get("settled")),
    ]


def bounds_of(rows: Iterable[DeskRow], features: Iterable[Feature], otherwise: list[Any]) -> list[Any]:
    """South-west and north-east corner, latitude first, of all that is under orders or moves in the trial."""
    spots = [(lat, lon) for row in rows if row.march for lat, lon in json.loads(row.march.path_json)]
    for feature in features:
        at = feature["geometry"]["coordinates"]
        spots += [(lat, lon) for lon, lat in (at if feature["geometry"]["type"] == "LineString" else [at])]
    if not spots:
        return otherwise
    lats, lons = zip(*spots, strict=True)
    return [
        [min(lats) - MARGIN / 2, min(lons) - MARGIN],
        [max(lats) + MARGIN / 2, max(lons) + MARGIN],
    ]


def _build_move(row: Mapping[str, Any], world: World, atlas: Atlas, names: CampaignNames) -> Feature | None:
    """An arrow; None for a body that came on the map, or left it."""
    if row["from"] is None or row["to"] is None:
        return None
    formation = world.formations.get(row["formation"])
    ends = [find_coordinates(Position(**row[end]), atlas) for end in ("from", "to")]
    return {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": ends},
        "properties": {
            "feature": "move",
            "tint": names.tint(formation.side) if formation is not None else "",
            "name": f"{names.formation(row['formation'])}, as tried out",
        },
    }


def _build_expected(row: Mapping[str, Any], words: str, atlas: Atlas) -> Feature:
    if row["place"]:
        spot = Position(place=row["place"])
    else:
        route = atlas.routes[row["route"]]
        yards = row.get("yards", route.yards // 2)
        spot = Position(route=route.id, origin=route.a, destination=route.b, yards=yards)
    return _build_point("expected", find_coordinates(spot, atlas), name=words)


def _build_point(feature: str, at: list[float], **properties: Any) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": at},
        "properties": {"feature": feature, **properties},
    }
