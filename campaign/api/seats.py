"""Who sits where, who sat there before."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.contract import endpoint
from campaign.api.serializers import Shape
from campaign.api.views import CampaignView
from campaign.models import Seat
from campaign.selectors.seats import seat_rows, tenure_rows


class SeatShape(Shape):
    """A seat and who has it."""

    number = serializers.IntegerField(source="seat.pk")
    title = serializers.CharField()
    role = serializers.ChoiceField(Seat.Role.choices, source="seat.role")
    side = serializers.CharField(allow_blank=True, source="seat.side")
    name = serializers.CharField(help_text="Its holder's, “the staff” or “nobody”.")
    dates = serializers.CharField(allow_blank=True, help_text="In words; empty: all the campaign.")
    away = serializers.CharField(allow_blank=True, help_text="Why he is away; empty: he is not.")
    state = serializers.ChoiceField(["now", "come", "past"])
    offered = serializers.BooleanField(help_text="Whether a reserve may take it.")


class TenureShape(Shape):
    """Who held a seat before."""

    title = serializers.CharField()
    name = serializers.CharField()
    dates = serializers.CharField()


class SeatsShape(Shape):
    """The people of a campaign."""

    seats = SeatShape(many=True)
    past = TenureShape(many=True)


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
