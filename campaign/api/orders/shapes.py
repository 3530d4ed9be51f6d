"""Shapes of papers: orders, acts of organisation, choices for the returns, and what became of them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from campaign.api.framework.serializers import Shape
from campaign.models import OrderPaper
from campaign.rules.army.organisation import (
    KINDS,
    Organisation,
    detachment_id,
    kind_of,
    organisation_from_json,
)
from campaign.rules.orders.order_json import LONGEST, read_record
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Activity, Order, Pace, Stance, World
from campaign.rules.world.world_json import order_from_json
from campaign.selectors.orders.orders import PaperRow
from campaign.services.orders.day_orders import choices_from_paper
from campaign.services.orders.submission import Written

RULE = "HR-ORD-01"
MOST = 100
WHEN = ("always", "no_enemy", "enemy", "held")


def _build_key_field(**more: Any) -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST, **more)


def _build_key_list_field(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=_build_key_field(), max_length=MOST, **more)


def _build_rows_field(shape: Any, **more: Any) -> Any:
    return shape(many=True, max_length=MOST, **more)


def _last_paper() -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="As you read it; a newer paper you have not seen is not replaced (HR-PAP-04).",
    )


class StageShape(Shape):
    """A further part of an itinerary (HR-ORD-02)."""

    via = _build_key_list_field(min_length=1, help_text="Places by their ids, in turn.")
    wait = serializers.IntegerField(min_value=0, max_value=1000, default=0, help_text="Days to halt first.")
    when = serializers.ChoiceField(WHEN, default="always")
    miles = serializers.IntegerField(
        min_value=0, max_value=1000, default=0, help_text="For no_enemy and enemy: how near."
    )
    subject = _build_key_field(
        allow_blank=True, default="", help_text="For held: the place that must be one's own."
    )
    pace = serializers.ChoiceField(get_args(Pace), default="normal")
    stance = serializers.ChoiceField(get_args(Stance), default="give_battle")
    by_water = serializers.BooleanField(default=False)


class MarchShape(Shape):
    """A formation's march; without `via` it halts."""

    via = _build_key_list_field(
        default=tuple, help_text="Places by their ids, in turn; the last is the destination."
    )
    pace = serializers.ChoiceField(get_args(Pace), default="normal")
    stance = serializers.ChoiceField(get_args(Stance), default="give_battle")
    light_order = serializers.BooleanField(default=False)
    activity = serializers.ChoiceField(get_args(Activity), default="march")
    target = _build_key_field(
        allow_blank=True,
        default="",
        help_text="To follow or intercept: an enemy's id on the map without “seen-”; for bridges a route's.",
    )
    starts = serializers.IntegerField(min_value=0, max_value=1440, default=0, help_text="Minutes of delay.")
    by_water = serializers.BooleanField(default=False)
    stages = _build_rows_field(StageShape, default=tuple)


class OrderShape(MarchShape):
    """A formation's order."""

    formation = _build_key_field()


class ActShape(Shape):
    """An act of organisation (HR-ORG-01 to HR-ORG-07); which fields it has goes by its kind."""

    kind = serializers.ChoiceField(list(KINDS))
    formation = _build_key_field(required=False, help_text="Of all kinds but transfer.")
    units = _build_key_list_field(required=False, help_text="Of detach and transfer.")
    into = _build_key_field(required=False, help_text="Of join and transfer: a formation.")
    id = _build_key_field(
        required=False, help_text="Of detach: the new formation's; left out, the next that is free."
    )
    name = _build_key_field(required=False, help_text="Of detach.")
    commander = _build_key_field(required=False, allow_blank=True, help_text="Of detach.")
    order = MarchShape(required=False, allow_null=True, help_text="Of detach: what it is to do at once.")
    wagons = _build_key_field(required=False, help_text="Of escort: a train.")
    leader = _build_key_field(required=False, help_text="Of hand_over: a general.")
    on = serializers.BooleanField(required=False, help_text="Of garrison: to be one, or relieved.")
    short = serializers.BooleanField(required=False, help_text="Of ration: two-thirds, or full again.")


class FillShape(Shape):
    """Points that go from one unit to another."""

    giver = _build_key_field()
    receiver = _build_key_field()
    points = serializers.IntegerField(min_value=1, max_value=10_000)


class DowngradeShape(Shape):
    """Points that go from one pool, as "american/line", down to another."""

    # The pool it comes from; Field.source, which mypy means, is set on each serializer itself.
    source = _build_key_field()  # type: ignore[assignment]
    target = _build_key_field()
    points = serializers.IntegerField(min_value=1, max_value=10_000)


class PlacementShape(Shape):
    """The place where a unit, or all of a pool, may appear by the umpire's choice."""

    subject = _build_key_field()
    place = _build_key_field()


class ChoicesShape(Shape):
    """Choices for the week's returns (HR-PAP-03)."""

    fills = _build_rows_field(FillShape, default=tuple)
    balancing = _build_rows_field(FillShape, default=tuple)
    downgrades = _build_rows_field(DowngradeShape, default=tuple)
    raised = _build_key_list_field(default=tuple, help_text="Pools, each once for a unit wanted.")
    placements = _build_rows_field(PlacementShape, default=tuple, help_text="The umpire's alone.")
    first = _build_key_list_field(default=tuple, help_text="Units to be rebuilt before others.")


