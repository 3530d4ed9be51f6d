"""Forms of the umpire's page of a battle that waits: way, adjustments, sector (HR-TAB-11 to 14)."""

from typing import Any

from django import forms

from battles.files.schema import BattlePlan
from campaign.models import Battle
from campaign.rules.battles.plans import PlanTerms
from campaign.rules.umpire.battle_corrections import DrawGround, PlanFor, PlanLaidDown, UnitArrival
from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.selectors.battles.adjustments import AS_FOUND, DEPTHS, MOST_DRAWS, MOST_WORKS, WIDTHS, Change
from campaign.selectors.battles.battles import Force
from campaign.selectors.battles.methods import SectorSide
from campaign.web.battles.battle_forms import PlanForm
from campaign.web.forms import SentenceForm
from campaign.web.setup.ruleset_field import RulesetForm, ruleset_field
from campaign.web.umpire.correction_forms import reason_field

WAYS = (
    ("engine", "By the engine, with the campaign's own dice"),
    ("table", "On the table, with figures"),
    ("word", "By my word"),
)
CHOOSE = {"required": "Choose one of the list.", "invalid_choice": "Choose one of the list."}
NUMBER = {"required": "Enter a whole number.", "invalid": "Enter a whole number."}


class ResolutionForm(RulesetForm):
    """How a battle is to be settled, and under which rules."""

    way = forms.ChoiceField(
        label="It is settled", choices=WAYS, widget=forms.RadioSelect, error_messages=CHOOSE
    )

    def __init__(self, *args: Any, battle: Battle, rulesets: list[tuple[str, str]], **kwargs: Any) -> None:
        opened = battle.inputs["file"].get("ruleset", "")
        kwargs["initial"] = {"way": battle.way, "ruleset": battle.ruleset or opened}
        super().__init__(*args, prefix="way", **kwargs)
        said = bool(battle.way or battle.ruleset)
        self.fields["ruleset"] = ruleset_field("Under the rules", rulesets, CHOOSE)
        self.fields["reason"] = forms.CharField(
            label="Reason",
            max_length=LONGEST_REASON,
            required=False,
            help_text="Needed to change what was said; it stands in the journal." if said else "If you like.",
        )


class ReasonedForm(SentenceForm):
    """An adjustment; its last field is the reason."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.build()
        self.fields["reason"] = reason_field()

    def build(self) -> None:
        """Fields that depend on the battle."""

    def change(self) -> Change:
        """The adjustment of a valid form."""
        raise NotImplementedError


class GroundForm(ReasonedForm):
    """The ground drawn anew."""

    draw = forms.IntegerField(
        label="Drawing",
        help_text=f"1 to {MOST_DRAWS}; the first is the country's own.",
        error_messages=NUMBER,
    )
    season = forms.ChoiceField(
        label="Season",
        choices=[(each, each) for each in ("spring", "summer", "autumn", "winter")],
        error_messages=CHOOSE,
    )
    works = forms.TypedChoiceField(
        label="Works of the defender",
        coerce=int,
        choices=[
            (AS_FOUND, "as they stand"),
            (0, "none"),
            *((sp, f"{sp} SP each") for sp in range(1, MOST_WORKS + 1)),
        ],
        error_messages=CHOOSE,
    )
    wet = forms.BooleanField(label="After days of rain: fords drowned, low ground marsh", required=False)
    width = forms.IntegerField(
        label="Table, inches broad",
        help_text=f"At most {WIDTHS[1]}; six are 100 yards, whatever the rules.",
        error_messages=NUMBER,
    )
    depth = forms.IntegerField(
        label="and deep", help_text=f"{DEPTHS[0]} to {DEPTHS[1]}.", error_messages=NUMBER
    )

    def build(self) -> None:
        for name in ("draw", "width", "depth"):
            self.fields[name].widget.attrs["class"] = "narrow-number"

    def change(self) -> DrawGround:
        data = self.cleaned_data
        return DrawGround(**{name: data[name] for name in DrawGround.__dataclass_fields__})


class ArrivalsForm(ReasonedForm):
    """The game turns in which units come up."""

    def __init__(self, *args: Any, sides: tuple[Force, ...], turns: int, **kwargs: Any) -> None:
        self.sides, self.turns = sides, turns
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        for force in self.sides:
            for unit in force.units:
                field = forms.IntegerField(
                    label=f"{unit.name} comes up in turn", initial=unit.arrives or 0, error_messages=NUMBER
                )
                field.widget.attrs |= {"class": "narrow-number", "inputmode": "numeric", "min": 0}
                self.fields[unit.id] = field

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Units with their fields, by side."""
        return [
            {"force": force, "rows": [(unit, self[unit.id]) for unit in force.units]} for force in self.sides
        ]

    def change(self) -> tuple[UnitArrival, ...]:
        units = [unit for force in self.sides for unit in force.units]
        return tuple(
            UnitArrival(unit.id, self.cleaned_data[unit.id])
            for unit in units
            if self.cleaned_data[unit.id] != (unit.arrives or 0)
        )


class RainForm(ReasonedForm):
    """Whether rain spoils muskets."""

    rain = forms.ChoiceField(
        label="The weather on the field",
        choices=[
            ("none", "Dry"),
            ("rain", "Rain: fire of muskets and rifles -1"),
            ("storm", "Heavy rain: -2"),
        ],
        widget=forms.RadioSelect,
        error_messages=CHOOSE,
    )

    def change(self) -> Change:
        rain: Change = self.cleaned_data["rain"]
        return rain


class PlanLaidForm(PlanForm):
    """How a side fights, by the umpire's word."""

    def __init__(self, *args: Any, terms: PlanTerms, plan: BattlePlan, name: str, **kwargs: Any) -> None:
        super().__init__(*args, terms=terms, plan=plan, **kwargs)
        self.side, self.name, self.prefix = terms.side, name, f"plan-{terms.side}"
        self.fields["kind"].label = f"What {name} means to do"
        self.fields["flank"].label = "For turning a flank: the enemy is turned by"
        self.fields["flank"].choices = [("left", "their left"), ("right", "their right")]  # type: ignore[attr-defined]
        self.fields["boldness"].label = "How they press it"
        self.fields["then"].label = "they change to"
        self.fields["reason"] = reason_field()

    def change(self) -> PlanFor:
        plan = self.plan()
        laid = {name: getattr(plan, name) for name in PlanLaidDown.__dataclass_fields__}
        return PlanFor(self.side, PlanLaidDown(**laid))


class SectorForm(SentenceForm):
    """The units that are fought with on the table."""

    def __init__(self, *args: Any, sides: tuple[SectorSide, ...], **kwargs: Any) -> None:
        self.sides = sides
        chosen = [unit.id for side in sides for unit in side.units if unit.chosen]
        kwargs["initial"] = {"units": chosen}
        super().__init__(*args, **kwargs)
        self.fields["units"] = forms.MultipleChoiceField(
            label="Units on the table",
            choices=[(unit.id, unit.name) for side in sides for unit in side.units],
            error_messages={"required": "Choose the units for the table.", **CHOOSE},
        )

    @property
    def ticked_units(self) -> set[str]:
        """Units ticked, as sent or as proposed."""
        return set(self["units"].value() or ())
