"""Battles as each side knows them: the list, one with its forces, its file, and plans (HR-BAT, HR-FOG-03)."""

from collections.abc import Container
from functools import cached_property
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from battles.files.reading import battle_to_json, decode_battle
from battles.files.schema import BattlePlan
from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import CampaignView
from campaign.fog.battles import (
    account_for,
    battles_undone_for,
    file_of_copy,
    may_ask_odds,
    pack_copies,
    photos_for,
)
from campaign.fog.visibility import battles_for
from campaign.models import Battle, Seat
from campaign.rules.battles.battle_inputs import file_now, file_of_sector
from campaign.rules.battles.plans import BOLDEST, KINDS, RESERVES
from campaign.selectors.battles.battles import (
    BattleRow,
    Force,
    battle_row,
    find_battlefield_drawing,
    list_forces,
)
from campaign.selectors.battles.methods import describe_known_adjustments
from campaign.selectors.battles.plans import PlanShown, list_visible_plans
from campaign.selectors.battles.replays import replay_of
from campaign.selectors.battles.table_results import describe_result_author, may_enter
from campaign.services.battles.battle_plans import battle_plan_choose

Role = Seat.Role
SEEN = (
    "The umpire sees every battle; a commander those of their side; a guest their own; a spectator "
    "settled ones, as late as the umpire allows."
)


class BattleRowShape(Shape):
    """A battle in the list."""

    number = serializers.IntegerField(source="battle.pk")
    title = serializers.CharField()
    date = serializers.DateField()
    clock = serializers.CharField(help_text="The hour it opened, as 9:40.")
    place = serializers.CharField(allow_blank=True, source="battle.place")
    attacker = serializers.CharField(source="battle.attacker", help_text="A side's id.")
    defender = serializers.CharField(source="battle.defender", help_text="A side's id.")
    state = serializers.ChoiceField(Battle.State.choices, source="battle.state")
    cover = serializers.CharField(allow_blank=True, help_text="What the defender stands behind.")
    way = serializers.CharField(allow_blank=True, help_text="How one that waits is to be settled.")
    settled_by = serializers.CharField(allow_blank=True, source="by")
    unasked = serializers.BooleanField(help_text="A small fight settled without asking (HR-CON-07).")
    watchable = serializers.BooleanField(help_text="Whether there are moves to show.")


class ForceUnitShape(Shape):
    """A unit that fought. What is null is not known, or not yet."""

    id = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField()
    sp = serializers.IntegerField(help_text="Strength points it came with.")
    arrives = serializers.IntegerField(
        allow_null=True, help_text="When it comes on, in turns of ten minutes; null: not yours to know."
    )
    turn = serializers.IntegerField(allow_null=True, help_text="The same in turns of the battle's rules.")
    lost = serializers.IntegerField(allow_null=True)
    captured = serializers.IntegerField(allow_null=True)
    fate = serializers.CharField(allow_blank=True)
    points = serializers.IntegerField(allow_null=True, help_text="Campaign points before, of one's own.")
    points_after = serializers.IntegerField(allow_null=True)


class ForceShape(Shape):
    """One side of a battle."""

    side = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="attacks or defends")
    formations = serializers.ListField(child=serializers.CharField())
    generals = serializers.ListField(child=serializers.CharField(), help_text="What became of them.")
    units = ForceUnitShape(many=True)


class PlanShape(Shape):
    """A side's battle plan."""

    kind = serializers.ChoiceField([(kind, kind) for kind in KINDS])
    flank = serializers.ChoiceField(["left", "right"], default="left", help_text="For turning a flank.")
    reserve_percent = serializers.IntegerField(
        min_value=0,
        max_value=100,
        default=0,
        help_text=f"Of the foot: one of {', '.join(map(str, RESERVES))}.",
    )
    boldness = serializers.IntegerField(min_value=-BOLDEST, max_value=BOLDEST, default=0)
    until = serializers.IntegerField(
        min_value=0,
        max_value=1000,
        default=0,
        help_text="The turn of ten minutes after which it changes; 0: never.",
    )
    then = serializers.ChoiceField([(kind, kind) for kind in KINDS], default="withdraw")


