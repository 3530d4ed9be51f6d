"""The board of the umpire's desk: where each campaign stands and what waits for its umpire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from campaign.admin.work import work_of
from campaign.attendance import DEPUTISED, away, seats_in_force
from campaign.models import Battle, Campaign, Job, Seat
from campaign.names import names_of_theatre
from campaign.rules.errors import RuleViolation
from campaign.selectors.jobs import KINDS
from campaign.selectors.notices import OF_LATE, out_of_reach
from campaign.services.ahead import coming_day
from campaign.services.clock import NAME as CLOCK
from campaign.services.clock import seats_unheard, silences
from campaign.services.deadlines import local
from campaign.services.watch import STUCK
from campaign.state import theatre_load

#: A deadline nearer than this is soon; letters older are no news.
SOON, NEWS = timedelta(days=1), timedelta(days=14)


#: Where a battle is gone on with, by the way it is to be settled.
PAGES = {Battle.Way.UNDECIDED: "battle-way", Battle.Way.TABLE: "battle-compare"}
#: The pages an umpire opens most, by the names of their addresses; the last is the umpire's alone.
OPENED = {"orders-overview": "Orders", "campaign-settings": "Settings", "seats": "Seats"}


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who orders: the seat, who sits there, whether he is heard, and why he is away or "" ."""

    title: str
    name: str
    heard: bool
    away: str


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits, in words, with the page where it is done."""

    words: str
    url: str


@dataclass(slots=True)
class Board:
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
    seats: list[SeatLine] = field(default_factory=list)
    unreached: list[Item] = field(default_factory=list)
    battles: list[Item] = field(default_factory=list)
    dice: list[Item] = field(default_factory=list)
    jobs: list[Item] = field(default_factory=list)
    warnings: list[Item] = field(default_factory=list)
    pages: list[Item] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return self.campaign.state == Campaign.State.ENDED


def boards(request: HttpRequest) -> list[Board]:
    """Every campaign the person works in: those that run first."""
    work = work_of(request)
    found = [_board(campaign, campaign.pk in work.chief) for campaign in work.campaigns.values()]
    return sorted(found, key=lambda board: (board.ended, bool(board.campaign.paused)))


def _board(campaign: Campaign, chief: bool) -> Board:
    board = Board(campaign, reverse("week-desk", args=[campaign.slug]), chief)
    try:
        theatre = theatre_load(campaign)
    except RuleViolation as violation:
        board.warnings.append(Item(violation.message, board.url))
        return board
    board.days, board.day = theatre.days, min(campaign.day + 1, theatre.days)
    board.today = theatre.start + timedelta(days=board.day - 1)
    if board.ended:
        return board
    for name, words in OPENED.items():
        if chief or name != "seats":
            board.pages.append(Item(words, reverse(name, args=[campaign.slug])))
    coming = min(coming_day(campaign), theatre.days - 1)
    if coming > campaign.day:
        board.run_on = theatre.start + timedelta(days=coming)
    _deadline(board)
    sides = names_of_theatre(theatre).sides
    seats = seats_in_force(campaign)
    _seats(board, seats, sides)
    _unreached(board, seats)
    _battles(board, sides)
    _work(board)
    for name, silent in silences().items():
        who = "The clock" if name == CLOCK else "A worker"
        words = f"{who} has been silent since {local(silent, campaign):%d %B, %H:%M}."
        board.warnings.append(Item(words, board.url))
    return board


def _deadline(board: Board) -> None:
    campaign, now = board.campaign, timezone.now()
    if campaign.paused:
        board.deadline = f"It rests: {campaign.paused}"
        return
    if campaign.deadline is None:
        board.deadline = "No deadline; it is advanced by hand."
        return
    moment = f"{local(campaign.deadline, campaign):%A %d %B, %H:%M} ({campaign.time_zone})"
    if campaign.overdue:
        board.due, board.deadline = "over", f"Orders were due on {moment}."
        board.warnings.append(Item("The deadline has passed and the day is not played.", board.url))
        return
    board.due = "soon" if campaign.deadline - now < SOON else ""
    board.deadline = f"Orders are due on {moment}."


def _seats(board: Board, seats: list[Seat], sides: Mapping[str, str]) -> None:
    """Who has ordered and who not; who is away."""
    orders = [seat for seat in seats if seat.role in DEPUTISED]
    silent, absent = seats_unheard(board.campaign, orders), away(orders)
    for seat in orders:
        person = (seat.user.get_full_name() or seat.user.get_username()) if seat.user else "the staff"
        title = seat.title or f"{seat.get_role_display()}, {sides.get(seat.side, seat.side)}"
        told = absent.get(seat.pk, "") if seat.user else ""
        board.seats.append(SeatLine(title, person, seat.pk not in silent, told))


def _unreached(board: Board, seats: list[Seat]) -> None:
    """Who was not reached of late by any way of his, and who has none at all (HR-DUE-08)."""
    page = reverse("umpire:campaign_notice_changelist")
    people = [seat.user for seat in seats if seat.user and seat.role in DEPUTISED]
    missed, without = out_of_reach(board.campaign, people, timezone.now() - OF_LATE)
    listed = f"{page}?of={board.campaign.slug}&state__exact=failed"
    names = sorted({user.get_full_name() or user.get_username() for user in missed})
    board.unreached = [Item(f"{name} was not reached: nothing sent arrived.", listed) for name in names]
    for user in without:
        name = user.get_full_name() or user.get_username()
        words = f"{name} has no address for letters."
        if not settings.MAIL_IS_SENT:
            words = f"{name} is told on the site's pages alone: it sends no mail, and he has no other way."
        board.unreached.append(Item(words, _seats_page(board)))


def _seats_page(board: Board) -> str:
    """Where seats are looked at: the umpire's page of them, for an assistant the list."""
    if board.chief:
        return reverse("seats", args=[board.campaign.slug])
    return f"{reverse('umpire:campaign_seat_changelist')}?of={board.campaign.slug}"


