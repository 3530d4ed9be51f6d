"""A battle's entries side by side: the umpire decides, sees the casualties and confirms (HR-TAB-05)."""

import hashlib
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.fog.battles import entries_for, photos_for
from campaign.fog.visibility import battles_for
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.battles.table_results import TableForces
from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world_json import to_canonical_json
from campaign.selectors.battles.battles import battle_row, casualties_as_if
from campaign.selectors.battles.table_results import (
    Entered,
    build_entry_status,
    build_table_roster,
    entries_by_side,
    entry_by,
)
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.outcomes import settlement_to_json
from campaign.services.battles.table_results import battle_confirm, build_settlement
from campaign.web.access import is_fragment, signed_in
from campaign.web.battles.entry_comparison_forms import CompareForm
from campaign.web.campaign_page import CampaignPage

LOOK_AGAIN = "These are the casualties of what you have decided. Look at them, and confirm once more."
#: Why a page that was open before cannot be confirmed.
OTHER_RULES = (
    "Other rules were chosen for this battle since you opened the page, and the figures entered were taken "
    "back, for they may count in other points. Have the result entered anew, then confirm it. (HR-BAT-13)"
)
TAKEN_BACK = (
    "What was entered has been taken back since you opened the page, to be amended. Wait until it is entered "
    "again, then confirm it. (HR-TAB-05)"
)

CONFIRMED = "The result is confirmed; it counts when you go on with the day."
REST_FOUGHT = "The result is confirmed. The engine fights the rest of the field; then the battle is settled."


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entries_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Entries side by side with what they would cost; posted, the result is confirmed.

    A script asks for the casualties alone.
    """
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("The umpire compares what was entered.")
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if found.state == Battle.State.SETTLED:
        if is_fragment(request):
            return HttpResponse(headers={"HX-Refresh": "true"})
        return redirect("battle", slug, pk)
    page = _ComparePage(desk, found)
    if request.method != "POST":
        return page.render_page(request, page.form(), page.form(page.form().build_first_data()))
    overtaken = page.find_obstacle(request.POST.get("rules", ""))
    if overtaken and is_fragment(request):
        return render(request, "campaign/_casualties.html", {"overtaken": overtaken})
    if overtaken:
        messages.error(request, f"Nothing was confirmed. {overtaken}")
        return redirect("battle-compare", slug, pk)
    form = page.form(request.POST)
    if is_fragment(request):
        return render(request, "campaign/_casualties.html", page.casualties(form))
    return page.confirm_result(request, form)


class _ComparePage:
    """What one request reads of the entries of a battle."""

    def __init__(self, desk: CampaignPage, found: Battle) -> None:
        self.desk, self.battle = desk, found
        self.rows = list(entries_for(desk.viewer, found).select_related("battle__campaign"))
        self.entries = entries_by_side(self.rows)
        self.seen = {row.side: row.version for row in self.rows if row.state == Entered}
        self.names = {side: desk.names.side(side) for side in (found.attacker, found.defender)}
        self.table: TableForces = build_table_roster(found, self.names)

    def find_obstacle(self, rules: str) -> str:
        """Why a form opened under these rules cannot be confirmed any more; "" when it can."""
        if rules not in ("", ruleset_of(self.battle)):
            return OTHER_RULES
        return "" if self.entries else TAKEN_BACK

    def form(self, data: Any = None) -> CompareForm:
        return CompareForm(data, entries=self.entries, table=self.table)

    def _settlement(self, form: CompareForm) -> Settlement | None:
        if not self.entries or not form.stands():
            return None
        return build_settlement(self.battle, form.build_entry())

    def _print(self, settlement: Settlement) -> str:
        """Names what was looked at: the entries and what they would settle."""
        looked = {"seen": self.seen, "settlement": settlement_to_json(settlement)}
        return hashlib.sha256(to_canonical_json(looked)).hexdigest()[:24]

    def casualties(self, form: CompareForm) -> dict[str, Any]:
        """What the campaign loses by a decision, as its page tells it after settling (AWI-C-BAT-01 to 04)."""
        settlement = self._settlement(form)
        if settlement is None:
            return {"undecided": form.to_mend}
        shown = casualties_as_if(
            self.desk.viewer,
            self.battle,
            settlement_to_json(settlement),
            self.desk.names,
            self.table.unit_ids,
        )
        return {"forces": shown, "looked": self._print(settlement), "split": bool(self.battle.sector)}

    def render_page(
        self, request: HttpRequest, form: CompareForm, reckoned: CompareForm, status: int = 200, **more: Any
    ) -> HttpResponse:
        viewer, desk = self.desk.viewer, self.desk
        context = {
            "viewer": viewer,
            "campaign": desk.campaign,
            "calendar": load_calendar(viewer, desk.world),
            "row": battle_row(self.battle, desk.world, desk.names),
            "form": form,
            "rules": ruleset_of(self.battle),
            "standing": build_entry_status(self.battle, self.rows, self.names),
            "entries": [
                (
                    form.find_writer_name(row.side),
                    entry_by(row, viewer.user),
                    row.body.get("notes", ""),
                    row.state == Entered,
                )
                for row in self.rows
            ],
            "missing": [name for side, name in self.names.items() if side not in self.entries],
            "photos": photos_for(viewer, self.battle).defer("image"),
            **self.casualties(reckoned),
        }
        return render(request, "campaign/battle_compare.html", context | more, status=status)

    def confirm_result(self, request: HttpRequest, form: CompareForm) -> HttpResponse:
        """Confirm what was decided, if its casualties have been seen."""
        settlement = self._settlement(form)
        if settlement is None:
            return self.render_page(request, form, form, status=422, mend=form.to_mend)
        if request.POST.get("looked") != self._print(settlement):
            return self.render_page(request, form, form, look_again=LOOK_AGAIN)
        try:
            settled = battle_confirm(
                battle=self.battle, decided=form.build_entry(), seen=self.seen, actor=self.desk.viewer.user
            )
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
            return redirect("battle-compare", self.desk.campaign.slug, self.battle.pk)
        said = CONFIRMED if settled.state == Battle.State.SETTLED else REST_FOUGHT
        messages.success(request, said)
        return redirect("battle", self.desk.campaign.slug, self.battle.pk)
