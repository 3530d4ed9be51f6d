"""Seats and their holders, past and present; opened, given, dated, offered and closed by the umpire."""

from datetime import date, timedelta
from typing import Any, TypedDict

from django.http import Http404
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import rename_refused_fields
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView, ChiefView
from campaign.models import Battle, Seat
from campaign.selectors.seats import SeatRow, all_rows, seat_rows, tenure_rows
from campaign.services.accounts.profile import person_of
from campaign.services.seats.changes import (
    seat_close,
    seat_dates_set,
    seat_fill,
    seat_offer,
    seat_open,
    seat_pass,
)

#: Fields of the services by those of bodies, where they differ.
FIELDS = {"from_day": "first", "until_day": "last", "day": "morning"}
LARGEST = 2**53 - 1
CHIEF = "For the umpire alone; for others there is nothing here."
AGAIN = f"If-Match is of the seat. {CHIEF}"


class SeatShape(Shape):
    """A seat and who has it."""

    number = serializers.IntegerField(source="seat.pk")
    title = serializers.CharField()
    role = serializers.ChoiceField(Seat.Role.choices, source="seat.role")
    side = serializers.CharField(allow_blank=True, source="seat.side")
    name = serializers.CharField(help_text="Its holder's, “the staff” or “nobody”.")
    dates = serializers.CharField(allow_blank=True, help_text="In words; empty: all the campaign.")
    away = serializers.CharField(allow_blank=True, help_text="Why the holder is away; empty: not away.")
    state = serializers.ChoiceField(["now", "come", "past"])
    offered = serializers.BooleanField(source="is_offered", help_text="Whether a reserve may take it.")


class TenureShape(Shape):
    """An earlier holder of a seat."""

    title = serializers.CharField()
    name = serializers.CharField()
    dates = serializers.CharField()


class SeatsShape(Shape):
    """The people of a campaign."""

    seats = SeatShape(many=True)
    past = TenureShape(many=True)


class WholeSeatShape(SeatShape):
    """A seat as the umpire has it before him."""

    user = serializers.CharField(source="seat.user.username", default="", help_text="Empty: nobody.")
    from_day = serializers.IntegerField(source="seat.from_day", help_text="Campaign day, from 0.")
    until_day = serializers.IntegerField(
        source="seat.until_day", allow_null=True, help_text="On whose morning it ends; null: never."
    )
    formations = serializers.ListField(child=serializers.CharField(), source="seat.formations")
    stands_for = serializers.IntegerField(source="seat.stands_for_id", allow_null=True)
    battle = serializers.IntegerField(source="seat.battle_id", allow_null=True)


class SeatDatesShape(Shape):
    """The first and last day of a seat, both included."""

    first = serializers.DateField(allow_null=True, default=None, help_text="null: from the beginning.")
    last = serializers.DateField(allow_null=True, default=None, help_text="null: to the end.")


class NewSeatShape(SeatDatesShape):
    """A seat to be opened."""

    role = serializers.ChoiceField(Seat.Role.choices)
    side = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Of a commander, column or guest."
    )
    title = serializers.CharField(max_length=100, allow_blank=True, default="", help_text="Empty: usual.")
    user = serializers.CharField(max_length=150, allow_blank=True, default="", help_text="Empty: nobody yet.")
    formations = serializers.ListField(
        child=serializers.CharField(max_length=100), default=list, max_length=200, help_text="Of a column."
    )
    stands_for = serializers.IntegerField(
        allow_null=True, default=None, min_value=1, max_value=LARGEST, help_text="A deputy: whose seat."
    )
    battle = serializers.IntegerField(
        allow_null=True, default=None, min_value=1, max_value=LARGEST, help_text="A guest: which they fight."
    )


class HolderShape(Shape):
    """The person to get a seat."""

    user = serializers.CharField(
        max_length=150,
        allow_blank=True,
        help_text="A user name; empty: nobody, and the staff or a deputy leads.",
    )


@extend_schema_serializer(component_name="Offer")  # its name in the API
class SeatOfferShape(Shape):
    """Whether the reserve may take a seat."""

    offered = serializers.BooleanField()


class PassShape(HolderShape):
    """To whom command passes, and when."""

    morning = serializers.DateField(help_text="A day of the campaign to come.")
    title = serializers.CharField(max_length=100, allow_blank=True, default="", help_text="Empty: the same.")


class Seats(CampaignView):
    """The people of a campaign."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint(
        "seats_list",
        "Who sits where",
        answer=SeatsShape,
        seen="Everybody is told the umpires and the sides' commanders; a side its own columns, deputies and "
        "guests and who of it is away; the umpires everything, seats to come too.",
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The seats held now, and who held them before."""
        start = self.reading.world.theatre.start
        return {"seats": seat_rows(self.viewer, start), "past": tenure_rows(self.viewer, start)}


class Held(TypedDict):
    """The mornings on which a seat begins and ends, as the services take them."""

    from_day: int
    until_day: int | None


