"""Rows that are looked at: what both the umpire's desk and the administrators' pages begin with."""

from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin


class LookedAdmin(ModelAdmin):
    """Rows of which nothing is added, changed or deleted by hand; by whom they are seen each list says."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        raise NotImplementedError

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
