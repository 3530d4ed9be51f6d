"""Forms of the campaign pages. They shape input; what the rules allow is asked of the services."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm

from campaign.narration import STANCES
from campaign.rules.errors import RuleViolation
from campaign.rules.world import Order, Stage
from campaign.selectors.battles import Force
from campaign.services.battles import TableResult

#: How the fields of an order are called here, by the names the rules use.
ORDER_FIELDS = {
    "formation": "formation",
    "via": "destination",
    "pace": "pace",
    "stance": "stance",
    "light_order": "light_order",
    "activity": "activity",
    "target": "enemy",
    "starts": "starts",
    "by_water": "by_water",
    "stages": "then_to",
}
BY_WAY_OF = ("by_1", "by_2", "by_3")
PACE_CHOICES = [
    ("normal", "Normal march"),
    ("plus_half", "Forced march, up to half as far again"),
    ("double", "Forced march, up to double"),
]
ACTIVITY_CHOICES = [
    ("march", "March, or halt when no place is chosen"),
    ("rest", "Rest, and then march"),
    ("follow", "Follow an enemy"),
    ("intercept", "Intercept an enemy"),
    ("entrench", "Entrench"),
    ("dismantle", "Dismantle field works"),
    ("break_bridge", "Break a bridge or ferry"),
    ("repair_bridge", "Repair a bridge or ferry"),
    ("gather_boats", "Gather boats"),
    ("siege", "Besiege the place"),
]
WHEN_CHOICES = [
    ("always", "at once"),
    ("no_enemy", "if no enemy is known near it"),
    ("enemy", "if an enemy is known near it"),
    ("held", "if the place below is ours"),
]
STANCE_CHOICES = [(key, text[:1].upper() + text[1:]) for key, text in STANCES.items()]


def whole_number(text: str) -> int | None:
    """A whole number out of an address or a hidden field; None for anything else."""
    return int(text) if text.isdecimal() and len(text) < 7 else None


class SignInForm(AuthenticationForm):
    """Django's own, without colons behind its labels and without seizing the cursor."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)


@dataclass(frozen=True, slots=True)
class ToMend:
    """One refusal: what it is about, in words, and the id of the element to mend."""

    anchor: str
    label: str
    sentence: str


