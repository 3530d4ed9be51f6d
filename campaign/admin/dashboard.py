"""The board of the umpire's desk: where each campaign stands and what waits for its umpire."""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Max, Q, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from campaign.admin.umpired_campaigns import get_umpire_campaigns
from campaign.fog.seat_roles import DEPUTISED, describe_absences, load_held_seats
from campaign.ledger.provisional_days import coming_days
from campaign.models import Battle, Campaign, Job, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.notifications.notifications import OF_LATE, out_of_reach
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.jobs.monitoring import STUCK
from campaign.services.turns.clock import list_silences, seats_unheard, silence_text
from campaign.services.turns.outages import CLOCK
from campaign.text.job_names import KINDS
from campaign.text.place_names import names_of_theatre

#: A deadline nearer than this is soon; letters older are no news.
SOON, NEWS = timedelta(days=1), timedelta(days=14)
#: Failed or stuck jobs told of each campaign.
MOST_JOBS = 5


#: Where a battle is gone on with, by the way it is to be settled.
PAGES = {Battle.Way.UNDECIDED: "battle-way", Battle.Way.TABLE: "battle-compare"}
#: The pages an umpire opens most, by the names of their addresses; the last is the umpire's alone.
OPENED = {"orders-overview": "Orders", "campaign-settings": "Settings", "seats": "Seats"}


@dataclass(frozen=True, slots=True)
class OrderingSeat:
    """A commander: the seat, its holder, whether orders were received, and the reason of an absence or ""."""

    title: str
    name: str
    heard: bool
    away: str


@dataclass(frozen=True, slots=True)
class WaitingItem:
    """Something that waits, in words, with the page where it is done."""

    words: str
    url: str


@dataclass(slots=True)
class CampaignDashboard:
    """A campaign's part of the board. `due` is "", "soon" or "over".

    `run_on` is the morning the days beside a battle have run on to (HR-CAL-11), if they have.
    """

    campaign: Campaign
    url: str
    chief: bool
    day: int = 0
    days: int = 0
    today: date | None = None
    run_on: date | None = None
    deadline: str = ""
    due: str = ""
    seats: list[OrderingSeat] = field(default_factory=list)
    unreached: list[WaitingItem] = field(default_factory=list)
    battles: list[WaitingItem] = field(default_factory=list)
    dice: list[WaitingItem] = field(default_factory=list)
    jobs: list[WaitingItem] = field(default_factory=list)
    warnings: list[WaitingItem] = field(default_factory=list)
    pages: list[WaitingItem] = field(default_factory=list)

    @property
    def has_ended(self) -> bool:
        return self.campaign.state == Campaign.State.ENDED


@dataclass(frozen=True, slots=True)
class DashboardFacts:
    """Data for all dashboards, keyed by campaign and loaded for all of them at once.

    `silent` are the seats not heard, `absent` why their holders are away, both by the keys of seats.
    `dice` are those of the coming day as it was last tried out; missing where this morning was not.
    """

    coming: Mapping[int, int]
    seats: Mapping[int, list[Seat]]
    silent: Container[int]
    absent: Mapping[int, str]
    unreached: Mapping[int, tuple[list[User], list[User]]]
    battles: Mapping[int, list[Battle]]
    jobs: Mapping[int, list[Job]]
    dice: Mapping[int, list[Mapping[str, Any]]]
    silences: Mapping[str, datetime]


def list_dashboards(request: HttpRequest) -> list[CampaignDashboard]:
    """Every campaign the person works in, those that run first; as many queries for one as for twenty."""
    work = get_umpire_campaigns(request)
    facts = _load_dashboard_facts(
        [each for each in work.campaigns.values() if each.state != Campaign.State.ENDED]
    )
    found = [
        _build_dashboard(campaign, campaign.pk in work.chief, facts) for campaign in work.campaigns.values()
    ]
    return sorted(found, key=lambda board: (board.has_ended, bool(board.campaign.paused)))


