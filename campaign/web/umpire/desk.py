"""The week's desk: the one page from which the umpire runs a club evening."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from campaign.models import DayRecord
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import EnterDie
from campaign.selectors.map.geojson import map_features
from campaign.selectors.umpire.corrections import describe_correction
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.dice import DieRefused, dice_enter
from campaign.services.turns.runs import rerun_request
from campaign.services.umpire.corrections import act_perform, find_act_since
from campaign.text.event_sentences import end_sentence
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.umpire.correction_forms import UmpireForm
from campaign.web.umpire.deadline_forms import RhythmForm
from campaign.web.umpire.desk_map import bounds_of, march_halts, trial_features
from campaign.web.umpire.desk_page import WeekDesk
from campaign.web.umpire.dice import dice_entered_rows, parse_dice
from campaign.web.umpire.orders_table import desk_rows
from campaign.web.umpire.umpire_forms import HAND_FORMS, DeadlineForm


def build_desk_url(slug: str, part: str = "") -> str:
    """The desk's address, at one of its parts."""
    return reverse("week-desk", args=[slug]) + (f"#{part}" if part else "")


def umpires_desk(request: HttpRequest, slug: str) -> CampaignPage:
    """The desk of the campaign's umpire; 404 for everybody else."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire has a hand in it.")
    return desk


@signed_in
@never_cache
@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def week_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or only its acts when a link of theirs asks; a posted form is an act."""
    desk = umpires_desk(request, slug)
    if request.method == "POST":
        return _perform_correction(request, desk)
    week = WeekDesk(desk, request.GET)
    part = request.headers.get("HX-Target", "")
    if part == "acts":
        answer = render(request, "campaign/_week_acts.html", week.acts())
    elif part == "week":
        context = {"campaign": desk.campaign, "checklist": week.checklist()}
        answer = render(request, "campaign/_week_end.html", context)
    else:
        answer = render(request, "campaign/week_desk.html", week.context())
    answer["Vary"] = "HX-Request, HX-Target, Cookie"
    return answer


def render_refusal(request: HttpRequest, desk: CampaignPage, **bound: Any) -> HttpResponse:
    """The page once more, with a form that was refused."""
    return render(request, "campaign/week_desk.html", WeekDesk(desk, {}, bound).context(), status=422)


# --- acts ---


def _perform_correction(request: HttpRequest, desk: CampaignPage) -> HttpResponse:
    form = _bind_correction_form(desk, request)
    record = _try_correction(request, desk, form) if form.is_valid() else None
    if record is None:
        return render_refusal(request, desk, act=form)
    told = end_sentence(describe_correction(record, desk.names))
    messages.success(request, f"It is done, and stands in the journal: {told}")
    act = form.act()
    if isinstance(act, EnterDie):
        _warn_of_unused_die(request, desk, act)
    return redirect(build_desk_url(desk.campaign.slug, "told"))


def _bind_correction_form(desk: CampaignPage, request: HttpRequest) -> UmpireForm:
    kind = HAND_FORMS.get(request.POST.get("kind", ""))
    if kind is None:
        raise Http404("There is no such form.")
    world, done = desk.world, find_act_since(desk.campaign, parse_whole_number(request.POST.get("head", "")))
    if done is not None:  # pressed twice, it is read as it was the first time, so that it is the same act
        world = done.morning
    form = kind(request.POST, world=world, viewer=desk.viewer, names=desk.names)
    form.again(done.act if done is not None else None)
    return form


def _try_correction(
    request: HttpRequest, desk: CampaignPage, form: UmpireForm | RhythmForm
) -> DayRecord | None:
    """Do the act of a valid form; refused, the form says why, and it is None."""
    try:
        return act_perform(
            campaign=desk.campaign,
            act=form.act(),
            reason=form.reason,
            actor=desk.viewer.user,
            seen=parse_whole_number(request.POST.get("head", "")) or 0,
        )
    except RuleViolation as violation:
        form.refuse(violation)
    return None


