"""The umpire's hand on a battle that waits: how it is settled, adjustments, its sector (HR-TAB-11 to 14)."""

from collections.abc import Container
from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from battles.files.reading import encode_value
from campaign.api.battles.battles import BattleView, PlanShape
from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import UmpireView
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import RAIN as RAIN_OPTION
from campaign.rules.battles.battle_inputs import file_now, muster_units, pieces_on_table, ruleset_of
from campaign.rules.umpire.battle_corrections import DrawGround, PlanFor, PlanLaidDown, UnitArrival
from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.selectors.battles.adjustments import (
    AS_FOUND,
    DEPTHS,
    MOST_DRAWS,
    MOST_WORKS,
    RAIN,
    WIDTHS,
    Change,
    ground_for,
)
from campaign.selectors.battles.battles import BattlefieldDrawing, build_battlefield_drawing
from campaign.selectors.battles.waiting import battle_morning, way_stands
from campaign.services.battles.methods import (
    battle_adjust,
    battle_adjustment_take_back,
    battle_split,
    battle_way_choose,
    list_rulesets,
)

UMPIRES = "The umpire and the assistants, while the battle waits; settled it is a 409."
AFTER = "If-Match is the ETag of the way."
WAYS = ["engine", "table", "word"]
SEASONS = ["spring", "summer", "autumn", "winter"]
REASON = "Stands in the journal."
ONE = "Adjust one thing at a time: ground, arrivals, rain or plan."


class DrawingShape(Shape):
    """Settings for drawing the ground."""

    draw = serializers.IntegerField(help_text=f"1 to {MOST_DRAWS}; the first is the country's own.")
    season = serializers.ChoiceField(SEASONS)
    wet = serializers.BooleanField(help_text="After days of rain: fords drowned, low ground marsh.")
    works = serializers.IntegerField(
        help_text=f"SP of each work, at most {MOST_WORKS}; 0: none, {AS_FOUND}: as they stand."
    )
    width = serializers.IntegerField(help_text=f"Inches, at most {WIDTHS[1]}.")
    depth = serializers.IntegerField(help_text=f"Inches, {DEPTHS[0]} to {DEPTHS[1]}.")


class ArrivalShape(Shape):
    """The arrival time of a unit."""

    unit = serializers.CharField(max_length=120)
    turn = serializers.IntegerField(help_text="In turns of ten minutes; 0: on the field from the start.")


class LaidPlanShape(PlanShape):
    """A side's plan set by the umpire, whatever its commander chose."""

    side = serializers.CharField(max_length=60)


class WayReasonShape(Shape):
    """The reason."""

    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, help_text=REASON)


class NewAdjustmentShape(WayReasonShape):
    """One adjustment: exactly one of ground, arrivals, rain and plan."""

    ground = DrawingShape(required=False)
    arrivals = ArrivalShape(many=True, required=False)
    rain = serializers.ChoiceField([*RAIN], required=False)
    plan = LaidPlanShape(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len([name for name in ("ground", "arrivals", "rain", "plan") if name in attrs]) != 1:
            raise serializers.ValidationError(ONE)
        return attrs


class ChosenWayShape(Shape):
    """The method by which a battle is to be resolved."""

    way = serializers.ChoiceField(WAYS)
    ruleset = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Empty: those it was opened under."
    )
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        allow_blank=True,
        default="",
        help_text="Needed to change what was said before.",
    )


class SectorOfShape(Shape):
    """The units that fight on the table."""

    units = serializers.ListField(child=serializers.CharField(max_length=120), min_length=1, max_length=1024)


class KnownRulesetShape(Shape):
    """Rules a battle may be fought under."""

    id = serializers.CharField()
    title = serializers.CharField()


class PooledShape(Shape):
    """One of several units that stand as one."""

    unit = serializers.CharField()
    sp = serializers.IntegerField()


class MusterShape(Shape):
    """A unit's strength under rules that count in points of their own (HR-BAT-13)."""

    unit = serializers.CharField()
    sp = serializers.IntegerField()
    points = serializers.IntegerField()
    stands = serializers.ListField(child=serializers.IntegerField(), help_text="Points of each.")
    brigade = serializers.IntegerField(help_text="Counted from 1; 0: none.")
    back = serializers.ListField(
        child=serializers.IntegerField(), help_text="SP that 0, 1, 2 and so on points lost are."
    )
    pooled = PooledShape(many=True, help_text="All units that stand as this one; empty: it stands alone.")
    goes_with = serializers.CharField(
        allow_blank=True, help_text="Of guns without a stand the unit they go with; empty: of all others."
    )


