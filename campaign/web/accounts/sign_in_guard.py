"""The door after wrong passwords: whom django-axes counts, from where, and what who is shut out is told.

allauth's own limits stand beside it: sign-ups, letters, codes of the second factor, and requests to the door
from one address a minute. Passwords are counted here alone.
"""

import hashlib
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from campaign.models import User
from campaign.selectors.accounts import find_person
from campaign.web.accounts.known_browsers import COOKIE, find_mark

#: So many failures weigh as one of a person at one address: of an address, which a club may share, and of a
#: person from everywhere.
WEIGHTS = (1, 5, 10)
#: A browser the person has signed in with before counts for itself alone, wherever it is: nobody who guesses
#: from elsewhere, or at the same address, shuts him out of it.
KNOWN = (1,)
#: Between a name and the mark of such a browser; no name has a blank.
MARK = " in known browser "


class SignInGuard(AxesDatabaseHandler):
    """Counts failures by person and address, by address, and by person, each with a limit of its own.

    Those of a browser the person has used before are counted apart (`known_browsers.py`).
    """

    def filter_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> list[QuerySet[AccessAttempt]]:
        name = counted_name(request, credentials)
        if MARK in name:
            return [AccessAttempt.objects.filter(username=name)]
        found: list[QuerySet[AccessAttempt]] = super().filter_user_attempts(request, credentials)
        return found

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        return max(
            _sum_failures(attempts) // weight
            for attempts, weight in self._list_weighted_attempts(request, credentials)
        )

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Forget a person's own failed sign-ins from their address after a success, and nobody else's."""
        own = self.filter_user_attempts(request, credentials)[0]
        return int(own.delete()[0])

    def shut_until(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> datetime | None:
        """Return the time at which the last lockout ends; None if there is none."""
        shut = [
            attempts.aggregate(at=Max("attempt_time"))["at"]
            for attempts, weight in self._list_weighted_attempts(request, credentials)
            if _sum_failures(attempts) // weight >= settings.AXES_FAILURE_LIMIT
        ]
        return max(shut) + settings.AXES_COOLOFF_TIME if shut else None

    def _list_weighted_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None
    ) -> list[tuple[QuerySet[AccessAttempt], int]]:
        attempts = self.get_user_attempts(request, credentials)
        return list(zip(attempts, KNOWN if len(attempts) == len(KNOWN) else WEIGHTS, strict=True))


def _sum_failures(attempts: QuerySet[AccessAttempt]) -> int:
    return attempts.aggregate(all=Sum("failures_since_start"))["all"] or 0


def find_tried_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the username being tried, whichever of the person's names was typed.

    What nobody is called may be a password typed into the wrong field, so only a mark of it is kept.
    """
    given = credentials or {}
    typed = str(given.get("username") or given.get("email") or "").strip()
    person = find_person(typed)
    if person is not None:
        return person.get_username().lower()
    return f"? {hashlib.sha256(typed.lower().encode()).hexdigest()[:12]}"


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the name axes counts by: a person, or a person in a browser that knows them."""
    name = find_tried_name(request, credentials)
    if COOKIE not in request.COOKIES:
        return name
    mark = find_mark(request, User.objects.filter(username__iexact=name).first())
    return f"{name}{MARK}{mark}" if mark else name


def door_open(person: User) -> None:
    """Forget whoever guessed at a person's password, from wherever it was."""
    name = person.get_username().lower()
    AccessAttempt.objects.filter(Q(username=name) | Q(username__startswith=name + MARK)).delete()


def shut_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """The answer to who is shut out: a page with the sentence, and for programs how long."""
    guard = AxesProxyHandler.get_implementation()
    assert isinstance(guard, SignInGuard)
    until = guard.shut_until(request, credentials) or timezone.now() + settings.AXES_COOLOFF_TIME
    seconds = max(1, ceil((until - timezone.now()) / timedelta(seconds=1)))
    answer = render(request, "429.html", {"minutes": ceil(seconds / 60)}, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
