"""Battles of columns that met in boats: where they land to fight."""

from typing import Any

from campaign.models import Battle
from campaign.rules.map.atlas import WATER_KINDS, Atlas
from campaign.text.place_names import CampaignNames


def landing_text(battle: Battle, atlas: Atlas, names: CampaignNames) -> str:
    """That columns which met on the water land and fight ashore, and where; "" for any other battle."""
    contact: dict[str, Any] = battle.inputs["contact"]
    route = atlas.routes.get(contact.get("route", ""))
    if contact.get("place") or route is None or route.kind not in WATER_KINDS:
        return ""
    return (
        f"The columns met in boats on the {route.kind} between {names.place(route.a)} and "
        f"{names.place(route.b)}. They land and fight on the shore there, so the table is dry land."
    )
