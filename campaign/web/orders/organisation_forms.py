"""Short forms of a formation's organisation, one for each act; what both papers' forms share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from campaign.fog.visibility import Viewer
from campaign.rules.army.organisation import (
    Depot,
    Detach,
    Escort,
    Garrison,
    HandOver,
    Join,
    Organisation,
    Ration,
    Transfer,
    detachment_id,
)
from campaign.rules.world.world import Order, Unit, UnitStatus, World
from campaign.text.place_names import CampaignNames
from campaign.web.forms import SentenceForm, ToldField

Choices = Sequence[tuple[str, Any]]


class PaperForm(SentenceForm):
    """A form of one kind of line; `kind` says which."""

    bound_field_class = ToldField

    kind = ""
    title = ""
    button = "Add it to the paper"
    draftable = True

    def __init__(self, *args: Any, world: World, viewer: Viewer, names: CampaignNames, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", self.kind)
        super().__init__(*args, **kwargs)
        self.world, self.viewer, self.names = world, viewer, names
        self.side = viewer.side

    def _pick(self, label: str, choices: Choices, *, none: str = "") -> forms.ChoiceField:
        return forms.ChoiceField(
            label=label,
            choices=[("", none or "Choose"), *choices],
            required=not none,
            error_messages={"required": f"{label}: nothing is chosen yet; choose from the list."},
        )

    @property
    def possible(self) -> bool:
        """True if every required field has something to choose."""
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField) and field.required:
                choices = [value for value, _ in field.choices if value]  # type: ignore[union-attr,misc]
                if not choices:
                    return False
        return True


def list_units_present(world: World, side: str) -> list[Unit]:
    """The side's units on the map, by name."""
    units = [unit for unit in world.units.values() if unit.side == side and unit.status is UnitStatus.PRESENT]
    return sorted(units, key=lambda unit: (unit.name, unit.id))


# --- organisation ---


class ActForm(PaperForm):
    """A form of one act of organisation."""

    def act(self, taken: Iterable[str] = ()) -> Organisation:
        """The act of a valid form; `taken` are ids that other papers give to new formations."""
        raise NotImplementedError

    def _formations(self, *, garrisons: bool = True, all_of_side: bool = False) -> Choices:
        """Formations on the map that the viewer commands (HR-SET-05), or all of his side."""
        here = {unit.formation for unit in list_units_present(self.world, self.side)}
        rows = [self.world.formations[key] for key in here]
        return sorted(
            (
                (row.id, row.name)
                for row in rows
                if (garrisons or not row.garrison) and (all_of_side or self.viewer.commands(row.id))
            ),
            key=lambda row: row[1],
        )

    def _units(self) -> forms.MultipleChoiceField:
        groups: dict[str, list[tuple[str, str]]] = {}
        for unit in list_units_present(self.world, self.side):
            if not unit.static and self.viewer.commands(unit.formation):
                groups.setdefault(unit.formation, []).append((unit.id, f"{unit.name} ({unit.points})"))
        named = sorted((self.names.formation(key), rows) for key, rows in groups.items())
        return forms.MultipleChoiceField(
            label="Units",
            choices=named,
            help_text=format_html(
                'Choose one or more.<span class="for-mouse"> {}</span>',
                "With a mouse, hold Ctrl (on a Mac Command) to choose several, or Shift for a row of them.",
            ),
            widget=forms.SelectMultiple(attrs={"size": 8}),
            error_messages={"required": "Choose at least one unit."},
        )

    def _trains(self) -> Choices:
        """Formations of wagons alone."""
        fighting = {unit.formation for unit in list_units_present(self.world, self.side) if not unit.is_train}
        return [row for row in self._formations() if row[0] not in fighting]


class JoinForm(ActForm):
    kind, title = "join", "Join two formations"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations(garrisons=False))
        self.fields["into"] = self._pick("goes over into", self._formations(all_of_side=True))

    def act(self, taken: Iterable[str] = ()) -> Join:
        return Join(self.cleaned_data["formation"], self.cleaned_data["into"])


