"""Short forms of the papers besides marches: one for each act of organisation and choice for the returns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms

from campaign.models import Campaign
from campaign.narration import Names
from campaign.rules.organisation import (
    Depot,
    Detach,
    Escort,
    Garrison,
    HandOver,
    Join,
    Organisation,
    Ration,
    Transfer,
)
from campaign.rules.organising import detachment_id
from campaign.rules.pools import DOWNGRADES, NEW_UNIT_TYPES, Downgrade, parse_pool
from campaign.rules.replacements import BalancingMove, LoyalistFill
from campaign.rules.week import WeekChoices
from campaign.rules.world import Unit, UnitStatus, World
from campaign.services.deadlines import Schedule
from campaign.web.forms import SentenceForm
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION, Nation, PoolArm

Choices = Sequence[tuple[str, Any]]


class PaperForm(SentenceForm):
    """A form of one kind of line; `kind` says which."""

    kind = ""
    title = ""
    button = "Add it to the paper"

    def __init__(self, *args: Any, world: World, side: str, names: Names, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", self.kind)
        super().__init__(*args, **kwargs)
        self.world, self.side, self.names = world, side, names

    def _pick(self, label: str, choices: Choices, *, none: str = "") -> forms.ChoiceField:
        return forms.ChoiceField(
            label=label,
            choices=[("", none or "Choose"), *choices],
            required=not none,
            error_messages={"required": f"Choose: {label.lower()}."},
        )

    @property
    def possible(self) -> bool:
        """Whether there is anything to choose in every field that must be filled."""
        picks = [field for field in self.fields.values() if isinstance(field, forms.ChoiceField)]
        return all(len(pick.choices) > 1 or not pick.required for pick in picks)  # type: ignore[arg-type]


# --- organisation ---


class ActForm(PaperForm):
    """A form of one act of organisation."""

    def act(self) -> Organisation:
        raise NotImplementedError

    def _formations(self, *, garrisons: bool = True) -> Choices:
        present = {unit.formation for unit in _present(self.world, self.side)}
        rows = [self.world.formations[key] for key in present]
        return sorted(
            ((row.id, row.name) for row in rows if garrisons or not row.garrison), key=lambda row: row[1]
        )

    def _units(self) -> forms.MultipleChoiceField:
        groups: dict[str, list[tuple[str, str]]] = {}
        for unit in _present(self.world, self.side):
            if not unit.static:
                groups.setdefault(unit.formation, []).append((unit.id, f"{unit.name} ({unit.points})"))
        named = sorted((self.names.formation(key), rows) for key, rows in groups.items())
        return forms.MultipleChoiceField(
            label="Units",
            choices=named,
            widget=forms.SelectMultiple(attrs={"size": 8}),
            error_messages={"required": "Choose at least one unit."},
        )


class JoinForm(ActForm):
    kind, title = "join", "Join two formations"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations(garrisons=False))
        self.fields["into"] = self._pick("goes over into", self._formations())

    def act(self) -> Join:
        return Join(self.cleaned_data["formation"], self.cleaned_data["into"])


class DetachForm(ActForm):
    kind, title = "detach", "Detach units"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["units"] = self._units()
        self.fields["name"] = forms.CharField(
            label="Name of the detachment",
            max_length=200,
            error_messages={"required": "Give the detachment a name."},
        )
        self.fields["commander"] = forms.CharField(label="Its commander", max_length=120, required=False)

    def act(self, taken: Iterable[str] = ()) -> Detach:
        data = self.cleaned_data
        formation = self.world.units[data["units"][0]].formation
        key = detachment_id(self.world, formation, taken)
        return Detach(formation, tuple(data["units"]), key, data["name"], data["commander"])


class TransferForm(ActForm):
    kind, title = "transfer", "Transfer units"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["units"] = self._units()
        self.fields["into"] = self._pick("go over into", self._formations())

    def act(self) -> Transfer:
        return Transfer(tuple(self.cleaned_data["units"]), self.cleaned_data["into"])


class EscortForm(ActForm):
    kind, title = "escort", "Escort wagons"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fighting = {unit.formation for unit in _present(self.world, self.side) if not unit.is_train}
        trains = [row for row in self._formations() if row[0] not in fighting]
        self.fields["formation"] = self._pick("This formation", self._formations(garrisons=False))
        self.fields["wagons"] = self._pick("takes under escort", trains)

    def act(self) -> Escort:
        return Escort(self.cleaned_data["formation"], self.cleaned_data["wagons"])


class GarrisonForm(ActForm):
    kind, title = "garrison", "Garrison a place"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations())
        self.fields["on"] = forms.ChoiceField(
            label="is", choices=[("on", "to be the garrison of its place"), ("off", "relieved of its post")]
        )

    def act(self) -> Garrison:
        return Garrison(self.cleaned_data["formation"], self.cleaned_data["on"] == "on")


class HandOverForm(ActForm):
    kind, title = "hand_over", "Hand over command"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        generals = [
            (key, f"{general.rank} {general.name}".strip())
            for key, general in sorted(self.world.generals.items())
            if general.side == self.side and general.state == "well"
        ]
        self.fields["formation"] = self._pick("This formation", self._formations())
        self.fields["leader"] = self._pick("is commanded by", generals)

    def act(self) -> HandOver:
        return HandOver(self.cleaned_data["formation"], self.cleaned_data["leader"])


# --- returns ---


class ChoiceForm(PaperForm):
    """A form of one choice for the week's returns."""

    def choices(self) -> WeekChoices:
        raise NotImplementedError

    def _points(self, label: str) -> forms.IntegerField:
        field = forms.IntegerField(
            label=label,
            min_value=1,
            max_value=1000,
            error_messages=dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"),
                "Enter a whole number of points, 1 or more.",
            ),
        )
        field.widget.attrs["class"] = "narrow-number"
        return field

    def _named(self, units: Iterable[Unit]) -> Choices:
        return [(unit.id, f"{unit.name} ({unit.points})") for unit in units]

    def _pools(self, arms: Iterable[PoolArm]) -> Choices:
        """Pools of the side's own nations with these arms."""
        nations = {POOL_NATION[unit.nation] for unit in self.world.units.values() if unit.side == self.side}
        wanted = set(arms)
        keys = [
            f"{nation}/{arm}"
            for nation in sorted(nations)
            for arm in NEW_UNIT_TYPES.get(nation, {})
            if arm in wanted
        ]
        return [(key, f"{self.names.pool(key)} ({self.world.pools.get(key, 0)})") for key in keys]


