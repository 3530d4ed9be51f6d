"""Shared parts of the management commands."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from campaign.models import Campaign, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.reading import ScenarioError
from rosters.importing import RosterErrors


def campaign_or_error(slug: str) -> Campaign:
    """The campaign of that name, or a sentence that says which there are."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no campaign {slug}. Campaigns here: {known}.")
    return campaign


def user_or_error(name: str) -> User:
    """The user of that name, or a sentence that says how to make one."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no user {name}; make one with createsuperuser or in the admin.")
    return user


@contextmanager
def report_refusals() -> Iterator[None]:
    """End a command with the sentences of a refusal by the rules or a scenario's files, not with a
    traceback.
    """
    try:
        yield
    except ScenarioError as error:
        lines = "\n".join(str(problem) for problem in error.problems)
        more = "\nMend these first: the rest can be checked only then." if error.hide else ""
        raise CommandError(f"The scenario is refused:\n{lines}{more}") from error
    except RosterErrors as error:
        raise CommandError(f"The armies are refused, nothing is written:\n{error}") from error
    except RuleViolation as violation:
        raise CommandError(f"{violation.message} ({violation.rule_id})") from violation
