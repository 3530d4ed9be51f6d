"""Short forms of the choices for a week's returns, one for each kind."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.places_of_arrival import Placement
from campaign.rules.returns.pools import DOWNGRADES, NEW_UNIT_TYPES, Downgrade, parse_pool
from campaign.rules.returns.replacements import FILL_LIMIT, BalancingMove, LoyalistFill
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Unit, UnitStatus
from campaign.web.orders.organisation_forms import Choices, PaperForm, list_units_present
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION, Nation, PoolArm

#: Points that go from a pool to another in a week at the most.
MOST_POINTS = 1000


class ChoiceForm(PaperForm):
    """A form of one choice for the week's returns."""

    def choices(self) -> WeekChoices:
        raise NotImplementedError

    @property
    def possible(self) -> bool:
        """Not for the commander of a column (HR-SET-05)."""
        return super().possible and self.viewer.commands(self.side)

    def refuse(self, violation: RuleViolation, fields: Mapping[str, str] | None = None) -> None:
        """Pools are called by their names."""
        message = violation.message
        for key in self.world.pools:
            message = re.sub(rf"(?<!\S){re.escape(key)}(?![\w/])", f"the {self.names.pool(key)}", message)
        message = f"{message[:1].upper()}{message[1:]}"
        super().refuse(RuleViolation(violation.rule_id, message, violation.field), fields)

    def _points(self, label: str, most: int) -> forms.IntegerField:
        field = forms.IntegerField(
            label=label,
            min_value=1,
            max_value=most,
            error_messages=dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"),
                f"Enter a whole number of points from 1 to {most}.",
            ),
        )
        field.widget.attrs["class"] = "narrow-number"
        return field

    def _build_choices(self, units: Iterable[Unit]) -> Choices:
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


class FillRanksForm(ChoiceForm):
    kind, title = "fill", "Fill British ranks with Loyalists"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        units = list_units_present(self.world, self.side)
        loyal = [unit for unit in units if unit.nation is Nation.LOYALIST and not unit.is_train]
        british = [unit for unit in units if unit.nation is Nation.BRITISH and not unit.is_train]
        self.fields["giver"] = self._pick("Loyalists of", self._build_choices(loyal))
        self.fields["receiver"] = self._pick("fill up", self._build_choices(british))
        self.fields["points"] = self._points("by points (the Loyalists lose twice as many)", FILL_LIMIT)

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        return WeekChoices(fills=(LoyalistFill(data["giver"], data["receiver"], data["points"]),))


class BalanceForm(ChoiceForm):
    kind, title = "balance", "Even out a European regiment"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        units = [
            unit for unit in list_units_present(self.world, self.side) if POOL_NATION[unit.nation] in EUROPEAN
        ]
        named = self._build_choices(unit for unit in units if not unit.is_train)
        self.fields["giver"] = self._pick("From", named)
        self.fields["receiver"] = self._pick("to", named)
        self.fields["points"] = self._points("points", MAXIMUM_POINTS)

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        return WeekChoices(balancing=(BalancingMove(data["giver"], data["receiver"], data["points"]),))


class DowngradeForm(ChoiceForm):
    kind, title = "downgrade", "Downgrade a pool"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"] = self._pick("From", self._pools(DOWNGRADES))
        self.fields["points"] = self._points("points, to the pool below it", MOST_POINTS)

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
        self.fields["unit"] = self._pick("Unit", self._build_choices(lost))

    def choices(self) -> WeekChoices:
        return WeekChoices(first=(self.cleaned_data["unit"],))


CHOICE_FORMS: Mapping[str, type[ChoiceForm]] = {
    form.kind: form for form in (FillRanksForm, BalanceForm, DowngradeForm, RaiseForm, FirstForm)
}
#: What the rules call a field, where the form calls it otherwise.
CHOICE_FIELDS = {
    "fills": "giver",
    "balancing": "giver",
    "downgrades": "source",
    "raised": "pool",
    "first": "unit",
    "placements": "place",
}


class PlaceUnitsForm(ChoiceForm):
    """The umpire's, where he places units (AWI-C-POL-05)."""

    kind, title = "place", "Say where units appear"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        absent = (UnitStatus.ABSENT, UnitStatus.ELIMINATED)
        units = [unit for _, unit in sorted(self.world.units.items()) if unit.status in absent]
        pools = [(key, f"New units from the {self.names.pool(key)}") for key in sorted(self.world.pools)]
        places = self.world.theatre.atlas.places.values()
        named = sorted(((place.id, place.name) for place in places), key=lambda row: row[1])
        self.fields["subject"] = self._pick("Who", [*self._build_choices(units), *pools])
        self.fields["place"] = self._pick("at", named)

    @property
    def possible(self) -> bool:
        return super().possible and self.world.settings.location_choice == "umpire_places"

    def choices(self) -> WeekChoices:
        data = self.cleaned_data
        return WeekChoices(placements=(Placement(data["subject"], data["place"]),))


PLACE_FORMS: Mapping[str, type[ChoiceForm]] = {PlaceUnitsForm.kind: PlaceUnitsForm}
