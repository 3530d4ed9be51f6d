"""The administrators' pages at /admin/: people and their passwords, and work that failed."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django_celery_results.admin import GroupResult, TaskResult  # its own lists, which are registered first
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from campaign.admin.read_only_admin import AdministratorsAdmin, SearchedAdmin
from campaign.fog.visibility import campaigns_overseen
from campaign.models import Fault, Job, User, WorkTime
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.closing import (
    account_close,
    account_off_tell,
    seats_falling_empty,
    seats_to_hand_over,
)
from campaign.services.accounts.credentials import credentials_end


class AdministratorPasswordForm(AdminPasswordChangeForm):
    """An administrator gives a person a password: what else opened the account ends, as by his own letter."""

    def save(self, commit: bool = True) -> User:
        with transaction.atomic():
            user = super().save(commit)
            assert isinstance(user, User)
            credentials_end(user=user)
        return user


@admin.register(User)
class UserAdmin(DjangoUserAdmin, SearchedAdmin):
    """People and their passwords; administrators only, by Django's own permissions."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdministratorPasswordForm
    # without groups, of which there are none
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Personal info", {"fields": ("first_name", "last_name", "email")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        ("Important dates", {"fields": ("last_login", "date_joined")}),
    )
    list_filter = ["is_staff", "is_superuser", "is_active"]
    filter_horizontal = ("user_permissions",)
    actions = None  # accounts are closed one by one, each with its line in the audit
    delete_confirmation_template = "admin/account_close.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A closed account stays closed: nobody is in it any more."""
        return (obj is None or obj.closed_at is None) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return (obj is None or obj.closed_at is None) and super().has_delete_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Those concerned are told when an account is deactivated (HR-SET-16)."""
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data and not obj.is_active:
            assert isinstance(request.user, User)
            account_off_tell(user=obj, actor=request.user)
            for seat in seats_to_hand_over(obj):
                told = f"{obj.username} is the umpire of {seat.campaign}, which has nobody to run it now."
                self.message_user(request, f"{told} Give the seat to somebody else.", messages.WARNING)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[list[Any], Any, Any, Any]:
        """Explain the effect on seats: nothing of other people is deleted with an account (HR-SET-16)."""
        seats = [seat for user in objs for seat in seats_falling_empty(user)]
        over = [str(seat.campaign) for user in objs for seat in seats_to_hand_over(user)]
        return [f"{seat}, {seat.campaign}" for seat in seats], {}, set(), over

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(
                request, object_id, {"title": "Close account", **(extra_context or {})}
            )
        except RuleViolation as violation:
            self.message_user(request, violation.message, messages.ERROR)
            return redirect("admin:campaign_user_change", object_id)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Deleting closes the account (HR-SET-16)."""
        assert isinstance(request.user, User)
        account_close(user=obj, actor=request.user)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: Any) -> HttpResponse:
        self.message_user(request, f"The account {obj_display} is closed.", messages.SUCCESS)
        return redirect("admin:campaign_user_changelist")


class Machinery(AdministratorsAdmin):
    """Read-only lists of background tasks and faults. An administrator who plays in a campaign is shown
    nothing of it (HR-SET-04).
    """

    list_fullwidth = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        seen = Q(campaign=None) | Q(campaign__in=campaigns_overseen(request.user).values("pk"))
        return super().get_queryset(request).filter(seen)


@admin.register(Job)
class JobAdmin(Machinery):
    """Long work and its parts, to see what failed and why. What it was about is its campaign's."""

    list_display = ["kind", "campaign", "state", "progress", "attempts", "created_at", "finished_at"]
    list_select_related = ["campaign"]
    list_filter = ["state", "kind"]
    fields = [
        "kind",
        "campaign",
        "state",
        "progress",
        "attempts",
        "error",
        "created_at",
        "started_at",
        "finished_at",
    ]


@admin.register(WorkTime)
class WorkTimeAdmin(AdministratorsAdmin):
    """Frequency, outcome and duration of each kind of background task, scheduled ones included."""

    list_display = ["kind", "ended", "count", "mean", "most", "last_at"]
    list_filter = ["ended"]
    fields = ["kind", "ended", "count", "mean", "most", "last_at"]
    readonly_fields = ["mean", "most"]

    @admin.display(description="mean, seconds")
    def mean(self, row: WorkTime) -> str:
        return f"{row.seconds / row.count:.2f}" if row.count else ""

    @admin.display(description="longest, seconds", ordering="longest")
    def most(self, row: WorkTime) -> str:
        return f"{row.longest:.2f}"

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup == "ended__exact"


@admin.register(Fault)
class FaultAdmin(Machinery):
    """Faults found by the watch, and the time at which each was over (HR-JOB-04)."""

    list_display = ["said", "kind", "campaign", "found_at", "over_at"]
    list_select_related = ["campaign"]
    list_filter = ["kind", ("over_at", admin.EmptyFieldListFilter)]
    fields = ["kind", "said", "found_at", "over_at"]


admin.site.unregister(Group)  # nobody is in one: what a person may is his seats', or he is an administrator
admin.site.unregister(GroupResult)
admin.site.unregister(TaskResult)


@admin.register(TaskResult)
class TaskResultAdmin(AdministratorsAdmin):
    """Celery's records of its tasks. Their results and arguments are a campaign's, and not shown."""

    list_display = ["task_name", "status", "worker", "date_created", "date_done"]
    list_filter = ["status"]
    fields = ["task_id", "task_name", "status", "worker", "date_created", "date_done"]
    list_fullwidth = True
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaskResult]:
        return super().get_queryset(request).defer("result", "task_args", "task_kwargs", "traceback", "meta")
