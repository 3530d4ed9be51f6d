"""What the umpire decides between two entries of a result (HR-TAB-05)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from campaign.rules.army.leaders import FATES
from campaign.rules.battles.table_results import (
    NEITHER,
    Entry,
    Present,
    TableForces,
    UnitResult,
    compare_entries,
    list_entry_faults,
)
from campaign.web.battles.table_result_forms import PURSUIT_CHOICES, cost_words, holder_words
from campaign.web.forms import SentenceForm, whole_sentence

OWN = "own"
UMPIRE = "umpire"
UNHURT = "unhurt"


@dataclass(frozen=True, slots=True)
class ComparedUnit:
    """A unit with what was said of it and the umpire's own figures; `pick` where the entries differ."""

    unit: Present
    side: str
    said: str
    lost: forms.BoundField
    captured: forms.BoundField
    pick: forms.BoundField | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A field of the umpire's with what the entries say of it."""

    field: forms.BoundField
    told: tuple[tuple[str, str], ...]
    differs: bool

    @property
    def harm(self) -> bool:
        """Whether an entry reports a general hurt."""
        return any(fate != UNHURT for _, fate in self.told)


class CompareForm(SentenceForm):
    """One decision on every unit, general and the field; agreed figures stand unless mended."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], table: TableForces, **kwargs: Any) -> None:
        self.entries, self.table = dict(entries), table
        self.differ = compare_entries(self.entries, table)
        super().__init__(*args, **kwargs)
        for key, unit in table.units.items():
            if key in self.differ.units:
                self._pick(unit)
            for name in ("lost", "captured"):
                self.fields[f"{name}-{key}"] = _build_figure_field(name, unit)
        for key, general in table.generals.items():
            self._choice(
                f"general-{key}",
                general.name,
                [(UNHURT, UNHURT), *((fate, fate) for fate in FATES)],
                {by: one.generals.get(key) or UNHURT for by, one in self._speaking(general.side).items()},
                f"Decide what became of {general.name} (HR-TAB-05).",
            )
        self._choice(
            "held_by",
            "Who holds the field",
            [*table.sides.items(), (NEITHER, "Neither side")],
            {by: one.held_by for by, one in self.entries.items()},
            "Both sides cannot hold the field; decide who does, or neither (HR-TAB-03).",
        )
        self._choice(
            "pursuit",
            "Pursuit",
            [(key or "rules", words) for key, words in PURSUIT_CHOICES],
            {by: one.pursuit for by, one in self.entries.items() if one.pursuit} or {"": "rules"},
            "Decide whether the pursuit was pressed (HR-TAB-06).",
        )

    def _pick(self, unit: Present) -> None:
        self.fields[f"pick-{unit.id}"] = forms.ChoiceField(
            label=unit.name,
            choices=[
                *(
                    (by or UMPIRE, f"{self.find_writer_name(by)}: {cost_words(entry.cost(unit))}")
                    for by, entry in self.entries.items()
                ),
                (OWN, "Otherwise:"),
            ],
            widget=forms.RadioSelect,
            initial=UMPIRE if "" in self.entries else None,
            error_messages=dict.fromkeys(
                ("required", "invalid_choice"), f"Decide between the entries for {unit.name} (HR-TAB-05)."
            ),
        )

    def _choice(
        self, name: str, label: str, choices: list[tuple[str, str]], said: Mapping[str, str], sentence: str
    ) -> None:
        """A choice that begins with what the entries agree on, or the umpire's own."""
        agreed = set(said.values())
        initial = said[""] if "" in said else agreed.pop() if len(agreed) == 1 else None
        self.fields[name] = forms.ChoiceField(
            label=label,
            choices=choices,
            widget=forms.RadioSelect,
            initial=initial,
            error_messages=dict.fromkeys(("required", "invalid_choice"), sentence),
        )

    def _speaking(self, side: str) -> dict[str, Entry]:
        """Entries that speak of a side's generals; where none does they are unhurt at first."""
        found = {by: entry for by, entry in self.entries.items() if by in ("", side)}
        return found or {side: Entry()}

    def find_writer_name(self, by: str) -> str:
        """What the writer of an entry is called."""
        return self.table.sides.get(by, "The umpire")

    def build_first_data(self) -> dict[str, Any]:
        """The form's first state as data, as if it had been sent untouched."""
        return {name: field.initial for name, field in self.fields.items() if field.initial is not None}

    # --- rows of the page ---

    def _row(self, unit: Present) -> ComparedUnit:
        key = unit.id
        said = "; ".join(dict.fromkeys(cost_words(entry.cost(unit)) for entry in self.entries.values()))
        pick = self[f"pick-{key}"] if key in self.differ.units else None
        side = self.table.sides.get(unit.side, unit.side)
        return ComparedUnit(unit, side, said, self[f"lost-{key}"], self[f"captured-{key}"], pick)

    @property
    def differing(self) -> list[ComparedUnit]:
        """Units on which the umpire decides."""
        return [self._row(self.table.units[key]) for key in self.differ.units]

    @property
    def agreed_units(self) -> list[ComparedUnit]:
        """Units of which all say the same."""
        return [self._row(unit) for key, unit in self.table.units.items() if key not in self.differ.units]

    @property
    def generals_told(self) -> list[Said]:
        """Generals whom an entry reports hurt."""
        return [said for said in self._generals if said.harm]

    @property
    def generals_unhurt(self) -> list[Said]:
        """Generals of whom nobody reports harm."""
        return [said for said in self._generals if not said.harm]

    @property
    def _generals(self) -> list[Said]:
        return [
            Said(
                self[f"general-{key}"],
                tuple(
                    (self.find_writer_name(by), entry.generals.get(key) or UNHURT)
                    for by, entry in self.entries.items()
                    if by in ("", general.side)
                ),
                key in self.differ.generals,
            )
            for key, general in self.table.generals.items()
        ]

    @property
    def holder(self) -> Said:
        told = tuple(
            (self.find_writer_name(by), holder_words(entry.held_by, self.table.sides))
            for by, entry in self.entries.items()
        )
        return Said(self["held_by"], told, self.differ.held_by)

    @property
    def chase(self) -> Said:
        words = dict(PURSUIT_CHOICES)
        told = tuple(
            (self.find_writer_name(by), words.get(entry.pursuit, "")) for by, entry in self.entries.items()
        )
        return Said(self["pursuit"], told, self.differ.pursuit)

    # --- what was decided ---

    def clean(self) -> dict[str, Any] | None:
        """Figures beside an entry that was not chosen count for nothing, be they what they may."""
        data = super().clean()
        for key in self.differ.units:
            if self.cleaned_data.get(f"pick-{key}", OWN) != OWN:
                for name in ("lost", "captured"):
                    self.errors.pop(f"{name}-{key}", None)
        return data

    def build_entry(self) -> Entry:
        """The decision, once the form is valid."""
        said = self.cleaned_data
        pursuit = said["pursuit"]
        return Entry(
            units={
                key: cost
                for key, unit in self.table.units.items()
                if (cost := self._cost(unit)) != UnitResult()
            },
            generals={key: fate for key in self.table.generals if (fate := said[f"general-{key}"]) != UNHURT},
            held_by=said["held_by"],
            pursuit="" if pursuit == "rules" else pursuit,
        )

    def _cost(self, unit: Present) -> UnitResult:
        said, key = self.cleaned_data, unit.id
        lost, captured = said.get(f"lost-{key}"), said.get(f"captured-{key}")
        pick = said.get(f"pick-{key}")
        if pick == OWN:
            return UnitResult(lost or 0, captured or 0)
        if pick is not None:
            return self.entries["" if pick == UMPIRE else pick].cost(unit)
        stands = next((entry.cost(unit) for entry in self.entries.values()), UnitResult())
        if lost is None and captured is None:
            return stands
        return UnitResult(
            stands.lost if lost is None else lost, stands.captured if captured is None else captured
        )

    def stands(self) -> bool:
        """Whether all is decided and can be; what is not is put beside its field."""
        if not self.is_valid():
            return False
        for fault in list_entry_faults(self.build_entry(), self.table, whole=True):
            self.refuse(fault)
        return not self.errors


def _build_figure_field(name: str, unit: Present) -> forms.IntegerField:
    label = f"SP lost by {unit.name}" if name == "lost" else f"SP captured of {unit.name}"
    field = forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=unit.sp,
        error_messages=whole_sentence("SP", unit.sp),
    )
    field.widget.attrs.update({"aria-label": label, "inputmode": "numeric", "autocomplete": "off"})
    return field
