"""The audit's age: what is older than AUDIT_DAYS goes."""

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from campaign.models import AuditEntry


def audit_prune() -> int:
    """Take away what has been kept long enough; how many lines that were."""
    before = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    old = AuditEntry.objects.filter(at__lt=before)
    return QuerySet.delete(old)[0]  # past the manager's refusal, which is for everybody else
