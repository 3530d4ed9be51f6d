"""Settings of a running campaign; each change is a correction (HR-UMP-17, HR-UMP-18)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire.settings import CONDUCT, LONGEST_TITLE, ChangeRules, Conduct, build_change_rules
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.setup.drafts import rhythm_words
from campaign.selectors.setup.scenarios import scenario_card
from campaign.selectors.turns.calendar import load_calendar
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.services.umpire.campaign_settings import conduct_to
from campaign.services.umpire.corrections import act_perform, find_act_since
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import SentenceForm, parse_whole_number
from campaign.web.seats.forms import SPECTATORS, SpectatorsForm
from campaign.web.setup.forms import BattlesForm
from campaign.web.setup.option_forms import OptionsForm
from campaign.web.umpire.correction_forms import reason_field

#: The second yes that opening the map asks for.
OPENED = "opened"


class ConductForm(BattlesForm):
    """The campaign's name and how its battles are settled, with why it changes (HR-UMP-18)."""

    kind = "conduct"
    title = forms.CharField(label="Name", max_length=LONGEST_TITLE)

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, initial={name: getattr(campaign, name) for name in CONDUCT}, **kwargs)
        self.campaign = campaign
        self.fields["reason"] = reason_field()
        self.order_fields(["title"])

    def act(self) -> Conduct:
        """The act that leads from what is to what has been chosen."""
        return conduct_to(self.campaign, self.cleaned_data)


class RulesForm(OptionsForm):
    """The options of a running campaign, with why they change (HR-UMP-17)."""

    kind = "rules"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, running=True, **kwargs)
        if self.settings.fog != "off":
            self.fields[OPENED] = forms.BooleanField(
                label="If the map is opened: all that has been hidden is to be read by everybody",
                required=False,
            )
        self.fields["reason"] = reason_field()

    def clean(self) -> dict[str, Any] | None:
        """The map is opened by who says so twice: what has been read is not hidden again."""
        data = super().clean()
        if OPENED in self.fields and self.chosen.fog == "off" and not self.cleaned_data.get(OPENED):
            self.refuse(
                RuleViolation(
                    "HR-FOG-06",
                    "Everybody would read what has been hidden so far, and going back does not make it "
                    "unread; say that it is to be so.",
                    OPENED,
                )
            )
        return data

    def act(self) -> ChangeRules:
        return build_change_rules(self.settings, self.chosen)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page; a posted form is one change."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire sets how it is played.")
    bound = _bind_settings_form(desk, request) if request.method == "POST" else None
    if bound is not None and bound.is_valid():
        try:
            _apply_settings_form(desk, request, bound)
        except RuleViolation as violation:
            bound.refuse(violation, SPECTATORS)
        else:
            return redirect(f"{reverse('campaign-settings', args=[slug])}")
    return render(
        request,
        "campaign/settings.html",
        _build_context(desk, bound),
        status=422 if bound is not None else 200,
    )


def _build_settings_form(desk: CampaignPage, kind: str, data: Any) -> SentenceForm:
    campaign = desk.campaign
    if kind == ConductForm.kind:
        return ConductForm(data, campaign=campaign, prefix="conduct")
    if kind == RulesForm.kind:
        present = RuleSettings.from_json(campaign.settings)
        card = scenario_card(campaign.scenario)
        base = card.settings if card is not None and not card.fault else RuleSettings()
        return RulesForm(data, base=base, settings=present, prefix="rules")
    if kind == SpectatorsForm.kind and desk.viewer.is_chief:
        seen = {"days": campaign.spectator_days, "side": campaign.spectator_side}
        return SpectatorsForm(data, initial=seen, campaign=campaign, world=desk.world, prefix="spectators")
    raise Http404("There is no such form.")


def _bind_settings_form(desk: CampaignPage, request: HttpRequest) -> SentenceForm:
    return _build_settings_form(desk, request.POST.get("kind", ""), request.POST)


def _apply_settings_form(desk: CampaignPage, request: HttpRequest, form: SentenceForm) -> None:
    actor, seen = desk.viewer.user, parse_whole_number(request.POST.get("head", "")) or 0
    if isinstance(form, SpectatorsForm):
        form.set(actor, seen)
        messages.success(request, "What spectators see is as you set it; both sides read it with its reason.")
        return
    assert isinstance(form, ConductForm | RulesForm)
    act = form.act()
    done = find_act_since(desk.campaign, seen)
    pressed_twice = not act.changes and done is not None and type(done.act) is type(act)
    if not pressed_twice:
        reason = str(form.cleaned_data["reason"])
        act_perform(campaign=desk.campaign, act=act, reason=reason, actor=actor, seen=seen)
    messages.success(request, "It holds from now on; both sides read it with its reason.")


def _build_context(desk: CampaignPage, bound: SentenceForm | None) -> dict[str, Any]:
    kinds = [ConductForm.kind, RulesForm.kind, *([SpectatorsForm.kind] if desk.viewer.is_chief else [])]
    asked = {form.kind: form for form in [bound] if form is not None}  # type: ignore[attr-defined]
    rhythm: Rhythm = rhythm_of(desk.campaign)
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "rhythm": rhythm_words(rhythm, desk.world.theatre.days),
        **{f"{kind}_form": asked.get(kind) or _build_settings_form(desk, kind, None) for kind in kinds},
    }
