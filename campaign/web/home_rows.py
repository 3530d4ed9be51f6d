"""A person's campaigns on his own page: where each stands, what is due, what is new."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from campaign.models import Battle, Campaign, OrderPaper, Seat, User, Visit, zone_of, zone_words
from campaign.rules.errors import RuleViolation
from campaign.selectors.battle_results import Standing, standings
from campaign.selectors.campaigns import state_told
from campaign.selectors.letters import unread_by_campaign
from campaign.selectors.news import News, news
from campaign.services.ahead import coming_day
from campaign.services.deadlines import Late, late_for, sides_commanded, sides_heard
from campaign.state import theatre_load
from campaign.viewers import OnlyPublic
from campaign.visibility import NotSeated, Viewer, battles_for, orders_for, viewer_of

#: A deadline within this time is told with stress while orders are missing.
SOON = timedelta(days=1)
#: Roles that see something without a desk of their own.
LOOKING_ON = (Seat.Role.SPECTATOR, Seat.Role.GUEST)


@dataclass(frozen=True, slots=True)
class Due:
    """When orders are due, by the person's clock, and how long that is from now."""

    moment: datetime
    words: str
    away: str
    past: bool


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle that waits; to the umpire, how its entries stand, and whether there are any to confirm."""

    pk: int
    title: str
    told: str = ""
    entered: bool = False


@dataclass(frozen=True, slots=True)
class HomeRow:
    """One campaign. `orders` says whether they are in; `stressed` that something is to be done soon;
    `late`, once the deadline has passed, what becomes of the day.

    `closed` is why the person cannot look in now, "" when he can; `public` that he has the public page.
    Who only looks on, some days late (HR-SET-12) or at one battle, does not play and is told no news.
    `letters` are those that wait for him (HR-LET-02).
    """

    campaign: Campaign
    seat: str
    ended: bool = False
    rests: str = ""
    morning: date | None = None
    day: int = 0
    days: int = 0
    provisional: bool = False
    due: Due | None = None
    orders: str = ""
    orders_in: bool = True
    late: Late | None = None
    battles: tuple["Fight", ...] = ()
    news: News | None = None
    closed: str = ""
    public: bool = False
    plays: bool = True
    letters: int = 0

    @property
    def stressed(self) -> bool:
        """Orders are missing and soon due."""
        soon = self.due is not None and not self.late and self.due.moment - timezone.now() < SOON
        return soon and not self.orders_in

    @property
    def weight(self) -> tuple[bool, bool, datetime]:
        """Running before ended, what asks for something before the rest, the next deadline first."""
        far = datetime.max.replace(tzinfo=ZoneInfo("UTC"))
        asks = bool(self.battles) or not self.orders_in
        return self.ended, not asks, self.due.moment if self.due else far


def home_rows(user: User) -> list[HomeRow]:
    """The person's campaigns: four queries, and at most twelve for each."""
    seats = Seat.objects.filter(user=user).select_related("campaign__head", "campaign__order_of_battle")
    by_campaign: dict[int, Seat] = {}
    for seat in seats.order_by("pk"):
        by_campaign.setdefault(seat.campaign_id, seat)
    visits = {visit.campaign_id: visit for visit in Visit.objects.filter(user=user)}
    unread = unread_by_campaign(user)
    rows = [
        replace(_row(user, seat, visits.get(key)), letters=unread.get(key, 0))
        for key, seat in by_campaign.items()
    ]
    return sorted(rows, key=lambda row: (row.weight, row.campaign.title))


