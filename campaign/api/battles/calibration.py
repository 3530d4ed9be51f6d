"""Calibration of the odds: predictions against results (HR-CAB-01)."""

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import UmpireView
from campaign.selectors.battles.calibration import (
    WAYS,
    CalibrationRow,
    battles_without,
    list_calibration_rows,
    measure_reliability,
    predictions_running,
    table_text,
)
from campaign.services.battles.predictions import predictions_ask

SEEN = "The umpire and the assistants."


class CalibrationQuery(Shape):
    """Filter for battles."""

    everywhere = serializers.BooleanField(
        required=False, default=False, help_text="Of every campaign you are umpire of."
    )
    way = serializers.ChoiceField([*WAYS.items()], required=False, help_text="Left out: all.")


class CalibrationShareShape(Shape):
    """A share from 0 to 1 with its 95 % interval."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class CalibrationBinShape(Shape):
    """Predictions of a like share."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField()
    predicted = serializers.FloatField(help_text="Their mean.")
    came = CalibrationShareShape(help_text="How many of them came true.")


class CalibrationBandShape(Shape):
    """Losses within a predicted range."""

    name = serializers.CharField(source="band", help_text="Percent of the fights in it.")
    n = serializers.IntegerField()
    within = serializers.IntegerField()
    expected = serializers.FloatField(help_text="The share that should be.")


class CalibrationFiguresShape(Shape):
    """Accuracy of the odds of some battles."""

    n = serializers.IntegerField()
    brier = serializers.FloatField(help_text="0 is perfect, 2 as wrong as can be.")
    expected = serializers.FloatField(help_text="What it should be if the shares are right.")
    by_frequency = serializers.FloatField(help_text="What who always gives the usual shares would have.")
    bins = CalibrationBinShape(many=True)
    bands = CalibrationBandShape(many=True)


class CalibrationGroupShape(Shape):
    """Battles judged together."""

    name = serializers.CharField()
    figures = CalibrationFiguresShape(source="found")


class PredictedSideShape(Shape):
    """A side's losses: predicted and true."""

    side = serializers.CharField()
    lost = serializers.IntegerField(help_text="SP, captured ones too.")
    predicted = serializers.DictField(help_text="Mean and quantiles.")


class PredictedShape(Shape):
    """The prediction of a battle's odds."""

    win = serializers.FloatField(help_text="That the attacker holds the field.")
    draw = serializers.FloatField()
    loss = serializers.FloatField()


class CalibrationRowShape(Shape):
    """A settled battle."""

    campaign = serializers.CharField(source="slug")
    battle = serializers.IntegerField(source="key")
    day = serializers.IntegerField()
    title = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField()
    way = serializers.CharField(allow_blank=True)
    when = serializers.CharField(allow_blank=True, help_text="When its odds were worked out.")
    came = serializers.ChoiceField(["win", "draw", "loss"], source="end")
    brier = serializers.FloatField(allow_null=True, help_text="Null: it has no odds.")
    predicted = PredictedShape(allow_null=True)
    sides = PredictedSideShape(many=True)


class CalibrationShape(Shape):
    """Predictions against results."""

    n = serializers.IntegerField(help_text="Battles with odds and a result.")
    without = serializers.IntegerField(help_text="Settled battles of this campaign without odds.")
    running = serializers.IntegerField(help_text="Odds that are being worked out.")
    sentences = serializers.ListField(child=serializers.CharField(), help_text="What the figures say.")
    guessing = serializers.CharField(help_text="The Brier score of a guess.")
    diagram = serializers.CharField(help_text="SVG.")
    whole = CalibrationGroupShape()
    by_ruleset = CalibrationGroupShape(many=True)
    by_way = CalibrationGroupShape(many=True)
    battles = CalibrationRowShape(many=True)


class PredictionsShape(Shape):
    """The number of battles whose odds are being computed."""

    asked = serializers.IntegerField()


class CalibrationView(UmpireView):
    """A view of predictions and results."""

    @property
    def rows(self) -> list[CalibrationRow]:
        return list_calibration_rows(
            self.viewer, everywhere=self.asked["everywhere"], way=self.asked.get("way", "")
        )


class CalibrationDetail(CalibrationView):
    """Predictions against results."""

    @endpoint(
        "calibration_read",
        "Predictions against results",
        answer=CalibrationShape,
        query=CalibrationQuery,
        seen=SEEN,
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The odds of resolved battles, their outcomes, and the accuracy this shows."""
        rows = self.rows
        found = measure_reliability(rows)
        names = ("n", "sentences", "guessing", "diagram", "whole", "by_ruleset", "by_way")
        return {name: getattr(found, name) for name in names} | {
            "without": battles_without(self.viewer),
            "running": predictions_running(self.viewer),
            "battles": [_build_settled_battle(row) for row in rows],
        }

    @endpoint(
        "calibration_ask",
        "Work out missing odds",
        answer=PredictionsShape,
        status=202,
        scope=Scope.UMPIRE,
        cost=20,
        seen=f"{SEEN} Follow the work at jobs/.",
    )
    def post(self, request: Request, slug: str) -> dict[str, int]:
        """Has the odds of every settled battle worked out that has none, each a job. Rules: HR-CAB-01."""
        return {"asked": predictions_ask(campaign=self.campaign, actor=self.person)}


class CalibrationTable(CalibrationView):
    """The same as a table."""

    @endpoint(
        "calibration_table",
        "Predictions against results as CSV",
        query=CalibrationQuery,
        files={"text/csv": "A line for each side of each battle that has odds; no cell of it is a formula."},
        seen=SEEN,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The figures for a table of one's own."""
        return HttpResponse(table_text(self.rows), content_type="text/csv; charset=utf-8")


def _build_settled_battle(row: CalibrationRow) -> dict[str, Any]:
    names = ("slug", "key", "day", "title", "ruleset", "way", "when", "end")
    told: dict[str, Any] = {name: getattr(row, name) for name in names}
    if row.case is None or row.prediction is None:
        return told | {"brier": None, "predicted": None, "sides": []}
    said = row.prediction
    quantiles = ("mean", "p5", "p25", "p75", "p95")
    sides = [
        {
            "side": side["id"],
            "lost": row.lost.get(side["id"], 0),
            "predicted": {name: side[name] for name in quantiles},
        }
        for side in said["sides"]
    ]
    shares = {end: said[end] for end in ("win", "draw", "loss")}
    return told | {"brier": row.case.brier, "predicted": shares, "sides": sides}