def _load_dashboard_facts(campaigns: Collection[Campaign]) -> DashboardFacts:
    coming = coming_days(campaigns)
    seats = {
        key: [seat for seat in held if seat.role in DEPUTISED]
        for key, held in load_held_seats(campaigns).items()
    }
    ordering = [seat for held in seats.values() for seat in held]
    people = {key: [seat.user for seat in held if seat.user] for key, held in seats.items()}
    battles: dict[int, list[Battle]] = {}
    now_waiting = Battle.objects.filter(campaign__in=coming, revision=F("campaign__revision"))
    for battle in now_waiting.filter(state=Battle.State.WAITING).prefetch_related("entries"):
        battles.setdefault(battle.campaign_id, []).append(battle)
    return DashboardFacts(
        coming=coming,
        seats=seats,
        silent=seats_unheard(coming, ordering),
        absent=describe_absences(ordering),
        unreached=out_of_reach(people, timezone.now() - OF_LATE),
        battles=battles,
        jobs=_list_failed_jobs(campaigns),
        dice=_list_coming_dice(campaigns),
        silences=list_silences(),
    )


def _list_failed_jobs(campaigns: Collection[Campaign]) -> dict[int, list[Job]]:
    """The latest work of each campaign that failed or is stuck."""
    now = timezone.now()
    stuck = Q(state=Job.State.QUEUED, created_at__lt=now - STUCK) | Q(
        state=Job.State.RUNNING, lease_until__lt=now - STUCK
    )
    failed = Q(state=Job.State.FAILED, created_at__gte=now - NEWS)
    whole = Job.objects.filter(failed | stuck, campaign__in=campaigns, parent=None).defer("payload", "result")
    nth = Window(RowNumber(), partition_by="campaign", order_by="-pk")
    found: dict[int, list[Job]] = {}
    for job in whole.annotate(nth=nth).filter(nth__lte=MOST_JOBS):
        found.setdefault(job.campaign_id or 0, []).append(job)
    return found


def _list_coming_dice(campaigns: Collection[Campaign]) -> dict[int, list[Mapping[str, Any]]]:
    """The dice of each coming day as it was last tried out, where that was on this very morning."""
    heads = {campaign.pk: campaign.head_id for campaign in campaigns}
    tried = Job.objects.filter(campaign__in=heads, kind="dry_run", state=Job.State.DONE).order_by()
    last = tried.values("campaign").annotate(last=Max("pk")).values("last")
    rows = Job.objects.filter(pk__in=last).values_list("campaign", "result__head", "result__dice")
    return {key: dice or [] for key, head, dice in rows if head == heads[key]}


def _build_dashboard(campaign: Campaign, chief: bool, facts: DashboardFacts) -> CampaignDashboard:
    board = CampaignDashboard(campaign, reverse("week-desk", args=[campaign.slug]), chief)
    try:
        theatre = theatre_load(campaign)
    except RuleViolation as violation:
        board.warnings.append(WaitingItem(violation.message, board.url))
        return board
    board.days, board.day = theatre.days, min(campaign.day + 1, theatre.days)
    board.today = theatre.start + timedelta(days=board.day - 1)
    if board.has_ended:
        return board
    for name, words in OPENED.items():
        if chief or name != "seats":
            board.pages.append(WaitingItem(words, reverse(name, args=[campaign.slug])))
    coming = min(facts.coming[campaign.pk], theatre.days - 1)
    if coming > campaign.day:
        board.run_on = theatre.start + timedelta(days=coming)
    _add_deadline(board)
    sides = names_of_theatre(theatre).sides
    _add_seats(board, facts, sides)
    _add_delivery_failures(board, facts)
    _add_battles(board, facts, sides)
    _add_jobs_and_dice(board, facts)
    for name, silent in facts.silences.items():
        who = "The clock" if name == CLOCK else "A worker"
        told = convert_to_club_time(silent, campaign)
        words = silence_text(who, silent, f"{told.day} {told:%B, %H:%M}")
        board.warnings.append(WaitingItem(words, board.url))
    return board


