"""Absences and quiet hours that a person enters for themselves (HR-SET-09, HR-DUE-05)."""

from datetime import date, datetime, time, timedelta

from django.db import transaction

from campaign.models import Absence, User, find_person_time_zone, local_date
from campaign.rules.errors import RuleViolation

#: The longest absence, in days.
LONGEST = timedelta(days=366)
#: How many absences a person may have announced at one time.
MOST = 20


def absence_add(*, user: User, first: date, last: date, word: str = "") -> Absence:
    """A person says that he is away from one day to another, both counted in. Raises RuleViolation."""
    rule = "HR-SET-09"
    if last < first:
        raise RuleViolation(rule, "The last day away comes before the first; mend one of them.", "last")
    if last < local_date(user):
        raise RuleViolation(rule, "Those days are past; give days to come.", "last")
    if last - first > LONGEST:
        raise RuleViolation(
            rule, "That is more than a year; let your umpire give your seat to another.", "last"
        )
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        known = locked.absences.filter(last__gte=local_date(locked))
        if known.filter(first__lte=last, last__gte=first).exists():
            raise RuleViolation(rule, "You have said so already of some of these days.", "first")
        if known.count() >= MOST:
            raise RuleViolation(rule, f"You have {MOST} absences to come; take one back first.", "first")
        return Absence.objects.create(user=locked, first=first, last=last, word=word.strip()[:120])


def absence_end(*, absence: Absence, user: User) -> None:
    """A person is back, or does not go: one not begun is struck out, one begun ended yesterday."""
    if absence.user_id != user.pk:
        raise RuleViolation("HR-SET-09", "That is not your absence.", "absence")
    yesterday = local_date(user) - timedelta(days=1)
    if absence.first > yesterday:
        Absence.objects.filter(pk=absence.pk).delete()
    elif absence.last > yesterday:
        Absence.objects.filter(pk=absence.pk).update(last=yesterday)


def quiet_hours_set(*, user: User, quiet_from: time | None, quiet_until: time | None) -> User:
    """Set a person's quiet hours, by their own clock; None for both removes them. Raises RuleViolation."""
    rule = "HR-DUE-05"
    if (quiet_from is None) != (quiet_until is None):
        field = "quiet_until" if quiet_until is None else "quiet_from"
        raise RuleViolation(rule, "Quiet hours have a beginning and an end; give both or neither.", field)
    if quiet_from is not None and quiet_from == quiet_until:
        raise RuleViolation(rule, "Quiet hours end at another hour than they begin.", "quiet_until")
    user.quiet_from, user.quiet_until = quiet_from, quiet_until
    user.save(update_fields=["quiet_from", "quiet_until"])
    return user


def is_quiet(user: User, now: datetime) -> bool:
    """True during a person's quiet hours (HR-DUE-05), by their own clock; the hours may run past midnight."""
    if user.quiet_from is None or user.quiet_until is None:
        return False
    clock = now.astimezone(find_person_time_zone(user)).time()
    if user.quiet_from < user.quiet_until:
        return user.quiet_from <= clock < user.quiet_until
    return clock >= user.quiet_from or clock < user.quiet_until
