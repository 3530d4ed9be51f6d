"""An army's replacement pools and expected units, its supply, and the week's returns."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.army.order_of_battle import SEEN, ArmyView, ChangeShape, WeekQuery
from campaign.api.framework.contract import endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.selectors.army.prospects import Prospects, build_prospects
from campaign.selectors.army.returns import load_returns
from campaign.selectors.army.supply import Supply, load_supply

#: Who is told of food.
FED = (
    "A side sees its stores and how those are fed whom headquarters sees; of who is known by couriers alone "
    "it sees nothing (HR-COU-04). The umpires see both sides."
)


class LeaderShape(Shape):
    """A general: what he commands, and how he is."""

    id = serializers.CharField()
    name = serializers.CharField()
    side = serializers.CharField(source="side_id", help_text="A side's id; the enemy's are your prisoners.")
    rank = serializers.CharField(allow_blank=True)
    formation = serializers.CharField(allow_blank=True, help_text="With whom he is; its id.")
    command = serializers.CharField(allow_blank=True, help_text="What he commands, in words.")
    where = serializers.CharField(allow_blank=True)
    span = serializers.IntegerField(min_value=0, help_text="Units he can command in battle (HR-LDR-04).")
    state = serializers.CharField()
    fit = serializers.BooleanField()


class PoolShape(Shape):
    """A pool of replacements, and what comes of it at the week's end."""

    key = serializers.CharField(help_text="As choices for the returns name it: “british/line”.")
    name = serializers.CharField()
    points = serializers.IntegerField(help_text="Campaign points.")
    below = serializers.CharField(
        allow_blank=True, help_text="The pool its points may be downgraded to (AWI-C-POL-02); empty: none."
    )
    raises = serializers.IntegerField(min_value=0, help_text="Units its points will raise (AWI-C-POL-03).")
    missing = serializers.IntegerField(
        allow_null=True, help_text="Points short of the next unit; null: it raises none (HR-REC-03)."
    )
    waiting = serializers.ListField(
        child=serializers.CharField(),
        source="waiting_ids",
        help_text="Units without men, in turn (AWI-C-ELI-01); their ids.",
    )
    becomes = serializers.CharField(allow_blank=True, help_text="What it raises, in words.")
    places = serializers.ListField(
        child=serializers.CharField(), source="place_ids", help_text="Where new units may appear; ids."
    )


class DueShape(Shape):
    """Units expected on one day at one place."""

    date = serializers.DateField()
    days = serializers.IntegerField(help_text="Until then, from the morning that is told of.")
    side = serializers.CharField(source="side_id", help_text="A side's id.")
    place = serializers.CharField(allow_blank=True, help_text="A place's id; empty: not said.")
    where = serializers.CharField(allow_blank=True)
    units = serializers.ListField(child=serializers.CharField(), help_text="Their names.")
    points = serializers.IntegerField()


class ProspectsShape(Shape):
    """An army's leaders, replacement pools and expected units."""

    week = serializers.IntegerField()
    running = serializers.IntegerField(help_text="The week that is being played.")
    weeks_end = serializers.DateField(
        allow_null=True, help_text="The morning by which pools raise units; null: no week ends any more."
    )
    days_left = serializers.IntegerField(allow_null=True, help_text="Until then; null with it.")
    by_themselves = serializers.BooleanField(
        help_text="Whether pools raise units by themselves, or when `choices.raised` asks for it."
    )
    leaders = LeaderShape(many=True)
    pools = PoolShape(many=True)
    due = DueShape(many=True)


class FoodShape(Shape):
    """A formation's food supply."""

    formation = serializers.CharField(source="id")
    name = serializers.CharField()
    side = serializers.CharField(source="side_id", help_text="A side's id.")
    where = serializers.CharField()
    men = serializers.IntegerField(min_value=0)
    days = serializers.IntegerField(
        allow_null=True, help_text="Of food in hand; null: it has not eaten here yet, or is a train."
    )
    hungry_days = serializers.IntegerField(min_value=0, help_text="Gone without food.")
    short = serializers.BooleanField(help_text="On two-thirds ration.")
    # Where its food came from; Field.source, which mypy means, is set on each serializer itself.
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="Where its food came from, or why none came, in words."
    )
    line = serializers.CharField(allow_blank=True, help_text="The way the food comes, in words.")


