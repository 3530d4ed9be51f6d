"""Where and when: the campaign, its days, journal, orders, battles, seats and jobs.

Rows of `Station`, `Holding` and the rosters are the state of the head day, and together make the
pure `World` (see `campaign/state.py`). Day records form a tree keyed by campaign, revision and
day, each with its parent's hash; nothing is deleted.
"""

from campaign.models.campaigns import Campaign, User, new_secret
from campaign.models.course import Battle, BattleReplay, DayRecord, JournalEntry, ProvisionalDay
from campaign.models.letters import Letter, LetterCopy
from campaign.models.people import Invitation, InvitationKept, Visit
from campaign.models.reports import Bulletin, CampaignDraft
from campaign.models.seats import Absence, Seat, Tenure, clock_of, local_date
from campaign.models.tabletop import BattleEntry, BattlePhoto
from campaign.models.theatre import Holding, Marker, Station
from campaign.models.work import Heartbeat, Job, Notice, OrderPaper, PaperCount

__all__ = [
    "Absence", "Battle", "BattleEntry", "BattlePhoto", "BattleReplay", "Bulletin", "Campaign",
    "CampaignDraft", "DayRecord", "Heartbeat", "Holding", "Invitation", "InvitationKept", "Job",
    "JournalEntry", "Letter", "LetterCopy", "Marker", "Notice", "OrderPaper", "PaperCount",
    "ProvisionalDay", "Seat", "Station", "Tenure", "User", "Visit", "clock_of", "local_date", "new_secret",
]  # fmt: skip