class FillForm(ChoiceForm):
    kind, title = "fill", "Fill British ranks with Loyalists"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        units = _present(self.world, self.side)
        loyal = [unit for unit in units if unit.nation is Nation.LOYALIST and not unit.is_train]
        british = [unit for unit in units if unit.nation is Nation.BRITISH and not unit.is_train]
        self.fields["giver"] = self._pick("Loyalists of", self._named(loyal))
        self.fields["receiver"] = self._pick("fill up", self._named(british))
        self.fields["points"] = self._points("by points (the Loyalists lose twice as many)")

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        return WeekChoices(fills=(LoyalistFill(data["giver"], data["receiver"], data["points"]),))


class BalanceForm(ChoiceForm):
    kind, title = "balance", "Even out a European regiment"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        units = [unit for unit in _present(self.world, self.side) if POOL_NATION[unit.nation] in EUROPEAN]
        named = self._named(unit for unit in units if not unit.is_train)
        self.fields["giver"] = self._pick("From", named)
        self.fields["receiver"] = self._pick("to", named)
        self.fields["points"] = self._points("points")

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        return WeekChoices(balancing=(BalancingMove(data["giver"], data["receiver"], data["points"]),))


class DowngradeForm(ChoiceForm):
    kind, title = "downgrade", "Downgrade a pool"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"] = self._pick("From", self._pools(DOWNGRADES))
        self.fields["points"] = self._points("points, to the pool below it")

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        nation, arm = parse_pool(data["source"], "source")
        target = f"{nation}/{DOWNGRADES[arm]}"
        return WeekChoices(downgrades=(Downgrade(data["source"], target, data["points"]),))


class RaiseForm(ChoiceForm):
    kind, title = "raise", "Raise a unit"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pool"] = self._pick("From", self._pools(PoolArm))

    @property
    def possible(self) -> bool:
        """Only where units are not raised by themselves (AWI-C-POL-03)."""
        return super().possible and not self.world.settings.auto_raise_units

    def choices(self) -> WeekChoices:
        return WeekChoices(raised=(self.cleaned_data["pool"],))


class FirstForm(ChoiceForm):
    kind, title = "first", "Rebuild a unit before others"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lost = [
            unit
            for _, unit in sorted(self.world.units.items())
            if unit.side == self.side and unit.status is UnitStatus.ELIMINATED
        ]
        self.fields["unit"] = self._pick("Unit", self._named(lost))

    def choices(self) -> WeekChoices:
        return WeekChoices(first=(self.cleaned_data["unit"],))


ACT_FORMS: Mapping[str, type[ActForm]] = {
    form.kind: form for form in (DetachForm, JoinForm, TransferForm, EscortForm, GarrisonForm, HandOverForm)
}
CHOICE_FORMS: Mapping[str, type[ChoiceForm]] = {
    form.kind: form for form in (FillForm, BalanceForm, DowngradeForm, RaiseForm, FirstForm)
}
#: What the rules call a field, where the form calls it otherwise.
CHOICE_FIELDS = {
    "fills": "giver",
    "balancing": "giver",
    "downgrades": "source",
    "raised": "pool",
    "first": "unit",
}


def _present(world: World, side: str) -> list[Unit]:
    """The side's units on the map, by name."""
    units = [unit for unit in world.units.values() if unit.side == side and unit.status is UnitStatus.PRESENT]
    return sorted(units, key=lambda unit: (unit.name, unit.id))


# --- the umpire's calendar ---


class ScheduleForm(SentenceForm):
    """The rhythm of deadlines (HR-DUE-01, HR-DUE-02)."""

    time_zone = forms.CharField(
        label="The club's time zone",
        max_length=60,
        help_text="As Europe/London or America/New_York.",
        error_messages={"required": "Give a time zone, as Europe/London."},
    )
    cadence_days = forms.IntegerField(
        label="Days from one deadline to the next", required=False, help_text="Empty: you set each by hand."
    )
    days_a_turn = forms.IntegerField(label="Campaign days played each time")
    advance_at_deadline = forms.BooleanField(label="Play them by itself at the deadline", required=False)
    late_orders = forms.ChoiceField(label="Late orders are", choices=Campaign.LateOrders.choices)
    missed_orders = forms.ChoiceField(label="Who misses the deadline", choices=())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        missed = self.fields["missed_orders"]
        assert isinstance(missed, forms.ChoiceField)
        missed.choices = [
            (Campaign.MissedOrders.CARRY_ON, "carries on with older orders"),
            (Campaign.MissedOrders.HALT, "halts"),
            (Campaign.MissedOrders.STAFF, "is ordered by the staff"),
        ]
        for name in ("cadence_days", "days_a_turn"):
            self.fields[name].widget.attrs["class"] = "narrow-number"
            self.fields[name].error_messages |= {
                "required": "Enter a whole number of days.",
                "invalid": "Enter a whole number of days.",
            }

    def schedule(self) -> Schedule:
        """The rhythm of a valid form."""
        return Schedule(**self.cleaned_data)
