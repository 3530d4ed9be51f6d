"""Browsers in which a person has signed in before, known by a signed cookie that opens nothing.

Wrong passwords from such a browser are counted apart (`sign_in_guard.py`): whoever guesses at a name from
elsewhere, however often, does not shut its person out of his own browser.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from campaign.models import User

COOKIE = "known_browser"
SALT = "campaign.known-browser"
#: Seconds such a browser stays known after its last sign-in.
GOOD = 365 * 24 * 3600
#: People a shared browser is known for, the last who signed in.
PEOPLE = 8


def find_mark(request: HttpRequest, person: User | None) -> str:
    """Return the mark under which the browser is counted if the person has signed in with it before; else
    "".
    """
    mark, people = _parse_cookie(request)
    return mark if person is not None and person.pk in people else ""


def browser_remember(request: HttpRequest, response: HttpResponse, person: User) -> None:
    """The person has signed in with this browser."""
    mark, people = _parse_cookie(request)
    known = [person.pk, *(pk for pk in people if pk != person.pk)][:PEOPLE]
    value = f"{mark or secrets.token_hex(8)} {' '.join(map(str, known))}"
    response.set_signed_cookie(
        COOKIE,
        value,
        salt=SALT,
        max_age=GOOD,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _parse_cookie(request: HttpRequest) -> tuple[str, list[int]]:
    """The browser's mark, and the keys of its people; nothing of a cookie that is not ours."""
    value = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=GOOD) or ""
    mark, _, people = value.partition(" ")
    return mark, [int(pk) for pk in people.split()]
