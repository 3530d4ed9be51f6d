"""Pages of a person rather than of a campaign: the front page, the demo doors, the profile."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.grammar import Subject
from battles.printing.sheets import qr_svg
from campaign.fog.battles import entries_for
from campaign.fog.seat_roles import describe_absences
from campaign.fog.viewers import OnlyPublic, combine_rows, seats_by_campaign, viewer_by, visit_of
from campaign.fog.visibility import NotSeated, Viewer, battles_for, orders_for
from campaign.ledger.journal import preload_courses
from campaign.ledger.provisional_days import coming_days
from campaign.models import (
    Battle,
    BattleEntry,
    Campaign,
    OrderPaper,
    Seat,
    User,
    find_time_zone,
    format_time_zone,
)
from campaign.ops.demo import TOKEN, doors_near, doors_open, doors_token, token_matches
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Theatre
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.battles.table_results import EntryStatus, load_entry_statuses
from campaign.selectors.dispatches import unread_by_campaign
from campaign.selectors.jobs import faults_open
from campaign.selectors.orders.standing_orders import (
    BEFORE,
    PAPER_COLUMNS,
    Formations,
    ordered_by_people,
    under_way_in,
)
from campaign.selectors.setup.campaigns import load_visible_states
from campaign.selectors.setup.drafts import draft_rows
from campaign.selectors.turns.deadlines import HEARD, Late, build_late_status, commanded_in
from campaign.selectors.turns.news import CampaignNews, Looked, load_campaign_news
from campaign.services.accounts.profile import profile_save
from campaign.services.accounts.tokens import tokens_good
from campaign.services.seats.invitations import invitations_for
from campaign.services.setup.drafts import list_setup_drafts, may_set_up
from campaign.web.access import signed_in
from campaign.web.accounts.forms import SignInForm
from campaign.web.accounts.profile import ProfileForm

#: How long a browser that opened the printed address may use the demo doors.
DEMO_DAYS = timedelta(days=30)


@never_cache
@require_safe
def front_page(request: HttpRequest) -> HttpResponse:
    """A person's own page; signed out, the door: sign in, sign up, or enter a demo seat."""
    if doors_near(request) and token_matches(request.GET.get(TOKEN, "")):
        answer = redirect("front")  # so that the token stays in no history and on no photograph of the screen
        answer.set_cookie(TOKEN, doors_token(), httponly=True, samesite="Lax", max_age=DEMO_DAYS)
        return answer
    doors = _demo_seats() if doors_open(request) else []
    if isinstance(request.user, User):
        invited = invitations_for(request.user)
        rows = home_rows(request.user)
        context = {"rows": rows, "invited": invited, "doors": doors}
        if may_set_up(request.user):
            context |= {"may_set_up": True, "drafts": draft_rows(list_setup_drafts(request.user))}
        if request.user.is_superuser:
            context["amiss"] = faults_open(request.user)
        if settings.LAN and any(row.umpires for row in rows):
            # nothing in it but the address
            context["club"] = {"address": settings.SITE_URL, "qr": mark_safe(qr_svg(settings.SITE_URL))}
        return render(request, "campaign/home.html", context)
    entrance = {
        "form": SignInForm(request=request),
        "doors": doors,
        "doors_shut": doors_near(request) and not doors_open(request),
    }
    return render(request, "campaign/front.html", entrance)