class ShownPlanShape(Shape):
    """A plan as it stands; `advance` is that of troops nobody leads."""

    kind = serializers.CharField()
    flank = serializers.CharField(allow_blank=True)
    reserve_percent = serializers.IntegerField()
    boldness = serializers.IntegerField()
    until = serializers.IntegerField()
    then = serializers.CharField()


class SidePlanShape(Shape):
    """The plan of a side you know the plan of."""

    side = serializers.CharField()
    plan = ShownPlanShape()
    told = serializers.CharField(help_text="The plan in a sentence.")
    chosen = serializers.BooleanField(help_text="On the field; else it is what march orders say.")
    laid_down = serializers.BooleanField(help_text="By the umpire (HR-TAB-12).")
    refusal = serializers.CharField(allow_blank=True, help_text="Why none can be chosen; empty: it can.")
    turns = serializers.IntegerField(source="terms.turns", help_text="Of ten minutes, until dark.")


class PlansShape(Shape):
    """The plans you know: your own side's, the umpire both."""

    plans = SidePlanShape(many=True)


class PhotoShape(Shape):
    """A photograph of the table."""

    number = serializers.IntegerField(source="pk")
    side = serializers.CharField(allow_blank=True, help_text="Empty: the umpire's.")
    caption = serializers.CharField(allow_blank=True)


class BattleShape(BattleRowShape):
    """A battle as you know it."""

    undone = serializers.BooleanField(help_text="Of a course the umpire went back from; no more is told.")
    held_by = serializers.CharField(
        allow_blank=True, help_text="Who holds the field; empty: neither, or open."
    )
    entered_by = serializers.CharField(allow_blank=True)
    ground = serializers.CharField(allow_blank=True, help_text="What lies on the table, in words.")
    adjusted = serializers.ListField(child=serializers.CharField(), help_text="By the umpire (HR-TAB-12).")
    account = serializers.ListField(child=serializers.CharField())
    forces = ForceShape(many=True)
    photos = PhotoShape(many=True)
    may_plan = serializers.BooleanField()
    may_enter = serializers.BooleanField(help_text="A result (HR-TAB-01).")
    may_ask_odds = serializers.BooleanField()


class BattleCopyQuery(Shape):
    """The side whose copy is asked for."""

    copy = serializers.CharField(
        max_length=60, required=False, allow_blank=True, help_text="A side's id; the umpire's own is empty."
    )


class BattleFileShape(Shape):
    """A battle file, with no more in it than the copy's reader knows."""

    copy = serializers.CharField(allow_blank=True)
    file = serializers.JSONField(help_text="As `fight` and the fights by hand read it.")


class BattleView(CampaignView):
    """A view of one battle; 404 for who does not see it."""

    also: Container[str] = (Role.GUEST,)

    @cached_property
    def battle(self) -> Battle:
        return self.load_battle()

    def load_battle(self) -> Battle:
        """The battle as it stands now."""
        return get_object_or_404(battles_for(self.viewer), pk=self.kwargs["battle"])

    def row(self, found: Battle) -> BattleRow:
        return battle_row(found, self.reading.world, self.reading.names)

    @property
    def sides(self) -> dict[str, str]:
        """Names of its two sides, the attacker first."""
        found = self.battle
        return {side: self.reading.names.side(side) for side in (found.attacker, found.defender)}


