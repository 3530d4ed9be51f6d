"""Odds of a battle and forecasts of the campaign: asked for as jobs, read when they are done."""

from collections.abc import Container, Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.api.jobs import JobShape
from campaign.fog.battles import may_ask_odds
from campaign.fog.viewers import Viewer
from campaign.models import Job
from campaign.selectors.battles.odds import OddsReport, find_battle_odds
from campaign.selectors.forecasts.forecasts import Forecast, find_forecast
from campaign.selectors.jobs import JobRow, job_row
from campaign.services.battles.odds import odds_ask
from campaign.services.forecasts.forecasts import MOST_RUNS, MOST_WEEKS, USUAL_RUNS, USUAL_WEEKS, forecast_ask

DEAR = 10
FOLLOW = "Follow it at jobs/{number}/ and stop it at jobs/{number}/cancel/; asked twice it is one job."


def get_new_job_row(viewer: Viewer, job: Job) -> JobRow:
    """A job just asked for, as its row."""
    row = job_row(viewer, job.pk)
    if row is None:
        raise Http404
    return row


class OutcomeChanceShape(Shape):
    """The frequency of an outcome, in words with its 95 % interval."""

    name = serializers.CharField()
    told = serializers.CharField()


class ExpectedShape(Shape):
    """The losses of a side or unit: the mean with the range of nine fights in ten."""

    name = serializers.CharField()
    side = serializers.CharField(allow_blank=True)
    sp = serializers.IntegerField()
    gone = serializers.CharField(help_text="SP lost and captured.")
    points = serializers.CharField(help_text="Campaign points.")
    destroyed = serializers.CharField(allow_blank=True)


class OddsShape(Shape):
    """Odds as far as they are worked out."""

    job = serializers.IntegerField(allow_null=True, source="job.pk", help_text="Null: nobody has asked.")
    running = serializers.BooleanField()
    counting = serializers.BooleanField(help_text="Stopped just now; figures are not in yet.")
    stopped = serializers.BooleanField(help_text="Before all that were asked for were fought.")
    changed = serializers.CharField(allow_blank=True, help_text="Who has chosen another plan since.")
    adjusted = serializers.BooleanField(help_text="Whether the battle was adjusted since.")
    plans = serializers.ListField(child=serializers.CharField(), help_text="With which they reckon.")
    asked = serializers.IntegerField()
    runs = serializers.IntegerField(help_text="Fights fought; 0: there are no figures yet.")
    ends = OutcomeChanceShape(many=True)
    sides = ExpectedShape(many=True)
    units = ExpectedShape(many=True)
    generals = OutcomeChanceShape(many=True)
    figures = serializers.DictField(help_text="The same in numbers, shares from 0 to 1; empty until done.")


class ForecastRowShape(Shape):
    """A line of a table."""

    name = serializers.CharField()
    cells = serializers.ListField(child=serializers.CharField())


class ForecastShape(Shape):
    """A forecast as far as it is worked out."""

    job = serializers.IntegerField(allow_null=True, source="job.pk", help_text="Null: nobody has asked.")
    running = serializers.BooleanField()
    stale = serializers.BooleanField(help_text="Whether the campaign has gone on since.")
    runs = serializers.IntegerField(help_text="0: there are no figures yet.")
    day = serializers.IntegerField()
    weeks = serializers.ListField(child=serializers.IntegerField())
    sides = serializers.ListField(child=serializers.CharField())
    strength = ForecastRowShape(many=True)
    places = ForecastRowShape(many=True)
    battles = serializers.ListField(child=serializers.CharField(), help_text="By the end of each week.")
    where = ForecastRowShape(many=True)
    figures = serializers.DictField(help_text="The same in numbers, shares from 0 to 1; empty until done.")