def _demo_seats() -> QuerySet[Seat]:
    """Seats of demo campaigns whose people have no password; an account somebody made is his own."""
    seats = Seat.objects.filter(campaign__demo=True, user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return seats.select_related("campaign", "user").order_by("campaign_id", "-role", "side")


@require_POST
def enter_demo(request: HttpRequest) -> HttpResponse:
    """Take a demo seat without a password; only where the demo doors are open."""
    if not doors_open(request):
        raise Http404("The demo doors are open on a demo and on this machine only.")
    wanted = request.POST.get("seat", "")
    seat = get_object_or_404(_demo_seats(), pk=wanted if wanted.isdecimal() else None)
    assert seat.user is not None
    login(request, seat.user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return redirect("campaign", seat.campaign.slug)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def profile_page(request: HttpRequest) -> HttpResponse:
    """The name the others see, the time zone, and the ways to e-mail, password and second factor."""
    assert isinstance(request.user, User)
    person = User.objects.get(pk=request.user.pk)  # what the page's head shows stays as it is if refused
    given = {"name": person.get_full_name(), "time_zone": person.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=given)
    if form.is_bound and form.is_valid():
        try:
            profile_save(actor=person, **form.cleaned_data)
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            messages.success(request, "Your profile is kept.")
            return redirect("profile")
    context = {
        "form": form,
        "authenticated": is_mfa_enabled(request.user),
        "tokens": len(tokens_good(request.user)),
    }
    return render(request, "campaign/profile.html", context, status=422 if form.is_bound else 200)


#: A deadline within this time is told with stress while orders are missing.
SOON = timedelta(days=1)
#: Roles that see something without a desk of their own.
LOOKING_ON = (Seat.Role.SPECTATOR, Seat.Role.GUEST)


@dataclass(frozen=True, slots=True)
class DueDate:
    """The deadline for orders, by the person's own clock, and the time left until it."""

    moment: datetime
    words: str
    away: str
    past: bool


@dataclass(frozen=True, slots=True)
class WaitingBattle:
    """A battle that waits; to the umpire, how its entries stand, and whether there are any to confirm.

    `own_in` when the viewer's own side has entered its result.
    """

    pk: int
    title: str
    own_in: bool = False
    told: str = ""
    entered: bool = False


@dataclass(frozen=True, slots=True)
class HomeRow:
    """One campaign. `orders` says whether they are in; `is_urgent` that something is to be done soon;
    `late`, once the deadline has passed, what becomes of the day.

    `closed` is why the person cannot look in now, "" when he can; `public` that he has the public page.
    Who only looks on, some days late (HR-SET-12) or at one battle, does not play and is told no news.
    `letters` are those that wait for him (HR-LET-02); `umpires` when he is its umpire himself.
    """

    campaign: Campaign
    seat: str
    ended: bool = False
    rests: str = ""
    morning: date | None = None
    day: int = 0
    days: int = 0
    provisional: bool = False
    due: DueDate | None = None
    orders: str = ""
    orders_in: bool = True
    late: Late | None = None
    battles: tuple["WaitingBattle", ...] = ()
    news: CampaignNews | None = None
    closed: str = ""
    public: bool = False
    plays: bool = True
    letters: int = 0
    umpires: bool = False

    @property
    def is_urgent(self) -> bool:
        """Orders are missing and soon due."""
        soon = self.due is not None and not self.late and self.due.moment - timezone.now() < SOON
        return soon and not self.orders_in

    @property
    def weight(self) -> tuple[bool, bool, datetime]:
        """Running before ended, what asks for something before the rest, the next deadline first."""
        far = datetime.max.replace(tzinfo=ZoneInfo("UTC"))
        asks = bool(self.battles) or not self.orders_in
        return self.ended, not asks, self.due.moment if self.due else far


@dataclass(frozen=True, slots=True)
class ComingOrder:
    """A paper for the coming day: `heard` when its side was heard by it (HR-DUE-02)."""

    side: str
    formation: str
    state: str
    heard: bool


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """Data for all rows, keyed by campaign and loaded for all of them at once.

    `standing` are formations whose own people's orders are under way, `content` sides with nothing new.
    """

    states: Mapping[int, str]
    coming: Mapping[int, int]
    papers: Mapping[int, Sequence[ComingOrder]]
    commanded: Mapping[int, set[str]]
    battles: Mapping[int, Sequence[WaitingBattle]]
    news: Mapping[int, CampaignNews]
    standing: Mapping[int, Formations]
    content: Mapping[int, set[str]]

    def list_sides_heard(self, key: int) -> set[str]:
        """Sides of a campaign with new papers, older orders under way or nothing new (HR-DUE-02)."""
        papers = {paper.side for paper in self.papers.get(key, ()) if paper.heard}
        return papers | {side for side, _ in self.standing.get(key, ())} | self.content.get(key, set())


def home_rows(user: User) -> list[HomeRow]:
    """The person's campaigns, in as many queries for one as for twenty."""
    seats = seats_by_campaign(user)
    unread = unread_by_campaign(user)
    preload_courses(each[0].campaign for each in seats.values())
    absent = describe_absences(
        seat.stands_for for each in seats.values() for seat in each if seat.stands_for is not None
    )
    rows: dict[int, HomeRow] = {}
    looked: dict[int, Looked] = {}
    for key, own in seats.items():
        campaign, title = own[0].campaign, str(min(own, key=lambda seat: seat.pk))
        try:
            viewer = viewer_by(user, campaign, own, also=LOOKING_ON, absent=absent)
            looked[key] = Looked(viewer, theatre_load(campaign), visit_of(own[0]))
        except OnlyPublic:
            told = "Your seat shows you the public page today."
            rows[key] = HomeRow(campaign, title, closed=told, public=True)
        except NotSeated:
            rows[key] = HomeRow(campaign, title, closed="You see nothing of it now.")
        except RuleViolation as violation:  # its files have changed; the other campaigns are to be seen
            rows[key] = HomeRow(campaign, title, closed=violation.message)
    facts = _load_home_facts(looked, seats)
    rows |= {key: _build_home_row(one, facts) for key, one in looked.items()}
    found = [
        replace(row, letters=unread.get(key, 0), umpires=any(map(_is_umpire_now, seats[key])))
        for key, row in rows.items()
    ]
    return sorted(found, key=lambda row: (row.weight, row.campaign.title))


def _is_umpire_now(seat: Seat) -> bool:
    return seat.role == Seat.Role.UMPIRE and seat.holds(seat.campaign.day)


def _load_home_facts(looked: Mapping[int, Looked], seats: Mapping[int, Sequence[Seat]]) -> HomeFacts:
    viewers = {key: one.viewer for key, one in looked.items()}
    umpired = [viewer.campaign for viewer in viewers.values() if viewer.is_umpire]
    coming = coming_days(viewer.campaign for viewer in viewers.values()) if viewers else {}
    commanded = commanded_in(umpired) if umpired else {}
    papers, standing = _load_orders(viewers, coming)
    return HomeFacts(
        states=load_visible_states(viewers.values()),
        coming=coming,
        papers=papers,
        commanded={key: set(sides) for key, sides in commanded.items()},
        battles=_load_battles(looked),
        news=load_campaign_news(one for one in looked.values() if not one.viewer.looks_on),
        standing=standing,
        content={
            key: {
                side
                for side, day in commanded.get(key, _list_days_without_news(seats[key])).items()
                if day == coming[key]
            }
            for key in viewers
        },
    )


def _build_home_row(looked: Looked, facts: HomeFacts) -> HomeRow:
    viewer, theatre, campaign = looked.viewer, looked.theatre, looked.viewer.campaign
    key = campaign.pk
    coming = facts.coming[key]
    if viewer.looks_on:
        coming = campaign.day if viewer.day_limit is None else viewer.day_limit
    day = min(coming, theatre.days - 1)
    papers = facts.papers.get(key, ())
    orders, orders_in = _describe_orders(looked, papers, facts)
    ended = facts.states[key] == Campaign.State.ENDED
    untold = ended or viewer.looks_on
    heard = viewer.side in facts.list_sides_heard(key)
    return HomeRow(
        campaign=campaign,
        seat=viewer.title,
        ended=ended,
        rests="" if viewer.looks_on else campaign.paused,
        morning=theatre.start + timedelta(days=day),
        day=day + 1,
        days=theatre.days,
        provisional=coming > campaign.day,
        due=None
        if untold or campaign.deadline is None
        else build_due_date(campaign.deadline, viewer.user, campaign),
        orders="" if ended else orders,
        orders_in=ended or orders_in,
        late=build_late_status(campaign, viewer.side, heard)
        if viewer.may_order and campaign.overdue
        else None,
        battles=tuple(facts.battles.get(key, ())),
        plays=not viewer.looks_on,
        news=facts.news.get(key),
    )


def _list_days_without_news(seats: Iterable[Seat]) -> dict[str, int | None]:
    """By side the day a commander has nothing new for, of the seats a person holds or is deputy for."""
    held = [seat.stands_for or seat for seat in seats]
    return {seat.side: seat.nothing_new for seat in held if seat.role == Seat.Role.COMMANDER}


def _load_orders(
    viewers: Mapping[int, Viewer], coming: Mapping[int, int]
) -> tuple[dict[int, list[ComingOrder]], dict[int, Formations]]:
    """Papers of the coming days that the viewers may see, no returns; and what is under way of their own."""
    ordering = [key for key, viewer in viewers.items() if viewer.is_umpire or viewer.may_order]
    moving = under_way_in(ordering) if ordering else {}
    for key, viewer in viewers.items():
        if key in moving and not viewer.is_umpire:
            moving[key] = {pair for pair in moving[key] if pair[0] == viewer.side}
    seen = [
        orders_for(viewer).filter(_build_orders_filter(coming[key], moving.get(key, set())))
        for key, viewer in viewers.items()
    ]
    rows = combine_rows(seen, OrderPaper.objects.none()).exclude(kind=OrderPaper.Kind.RETURNS)
    rows = rows.annotate(heard=HEARD).order_by("day", "pk")
    found: dict[int, list[ComingOrder]] = {}
    earlier = []
    for row in rows.values(*PAPER_COLUMNS, "state", "heard"):
        key = row["campaign"]
        if row["day"] == coming[key]:
            paper = ComingOrder(row["side"], row["formation"], row["state"], row["heard"])
            found.setdefault(key, []).append(paper)
        else:
            earlier.append(row)
    ordered = ordered_by_people(earlier)
    standing = {key: {pair for pair in pairs if (key, *pair) in ordered} for key, pairs in moving.items()}
    return found, standing


def _build_orders_filter(day: int, moving: Formations) -> Q:
    """Papers of a day, and earlier ones that may tell whose orders formations are under."""
    if not moving:
        return Q(day=day)
    about = Q(formation__in=[formation for _, formation in moving]) | Q(kind=OrderPaper.Kind.ORGANISATION)
    return Q(day=day) | (BEFORE & about & Q(day__lt=day))


def _describe_orders(looked: Looked, papers: Sequence[ComingOrder], facts: HomeFacts) -> tuple[str, bool]:
    """Describe the orders for the coming day; the second value is False if the viewer's own are missing.

    A draft that is not handed in is missed even while older orders are under way.
    """
    viewer = looked.viewer
    key = viewer.campaign.pk
    if viewer.is_umpire:
        return _describe_sides(looked.theatre, key, facts), True
    if not viewer.may_order:
        return "", True
    states = [paper.state for paper in papers if viewer.commands(paper.formation)]
    handed_in = states.count(OrderPaper.State.STANDING) + states.count(OrderPaper.State.QUEUED)
    drafts = states.count(OrderPaper.State.DRAFT)
    # with couriers only reports tell which columns are still under way (HR-COU-04)
    untold = RuleSettings.from_json(viewer.campaign.settings).couriers
    going = 0 if untold else sum(viewer.commands(column) for _, column in facts.standing.get(key, ()))
    content = viewer.side in facts.content.get(key, ())
    if handed_in:
        told = f"Your orders are in: {_format_count(handed_in, 'paper')}"
    elif going:
        told = f"No new orders of yours; {_describe_columns_on_march(going)}"
    else:
        told = "You have said that there is nothing new" if content else "No orders of yours are in"
    if drafts:
        told += f"; {_format_count(drafts, 'draft')} not handed in"
    return f"{told}.", bool(handed_in) or (not drafts and (content or going > 0))


def _describe_sides(theatre: Theatre, key: int, facts: HomeFacts) -> str:
    """List for the umpire the sides that have submitted orders, and the state of the others."""
    commanded = facts.commanded[key]
    missing = [side.name for side in theatre.sides if side.id in commanded - facts.list_sides_heard(key)]
    told = [f"No orders yet from {_join_words(missing)}."] if missing else []
    new = {paper.side for paper in facts.papers.get(key, ()) if paper.heard}
    for side in theatre.sides:
        if side.id not in commanded - new:
            continue
        going = sum(one == side.id for one, _ in facts.standing.get(key, ()))
        if going:
            told.append(f"No new orders from {side.name}; {_describe_columns_on_march(going)}.")
        elif side.id in facts.content.get(key, ()):
            told.append(f"{Subject(side.name):has} nothing new.")
    return " ".join(told) or ("Orders are in from every commander." if commanded else "")


def _describe_columns_on_march(columns: int) -> str:
    return f"{_format_count(columns, 'column')} {'marches' if columns == 1 else 'march'} on by earlier orders"


def _load_battles(looked: Mapping[int, Looked]) -> dict[int, list[WaitingBattle]]:
    """Battles that wait and that the viewers may see."""
    waiting = [
        battles_for(one.viewer).filter(state=Battle.State.WAITING, revision=one.viewer.campaign.revision)
        for one in looked.values()
    ]
    own = [
        entries_for(one.viewer, OuterRef("pk")).filter(battle__campaign=key, state=BattleEntry.State.ENTERED)
        for key, one in looked.items()
        if not one.viewer.is_umpire
    ]
    rows = combine_rows(waiting, Battle.objects.none()).annotate(
        own_in=Exists(combine_rows(own, BattleEntry.objects.none()))
    )
    battles = list(rows.values_list("campaign", "pk", "inputs__file__title", "own_in"))
    sides = {
        key: {side.id: side.name for side in one.theatre.sides}
        for key, one in looked.items()
        if one.viewer.is_umpire
    }
    told = load_entry_statuses({pk: sides[key] for key, pk, *_ in battles if key in sides})
    found: dict[int, list[WaitingBattle]] = {}
    for key, pk, title, own_in in battles:
        found.setdefault(key, []).append(_add_entry_status(WaitingBattle(pk, title, own_in), told.get(pk)))
    return found


def _add_entry_status(fight: WaitingBattle, standing: EntryStatus | None) -> WaitingBattle:
    return replace(fight, told=standing.told, entered=bool(standing.entered)) if standing else fight


# --- moments in words ---


def build_due_date(moment: datetime, user: User, campaign: Campaign) -> DueDate:
    """A deadline by the person's clock."""
    zone, now = find_time_zone(user, campaign), timezone.now()
    at = moment.astimezone(zone)
    return DueDate(
        moment=moment,
        words=f"{date_format(at, 'l, j F')} at {at:%H:%M} ({format_time_zone(zone)})",
        away=format_span(moment - now),
        past=moment <= now,
    )


def format_span(time: timedelta) -> str:
    """ "in 3 days", "in 5 hours", "20 minutes ago"; less than a minute is "now"."""
    minutes = int(abs(time).total_seconds()) // 60
    if not minutes:
        return "now"
    if minutes >= 2 * 24 * 60:
        words = _format_count(minutes // (24 * 60), "day")
    elif minutes >= 2 * 60:
        words = _format_count(minutes // 60, "hour")
    else:
        words = _format_count(minutes, "minute")
    return f"in {words}" if time > timedelta() else f"{words} ago"


def _format_count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _join_words(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
