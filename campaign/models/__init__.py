"""Where and when: the campaign, its days, journal, orders, battles, seats and jobs.

Rows of `Station`, `Holding` and the rosters are the state of the head day, and together make the
pure `World` (see `campaign/state.py`). Day records form a tree keyed by campaign, revision and
day, each with its parent's hash; nothing is deleted.
"""

from campaign.models.access import ApiToken, IdempotencyKey
from campaign.models.archives import KeptScenario, Restoration
from campaign.models.audit import AuditEntry
from campaign.models.campaigns import Campaign, Grace, User, new_secret
from campaign.models.course import Battle, BattleReplay, DayRecord, JournalEntry, ProvisionalDay, RowDigest
from campaign.models.letters import Letter, LetterCopy
from campaign.models.notices import CalendarFeed, Delivery, Notice, NoticeChannel
from campaign.models.people import Invitation, InvitationKept, MailWaiting, Visit
from campaign.models.reports import Bulletin, CampaignDraft
from campaign.models.scenarios import UploadedScenario
from campaign.models.seats import Absence, Seat, Tenure, clock_of, clock_time, local_date, zone_of, zone_words
from campaign.models.tabletop import BattleEntry, BattlePhoto
from campaign.models.theatre import Holding, Marker, Station
from campaign.models.work import Fault, Heartbeat, Job, OrderPaper, PaperCount, WorkTime

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
    "clock_of",
    "clock_time",
    "local_date",
    "new_secret",
    "zone_of",
    "zone_words",
]  # fmt: skip
