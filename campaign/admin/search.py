"""What is looked for over all lists of the umpire's desk: the first rows of each that has it."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode

#: Rows shown of each list.
FIRST = 8


@dataclass(frozen=True, slots=True)
class SearchHits:
    """Rows of one list: its name, the address of all of them, and the first."""

    name: str
    url: str
    rows: tuple[tuple[str, str], ...]
    more: bool


def search_page(site: Any, request: HttpRequest) -> HttpResponse:
    """The page of what was found; empty until something is asked."""
    text = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    context = {
        **site.each_context(request),
        "title": "Look for something",
        "text": text,
        "found": list(_search_lists(site, request, text)) if text else [],
    }
    return TemplateResponse(request, "umpire/search.html", context)


def _search_lists(site: Any, request: HttpRequest, text: str) -> Any:
    for desk in site._registry.values():
        if not desk.get_search_fields(request):
            continue
        rows = desk.get_queryset(request).select_related(*desk.list_select_related)
        rows, _ = desk.get_search_results(request, rows, text)
        first = list(rows[: FIRST + 1])
        if not first:
            continue
        start = f"{site.name}:{desk.opts.app_label}_{desk.opts.model_name}_"
        listed = tuple(
            (desk.word_for(row), reverse(f"{start}change", args=[row.pk])) for row in first[:FIRST]
        )
        address = f"{reverse(f'{start}changelist')}?{urlencode({'q': text})}"
        yield SearchHits(str(desk.opts.verbose_name_plural), address, listed, len(first) > FIRST)
