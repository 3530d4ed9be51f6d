"""Battle pages: who, where, with what; settled by the engine or the umpire's word."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.fog.battles import (
    account_for,
    battles_undone_for,
    entries_for,
    may_ask_odds,
    pack_copies,
    photos_for,
    settling_job,
)
from campaign.fog.visibility import battles_for
from campaign.models import Battle, Job, Seat
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.battles import battle_row, find_battlefield_drawing, list_forces
from campaign.selectors.battles.landings import landing_text
from campaign.selectors.battles.methods import describe_known_adjustments
from campaign.selectors.battles.odds import find_battle_odds, odds_job_latest
from campaign.selectors.battles.plans import list_visible_plans
from campaign.selectors.battles.replays import replay_of
from campaign.selectors.battles.table_results import (
    Entered,
    build_entry_status,
    describe_result_author,
    entering_side,
    entry_by,
    going_on,
    may_enter,
)
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.settlement import battle_settle_ask, battle_settle_by_word
from campaign.services.jobs.jobs import job_stop
from campaign.services.turns.rewind import morning_before
from campaign.text.battle_measures import telling_under
from campaign.web.access import form_address, signed_in
from campaign.web.battles.battle_forms import PlanForm
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import FieldForm, WordForm


@signed_in
@never_cache
@require_safe
def battle_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One battle of the viewer's; one that was undone is told to be so."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR, Seat.Role.GUEST))
    found = battles_for(desk.viewer).filter(pk=pk).first()
    if found is None:
        undone = get_object_or_404(battles_undone_for(desk.viewer), pk=pk)
        return render(request, "campaign/battle_undone.html", _build_undone_context(desk, undone))
    return render(request, "campaign/battle.html", _build_context(desk, found))


def _build_undone_context(desk: CampaignPage, found: Battle) -> dict[str, Any]:
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "row": battle_row(found, desk.world, desk.names),
    }


def _build_context(desk: CampaignPage, found: Battle, **bound: Any) -> dict[str, Any]:
    sides = list_forces(desk.viewer, found, desk.names)
    row = battle_row(found, desk.world, desk.names)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "row": row,
        "forces": sides,
        "table": find_battlefield_drawing(found, desk.names),
        "pack": bool(pack_copies(desk.viewer, found)),
        "entered_by": describe_result_author(desk.viewer, found, desk.names),
        "going_on": going_on(desk.viewer, found, len(desk.outlook.days)),
    }
    if desk.viewer.is_chief and not row.waiting:
        context["morning"] = morning_before(desk.campaign, found)
        context["anew"] = urlencode({"anew": found.contact})
    if row.waiting:
        context["landing"] = landing_text(found, desk.world.theatre.atlas, desk.names)
    context["adjusted"] = describe_known_adjustments(desk.viewer, found, desk.names)
    kept = replay_of(found)
    context["account"] = account_for(desk.viewer, found, kept)
    plans = list_visible_plans(desk.viewer, found, desk.world, desk.names)
    context["plans"] = plans
    if row.waiting and plans and desk.viewer.may_plan:
        context["plan"] = plans[0]
        under = telling_under(ruleset_of(found))
        context["plan_form"] = PlanForm(terms=plans[0].terms, plan=plans[0].plan, under=under)
    fight = settling_job(desk.viewer, found) if row.waiting and desk.viewer.is_umpire else None
    context["fight"] = fight
    context["fighting"] = fight is not None and fight.state in (Job.State.QUEUED, Job.State.RUNNING)
    context["may_ask_odds"] = may_ask_odds(desk.viewer) and not context["fighting"]
    if context["may_ask_odds"]:
        context["odds"] = find_battle_odds(desk.viewer, found, desk.names)
    context["photos"] = photos_for(desk.viewer, found).defer("image")
    context["open"] = row.waiting and may_enter(desk.viewer, found)
    if context["open"]:
        context |= _build_entry_status(desk, found)
        if desk.viewer.is_umpire:
            context["word_form"] = WordForm(sides=sides, prefix="word")
    return context | bound


def _build_entry_status(desk: CampaignPage, found: Battle) -> dict[str, Any]:
    """Describe the progress of the result: for a side its own entry, for the umpire the state of every
    entry.
    """
    rows = list(entries_for(desk.viewer, found).select_related("battle__campaign"))
    mine = next((row for row in rows if row.side == entering_side(desk.viewer)), None)
    names = {side: desk.names.side(side) for side in (found.attacker, found.defender)}
    return {
        "entry": mine,
        "entry_in": mine is not None and mine.state == Entered,
        "entry_by": entry_by(mine, desk.viewer.user) if mine is not None else "",
        "standing": build_entry_status(found, rows, names) if desk.viewer.is_umpire else None,
    }


@signed_in
@form_address(lambda slug, pk, by: reverse("battle", args=[slug, pk]))
def resolve_battle(request: HttpRequest, slug: str, pk: int, by: str) -> HttpResponse:
    """Settle a battle by the engine or the umpire's word; a fight on the table has pages of its own."""
    desk = CampaignPage.of(request.user, slug)
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    ways: dict[str, Callable[[CampaignPage, Battle, HttpRequest], dict[str, Any]]]
    ways = {"engine": _by_engine, "word": _by_word}
    if by not in ways or not desk.viewer.is_umpire:
        raise Http404("The umpire settles battles; commanders enter the result of the table.")
    refused = ways[by](desk, found, request)
    if refused:
        return render(request, "campaign/battle.html", _build_context(desk, found, **refused), status=422)
    return redirect("battle", slug, pk)


