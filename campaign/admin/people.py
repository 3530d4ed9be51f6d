"""The administrators' pages at /admin/: people and their passwords, and work that failed."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from campaign.models import Job, User
from campaign.visibility import campaigns_overseen


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    """People and their passwords; administrators only, by Django's own permissions."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Job)
class JobAdmin(ModelAdmin):
    """Long work, to see what failed and why. What it was about is its campaign's.

    An administrator who plays in a campaign is shown none of its work (HR-SET-04).
    """

    list_display = ["kind", "state", "attempts", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    fields = ["kind", "state", "progress", "attempts", "error", "created_at", "started_at", "finished_at"]
    list_fullwidth = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        seen = Q(campaign=None) | Q(campaign__in=campaigns_overseen(request.user).values("pk"))
        return super().get_queryset(request).filter(seen)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup in ("state__exact", "kind")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