class StoreShape(Shape):
    """A place that gives out food."""

    place = serializers.CharField(help_text="A place's id.")
    name = serializers.CharField()
    side = serializers.CharField(source="side_id", help_text="A side's id.")
    rations = serializers.IntegerField(
        allow_null=True, help_text="A ration feeds a man for a day; null: a base, which does not run out."
    )


class HungerShape(Shape):
    """The effect of food, or of missing food, on one day."""

    date = serializers.DateField()
    text = serializers.CharField(source="line.text")
    rule = serializers.CharField(allow_blank=True, source="line.rule")
    dice = serializers.CharField(allow_blank=True, source="line.dice")
    line = serializers.CharField(allow_blank=True, source="trace", help_text="The way it is about, in words.")


class SupplyShape(Shape):
    """Food, as eaten yesterday evening."""

    played = serializers.BooleanField(help_text="Whether supply is played here; if not, the rest is empty.")
    formations = FoodShape(many=True)
    stores = StoreShape(many=True)
    losses = HungerShape(many=True, help_text="Of the last four weeks, the latest day first.")


class UnitReturnShape(Shape):
    """A unit's line of the returns, in campaign points."""

    id = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField(allow_blank=True, help_text="Empty: on the map.")
    start = serializers.IntegerField()
    now = serializers.IntegerField()
    changes = ChangeShape(many=True)


class FormationReturnShape(Shape):
    """A formation's lines and their sums."""

    id = serializers.CharField()
    name = serializers.CharField()
    side = serializers.CharField(help_text="A side's id.")
    reported = serializers.DateField(
        allow_null=True, help_text="The report it is from; null: as headquarters sees it itself."
    )
    start = serializers.IntegerField()
    now = serializers.IntegerField()
    units = UnitReturnShape(many=True)


class ReturnsShape(Shape):
    """The returns of a week."""

    week = serializers.IntegerField()
    running = serializers.IntegerField(
        help_text="The week whose rules come next; days that have run on close none (HR-CAL-11)."
    )
    closed = serializers.BooleanField(help_text="Whether the week's rules have been applied.")
    start = serializers.IntegerField()
    now = serializers.IntegerField()
    by_rule = ChangeShape(many=True, help_text="All gains and losses by their rules.")
    formations = FormationReturnShape(many=True)


class ProspectsOf(ArmyView):
    """An army's leaders, replacement pools and expected units."""

    @endpoint(
        "army_prospects", "What an army can count on", answer=ProspectsShape, query=WeekQuery, seen=SEEN
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Generals, pools with the keys that choices name and what they will raise, and who is expected. Of a
        week that is over all is told as on the morning after it."""
        army = self.army
        found = build_prospects(army.viewer, army.world, army.names)
        told = {name: getattr(found, name) for name in Prospects.__dataclass_fields__}
        return {"week": army.week, "running": army.running, **told}


class SupplyOf(CampaignView):
    """Food."""

    @endpoint("supply_read", "Food", answer=SupplyShape, seen=FED)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Days of food and its way to each formation, depots, and what hunger has cost. Rules: HR-SUP."""
        reading = self.reading
        if reading.world.settings.supply == "off":
            return {"played": False, "formations": [], "stores": [], "losses": []}
        found = load_supply(self.viewer, reading.world, reading.names)
        return {"played": True, **{name: getattr(found, name) for name in Supply.__dataclass_fields__}}


class ReturnsOf(CampaignView):
    """The week's returns."""

    @endpoint("returns_read", "The week's returns", answer=ReturnsShape, query=WeekQuery, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Points of each unit when the week began and now, and by which rules they were won and lost; pools
        are in army/prospects/, choices for the week's end in orders/."""
        reading, week = self.reading, self.asked.get("week")
        found = load_returns(self.viewer, reading.world, reading.names, week)
        if week is not None and found.week != week:
            raise Http404
        told = ("week", "closed", "start", "now", "by_rule", "formations")
        return {"running": found.weeks[0], **{name: getattr(found, name) for name in told}}