class SentenceForm(forms.Form):
    """A form whose refusals come from the rules, each beside the field it is about."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def refuse(self, violation: RuleViolation, fields: Mapping[str, str] | None = None) -> None:
        """Put a violation beside its field, or above the form when it is about none."""
        name = (fields or {}).get(violation.field, violation.field)
        self.add_error(name if name in self.fields else None, f"{violation.message} ({violation.rule_id})")

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error(field, error)
        if field in self.fields:
            self.fields[field].widget.attrs["aria-invalid"] = "true"

    @property
    def to_mend(self) -> list[ToMend]:
        """All refusals in the order of the page, those about no field first."""
        found = [ToMend("main", "", str(error)) for error in self.non_field_errors()]
        for field in self:
            # A group of choices has no single element with the label's id; its first one stands for it.
            anchor = field.id_for_label or f"{field.auto_id}_0"
            found += [ToMend(anchor, str(field.label), str(error)) for error in field.errors]
        return found


def _whole(what: str, most: int) -> dict[str, str]:
    """What a field for whole numbers says to anything else."""
    sentence = f"Enter a whole number of {what} from 0 to {most}."
    return dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)


class OrderForm(SentenceForm):
    """March a formation through places in turn, or halt it where it stands."""

    formation = forms.ChoiceField(
        label="Formation", error_messages={"required": "Choose the formation this order is for."}
    )
    destination = forms.ChoiceField(label="March to", required=False)
    by_1 = forms.ChoiceField(label="first by", required=False)
    by_2 = forms.ChoiceField(label="then by", required=False)
    by_3 = forms.ChoiceField(label="then by", required=False)
    pace = forms.ChoiceField(label="Pace", choices=PACE_CHOICES, initial="normal")
    stance = forms.ChoiceField(label="If it meets the enemy", choices=STANCE_CHOICES, initial="give_battle")
    light_order = forms.BooleanField(label="In light order, leaving tents and wagons", required=False)
    activity = forms.ChoiceField(label="It is to", choices=ACTIVITY_CHOICES, initial="march", required=False)
    enemy = forms.ChoiceField(label="Enemy to follow or intercept", required=False)
    crossing = forms.ChoiceField(label="Bridge or ferry", required=False)
    starts = forms.IntegerField(
        label="Starts late by, minutes",
        required=False,
        min_value=0,
        max_value=1440,
        error_messages=_whole("minutes", 1440),
    )
    by_water = forms.BooleanField(label="In boats", required=False)
    then_to = forms.ChoiceField(label="Then on to", required=False)
    then_wait = forms.IntegerField(
        label="after a halt of, days",
        required=False,
        min_value=0,
        max_value=60,
        error_messages=_whole("days", 60),
    )
    then_when = forms.ChoiceField(label="and only", choices=WHEN_CHOICES, initial="always", required=False)
    then_miles = forms.IntegerField(
        label="near means within, miles",
        required=False,
        min_value=0,
        max_value=100,
        error_messages=_whole("miles", 100),
    )
    then_held = forms.ChoiceField(label="Place that must be ours", required=False)

    def __init__(
        self,
        *args: Any,
        formations: Iterable[tuple[str, str]],
        places: Iterable[tuple[str, str]],
        enemies: Iterable[tuple[str, str]] = (),
        crossings: Iterable[tuple[str, str]] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        places = list(places)
        self._choices("formation", [("", "Choose a formation"), *formations])
        self._choices("destination", [("", "Halt where it stands"), *places])
        for name in (*BY_WAY_OF, "then_to", "then_held"):
            self._choices(name, [("", "no place"), *places])
        self._choices("enemy", [("", "none"), *enemies])
        self._choices("crossing", [("", "none"), *crossings])

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def has_way(self) -> bool:
        """True when some place in between is chosen, so that its fields are shown open."""
        return any(self[name].value() for name in BY_WAY_OF)

    @property
    def has_more(self) -> bool:
        """True when the order is more than a march begun at the usual hour."""
        more = ("enemy", "crossing", "starts", "by_water", "then_to")
        return self["activity"].value() not in (None, "", "march") or any(self[name].value() for name in more)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if any(data.get(name) for name in BY_WAY_OF) and not data.get("destination"):
            self.add_error(
                "destination", "Places on the way are chosen but no destination; choose where to march."
            )
        return data

    def order(self) -> Order:
        """The order of a valid form."""
        data = self.cleaned_data
        via = [data[name] for name in BY_WAY_OF if data[name]]
        return Order(
            formation=data["formation"],
            via=tuple([*via, data["destination"]] if data["destination"] else []),
            pace=data["pace"],
            stance=data["stance"],
            light_order=data["light_order"],
            activity=data["activity"] or "march",
            target=self._target(),
            starts=data["starts"] or 0,
            by_water=data["by_water"],
            stages=self._stages(),
        )

    def _target(self) -> str:
        """What the activity is about; a choice that does not belong to it is passed over."""
        data = self.cleaned_data
        if data["activity"] in ("follow", "intercept"):
            return str(data["enemy"])
        return str(data["crossing"]) if data["activity"] in ("break_bridge", "repair_bridge") else ""

    def _stages(self) -> tuple[Stage, ...]:
        data = self.cleaned_data
        if not data["then_to"]:
            return ()
        return (
            Stage(
                via=(data["then_to"],),
                wait=data["then_wait"] or 0,
                when=data["then_when"] or "always",
                miles=data["then_miles"] or 0,
                subject=data["then_held"] if data["then_when"] == "held" else "",
                pace=data["pace"],
                stance=data["stance"],
                by_water=data["by_water"],
            ),
        )


def order_initial(order: Order | None, formation: str) -> dict[str, Any]:
    """Values that show an order in the form; an order by more places than the form has loses none
    of its last."""
    if order is None:
        return {"formation": formation}
    *between, last = order.via or ("",)
    way = dict(zip(BY_WAY_OF, between[-len(BY_WAY_OF) :], strict=False))
    return {
        "formation": formation,
        "destination": last,
        **way,
        "pace": order.pace,
        "stance": order.stance,
        "light_order": order.light_order,
        "activity": order.activity,
        "enemy": order.target,
        "crossing": order.target,
        "starts": order.starts or None,
        "by_water": order.by_water,
        **(_stage_initial(order.stages[0]) if order.stages else {}),
    }


def _stage_initial(stage: Stage) -> dict[str, Any]:
    return {
        "then_to": stage.via[-1],
        "then_wait": stage.wait,
        "then_when": stage.when,
        "then_miles": stage.miles,
        "then_held": stage.subject,
    }


class FieldForm(SentenceForm):
    """Who holds the field after a battle."""

    field_held_by = forms.ChoiceField(
        label="Who holds the field",
        widget=forms.RadioSelect,
        error_messages={"required": "Say who holds the field, or that neither side does."},
    )

    def __init__(self, *args: Any, sides: tuple[Force, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = sides
        held = self.fields["field_held_by"]
        assert isinstance(held, forms.ChoiceField)
        held.choices = [*((force.side, force.name) for force in sides), ("neither", "Neither side")]

    def held(self) -> str:
        """The holder's side id, "" for neither."""
        value: str = self.cleaned_data["field_held_by"]
        return "" if value == "neither" else value