class WriteShape(Shape):
    """A paper to put in: an order, or acts of one formation's organisation, or choices for the returns."""

    needed = True

    order = OrderShape(required=False)
    acts = _build_rows_field(ActShape, required=False, min_length=1)
    choices = ChoicesShape(required=False)
    add = serializers.BooleanField(
        default=False, help_text="Puts acts or choices on the paper that stands, not in its place."
    )
    days_completed = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="As you read it; when the day has been played meanwhile, the paper is refused (HR-CAL-03).",
    )
    last_paper = _last_paper()

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if sum(name in values for name in ("order", "acts", "choices")) != 1:
            raise serializers.ValidationError("Send one of order, acts and choices.")
        return values


class SeenShape(Shape):
    """The orders the writer has seen; may be left out."""

    last_paper = _last_paper()


class PaperShape(Shape):
    """A paper as it was written, and what became of it."""

    number = serializers.IntegerField(min_value=0, source="paper.number", help_text="Counted by side.")
    book = serializers.CharField(source="paper.book", help_text="In whose papers: a side's id, or umpire.")
    receipt = serializers.SerializerMethodField(help_text="To quote; empty for a draft.")
    seal = serializers.SerializerMethodField(help_text="Changes if anything of the paper ever does.")
    days_completed = serializers.IntegerField(
        min_value=0, source="paper.day", help_text="Of the morning it is for."
    )
    kind = serializers.ChoiceField(OrderPaper.Kind.choices, source="paper.kind")
    formation = serializers.CharField(
        source="paper.formation", allow_blank=True, help_text="Whom it is about; for returns a side."
    )
    name = serializers.CharField()
    version = serializers.IntegerField(min_value=0, source="paper.version", help_text="0 for a draft.")
    state = serializers.ChoiceField(OrderPaper.State.choices, source="paper.state")
    by = serializers.CharField()
    submitted_at = serializers.DateTimeField(source="paper.submitted_at")
    mine = serializers.BooleanField(help_text="Whether it is yours to withdraw or submit.")
    lines = serializers.ListField(child=serializers.CharField(), help_text="What it says, in words.")
    order = serializers.SerializerMethodField()
    acts = serializers.SerializerMethodField()
    choices = serializers.SerializerMethodField()

    def get_receipt(self, row: PaperRow) -> str:
        return row.paper.receipt if row.paper.version else ""

    def get_seal(self, row: PaperRow) -> str:
        return row.paper.seal if row.paper.version else ""

    @extend_schema_field(OrderShape(allow_null=True))
    def get_order(self, row: PaperRow) -> Any:
        return build_order_answer(order_from_json(row.paper.body)) if row.paper.kind == "activity" else None

    @extend_schema_field(ActShape(many=True))
    def get_acts(self, row: PaperRow) -> Any:
        return [build_act_answer(organisation_from_json(act)) for act in row.paper.body.get("acts", ())]

    @extend_schema_field(ChoicesShape(allow_null=True))
    def get_choices(self, row: PaperRow) -> Any:
        if row.paper.kind != "returns":
            return None
        return ChoicesShape(WeekChoices.from_json(row.paper.body)).data


def build_order_answer(order: Order) -> Any:
    """An order with all its fields."""
    return OrderShape(order).data


def build_act_answer(act: Organisation) -> Any:
    """An act with the fields of its kind."""
    return ActShape({"kind": kind_of(act), **asdict(act)}).data


# --- what was sent, as the services take it ---


def written_of(given: Mapping[str, Any], world: World, taken: set[str]) -> Written:
    """The paper of a `WriteShape`; `taken` are ids of detachments on other papers.

    Raises RuleViolation (HR-ORD-01, HR-ORG-07) for an act with too much or too little in it.
    """
    order, choices = given.get("order"), given.get("choices")
    taken = set(taken)
    acts = [_parse_act(row, world, taken) for row in given.get("acts", ())]
    return Written(
        order=None if order is None else read_record(Order, _convert_to_plain(order), RULE),
        acts=acts,
        choices=None if choices is None else choices_from_paper({"version": 1, **_convert_to_plain(choices)}),
        day=given.get("days_completed"),
        seen=given.get("last_paper"),
        add=given["add"],
    )


def _parse_act(row: Mapping[str, Any], world: World, taken: set[str]) -> Organisation:
    values = _convert_to_plain(row)
    if values["kind"] == "detach":
        key = values.setdefault("id", detachment_id(world, values.get("formation", ""), taken))
        taken.add(key)
        if values.get("order") is not None:
            values["order"]["formation"] = key
    return organisation_from_json({"version": 1, **values})


def _convert_to_plain(value: Any) -> Any:
    """Plain dicts and lists of what a serializer has checked."""
    if isinstance(value, Mapping):
        return {name: _convert_to_plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_convert_to_plain(each) for each in value]
    return value
