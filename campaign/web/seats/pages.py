"""The umpire's page of seats: given, dated, offered and closed; what spectators see (HR-SET-04 to 12)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.ledger.dice import PUBLIC, secret_is_public
from campaign.models import Invitation, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.seats import SeatRow, all_rows, tenure_rows
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.accounts.profile import person_of
from campaign.services.seats.assignment import SINGLE
from campaign.services.seats.changes import (
    seat_close,
    seat_dates_set,
    seat_fill,
    seat_offer,
    seat_open,
    seat_pass,
)
from campaign.services.seats.invitations import (
    invitation_make,
    invitation_replace,
    invitation_send,
    invitation_take_back,
    invitation_token,
    invitations_open,
)
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.seats.forms import OF_A_SEAT, SPECTATORS, InviteForm, OpenForm, SeatForm, SpectatorsForm
from campaign.web.seats.invitation_links import LinkShown, link_of, links_only_here

Role = Seat.Role
#: The fields of the services by those of the forms, where they differ.
FIELDS = {"from_day": "first", "until_day": "last", "day": "morning", **SPECTATORS}


@dataclass(frozen=True, slots=True)
class SeatPaper:
    """A seat with the forms about it; `open` when one of them is to be mended."""

    row: SeatRow
    forms: tuple[SeatForm, ...]
    may_offer: bool
    may_close: bool
    open: bool


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seats_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page; a posted form is one change."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_chief:
        raise Http404("Only the umpire can give seats.")
    bound: SeatForm | None = None
    if request.method == "POST":
        kind = request.POST.get("kind", "")
        if kind == "take_back":
            done = "The invitation is taken back; its link opens nothing any more."
            _report_act(request, _withdraw_invitation(desk, request), done)
            return redirect("seats", slug)
        if kind == "replace":
            return redirect(_replace_link(desk, request))
        if kind in ("offer", "keep", "close"):
            _report_act(request, _build_button_act(desk, request, kind), "It is done.")
            return redirect("seats", slug)
        bound = _bind_seat_form(desk, request, kind)
        if bound.is_valid():
            try:
                done = _apply_seat_form(desk, request, bound)
            except RuleViolation as violation:
                bound.refuse(violation, FIELDS)
            else:
                messages.success(request, done or "The seats are as you set them.")
                return redirect(
                    _find_next_page(desk, bound, _get_seat(desk, request) if bound.kind == "invite" else None)
                )
    return render(
        request, "campaign/seats.html", _build_context(desk, request, bound), status=422 if bound else 200
    )


def _get_seat(desk: CampaignPage, request: HttpRequest) -> Seat:
    number = request.POST.get("seat", "")
    return get_object_or_404(Seat, campaign=desk.campaign, pk=number if number.isdecimal() else None)


def _bind_seat_form(desk: CampaignPage, request: HttpRequest, kind: str) -> SeatForm:
    given: dict[str, Any] = {"campaign": desk.campaign, "world": desk.world}
    if kind == OpenForm.kind:
        return OpenForm(request.POST, prefix="open", **given)
    if kind == SpectatorsForm.kind:
        return SpectatorsForm(request.POST, prefix="spectators", **given)
    if kind in OF_A_SEAT:
        return OF_A_SEAT[kind](request.POST, prefix=f"{kind}-{_get_seat(desk, request).pk}", **given)
    raise Http404("There is no such form.")


def _apply_seat_form(desk: CampaignPage, request: HttpRequest, form: SeatForm) -> str:
    """Carry a valid form out; returns what is to be said of it, "" for nothing special."""
    assert isinstance(desk.viewer.user, User)
    actor, data = desk.viewer.user, form.cleaned_data
    if isinstance(form, OpenForm):
        seat_open(campaign=desk.campaign, actor=actor, **form.seat())
    elif isinstance(form, SpectatorsForm):
        form.set(actor, parse_whole_number(request.POST.get("head", "")) or 0)
    elif isinstance(form, InviteForm):
        return _make_invitation(desk, request, form)
    elif form.kind == "fill":
        seat_fill(seat=_get_seat(desk, request), user=person_of(data["user"]), actor=actor)
    elif form.kind == "dates":
        seat_dates_set(seat=_get_seat(desk, request), actor=actor, **form.dates())  # type: ignore[arg-type]
    else:
        seat_pass(
            seat=_get_seat(desk, request),
            day=form.day("morning") or 0,
            user=person_of(data["user"]),
            title=data["title"],
            actor=actor,
        )
    return ""


def _make_invitation(desk: CampaignPage, request: HttpRequest, form: InviteForm) -> str:
    """Make an invitation; returns what has become of its letter. The page shows its link."""
    email, seat = form.cleaned_data["email"], _get_seat(desk, request)
    invitation, token = invitation_make(
        campaign=desk.campaign, seat=seat, email=email, days=form.cleaned_data["days"], actor=desk.viewer.user
    )
    if not email:
        return "The invitation is made; copy its link and pass it on."
    if not settings.MAIL_IS_SENT:
        return f"No mail goes out from here (EMAIL_URL); hand on this link to {email} yourself."
    if invitation_send(invitation=invitation, token=token):
        return f"The invitation is sent to {email}."
    return f"The invitation is made, but not sent. {invitation.letter} You can pass the link on yourself."


def _find_next_page(desk: CampaignPage, form: SeatForm, seat: Seat | None) -> str:
    """The page to show next: with the link, after an invitation."""
    page = reverse("seats", args=[desk.campaign.slug])
    made = invitations_open(desk.campaign).filter(seat=seat).first() if seat is not None else None
    return page if made is None else f"{page}?invitation={made.pk}#made"


def _get_invitation(desk: CampaignPage, number: str) -> Invitation:
    found = Invitation.objects.select_related("campaign", "seat")
    return get_object_or_404(found, campaign=desk.campaign, pk=number if number.isdecimal() else None)


def _replace_link(desk: CampaignPage, request: HttpRequest) -> str:
    """Replace a link by another; returns the page that shows it."""
    page, number = reverse("seats", args=[desk.campaign.slug]), request.POST.get("invitation", "")
    try:
        made, token = invitation_replace(invitation=_get_invitation(desk, number), actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return page
    messages.success(request, "The link is replaced; the older one opens nothing any more.")
    if made.email and settings.MAIL_IS_SENT and not invitation_send(invitation=made, token=token):
        messages.error(request, f"The new link is not sent. {made.letter}")
    return f"{page}?invitation={made.pk}#made"


def _find_link(desk: CampaignPage, request: HttpRequest) -> LinkShown | None:
    """The link the page is asked to show, while it can be used."""
    number = request.GET.get("invitation", "")
    if not number.isdecimal():
        return None
    open_ones = invitations_open(desk.campaign).select_related("seat")
    invitation = open_ones.filter(pk=number, seat__user=None).first() if len(number) < 18 else None
    token = invitation_token(invitation) if invitation is not None else ""
    if invitation is None or not token:
        return None
    return LinkShown(str(invitation.seat), link_of(request, token), invitation.email)


def _withdraw_invitation(desk: CampaignPage, request: HttpRequest) -> Callable[[], Any]:
    invitation = _get_invitation(desk, request.POST.get("invitation", ""))
    return lambda: invitation_take_back(invitation=invitation, actor=desk.viewer.user)


def _build_button_act(desk: CampaignPage, request: HttpRequest, kind: str) -> Callable[[], Any]:
    seat, actor = _get_seat(desk, request), desk.viewer.user
    if kind == "close":
        return lambda: seat_close(seat=seat, actor=actor)
    return lambda: seat_offer(seat=seat, offered=kind == "offer", actor=actor)


def _report_act(request: HttpRequest, act: Callable[[], Any], done: str) -> None:
    try:
        act()
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, done)


def _build_context(desk: CampaignPage, request: HttpRequest, bound: SeatForm | None) -> dict[str, Any]:
    given: dict[str, Any] = {"campaign": desk.campaign, "world": desk.world}
    start = desk.world.theatre.start
    rows = all_rows(desk.campaign, start)
    about = request.POST.get("seat", "") if bound is not None else ""

    def forms_of(row: SeatRow) -> tuple[SeatForm, ...]:
        found = []
        for kind, form in OF_A_SEAT.items():
            again = bound is not None and bound.kind == kind and about == str(row.seat.pk)
            if form is InviteForm and not again and (row.seat.user_id is not None or row.state == "past"):
                continue
            made = form(prefix=f"{kind}-{row.seat.pk}", initial=_build_initial(row, start, kind), **given)
            found.append(bound if again and bound is not None else made)
        return tuple(found)

    invitations = invitations_open(desk.campaign).select_related("seat__user")
    shown = _find_link(desk, request)
    seen = {"days": desk.campaign.spectator_days, "side": desk.campaign.spectator_side}
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "papers": [
            SeatPaper(
                row=row,
                forms=forms_of(row),
                may_offer=row.seat.user_id is None and row.seat.role not in (Role.UMPIRE, Role.RESERVE),
                may_close=row.seat.role not in SINGLE or row.state != "now",
                open=about == str(row.seat.pk),
            )
            for row in rows
        ],
        "unled": _list_sides_without_commander(desk, rows),
        "public_dice": PUBLIC.format(title=desk.campaign.title) if secret_is_public(desk.campaign) else "",
        "invitations": [row for row in invitations if row.seat.user_id is None],
        "filled": [row for row in invitations if row.seat.user_id is not None],
        "mail_is_sent": settings.MAIL_IS_SENT,
        "shown": shown,
        "only_here": shown is not None and links_only_here(request),
        "tenures": tenure_rows(desk.viewer, start),
        "open_form": bound if isinstance(bound, OpenForm) else OpenForm(prefix="open", **given),
        "spectators_form": bound
        if isinstance(bound, SpectatorsForm)
        else SpectatorsForm(prefix="spectators", initial=seen, **given),
    }


def _list_sides_without_commander(desk: CampaignPage, rows: list[SeatRow]) -> list[tuple[str, str]]:
    """Sides that have no commander's seat: the staff leads them."""
    led = {row.seat.side for row in rows if row.seat.role == Role.COMMANDER and row.state != "past"}
    return [(side.id, side.name) for side in desk.world.theatre.sides if side.id not in led]


def _build_initial(row: SeatRow, start: Any, kind: str) -> dict[str, Any]:
    seat = row.seat
    if kind not in ("fill", "dates"):
        return {}
    return {
        "user": seat.user.get_username() if seat.user else "",
        "first": start + timedelta(days=seat.from_day) if seat.from_day else None,
        "last": start + timedelta(days=seat.until_day - 1) if seat.until_day is not None else None,
    }
