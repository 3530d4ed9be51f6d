"""What all forms of the umpire's acts share: the choices of the whole theatre, and the reason (HR-UMP)."""

from typing import Any

from django import forms

from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.rules.umpire.corrections import Act
from campaign.rules.world.world import UnitStatus
from campaign.text.place_names import position_text
from campaign.web.orders.organisation_forms import Choices, PaperForm

REASON = {"required": "Say why: every act of the umpire's stands in the journal with its reason."}


def reason_field() -> forms.CharField:
    """Why the umpire does something; it stands in the journal."""
    return forms.CharField(
        label="Reason",
        max_length=LONGEST_REASON,
        help_text="Needed: it stands in the journal.",
        error_messages=REASON,
    )


class UmpireForm(PaperForm):
    """A form of one act; its last field is the reason."""

    button = "Do it"
    draftable = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.build()
        self.fields["reason"] = reason_field()

    def build(self) -> None:
        raise NotImplementedError

    def act(self) -> Act:
        """The act of a valid form."""
        raise NotImplementedError

    @property
    def reason(self) -> str:
        return str(self.cleaned_data["reason"])

    def again(self, done: Act | None) -> None:
        """Told which act has just been `done` from the same page; what it used up can be chosen once more."""

    def _text(self, label: str, most: int = 120) -> forms.CharField:
        return forms.CharField(
            label=label,
            max_length=most,
            error_messages={"required": f"{label}: this is empty; write it here."},
        )

    def _sides(self) -> Choices:
        return [(side.id, side.name) for side in self.world.theatre.sides]

    def _formations(self, *, all_of_them: bool = False) -> Choices:
        rows = [
            (each.id, f"{each.name} ({position_text(each.position, self.names)})", self.names.side(each.side))
            for each in self.world.formations.values()
            if all_of_them or each.position is not None
        ]
        return group_choices(rows)

    def _units(self) -> Choices:
        gone = (UnitStatus.DEPARTED, UnitStatus.SURRENDERED)
        rows = [
            (each.id, f"{each.name} ({each.points})", self.names.formation(each.formation))
            for each in self.world.units.values()
            if each.status not in gone
        ]
        return group_choices(rows)

    def _places(self) -> Choices:
        places = self.world.theatre.atlas.places.values()
        return sorted(((place.id, place.name) for place in places), key=lambda row: row[1])

    def _pools(self) -> Choices:
        return [
            (key, f"{self.names.pool(key)} ({points})") for key, points in sorted(self.world.pools.items())
        ]


def group_choices(rows: list[tuple[str, str, str]], *, by_key: bool = False) -> Choices:
    """Choices of key, name and group, by group and name, or by group and key."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, name, group in sorted(rows, key=lambda row: (row[2], row[0 if by_key else 1])):
        groups.setdefault(group, []).append((key, name))
    return list(groups.items())
