"""An earlier morning as one reads it now: what the viewer's side knew then, never what it learned since."""

import hashlib
from functools import cached_property

from django.http import Http404

from campaign.fog.visibility import Viewer, build_viewer_world
from campaign.ledger.provisional_days import days_ahead
from campaign.models import ProvisionalDay
from campaign.selectors.battles.battles import BattleRow, battle_rows
from campaign.selectors.campaign_context import Reading
from campaign.selectors.orders.orders import SidePapers
from campaign.selectors.turns.mornings import RecordedMorning, morning_find, morning_world, papers_then
from campaign.selectors.turns.provisional_days import ProvisionalPlay

#: Raised when the map says other things of the same records, so that no browser shows what it kept.
EDITION = 2


class PastReading(Reading):
    """A campaign as it lay on a morning gone by. Nothing can be ordered then."""

    def __init__(self, viewer: Viewer, morning: RecordedMorning) -> None:
        super().__init__(viewer)
        self.morning = morning
        self.world = build_viewer_world(viewer, morning_world(viewer.campaign, morning))

    @property
    def past(self) -> bool:
        return True

    @cached_property
    def ahead(self) -> ProvisionalPlay:
        return ProvisionalPlay()

    @cached_property
    def papers(self) -> SidePapers:
        return papers_then(self.viewer, self.morning.day)

    @cached_property
    def battles(self) -> list[BattleRow]:
        """Battles that had been fought by then."""
        rows = battle_rows(self.viewer, self.world, self.names)
        return [row for row in rows if row.battle.day < self.morning.day]


class Mornings:
    """The mornings the viewer may look back to, numbered from 1 as the campaign's calendar counts days."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self.campaign = viewer, viewer.campaign

    @cached_property
    def ahead(self) -> list[ProvisionalDay]:
        return [] if self.viewer.looks_on else days_ahead(self.campaign)

    @property
    def latest(self) -> int:
        if self.viewer.day_limit is not None:
            return self.viewer.day_limit + 1
        return self.campaign.day + len(self.ahead) + 1

    def find_morning(self, number: int | None) -> RecordedMorning | None:
        """The morning of this number, None for the latest. Raises Http404 where there is none."""
        if number == self.latest:
            return None
        found = (
            morning_find(self.campaign, number - 1, self.ahead) if number and number < self.latest else None
        )
        if found is None:
            raise Http404(f"There is no such morning: ask for a day from 1 to {self.latest}.")
        return found


def compute_morning_etag(viewer: Viewer, morning: RecordedMorning) -> str:
    """Compute the ETag of a past morning for this viewer; "" where the morning may still change."""
    if not morning.key:
        return ""
    seat = (viewer.campaign.slug, viewer.role, viewer.side, *viewer.formations)
    return hashlib.sha256("|".join((str(EDITION), morning.key, *seat)).encode()).hexdigest()
