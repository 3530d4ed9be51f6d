"""The battle pack for the table: as a page to print, and as a PDF."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from battles.printing.packs import Pack
from battles.printing.sheet_types import Figures
from battles.printing.typesetting import PAPERS
from campaign.fog.viewers import OnlyPublic
from campaign.fog.visibility import battles_for
from campaign.models import Battle, Seat
from campaign.rules.battles.battle_inputs import file_now
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.packs import (
    NO_BATTLE,
    PackChoice,
    choice_of,
    list_named_copies,
    pack_for,
    pack_print_ask,
    pack_printing,
)
from campaign.text.battle_measures import figures_matter
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.error_pages import NothingThere

FOR_WHOM = "A pack is for those who command at its battle, and for the umpire."

FIGURE_NAMES: dict[Figures, str] = {"25mm": "20 and 25 mm", "15mm": "15 mm"}
PAPER_NAMES = {"a4": "A4", "letter": "Letter"}


@signed_in
@never_cache
@gzip_page
@require_safe
def battle_pack(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The pack as a page that can be printed."""
    desk, found, choice, paper = _get_pack_request(request, slug, pk)
    contents = _build_pack(desk, found, choice)
    printing = pack_printing(battle=found, contents=contents, paper=paper)
    context: dict[str, Any] = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "battle": found,
        "pack": contents,
        # every name in it is escaped where it is drawn
        "drawing": mark_safe(contents.ground.svg) if contents.ground else "",
        "qr": mark_safe(contents.qr),
        "choice": choice,
        "paper": paper,
        "copies": list_named_copies(desk.viewer, found, desk.names),
        "figures": FIGURE_NAMES.items() if figures_matter(file_now(found)) else (),
        "papers": PAPER_NAMES.items(),
        "query": request.GET.urlencode(),
        "printing": printing,
    }
    return render(request, "campaign/pack.html", context)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def battle_pack_pdf(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The pack as a PDF once it is made; a posted form has it made, and its page says how far that is."""
    desk, found, choice, paper = _get_pack_request(request, slug, pk)
    contents, query = _build_pack(desk, found, choice), request.GET.urlencode()
    if request.method == "POST":
        pack_print_ask(battle=found, contents=contents, paper=paper, query=query, actor=desk.viewer.user)
    made = pack_printing(battle=found, contents=contents, paper=paper).made
    if made is None or request.method == "POST":
        page = reverse("battle-pack", args=[slug, pk])
        return redirect(f"{page}?{query}" if query else page)
    answer = HttpResponse(made, content_type="application/pdf")
    name = f"{slug}-battle-{found.pk}-{choice.copy or 'umpire'}-{paper}.pdf"
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer


def _get_pack_request(
    request: HttpRequest, slug: str, pk: int
) -> tuple[CampaignPage, Battle, PackChoice, str]:
    """The battle and what of it is to be printed; nothing there for who has no copy of it (HR-TAB-23)."""
    try:
        desk = CampaignPage.of(request.user, slug, also=(Seat.Role.GUEST,))
    except OnlyPublic as no_desk:
        raise NothingThere(FOR_WHOM, reverse("campaign-public", args=[slug]), "To the campaign") from no_desk
    found = battles_for(desk.viewer).filter(pk=pk).first()
    if found is None:
        raise NothingThere(NO_BATTLE, *_battles_page(desk))
    given, paper = request.GET, request.GET.get("paper", "") or "a4"
    blinds = given["blinds"] != "no" if "blinds" in given else None
    choice = choice_of(
        desk.viewer, found, copy=given.get("copy"), figures=given.get("figures", ""), blinds=blinds
    )
    if choice is None or paper not in PAPERS:
        raise Http404("A pack is a copy for this seat, for 25mm or 15mm figures, on a4 or letter.")
    return desk, found, choice, paper


def _battles_page(desk: CampaignPage) -> tuple[str, str]:
    """Return the address and name of the page with the viewer's battles; a guest has one battle and no
    list.
    """
    if desk.viewer.is_guest:
        return reverse("front"), "To your campaigns"
    return f"{desk.campaign.get_absolute_url()}?sheet=battles", "To the battles"


def _build_pack(desk: CampaignPage, found: Battle, choice: PackChoice) -> Pack:
    return pack_for(desk.viewer, found, desk.world, desk.names, choice)