def _add_deadline(board: CampaignDashboard) -> None:
    campaign, now = board.campaign, timezone.now()
    if campaign.paused:
        board.deadline = f"It rests: {campaign.paused}"
        return
    if campaign.deadline is None:
        board.deadline = "No deadline; it is advanced by hand."
        return
    moment = f"{convert_to_club_time(campaign.deadline, campaign):%A %d %B, %H:%M} ({campaign.time_zone})"
    if campaign.overdue:
        board.due, board.deadline = "over", f"Orders were due on {moment}."
        board.warnings.append(WaitingItem("The deadline has passed and the day is not played.", board.url))
        return
    board.due = "soon" if campaign.deadline - now < SOON else ""
    board.deadline = f"Orders are due on {moment}."


def _add_seats(board: CampaignDashboard, facts: DashboardFacts, sides: Mapping[str, str]) -> None:
    """Add the commanders with and without orders, and the absent ones."""
    for seat in facts.seats[board.campaign.pk]:
        person = (seat.user.get_full_name() or seat.user.get_username()) if seat.user else "the staff"
        title = seat.title or f"{seat.get_role_display()}, {sides.get(seat.side, seat.side)}"
        told = facts.absent.get(seat.pk, "") if seat.user else ""
        board.seats.append(OrderingSeat(title, person, seat.pk not in facts.silent, told))


def _add_delivery_failures(board: CampaignDashboard, facts: DashboardFacts) -> None:
    """Add the people whom no recent notification reached, and those without any channel (HR-DUE-08)."""
    page = reverse("umpire:campaign_notice_changelist")
    missed, without = facts.unreached[board.campaign.pk]
    listed = f"{page}?of={board.campaign.slug}&state__exact=failed"
    names = sorted({user.get_full_name() or user.get_username() for user in missed})
    board.unreached = [
        WaitingItem(f"{name} was not reached: nothing sent arrived.", listed) for name in names
    ]
    for user in without:
        name = user.get_full_name() or user.get_username()
        words = f"{name} has no address for letters."
        if not settings.MAIL_IS_SENT:
            words = f"{name} is told on the site's pages alone: it sends no mail, and they have no channel."
        board.unreached.append(WaitingItem(words, _seats_page(board)))


def _seats_page(board: CampaignDashboard) -> str:
    """Return the address of the seats: the umpire's page, or for an assistant the list."""
    if board.chief:
        return reverse("seats", args=[board.campaign.slug])
    return f"{reverse('umpire:campaign_seat_changelist')}?of={board.campaign.slug}"


def _add_battles(board: CampaignDashboard, facts: DashboardFacts, sides: Mapping[str, str]) -> None:
    """Battles that wait: how they are to be settled, and who has entered what he saw on the table."""
    campaign = board.campaign
    for battle in facts.battles.get(campaign.pk, ()):
        way = Battle.Way(battle.way)
        words = f"{battle}: {way.label if way else 'nobody has said how it is settled'}"
        entered = [
            sides.get(entry.side, "the umpire") for entry in battle.entries.all() if entry.state == "entered"
        ]
        if entered:
            words += f"; entered by {' and '.join(sorted(entered))}"
        days = (timezone.now() - battle.opened_at).days
        if days:
            words += f"; it has waited {days} day{'s' if days > 1 else ''}"
        page = PAGES.get(way, "battle")
        board.battles.append(WaitingItem(f"{words}.", reverse(page, args=[campaign.slug, battle.pk])))


def _add_jobs_and_dice(board: CampaignDashboard, facts: DashboardFacts) -> None:
    """Work that failed or is stuck, and the dice that the day tried out would throw (HR-UMP-12)."""
    campaign = board.campaign
    page = reverse("jobs", args=[campaign.slug])
    for job in facts.jobs.get(campaign.pk, ()):
        name = KINDS.get(job.kind, job.kind)
        failing = job.state == Job.State.FAILED
        board.jobs.append(
            WaitingItem(f"{name}: {job.error or 'failed' if failing else 'no worker takes it up'}", page)
        )
    if campaign.pk in facts.dice:  # else the page says how they are found out
        dice = facts.dice[campaign.pk]
        entered = sum(bool(die.get("entered")) for die in dice)
        words = f"{len(dice)} dice of the coming day to throw by hand, if you like; {entered} entered."
        board.dice.append(WaitingItem(words, f"{board.url}#dice"))
