"""The result of a fight on the table as forms: what a phone sends, and what the umpire decides (HR-TAB)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms

from battles.ground.names import join_names
from battles.table_pieces import describe_piece_count, has_pooled_pieces
from campaign.rules.army.leaders import FATES
from campaign.rules.battles.table_results import (
    LONGEST_NOTES,
    NEITHER,
    Entry,
    Present,
    TableForces,
    UnitResult,
    list_entry_faults,
)
from campaign.selectors.battles.battles import Force, ForceUnit
from campaign.web.forms import SentenceForm, whole_sentence

FATE_CHOICES = [("", "unhurt"), *((fate, fate) for fate in FATES)]
PURSUIT_CHOICES = [("", "by the rules"), ("pressed", "pressed"), ("none", "held back")]
#: A field about one unit or general; its id may be of anything sent.
ABOUT = re.compile(r"(lost|captured|destroyed|general)-(.+)")


@dataclass(frozen=True, slots=True)
class UnitFields:
    """A unit of the form with its three fields; `stands` are the SP of each of its stands, of one none.

    `there` is how it is on the table: with whom it stands as one, and whether it is gone whole or not at all.
    """

    unit: ForceUnit
    there: Present
    stands: tuple[int, ...]
    lost: forms.BoundField
    captured: forms.BoundField
    destroyed: forms.BoundField


@dataclass(frozen=True, slots=True)
class SideFields:
    """A side of the form: its units and those of its generals the writer speaks of."""

    force: Force
    units: tuple[UnitFields, ...]
    generals: tuple[forms.BoundField, ...]
    open: bool

    @property
    def units_text(self) -> str:
        """ "11 units", "4 brigades of 11 units" where units are pooled."""
        return describe_piece_count([line.there for line in self.units], self.force.side)


class ResultForm(SentenceForm):
    """A battle result, unit by unit. Fields left alone mean unhurt."""

    pursuit = forms.ChoiceField(
        label="Pursuit",
        choices=PURSUIT_CHOICES,
        required=False,
        widget=forms.RadioSelect,
        help_text="By the rules, the fresh light troops of whoever holds the field follow until dark.",
        error_messages={"invalid_choice": "Say whether the pursuit was pressed (HR-TAB-06)."},
    )
    notes = forms.CharField(
        label="Notes",
        required=False,
        max_length=LONGEST_NOTES,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For the umpire; once the result is confirmed both sides read them.",
        error_messages={"max_length": f"Shorten the notes to {LONGEST_NOTES} letters (HR-TAB-02)."},
    )

    def __init__(
        self, *args: Any, forces: Iterable[Force], table: TableForces, own: str = "", **kwargs: Any
    ) -> None:
        self.forces = sorted(forces, key=lambda force: force.side != own)
        self.table, self.own = table, own
        super().__init__(*args, **kwargs)
        for force in self.forces:
            for unit in self._there(force):
                _unit_fields(self, unit)
        for key, general in table.generals.items():
            self.fields[f"general-{key}"] = forms.ChoiceField(
                label=general.name,
                choices=FATE_CHOICES,
                required=False,
                error_messages={
                    "invalid_choice": f"{general.name} is unhurt, or one of {', '.join(FATES)} (HR-TAB-02)."
                },
            )
        self.fields["held_by"] = forms.ChoiceField(
            label="Who holds the field",
            choices=[*table.sides.items(), (NEITHER, "Neither side")],
            required=False,
            widget=forms.RadioSelect,
            error_messages={
                "invalid_choice": "The field is held by one of the two sides or by neither (HR-TAB-03)."
            },
        )

    def _there(self, force: Force) -> list[ForceUnit]:
        """Return the pieces on the table for a unit, named and counted by the rules of the table (HR-
        BAT-13).
        """
        kinds = {unit.id: unit.kind for unit in force.units}
        return [
            replace(unit, name=one.name, sp=one.sp, kind=one.kind or _describe_troops(one, kinds))
            for unit in force.units
            if (one := self.table.units.get(unit.id))
        ]

    def _stands(self, unit: ForceUnit) -> tuple[int, ...]:
        stands = self.table.units[unit.id].stands
        return stands if len(stands) > 1 else ()

    @property
    def in_stands(self) -> bool:
        """True if a unit has several stands, each with its own fields."""
        return any(self._stands(unit) for force in self.forces for unit in self._there(force))

    @property
    def has_pooled_units(self) -> bool:
        """Whether units stand as one with others on this table."""
        return has_pooled_pieces(self.table.units.values())

    @property
    def with_guns(self) -> bool:
        """True if guns are counted with the infantry of a brigade."""
        return any(unit.goes_with for unit in self.table.units.values())

    @property
    def sides(self) -> list[SideFields]:
        """The sides in the order of the page, the writer's own first and open."""
        return [
            SideFields(
                force,
                tuple(
                    UnitFields(
                        unit,
                        self.table.units[unit.id],
                        self._stands(unit),
                        *(self[f"{name}-{unit.id}"] for name in ("lost", "captured", "destroyed")),
                    )
                    for unit in self._there(force)
                ),
                tuple(
                    self[f"general-{key}"]
                    for key, general in self.table.generals.items()
                    if general.side == force.side
                ),
                open=place == 0 or self._has_errors(force),
            )
            for place, force in enumerate(self.forces)
        ]

    def _has_errors(self, force: Force) -> bool:
        keys = {unit.id for unit in force.units}
        return any((found := ABOUT.match(name)) and found[2] in keys for name in self.errors)

    def clean(self) -> dict[str, Any]:
        """Nothing about a unit that was not there, and one holder of the field only."""
        data = super().clean() or self.cleaned_data
        for name in self.data:
            found = ABOUT.fullmatch(name)
            if found and name not in self.fields and self.data[name] not in ("", "0"):
                self.add_error(
                    None,
                    f"{found[2]} was not in this battle; load the page again and enter it anew (HR-TAB-02).",
                )
        getlist = getattr(self.data, "getlist", None)
        if getlist is not None and len({value for value in getlist("held_by") if value}) > 1:
            self.add_error(
                "held_by", "Both sides cannot hold the field; say which of them, or neither (HR-TAB-03)."
            )
        return data

    def entry(self) -> Entry:
        """Return the entry of a valid form."""
        said = self.cleaned_data
        return Entry(
            units={
                key: cost
                for key in self.table.units
                if (
                    cost := UnitResult(
                        said[f"lost-{key}"] or 0, said[f"captured-{key}"] or 0, said[f"destroyed-{key}"]
                    )
                )
                != UnitResult()
            },
            generals={key: fate for key in self.table.generals if (fate := said[f"general-{key}"])},
            held_by=said["held_by"],
            pursuit=said["pursuit"],
            notes=said["notes"].replace("\r\n", "\n"),
        )

    def stands(self, *, whole: bool) -> bool:
        """True if the form can be saved; errors are put beside their fields. `whole`: check it as a final
        result.
        """
        if not self.is_valid():
            return False
        for fault in list_entry_faults(self.entry(), self.table, whole=whole):
            self.refuse(fault)
        return not self.errors


