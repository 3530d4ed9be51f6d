"""Forms of the umpire's page of seats."""

from datetime import date
from typing import Any

from django import forms
from django.conf import settings

from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.world.world import World
from campaign.services.accounts.profile import person_of
from campaign.services.seats.changes import spectators_set
from campaign.services.seats.invitations import LONGEST, USUAL
from campaign.web.forms import SentenceForm
from campaign.web.umpire.correction_forms import reason_field

Role = Seat.Role
BAD_DATE = {"invalid": "Give a day of the campaign, as 1777-07-03."}


def _day_field(label: str, help_text: str = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(
        label=label, required=False, help_text=help_text, widget=widget, error_messages=BAD_DATE
    )


def _user_field(help_text: str = "") -> forms.CharField:
    return forms.CharField(label="User name", required=False, max_length=150, help_text=help_text)


class SeatForm(SentenceForm):
    """A form about seats; days are asked for as dates of the campaign."""

    kind = ""
    heading, button = "", ""
    told = ""

    def __init__(self, *args: Any, campaign: Campaign, world: World, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.campaign, self.world = campaign, world

    def day(self, name: str) -> int | None:
        """The campaign day, counted from 0, of a date asked for."""
        given: date | None = self.cleaned_data.get(name)
        return None if given is None else (given - self.world.theatre.start).days

    def dates(self) -> dict[str, int | None]:
        """The mornings on which a seat begins and ends; the last day asked for is still held."""
        last = self.day("last")
        return {"from_day": max(self.day("first") or 0, 0), "until_day": None if last is None else last + 1}


class OpenForm(SeatForm):
    """A new seat."""

    kind = "open"
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.ASSISTANT)
    side = forms.ChoiceField(label="Side", required=False, help_text="Of a commander, column or guest.")
    user = _user_field("Empty: nobody yet.")
    title = forms.CharField(
        label="Title",
        required=False,
        max_length=100,
        help_text="What the others read, as General Fraser; a column's is read by its own side only.",
    )
    formations = forms.MultipleChoiceField(
        label="Formations of a column", required=False, widget=forms.SelectMultiple(attrs={"size": 6})
    )
    stands_for = forms.ChoiceField(label="A deputy stands for", required=False)
    battle = forms.ChoiceField(label="A guest fights", required=False)
    first = _day_field("First day", "Empty: at once.")
    last = _day_field("Last day", "Empty: to the end.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        theatre = self.world.theatre
        seats = Seat.objects.filter(campaign=self.campaign, role__in=(Role.COMMANDER, Role.COLUMN))
        battles = Battle.objects.filter(
            campaign=self.campaign, revision=self.campaign.revision, state=Battle.State.WAITING
        )
        self._choose("side", [(side.id, side.name) for side in theatre.sides], "None")
        self._choose("stands_for", [(str(seat.pk), str(seat)) for seat in seats.order_by("side", "pk")])
        self._choose("battle", [(str(battle.pk), str(battle)) for battle in battles])
        formations = self.fields["formations"]
        assert isinstance(formations, forms.MultipleChoiceField)
        formations.choices = [
            (one.id, one.name)
            for one in sorted(self.world.formations.values(), key=lambda one: (one.side, one.name))
            if one.position is not None
        ]

    def _choose(self, name: str, choices: list[tuple[str, str]], none: str = "Nobody") -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", none if name != "battle" else "None"), *choices]

    def seat(self) -> dict[str, Any]:
        """The seat of a valid form, as `seat_open` takes it."""
        data = self.cleaned_data
        return {
            "role": data["role"],
            "side": data["side"],
            "title": data["title"],
            "formations": data["formations"],
            "stands_for": Seat.objects.filter(pk=data["stands_for"] or 0).first(),
            "battle": Battle.objects.filter(pk=data["battle"] or 0).first(),
            "user": person_of(data["user"]),
            **self.dates(),
        }


class FillSeatForm(SeatForm):
    """A seat given to a person, or left empty."""

    kind = "fill"
    heading, button = "Give it to", "Give the seat"
    user = _user_field("Empty: nobody; the staff or a deputy leads a side.")


class DatesForm(SeatForm):
    """First and last day of a seat's command."""

    kind = "dates"
    heading, button = "Held", "Set the days"
    first = _day_field("First day", "Empty: from the beginning.")
    last = _day_field("Last day", "Empty: to the end.")


class PassForm(SeatForm):
    """Command passes to somebody on a morning."""

    kind = "pass"
    heading, button = "Command passes", "Let it pass"
    morning = forms.DateField(
        label="On the morning of",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={**BAD_DATE, "required": "Say on which morning command passes."},
    )
    user = _user_field("Empty: nobody yet.")
    title = forms.CharField(label="Title", required=False, max_length=100, help_text="Empty: the same.")


#: Fields of the spectators' form by those of the act.
SPECTATORS = {"spectator_days": "days", "spectator_side": "side"}


class SpectatorsForm(SeatForm):
    """Spectators' delay and side (HR-SET-12)."""

    kind = "spectators"
    days = forms.IntegerField(
        label="Campaign days late",
        required=False,
        help_text="Empty: they see nothing.",
        error_messages={"invalid": "Enter a whole number of days, or nothing."},
        widget=forms.NumberInput(attrs={"class": "narrow-number"}),
    )
    side = forms.ChoiceField(label="They see what is known to", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        side = self.fields["side"]
        assert isinstance(side, forms.ChoiceField)
        side.choices = [("", "the umpire"), *((one.id, one.name) for one in self.world.theatre.sides)]
        self.fields["reason"] = reason_field()

    def set(self, actor: User | None, seen: int) -> None:
        """Set what a valid form says; `seen` is the head the page showed. Raises RuleViolation."""
        spectators_set(campaign=self.campaign, actor=actor, seen=seen, **self.cleaned_data)


class InviteForm(SeatForm):
    """A link for an empty seat (HR-SET-13)."""

    kind = "invite"
    heading, button = "Invite by a link", "Make the link"
    told = "A link made for this seat before opens nothing any more."
    email = forms.EmailField(
        label="Send it to",
        required=False,
        help_text="An e-mail address; empty, you pass the link on yourself.",
    )
    days = forms.IntegerField(
        label="Good for days",
        min_value=1,
        max_value=LONGEST,
        initial=USUAL,
        widget=forms.NumberInput(attrs={"class": "narrow-number"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL_IS_SENT:
            self.fields["email"].label = "Whom it is for"
            self.fields["email"].help_text = (
                "An e-mail address, for your own list, or nothing; "
                "no mail goes out from here, you pass the link on yourself."
            )


#: The forms about one seat.
OF_A_SEAT: dict[str, type[SeatForm]] = {
    form.kind: form for form in (InviteForm, FillSeatForm, DatesForm, PassForm)
}
