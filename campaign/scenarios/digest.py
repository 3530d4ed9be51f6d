"""A digest of what a replay of a campaign depends on besides its own records (HR-SET-03)."""

import hashlib

from campaign.rules.world.world import Theatre
from campaign.rules.world.world_json import to_canonical_json


def theatre_digest(theatre: Theatre) -> str:
    """SHA-256 over what the days of a campaign are reckoned from, in hexadecimal.

    That is the calendar, the sides, the map, the muster and supply places and the weather. Units,
    formations, holders and settings are left out: a campaign has its own since its first record.
    So are titles, notes, coordinates, colours and leaders, which no rule reads, and objectives,
    which steer the staff of days to come. The fields are named one by one, so that a new field of
    a later version does not stop campaigns under way.
    """
    atlas = theatre.atlas
    told = {
        "id": theatre.id,
        "start": theatre.start.isoformat(),
        "end": theatre.end.isoformat(),
        "sides": [side.id for side in theatre.sides],
        "places": [
            # Names too: formations raised on the way are called after places.
            [place.id, place.name, place.terrain, place.fortification, place.port]
            for _, place in sorted(atlas.places.items())
        ],
        "routes": [
            [
                route.id,
                route.a,
                route.b,
                route.kind,
                route.yards,
                route.terrain,
                route.crossing,
                route.wheeled,
                route.flow,
            ]
            for _, route in sorted(atlas.routes.items())
        ],
        "musters": {nation: list(places) for nation, places in theatre.musters.items()},
        "supply": {side: list(places) for side, places in theatre.supply.items()},
        "weather": [
            [item.start.isoformat(), item.end.isoformat(), item.fair, item.rain, item.storm, item.fog]
            for item in theatre.weather
        ],
        "recorded_weather": {day.isoformat(): name for day, name in theatre.recorded_weather.items()},
    }
    return hashlib.sha256(to_canonical_json(told)).hexdigest()
