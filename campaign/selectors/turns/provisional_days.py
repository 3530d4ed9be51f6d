"""Days that have run on while a battle waits, and who waits with it, cut to the viewer (HR-CAL-10, 11)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from campaign.fog.visibility import Viewer, provisional_events
from campaign.models import Campaign, ProvisionalDay
from campaign.rules.world.world import World, present_units
from campaign.selectors.battles.battles import BattleRow
from campaign.selectors.press.journal import JournalDay, build_journal_day
from campaign.text.place_names import CampaignNames

#: What the umpire's button says, by what the campaign's turns run until.
TURNS: Mapping[str, str] = {
    Campaign.RunUntil.CONTACT: "Play on until a contact",
    Campaign.RunUntil.SIGHTING: "Play on until a contact or a sighting",
    Campaign.RunUntil.WEEK: "Play on to the end of the week",
}


@dataclass(frozen=True, slots=True)
class Waiter:
    """A formation that waits for the outcome of battles."""

    id: str
    name: str
    tint: str
    battles: tuple[BattleRow, ...]

    @property
    def unsettled_battles(self) -> tuple[BattleRow, ...]:
        """Those of its battles that are not settled yet."""
        return tuple(row for row in self.battles if row.waiting)


@dataclass(frozen=True, slots=True)
class ProvisionalPlay:
    """The provisional days, newest first, and the viewer's own formations that wait."""

    days: tuple[JournalDay, ...] = ()
    waiters: tuple[Waiter, ...] = ()

    @property
    def outcome_in(self) -> bool:
        """True when every battle that the viewer's own formations wait for is settled, so that only the
        day has to be played.
        """
        return bool(self.waiters) and all(row.battles and not row.unsettled_battles for row in self.waiters)

    @property
    def first(self) -> date | None:
        return self.days[-1].date if self.days else None

    @property
    def last(self) -> date | None:
        return self.days[0].date if self.days else None

    @property
    def waiting_formations(self) -> frozenset[str]:
        return frozenset(waiter.id for waiter in self.waiters)


def build_provisional_play(
    viewer: Viewer,
    world: World,
    names: CampaignNames,
    days: Sequence[ProvisionalDay],
    locked: Mapping[str, tuple[str, ...]],
    battles: Iterable[BattleRow],
) -> ProvisionalPlay:
    """The days that have run on, and who is `locked` by which contacts, as the viewer may know it."""
    rows = {row.battle.contact: row for row in battles if row.battle.revision == viewer.campaign.revision}
    present = present_units(world)
    waiters = [
        Waiter(
            key,
            names.formation(key),
            names.tint(world.formations[key].side),
            tuple(rows[contact] for contact in contacts if contact in rows),
        )
        for key, contacts in sorted(locked.items(), key=lambda pair: names.formation(pair[0]))
        if key in present and (viewer.is_umpire or world.formations[key].side == viewer.side)
    ]
    shown = [
        build_journal_day(
            world.theatre.start + timedelta(days=day.day), day.day, provisional_events(viewer, day), names
        )
        for day in reversed(days)
    ]
    return ProvisionalPlay(tuple(shown), tuple(waiters))


def may_advance_one_day(campaign: Campaign, days: int, waits: bool) -> bool:
    """True when the umpire gets a button for one day beside the one for the turn; `days` is the number of
    provisional days.
    """
    return not waits and not days and (campaign.run_until in TURNS or campaign.days_a_turn > 1)


def turn_words(campaign: Campaign, days: int, waits: bool) -> str:
    """Name the days that the umpire's button plays; `days` is the number of provisional days."""
    if waits:
        return "Let the others play a day" if not days else "Let the others play one more day"
    if days:
        return "Play the days with the outcome"
    if campaign.run_until in TURNS:
        return TURNS[campaign.run_until]
    return "Advance a day" if campaign.days_a_turn == 1 else f"Advance {campaign.days_a_turn} days"
