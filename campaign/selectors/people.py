"""Who somebody is, by what he is called."""

from django.db.models import Q

from campaign.models import User


def person_named(typed: str) -> User | None:
    """The person of a username or an e-mail address, however it is written. Always one query."""
    called = Q(username__iexact=typed) | Q(email__iexact=typed) | Q(emailaddress__email__iexact=typed)
    return User.objects.filter(called).order_by("pk").first() if typed else None
