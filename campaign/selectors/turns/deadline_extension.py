"""Text on the extra time after an outage, for everybody (HR-DUE-12)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from campaign.models import Grace, format_time_zone


def grace_text(grace: Grace, zone: ZoneInfo) -> str:
    """Describe the outage and the extra time, with moments by one named clock."""
    since, clock = _format_moment(grace.since, zone), format_time_zone(zone)
    if grace.cause == Grace.RESTORE:
        return (
            f"The site was put back to its state of {since} ({clock}). What was sent after that is lost: "
            "look at your orders, and send again what is missing."
        )
    return (
        f"The site was not fully running from {since} to {_format_moment(grace.to, zone)} ({clock}), "
        "so what was "
        "due then has more time."
    )


def _format_moment(moment: datetime, zone: ZoneInfo) -> str:
    at = moment.astimezone(zone)
    return f"{at.day} {at:%B, %H:%M}"
