"""The number of new notifications, for the head of a person's pages."""

from django import template

from campaign.models import User
from campaign.selectors.notifications.notifications import notices_unread

register = template.Library()


@register.simple_tag
def new_notices(user: object) -> int:
    """Notices the person has not seen."""
    return notices_unread(user) if isinstance(user, User) else 0