class AdjustmentShape(Shape):
    """An adjustment that was made."""

    number = serializers.IntegerField()
    told = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    back = serializers.CharField(allow_blank=True, help_text="Why it was taken back; empty: it stands.")


class SectorUnitShape(Shape):
    """A unit of the battle."""

    id = serializers.CharField()
    name = serializers.CharField()
    formation = serializers.CharField()
    sp = serializers.IntegerField()
    arrives = serializers.IntegerField(help_text="When it comes on, in turns of ten minutes; 0: at once.")
    turn = serializers.IntegerField(help_text="The same in turns of the battle's rules.")
    chosen = serializers.BooleanField(help_text="For the table; while the fight is whole a proposal.")


class SectorSideShape(Shape):
    """A side's units."""

    side = serializers.CharField()
    name = serializers.CharField()
    units = SectorUnitShape(many=True)


class WayShape(Shape):
    """The method, rules and adjustments of a waiting battle."""

    way = serializers.ChoiceField(WAYS, allow_blank=True, help_text="Empty: not said yet.")
    ruleset = serializers.CharField()
    rulesets = KnownRulesetShape(many=True)
    options = serializers.DictField(help_text="Of the rules it is fought under; others have their default.")
    muster = MusterShape(
        many=True, help_text="Of what is fought on the table; empty under rules that count in SP."
    )
    fighting = serializers.BooleanField(help_text="The engine has been set to it.")
    frozen = serializers.BooleanField(help_text="Nothing of it is adjusted any more (HR-TAB-12).")
    ground = DrawingShape()
    rain = serializers.ChoiceField([*RAIN])
    turns = serializers.IntegerField(help_text="Of ten minutes, at most.")
    adjustments = AdjustmentShape(many=True)
    table_units = serializers.IntegerField(help_text="So many of a side fit the table.")
    too_big = serializers.BooleanField()
    split = serializers.BooleanField()
    beside = serializers.BooleanField(help_text="Split: whether the engine has anything to fight.")
    sides = SectorSideShape(many=True)


class GroundLookShape(Shape):
    """Ground as it would be; nothing has been written."""

    words = serializers.CharField()
    drawing = serializers.CharField(help_text="SVG.")
    ground = serializers.DictField(help_text="As the battle file has it.")


class BattleResolutionView(UmpireView, BattleView):
    """A view of a battle that waits, for its umpire."""

    also: Container[str] = ()

    def waiting(self) -> Battle:
        """The battle; a 409 once it is settled, for then nothing of it changes any more."""
        if self.battle.state == Battle.State.SETTLED:
            raise ApiProblem("conflict", "The battle is settled; nothing of it changes any more.")
        return self.battle

    def describe_resolution(self) -> dict[str, Any]:
        battle, stands = self.waiting(), way_stands(self.reading, self.waiting())
        file = file_now(battle)
        goes_with = {piece.unit: piece.goes_with for piece in pieces_on_table(file, battle.sector)}
        factor = file.get("options", {}).get(RAIN_OPTION, 0)
        return {
            "way": battle.way,
            "ruleset": ruleset_of(battle),
            "rulesets": [{"id": key, "title": title} for key, title in list_rulesets()],
            "options": file.get("options", {}),
            "muster": [
                {**asdict(one), "goes_with": goes_with[one.unit]}
                for one in muster_units(file, battle.sector).values()
            ],
            "fighting": stands.fighting,
            "frozen": stands.frozen,
            "ground": stands.drawing,
            "rain": next((word for word, value in RAIN.items() if value == factor), "storm"),
            "turns": file["turns"],
            "adjustments": stands.adjustments,
            "table_units": battle.campaign.table_units,
            "too_big": stands.big,
            "split": stands.split,
            "beside": stands.beside,
            "sides": stands.sides,
        }

    def apply_change(self, request: Request, change: Any) -> dict[str, Any]:
        """Do `change` with the battle as it now is, if it is as the caller saw it; what then stands."""
        with self.lock_campaign():
            self.battle = self.load_battle()
            demand_match(request, WayShape(self.describe_resolution()).data)
            change(self.battle)
            self.battle = self.load_battle()
            return self.describe_resolution()


