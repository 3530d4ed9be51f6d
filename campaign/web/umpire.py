"""The umpire's hand: the day tried out, acts with their reasons, real dice, and the way back (HR-UMP)."""

from itertools import takewhile
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.models import Battle, Campaign, DayRecord
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles import SOURCES
from campaign.selectors.standing import calendar
from campaign.selectors.umpire import act_named, dry_run_shown, mornings
from campaign.services.deadlines import local
from campaign.services.dry_run import dry_run_ask
from campaign.services.rewind import campaign_rewind, day_begun, rewind_targets
from campaign.services.umpire import act_just_done, act_perform
from campaign.visibility import battles_for
from campaign.web.access import form_address, signed_in
from campaign.web.desk import Desk
from campaign.web.forms import whole_number
from campaign.web.umpire_form import UmpireForm
from campaign.web.umpire_forms import HAND_FORMS, DieForm

#: Mornings to go back to that are listed openly; the others are one click further.
RECENT = 14
SETTLED = Battle.State.SETTLED


def _page(slug: str, pk: int = 0) -> str:
    return reverse("hand", args=[slug])


def _umpire(request: HttpRequest, slug: str) -> Desk:
    desk = Desk.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire has a hand in it.")
    return desk


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hand(request: HttpRequest, slug: str) -> HttpResponse:
    """The page; a posted form is an act."""
    desk = _umpire(request, slug)
    bound = None
    if request.method == "POST":
        bound = _bound(desk, request)
        if bound.is_valid():
            try:
                act_perform(
                    campaign=desk.campaign,
                    act=bound.act(),
                    reason=bound.reason,
                    actor=desk.viewer.user,
                    seen=whole_number(request.POST.get("head", "")) or 0,
                )
            except RuleViolation as violation:
                bound.refuse(violation)
            else:
                messages.success(request, "It is done, and stands in the journal with its reason.")
                return redirect(_page(slug))
    return render(request, "campaign/hand.html", _context(desk, request, bound), status=422 if bound else 200)


def _bound(desk: Desk, request: HttpRequest) -> UmpireForm:
    kind = HAND_FORMS.get(request.POST.get("kind", ""))
    if kind is None:
        raise Http404("There is no such form.")
    world, done = desk.world, act_just_done(desk.campaign, whole_number(request.POST.get("head", "")))
    if done is not None:  # pressed twice, it is read as it was the first time, so that it is the same act
        world = done.morning
    form = kind(request.POST, world=world, viewer=desk.viewer, names=desk.names)
    form.again(done.act if done is not None else None)
    return form


def _context(desk: Desk, request: HttpRequest, bound: UmpireForm | None) -> dict[str, Any]:
    forms = desk.paper_forms(HAND_FORMS, bound)
    course, start = rewind_targets(desk.campaign), desk.world.theatre.start
    listed = mornings(course, start, desk.names, begun=day_begun(desk.campaign))
    die = next((form for form in forms if isinstance(form, DieForm)), None)
    if die is not None and not die.is_bound:
        asked = {name: request.GET.get(name, "") for name in ("rule", "subject", "index", "sides")}
        die.initial = {name: value for name, value in asked.items() if value}
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": calendar(desk.viewer, desk.world),
        "forms": forms,
        "asked": die.initial if die is not None else {},
        "run": dry_run_shown(desk.viewer, desk.names, start),
        "recent": listed[:RECENT] if desk.viewer.is_chief else [],
        "earlier": listed[RECENT:] if desk.viewer.is_chief else [],
    }


@signed_in
@form_address(_page)
@require_POST
def dry_run(request: HttpRequest, slug: str) -> HttpResponse:
    """Try the coming day out."""
    desk = _umpire(request, slug)
    try:
        dry_run_ask(campaign=desk.campaign, actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect(_page(slug))


def _deadline_told(campaign: Campaign) -> str:
    """What is told of the deadline once the campaign has gone back (HR-UMP-14)."""
    campaign.refresh_from_db()
    kept = "What was undone stays in the journal."
    if campaign.deadline is None:
        return f"{kept} There is no deadline; set one if orders are to be due."
    return f"{kept} Orders are due by {local(campaign.deadline, campaign):%d %B %Y, %H:%M}."


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What going back to a morning would undo; posted, it is done. The umpire's alone (HR-SET-08)."""
    desk = _umpire(request, slug)
    if not desk.viewer.is_chief:
        raise Http404("Only the umpire takes the campaign back; an assistant asks him.")
    campaign = desk.campaign
    course = rewind_targets(campaign)
    record = next((each for each in course if each.pk == pk), None)
    begun = day_begun(campaign)
    if record is None or (record == course[0] and not begun):
        raise Http404("That morning is not on the campaign's course.")
    refusal = ""
    if request.method == "POST":
        try:
            campaign_rewind(
                campaign=campaign,
                record=record,
                reason=request.POST.get("reason", ""),
                actor=desk.viewer.user,
                seen=whole_number(request.POST.get("head", "")) or 0,
                new_dice=request.POST.get("dice") == "new",
                keep=request.POST.get("battles") != "anew",
                anew=request.POST.getlist("anew"),
                papers="draft" if request.POST.get("papers") == "draft" else "stand",
            )
        except RuleViolation as violation:
            refusal = f"{violation.message} ({violation.rule_id})"
        else:
            messages.success(request, f"The campaign has gone back. {_deadline_told(campaign)}")
            return redirect(_page(slug))
    listed = mornings(course, desk.world.theatre.start, desk.names, begun=begun)
    battles = list(battles_for(desk.viewer).filter(day__gte=record.day))
    marked = request.POST.getlist("anew")
    undone = list(takewhile(lambda step: step.pk != pk, course))[::-1]
    return render(
        request,
        "campaign/rewind.html",
        {
            "viewer": desk.viewer,
            "campaign": campaign,
            "calendar": calendar(desk.viewer, desk.world),
            "morning": next((row for row in listed if row.record.pk == pk), None),
            "undone": [
                (step, act_named(step, desk.names) if step.kind == DayRecord.Kind.ACT else "")
                for step in undone
            ],
            "battles": [(battle, SOURCES.get(battle.source, "")) for battle in battles],
            "settled": [(battle, battle.contact in marked) for battle in battles if battle.state == SETTLED],
            "refusal": refusal,
            "given": request.POST,
        },
        status=422 if refusal else 200,
    )
