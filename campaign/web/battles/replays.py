"""Pages of replays: a battle the engine fought, to be watched or read (HR-BAT-10)."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from battles.replay.frames import show_to_json
from campaign.fog.battles import sees_whole_battle
from campaign.fog.viewers import campaign_of, viewer_of
from campaign.fog.visibility import battles_for
from campaign.models import Battle, Job, Seat
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.battles import battle_row
from campaign.selectors.battles.replays import build_visible_replay, frame_page, replay_of, replay_table
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.replays import replay_ask, replay_job_of
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number

LOOKERS_ON = (Seat.Role.SPECTATOR, Seat.Role.GUEST)


@signed_in
@never_cache
@require_safe
def replay_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The battle on its table; without a script the list of what happened, page by page."""
    desk = CampaignPage.of(request.user, slug, also=LOOKERS_ON)
    found = _get_fought_battle(desk, pk)
    kept = replay_of(found)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "row": battle_row(found, desk.world, desk.names),
        "whole": sees_whole_battle(desk.viewer),
    }
    if kept is None:
        job = replay_job_of(found)
        running = job is not None and job.state in (Job.State.QUEUED, Job.State.RUNNING)
        return render(request, "campaign/replay_missing.html", {**context, "job": job, "running": running})
    shown = build_visible_replay(desk.viewer, kept)
    page = frame_page(shown, parse_whole_number(request.GET.get("page", "")) or 1)
    drawing = replay_table(kept, found, desk.names)
    tints = (desk.names.tint(found.attacker), desk.names.tint(found.defender))
    sides = list(zip(shown.sides, tints, strict=True))
    return render(
        request,
        "campaign/replay.html",
        {**context, "shown": shown, "page": page, "drawing": drawing, "sides": sides, "tints": tints},
    )


def _get_fought_battle(desk: CampaignPage, pk: int) -> Battle:
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if found.state != Battle.State.SETTLED or found.source != "engine":
        raise Http404("Only what the engine has fought can be watched.")
    return found


@signed_in
@never_cache
@require_safe
@gzip_page
def show_replay_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The replay for the page's script, cut to what the viewer saw."""
    viewer = viewer_of(request.user, campaign_of(request.user, slug), also=LOOKERS_ON)
    found = get_object_or_404(battles_for(viewer), pk=pk)
    kept = replay_of(found)
    if kept is None:
        raise Http404("No replay of this battle has been kept.")
    shown = show_to_json(build_visible_replay(viewer, kept))
    return JsonResponse(shown, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})


@signed_in
@form_address(lambda slug, pk: reverse("battle-replay", args=[slug, pk]))
def request_replay(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask for the replay of a battle fought before replays were kept."""
    desk = CampaignPage.of(request.user, slug)
    found = _get_fought_battle(desk, pk)
    try:
        if replay_of(found) is None:
            replay_ask(battle=found, actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect("battle-replay", slug, pk)
