"""Visits: the time of a person's last look at a campaign, so that their page can show what happened since."""

from django.core.cache import cache
from django.utils import timezone

from campaign.fog.visibility import Viewer
from campaign.models import Visit

#: Seconds within which the same morning looked at again is not written again.
SAME_VISIT = 3600


def visit_note(viewer: Viewer) -> None:
    """Keep that the viewer has seen the campaign as it stands: one write, and none while nothing is new."""
    head = viewer.campaign.head_id
    key = f"visit/{viewer.user.pk}/{viewer.campaign.pk}"
    if head is None or cache.get(key) == head:
        return
    row = Visit(user=viewer.user, campaign=viewer.campaign, record=head, seen_at=timezone.now())
    Visit.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["user", "campaign"],
        update_fields=["record", "seen_at"],
    )
    cache.set(key, head, SAME_VISIT)