class SeatView(ChiefView):
    """A view of what the umpire does about seats."""

    @property
    def start(self) -> date:
        return self.reading.world.theatre.start

    def row(self, seat: int) -> SeatRow:
        """A seat of the campaign. Raises Http404."""
        rows = all_rows(self.campaign, self.start)
        found = next((row for row in rows if row.seat.pk == seat), None)
        if found is None:
            raise Http404
        return found

    def asked_seat(self, request: Request, number: int) -> Seat:
        """The seat that is to be changed, as the caller saw it."""
        row = self.row(number)
        demand_match(request, WholeSeatShape(row).data)
        return row.seat

    def dates(self) -> Held:
        """The mornings on which a seat begins and ends, of the dates given."""
        first, last = self.given["first"], self.given["last"]
        return {
            "from_day": 0 if first is None else max((first - self.start).days, 0),
            "until_day": None if last is None else (last - self.start).days + 1,
        }


class AllSeats(SeatView):
    """All seats, as the umpire has them."""

    @endpoint("seats_all", "All seats in full", answer=WholeSeatShape(many=True), seen=CHIEF)
    def get(self, request: Request, slug: str) -> list[SeatRow]:
        """Every seat with its dates and its holder's user name, those past too."""
        return all_rows(self.campaign, self.start)

    @endpoint(
        "seats_open",
        "Open a seat",
        body=NewSeatShape,
        answer=WholeSeatShape,
        status=201,
        scope=Scope.UMPIRE,
        seen=CHIEF,
    )
    def post(self, request: Request, slug: str) -> SeatRow:
        """A new seat, empty or with its holder. Rules: HR-SET-04, HR-SET-05, HR-SET-07, HR-SET-09 to 12."""
        given = self.given
        own = Seat.objects.filter(campaign=self.campaign)
        with rename_refused_fields(FIELDS):
            made = seat_open(
                campaign=self.campaign,
                actor=self.person,
                role=given["role"],
                side=given["side"],
                title=given["title"],
                formations=given["formations"],
                stands_for=own.filter(pk=given["stands_for"] or 0).first(),
                battle=Battle.objects.filter(campaign=self.campaign, pk=given["battle"] or 0).first(),
                user=person_of(given["user"]),
                **self.dates(),
            )
        return self.row(made.pk)


class SeatDetail(SeatView):
    """One seat."""

    @endpoint("seats_read", "A seat in full", answer=WholeSeatShape, seen=CHIEF)
    def get(self, request: Request, slug: str, seat: int) -> SeatRow:
        """A seat with its dates and its holder's user name."""
        return self.row(seat)

    @endpoint("seats_close", "Close a seat", scope=Scope.UMPIRE, match=True, seen=AGAIN)
    def delete(self, request: Request, slug: str, seat: int) -> None:
        """Takes a seat and its deputies' away; who held it when stays written. Rules: HR-SET-04."""
        with self.lock_campaign():
            seat_close(seat=self.asked_seat(request, seat), actor=self.person)


class Holder(SeatView):
    """The holder of a seat."""

    @endpoint(
        "seats_give",
        "Give a seat",
        body=HolderShape,
        answer=WholeSeatShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=AGAIN,
    )
    def put(self, request: Request, slug: str, seat: int) -> SeatRow:
        """Gives a seat to a person or leaves it empty; orders given from it stand. Rules: HR-SET-04."""
        with self.lock_campaign():
            about = self.asked_seat(request, seat)
            seat_fill(seat=about, user=person_of(self.given["user"]), actor=self.person)
            return self.row(seat)


class Dates(SeatView):
    """The dates of a seat."""

    @endpoint(
        "seats_date",
        "Set a seat's days",
        body=SeatDatesShape,
        answer=WholeSeatShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=AGAIN,
    )
    def put(self, request: Request, slug: str, seat: int) -> SeatRow:
        """From which day to which a seat is held. Rules: HR-SET-07."""
        with self.lock_campaign(), rename_refused_fields(FIELDS):
            about = self.asked_seat(request, seat)
            seat_dates_set(seat=about, actor=self.person, **self.dates())
            return self.row(seat)


class SeatOffer(SeatView):
    """The offer of a seat to the reserve."""

    @endpoint(
        "seats_offer",
        "Offer a seat to the reserve",
        body=SeatOfferShape,
        answer=WholeSeatShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=AGAIN,
    )
    def put(self, request: Request, slug: str, seat: int) -> SeatRow:
        """Offers an empty seat to the reserve, who are told, or takes the offer back. Rules: HR-SET-10."""
        with self.lock_campaign():
            about = self.asked_seat(request, seat)
            seat_offer(seat=about, offered=self.given["offered"], actor=self.person)
            return self.row(seat)


class Passing(SeatView):
    """Command passes."""

    @endpoint(
        "seats_pass",
        "Let command pass",
        body=PassShape,
        answer=WholeSeatShape(many=True),
        status=201,
        scope=Scope.UMPIRE,
        seen=CHIEF,
    )
    def post(self, request: Request, slug: str, seat: int) -> list[SeatRow]:
        """On a morning to come the seat ends and one like it begins; gives both. Rules: HR-SET-07."""
        given, about = self.given, self.row(seat).seat
        day = (given["morning"] - self.start) // timedelta(days=1)
        with rename_refused_fields(FIELDS):
            user = person_of(given["user"])
            pair = seat_pass(seat=about, day=day, user=user, title=given["title"], actor=self.person)
        return [self.row(each.pk) for each in pair]
