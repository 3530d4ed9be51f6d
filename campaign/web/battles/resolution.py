"""The umpire's page of a battle that waits: odds, how it is settled, adjustments (HR-TAB-11 to 14)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles.files.schema import BattleGround, BattlePlan
from campaign.fog.visibility import battles_for
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import RAIN, file_now, knows_rain, ruleset_of
from campaign.rules.battles.plans import PlanTerms
from campaign.rules.battles.ruleset_options import list_option_descriptions
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import DrawGround, PlanFor, PlanLaidDown, UnitArrival
from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.selectors.battles.adjustments import (
    AS_FOUND,
    DEPTHS,
    MOST_DRAWS,
    MOST_WORKS,
    WIDTHS,
    Change,
    drawing_now,
    ground_for,
)
from campaign.selectors.battles.battles import (
    Force,
    battle_row,
    build_battlefield_drawing,
    find_battlefield_drawing,
    list_forces,
)
from campaign.selectors.battles.methods import SectorSide, muster_rows, nobody_against, sector_sides
from campaign.selectors.battles.odds import find_battle_odds
from campaign.selectors.battles.plans import list_visible_plans
from campaign.selectors.battles.sectors import propose_sector
from campaign.selectors.battles.waiting import battle_morning, way_stands
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.methods import (
    battle_adjust,
    battle_adjustment_take_back,
    battle_split,
    battle_way_choose,
    list_rulesets,
)
from campaign.text.battle_measures import telling_under
from campaign.web.access import signed_in
from campaign.web.battles.battle_forms import PlanForm
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import SentenceForm, parse_whole_number
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
    """The method and rules by which a battle is resolved."""

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
    """Choice of rain that spoils muskets."""

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
    """A side's battle plan, set by the umpire."""

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