class BattleResolution(BattleResolutionView):
    """The method by which a battle is resolved."""

    @endpoint("battles_way", "How a battle is to be settled", answer=WayShape, refuses=(409,), seen=UMPIRES)
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The choices and adjustments made for a waiting battle, and the ones possible."""
        return self.describe_resolution()

    @endpoint(
        "battles_way_choose",
        "Choose how it is settled",
        answer=WayShape,
        body=ChosenWayShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=UMPIRES,
    )
    def put(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The engine, the table or the umpire's word, and the rules; it is an act. Rules: HR-TAB-11."""
        return self.apply_change(
            request, lambda found: battle_way_choose(battle=found, actor=self.person, **self.given)
        )


class Adjustments(BattleResolutionView):
    """Adjusting a battle."""

    @endpoint(
        "battles_adjust",
        "Adjust ground, arrivals, rain or a plan",
        answer=WayShape,
        status=201,
        body=NewAdjustmentShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=f"{UMPIRES} {AFTER}",
    )
    def post(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """One adjustment with its reason, as an act of the chain. Rules: HR-TAB-12."""
        change, reason = parse_adjustment(self.given), self.given["reason"]
        return self.apply_change(
            request,
            lambda found: battle_adjust(battle=found, change=change, reason=reason, actor=self.person),
        )


class AdjustmentBack(BattleResolutionView):
    """Taking an adjustment back."""

    @endpoint(
        "battles_adjustment_take_back",
        "Take an adjustment back",
        answer=WayShape,
        body=WayReasonShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=f"{UMPIRES} {AFTER}",
    )
    def post(self, request: Request, slug: str, battle: int, number: int) -> dict[str, Any]:
        """It counts no more; those made after it stand. Rules: HR-TAB-13."""
        reason = self.given["reason"]
        return self.apply_change(
            request,
            lambda found: battle_adjustment_take_back(
                battle=found, number=number, reason=reason, actor=self.person
            ),
        )


class GroundLook(BattleResolutionView):
    """Ground looked at before it is taken."""

    @endpoint(
        "battles_ground_look",
        "Look at another ground",
        answer=GroundLookShape,
        body=DrawingShape,
        scope=Scope.UMPIRE,
        cost=5,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The ground as it would be drawn; nothing is written. Rules: HR-TAB-12."""
        found = self.waiting()
        ground = ground_for(found, battle_morning(self.reading, found), DrawGround(**self.given))
        table: BattlefieldDrawing = build_battlefield_drawing(ground, found, self.reading.names)
        return {"words": table.words, "drawing": table.drawing, "ground": encode_value(ground)}


class Sector(BattleResolutionView):
    """A fight too big for the table."""

    @endpoint(
        "battles_split",
        "Split a fight",
        answer=WayShape,
        body=SectorOfShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=f"{UMPIRES} {AFTER}",
    )
    def put(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Says who is fought with on the table; the engine fights the rest. Rules: HR-TAB-14."""
        return self._split(request, self.given["units"])

    @endpoint(
        "battles_whole",
        "Make a split fight whole",
        answer=WayShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=f"{UMPIRES} {AFTER}",
    )
    def delete(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """All of it is for the table again. Rules: HR-TAB-14."""
        return self._split(request, [])

    def _split(self, request: Request, units: list[str]) -> dict[str, Any]:
        return self.apply_change(
            request, lambda found: battle_split(battle=found, units=units, actor=self.person)
        )


def parse_adjustment(given: dict[str, Any]) -> Change:
    """The adjustment of a checked body."""
    if "ground" in given:
        return DrawGround(**given["ground"])
    if "arrivals" in given:
        return tuple(UnitArrival(**row) for row in given["arrivals"])
    if "rain" in given:
        rain: Change = given["rain"]
        return rain
    plan = dict(given["plan"])
    return PlanFor(plan.pop("side"), PlanLaidDown(**plan))
