"""A battle file fought under every ruleset, side by side (HR-BAT-12)."""

from typing import Any, get_args

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView
from campaign.api.battles.standalone_fights import LIMITS, OWN, FightRowShape, refused_in_full
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView
from campaign.fog.battles import may_ask_odds
from campaign.fog.visibility import fights_of
from campaign.models import Job
from campaign.selectors.battles.comparisons import Comparison, State, build_comparison
from campaign.services.battles.comparisons import (
    USUAL,
    comparison_again,
    comparison_ask,
    comparison_of_battle,
)
from campaign.services.battles.standalone_fights import MOST_RUNS, MOST_WAITING, FightRefused
from campaign.services.jobs.jobs import job_stop

COST = 40
FOLLOW = "Follow it at comparisons/{number}/: the figures of each ruleset come as they are done."


class NewComparisonShape(Shape):
    """The battle to fight, and the number of fights under each ruleset."""

    file = serializers.DictField(help_text=f"As docs/battle-file.md says. {LIMITS}")
    runs = serializers.IntegerField(default=USUAL, help_text=f"Under each ruleset, up to {MOST_RUNS}.")


class ComparisonRowShape(FightRowShape):
    """A battle of yours under every ruleset."""


class EndChanceShape(Shape):
    """The frequency of an ending in 100 fights, with its 95 % interval, and in words."""

    name = serializers.CharField()
    told = serializers.CharField()
    percent = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class SideLossShape(Shape):
    """A side's losses: the mean with the range of nine fights in ten."""

    side = serializers.CharField()
    share = serializers.CharField(help_text="Percent of its strength points, guns among them.")
    men = serializers.CharField(
        allow_blank=True, help_text="Foot and horse, by each unit's men a strength point."
    )


class ComparedShape(Shape):
    """Odds in measures that all rulesets share."""

    runs = serializers.IntegerField(help_text="Fights fought.")
    asked = serializers.IntegerField()
    ends = EndChanceShape(many=True)
    losses = SideLossShape(many=True)
    length = serializers.CharField(help_text="Hours and minutes of the battle.")
    turns = serializers.CharField(help_text="In turns of the ruleset.")


class UnderRulesetShape(Shape):
    """The battle under one ruleset."""

    ruleset = serializers.CharField(source="id")
    title = serializers.CharField()
    version = serializers.CharField()
    state = serializers.ChoiceField(get_args(State))
    progress = serializers.IntegerField(min_value=0, max_value=100)
    sentence = serializers.CharField(allow_blank=True, help_text="Why there are no figures.")
    left_out = serializers.ListField(child=serializers.CharField(), help_text="Of the file: not known here.")
    told = ComparedShape(source="figures", allow_null=True, help_text="Null until fights are counted.")
    figures = serializers.SerializerMethodField(
        help_text="All that was counted, shares from 0 to 1, as of a fight; empty until then."
    )

    def get_figures(self, under: Any) -> dict[str, Any]:
        return {name: value for name, value in (under.odds or {}).items() if name != "seconds"}


class ComparedSideShape(Shape):
    """A side as it comes."""

    name = serializers.CharField()
    strength = serializers.CharField()


class ComparisonShape(Shape):
    """A battle under every ruleset with what came of it so far."""

    number = serializers.IntegerField(source="job.pk")
    title = serializers.CharField(allow_blank=True)
    runs = serializers.IntegerField(help_text="Under each ruleset.")
    state = serializers.ChoiceField(Job.State.choices, source="job.state")
    progress = serializers.IntegerField(min_value=0, max_value=100, source="job.progress")
    note = serializers.CharField(allow_blank=True, source="job.note")
    error = serializers.CharField(allow_blank=True, source="job.error")
    asked_at = serializers.DateTimeField(source="job.created_at")
    finished_at = serializers.DateTimeField(allow_null=True, source="job.finished_at")
    sides = ComparedSideShape(many=True, help_text="Attacker and defender.")
    systems = UnderRulesetShape(many=True)


class Comparisons(ApiView):
    """Battles of one's own under every ruleset."""

    @endpoint(
        "comparisons_list",
        "Your battles under every ruleset",
        answer=build_page_shape(ComparisonRowShape),
        query=PageQuery,
        seen=OWN,
    )
    def get(self, request: Request) -> dict[str, Any]:
        """The last of them, the newest first."""
        return build_page(fights_of(self.person, "comparison").defer("result"), self.asked)

    @endpoint(
        "comparisons_ask",
        "Fight a battle file under every ruleset",
        answer=ComparisonRowShape,
        status=202,
        body=NewComparisonShape,
        scope=Scope.ORDER,
        cost=COST,
        seen=f"Whoever is signed in, {MOST_WAITING} at a time with their fights. {FOLLOW}",
    )
    def post(self, request: Request) -> Any:
        """Has a battle fought many times under each ruleset by workers; no campaign is touched.

        Asked twice it is one. A refusal lists every fault in `errors`. Rules: HR-BAT-12."""
        try:
            return comparison_ask(data=self.given["file"], runs=self.given["runs"], actor=self.person)
        except FightRefused as refused:
            return refused_in_full(refused)


class ComparisonView(ApiView):
    """A view of one comparison."""

    def comparison(self, number: int) -> Job:
        found: Job = get_object_or_404(fights_of(self.person, "comparison"), pk=number)
        return found


class ComparisonDetail(ComparisonView):
    """One battle under every ruleset."""

    @endpoint("comparisons_read", "A battle under every ruleset", answer=ComparisonShape, seen=OWN)
    def get(self, request: Request, comparison: int) -> Comparison:
        """The progress, and the figures of each ruleset that is done."""
        return build_comparison(self.comparison(comparison))


class ComparisonCancel(ComparisonView):
    """Stopping a comparison."""

    @endpoint(
        "comparisons_cancel",
        "Stop fighting under every ruleset",
        answer=ComparisonRowShape,
        scope=Scope.ORDER,
        seen=OWN,
    )
    def post(self, request: Request, comparison: int) -> Job:
        """Stops it; what was fought by then is kept. Ended already: HR-JOB-02."""
        return job_stop(job=self.comparison(comparison), actor=self.person, umpire=False)


class ComparisonRetry(ComparisonView):
    """Asking again for a comparison."""

    @endpoint(
        "comparisons_again",
        "Fight under every ruleset again",
        answer=ComparisonRowShape,
        status=202,
        scope=Scope.ORDER,
        cost=COST,
        seen=OWN,
    )
    def post(self, request: Request, comparison: int) -> Job:
        """Takes up one that failed or was stopped; rulesets that were done stay done. Otherwise HR-JOB-02."""
        return comparison_again(job=self.comparison(comparison), actor=self.person)


class BattleComparison(BattleView):
    """A campaign's battle that waits, under every ruleset (HR-BAT-11)."""

    also: tuple[str, ...] = ()

    def admit(self) -> None:
        if not may_ask_odds(self.viewer):
            raise Http404

    @endpoint(
        "comparisons_of_battle",
        "Fight a waiting battle under every ruleset",
        answer=ComparisonRowShape,
        status=202,
        scope=Scope.ORDER,
        cost=COST,
        seen=f"The umpire; where it is allowed a side, with what it knows. {FOLLOW} It is yours alone.",
    )
    def post(self, request: Request, slug: str, battle: int) -> Any:
        """Has the battle fought as it stands; nothing of it counts. Rules: HR-BAT-11, HR-BAT-12."""
        side = "" if self.viewer.is_umpire else self.viewer.side
        try:
            return comparison_of_battle(battle=self.battle, actor=self.person, side=side)
        except FightRefused as refused:
            return refused_in_full(refused)