#: What a detachment may be told when it sets off; anything else by an order of its own, the day after.
DETACHED = [("", "march or halt"), ("rest", "rest a day first"), ("entrench", "entrench")]


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
        places = self.world.theatre.atlas.places.values()
        self.fields["doing"] = forms.ChoiceField(label="It is to", choices=DETACHED, required=False)
        self.fields["to"] = self._pick(
            "and march to",
            sorted(((place.id, place.name) for place in places), key=lambda row: row[1]),
            none="no place",
        )

    def act(self, taken: Iterable[str] = ()) -> Detach:
        data = self.cleaned_data
        formation = self.world.units[data["units"][0]].formation
        key = detachment_id(self.world, formation, taken)
        order = None
        if data["doing"] or data["to"]:
            via = (data["to"],) if data["to"] else ()
            order = Order(key, via, activity=data["doing"] or "march")
        return Detach(formation, tuple(data["units"]), key, data["name"], data["commander"], order)


class TransferForm(ActForm):
    kind, title = "transfer", "Transfer units"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["units"] = self._units()
        self.fields["into"] = self._pick("go over into", self._formations())

    def act(self, taken: Iterable[str] = ()) -> Transfer:
        return Transfer(tuple(self.cleaned_data["units"]), self.cleaned_data["into"])


class EscortForm(ActForm):
    kind, title = "escort", "Escort wagons"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations(garrisons=False))
        self.fields["wagons"] = self._pick("takes under escort", self._trains())

    def act(self, taken: Iterable[str] = ()) -> Escort:
        return Escort(self.cleaned_data["formation"], self.cleaned_data["wagons"])


class GarrisonForm(ActForm):
    kind, title = "garrison", "Garrison a place"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations())
        self.fields["on"] = forms.ChoiceField(
            label="is", choices=[("on", "to be the garrison of its place"), ("off", "relieved of its post")]
        )

    def act(self, taken: Iterable[str] = ()) -> Garrison:
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

    def act(self, taken: Iterable[str] = ()) -> HandOver:
        return HandOver(self.cleaned_data["formation"], self.cleaned_data["leader"])


class RationForm(ActForm):
    kind, title = "ration", "Set a ration"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formation"] = self._pick("This formation", self._formations())
        self.fields["short"] = forms.ChoiceField(
            label="is", choices=[("short", "on two-thirds ration"), ("full", "on full ration again")]
        )

    @property
    def possible(self) -> bool:
        """Only where food is played (HR-SUP-01)."""
        return super().possible and self.world.settings.supply != "off"

    def act(self, taken: Iterable[str] = ()) -> Ration:
        return Ration(self.cleaned_data["formation"], self.cleaned_data["short"] == "short")


class DepotForm(ActForm):
    kind, title = "depot", "Lay down a depot"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formations = self.world.formations
        laden = [(key, name) for key, name in self._trains() if formations[key].rations]
        self.fields["formation"] = self._pick("Train that lays its load down", laden)
        self.fields[
            "formation"
        ].help_text = (
            "Trains are loaded in the evening, at a base; one that carries nothing yet is not listed."
        )

    @property
    def possible(self) -> bool:
        """Only where food is played (HR-SUP-01)."""
        return super().possible and self.world.settings.supply != "off"

    def act(self, taken: Iterable[str] = ()) -> Depot:
        return Depot(self.cleaned_data["formation"])


#: What the rules call a field, where the form calls it otherwise.
ACT_FIELDS = {"via": "to", "activity": "doing", "order": "to", "id": "name"}
ACT_FORMS: Mapping[str, type[ActForm]] = {
    form.kind: form
    for form in (
        DetachForm, JoinForm, TransferForm, EscortForm, GarrisonForm, HandOverForm, RationForm, DepotForm,
    )
}  # fmt: skip
