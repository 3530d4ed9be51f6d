"""The weekly gazette of a viewer: only what stands in the journal he may read."""

from campaign.fog.visibility import Viewer, journal_for
from campaign.ledger.journal import event_from_entry
from campaign.rules.world.world import World
from campaign.selectors.press.journal import mark_of
from campaign.text.gazette import DAYS_A_WEEK, PRINTED, Gazette, GazetteItem, compose_gazette
from campaign.text.place_names import CampaignNames


def latest_week(world: World) -> int:
    """The week of the last day that was played, 1 for the first."""
    return max(world.day - 1, 0) // DAYS_A_WEEK + 1


def find_gazette(viewer: Viewer, world: World, names: CampaignNames, week: int) -> Gazette | None:
    """The paper of a week, in one query; None for a week that has not begun."""
    if not 1 <= week <= latest_week(world):
        return None
    first = (week - 1) * DAYS_A_WEEK
    entries = journal_for(viewer).filter(
        day__gte=first, day__lt=first + DAYS_A_WEEK, kind__in=sorted(PRINTED)
    )
    items = [
        GazetteItem(entry.day, mark_of(entry.day, event), event)
        for entry in entries.order_by("day", "record_id", "ordinal")
        for event in [event_from_entry(entry)]
    ]
    return compose_gazette(world.theatre, "" if viewer.sees_all else viewer.side, week, items, names)
