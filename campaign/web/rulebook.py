"""The rulebook, for everybody; seen from a campaign with what that has chosen."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.fog.viewers import NotSeated, Viewer, campaign_of, viewer_of
from campaign.models import Campaign, Seat
from campaign.rulebook.book import load_chapters, load_rule_books, setting_text
from campaign.rulebook.book import load_rulebook as every_rule
from campaign.rulebook.search import search_rules
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.press.journal import count_rule_citations

#: A search for more than this is cut off.
MOST_ASKED = 80


@gzip_page
@require_safe
def rulebook_page(request: HttpRequest) -> HttpResponse:
    """The chapters of all books, the rules of one, or those that have every word searched for.

    `?book=` looks in one book only; one there is not is as none.
    """
    asked = request.GET.get("q", "").strip()[:MOST_ASKED]
    _, chapter = (None, None) if asked else load_chapters().get(request.GET.get("chapter", ""), (None, None))
    within = request.GET.get("book", "")
    within = within if within in {book.id for book in load_rule_books()} else ""
    found = search_rules(asked, within)
    context = {
        "campaign": _find_asking_campaign(request),
        "asked": asked,
        "within": within,
        "chapter": chapter,
        "books": load_rule_books(),
        "found": found,
        "count": sum(len(part.rules) for part in found),
    }
    return render(request, "campaign/rulebook.html", context)


@gzip_page
@require_safe
def rule_page(request: HttpRequest, key: str) -> HttpResponse:
    """One rule in full, with its neighbours."""
    found = every_rule().get(key.upper())
    viewer = _find_viewer(request)
    campaign = viewer.campaign if viewer else None
    if found is None:
        unknown = {"campaign": campaign, "key": key[:40]}
        return render(request, "campaign/rule_unknown.html", unknown, status=404)
    chosen = RuleSettings.from_json(campaign.settings) if campaign else None
    book, chapter = load_chapters()[found.chapter]
    neighbours = chapter.rules
    at = neighbours.index(found)
    context = {
        "campaign": campaign,
        "rule": found,
        "book": book.title,
        "chapter": chapter.title,
        "choices": [
            (choice, setting_text(chosen, choice.id) if chosen and choice.setting else "")
            for choice in found.choices
        ],
        "before": neighbours[at - 1] if at else None,
        "after": neighbours[at + 1] if at + 1 < len(neighbours) else None,
        "cited": count_rule_citations(viewer, found.id) if viewer else 0,
    }
    return render(request, "campaign/rule.html", context)


def _find_asking_campaign(request: HttpRequest) -> Campaign | None:
    viewer = _find_viewer(request)
    return viewer.campaign if viewer else None


def _find_viewer(request: HttpRequest) -> Viewer | None:
    """Return the viewer in the campaign asked for; None if they have no seat in it."""
    slug = request.GET.get("campaign", "")[:80]
    if not slug:
        return None
    try:
        campaign = campaign_of(request.user, slug)
        return viewer_of(request.user, campaign, also=(Seat.Role.SPECTATOR, Seat.Role.GUEST))
    except NotSeated:
        return None