def _row(user: User, seat: Seat, visit: Visit | None) -> HomeRow:
    campaign = seat.campaign
    try:
        viewer = viewer_of(user, campaign, also=LOOKING_ON)
        theatre = theatre_load(campaign)
    except OnlyPublic:
        return HomeRow(campaign, str(seat), closed="Your seat shows you the public page today.", public=True)
    except NotSeated:
        return HomeRow(campaign, str(seat), closed="You see nothing of it now.")
    except RuleViolation as violation:  # its files have changed; the other campaigns are to be seen
        return HomeRow(campaign, str(seat), closed=violation.message)
    coming = coming_day(campaign)
    if viewer.looks_on:
        coming = campaign.day if viewer.day_limit is None else viewer.day_limit
    day = min(coming, theatre.days - 1)
    orders, orders_in = _orders(viewer, coming)
    ended = state_told(viewer) == Campaign.State.ENDED
    untold = ended or viewer.looks_on
    return HomeRow(
        campaign=campaign,
        seat=viewer.title,
        ended=ended,
        rests="" if viewer.looks_on else campaign.paused,
        morning=theatre.start + timedelta(days=day),
        day=day + 1,
        days=theatre.days,
        provisional=coming > campaign.day,
        due=None if untold or campaign.deadline is None else due(campaign.deadline, user, campaign),
        orders="" if ended else orders,
        orders_in=ended or orders_in,
        late=late_for(campaign, viewer.side) if viewer.may_order else None,
        battles=_battles(viewer),
        plays=not viewer.looks_on,
        news=None if viewer.looks_on else news(viewer, theatre, visit),
    )


def _orders(viewer: Viewer, day: int) -> tuple[str, bool]:
    """Whether orders for the coming day are in, in words; and False when the viewer's own are missing."""
    if viewer.is_umpire:
        return _sides(viewer, day), True
    if not viewer.may_order:
        return "", True
    papers = orders_for(viewer).filter(day=day).exclude(kind=OrderPaper.Kind.RETURNS)
    states = [
        state for formation, state in papers.values_list("formation", "state") if viewer.commands(formation)
    ]
    handed_in = states.count(OrderPaper.State.STANDING) + states.count(OrderPaper.State.QUEUED)
    drafts = states.count(OrderPaper.State.DRAFT)
    told = (
        "No orders of yours are in" if not handed_in else f"Your orders are in: {_count(handed_in, 'paper')}"
    )
    if drafts:
        told += f"; {_count(drafts, 'draft')} not handed in"
    return f"{told}.", bool(handed_in)


def _sides(viewer: Viewer, day: int) -> str:
    """Which commanded sides have put in papers, for the umpire."""
    commanded, heard = sides_commanded(viewer.campaign), sides_heard(viewer.campaign, day)
    names = {side.id: side.name for side in theatre_load(viewer.campaign).sides}
    missing = [names.get(side, side) for side in names if side in commanded - heard]
    if missing:
        return f"No orders yet from {_list(missing)}."
    return "Orders are in from every commander." if commanded else ""


def _battles(viewer: Viewer) -> tuple[Fight, ...]:
    found = battles_for(viewer).filter(state=Battle.State.WAITING, revision=viewer.campaign.revision)
    if not viewer.is_umpire:
        return tuple(Fight(*row) for row in found.values_list("pk", "inputs__file__title"))
    battles = list(found)
    names = {side.id: side.name for side in theatre_load(viewer.campaign).sides} if battles else {}
    told = standings(battles, names)
    return tuple(_fight(battle, told.get(battle.pk)) for battle in battles)


def _fight(battle: Battle, standing: Standing | None) -> Fight:
    title = battle.inputs["file"]["title"]
    return (
        Fight(battle.pk, title, standing.told, bool(standing.entered))
        if standing
        else Fight(battle.pk, title)
    )


# --- moments in words ---


def due(moment: datetime, user: User, campaign: Campaign) -> Due:
    """A deadline by the person's clock."""
    zone, now = zone_of(user, campaign), timezone.now()
    at = moment.astimezone(zone)
    return Due(
        moment=moment,
        words=f"{date_format(at, 'l, j F')} at {at:%H:%M} ({zone_words(zone)})",
        away=span(moment - now),
        past=moment <= now,
    )


def span(time: timedelta) -> str:
    """ "in 3 days", "in 5 hours", "20 minutes ago"; less than a minute is "now"."""
    minutes = int(abs(time).total_seconds()) // 60
    if not minutes:
        return "now"
    if minutes >= 2 * 24 * 60:
        words = _count(minutes // (24 * 60), "day")
    elif minutes >= 2 * 60:
        words = _count(minutes // 60, "hour")
    else:
        words = _count(minutes, "minute")
    return f"in {words}" if time > timedelta() else f"{words} ago"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _list(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
