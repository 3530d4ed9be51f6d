"""Profiles: the name others see, and the time zone."""

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

DOT_ABOVE = "\u0307"
#: Accents of European names: grave to breve, dot, diaeresis, ring, double acute, caron, cedilla and ogonek.
ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0308\u030a\u030b\u030c\u0327\u0328" + DOT_ABOVE)


def normalize_time_zone(name: str) -> str:
    """Normalize a time zone's name: itself, or "" when it is unknown here."""
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
    An accent makes another name.
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
        alike = [other for other in (username, f"{first} {last}") if name_look(other) == look]
        if any(not _is_told_by_accents(name, other) for other in alike):
            return f"Somebody here has a name that looks like “{name}”; choose another, or add an initial."
    return ""


def _is_told_by_accents(name: str, other: str) -> bool:
    """Whether accents tell two names apart, as José and Jose, with no letter of another script in them."""
    if _has_borrowed_letter(name) or _has_borrowed_letter(other):
        return False
    return name_look(name, accents=True) != name_look(other, accents=True)


def name_look(name: str, *, accents: bool = False) -> str:
    """Reduce a name to its looks, for comparing: small letters, Latin where they look so.

    Marks are left out; with `accents` those stay that are seen at a glance.
    """
    folded, kept = unicodedata.normalize("NFKD", name).casefold(), ""
    for letter in folded:
        if letter.isalnum() or letter in "|!$@":
            kept += _letter_look(letter)
        elif accents and letter in ACCENTS and not (letter == DOT_ABOVE and kept.endswith(("l", "j"))):
            kept += letter
    return kept


def _has_borrowed_letter(name: str) -> bool:
    """Whether a letter that is not Latin looks like one that is."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return any(letter.isalpha() and _latin_twin(letter) != letter for letter in folded)


def _latin_twin(letter: str) -> str:
    """The small Latin letter or figure that a letter beyond ASCII looks like; itself if there is none."""
    if letter.isascii():
        return letter
    found = (other["c"] for other in confusables_data.get(letter, ()))
    return next((other.casefold() for other in found if other.isascii() and other.isalnum()), letter)


def _letter_look(letter: str) -> str:
    twin = _latin_twin(letter)
    return {"0": "o", "1": "l", "|": "l", "i": "l"}.get(twin, twin)
