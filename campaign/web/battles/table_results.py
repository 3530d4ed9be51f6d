"""The result of a fight on the table, entered on a phone: the form, its drafts, and photographs (HR-TAB)."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.fog.battles import entries_for, photos_for
from campaign.fog.visibility import battles_for
from campaign.models import Battle, BattleEntry, Seat
from campaign.ops.rate_limit import PHOTOGRAPHS, upload_verify
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.battles.table_results import Entry, TableForces, entry_from_json
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.battles import battle_row, list_forces
from campaign.selectors.battles.table_results import build_table_roster, entering_side, entry_by, may_enter
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.photos import battle_photo_add, battle_photo_remove
from campaign.services.battles.table_results import EntryChanged, battle_entry_save
from campaign.web.access import form_address, is_fragment, signed_in
from campaign.web.battles.table_result_forms import ResultForm, list_differences, result_initial
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number

GUEST = (Seat.Role.GUEST,)
#: Who sees photographs of a battle on its page.
LOOKING_ON = (Seat.Role.GUEST, Seat.Role.SPECTATOR)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The form of a battle's result; posted, it is kept as a draft or entered for the umpire to confirm."""
    desk, found = _get_battle_to_enter(request, slug, pk)
    if found.state == Battle.State.SETTLED:
        if is_fragment(request):
            return _build_text_answer(f"The {found} has been settled meanwhile (HR-CON-12).", 409)
        messages.warning(request, f"The {found} is settled; its result is confirmed. (HR-CON-12)")
        return redirect("battle", slug, pk)
    if request.method == "POST":
        return _handle_post(request, desk, found)
    return render(request, "campaign/battle_result.html", _build_context(desk, found))


def _get_battle_to_enter(request: HttpRequest, slug: str, pk: int) -> tuple[CampaignPage, Battle]:
    desk = CampaignPage.of(request.user, slug, also=GUEST)
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if not may_enter(desk.viewer, found):
        raise Http404("Who commands there enters the result.")
    return desk, found


def _load_table_roster(desk: CampaignPage, found: Battle) -> TableForces:
    names = {side: desk.names.side(side) for side in (found.attacker, found.defender)}
    return build_table_roster(found, names).as_seen_by(entering_side(desk.viewer))


def _build_result_form(
    desk: CampaignPage, found: Battle, data: Any = None, entry: Entry | None = None
) -> ResultForm:
    return ResultForm(
        data,
        initial=result_initial(entry) if entry is not None else None,
        forces=list_forces(desk.viewer, found, desk.names),
        table=_load_table_roster(desk, found),
        own=entering_side(desk.viewer),
    )


def _find_own_entry(desk: CampaignPage, found: Battle) -> BattleEntry | None:
    return entries_for(desk.viewer, found).filter(side=entering_side(desk.viewer)).first()


def _build_context(desk: CampaignPage, found: Battle, **more: Any) -> dict[str, Any]:
    row = _find_own_entry(desk, found)
    kept = entry_from_json(row.body) if row is not None else None
    entered = row is not None and row.state == BattleEntry.State.ENTERED
    context: dict[str, Any] = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "row": battle_row(found, desk.world, desk.names),
        "entry": row,
        "entered": entered,
        "by": entry_by(row, desk.viewer.user) if row is not None else "",
        "version": row.version if row is not None else 0,
        "rules": ruleset_of(found),
        "photos": photos_for(desk.viewer, found).defer("image"),
        "mine": entering_side(desk.viewer),
        "split": len(found.sector),
        "form": more.get("form") or _build_result_form(desk, found, entry=kept),
    }
    return context | more


def _handle_post(request: HttpRequest, desk: CampaignPage, found: Battle) -> HttpResponse:
    form = _build_result_form(desk, found, request.POST)
    whole = "enter" in request.POST
    if not form.stands(whole=whole):
        if is_fragment(request):
            return _build_text_answer(" ".join(thing.sentence for thing in form.to_mend), 422)
        return _render_result(request, desk, found, form, 422, mend=form.to_mend)
    try:
        row = battle_entry_save(
            battle=found,
            side=entering_side(desk.viewer),
            entry=form.entry(),
            version=parse_whole_number(request.POST.get("version", "")) or 0,
            ruleset=request.POST.get("rules", ""),
            actor=desk.viewer.user,
            entered=whole,
        )
    except EntryChanged as changed:
        if is_fragment(request):
            return _build_text_answer(changed.message, 409)
        theirs = entry_from_json(changed.current.body)
        apart = list_differences(form.entry(), theirs, form.table)
        more = {"changed": changed, "apart": apart, "version": changed.current.version}
        return _render_result(request, desk, found, form, 409, **more)
    except RuleViolation as violation:
        if is_fragment(request):
            return _build_text_answer(f"{violation.message} ({violation.rule_id})", 409)
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("battle", desk.campaign.slug, found.pk)
    if is_fragment(request):
        return JsonResponse({"version": row.version})
    _save_photos(request, desk, found)
    if whole:
        confirm = "Look at it and confirm it." if desk.viewer.is_umpire else "The umpire confirms it."
        messages.success(request, f"The result is entered. {confirm}")
        if desk.viewer.is_umpire:
            return redirect("battle-compare", desk.campaign.slug, found.pk)
        return redirect("battle", desk.campaign.slug, found.pk)
    back = (
        "taken back; amend it and enter it again" if "back" in request.POST else "kept; nobody else reads it"
    )
    messages.success(request, f"Your entry is {back}.")
    return redirect("battle-result", desk.campaign.slug, found.pk)


def _render_result(
    request: HttpRequest, desk: CampaignPage, found: Battle, form: ResultForm, status: int, **more: Any
) -> HttpResponse:
    context = _build_context(desk, found, form=form, **more)
    return render(request, "campaign/battle_result.html", context, status=status)


def _build_text_answer(sentence: str, status: int) -> HttpResponse:
    """A sentence for the script that saves a draft."""
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


# --- photographs ---


def _save_photos(request: HttpRequest, desk: CampaignPage, found: Battle) -> None:
    """Keep the photographs that came with the form; one refused does not hold the others up."""
    for file in request.FILES.getlist("photo"):
        try:
            upload_verify(desk.viewer.user.pk, PHOTOGRAPHS)
            battle_photo_add(
                battle=found,
                side=entering_side(desk.viewer),
                file=file,
                caption=request.POST.get("caption", ""),
                actor=desk.viewer.user,
            )
        except RuleViolation as violation:
            messages.error(request, f"{file.name}: {violation.message} ({violation.rule_id})")


@signed_in
@form_address(lambda slug, pk, photo: f"{reverse('battle-result', args=[slug, pk])}#photos")
def remove_photo(request: HttpRequest, slug: str, pk: int, photo: int) -> HttpResponse:
    """Take a photograph away."""
    desk, found = _get_battle_to_enter(request, slug, pk)
    try:
        battle_photo_remove(battle=found, photo=photo, actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect(f"{reverse('battle-result', args=[slug, pk])}#photos")


@signed_in
@require_http_methods(["GET", "HEAD"])
def show_photo(request: HttpRequest, slug: str, pk: int, photo: int) -> HttpResponse:
    """A photograph, for who may see it (HR-TAB-07)."""
    desk = CampaignPage.of(request.user, slug, also=LOOKING_ON)
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    shown = get_object_or_404(photos_for(desk.viewer, found), pk=photo)
    answer = HttpResponse(bytes(shown.image), content_type="image/jpeg")
    answer["Cache-Control"] = "private, max-age=86400"
    answer["Content-Disposition"] = "inline"
    return answer
