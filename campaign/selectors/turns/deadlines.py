"""Deadlines for orders, and the consequences of missing them (HR-DUE)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign.ledger.provisional_days import coming_day
from campaign.models import Campaign, OrderPaper, Seat
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.turns.local_time import moment_at, next_wall, wall_of
from campaign.rules.world.world import World
from campaign.selectors.orders.standing_orders import (
    BEFORE,
    PAPER_COLUMNS,
    ordered_by_people,
    seats_content,
    standing_on,
    under_way,
)

#: Papers that show that somebody was there.
GIVEN = (
    OrderPaper.State.STANDING,
    OrderPaper.State.REPLACED,
    OrderPaper.State.WITHDRAWN,
    OrderPaper.State.CARRIED_OUT,
)


#: Papers by which a side was heard: not the umpire's own (HR-UMP-08), nor the staff's that a rewind made
#: void (HR-UMP-14).
HEARD = (
    Q(state__in=GIVEN)
    & ~Q(kind=OrderPaper.Kind.RETURNS)
    & ~Q(author=OrderPaper.Author.STAFF, state=OrderPaper.State.REPLACED)
    & ~Q(author=OrderPaper.Author.UMPIRE)
)


def rhythm_of(campaign: Campaign) -> Rhythm:
    """The rhythm a campaign has."""
    return Rhythm(**{name: getattr(campaign, name) for name in Rhythm.__dataclass_fields__})


def convert_to_club_time(moment: datetime, campaign: Campaign) -> datetime:
    """Convert a moment to the time zone of the campaign's club."""
    return moment.astimezone(ZoneInfo(campaign.time_zone))


def deadlines_after(campaign: Campaign, now: datetime) -> Iterator[tuple[datetime, time]]:
    """The deadlines that follow the present one by the cadence, each with its hour of the club (HR-DUE-01).

    In the night when summer time skips that hour a deadline is later; those after it are not. Where none
    stands they are reckoned from `now`. Those that passed while nobody played are skipped; without a cadence
    there is none. After a grace they go on from the deadline that it moved (HR-DUE-12).
    """
    if not campaign.cadence_days:
        return
    zone, days = ZoneInfo(campaign.time_zone), campaign.cadence_days
    begins = campaign.cadence_from
    if begins != campaign.deadline:  # after a grace the next is no nearer than a day
        now += timedelta(days=1)
    wall = wall_of(begins or now.replace(second=0, microsecond=0), zone, campaign.deadline_meant)
    while True:
        wall = next_wall(wall, zone, days=days, after=now)
        now = moment_at(wall, zone)
        yield now, wall.time()


def list_commanded_sides(campaign: Campaign) -> set[str]:
    """List the sides with a person in the commander's seat, or a deputy if it is empty (HR-SET-09)."""
    return set(commanded_in([campaign])[campaign.pk])


def commanded_in(campaigns: Iterable[Campaign]) -> dict[int, dict[str, int | None]]:
    """The same of several campaigns, by key, in one query; with the day a commander has nothing new for."""
    found: dict[int, dict[str, int | None]] = {campaign.pk: {} for campaign in campaigns}
    seats = Seat.objects.filter(campaign__in=found, role=Seat.Role.COMMANDER).in_force()
    filled = Q(user__is_active=True) | Q(deputies__user__is_active=True)
    for key, side, day in seats.filter(filled).values_list("campaign", "side", "nothing_new"):
        found[key][side] = day
    return found


def sides_spoken(campaign: Campaign, day: int) -> set[str]:
    """Sides that put in a paper for a day, even one withdrawn since, or whose commander has nothing new."""
    papers = OrderPaper.objects.filter(HEARD, campaign=campaign, day=day)
    found = set(papers.order_by("side").values_list("side", flat=True).distinct())
    return found | sides_content(campaign, day)


def list_heard_sides(campaign: Campaign, day: int, world: World | None = None) -> set[str]:
    """List the sides that gave orders for a day, or whose earlier ones are still under way (HR-DUE-02).

    `world` is that day's morning, if it is known.
    """
    if world is None:
        return sides_spoken(campaign, day) | {
            side for side, _ in standing_on({campaign.pk: day})[campaign.pk]
        }
    return sides_heard_in(campaign, world, sides_content(campaign, day))