class NewForecastShape(Shape):
    """The forecast to compute."""

    weeks = serializers.IntegerField(min_value=1, max_value=MOST_WEEKS, default=USUAL_WEEKS)
    runs = serializers.IntegerField(min_value=1, max_value=MOST_RUNS, default=USUAL_RUNS)


def _select_figures(job: Job, known: bool) -> Mapping[str, Any]:
    """Return the results of a job without its dice and its internal keys."""
    hidden = ("of", "head", "seed", "seconds")
    return {name: value for name, value in (job.result or {}).items() if name not in hidden} if known else {}


def build_odds_answer(found: OddsReport | None) -> dict[str, Any]:
    """Build the answer for `OddsShape`."""
    names = [*OddsReport.__dataclass_fields__][1:]
    if found is None:
        return {name: getattr(_NO_ODDS, name) for name in names} | {"job": None, "figures": {}}
    told = {name: getattr(found, name) for name in ("job", *names)}
    return told | {"figures": _select_figures(found.job, bool(found.runs))}


def build_forecast_answer(found: Forecast | None) -> dict[str, Any]:
    """Build the answer for `ForecastShape`."""
    names = [*Forecast.__dataclass_fields__][1:]
    if found is None:
        return {name: getattr(_NO_FORECAST, name) for name in names} | {"job": None, "figures": {}}
    told = {name: getattr(found, name) for name in ("job", *names)}
    return told | {"figures": _select_figures(found.job, bool(found.runs))}


_NO_ODDS = OddsReport(Job(), running=False)
_NO_FORECAST = Forecast(Job(), running=False)


class BattleOdds(BattleView):
    """The odds of a battle that waits (HR-BAT-11)."""

    also: Container[str] = ()

    def admit(self) -> None:
        self.asker()

    def asker(self) -> Viewer:
        """The viewer, if he may have odds worked out."""
        if not may_ask_odds(self.viewer):
            raise Http404
        return self.viewer

    @endpoint(
        "odds_read",
        "Odds of a battle",
        answer=OddsShape,
        seen="The umpire; where it is allowed a side, with what it knows, its own asking alone.",
    )
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The odds you asked for last, for plans and file as they stand if there are such."""
        return build_odds_answer(find_battle_odds(self.asker(), self.battle, self.reading.names))

    @endpoint(
        "odds_ask",
        "Have odds worked out",
        answer=JobShape,
        status=202,
        scope=Scope.ORDER,
        cost=DEAR,
        seen=FOLLOW,
    )
    def post(self, request: Request, slug: str, battle: int) -> JobRow:
        """Has the battle fought many times as it stands; nothing of it counts. Rules: HR-BAT-11."""
        viewer = self.asker()
        side = "" if viewer.is_umpire else viewer.side
        return get_new_job_row(viewer, odds_ask(battle=self.battle, actor=self.person, side=side))


class Forecasts(CampaignView):
    """Forecasts of the campaign (HR-FRC-01)."""

    def admit(self) -> None:
        self.asker()

    def asker(self) -> Viewer:
        """The viewer, if he may have forecasts worked out."""
        if not self.viewer.may_forecast:
            raise Http404
        return self.viewer

    @endpoint(
        "forecasts_read",
        "The last forecast",
        answer=ForecastShape,
        seen="The umpire; where it is allowed a side, with what it knows, its own asking alone.",
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The forecast your seat asked for last."""
        return build_forecast_answer(find_forecast(self.asker()))

    @endpoint(
        "forecasts_ask",
        "Have a forecast worked out",
        answer=JobShape,
        status=202,
        body=NewForecastShape,
        scope=Scope.ORDER,
        cost=DEAR,
        seen=FOLLOW,
    )
    def post(self, request: Request, slug: str) -> JobRow:
        """Plays the coming weeks many times; nothing of it counts. One at a time. Rules: HR-FRC-01."""
        viewer = self.asker()
        job = forecast_ask(campaign=self.campaign, actor=self.person, side=viewer.side, **self.given)
        return get_new_job_row(viewer, job)
