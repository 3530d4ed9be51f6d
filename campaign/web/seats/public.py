"""The public page of a campaign, for people whose seat opens nothing else today."""

from dataclasses import dataclass
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.fog.viewers import DESK, NotSeated, campaign_of, list_person_seats
from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.dispatches import unread_by_campaign
from campaign.selectors.seats import all_rows, dates_text, public_rows
from campaign.services.seats.changes import seat_leave, seat_take
from campaign.web.access import form_address, signed_in

Role = Seat.Role


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the reader's own, what it means today, and where it leads."""

    seat: Seat
    title: str
    dates: str
    says: str
    link: str = ""
    words: str = ""
    may_leave: bool = False


def _build_public_url(slug: str, pk: int = 0) -> str:
    return reverse("campaign-public", args=[slug])


def _get_own_seats(request: HttpRequest, slug: str) -> tuple[Campaign, list[Seat]]:
    campaign = campaign_of(request.user, slug)
    return campaign, list_person_seats(request.user, campaign)


@signed_in
@never_cache
@require_safe
def campaign_public(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar, who commands, and the reader's own seats."""
    campaign, seats = _get_own_seats(request, slug)
    theatre = theatre_load(campaign)
    reserve = any(seat.role == Role.RESERVE for seat in seats)
    offered = [row for row in all_rows(campaign, theatre.start) if row.is_offered and row.state != "past"]
    day = min(campaign.day, theatre.days - 1)
    context = {
        "campaign": campaign,
        "ended": campaign.state == Campaign.State.ENDED,
        "date": theatre.start + timedelta(days=day),
        "day": day + 1,
        "days": theatre.days,
        "mine": [
            _build_own_seat(campaign, seat, dates_text(seat.from_day, seat.until_day, theatre.start))
            for seat in seats
        ],
        "offers": offered if reserve else [],
        "writes": any(seat.holds(campaign.day) for seat in seats),
        "unread": unread_by_campaign(_get_person(request)).get(campaign.pk, 0),
        "seats": public_rows(campaign, theatre.start),
    }
    return render(request, "campaign/public.html", context)


def _build_own_seat(campaign: Campaign, seat: Seat, dates: str) -> OwnSeat:
    says, link, words = _describe_seat(campaign, seat)
    leaves = seat.role in (Role.RESERVE, Role.SPECTATOR, Role.GUEST)
    return OwnSeat(seat, str(seat), dates, says, link, words, may_leave=leaves)


def _describe_seat(campaign: Campaign, seat: Seat) -> tuple[str, str, str]:
    """Describe the view a seat opens today; returns text, link address and link text."""
    if not seat.holds(campaign.day):
        later = seat.from_day > campaign.day
        return ("It is not yours yet." if later else "Its time is over."), "", ""
    if seat.role in DESK:
        return "It is yours now.", campaign.get_absolute_url(), "To the map"
    if seat.role == Role.RESERVE:
        return "You are told when a seat is offered.", "", ""
    if seat.role == Role.GUEST:
        address = reverse("battle", args=[campaign.slug, seat.battle_id])
        return "You fight one battle for your side.", address, "To the battle"
    return _describe_spectator_seat(campaign)


def _get_person(request: HttpRequest) -> User:
    """Return the signed-in person; only signed-in people reach this page."""
    assert isinstance(request.user, User)
    return request.user


def _describe_spectator_seat(campaign: Campaign) -> tuple[str, str, str]:
    late = campaign.spectator_days
    if late is None:
        return "Spectators are shown nothing in this campaign.", "", ""
    if campaign.day < late and not campaign.dice_told:
        return f"You see what happened {late} campaign days ago; there is nothing that old yet.", "", ""
    return "You look on.", campaign.get_absolute_url(), "To the map"


@signed_in
@form_address(_build_public_url)
def take_seat(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a seat that is offered to the reserve."""
    campaign, _ = _get_own_seats(request, slug)
    seat = get_object_or_404(Seat, campaign=campaign, pk=pk)
    try:
        seat_take(seat=seat, user=_get_person(request))
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("campaign-public", slug)
    messages.success(request, f"You are now {seat}.")
    return redirect("campaign", slug)


@signed_in
@form_address(_build_public_url)
def leave_seat(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give up a seat of one's own that only looks on or waits."""
    campaign, seats = _get_own_seats(request, slug)
    seat = next((each for each in seats if each.pk == pk), None)
    if seat is None or seat.role not in (Role.RESERVE, Role.SPECTATOR, Role.GUEST):
        raise NotSeated("That seat is not yours to give up.")
    try:
        seat_leave(seat=seat, user=_get_person(request))
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("campaign-public", slug)
    messages.success(request, f"You have given up your seat in {campaign.title}.")
    return redirect("front")
