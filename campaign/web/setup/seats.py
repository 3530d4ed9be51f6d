"""The form of a new campaign's seats and who is invited to them (HR-SET-04, HR-SET-13)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.forms import BoundField

from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import LONGEST_DELAY
from campaign.selectors.setup.scenarios import ScenarioCard, SideCard
from campaign.services.setup.drafts import MOST_COLUMNS, person_verify
from campaign.web.forms import SentenceForm

Role = Seat.Role
WAYS = (
    ("", "nobody yet"),
    ("link", "by a link"),
    ("mail", "by e-mail"),
    ("account", "by user name"),
)
ASSISTANTS = 2
#: Columns a side is offered before another is asked for.
COLUMNS = 1


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """One seat on the page; its fields are named after `key`."""

    key: str
    role: str
    heading: str
    side: str = ""
    titled: bool = True
    formations: tuple[tuple[str, str], ...] = ()
    bound: dict[str, BoundField] = field(default_factory=dict, compare=False)

    @property
    def fields(self) -> list[BoundField]:
        return list(self.bound.values())


class SeatsForm(SentenceForm):
    """The seats of the campaign and the people in them. `columns` is the number of columns offered to
    each side.
    """

    def __init__(
        self,
        *args: Any,
        card: ScenarioCard,
        bare: bool,
        umpire: User,
        columns: Mapping[str, int],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.card, self.bare, self.umpire = card, bare, umpire
        self.columns = {
            side.id: 0 if bare else min(max(columns.get(side.id, 0), COLUMNS), MOST_COLUMNS)
            for side in card.sides
        }
        self.places = [*self._places()]
        for place in self.places:
            self._add(place)
        self.fields["days"] = forms.IntegerField(
            label="Spectators see it so many campaign days late",
            required=False,
            min_value=0,
            max_value=LONGEST_DELAY,
            initial=Campaign._meta.get_field("spectator_days").get_default(),
            help_text="Empty: they see nothing until it has ended.",
        )
        self.fields["days"].widget.attrs["class"] = "narrow-number"
        self.fields["spectator_side"] = forms.ChoiceField(
            label="They see",
            required=False,
            choices=[("", "all there is"), *((side.id, f"what {side.name} knows") for side in card.sides)],
        )

    def _places(self) -> Iterator[SeatPlace]:
        for side in self.card.sides:
            yield SeatPlace(f"c-{side.id}", Role.COMMANDER, "Commander", side.id)
            yield SeatPlace(f"d-{side.id}", Role.DEPUTY, "Deputy", side.id, titled=False)
            for number in range(self.columns[side.id]):
                yield SeatPlace(
                    f"k-{side.id}-{number}",
                    Role.COLUMN,
                    f"Column {number + 1}",
                    side.id,
                    True,
                    side.formations,
                )
        for number in range(ASSISTANTS):
            yield SeatPlace(f"a-{number}", Role.ASSISTANT, f"Assistant umpire {number + 1}", titled=False)

    def _add(self, place: SeatPlace) -> None:
        fields: dict[str, forms.Field] = {}
        if place.titled:
            fields["title"] = forms.CharField(label="Title", required=False, max_length=100)
        if place.formations:
            fields["formations"] = forms.MultipleChoiceField(
                label="Commands",
                required=False,
                choices=place.formations,
                widget=forms.SelectMultiple(attrs={"size": 6}),
            )
        fields["way"] = forms.ChoiceField(label="Invited", required=False, choices=WAYS)
        fields["whom"] = forms.CharField(label="E-mail or user name", required=False, max_length=254)
        for name, made in fields.items():
            self.fields[f"{place.key}-{name}"] = made
            place.bound[name] = self[f"{place.key}-{name}"]

    # --- what is wrong ---

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        asked: set[str] = {self.umpire.get_username()}
        taken: dict[str, str] = {}
        for place in self.places:
            self._check(place, asked)
            for key in self._get_value(place, "formations") or ():
                if key in taken:
                    name = dict(place.formations).get(key, key)
                    self.add_error(
                        f"{place.key}-formations", f"{name} stands under {taken[key]} already. (HR-SET-05)"
                    )
                taken[key] = place.heading
        return data

    def _check(self, place: SeatPlace, asked: set[str]) -> None:
        way, whom = self._way(place), str(self._get_value(place, "whom") or "").strip()
        spot = f"{place.key}-whom"
        if place.role == Role.COLUMN and (way or self._get_value(place, "title")):
            self._check_column(place)
        if way == "mail":
            try:
                validate_email(whom)
            except ValidationError:
                self.add_error(spot, "Give an e-mail address, as anna@example.org.")
        elif way == "account":
            self._check_person(spot, whom)
        if way in ("mail", "account") and whom and not self.errors.get(spot):
            if whom.lower() in asked:
                self.add_error(spot, f"{whom} has a seat already; a person has one. (HR-SET-04)")
            asked.add(whom.lower())

    def _check_column(self, place: SeatPlace) -> None:
        if not self._get_value(place, "formations") and f"{place.key}-formations" not in self.errors:
            sentence = "A column has formations; choose at least one. (HR-SET-05)"
            self.add_error(f"{place.key}-formations", sentence)

    def _check_person(self, spot: str, whom: str) -> None:
        if not whom:
            self.add_error(spot, "Give the user name, or invite by a link.")
            return
        try:
            person_verify(whom)
        except RuleViolation as violation:
            self.refuse(violation, {"whom": spot})

    def _get_value(self, place: SeatPlace, name: str) -> Any:
        return self.cleaned_data.get(f"{place.key}-{name}")

    def _way(self, place: SeatPlace) -> str:
        """Return the way a person is invited; if none is given, derive it from the form of the name."""
        way, whom = (
            str(self._get_value(place, "way") or ""),
            str(self._get_value(place, "whom") or "").strip(),
        )
        return way or ("" if not whom else "mail" if "@" in whom else "account")

    # --- what is kept ---

    def build_draft_data(self) -> dict[str, Any]:
        """The seats of a valid form, as the services make them; a column without formations is none."""
        rows: list[dict[str, Any]] = []
        deputies: dict[str, dict[str, Any]] = {}
        for place in self.places:
            row = self._row(place)
            if place.role == Role.DEPUTY:
                deputies[place.side] = row
            elif (
                place.role == Role.COMMANDER
                or row.get("formations")
                or (place.role == Role.ASSISTANT and row["way"])
            ):
                rows.append(row)
        for row in rows:
            deputy = deputies.get(row["side"], {})
            if row["role"] == Role.COMMANDER and deputy.get("way"):
                row["deputy"] = {"way": deputy["way"], "whom": deputy["whom"]}
        return {
            "seats": rows,
            "days": self.cleaned_data["days"],
            "spectator_side": self.cleaned_data["spectator_side"],
        }

    def _row(self, place: SeatPlace) -> dict[str, Any]:
        row: dict[str, Any] = {
            "role": str(place.role),
            "side": place.side,
            "title": str(self._get_value(place, "title") or "").strip(),
            "way": self._way(place),
            "whom": str(self._get_value(place, "whom") or "").strip(),
        }
        if place.role == Role.COLUMN:
            row["formations"] = list(self._get_value(place, "formations") or ())
        return row

    # --- the page ---

    def label_of(self, field: BoundField) -> str:
        """A field of a seat with the seat it belongs to."""
        for place in self.places:
            if field.name in (f"{place.key}-{name}" for name in place.bound):
                side = self.card.side(place.side)
                seat = f"{side.name}, {place.heading.lower()}" if side else place.heading
                return f"{seat}: {super().label_of(field)}"
        return super().label_of(field)

    @property
    def sides(self) -> list[tuple[SideCard, list[SeatPlace], list[SeatPlace], bool]]:
        """Each side with its command, its columns, and whether another can be asked for."""
        found = []
        for side in self.card.sides:
            own = [place for place in self.places if place.side == side.id]
            columns = [place for place in own if place.role == Role.COLUMN]
            command = [place for place in own if place.role != Role.COLUMN]
            found.append((side, command, columns, bool(columns) and len(columns) < MOST_COLUMNS))
        return found

    @property
    def assistants(self) -> list[SeatPlace]:
        return [place for place in self.places if place.role == Role.ASSISTANT]


def seats_first(kept: Mapping[str, Any] | None, card: ScenarioCard) -> dict[str, Any]:
    """Build the first values of the page: the saved seats, or the scenario's own commanders."""
    titles = {side: title for side, title in card.seats if side}
    if kept is None:
        return {f"c-{side}-title": title for side, title in titles.items()}
    first: dict[str, Any] = {"days": kept["days"], "spectator_side": kept["spectator_side"]}
    numbers: dict[str, int] = {}
    for row in kept["seats"]:
        key = {Role.COMMANDER: f"c-{row['side']}", Role.ASSISTANT: "a"}.get(row["role"], f"k-{row['side']}")
        if row["role"] != Role.COMMANDER:
            number = numbers.get(key, 0)
            numbers[key] = number + 1
            key = f"{key}-{number}"
        first |= {f"{key}-{name}": row.get(name, "") for name in ("title", "way", "whom", "formations")}
        for name, value in row.get("deputy", {}).items():
            first[f"d-{row['side']}-{name}"] = value
    return first


def columns_of(kept: Mapping[str, Any] | None) -> dict[str, int]:
    """Count the columns each side has so far."""
    counts: dict[str, int] = {}
    for row in (kept or {}).get("seats", ()):
        if row["role"] == Role.COLUMN:
            counts[row["side"]] = counts.get(row["side"], 0) + 1
    return counts
