"""The campaign, its days, journal, orders, battles, seats and jobs.

Rows of `Station`, `Holding` and the rosters are the state of the head day, and together make the
pure `World` (see `campaign/ledger/world_rows.py`). Day records form a tree keyed by campaign, revision and
day, each with its parent's hash; nothing is deleted.
"""

from campaign.models.accounts import Invitation, InvitationKept, MailWaiting, Visit
from campaign.models.archives import KeptScenario, Restoration
from campaign.models.audit import AuditEntry
from campaign.models.battles import BattleEntry, BattlePhoto
from campaign.models.campaigns import Campaign, Grace, User, new_secret
from campaign.models.day_records import (
    Battle,
    BattleReplay,
    DayRecord,
    JournalEntry,
    ProvisionalDay,
    RowDigest,
)
from campaign.models.dispatches import Letter, LetterCopy
from campaign.models.jobs import Fault, Heartbeat, Job, OrderPaper, PaperCount, WorkTime
from campaign.models.notifications import CalendarFeed, Delivery, Notice, NoticeChannel
from campaign.models.press import Bulletin, CampaignDraft
from campaign.models.scenarios import UploadedScenario
from campaign.models.seats import (
    Absence,
    Seat,
    Tenure,
    clock_time,
    find_person_time_zone,
    find_time_zone,
    format_time_zone,
    local_date,
)
from campaign.models.tokens import ApiToken, IdempotencyKey
from campaign.models.world import Holding, Marker, Station

__all__ = [
    "Absence",
    "ApiToken",
    "AuditEntry",
    "Battle",
    "BattleEntry",
    "BattlePhoto",
    "BattleReplay",
    "Bulletin",
    "CalendarFeed",
    "Campaign",
    "CampaignDraft",
    "DayRecord",
    "Delivery",
    "Fault",
    "Grace",
    "Heartbeat",
    "Holding",
    "IdempotencyKey",
    "Invitation",
    "InvitationKept",
    "Job",
    "JournalEntry",
    "KeptScenario",
    "Letter",
    "LetterCopy",
    "MailWaiting",
    "Marker",
    "Notice",
    "NoticeChannel",
    "OrderPaper",
    "PaperCount",
    "ProvisionalDay",
    "Restoration",
    "RowDigest",
    "Seat",
    "Station",
    "Tenure",
    "UploadedScenario",
    "User",
    "Visit",
    "WorkTime",
    "clock_time",
    "find_person_time_zone",
    "find_time_zone",
    "format_time_zone",
    "local_date",
    "new_secret",
]  # fmt: skip