def _warn_of_unused_die(request: HttpRequest, desk: CampaignPage, die: EnterDie) -> None:
    """Say so when the day as it was tried out throws no such die."""
    desk.campaign.refresh_from_db()
    fresh = WeekDesk(desk, {})
    entered = dice_entered_rows(fresh.course, fresh.run, desk.names)
    if any(row.unused and row.rule == die.rule and row.value == die.value for row in entered[:1]):
        messages.warning(
            request,
            f"The day as it was last tried out throws no die of {die.rule} for {die.subject!r}, number "
            f"{die.index}: unless something changes, yours stays unused.",
        )


@signed_in
@form_address(build_desk_url)
def enter_dice(request: HttpRequest, slug: str) -> HttpResponse:
    """Several real dice with one reason."""
    desk = umpires_desk(request, slug)
    sent = parse_dice(request.POST)
    wrong, dice_told = sent.wrong, ""
    if not wrong[0]:
        try:
            records = dice_enter(
                campaign=desk.campaign,
                dice=sent.dice,
                reason=request.POST.get("reason", ""),
                actor=desk.viewer.user,
                seen=parse_whole_number(request.POST.get("head", "")) or 0,
            )
        except DieRefused as violation:
            wrong = sent.error_of(violation)
        except RuleViolation as violation:
            dice_told = f"{violation.message} ({violation.rule_id})"
        else:
            many = len(records)
            messages.success(
                request, f"{many} {'die is' if many == 1 else 'dice are'} entered and will count on the day."
            )
            return redirect(build_desk_url(slug, "dice"))
    thrown = {name: text for name, text in request.POST.items() if isinstance(text, str)}
    return render_refusal(request, desk, thrown=thrown, die_error=wrong, dice_told=dice_told)


@signed_in
@form_address(build_desk_url)
def set_deadline(request: HttpRequest, slug: str) -> HttpResponse:
    """Set, move or take away the deadline of the coming day."""
    desk = umpires_desk(request, slug)
    form = DeadlineForm(request.POST, world=desk.world, viewer=desk.viewer, names=desk.names)
    return _set_from_form(request, desk, form, "deadline_form", "The deadline is as you set it.")


@signed_in
@form_address(build_desk_url)
def set_schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the rhythm of deadlines."""
    desk = umpires_desk(request, slug)
    return _set_from_form(
        request, desk, RhythmForm(request.POST), "rhythm_form", "The rhythm of deadlines is set."
    )


def _set_from_form(
    request: HttpRequest, desk: CampaignPage, form: DeadlineForm | RhythmForm, name: str, done: str
) -> HttpResponse:
    if not form.is_valid() or _try_correction(request, desk, form) is None:
        return render_refusal(request, desk, **{name: form})
    messages.success(request, done)
    return redirect(build_desk_url(desk.campaign.slug, "deadline"))


# --- work asked for ---


@signed_in
@form_address(build_desk_url)
def preview_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Try the coming day out."""
    desk = umpires_desk(request, slug)
    _report_act(request, lambda: dry_run_ask(campaign=desk.campaign, actor=desk.viewer.user))
    return redirect(build_desk_url(slug, "trial"))


@signed_in
@form_address(build_desk_url)
def replay_days(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the days that were undone again, up to a battle that waits."""
    desk = umpires_desk(request, slug)
    seen, until = (parse_whole_number(request.POST.get(name, "")) for name in ("day", "until"))
    if seen is None or until is None:
        return HttpResponseBadRequest("Which days are to be played is missing; load the page again.")
    _report_act(
        request,
        lambda: rerun_request(campaign=desk.campaign, actor=desk.viewer.user, until=until, day=seen),
    )
    return redirect(build_desk_url(slug, "told"))


def _report_act(request: HttpRequest, act: Any) -> None:
    try:
        act()
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")


# --- the map ---


@signed_in
@never_cache
@gzip_page
@require_safe
def desk_map(request: HttpRequest, slug: str) -> JsonResponse:
    """The umpire's map with the days of each march, and the day as it was tried out."""
    desk = umpires_desk(request, slug)
    found = map_features(desk)
    rows = desk_rows(desk)
    tried = trial_features(WeekDesk(desk, {}).run, desk.world, desk.names)
    found["features"] += [*march_halts(rows), *tried]
    found["bounds"] = bounds_of(rows, tried, found["bounds"])
    return JsonResponse(found, content_type="application/geo+json")
