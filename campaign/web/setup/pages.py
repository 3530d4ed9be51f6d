"""Setting a campaign up, page by page (HR-SET-15)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from battles.rulesets.registry import get_ruleset
from campaign.fog.viewers import list_chief_campaigns
from campaign.models import Campaign, CampaignDraft, User
from campaign.rules.battles.ruleset_options import options_otherwise
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import OPTIONS
from campaign.rules.world.options import format_setting, list_changed_settings
from campaign.selectors.setup.drafts import (
    draft_card,
    draft_recruitment,
    draft_rows,
    review_of,
    settings_of,
    steps_of,
)
from campaign.selectors.setup.scenarios import ScenarioCard, scenario_cards
from campaign.services.archive.restorations import may_restore
from campaign.services.setup.drafts import (
    CHOSEN,
    STEPS,
    InvitationLink,
    draft_begin,
    draft_discard,
    draft_make,
    links_send,
    list_setup_drafts,
    may_set_up,
    setup_draft_keep,
)
from campaign.web.access import form_address, signed_in
from campaign.web.forms import SentenceForm, parse_whole_number
from campaign.web.seats.invitation_links import LinkShown, link_of, links_only_here
from campaign.web.setup.forms import BATTLES, POLICIES, BattlesForm, ClockForm, NameForm, ScenarioForm
from campaign.web.setup.option_forms import OptionsForm
from campaign.web.setup.seats import SeatsForm, columns_of, seats_first
from campaign.web.shown_once import secret_keep, secret_look

#: Where the session keeps the links, sealed, of a campaign just made, until its umpire has passed them on.
LINKS = "setup_links"


@dataclass(frozen=True, slots=True)
class SetupInProgress:
    """A campaign set-up in progress: its owner, the draft so far, and the scenario as its files are now."""

    user: User
    draft: CampaignDraft | None
    card: ScenarioCard | None

    @property
    def body(self) -> dict[str, Any]:
        return dict(self.draft.body) if self.draft is not None else {}

    @property
    def stale(self) -> bool:
        """True if the scenario is gone or its files have changed since it was chosen."""
        if self.draft is None:
            return False
        return (
            self.card is None or bool(self.card.fault) or self.card.digest != self.body["scenario"]["digest"]
        )

    def sound(self) -> ScenarioCard:
        assert self.card is not None
        return self.card


def _get_setup(request: HttpRequest, pk: int | None = None) -> SetupInProgress:
    """Return the person's set-up. Raises Http404 for people who may not set up campaigns, and for another
    person's set-up.
    """
    if not may_set_up(request.user):
        raise Http404("Campaigns are set up by the staff of this site.")
    assert isinstance(request.user, User)
    if pk is None:
        return SetupInProgress(request.user, None, None)
    draft = get_object_or_404(CampaignDraft, pk=pk, user=request.user)
    return SetupInProgress(request.user, draft, draft_card(draft))


# --- the pages ---


def _scenario_form(table: SetupInProgress, data: Any, files: Any = None) -> ScenarioForm:
    kept = table.body.get("scenario", {})
    troops = "bare" if kept.get("bare") else "own" if kept.get("armies") else "full"
    first = {"scenario": kept.get("slug"), "troops": troops}
    sent = (data, files) if data is not None else ()
    rows = table.draft.armies if table.draft is not None else ()
    return ScenarioForm(*sent, initial=first, cards=scenario_cards(table.user), kept=kept, rows=rows)


def _name_form(table: SetupInProgress, data: Any) -> NameForm:
    title = table.sound().title
    return NameForm(
        data, initial=table.body.get("name") or {"title": title, "slug": _find_free_slug(slugify(title))}
    )


def _find_free_slug(slug: str) -> str:
    """An address like this one that no campaign has yet."""
    taken = set(Campaign.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    return next(one for one in (slug, *(f"{slug}-{number}" for number in range(2, 999))) if one not in taken)


def _seats_form(table: SetupInProgress, data: Any) -> SeatsForm:
    kept, card = table.body.get("seats"), table.sound()
    columns = columns_of(kept)
    for side in card.sides if data is not None else ():
        columns[side.id] = parse_whole_number(data.get(f"columns-{side.id}", "")) or 0
        columns[side.id] += data.get("more") == side.id
    if data is not None and data.get("more"):  # asked for one column more: nothing is kept yet
        first = {name: data.getlist(name) if name.endswith("-formations") else data[name] for name in data}
        data = None
    else:
        first = seats_first(kept, card)
    bare = bool(table.body["scenario"]["bare"])
    return SeatsForm(data, initial=first, card=card, bare=bare, umpire=table.user, columns=columns)


def _rules_form(table: SetupInProgress, data: Any) -> OptionsForm:
    base = table.sound().settings
    return OptionsForm(data, base=base, settings=settings_of(table.body, base))


def _clock_form(table: SetupInProgress, data: Any) -> ClockForm:
    return ClockForm(data, initial=ClockForm.first(table.body.get("clock"), table.user.time_zone))


def _battles_form(table: SetupInProgress, data: Any) -> BattlesForm:
    return BattlesForm(data, initial=table.body.get("battles") or BATTLES)


FORMS: dict[str, Callable[[SetupInProgress, Any], SentenceForm]] = {
    "name": _name_form,
    "seats": _seats_form,
    "rules": _rules_form,
    "clock": _clock_form,
    "battles": _battles_form,
}


def _get_posted_data(request: HttpRequest) -> tuple[Any, Any]:
    """Return the posted data and files; None for both if nothing was posted."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def _build_draft_data(form: SentenceForm) -> dict[str, Any]:
    if isinstance(form, OptionsForm):
        names = list_changed_settings(form.chosen, form.base)
        return {"settings": {name: format_setting(getattr(form.chosen, name)) for name in names}}
    kept: dict[str, Any] = form.build_draft_data()  # type: ignore[attr-defined]  # every other form of FORMS has it
    return kept


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin_setup(request: HttpRequest) -> HttpResponse:
    """The first page, and what has been left half-way."""
    table = _get_setup(request)
    form: SentenceForm = _scenario_form(table, *_get_posted_data(request))
    if form.is_bound and form.is_valid():
        try:
            draft = draft_begin(user=table.user, chosen=_build_draft_data(form))
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            return redirect("campaign-new-step", draft.pk, "name")
    drafts = {"drafts": draft_rows(list_setup_drafts(table.user))}
    return _render_step(request, table, "scenario", form, status=422 if form.is_bound else 200, **drafts)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def step_page(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    """One page; what is posted is kept, and the next opens."""
    table = _get_setup(request, pk)
    if step not in STEPS:
        raise Http404("There is no such page.")
    if "made" in table.body:
        return _to_campaign(table)
    if table.stale and step != "scenario":
        messages.warning(request, _describe_stale_scenario(table))
        return redirect("campaign-new-step", pk, "scenario")
    if step == "review":
        return _render_review(request, table)
    if request.method == "POST" and "reset" in request.POST and step == "rules":
        return _save_step(request, table, step, {"settings": {}}, to=step) or redirect(
            "campaign-new-step", pk, step
        )
    data, files = _get_posted_data(request)
    form = _scenario_form(table, data, files) if step == "scenario" else FORMS[step](table, data)
    if form.is_bound and form.is_valid():
        kept = _save_step(request, table, step, _build_draft_data(form), form=form)
        if kept is not None:
            return kept
        table = _get_setup(request, pk)
    more: dict[str, Any] = {}
    if step == "rules" and table.draft is not None:
        more["recruitment"] = draft_recruitment(table.draft, table.sound())
    return _render_step(request, table, step, form, status=422 if form.is_bound else 200, **more)


def _describe_stale_scenario(table: SetupInProgress) -> str:
    if table.card is None:
        return "The scenario you had chosen is no longer here. Choose another; what else you chose stays."
    return (
        "The files of the scenario have changed since you chose it. Look at what is there now and choose "
        "again; then go over the seats and rules."
    )


def _save_step(
    request: HttpRequest,
    table: SetupInProgress,
    step: str,
    chosen: dict[str, Any],
    *,
    form: SentenceForm | None = None,
    to: str = "",
) -> HttpResponse | None:
    """Keep a page and lead to the next, or to the one that was asked for; None when it was refused."""
    assert table.draft is not None
    try:
        seen = parse_whole_number(request.POST.get("seen", "")) or 0
        setup_draft_keep(draft=table.draft, user=table.user, step=step, chosen=chosen, seen=seen)
    except RuleViolation as violation:
        if form is not None:
            form.refuse(violation)
            return None
        messages.error(request, violation.message)
    following = to or STEPS[STEPS.index(step) + 1]
    if request.POST.get("then") == "review":
        following = "review"
    return redirect("campaign-new-step", table.draft.pk, following)


def _render_step(
    request: HttpRequest,
    table: SetupInProgress,
    step: str,
    form: SentenceForm | None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    draft = table.draft
    context = {
        "draft": draft,
        "card": table.card,
        "form": form,
        "step": step,
        "steps": steps_of(draft, step),
        "seen": table.body.get("kept", {}).get(step, 0),
        "reviewable": all(name in table.body for name in CHOSEN),
        "mail_is_sent": settings.MAIL_IS_SENT,
        "may_restore": may_restore(request.user),
        **more,
    }
    return render(request, f"campaign/setup/{step}.html", context, status=status)


def _render_review(request: HttpRequest, table: SetupInProgress) -> HttpResponse:
    """All of it; posted, the campaign is made."""
    missing = next((name for name in CHOSEN if name not in table.body), None)
    if missing is not None:
        return redirect("campaign-new-step", table.draft.pk if table.draft else 0, missing)
    assert table.draft is not None
    card, refusal, mend = table.sound(), "", ""
    if request.method == "POST":
        try:
            made = draft_make(draft=table.draft, user=table.user, digest=card.digest)
        except RuleViolation as violation:
            refusal, mend = f"{violation.message} ({violation.rule_id})", violation.field
        else:
            if made.links:
                _links_keep(request, made.campaign, made.links, set())
                request.session.save()  # before any is sent, which may take a while
                _links_keep(request, made.campaign, made.links, links_send(made.links))
            return _to_campaign(table, made.campaign)
    battles = table.body["battles"]
    policy, line = POLICIES[battles["battle_policy"]]
    told = {
        "review": review_of(table.draft, card),
        "policy": policy,
        "policy_line": line,
        "ruleset": get_ruleset(battles["ruleset"]),
        "ruleset_options": options_otherwise(
            battles["ruleset"], battles.get(OPTIONS, {}).get(battles["ruleset"], {})
        ),
        "refusal": refusal,
        "mend": mend,
    }
    return _render_step(request, table, "review", None, status=422 if refusal else 200, **told)


def _links_keep(
    request: HttpRequest, campaign: Campaign, links: Sequence[InvitationLink], sent: set[int]
) -> None:
    """Keep the tokens whose links are to be passed on; of those `sent` that they are."""
    rows = [
        {
            "seat": link.seat,
            "email": link.email,
            "person": _format_person(link.person),
            "token": "" if link.pk in sent or link.person else link.token,
        }
        for link in links
    ]
    secret_keep(request.session, LINKS, {"campaign": campaign.pk, "links": rows})


def _format_person(name: str) -> str:
    """Return the display name of a username; "" for nobody."""
    person = User.objects.filter(username=name).first() if name else None
    return person.get_full_name() or name if person else name


def _to_campaign(table: SetupInProgress, campaign: Campaign | None = None) -> HttpResponse:
    found = campaign or Campaign.objects.filter(pk=int(table.body.get("made", 0))).first()
    if found is None:
        raise Http404("That campaign is not there any more.")
    return redirect("campaign-new-made", found.slug)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def links_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign is there: its links to pass on. Posted, they have been."""
    kept = secret_look(request.session, LINKS) or {}
    campaign = get_object_or_404(list_chief_campaigns(request.user), slug=slug)
    if request.method == "POST":
        request.session.pop(LINKS, None)
        return redirect(campaign)
    links = kept.get("links", []) if kept.get("campaign") == campaign.pk else []
    told = [
        {**link, "shown": LinkShown(link["seat"], link_of(request, link["token"]), link["email"])}
        if link.get("token")
        else link
        for link in links
    ]
    to_pass_on = any("shown" in link for link in told)
    context = {
        "campaign": campaign,
        "links": told,
        "to_pass_on": to_pass_on,
        "only_here": to_pass_on and links_only_here(request),
    }
    return render(request, "campaign/setup/made.html", context)


def _build_setup_url(pk: int) -> str:
    return reverse("campaign-new")


@signed_in
@form_address(_build_setup_url)
@require_POST
def discard_draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw a half-made campaign away."""
    table = _get_setup(request, pk)
    assert table.draft is not None
    draft_discard(draft=table.draft, user=table.user)
    messages.success(request, "It is thrown away.")
    return redirect("front" if request.POST.get("from") == "front" else "campaign-new")
