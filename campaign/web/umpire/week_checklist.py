"""The checklist for the end of a week: each line ticks itself from facts and leads to where it is done."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from campaign.fog.dispatches import letters_unread
from campaign.fog.press import copies_of
from campaign.fog.visibility import journal_for
from campaign.models import Bulletin, Seat
from campaign.selectors.seats import SeatRow
from campaign.web.campaign_page import CampaignPage
from campaign.web.umpire.next_steps import Waiting, find_address, format_deadline, format_span

WEEK = 7
#: What the week's end works out, by how the ids of its rules begin.
WEEK_RULES = {
    "AWI-C-ATT": "Attrition",
    "AWI-C-EUR": "Replacements and recruits",
    "AWI-C-LOY": "Replacements and recruits",
    "AWI-C-POL": "Replacements and recruits",
    "AWI-C-OVR": "Replacements and recruits",
    "AWI-C-MIL": "Militia",
}


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A line: `done` is None for what is not due yet; `url` leads to where it is done."""

    name: str
    done: bool | None
    told: str
    url: str = ""

    @property
    def word(self) -> str:
        """The state of the line in a word, for screen readers."""
        return "to come" if self.done is None else "done" if self.done else "to do"


@dataclass(frozen=True, slots=True)
class Checklist:
    """The lines for one week, counted from 1; `closed` once its returns are made up."""

    week: int
    closed: bool
    lines: tuple[CheckLine, ...]

    @property
    def open_count(self) -> int:
        return sum(line.done is False for line in self.lines)


def week_checklist(desk: CampaignPage, seats: Sequence[SeatRow], waiting: Sequence[Waiting]) -> Checklist:
    """The week that has just ended, or the one that is being played."""
    day = min(desk.campaign.day, desk.world.theatre.days)
    closed = day > 0 and day % WEEK == 0
    week = day // WEEK if closed else day // WEEK + 1
    lines = [
        *_check_days(desk, week, closed, waiting),
        *_check_choices(desk, closed),
        *_check_returns(desk, week, closed),
        *_check_dispatches(desk),
        *_check_week_bulletins(desk, week, closed),
        _check_deadline(desk),
        *_check_people(desk, seats),
    ]
    return Checklist(week, closed, tuple(lines))


def _check_days(
    desk: CampaignPage, week: int, closed: bool, waiting: Sequence[Waiting]
) -> Iterator[CheckLine]:
    days = desk.campaign.day - WEEK * (week - 1)
    yield CheckLine("Days of the week", closed or None, f"{days} of {WEEK} played", "#top")
    told = f"{len(waiting)} to be settled" if waiting else "none waits"
    yield CheckLine("Battles", not waiting, told, waiting[0].url if waiting else "")


def _check_choices(desk: CampaignPage, closed: bool) -> Iterator[CheckLine]:
    """Check the sides' choices for the weekly returns, and the umpire's for places (HR-PAP-03)."""
    if closed:
        return
    sheet = f"{reverse('campaign', args=[desk.campaign.slug])}?sheet=returns"
    given = {row.paper.side for row in desk.papers.returns}
    for side in desk.world.theatre.sides:
        told = "in" if side.id in given else "none in; without them the usual is done"
        yield CheckLine(f"Choices of {side.name}", True if side.id in given else None, told, sheet)
    told = "chosen" if "" in given else "as the rules have it"
    yield CheckLine("Places of new units", True if "" in given else None, told, sheet)


def _check_returns(desk: CampaignPage, week: int, closed: bool) -> Iterator[CheckLine]:
    """Attrition, recruitment and militia: done with the seventh day."""
    sheet = f"{reverse('campaign', args=[desk.campaign.slug])}?sheet=returns&week={week}"
    counted: Counter[str] = Counter()
    if closed:
        entries = journal_for(desk.viewer).filter(day=WEEK * week - 1, before__isnull=False)
        for rule, many in entries.order_by().values_list("rule").annotate(Count("pk")):
            counted[next((name for begins, name in WEEK_RULES.items() if rule.startswith(begins)), "")] += (
                many
            )
    for name in dict.fromkeys(WEEK_RULES.values()):
        if not closed:
            yield CheckLine(name, None, "worked out when the seventh day is played")
        else:
            many = counted[name]
            yield CheckLine(
                name, True, f"{many} unit{'s' * (many != 1)} or pools changed" if many else "no change", sheet
            )


def _check_dispatches(desk: CampaignPage) -> Iterator[CheckLine]:
    sheet = f"{reverse('campaign', args=[desk.campaign.slug])}?sheet=letters"
    unread = letters_unread(desk.viewer)
    told = f"{unread} to you unread" if unread else "none to you unread"
    yield CheckLine("Letters", not unread, told, sheet)


def _check_week_bulletins(desk: CampaignPage, week: int, closed: bool) -> Iterator[CheckLine]:
    """One for each side, and one for the public where spectators are shown anything (HR-REP-01)."""
    if not (closed or desk.world.ended):
        page = find_address("bulletins", desk.campaign.slug)
        yield CheckLine("Bulletins", None, "when the week is over", page)
        return
    page = find_address("bulletin", desk.campaign.slug, week)
    wanted = set(copies_of(desk.campaign, tuple(side.id for side in desk.world.theatre.sides)))
    found = Bulletin.objects.filter(
        campaign=desk.campaign, revision=desk.campaign.revision, week=week, state=Bulletin.State.PUBLISHED
    )
    published = wanted & set(found.values_list("side", flat=True))
    yield CheckLine("Bulletins", published == wanted, f"{len(published)} of {len(wanted)} published", page)


def _check_deadline(desk: CampaignPage) -> CheckLine:
    deadline = desk.campaign.deadline
    if desk.world.ended:
        return CheckLine("Next deadline", None, "the campaign is over")
    if deadline is None:
        return CheckLine("Next deadline", False, "none is set", "#deadline")
    ahead = deadline > timezone.now()
    return CheckLine("Next deadline", ahead, f"{format_deadline(desk)}, {format_span(deadline)}", "#deadline")


def _check_people(desk: CampaignPage, rows: Iterable[SeatRow]) -> Iterator[CheckLine]:
    """Check absences, and commands that end or are empty."""
    page = find_address("seats", desk.campaign.slug) if desk.viewer.is_chief else ""
    seats = [
        row for row in rows if row.state == "now" and row.seat.role in (Seat.Role.COMMANDER, Seat.Role.COLUMN)
    ]
    away = [f"{row.name} ({row.away})" for row in seats if row.away and row.seat.user is not None]
    yield CheckLine("Absences", not away, "; ".join(away) or "nobody is away", page)
    soon = desk.campaign.day + WEEK
    ending = [
        f"{row.title}, {row.name}"
        for row in seats
        if row.seat.until_day is not None and row.seat.until_day <= soon
    ]
    yield CheckLine("Seats that end within a week", not ending, "; ".join(ending) or "none", page)
    empty = [row.title for row in seats if row.seat.user is None]
    yield CheckLine("Seats without a holder", not empty, "; ".join(empty) or "none", page)