@signed_in
@form_address(lambda slug, pk: reverse("battle", args=[slug, pk]))
def choose_plan(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Choose how the viewer's side fights a battle that waits, or go back to its march orders."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.GUEST,))
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if not desk.viewer.may_plan:
        raise Http404("Each side's commander chooses its plan.")
    shown = list_visible_plans(desk.viewer, found, desk.world, desk.names)[0]
    under = telling_under(ruleset_of(found))
    form = PlanForm(request.POST, terms=shown.terms, plan=shown.plan, under=under)
    back = "as_ordered" in request.POST
    if back or form.is_valid():
        try:
            battle_plan_choose(
                battle=found,
                side=desk.viewer.side,
                plan=None if back else form.plan(),
                actor=desk.viewer.user,
            )
        except RuleViolation as violation:
            if violation.field:
                form.refuse(violation)
            else:
                messages.error(request, f"{violation.message} ({violation.rule_id})")
                return redirect("battle", slug, pk)
        else:
            messages.success(
                request, "The plan has been given out." if not back else "Your march orders stand."
            )
            return redirect("battle", slug, pk)
    refused = {"plan_form": form, "plan_mend": form.to_mend}
    return render(request, "campaign/battle.html", _build_context(desk, found, **refused), status=422)


@signed_in
@form_address(lambda slug, pk: reverse("battle", args=[slug, pk]))
def ask_odds(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask for the odds of a battle: the umpire, and where it is allowed a side."""
    desk, found = _get_battle_for_odds(request, slug, pk)
    try:
        side = "" if desk.viewer.is_umpire else desk.viewer.side
        odds_ask(battle=found, actor=desk.viewer.user, side=side)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect(_odds_page(request), slug, pk)


@signed_in
@form_address(lambda slug, pk: reverse("battle", args=[slug, pk]))
def stop_odds(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Stop working out the odds of a battle."""
    desk, found = _get_battle_for_odds(request, slug, pk)
    job = odds_job_latest(desk.viewer, found)
    if job is not None:
        try:
            job_stop(job=job, actor=desk.viewer.user, umpire=desk.viewer.is_umpire)
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
        else:
            messages.success(request, "The odds are not worked out any further.")
    return redirect(_odds_page(request), slug, pk)


def _odds_page(request: HttpRequest) -> str:
    """The page odds were asked for on."""
    return "battle-way" if request.POST.get("page") == "way" else "battle"


def _get_battle_for_odds(request: HttpRequest, slug: str, pk: int) -> tuple[CampaignPage, Battle]:
    desk = CampaignPage.of(request.user, slug)
    if not may_ask_odds(desk.viewer):
        raise Http404("Only the umpire works out odds.")
    return desk, get_object_or_404(battles_for(desk.viewer), pk=pk)


def _by_engine(desk: CampaignPage, found: Battle, request: HttpRequest) -> dict[str, Any]:
    try:
        battle_settle_ask(battle=found, actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return {}


def _by_word(desk: CampaignPage, found: Battle, request: HttpRequest) -> dict[str, Any]:
    sides = list_forces(desk.viewer, found, desk.names)
    form = WordForm(request.POST, sides=sides, prefix="word")

    def act() -> None:
        battle_settle_by_word(
            battle=found,
            field_held_by=form.find_holder(),
            percent_lost=form.percent_lost(),
            actor=desk.viewer.user,
        )

    done = "The battle is settled by your word."
    if _try_form(request, form, act, done, form.refuse):
        return {}
    return {"word_form": form, "mend": form.to_mend}


def _try_form(
    request: HttpRequest,
    form: FieldForm,
    act: Callable[[], None],
    done: str,
    refuse: Callable[[RuleViolation], None],
) -> bool:
    if not form.is_valid():
        return False
    try:
        act()
    except RuleViolation as violation:
        if violation.field:
            refuse(violation)
            return False
        # Settled meanwhile: the page has no form any more to put this beside.
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, done)
    return True
