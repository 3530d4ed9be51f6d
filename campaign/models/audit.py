"""Audit entries: sign-ins, lockouts, and the actions of umpires and administrators."""

from typing import Any, NoReturn

from django.db import models

from campaign.models.campaigns import Campaign, User


class AppendOnly(models.QuerySet["AuditEntry"]):
    """Rows that are written once: neither changed nor deleted one by one."""

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError("What stands in the audit is not changed.")

    def delete(self) -> NoReturn:
        raise TypeError("What stands in the audit goes by its age alone (audit_prune).")


class AuditEntry(models.Model):
    """One thing somebody did, kept for AUDIT_DAYS and then gone; never changed.

    `name` is what the person was called then; without one it was the machine, or somebody unknown. `address`
    is where the request came from, if it was one. Nothing here tells what a side knows.
    """

    class Kind(models.TextChoices):
        CAME_IN = "came_in", "signed in"
        WENT = "went", "signed out"
        FAILED = "failed", "wrong password or code"
        SHUT_OUT = "shut_out", "shut out"
        ACCOUNT = "account", "account"
        UMPIRE = "umpire", "umpire's act"
        SEATS = "seats", "seats"
        ADMIN = "admin", "administrator"

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=150, blank=True)
    address = models.GenericIPAddressField(null=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.SET_NULL, null=True, related_name="+")
    what = models.CharField(max_length=300, blank=True)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.name or 'somebody'}: {self.what or self.get_kind_display()}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("What stands in the audit is not changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("What stands in the audit goes by its age alone (audit_prune).")
