"""The archive of a campaign, for those who may have it (HR-ARC-02)."""

import base64

from campaign.models import Job
from campaign.viewers import DESK, Viewer

#: The kind of job that makes one.
ARCHIVE = "campaign_archive"


def may_archive(viewer: Viewer) -> bool:
    """Whether the viewer may have all there is of a campaign: the umpire, and at its end who has a desk."""
    return viewer.is_chief or (viewer.campaign.dice_told and viewer.role in DESK)


def archive_made(viewer: Viewer) -> bytes | None:
    """The zip of the campaign as it stands; None until it has been made, and for who may not have it."""
    head = viewer.campaign.head
    if head is None or not may_archive(viewer):
        return None
    made = Job.objects.filter(
        campaign=viewer.campaign,
        kind=ARCHIVE,
        state=Job.State.DONE,
        payload__head=head.record_hash,
        payload__told=viewer.campaign.dice_told,
    ).first()
    return base64.b64decode(made.result["file"]) if made is not None and made.result else None
