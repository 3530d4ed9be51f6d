"""The scenarios one may begin with, and putting up one's own."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.parsing import FormParser
from campaign.api.framework.problems import KINDS, problem_response
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView
from campaign.models import UploadedScenario
from campaign.ops.rate_limit import SCENARIO
from campaign.scenarios.packing import MOST_PACKED
from campaign.scenarios.uploaded import scenario_ready
from campaign.selectors.setup.recruitment import recruitment_of
from campaign.selectors.setup.scenarios import (
    ScenarioCard,
    find_scenario_card,
    scenario_armies,
    scenario_cards,
    scenario_sketch,
    scenario_sources,
)
from campaign.services.setup.scenario_uploads import ScenarioRefused, scenario_remove, scenario_upload


class ScenarioSideShape(Shape):
    """A side on the first morning."""

    id = serializers.CharField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    units = serializers.IntegerField()
    columns = serializers.IntegerField()
    later = serializers.IntegerField(help_text="Units still to come.")


class ScenarioShape(Shape):
    """A scenario."""

    slug = serializers.CharField()
    title = serializers.CharField()
    start = serializers.DateField(allow_null=True)
    end = serializers.DateField(allow_null=True)
    weeks = serializers.IntegerField()
    places = serializers.IntegerField()
    routes = serializers.IntegerField()
    sides = ScenarioSideShape(many=True)
    fault = serializers.CharField(allow_blank=True, help_text="Why it cannot be played; empty: it can.")


class ExpectedStrengthShape(Shape):
    """A side's campaign points at the last week's end, without marches or fights."""

    side = serializers.CharField()
    points = serializers.IntegerField()


class WeeklyChangeShape(Shape):
    """The mean change of one unit on the map in a week, in campaign points."""

    kind = serializers.CharField(help_text="regular, militia or european.")
    points = serializers.FloatField()


class RecruitmentChoiceShape(Shape):
    """A choice of recruitment and attrition, and what it does."""

    value = serializers.CharField(help_text="Of the setting `recruitment`.")
    title = serializers.CharField()
    line = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())
    strength = ExpectedStrengthShape(
        many=True,
        help_text="By side; empty: the scenario has no troops, or is too large to reckon it at once.",
    )
    changes = WeeklyChangeShape(many=True)


class RecruitmentShape(Shape):
    """The choices of recruitment and attrition of a scenario."""

    scenario_has = serializers.CharField(help_text="The scenario's own choice.")
    weeks = serializers.IntegerField()
    choices = RecruitmentChoiceShape(many=True)


class UploadShape(Shape):
    """A scenario's files as a zip: scenario.toml, the tables, SOURCES.md."""

    media_type = "multipart/form-data"

    file = serializers.FileField(max_length=200)


class Scenarios(ApiView):
    """The scenarios."""

    parser_classes = (FormParser,)

    @endpoint(
        "scenarios_list",
        "The scenarios",
        answer=build_page_shape(ScenarioShape),
        query=PageQuery,
        seen="Those shipped, those of this site, and your own.",
    )
    def get(self, request: Request) -> dict[str, Any]:
        """Every scenario you may begin a campaign with."""
        return build_page(scenario_cards(self.person), self.asked)

    @endpoint(
        "scenarios_upload",
        "Put up a scenario",
        answer=ScenarioShape,
        status=201,
        body=UploadShape,
        scope=Scope.UMPIRE,
        largest=MOST_PACKED + 64 * 1024,
        cost=SCENARIO,
    )
    def post(self, request: Request) -> Any:
        """Checks a scenario as those shipped are, and keeps it for you alone (HR-SCN-01).

        A refusal lists every fault with its file and row in `errors`."""
        file: UploadedFile[Any] = self.given["file"]
        try:
            row = scenario_upload(data=file.read(MOST_PACKED + 1), actor=self.person)
        except ScenarioRefused as refused:
            errors = [
                {"field": f"{each.file}, row {each.row}" if each.row else each.file, "detail": each.reason}
                for each in refused.problems
            ]
            kind, rule = KINDS["rule"], refused.rule_id
            return problem_response(kind, refused.message, rule=rule, field=refused.field, errors=errors)
        return _get_scenario_card(self.person, row.slug)


class ScenarioDetail(ApiView):
    """One scenario."""

    @endpoint("scenarios_read", "A scenario", answer=ScenarioShape)
    def get(self, request: Request, slug: str) -> ScenarioCard:
        """A scenario you may begin a campaign with."""
        return _get_scenario_card(self.person, slug)

    @endpoint("scenarios_remove", "Remove a scenario of mine", scope=Scope.UMPIRE)
    def delete(self, request: Request, slug: str) -> None:
        """Removes a scenario of your own, unless a campaign was begun with it (HR-SCN-01)."""
        own = get_object_or_404(UploadedScenario.objects.defer("data"), slug=slug, owner=self.person)
        scenario_remove(scenario=own, actor=self.person)


class RecruitmentOf(ApiView):
    """Recruitment and attrition of a scenario."""

    @endpoint("scenarios_recruitment", "Choices of recruitment and attrition", answer=RecruitmentShape)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Each choice with the strength it leads to (HR-REC-04); `setups_rules` makes it."""
        card = _get_scenario_card(self.person, slug)
        if card.fault:
            raise Http404
        found = recruitment_of(card)
        return {
            "scenario_has": found.scenario_has,
            "weeks": found.weeks,
            "choices": [
                {
                    "value": choice.value,
                    "title": choice.title,
                    "line": choice.line,
                    "rules": choice.rules,
                    "strength": [
                        {"side": side.id, "points": side.expected[choice.value]} for side in found.sides
                    ],
                    "changes": [
                        {"kind": kind, "points": round(float(points), 3)}
                        for kind, points in choice.changes.items()
                    ],
                }
                for choice in found.choices
            ],
        }


class ScenarioMap(ApiView):
    """A scenario's small map."""

    @endpoint("scenarios_map", "A scenario's map", files={"image/svg+xml": "A small map."})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """A small map of a scenario you may begin with."""
        drawing = scenario_sketch(slug) if find_scenario_card(self.person, slug) else ""
        if not drawing:
            raise Http404
        return HttpResponse(drawing, content_type="image/svg+xml")


class Armies(ApiView):
    """A scenario's order of battle."""

    @endpoint("scenarios_armies", "A scenario's order of battle", files={"text/csv": "One unit a row."})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The scenario's units as a table, to correct and send as `armies` of a set-up (HR-SET-18)."""
        card = find_scenario_card(self.person, slug)
        if card is None or card.fault:
            raise Http404
        return HttpResponse(scenario_armies(slug), content_type="text/csv; charset=utf-8")


class Sources(ApiView):
    """The sources of a scenario."""

    @endpoint("scenarios_sources", "A scenario's sources", files={"text/plain": "As it stands there."})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The scenario's own text about its sources."""
        card = find_scenario_card(self.person, slug)
        if card is None or not card.sources:
            raise Http404
        return HttpResponse(scenario_sources(slug), content_type="text/plain; charset=utf-8")


def _get_scenario_card(person: Any, slug: str) -> ScenarioCard:
    scenario_ready(slug)
    card = find_scenario_card(person, slug)
    if card is None:
        raise Http404
    return card
