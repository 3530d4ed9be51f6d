"""Sightings of the enemy in words: the observer, the time, the estimated strength (HR-FOG)."""

from datetime import timedelta

from campaign.rules.scouting.knowledge import Sighting
from campaign.rules.world.world import Theatre
from campaign.text.place_names import CampaignNames

#: Who saw an enemy, by the source of the report.
SEEN_BY = {"column": "seen by {by}", "post": "seen by {by}", "country": "country people say",
    "battle": "met in battle", "courier": "by courier from {by}"}  # fmt: skip


def describe_observer(source: str, by: str, names: CampaignNames) -> str:
    """Describe the observer of an enemy."""
    who = names.formations.get(by) or names.place(by)
    return SEEN_BY.get(source, "").format(by=who)


def sighting_text(sighting: Sighting, theatre: Theatre, names: CampaignNames) -> str:
    """Describe the last sighting of an enemy: time and observer."""
    who = describe_observer(sighting.source, sighting.by, names)
    if sighting.in_sight:
        return f"In sight{f', {who}' if who else ''}"
    date = theatre.start + timedelta(days=sighting.day)
    clock = f"{sighting.minute // 60}:{sighting.minute % 60:02d}" if sighting.minute < 1440 else "nightfall"
    return f"Last seen on {date.day} {date:%B} at {clock}{f', {who}' if who else ''}"


def strength_text(sp: int, error: int) -> str:
    """An enemy's strength in words: an estimate, and how far it may be out (HR-FOG-05)."""
    return f"about {sp} SP" + (f", give or take {error} %" if error else "")
