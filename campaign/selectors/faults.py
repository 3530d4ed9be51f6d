"""What is amiss with the site, for its administrators."""

from django.db.models import Q, QuerySet

from campaign.models import Fault, User
from campaign.visibility import campaigns_overseen


def faults_open(user: User) -> QuerySet[Fault]:
    """What is amiss now, the latest first; nothing of campaigns an administrator plays in (HR-SET-04)."""
    if not (user.is_active and user.is_superuser):
        return Fault.objects.none()
    seen = Q(campaign=None) | Q(campaign__in=campaigns_overseen(user).values("pk"))
    return Fault.objects.filter(seen, over_at=None)