def _describe_troops(one: Present, kinds: Mapping[str, str]) -> str:
    """Describe the troop types of a unit; for a pooled piece, of all its units."""
    return join_names(dict.fromkeys(kinds[unit] for unit in one.units or (one.id,)))


def _unit_fields(form: forms.Form, unit: ForceUnit) -> None:
    for name, label in (("lost", "SP lost by"), ("captured", "SP captured of")):
        field = forms.IntegerField(
            label=f"{label} {unit.name}",
            required=False,
            min_value=0,
            max_value=unit.sp,
            error_messages=whole_sentence("SP", unit.sp),
        )
        field.widget.attrs.update({"inputmode": "numeric", "placeholder": "0", "autocomplete": "off"})
        form.fields[f"{name}-{unit.id}"] = field
    form.fields[f"destroyed-{unit.id}"] = forms.BooleanField(label=f"{unit.name} destroyed", required=False)


def result_initial(entry: Entry) -> dict[str, Any]:
    """An entry as the form shows it at first; noughts are left empty."""
    shown: dict[str, Any] = {"held_by": entry.held_by, "pursuit": entry.pursuit, "notes": entry.notes}
    for key, cost in entry.units.items():
        shown |= {f"lost-{key}": cost.lost or None, f"captured-{key}": cost.captured or None}
        shown[f"destroyed-{key}"] = cost.destroyed
    return shown | {f"general-{key}": fate for key, fate in entry.generals.items()}


def list_differences(mine: Entry, theirs: Entry, table: TableForces) -> list[tuple[str, str, str]]:
    """List the differences between two saves of one side: subject, the other person's value, the value
    here.
    """
    rows = [
        (unit.name, cost_words(theirs.cost(unit)), cost_words(mine.cost(unit)))
        for unit in table.units.values()
        if theirs.cost(unit) != mine.cost(unit)
    ]
    rows += [
        (general.name, theirs.generals.get(key) or "unhurt", mine.generals.get(key) or "unhurt")
        for key, general in table.generals.items()
        if theirs.generals.get(key, "") != mine.generals.get(key, "")
    ]
    if theirs.held_by != mine.held_by:
        held, here = (holder_words(one.held_by, table.sides) for one in (theirs, mine))
        rows.append(("The field", held, here))
    if theirs.pursuit != mine.pursuit:
        words = dict(PURSUIT_CHOICES)
        rows.append(("Pursuit", words.get(theirs.pursuit, ""), words.get(mine.pursuit, "")))
    if theirs.notes != mine.notes:
        rows.append(("Notes", theirs.notes or "none", mine.notes or "none"))
    return rows


def cost_words(cost: UnitResult) -> str:
    """ "2 lost, 1 captured", "unhurt"."""
    parts = [f"{cost.lost} lost" if cost.lost else "", f"{cost.captured} captured" if cost.captured else ""]
    return ", ".join(part for part in parts if part) or "unhurt"


def holder_words(held: str, sides: Mapping[str, str]) -> str:
    """Describe the side that holds the field in an entry."""
    return sides.get(held) or ("neither side" if held == NEITHER else "not said")