def sides_heard_in(campaign: Campaign, world: World, content: Iterable[str]) -> set[str]:
    """The same on a known morning, in one query; `content` are sides whose commander has nothing new."""
    moving = under_way(world)
    today, before = Q(HEARD, day=world.day), Q(BEFORE, day__lt=world.day)
    rows = OrderPaper.objects.filter(today | before if moving else today, campaign=campaign)
    papers = list(rows.order_by("day", "pk").values(*PAPER_COLUMNS))
    spoken = {paper["side"] for paper in papers if paper["day"] == world.day}
    ordered = ordered_by_people(paper for paper in papers if paper["day"] < world.day)
    going = {side for side, formation in moving if (campaign.pk, side, formation) in ordered}
    return spoken | going | set(content)


def sides_content(campaign: Campaign, day: int) -> set[str]:
    """Sides whose commander has said that there is nothing new for a day."""
    seats = seats_content({campaign.pk: day}).filter(role=Seat.Role.COMMANDER)
    return set(seats.values_list("side", flat=True))


def drafts_unsent(campaign: Campaign, day: int) -> QuerySet[OrderPaper]:
    """Drafts of orders for a day: they count for nothing until they are submitted (HR-PAP-02)."""
    drafts = OrderPaper.objects.filter(campaign=campaign, day=day, state=OrderPaper.State.DRAFT)
    return drafts.exclude(kind=OrderPaper.Kind.RETURNS)


def heard_on(days: Mapping[int, int]) -> dict[int, set[tuple[str, str]]]:
    """Sides and formations that have orders of their own people, new or under way, by the keys of campaigns.

    `days` are the campaign days the papers are for, by the same keys.
    """
    found = standing_on(days)
    asked = Q(pk__in=())
    for key, day in days.items():
        asked |= Q(campaign=key, day=day)
    rows = OrderPaper.objects.filter(HEARD, asked).order_by().distinct()
    for key, side, formation in rows.values_list("campaign", "side", "formation"):
        found[key].add((side, formation))
    return found


def sides_missing(campaign: Campaign, world: World | None = None) -> set[str]:
    """Commanded sides whose orders were not there at a deadline now past (HR-DUE-02)."""
    if campaign.paused or campaign.deadline is None or campaign.deadline > timezone.now():
        return set()
    day = coming_day(campaign) if world is None else world.day
    return list_commanded_sides(campaign) - list_heard_sides(campaign, day, world)


@dataclass(frozen=True, slots=True)
class Late:
    """A side's situation after the deadline; `kept` when an order given now counts for the next day."""

    told: str
    kept: bool

    @property
    def is_closed(self) -> bool:
        """Whether an order given now would be refused."""
        return not self.kept


#: What becomes of a side that put in nothing (HR-DUE-02).
MISSED = {
    Campaign.MissedOrders.CARRY_ON: "each formation goes on with its older order, or stays where it is",
    Campaign.MissedOrders.HALT: "columns that follow or intercept halt",
    Campaign.MissedOrders.STAFF: "the staff writes the orders (HR-BOT-01)",
}


def late_for(campaign: Campaign, side: str) -> Late | None:
    """A side's situation after the deadline of the coming day; None while its orders are still accepted."""
    if not campaign.overdue:
        return None
    return build_late_status(
        campaign, side, bool(side) and side in list_heard_sides(campaign, coming_day(campaign))
    )


def build_late_status(campaign: Campaign, side: str, was_heard: bool) -> Late:
    """Build the situation of a side in an overdue campaign, when it is known whether it gave orders."""
    if not side:
        stands = ""
    elif was_heard:
        stands = " What your side sent in time stands; columns without a new order go on with an older one."
    else:
        missed = MISSED[Campaign.MissedOrders(campaign.missed_orders)]
        stands = f" Nothing of your side was in: {missed} (HR-DUE-02)."
    played = "by itself" if campaign.advance_at_deadline else "when the umpire advances it"
    kept = campaign.late_orders == Campaign.LateOrders.QUEUE
    after = "an order given now is kept for the next day" if kept else "then the next can be ordered"
    return Late(f"The deadline for this day has passed.{stands} The day is played {played}; {after}.", kept)
