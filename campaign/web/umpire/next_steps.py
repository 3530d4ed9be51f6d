"""The umpire's next step: resolve, wait or advance; and the battles that wait (HR-CAL)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from battles.grammar import Subject
from campaign.models import Battle, BattleEntry, Job, find_time_zone, format_time_zone
from campaign.selectors.battles.battles import BattleRow
from campaign.services.turns.clock import overdue_since
from campaign.web.campaign_page import CampaignPage
from campaign.web.umpire.orders_table import SideOrders

#: How a battle that waits is to be settled, in words.
WAYS: dict[str, str] = {
    Battle.Way.ENGINE: "the engine is to fight it",
    Battle.Way.TABLE: "to be fought on the table",
    Battle.Way.WORD: "the umpire decides it",
}
GOING = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class NextStep:
    """The umpire's next step. `kind` is over, rest, job, settle, wait or advance; `url` is the page for
    it.
    """

    kind: str
    told: str
    word: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A battle that waits: how it is to be settled, who has entered a result, and where to go.

    `news` are the results that are in, without those begun.
    """

    row: BattleRow
    way: str
    entered: str
    url: str
    news: str = ""


def find_address(name: str, *args: object) -> str:
    """The address of a page, "" when the site has no such page."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


def battles_waiting(desk: CampaignPage) -> list[Waiting]:
    """The battles that wait, the earliest first, with the results entered for them."""
    rows = sorted(
        (row for row in desk.battles if row.waiting), key=lambda row: (row.battle.day, row.battle.pk)
    )
    entries: dict[int, list[BattleEntry]] = {}
    if rows:
        found = BattleEntry.objects.filter(battle__in=[row.battle.pk for row in rows]).defer("body")
        for entry in found.order_by("side"):
            entries.setdefault(entry.battle_id, []).append(entry)
    return [_build_waiting(desk, row, entries.get(row.battle.pk, [])) for row in rows]


def _build_waiting(desk: CampaignPage, row: BattleRow, entries: Sequence[BattleEntry]) -> Waiting:
    entered = [entry for entry in entries if entry.state == BattleEntry.State.ENTERED]
    begun = [entry for entry in entries if entry.state != BattleEntry.State.ENTERED]
    news = [f"{_build_subject(desk, entry):has} entered a result" for entry in entered]
    words = news + [f"{_build_subject(desk, entry):has} begun to" for entry in begun]
    args = (desk.campaign.slug, row.battle.pk)
    url = (entered and find_address("battle-compare", *args)) or reverse("battle", args=args)
    return Waiting(row, WAYS.get(row.battle.way, ""), "; ".join(words), url, "; ".join(news))


def _build_subject(desk: CampaignPage, entry: BattleEntry) -> Subject:
    return Subject(desk.names.side(entry.side) if entry.side else "the umpire")


def next_step(
    desk: CampaignPage, sides: Sequence[SideOrders], waiting: Sequence[Waiting], job: Job | None
) -> NextStep:
    """The chief thing to do now."""
    campaign = desk.campaign
    if desk.world.ended:
        book = find_address("campaign-book", campaign.slug)
        return NextStep("over", "The campaign is over.", "The book of the campaign" if book else "", book)
    if campaign.paused:
        page = reverse("week-desk", args=[campaign.slug])
        return NextStep(
            "rest", f"The campaign rests: {campaign.paused}", "Let it go on", f"{page}?act=pause#acts"
        )
    if job is not None and job.state in GOING:
        return NextStep("job", "Wait until the day is played.")
    if waiting:
        first = waiting[0]
        many = f"{len(waiting)} battles wait" if len(waiting) > 1 else "A battle waits"
        news = "".join(f" {each.row.title}: {each.news}." for each in waiting if each.news)
        return NextStep("settle", f"{many} to be settled.{news}", f"Settle the {first.row.title}", first.url)
    return _find_orders_step(desk, sides)


def _find_orders_step(desk: CampaignPage, sides: Sequence[SideOrders]) -> NextStep:
    """Wait for orders, or play the day."""
    campaign, deadline = desk.campaign, desk.campaign.deadline
    unheard = [side for side in sides if side.state == "awaited"]
    missing = " and ".join(side.name for side in unheard)
    if overdue_since(campaign):
        return NextStep("advance", "The deadline has passed; play the day.")
    if deadline is not None and campaign.advance_at_deadline:
        return NextStep("wait", f"The day is played by itself at the deadline, {format_span(deadline)}.")
    if unheard:
        due = f"Orders are due {format_span(deadline)}." if deadline is not None else "There is no deadline."
        return NextStep("wait", f"Nothing has come in from {missing} yet. {due}")
    refused = sum(side.refusal_count for side in sides)
    but = f", and the morning will refuse {refused} order{'s' * (refused > 1)}" if refused else ""
    if deadline is not None:
        still = f"they may still change their minds until {format_deadline(desk)}"
        return NextStep("advance", f"{_describe_orders_received(sides)}{but}; {still}.")
    return NextStep("advance", f"{_describe_orders_received(sides)}{but}.")


def _describe_orders_received(sides: Sequence[SideOrders]) -> str:
    """Describe the orders received: the sides, and the number of formations of each."""
    heard = [side for side in sides if side.state == "heard"]
    silent = " and ".join(side.name for side in sides if side.state != "heard")
    counts = ", ".join(f"{side.name} for {side.formations_text}" for side in heard)
    if not silent:
        return f"Both sides have sent orders: {counts}"
    if not heard:
        return f"The staff writes for {silent}"
    return f"Orders have come in: {counts}; the staff writes for {silent}"


def format_deadline(desk: CampaignPage) -> str:
    """The deadline by the reader's clock, which is named."""
    assert desk.campaign.deadline is not None
    zone = find_time_zone(desk.viewer.user, desk.campaign)
    return f"{desk.campaign.deadline.astimezone(zone):%-d %B, %H:%M} ({format_time_zone(zone)})"


def format_span(then: datetime, now: datetime | None = None) -> str:
    """Format the distance to a moment: "in 3 hours", "2 days ago"."""
    apart = then - (now or timezone.now())
    past, apart = apart < timedelta(), abs(apart)
    if apart < timedelta(minutes=2):
        words = "a minute"
    elif apart < timedelta(hours=2):
        words = f"{apart // timedelta(minutes=1)} minutes"
    elif apart < timedelta(days=2):
        words = f"{apart // timedelta(hours=1)} hours"
    else:
        words = f"{apart // timedelta(days=1)} days"
    return f"{words} ago" if past else f"in {words}"
