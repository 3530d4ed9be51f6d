"""The way back to an earlier morning (HR-UMP-14), and where old addresses lead."""

from itertools import takewhile

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.fog.visibility import battles_for
from campaign.models import Battle, Campaign, DayRecord, User, find_time_zone, format_time_zone
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.battles import SOURCES
from campaign.selectors.turns.calendar import load_calendar
from campaign.selectors.umpire.corrections import describe_correction, list_rewind_mornings
from campaign.services.turns.rewind import campaign_rewind, has_day_begun, rewind_targets
from campaign.web.access import signed_in
from campaign.web.forms import parse_whole_number
from campaign.web.umpire.desk import build_desk_url, umpires_desk

SETTLED = Battle.State.SETTLED


@signed_in
def redirect_old_address(
    request: HttpRequest, slug: str, part: str = "week-desk", pk: int | None = None
) -> HttpResponse:
    """Old addresses of what is on the week's desk now; a form of a page still open arrives there, too."""
    umpires_desk(request, slug)
    address = reverse(part, args=[slug] if pk is None else [slug, pk])
    query = request.GET.copy()
    if query.get("rule"):
        query["act"] = "die"
    asked = f"?{query.urlencode()}" if query else ""
    return HttpResponseRedirect(f"{address}{asked}", preserve_request=True)


def _describe_deadline(campaign: Campaign, user: User) -> str:
    """Describe the deadline after the campaign has been rewound (HR-UMP-14)."""
    campaign.refresh_from_db()
    kept = "What was undone stays in the journal."
    if campaign.deadline is None:
        return f"{kept} There is no deadline; set one if orders are to be due."
    zone = find_time_zone(user, campaign)
    due = campaign.deadline.astimezone(zone)
    return f"{kept} Orders are due by {due.day} {due:%B %Y, %H:%M} ({format_time_zone(zone)})."


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rewind_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the effects of rewinding to a morning; posted, do it. Only for the umpire (HR-SET-08).

    `?anew=` marks the battle from whose page he came, to be settled anew.
    """
    desk = umpires_desk(request, slug)
    if not desk.viewer.is_chief:
        raise Http404("Only the umpire can rewind a campaign; ask the umpire.")
    campaign = desk.campaign
    course = rewind_targets(campaign)
    record = next((each for each in course if each.pk == pk), None)
    begun = has_day_begun(campaign)
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
                seen=parse_whole_number(request.POST.get("head", "")) or 0,
                new_dice=request.POST.get("dice") == "new",
                keep=request.POST.get("battles") != "anew",
                anew=request.POST.getlist("anew"),
                papers="draft" if request.POST.get("papers") == "draft" else "stand",
            )
        except RuleViolation as violation:
            refusal = f"{violation.message} ({violation.rule_id})"
        else:
            messages.success(
                request, f"The campaign has gone back. {_describe_deadline(campaign, desk.viewer.user)}"
            )
            return redirect(build_desk_url(slug, "back"))
    listed = list_rewind_mornings(course, desk.world.theatre.start, desk.names, begun=begun)
    battles = list(battles_for(desk.viewer).filter(day__gte=record.day))
    marked = (request.POST if request.method == "POST" else request.GET).getlist("anew")
    undone = list(takewhile(lambda step: step.pk != pk, course))[::-1]
    return render(
        request,
        "campaign/rewind.html",
        {
            "viewer": desk.viewer,
            "campaign": campaign,
            "calendar": load_calendar(desk.viewer, desk.world),
            "morning": next((row for row in listed if row.record.pk == pk), None),
            "undone": [
                (step, describe_correction(step, desk.names) if step.kind == DayRecord.Kind.ACT else "")
                for step in undone
            ],
            "begun": begun,
            "battles": [(battle, SOURCES.get(battle.source, "")) for battle in battles],
            "settled": [(battle, battle.contact in marked) for battle in battles if battle.state == SETTLED],
            "refusal": refusal,
            "given": request.POST,
        },
        status=422 if refusal else 200,
    )
