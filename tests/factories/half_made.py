"""A campaign half set up, with every page filled in."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from campaign.models import CampaignDraft, User
from campaign.selectors.setup.scenarios import scenario_card

SEATS: list[dict[str, Any]] = [
    {
        "role": "commander",
        "side": "crown",
        "title": "Lieutenant General John Burgoyne",
        "way": "link",
        "whom": "",
        "deputy": {"way": "mail", "whom": "phillips@example.org"},
    },
    {
        "role": "column",
        "side": "crown",
        "title": "The advance",
        "way": "link",
        "whom": "",
        "formations": ["advanced_corps", "reserve_corps"],
    },
    {"role": "commander", "side": "rebel", "title": "Major General Horatio Gates", "way": "", "whom": ""},
]


def half_made(user: User, scenario: str = "saratoga-1777") -> CampaignDraft:
    """The draft; nobody commands the rebels yet, and two options are otherwise."""
    card = scenario_card(scenario)
    assert card is not None
    until = timezone.now() + timedelta(days=9)
    body = {
        "scenario": {"slug": scenario, "digest": card.digest, "bare": False},
        "name": {"title": "Saratoga on Thursdays", "slug": "saratoga-on-thursdays"},
        "seats": {"seats": SEATS, "days": 7, "spectator_side": ""},
        "rules": {"settings": {"couriers": "true", "road_miles": "14", "supply": "food"}},
        "clock": {
            "time_zone": "Europe/London",
            "cadence_days": 7,
            "days_a_turn": 7,
            "until": f"{until:%Y-%m-%d}T20:00",
        },
        "battles": {"battle_policy": "table", "table_units": 16, "ruleset": "awi"},
    }
    kept = dict.fromkeys(body, 1)
    return CampaignDraft.objects.create(user=user, body={**body, "kept": kept})
