"""A formation's page with its units: names and points mended in place, all at once for one reason."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from battles.replay.words import troop_words
from campaign.admin.base import DeskAdmin
from campaign.admin.confirm_action import render_done_message
from campaign.admin.umpired_campaigns import get_umpire_campaigns
from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.rules.umpire.corrections import Act, Reinforce, Rename
from campaign.services.umpire.corrections import ActRefused, acts_perform
from campaign.web.forms import parse_whole_number
from rosters.models import Formation, Unit

#: Units on one page: with more, two of their fields each would be more than a form may send.
PAGE = 100


@dataclass(slots=True)
class EditedUnit:
    """A unit of the roll: what stands in its fields and what is wrong with them."""

    unit: Unit
    name: str
    points: str
    was_name: str
    was_points: int
    error: str = ""

    @property
    def kind(self) -> str:
        return troop_words(self.unit.troop_type)

    def acts(self) -> list[Act]:
        """List the changes of a line. Raises RuleViolation for points that are no number."""
        found: list[Act] = []
        points = parse_whole_number(self.points.strip())
        if points is None:
            raise RuleViolation("HR-UMP-05", "Give the points as a whole number from 0 to 120.", "points")
        if self.name.strip() != self.was_name:
            found.append(Rename("unit", self.unit.slug, self.name.strip()))
        if points != self.was_points:
            found.append(Reinforce(self.unit.slug, points - self.was_points))
        return found


class RollPage(DeskAdmin):
    """The page of a formation and the address its roll is sent to."""

    change_form_outer_after_template = "umpire/_roll.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.roll_view))
        return [path("<int:pk>/roll/", view, name="rosters_formation_roll"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        formation = self.get_object(request, object_id)
        if formation is None:
            raise Http404("There is no such formation of yours.")
        page = self._page(request, formation)
        lines = [EditedUnit(unit, unit.name, str(unit.points), unit.name, unit.points) for unit in page]
        roll = {"page": page, "lines": lines, "reason": "", "error": ""}
        context = {**self._build_context(formation, roll), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _page(self, request: HttpRequest, formation: Formation) -> Any:
        units = Unit.objects.filter(formation=formation).order_by("name", "pk")
        return Paginator(units, PAGE).get_page(request.GET.get("units", "1"))

    def _build_context(self, formation: Formation, roll: dict[str, Any]) -> dict[str, Any]:
        return {"roll": {"head": self.campaign_of(formation).head_id, "most": LONGEST_REASON, **roll}}

    def roll_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Do what was changed on the roll, or show it again with what is wrong."""
        formation = self.get_object(request, str(pk))
        if formation is None:
            raise Http404("There is no such formation of yours.")
        assert isinstance(formation, Formation)
        campaign, page = self.campaign_of(formation), self._page(request, formation)
        lines, reason = self._parse_lines(request, page), request.POST.get("reason", "").replace("\0", "")
        roll: dict[str, Any] = {"page": page, "lines": lines, "reason": reason, "error": ""}
        try:
            records = self._do(request, campaign, lines, reason)
        except RuleViolation as violation:
            if not any(line.error for line in lines):
                roll["error"] = f"{violation.message} ({violation.rule_id})"
            roll["head"] = request.POST.get("head", "")
            shown = self._build_context(formation, roll)
            answer = super().change_view(_turn_into_get(request), str(pk), "", shown)
            answer.status_code = 422
            return answer
        messages.success(request, render_done_message(campaign, records, get_umpire_campaigns(request)))
        address = reverse("umpire:rosters_formation_change", args=[pk])
        return redirect(f"{address}?units={page.number}")

    def _parse_lines(self, request: HttpRequest, page: Any) -> list[EditedUnit]:
        """The lines of the page as they were sent; a unit that was not is left alone."""
        sent = request.POST
        return [
            EditedUnit(
                unit,
                sent.get(f"name-{unit.pk}", unit.name).replace("\0", ""),
                sent.get(f"points-{unit.pk}", str(unit.points)),
                sent.get(f"was-name-{unit.pk}", unit.name),
                parse_whole_number(sent.get(f"was-points-{unit.pk}", str(unit.points))) or 0,
            )
            for unit in page
        ]

    def _do(
        self, request: HttpRequest, campaign: Campaign, lines: list[EditedUnit], reason: str
    ) -> list[Any]:
        acts: list[Act] = []
        whose: list[EditedUnit] = []
        for line in lines:
            try:
                found = line.acts()
            except RuleViolation as violation:
                line.error = violation.message
                raise
            acts += found
            whose += [line] * len(found)
        try:
            return list(
                acts_perform(
                    campaign=campaign,
                    acts=acts,
                    reason=reason,
                    actor=get_umpire_campaigns(request).person,
                    seen=parse_whole_number(request.POST.get("head", "")) or 0,
                )
            )
        except ActRefused as violation:
            if violation.field != "reason":
                whose[violation.number].error = f"{violation.message} ({violation.rule_id})"
            raise


def _turn_into_get(request: HttpRequest) -> HttpRequest:
    """The request as one that reads: Django's page of a row would take a form of its own."""
    request.method = "GET"
    return request
