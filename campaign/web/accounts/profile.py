"""Profile form: a person's own name and time zone."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms

from campaign.services.accounts.profile import LONGEST_NAME
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


#: Names that the zones' own keepers have given up for others of the list.
OLDER_NAMES = frozenset(
    f"{part}/{place}"
    for part, places in {
        "Africa": "Asmera Timbuktu",
        "America": "Argentina/ComodRivadavia Atka Buenos_Aires Catamarca Coral_Harbour Cordoba Ensenada "
        "Fort_Wayne Godthab Indianapolis Jujuy Knox_IN Louisville Mendoza Montreal Nipigon Pangnirtung "
        "Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife",
        "Antarctica": "South_Pole",
        "Asia": "Ashkhabad Calcutta Chongqing Chungking Dacca Harbin Istanbul Kashgar Katmandu Macao Rangoon "
        "Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Choibalsan",
        "Atlantic": "Faeroe Jan_Mayen",
        "Australia": "ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna",
        "Europe": "Belfast Kiev Nicosia Tiraspol Uzhgorod Zaporozhye",
        "Pacific": "Enderbury Johnston Ponape Samoa Truk Yap",
    }.items()
    for place in places.split()
)
#: Places that are not called as their zone is.
READABLE = {
    "Antarctica/DumontDUrville": "Dumont d'Urville",
}


@cache
def zone_choices() -> list[tuple[str, Any]]:
    """Time zones by part of the world, each by its place."""
    groups: dict[str, list[tuple[str, str]]] = {part.rstrip("/"): [] for part in PARTS}
    for name in sorted(available_timezones() - OLDER_NAMES):
        part, _, place = name.partition("/")
        if part in groups:
            groups[part].append((name, READABLE.get(name, place.replace("_", " ").replace("/", ", "))))
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kept = self.initial.get("time_zone", "")
        if kept in OLDER_NAMES:  # as some browsers still tell it
            zones = self.fields["time_zone"]
            assert isinstance(zones, forms.ChoiceField)
            zones.choices = [*zone_choices(), (kept, kept.replace("_", " "))]
