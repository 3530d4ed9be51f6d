"""People, found by username or e-mail address."""

from django.db.models import Q

from campaign.models import User

#: Letters of an address at the most, and of any name: more would be too much for the database to compare.
LONGEST_NAME = 254


def find_person(typed: str) -> User | None:
    """The person of a username or an e-mail address, however it is written. One query, none if too long."""
    if not 0 < len(typed) <= LONGEST_NAME:
        return None
    called = Q(username__iexact=typed) | Q(email__iexact=typed) | Q(emailaddress__email__iexact=typed)
    return User.objects.filter(called).order_by("pk").first()
