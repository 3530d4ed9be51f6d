"""What persons settle for themselves: the name the others see, and their clock."""

from zoneinfo import available_timezones

from campaign.models import User
from campaign.rules.errors import RuleViolation

LONGEST_NAME = 60


def time_zone_known(name: str) -> str:
    """A time zone as it is, or "" for one that is not known here."""
    return name if name in available_timezones() else ""


def profile_save(*, actor: User, name: str, time_zone: str) -> User:
    """Set the name the others see and the time zone; both may be empty.

    Raises RuleViolation (HR-SET-04) for a name too long and a zone that does not exist.
    """
    shown = " ".join(name.split())
    if len(shown) > LONGEST_NAME:
        raise RuleViolation("HR-SET-04", f"A name has {LONGEST_NAME} letters at most; shorten it.", "name")
    if time_zone and not time_zone_known(time_zone):
        raise RuleViolation(
            "HR-SET-04", f"There is no time zone {time_zone}; give one as Europe/London.", "time_zone"
        )
    actor.first_name, actor.last_name, actor.time_zone = shown, "", time_zone
    actor.save(update_fields=["first_name", "last_name", "time_zone"])
    return actor


def person_of(name: str) -> User | None:
    """The person of a user name, None for an empty one. Raises RuleViolation (HR-SET-04)."""
    if not name.strip():
        return None
    found = User.objects.filter(username=name.strip(), is_active=True).first()
    if found is None:
        raise RuleViolation(
            "HR-SET-04",
            f"Nobody here is called {name.strip()}; look at the spelling, or invite them.",
            "user",
        )
    return found
