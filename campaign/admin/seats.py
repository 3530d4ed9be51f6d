"""The list of seats: invite, take back, give dates of command, offer, empty, take away (HR-SET-07 to 13)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display

from campaign.admin.base import (
    DeskAdmin,
    build_name_column,
    campaign_filter,
    format_day_with_date,
    side_filter,
    with_names,
)
from campaign.admin.confirm_action import Question, build_question_action
from campaign.admin.site import umpire_site
from campaign.admin.umpired_campaigns import get_umpire_campaigns
from campaign.models import Invitation, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.seats.changes import seat_close, seat_dates_set, seat_fill, seat_offer
from campaign.services.seats.invitations import (
    LONGEST,
    USUAL,
    invitation_link,
    invitation_make,
    invitation_send,
    invitation_take_back,
    invitations_open,
    only_here,
)
from rosters.models import Side

#: Fields of the form of dates by those of the services.
FIELDS = {"from_day": "first", "until_day": "last"}


class SeatQuestion(Question):
    """About seats: the umpire's own to answer, and no act, so that it needs no reason (HR-SET-08)."""

    reasoned = False

    def refusal(self) -> str:
        if any(campaign.pk not in self.work.chief for campaign, _ in self.groups):
            return "Only the umpire can give seats; ask the umpire."
        return super().refusal()

    def line(self, row: Seat) -> str:
        return f"{row.campaign.title}: {row}, {_format_holder(row)}"

    def locate_refusal(self, violation: RuleViolation) -> RuleViolation:
        field = FIELDS.get(violation.field, violation.field)
        return RuleViolation(violation.rule_id, violation.message, field)

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        told = []
        with transaction.atomic():
            for row in self.rows:
                with self._about(row):
                    told.append(format_html("{}: {}", row, self.change(row, actor)))
        return told

    def change(self, row: Seat, actor: User) -> str:
        """Ask it of one seat; gives what is told. Each question has its own; forms cannot be abstract."""
        raise NotImplementedError

    @contextmanager
    def _about(self, row: Seat) -> Iterator[None]:
        """A refusal names the seat it is about, when there are several."""
        try:
            yield
        except RuleViolation as violation:
            if len(self.rows) == 1:
                raise
            raise RuleViolation(violation.rule_id, f"{row}: {violation.message}", violation.field) from None


class InviteQuestion(SeatQuestion):
    key, label, button, single = "invite", "Invite, or invite again", "Make the invitation", True
    told = "A link for an empty seat. The page Seats shows it again. Older links for the seat stop working."

    @classmethod
    def fits(cls, row: Seat) -> bool:
        return row.user_id is None

    def build(self) -> None:
        sent = "the link is sent there, or" if settings.MAIL_IS_SENT else "no mail goes out from here:"
        self.fields["email"] = forms.EmailField(
            label="Whom it is for",
            required=False,
            help_text=f"An e-mail address, or nothing; {sent} you pass it on yourself.",
        )
        self.fields["days"] = forms.IntegerField(
            label="Good for days", min_value=1, max_value=LONGEST, initial=USUAL
        )

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        (seat,), data = self.rows, self.cleaned_data
        invitation, token = invitation_make(
            campaign=seat.campaign, seat=seat, email=data["email"], days=data["days"], actor=actor
        )
        by_letter = settings.MAIL_IS_SENT and bool(invitation.email)
        if by_letter and invitation_send(invitation=invitation, token=token):
            return [format_html("{}: the invitation is sent to {}.", seat, invitation.email)]
        link = invitation_link(token, settings.SITE_URL)
        told = '{}: pass on this link: <a href="{}">{}</a>. The page Seats shows it again.'
        if only_here(link):
            told += " It leads to this computer alone: set SITE_URL, or start the site with make run LAN=."
        return [format_html(told, seat, link, link)]


class TakeBackQuestion(SeatQuestion):
    key, label, button = "take_back", "Take back invitations", "Take them back"
    told = "Links to these seats that nobody has used open nothing any more."
    taking = True

    @classmethod
    def fits(cls, row: Seat) -> bool:
        return bool(getattr(row, "invited", True))

    def change(self, row: Seat, actor: User) -> str:
        found = list(invitations_open(row.campaign).filter(seat=row))
        for invitation in found:
            invitation_take_back(invitation=invitation, actor=actor)
        return f"{len(found)} taken back." if found else "no invitation was open."


