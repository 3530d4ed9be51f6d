"""The door of the site at /admin/: who is shut out after wrong passwords, and who did what."""

from datetime import datetime
from typing import Any

from allauth.mfa import admin as factors  # it registers its own list first
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from campaign.admin.read_only_admin import AdministratorsAdmin
from campaign.fog.visibility import campaigns_overseen
from campaign.models import AuditEntry


@admin.register(AccessAttempt)
class AttemptAdmin(AdministratorsAdmin):
    """Wrong passwords of the last minutes. Deleting a row forgets them, and so opens the door."""

    list_display = ["username", "ip_address", "failures_since_start", "attempt_time", "forgotten_at"]
    search_fields = ["username", "ip_address"]
    fields = ["username", "ip_address", "user_agent", "failures_since_start", "attempt_time", "forgotten_at"]
    list_fullwidth = True
    ordering = ["-attempt_time"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[AccessAttempt]:
        return super().get_queryset(request).defer("get_data", "post_data")

    @admin.display(description="forgotten at")
    def forgotten_at(self, row: AccessAttempt) -> datetime:
        return row.attempt_time + settings.AXES_COOLOFF_TIME

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)


@admin.register(AuditEntry)
class AuditAdmin(AdministratorsAdmin):
    """Sign-ins and actions, read-only.

    An administrator who plays in a campaign is shown nothing of what its umpire did (HR-SET-04).
    """

    list_display = ["at", "kind", "name", "address", "campaign", "what"]
    list_filter = ["kind"]
    search_fields = ["name", "address", "what"]
    fields = list_display
    list_fullwidth = True
    list_select_related = ["campaign"]
    ordering = ["-id"]
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        seen = Q(campaign=None) | Q(campaign__in=campaigns_overseen(request.user).values("pk"))
        return super().get_queryset(request).filter(seen)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup == "kind__exact"


admin.site.unregister(factors.Authenticator)


@admin.register(factors.Authenticator)
class FactorAdmin(AdministratorsAdmin):
    """People's second factors. Deleting a row lets in a person who lost their telephone; nobody sees
    secrets.
    """

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    fields = list_display
    list_fullwidth = True
    list_select_related = ["user"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("data")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)
