"""The umpire's desk as a site of its own: who comes in, and what of Django's admin it has."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from unfold.sites import UnfoldAdminSite

from campaign.admin.dashboard import list_dashboards
from campaign.admin.umpired_campaigns import get_umpire_campaigns

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


View = Callable[..., HttpResponseBase]


class UmpireSite(UnfoldAdminSite):
    """Lists of what a person umpires. It has no door: who is signed out is sent to the site's own.

    Who umpires nothing finds no such page, administrators too (HR-SET-08).
    """

    settings_name = "UMPIRE_DESK"
    index_template = "umpire/board.html"
    index_title = "Umpire's lists"
    final_catch_all_view = False

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(get_umpire_campaigns(request).campaigns)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def answer_umpire(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
            if not self.has_permission(request):
                raise Http404("You umpire no campaign.")
            request.current_app = self.name  # so that the links stay here
            answer = inner(request, *args, **kwargs)
            if isinstance(answer, SimpleTemplateResponse):
                with timezone.override(
                    _find_time_zone(request)
                ):  # moments are told by the reader's clock, and say so
                    answer.render()
            return answer

        return never_cache(answer_umpire)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Board, lists and their pages; doors and passwords are the site's own."""
        own: list[URLPattern | URLResolver] = [
            path("", self.admin_view(self.index), name="index"),
            path("search/", self.admin_view(self.search), name="search"),
            path("jsi18n/", self.admin_view(self.i18n_javascript, cacheable=True), name="jsi18n"),
            path("<slug:app_label>/", self.admin_view(self.app_index), name="app_list"),
        ]
        models = [
            path(f"{model._meta.app_label}/{model._meta.model_name}/", include(admin.urls))
            for model, admin in self._registry.items()
        ]
        return [*models, *own]

    def app_index(self, request: HttpRequest, app_label: str, extra_context: Any = None) -> HttpResponse:
        return redirect(f"{self.name}:index")

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().index(request, {**(extra_context or {}), "boards": list_dashboards(request)})

    def search(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Rows of every list that is searched, the first few of each."""
        return search_page(self, request)


def _find_time_zone(request: HttpRequest) -> tzinfo:
    """The reader's clock; who has named none has that of his campaigns, if they share one."""
    work = get_umpire_campaigns(request)
    clubs = {campaign.time_zone for campaign in work.campaigns.values()}
    named = work.person.time_zone or (clubs.pop() if len(clubs) == 1 else "UTC")
    return ZoneInfo(named)


umpire_site = UmpireSite("umpire")