def _battles(board: Board, sides: Mapping[str, str]) -> None:
    """Battles that wait: how they are to be settled, and who has entered what he saw on the table."""
    campaign = board.campaign
    waiting = Battle.objects.filter(
        campaign=campaign, revision=campaign.revision, state=Battle.State.WAITING
    ).prefetch_related("entries")
    for battle in waiting:
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
        board.battles.append(Item(f"{words}.", reverse(page, args=[campaign.slug, battle.pk])))


def _work(board: Board) -> None:
    """Work that failed or is stuck, and the dice that the day tried out would throw."""
    campaign = board.campaign
    page, now = reverse("jobs", args=[campaign.slug]), timezone.now()
    stuck = Q(state=Job.State.QUEUED, created_at__lt=now - STUCK) | Q(
        state=Job.State.RUNNING, lease_until__lt=now - STUCK
    )
    failed = Q(state=Job.State.FAILED, created_at__gte=now - NEWS)
    whole = Job.objects.filter(campaign=campaign, parent=None).defer("payload", "result")
    for job in whole.filter(failed | stuck)[:5]:
        name = KINDS.get(job.kind, job.kind)
        failing = job.state == Job.State.FAILED
        board.jobs.append(
            Item(f"{name}: {job.error or 'failed' if failing else 'no worker takes it up'}", page)
        )
    tried = Job.objects.filter(campaign=campaign, kind="dry_run", state=Job.State.DONE).first()
    result = tried.result if tried is not None else None
    if result and result.get("head") == campaign.head_id:
        dice = result.get("dice", [])
        entered = sum(bool(die.get("entered")) for die in dice)
        words = f"{len(dice)} dice of the coming day to throw by hand, if you like; {entered} entered."
        board.dice.append(Item(words, f"{reverse('week-desk', args=[campaign.slug])}#dice"))