class DatesQuestion(SeatQuestion):
    key, label, button, single = "dates", "Give dates of command", "Set the dates", True
    told = "Command passes on the morning of the first day and ends with the last."

    def build(self) -> None:
        seat, start = self.rows[0], self.world.theatre.start
        first = start + timedelta(days=seat.from_day) if seat.from_day else None
        last = start + timedelta(days=seat.until_day - 1) if seat.until_day is not None else None
        for name, label, present, empty in (
            ("first", "First day", first, "from the first day on"),
            ("last", "Last day", last, "to the campaign's end"),
        ):
            self.fields[name] = forms.DateField(
                label=label,
                required=False,
                initial=present,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                help_text=f"A day of the campaign; empty: {empty}.",
                error_messages={"invalid": f"Give a day of the campaign, as {start:%Y-%m-%d}."},
            )

    def change(self, row: Seat, actor: User) -> str:
        start, first, last = self.world.theatre.start, self.cleaned_data["first"], self.cleaned_data["last"]
        seat_dates_set(
            seat=row,
            from_day=(first - start).days if first else 0,
            until_day=(last - start).days + 1 if last else None,
            actor=actor,
        )
        return "the dates are set."


class OfferQuestion(SeatQuestion):
    key, label, button = "offer", "Offer to the reserve", "Offer them"
    told = "Whoever waits on the reserve is told, and may take an empty seat."

    @classmethod
    def fits(cls, row: Seat) -> bool:
        return row.user_id is None and not row.offered

    def change(self, row: Seat, actor: User) -> str:
        seat_offer(seat=row, offered=True, actor=actor)
        return "offered to the reserve."


class KeepQuestion(SeatQuestion):
    key, label, button = "keep", "Take the offer back", "Offer them no longer"

    @classmethod
    def fits(cls, row: Seat) -> bool:
        return row.offered

    def change(self, row: Seat, actor: User) -> str:
        seat_offer(seat=row, offered=False, actor=actor)
        return "offered no longer."


class EmptyQuestion(SeatQuestion):
    key, label, button = "empty", "Leave empty", "Leave them empty"
    told = "Its holder loses the seat. Their orders stand, and the staff leads until it is filled."
    taking = True

    @classmethod
    def fits(cls, row: Seat) -> bool:
        return row.user_id is not None

    def change(self, row: Seat, actor: User) -> str:
        seat_fill(seat=row, user=None, actor=actor)
        return "it is empty."


class CloseQuestion(SeatQuestion):
    key, label, button = "close", "Take away", "Take them away"
    told = "The seat goes, with its deputies'; who held it when stays written. Orders given from it stand."
    taking = True

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        gone = {row.pk for row in self.rows}
        self.rows = [row for row in self.rows if row.stands_for_id not in gone]  # these go with theirs
        return super().perform(actor, seen)

    def change(self, row: Seat, actor: User) -> str:
        seat_close(seat=row, actor=actor)
        return "it is taken away."


QUESTIONS = (
    InviteQuestion, TakeBackQuestion, DatesQuestion, OfferQuestion, KeepQuestion, EmptyQuestion,
    CloseQuestion,
)  # fmt: skip


@admin.register(Seat, site=umpire_site)
class SeatAdmin(DeskAdmin):
    """Seats and their holders; only the umpire changes them (HR-SET-08). Seats are made on the site."""

    list_display = ["name", "role", "of_side", "holder", "is_invited", "campaign", "first_day", "last_day"]
    list_filter = [campaign_filter("campaign"), side_filter("side"), "role"]
    list_select_related = ["campaign", "user"]
    search_fields = ["title", "user__username", "user__first_name", "user__last_name"]
    fields = [
        "campaign", "role", "of_side", "title", "holder", "first_day", "last_day", "offered", "missed_at",
    ]  # fmt: skip
    readonly_fields = ["of_side", "holder", "first_day", "last_day"]
    left_out = {"of_side": "side", "last_day": "until_day", "missed_at": "missed_at"}
    actions = [build_question_action(each) for each in QUESTIONS]
    site_word = "Seats"

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """None for who umpires nothing himself, but may look."""
        return dict(super().get_actions(request)) if get_umpire_campaigns(request).chief else {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        unused = Invitation.objects.filter(seat=OuterRef("pk"), used_at=None, taken_back_at=None)
        invited = Exists(unused.filter(expires_at__gt=timezone.now()))
        return with_names(super().get_queryset(request), side=Side).annotate(invited=invited)

    of_side = build_name_column("side", "side")

    @admin.display(description="first day", ordering="from_day")
    def first_day(self, row: Seat) -> str:
        return format_day_with_date(row.campaign, row.from_day)

    @admin.display(description="last day", ordering="until_day")
    def last_day(self, row: Seat) -> str:
        """The day before the morning on which command ends."""
        return "" if row.until_day is None else format_day_with_date(row.campaign, row.until_day - 1)

    @display(description="invited", boolean=True)
    def is_invited(self, row: Any) -> bool:
        return bool(row.invited and row.user_id is None)

    def site_url(self, row: Seat) -> str:
        return reverse("seats", args=[row.campaign.slug])

    @admin.display(description="seat", ordering="title")
    def name(self, row: Seat) -> str:
        return str(row)

    @admin.display(description="held by", ordering="user__username")
    def holder(self, row: Seat) -> str:
        return _format_holder(row)


def _format_holder(row: Seat) -> str:
    return row.user.get_full_name() or row.user.get_username() if row.user else "nobody"
