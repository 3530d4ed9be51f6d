"""Rows that are looked at: what both the umpire's desk and the administrators' pages begin with."""

from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

#: Letters of a search that are looked for; with more the database gives up, and the page with it.
LONGEST_SEARCH = 80


class SearchedAdmin(ModelAdmin):
    """Rows that are searched by a text of bounded length."""

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> Any:
        return super().get_search_results(request, queryset, search_term[:LONGEST_SEARCH])


class LookedAdmin(SearchedAdmin):
    """Rows of which nothing is added, changed or deleted by hand; nobody sees them unless a list says who."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Only what the filters offer: any other could ask for what no page tells, as the secret."""
        return lookup in self.lookups

    @property
    def lookups(self) -> set[str]:
        named = {name for name in self.list_filter if isinstance(name, str)}
        empty = {f"{each[0]}__isempty" for each in self.list_filter if isinstance(each, tuple)}
        own = {each.parameter_name for each in self.list_filter if not isinstance(each, str | tuple)}
        return named | {f"{name}__exact" for name in named} | empty | own

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class AdministratorsAdmin(LookedAdmin):
    """Rows that administrators of the site look at."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)
