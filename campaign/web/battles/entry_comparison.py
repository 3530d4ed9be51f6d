"""A battle's entries side by side: the umpire decides, sees the casualties and confirms (HR-TAB-05)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.fog.battles import entries_for, photos_for
from campaign.fog.visibility import battles_for
from campaign.models import Battle
from campaign.rules.army.leaders import FATES
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.battles.table_results import (
    NEITHER,
    Entry,
    Present,
    TableForces,
    UnitResult,
    compare_entries,
    list_entry_faults,
)
from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world_json import to_canonical_json
from campaign.selectors.battles.battles import battle_row, casualties_as_if
from campaign.selectors.battles.table_results import (
    Entered,
    build_entry_status,
    build_table_roster,
    entries_by_side,
    entry_by,
)
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.outcomes import settlement_to_json
from campaign.services.battles.table_results import battle_confirm, build_settlement
from campaign.web.access import is_fragment, signed_in
from campaign.web.battles.table_result_forms import PURSUIT_CHOICES, cost_words, holder_words
from campaign.web.campaign_page import CampaignPage
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
        """True if an entry reports a general hurt."""
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
        """Name the writer of an entry."""
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
        """True if everything is decided and allowed; otherwise errors are put beside their fields."""
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


LOOK_AGAIN = "These are the casualties of what you have decided. Look at them, and confirm once more."
#: Why a page that was open before cannot be confirmed.
OTHER_RULES = (
    "Other rules were chosen for this battle since you opened the page, and the figures entered were taken "
    "back, for they may count in other points. Have the result entered anew, then confirm it. (HR-BAT-13)"
)
TAKEN_BACK = (
    "What was entered has been taken back since you opened the page, to be amended. Wait until it is entered "
    "again, then confirm it. (HR-TAB-05)"
)

CONFIRMED = "The result is confirmed; it counts when you go on with the day."
REST_FOUGHT = "The result is confirmed. The engine fights the rest of the field; then the battle is settled."


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entries_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Entries side by side with what they would cost; posted, the result is confirmed.

    A script asks for the casualties alone.
    """
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("The umpire compares what was entered.")
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    if found.state == Battle.State.SETTLED:
        if is_fragment(request):
            return HttpResponse(headers={"HX-Refresh": "true"})
        return redirect("battle", slug, pk)
    page = _ComparePage(desk, found)
    if request.method != "POST":
        return page.render_page(request, page.form(), page.form(page.form().build_first_data()))
    overtaken = page.find_obstacle(request.POST.get("rules", ""))
    if overtaken and is_fragment(request):
        return render(request, "campaign/_casualties.html", {"overtaken": overtaken})
    if overtaken:
        messages.error(request, f"Nothing was confirmed. {overtaken}")
        return redirect("battle-compare", slug, pk)
    form = page.form(request.POST)
    if is_fragment(request):
        return render(request, "campaign/_casualties.html", page.casualties(form))
    return page.confirm_result(request, form)


class _ComparePage:
    """Everything one request reads about the entries of a battle."""

    def __init__(self, desk: CampaignPage, found: Battle) -> None:
        self.desk, self.battle = desk, found
        self.rows = list(entries_for(desk.viewer, found).select_related("battle__campaign"))
        self.entries = entries_by_side(self.rows)
        self.seen = {row.side: row.version for row in self.rows if row.state == Entered}
        self.names = {side: desk.names.side(side) for side in (found.attacker, found.defender)}
        self.table: TableForces = build_table_roster(found, self.names)

    def find_obstacle(self, rules: str) -> str:
        """Why a form opened under these rules cannot be confirmed any more; "" when it can."""
        if rules not in ("", ruleset_of(self.battle)):
            return OTHER_RULES
        return "" if self.entries else TAKEN_BACK

    def form(self, data: Any = None) -> CompareForm:
        return CompareForm(data, entries=self.entries, table=self.table)

    def _settlement(self, form: CompareForm) -> Settlement | None:
        if not self.entries or not form.stands():
            return None
        return build_settlement(self.battle, form.build_entry())

    def _print(self, settlement: Settlement) -> str:
        """Names what was looked at: the entries and what they would settle."""
        looked = {"seen": self.seen, "settlement": settlement_to_json(settlement)}
        return hashlib.sha256(to_canonical_json(looked)).hexdigest()[:24]

    def casualties(self, form: CompareForm) -> dict[str, Any]:
        """Find the campaign losses of a decision, as the battle's page shows them once it is resolved
        (AWI-C-BAT-01 to 04).
        """
        settlement = self._settlement(form)
        if settlement is None:
            return {"undecided": form.to_mend}
        shown = casualties_as_if(
            self.desk.viewer,
            self.battle,
            settlement_to_json(settlement),
            self.desk.names,
            self.table.unit_ids,
        )
        return {"forces": shown, "looked": self._print(settlement), "split": bool(self.battle.sector)}

    def render_page(
        self, request: HttpRequest, form: CompareForm, reckoned: CompareForm, status: int = 200, **more: Any
    ) -> HttpResponse:
        viewer, desk = self.desk.viewer, self.desk
        context = {
            "viewer": viewer,
            "campaign": desk.campaign,
            "calendar": load_calendar(viewer, desk.world),
            "row": battle_row(self.battle, desk.world, desk.names),
            "form": form,
            "rules": ruleset_of(self.battle),
            "standing": build_entry_status(self.battle, self.rows, self.names),
            "entries": [
                (
                    form.find_writer_name(row.side),
                    entry_by(row, viewer.user),
                    row.body.get("notes", ""),
                    row.state == Entered,
                )
                for row in self.rows
            ],
            "missing": [name for side, name in self.names.items() if side not in self.entries],
            "photos": photos_for(viewer, self.battle).defer("image"),
            **self.casualties(reckoned),
        }
        return render(request, "campaign/battle_compare.html", context | more, status=status)

    def confirm_result(self, request: HttpRequest, form: CompareForm) -> HttpResponse:
        """Confirm what was decided, if its casualties have been seen."""
        settlement = self._settlement(form)
        if settlement is None:
            return self.render_page(request, form, form, status=422, mend=form.to_mend)
        if request.POST.get("looked") != self._print(settlement):
            return self.render_page(request, form, form, look_again=LOOK_AGAIN)
        try:
            settled = battle_confirm(
                battle=self.battle, decided=form.build_entry(), seen=self.seen, actor=self.desk.viewer.user
            )
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
            return redirect("battle-compare", self.desk.campaign.slug, self.battle.pk)
        said = CONFIRMED if settled.state == Battle.State.SETTLED else REST_FOUGHT
        messages.success(request, said)
        return redirect("battle", self.desk.campaign.slug, self.battle.pk)
