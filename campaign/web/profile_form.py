"""What a person settles for himself."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms

from campaign.services.people import LONGEST_NAME
from campaign.web.forms import SentenceForm

#: Zones of places people live in; the others are older names of these, and machines' own.
PARTS = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)


@cache
def zone_choices() -> list[tuple[str, Any]]:
    """Time zones by part of the world, each by its place."""
    groups: dict[str, list[tuple[str, str]]] = {part.rstrip("/"): [] for part in PARTS}
    for name in sorted(available_timezones()):
        part, _, place = name.partition("/")
        if part in groups:
            groups[part].append((name, place.replace("_", " ").replace("/", ", ")))
    return [("", "As each club has it"), ("UTC", "UTC"), *groups.items()]


class ProfileForm(SentenceForm):
    """The name the others see, and the time zone moments are told in."""

    name = forms.CharField(
        label="Name shown",
        required=False,
        max_length=LONGEST_NAME,
        help_text="What the others read beside your seat; empty, it is your username.",
    )
    time_zone = forms.ChoiceField(
        label="Time zone",
        required=False,
        choices=zone_choices,
        help_text="Deadlines on your own page are told by this clock.",
        error_messages={"invalid_choice": "There is no such time zone; choose one of the list."},
    )
