"""The umpire's form that puts a formation elsewhere: at a place, or at a spot of a route (HR-UMP-02)."""

from decimal import Decimal

from django import forms

from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import Act, PlaceFormation
from campaign.rules.umpire.placement import verify_put_down
from campaign.rules.world.world import YARDS_PER_MILE, Position
from campaign.web.orders.organisation_forms import Choices
from campaign.web.umpire.correction_forms import UmpireForm, group_choices

MILES = "Give the miles as a number, as 3 or 2.5."


class PlaceFormationForm(UmpireForm):
    kind, title = "place", "Put a formation elsewhere"

    def build(self) -> None:
        self.fields["formation"] = self._pick("Formation", self._formations())
        self.fields["position"] = self._pick("Place", self._places(), none="at no place, but on a route")
        self.fields["route"] = self._pick("Or on the route", self._ways(), none="on no route")
        self.fields["miles"] = forms.DecimalField(
            label="Miles from where the route begins",
            required=False,
            max_digits=8,
            decimal_places=3,
            help_text="Only for a spot on a route.",
            error_messages=dict.fromkeys(
                ("invalid", "max_digits", "max_decimal_places", "max_whole_digits"), MILES
            ),
        )

    def _ways(self) -> Choices:
        """Every route from either of its ends, by the place it leads out of."""
        return group_choices(
            [
                (
                    f"{route.id}/{origin}",
                    f"towards {self.names.place(end)}, {route.kind.replace('_', ' ')}, "
                    f"{_format_miles(route.yards)} miles",
                    f"Out of {self.names.place(origin)}",
                )
                for route in self.world.theatre.atlas.routes.values()
                for origin, end in ((route.a, route.b), (route.b, route.a))
            ]
        )

    def clean(self) -> None:
        data = self.cleaned_data
        place, way, miles = data.get("position", ""), data.get("route", ""), data.get("miles")
        if self.errors:
            return
        if not way:
            if not place:
                self.add_error("position", "Choose a place, or a route and the miles along it.")
            elif miles is not None:
                self.add_error("route", "Choose the route the miles are along, or leave the miles empty.")
            else:
                self._verify_free(PlaceFormation(data["formation"], Position(place=place)))
            return
        if place:
            self.add_error("route", "A formation stands at a place or on a route; choose one of the two.")
            return
        length = self.world.theatre.atlas.routes[way.rpartition("/")[0]].yards
        if miles is None or not 0 < _convert_to_yards(miles) < length:
            self.add_error(
                "miles",
                f"The route is {_format_miles(length)} miles long; give more than 0 and less than that.",
            )

    def _verify_free(self, act: PlaceFormation) -> None:
        try:
            verify_put_down(self.world, act)
        except RuleViolation as violation:
            self.refuse(violation)

    def act(self) -> Act:
        data = self.cleaned_data
        if not data["route"]:
            return PlaceFormation(data["formation"], Position(place=data["position"]))
        key, _, origin = data["route"].rpartition("/")
        end = self.world.theatre.atlas.routes[key].other(origin)
        spot = Position(route=key, origin=origin, destination=end, yards=_convert_to_yards(data["miles"]))
        return PlaceFormation(data["formation"], spot)


def _convert_to_yards(miles: Decimal) -> int:
    return round(miles * YARDS_PER_MILE)


def _format_miles(yards: int) -> str:
    """Miles with a decimal where they have one."""
    tenths = round(Decimal(yards) / YARDS_PER_MILE, 1)
    return f"{tenths.normalize():f}"