#: What a form posted changes, by its name: the form's key in the context.
ADJUSTING = ("ground", "arrivals", "rain")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def battle_way(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The page; a posted form is a choice or an adjustment."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("The umpire says how battles are settled.")
    battle = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if battle.state == Battle.State.SETTLED:
        messages.info(request, "The battle is settled; nothing of it changes any more.")
        return redirect("battle", slug, pk)
    page = _ResolutionPage(desk, battle, request)
    if request.method == "POST" and page.handle_post():
        return redirect("battle-way", slug, pk)
    return render(request, "campaign/battle_way.html", page.context(), status=page.status)


class _ResolutionPage:
    """One request: its forms, bound where they were posted and refused."""

    def __init__(self, desk: CampaignPage, battle: Battle, request: HttpRequest) -> None:
        self.desk, self.battle, self.request = desk, battle, request
        self.world = battle_morning(desk, battle)
        self.bound: dict[str, SentenceForm] = {}
        self.preview: BattleGround | None = None
        self.refusal = ""
        self.status = 200

    def handle_post(self) -> bool:
        """Do what was posted; False when the page is to be shown again, with what is wrong."""
        act = self.request.POST.get("act", "")
        done = {"way": self._way, "back": self._back, "split": self._split, "whole": self._whole}.get(act)
        if done is not None:
            return done()
        if act in ADJUSTING or act in self._plan_names():
            return self._adjust(act)
        raise Http404("There is no such form.")

    def _plan_names(self) -> list[str]:
        return [f"plan-{side}" for side in (self.battle.attacker, self.battle.defender)]

    def _way(self) -> bool:
        form = self._way_form(self.request.POST)
        return self._submit_form("way", form, lambda: self._choose(form))

    def _choose(self, form: ResolutionForm) -> str:
        data = form.cleaned_data
        chosen = battle_way_choose(
            battle=self.battle,
            way=data["way"],
            ruleset=data["ruleset"],
            reason=data["reason"],
            actor=self.desk.viewer.user,
        )
        return f"It is {battle_row(chosen, self.desk.world, self.desk.names).way_told}."

    def _back(self) -> bool:
        number = parse_whole_number(self.request.POST.get("number", "")) or 0
        reason = self.request.POST.get("reason", "")
        return self._do_act(
            lambda: battle_adjustment_take_back(
                battle=self.battle, number=number, reason=reason, actor=self.desk.viewer.user
            ),
            "It is taken back.",
        )

    def _whole(self) -> bool:
        return self._do_act(
            lambda: battle_split(battle=self.battle, units=(), actor=self.desk.viewer.user),
            "The whole fight is for the table.",
        )

    def _do_act(self, act: Callable[[], object], said: str) -> bool:
        try:
            act()
        except RuleViolation as violation:
            self.refusal = f"{violation.message} ({violation.rule_id})"
            self.status = 422
            return False
        messages.success(self.request, said)
        return True

    def _split(self) -> bool:
        form = self._sector_form(self.request.POST)
        return self._submit_form("split", form, lambda: self._split_so(form))

    def _split_so(self, form: SectorForm) -> str:
        units = form.cleaned_data["units"]
        split = battle_split(battle=self.battle, units=units, actor=self.desk.viewer.user)
        alone = nobody_against(sector_sides(split, self.desk.names, split.sector))
        return f"The fight is split. {alone}".strip()

    def _adjust(self, act: str) -> bool:
        form = self._forms(self.request.POST, only=act)[act]
        if "look" in self.request.POST:
            return self._look(form)
        return self._submit_form(act, form, lambda: self._adjust_so(form))

    def _adjust_so(self, form: Any) -> str:
        battle_adjust(
            battle=self.battle,
            change=form.change(),
            reason=form.cleaned_data["reason"],
            actor=self.desk.viewer.user,
            number=parse_whole_number(self.request.POST.get("number", "")),
        )
        return "It is done, and stands in the journal."

    def _look(self, form: SentenceForm) -> bool:
        """Draw the ground as it would be; nothing is written, and no reason asked for yet."""
        self.bound["ground"] = form
        assert isinstance(form, GroundForm)
        form.fields["reason"].required = False
        if form.is_valid():
            try:
                self.preview = ground_for(self.battle, self.world, form.change())
            except RuleViolation as violation:
                form.refuse(violation)
        self.status = 422 if form.errors else 200
        return False

    def _submit_form(self, name: str, form: SentenceForm, act: Callable[[], str]) -> bool:
        """Do what a form asks for, and say what `act` says of it; False when it is refused."""
        self.bound[name] = form
        if form.is_valid():
            try:
                said = act()
            except RuleViolation as violation:
                form.refuse(violation)
            else:
                messages.success(self.request, said)
                return True
        self.status = 422
        return False

    # --- forms ---

    def _way_form(self, data: Any = None) -> ResolutionForm:
        return ResolutionForm(data, battle=self.battle, rulesets=list_rulesets())

    def _sector_form(self, data: Any = None) -> SectorForm:
        chosen = self.battle.sector or propose_sector(self.battle)
        return SectorForm(data, sides=sector_sides(self.battle, self.desk.names, chosen), prefix="sector")

    def _forms(self, data: Any = None, only: str = "") -> dict[str, Any]:
        """The forms of adjustments by name, the one of that name with `data`."""
        file = file_now(self.battle)
        wet = {0: "none", -1: "rain"}.get(file.get("options", {}).get(RAIN, 0), "storm")
        sides = list_forces(self.desk.viewer, self.battle, self.desk.names)
        made: dict[str, Callable[[Any], SentenceForm]] = {
            "ground": lambda given: GroundForm(given, initial=asdict(self._drawing()), prefix="ground"),
            "arrivals": lambda given: ArrivalsForm(
                given, sides=sides, turns=file["turns"], prefix="arrivals"
            ),
            "rain": lambda given: RainForm(given, initial={"rain": wet}, prefix="rain"),
        }
        under = telling_under(ruleset_of(self.battle))
        for shown in list_visible_plans(self.desk.viewer, self.battle, self.desk.world, self.desk.names):
            made[f"plan-{shown.side}"] = lambda given, one=shown: PlanLaidForm(  # type: ignore[misc]
                given, terms=one.terms, plan=one.plan, under=under, name=self.desk.names.side(one.side)
            )
        return {
            name: make(data if name == only else None) for name, make in made.items() if only in ("", name)
        }

    def _drawing(self) -> DrawGround:
        return drawing_now(self.battle, self.world)

    def context(self) -> dict[str, Any]:
        """All that the page shows."""
        desk, battle = self.desk, self.battle
        row = battle_row(battle, desk.world, desk.names)
        sides = list_forces(desk.viewer, battle, desk.names)
        forms = {**self._forms(), **self.bound}
        stands = way_stands(desk, battle)
        sector = stands.big or stands.split
        turns, under = battle.inputs["file"]["turns"], telling_under(ruleset_of(battle))
        return {
            "viewer": desk.viewer,
            "campaign": desk.campaign,
            "calendar": load_calendar(desk.viewer, desk.world),
            "row": row,
            "heads": [(force, side.counted) for force, side in zip(sides, stands.sides, strict=True)],
            "turns": turns,
            "minutes": under.minutes,
            "table_turns": under.turns(turns),
            "table": find_battlefield_drawing(battle, desk.names),
            "would_be": build_battlefield_drawing(self.preview, battle, desk.names) if self.preview else None,
            "odds": find_battle_odds(desk.viewer, battle, desk.names),
            "odds_page": "way",
            "fight": stands.fight,
            "fighting": stands.fighting,
            "frozen": stands.frozen,
            "way_form": self.bound.get("way") or self._way_form(),
            "adjustments": stands.adjustments,
            "number": stands.number,
            "forms": forms,
            "muster": muster_rows(battle, desk.names),
            "options": list_option_descriptions(ruleset_of(battle), file_now(battle).get("options", {})),
            "rain_known": knows_rain(ruleset_of(battle)),
            "plan_forms": [forms[name] for name in self._plan_names() if name in forms],
            "drawing": stands.drawing,
            "big": stands.big,
            "stand": "brigades" if stands.pooled else "units",
            "split": stands.split,
            "beside": stands.beside,
            "alone": nobody_against(stands.sides) if sector else "",
            "sector_form": (self.bound.get("split") or self._sector_form()) if sector else None,
            "refusal": self.refusal,
            "mend": [thing for form in self.bound.values() for thing in form.to_mend],
        }
