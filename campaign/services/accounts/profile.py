"""What persons settle for themselves: the name the others see, and their clock."""

import unicodedata
from zoneinfo import available_timezones

from confusable_homoglyphs.confusables import confusables_data

from campaign.models import User
from campaign.rules.errors import RuleViolation
from rosters.domain.text import name_fault, normalize_name

LONGEST_NAME = 60
#: Who speaks for the site or a campaign: nobody's name.
TITLES = (
    *("admin", "administrator", "engine", "keeper", "moderator", "the engine", "the staff", "the umpire"),
    *("root", "site", "spectator", "staff", "support", "system", "umpire"),
)


def normalize_time_zone(name: str) -> str:
    """A time zone as it is, or "" for one that is not known here."""
    return name if name in available_timezones() else ""


def profile_save(*, actor: User, name: str, time_zone: str) -> User:
    """Set the name the others see and the time zone; both may be empty.

    Raises RuleViolation (HR-SET-04) for a name too long and a zone that does not exist.
    """
    shown = normalize_name(name)
    before = normalize_name(actor.get_full_name())
    fault = person_name_fault(shown, longest=LONGEST_NAME, user=actor) if shown != before else ""
    if fault:
        raise RuleViolation("HR-SET-04", fault, "name")
    if time_zone and not normalize_time_zone(time_zone):
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


def person_name_fault(name: str, *, longest: int, user: User | None = None) -> str:
    """Why nobody, or not this user, can be called so, as a sentence; "" when they can.

    No name is a title of the site, and none looks like another person's, in letters of other scripts either.
    """
    if fault := name_fault(name, longest):
        return fault
    look = name_look(name)
    if not look:
        return ""
    if look in {name_look(title) for title in TITLES}:
        return f"“{name}” is a title on this site and cannot be a name; choose another."
    others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
    for username, first, last in others.values_list("username", "first_name", "last_name"):
        if look in (name_look(username), name_look(f"{first} {last}")):
            return f"Somebody here has a name that looks like “{name}”; choose another, or add an initial."
    return ""


def name_look(name: str) -> str:
    """What a name looks like, for comparing: small letters without marks, Latin where they look so."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(_letter_look(letter) for letter in folded if letter.isalnum() or letter in "|!$@")


def _letter_look(letter: str) -> str:
    if not letter.isascii():
        for other in confusables_data.get(letter, ()):
            if other["c"].isascii() and other["c"].isalnum():
                letter = other["c"].casefold()
                break
    return {"0": "o", "1": "l", "|": "l", "i": "l"}.get(letter, letter)