class BattleList(CampaignView):
    """The battles of a campaign."""

    also: Container[str] = (Role.SPECTATOR, Role.GUEST)

    @endpoint("battles_list", "Battles", answer=build_page_shape(BattleRowShape), query=PageQuery, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Your battles, the newest first."""
        return build_page(self.reading.battles, self.asked)


class BattleDetail(BattleView):
    """One battle."""

    also: Container[str] = (Role.SPECTATOR, Role.GUEST)

    @endpoint("battles_read", "A battle", answer=BattleShape, seen=SEEN)
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The units, places and outcome of a battle, as its page shows them to you."""
        found = battles_for(self.viewer).filter(pk=battle).first()
        if found is None:
            undone = get_object_or_404(battles_undone_for(self.viewer), pk=battle)
            return {**_build_row_fields(self.row(undone)), "held_by": _held_by(undone), "undone": True}
        return self._build_fields(found)

    def _build_fields(self, found: Battle) -> dict[str, Any]:
        viewer, names = self.viewer, self.reading.names
        waits = found.state == Battle.State.WAITING
        lies = find_battlefield_drawing(found, names)
        return {
            **_build_row_fields(self.row(found)),
            "held_by": _held_by(found),
            "entered_by": describe_result_author(viewer, found, names),
            "ground": lies.words if lies is not None else "",
            "adjusted": describe_known_adjustments(viewer, found, names),
            "account": account_for(viewer, found, replay_of(found)),
            "forces": list_forces(viewer, found, names),
            "photos": list(photos_for(viewer, found).defer("image")),
            "may_plan": waits and viewer.may_plan and viewer.side in (found.attacker, found.defender),
            "may_enter": waits and may_enter(viewer, found),
            "may_ask_odds": waits and may_ask_odds(viewer),
        }


def _build_row_fields(row: BattleRow) -> dict[str, Any]:
    """The fields of `BattleShape`, empty beside those of the row."""
    said: dict[str, Any] = {
        name: getattr(row, name) for name in ("battle", "title", "date", "clock", "cover")
    }
    said |= {name: getattr(row, name) for name in ("way", "by", "unasked", "watchable")}
    said |= dict.fromkeys(("held_by", "entered_by", "ground"), "")
    said |= dict.fromkeys(("undone", "may_plan", "may_enter", "may_ask_odds"), False)
    return said | {"adjusted": [], "account": [], "forces": list[Force](), "photos": []}


def _held_by(found: Battle) -> str:
    return (found.settlement or {}).get("field_held_by") or ""


class File(BattleView):
    """The file of a battle."""

    @endpoint(
        "battles_file",
        "The battle file",
        answer=BattleFileShape,
        query=BattleCopyQuery,
        seen="The umpire's copy tells all; a side's what its pack does: of the enemy who and how strong.",
    )
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The battle for the table or another engine, as adjusted; of a split fight the table's part."""
        copies = pack_copies(self.viewer, self.battle)
        copy = self.asked.get("copy", copies[0] if copies else "")
        if copy not in copies:
            raise Http404
        file = decode_battle(file_of_sector(file_now(self.battle), self.battle.sector))
        return {"copy": copy, "file": battle_to_json(file_of_copy(file, copy))}


class PlanView(BattleView):
    """A side's plan for a battle that waits (HR-BAT-09)."""

    @property
    def visible_plans(self) -> dict[str, list[PlanShown]]:
        reading = self.reading
        return {"plans": list_visible_plans(reading.viewer, self.battle, reading.world, reading.names)}

    @endpoint("battles_plans", "Plans for a battle", answer=PlansShape, seen="A side's own; the umpire both.")
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Your side's battle plan, and whether you may change it."""
        return self.visible_plans

    @endpoint(
        "battles_plan", "Choose the plan", answer=PlansShape, body=PlanShape, scope=Scope.ORDER, match=True
    )
    def put(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Chooses how your side fights; the last choice before it is settled counts. Rules: HR-BAT-09."""
        return self._choose(request, BattlePlan(**self.given))

    @endpoint(
        "battles_plan_as_ordered",
        "Fight as ordered to march",
        answer=PlansShape,
        scope=Scope.ORDER,
        match=True,
    )
    def delete(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Takes the choice back: your march orders say how you fight."""
        return self._choose(request, None)

    def _choose(self, request: Request, plan: BattlePlan | None) -> dict[str, Any]:
        if not self.viewer.may_plan:
            raise Http404
        with self.lock_campaign():
            self.battle = self.load_battle()
            demand_match(request, PlansShape(self.visible_plans).data)
            side, actor = self.viewer.side, self.person
            self.battle = battle_plan_choose(battle=self.battle, side=side, plan=plan, actor=actor)
        return self.visible_plans
