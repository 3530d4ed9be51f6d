"""The order of battle: sides, formations and units with a week's changes; as a tree and as a table."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.fog.visibility import list_known_units
from campaign.selectors.army.order_of_battle import FormationRow
from campaign.selectors.army.unit_history import unit_roll, unit_weeks
from campaign.selectors.army.week import ArmyReading
from campaign.text.unit_names import arm_words, kind_words, state_words

SEEN = "A side sees its own, as its couriers last reported it; the umpires both."


class WeekQuery(Shape):
    """The week asked for."""

    week = serializers.IntegerField(
        min_value=1, max_value=10_000, required=False, help_text="Counted from 1; left out, the running one."
    )


class ChangeShape(Shape):
    """Points won or lost under a rule."""

    rule = serializers.CharField(allow_blank=True, help_text="Empty: not in the journal yet.")
    points = serializers.IntegerField()


class UnitShape(Shape):
    """A unit."""

    id = serializers.CharField()
    name = serializers.CharField()
    arm = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.CharField()
    present = serializers.BooleanField(help_text="On the map.")
    train = serializers.BooleanField()
    engaged = serializers.BooleanField(help_text="In a battle that waits for its outcome.")
    points = serializers.IntegerField(help_text="Campaign points.")
    sp = serializers.IntegerField(help_text="Strength points.")
    start = serializers.IntegerField(help_text="Points on the map when the week began.")
    now = serializers.IntegerField(help_text="Points on the map now, or at the week's end.")
    changes = ChangeShape(many=True)


class FormationShape(Shape):
    """A formation; sums are without those that belong to it."""

    id = serializers.CharField()
    name = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    commander = serializers.CharField(allow_blank=True)
    notes = serializers.ListField(child=serializers.CharField())
    on_map = serializers.BooleanField()
    garrison = serializers.BooleanField()
    points = serializers.IntegerField()
    sp = serializers.IntegerField()
    units = UnitShape(many=True)


class BodyShape(FormationShape):
    """A formation with the detachments that belong to it."""

    parts = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_parts(self, row: FormationRow) -> Any:
        return BodyShape(row.parts, many=True).data


class ArmySideShape(Shape):
    """A side's army."""

    id = serializers.CharField()
    name = serializers.CharField()
    units_present = serializers.IntegerField(source="present")
    points = serializers.IntegerField()
    sp = serializers.IntegerField()
    columns = BodyShape(many=True)
    garrisons = BodyShape(many=True)
    elsewhere = BodyShape(many=True, help_text="With nobody on the map.")


class ArmyShape(Shape):
    """The order of battle in a week."""

    week = serializers.IntegerField()
    running = serializers.IntegerField(help_text="The week that is being played.")
    sides = ArmySideShape(many=True)


class RollShape(Shape):
    """A change to a unit on one day."""

    date = serializers.DateField()
    text = serializers.CharField(source="line.text")
    rule = serializers.CharField(allow_blank=True, source="line.rule")
    dice = serializers.CharField(allow_blank=True, source="line.dice")


class UnitWeekShape(Shape):
    """A unit at the end of a week."""

    week = serializers.IntegerField()
    date = serializers.DateField()
    points = serializers.IntegerField(allow_null=True, help_text="Null: not on the map.")
    changes = ChangeShape(many=True)


class RecordShape(Shape):
    """A unit with what befell it in a week, and all its weeks."""

    id = serializers.CharField()
    name = serializers.CharField()
    arm = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.CharField()
    formation = serializers.CharField()
    week = serializers.IntegerField()
    roll = RollShape(many=True)
    weeks = UnitWeekShape(many=True)


class ArmyView(CampaignView):
    """A view of the army."""

    @property
    def army(self) -> ArmyReading:
        """Of the week asked for; one to come is not there."""
        found = ArmyReading(self.reading, self.asked.get("week"))
        if self.asked.get("week", found.week) != found.week:
            raise Http404
        return found


class ArmyDetail(ArmyView):
    """The order of battle."""

    @endpoint("army_read", "The order of battle", answer=ArmyShape, query=WeekQuery, seen=SEEN)
    def get(self, request: Request, slug: str) -> ArmyReading:
        """Formations as a tree, units with the week's changes of points and the rules they came by."""
        return self.army


class ArmyTable(ArmyView):
    """The order of battle as a table."""

    @endpoint(
        "army_table",
        "The order of battle as CSV",
        query=WeekQuery,
        files={"text/csv": "A row for each unit; no cell of it is a formula."},
        seen=SEEN,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The same as a table of figures."""
        return HttpResponse(self.army.table, content_type="text/csv; charset=utf-8")


class ArmyUnitDetail(ArmyView):
    """A unit."""

    @endpoint("army_unit", "What befell a unit", answer=RecordShape, query=WeekQuery, seen=SEEN)
    def get(self, request: Request, slug: str, unit: str) -> dict[str, Any]:
        """The week's entries about it with rules and dice, and its points at the end of each week."""
        army, reading = self.army, self.reading
        known = next((each for each in list_known_units(army.viewer, reading.world) if each.id == unit), None)
        if known is None:
            raise Http404
        return {
            "id": known.id,
            "name": known.name,
            "arm": arm_words(known),
            "kind": kind_words(known),
            "state": state_words(known, reading.world, reading.names),
            "formation": known.formation,
            "week": army.week,
            "roll": unit_roll(army.viewer, reading.world, reading.names, unit, army.week - 1),
            "weeks": unit_weeks(army.viewer, reading.world, army.weeks, known),
        }
