"""The country a campaign's map is drawn on."""

from campaign.rules.world.world import Theatre
from campaign.scenarios.head import surroundings_of


def base_map(theatre: Theatre) -> dict[str, str]:
    """Static files of the detailed map and of the coarse one around it, "" when there is none."""
    around = surroundings_of(theatre.base_map)
    return {
        "country": _build_file_name(theatre.base_map),
        "surroundings": _build_file_name(around) if around else "",
    }


def _build_file_name(name: str) -> str:
    return f"geo/{name}.geojson"