class TableForm(FieldForm):
    """What was counted on the table: SP lost and captured, unit by unit, and the sides' totals."""

    def __init__(self, *args: Any, sides: tuple[Force, ...], **kwargs: Any) -> None:
        super().__init__(*args, sides=sides, **kwargs)
        for force in sides:
            for unit in force.units:
                self.fields[f"lost-{unit.id}"] = _count(f"SP lost by {unit.name}", unit.sp)
                self.fields[f"captured-{unit.id}"] = _count(f"SP of {unit.name} captured", unit.sp)
                self.fields[f"destroyed-{unit.id}"] = forms.BooleanField(
                    label=f"{unit.name} destroyed", required=False
                )
            self.fields[f"total-{force.side}"] = _count(
                f"{force.name}: SP lost and captured together", force.sp, required=True, initial=None
            )

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Rows of bound fields, by side, for the page."""
        return [
            {
                "force": force,
                "rows": [
                    {
                        "unit": unit,
                        "lost": self[f"lost-{unit.id}"],
                        "captured": self[f"captured-{unit.id}"],
                        "destroyed": self[f"destroyed-{unit.id}"],
                    }
                    for unit in force.units
                ],
                "total": self[f"total-{force.side}"],
            }
            for force in self.sides
        ]

    def results(self) -> dict[str, TableResult]:
        """What the units lost, by unit id; those that lost nothing are left out."""
        found = {}
        for force in self.sides:
            for unit in force.units:
                result = TableResult(
                    sp_lost=self.cleaned_data[f"lost-{unit.id}"] or 0,
                    sp_captured=self.cleaned_data[f"captured-{unit.id}"] or 0,
                    destroyed=self.cleaned_data[f"destroyed-{unit.id}"],
                )
                if result != TableResult(0):
                    found[unit.id] = result
        return found

    def totals(self) -> dict[str, int]:
        """SP lost and captured by side, as counted on the table."""
        return {force.side: self.cleaned_data[f"total-{force.side}"] for force in self.sides}

    def refuse_table(self, violation: RuleViolation) -> None:
        """Put a refused table beside the unit or the total it is about."""
        field = violation.field
        names = {unit.id: f"lost-{unit.id}" for force in self.sides for unit in force.units}
        names |= {f"total_{force.side}": f"total-{force.side}" for force in self.sides}
        self.refuse(violation, {field: names.get(field, field)})


def _count(label: str, most: int, *, required: bool = False, initial: int | None = 0) -> forms.IntegerField:
    field = forms.IntegerField(
        label=label,
        required=required,
        min_value=0,
        max_value=most,
        initial=initial,
        error_messages=_whole("SP", most),
    )
    field.widget.attrs.update({"class": "narrow-number", "aria-label": label, "inputmode": "numeric"})
    return field


class WordForm(FieldForm):
    """The umpire's word: the share of its SP each side lost."""

    def __init__(self, *args: Any, sides: tuple[Force, ...], **kwargs: Any) -> None:
        super().__init__(*args, sides=sides, **kwargs)
        for force in sides:
            field = forms.IntegerField(
                label=f"{force.name} loses, percent of its SP",
                min_value=0,
                max_value=100,
                initial=0,
                error_messages=_whole("percent", 100),
            )
            field.widget.attrs["class"] = "narrow-number"
            self.fields[f"percent_{force.side}"] = field

    @property
    def shares(self) -> list[Any]:
        """The bound percent fields."""
        return [self[f"percent_{force.side}"] for force in self.sides]

    def percent_lost(self) -> dict[str, int]:
        """Percent by side."""
        return {force.side: self.cleaned_data[f"percent_{force.side}"] for force in self.sides}
