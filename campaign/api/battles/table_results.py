"""Results of fights on the table: entered by the sides, compared and confirmed by the umpire (HR-TAB)."""

from collections.abc import Container
from functools import cached_property
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView, ForceShape
from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import rename_refused_fields
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import UmpireView
from campaign.fog.battles import entries_for
from campaign.models import Battle, BattleEntry
from campaign.rules.army.leaders import FATES
from campaign.rules.battles.table_results import (
    LONGEST_NOTES,
    NEITHER,
    PURSUITS,
    Entry,
    TableForces,
    UnitResult,
    compare_entries,
    entry_from_json,
    entry_to_json,
)
from campaign.selectors.battles.battles import casualties_as_if
from campaign.selectors.battles.table_results import (
    Entered,
    build_entry_status,
    build_table_roster,
    entering_side,
    entries_by_side,
    entry_by,
    may_enter,
)
from campaign.services.battles.outcomes import settlement_to_json
from campaign.services.battles.table_results import (
    battle_confirm,
    battle_entry_save,
    build_settlement,
)

STATES = ["draft", "entered"]
HELD = f"A side's id, or “{NEITHER}”; empty in a draft: not said yet."


class CostShape(Shape):
    """The losses of one unit, in SP."""

    lost = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    captured = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    destroyed = serializers.BooleanField(default=False, help_text="All that was not captured is lost.")


class ResultEntryShape(Shape):
    """A result. Units and generals left out are unhurt."""

    units = serializers.DictField(child=CostShape(), default=dict, help_text="By the unit's id.")
    generals = serializers.DictField(
        child=serializers.CharField(), default=dict, help_text=f"Fates by id: {', '.join(FATES)}."
    )
    held_by = serializers.CharField(max_length=60, allow_blank=True, default="", help_text=HELD)
    pursuit = serializers.ChoiceField(
        [word for word in PURSUITS if word], allow_blank=True, default="", help_text="Empty: by the rules."
    )
    notes = serializers.CharField(
        max_length=LONGEST_NOTES, allow_blank=True, default="", trim_whitespace=False
    )


class DecidedShape(ResultEntryShape):
    """The umpire's decision between the entries; it names the side that holds the field."""

    needed = True


class NewEntryShape(ResultEntryShape):
    """A result to keep, or to enter for the umpire to confirm."""

    state = serializers.ChoiceField(STATES, default="draft")


class PresentShape(Shape):
    """A unit on the table."""

    id = serializers.CharField()
    name = serializers.CharField()
    side = serializers.CharField()
    sp = serializers.IntegerField()
    units = serializers.ListField(
        child=serializers.CharField(),
        help_text="All that stand as one there, by id, itself first.",
    )
    goes_with = serializers.CharField(
        allow_blank=True,
        help_text="Of guns without a stand the unit they go with; they are captured or not lost.",
    )


class OfficerShape(Shape):
    """A general who may be told of."""

    id = serializers.CharField()
    name = serializers.CharField()
    side = serializers.CharField()


class EntrantShape(Shape):
    """An entry of a side, or of the umpire."""

    side = serializers.CharField(allow_blank=True, help_text="Empty: the umpire's.")
    state = serializers.ChoiceField(["none", *STATES])
    version = serializers.IntegerField(min_value=0)
    by = serializers.CharField(allow_blank=True, help_text="Who saved it last, and when.")
    entry = ResultEntryShape()


class ResultShape(EntrantShape):
    """Your side's entry, and who stands on the table."""

    open = serializers.BooleanField(help_text="Whether the battle waits for its result.")
    units = PresentShape(many=True)
    generals = OfficerShape(many=True)


class DifferencesShape(Shape):
    """Differences between entries."""

    units = serializers.ListField(child=serializers.CharField())
    generals = serializers.ListField(child=serializers.CharField())
    held_by = serializers.BooleanField()
    pursuit = serializers.BooleanField()


class EntriesShape(Shape):
    """All entries of a battle beside each other."""

    open = serializers.BooleanField()
    told = serializers.CharField(allow_blank=True, help_text="How they stand, in a sentence.")
    entries = EntrantShape(many=True)
    differences = DifferencesShape()
    units = PresentShape(many=True)
    generals = OfficerShape(many=True)


class CasualtiesShape(Shape):
    """The campaign losses of a decision; nothing has been written."""

    forces = ForceShape(many=True)


class ConfirmedShape(Shape):
    """A battle settled."""

    number = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(Battle.State.choices)
    settled_by = serializers.CharField(source="source", help_text="table: by its entries.")
    held_by = serializers.CharField(allow_blank=True, source="settlement.field_held_by")


def translate_field(field: str) -> str:
    """A field of an entry as its body has it, by the name the rules have for it (`tabletop.faults`)."""
    what, _, key = field.partition("-")
    if what == "general":
        return f"generals.{key}"
    return f"units.{key}.{what}" if what in ("lost", "captured") else field


def parse_entry(given: dict[str, Any]) -> Entry:
    """An entry as it was sent."""
    return Entry(
        units={key: UnitResult(**cost) for key, cost in given["units"].items()},
        generals=dict(given["generals"]),
        held_by=given["held_by"],
        pursuit=given["pursuit"],
        notes=given["notes"].replace("\r\n", "\n"),
    )


def build_entry_answer(entry: Entry) -> dict[str, Any]:
    """Build the answer for `ResultEntryShape`."""
    empty = {"units": {}, "generals": {}, "held_by": "", "pursuit": "", "notes": ""}
    told = empty | entry_to_json(entry)
    blank = {"lost": 0, "captured": 0, "destroyed": False}
    return told | {"units": {key: blank | row for key, row in told["units"].items()}}


def _build_row_answer(side: str, row: BattleEntry | None) -> dict[str, Any]:
    if row is None:
        return {"side": side, "state": "none", "version": 0, "by": "", "entry": build_entry_answer(Entry())}
    entry = build_entry_answer(entry_from_json(row.body))
    return {
        "side": side,
        "state": row.state,
        "version": row.version,
        "by": entry_by(row, None),
        "entry": entry,
    }


class EntryView(BattleView):
    """A view of what is entered of a battle."""

    @cached_property
    def rows(self) -> list[BattleEntry]:
        return self.load_rows()

    def load_rows(self) -> list[BattleEntry]:
        """Return the entries as they are now."""
        return list(entries_for(self.viewer, self.battle).select_related("battle__campaign").order_by("side"))

    def fresh(self) -> None:
        """Read again what was read before the campaign was held, or written since."""
        self.battle = self.load_battle()
        self.rows = self.load_rows()

    def whole(self) -> dict[str, Any]:
        """List the units on the table that concern the viewer."""
        table: TableForces = build_table_roster(self.battle, self.sides).as_seen_by(
            entering_side(self.viewer)
        )
        waits = self.battle.state == Battle.State.WAITING
        return {"open": waits, "units": table.units.values(), "generals": table.generals.values()}


class Result(EntryView):
    """The result of a battle, as your side enters it."""

    def entrant(self) -> str:
        """The side the viewer enters for, "" for the umpire; for others there is nothing here."""
        if not may_enter(self.viewer, self.battle):
            raise Http404
        return entering_side(self.viewer)

    def describe_own_entry(self, side: str) -> dict[str, Any]:
        own = next((row for row in self.rows if row.side == side), None)
        return _build_row_answer(side, own) | self.whole()

    @endpoint(
        "results_read",
        "Your entry of a result",
        answer=ResultShape,
        seen="Who commands there, a guest and the umpire: each side its own entry, and its own generals.",
    )
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Your side's entry so far, and the units an entry is about."""
        return self.describe_own_entry(self.entrant())

    @endpoint(
        "results_enter",
        "Enter a result",
        answer=ResultShape,
        body=NewEntryShape,
        scope=Scope.ORDER,
        match=True,
    )
    def put(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Keeps a draft, or enters the result for the umpire; entered again it is amended.

        Rules: HR-TAB-01 to 06, HR-CON-12.
        """
        with self.lock_campaign():
            self.fresh()
            side = self.entrant()
            demand_match(request, ResultShape(self.describe_own_entry(side)).data)
            version = next((row.version for row in self.rows if row.side == side), 0)
            entered = self.given["state"] == "entered"
            entry, actor = parse_entry(self.given), self.person
            with rename_refused_fields(translate_field):
                battle_entry_save(
                    battle=self.battle,
                    side=side,
                    entry=entry,
                    version=version,
                    actor=actor,
                    entered=entered,
                )
        self.fresh()
        return self.describe_own_entry(side)


# --- the umpire ---


class EntriesView(UmpireView, EntryView):
    """A view of all entries of a battle, for the umpire."""

    also: Container[str] = ()

    def describe_entries(self) -> dict[str, Any]:
        table = build_table_roster(self.battle, self.sides)
        told = build_entry_status(self.battle, self.rows, self.sides).told
        return {
            "told": told,
            "entries": [_build_row_answer(row.side, row) for row in self.rows],
            "differences": compare_entries(entries_by_side(self.rows), table),
            **self.whole(),
        }


class Entries(EntriesView):
    """All entries of a battle."""

    @endpoint("results_compare", "Entries beside each other", answer=EntriesShape, seen="The umpire.")
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """All entries, drafts too, and their differences (HR-TAB-05)."""
        return self.describe_entries()


class Casualties(UmpireView, EntryView):
    """The cost of a decision."""

    also: Container[str] = ()

    @endpoint(
        "results_casualties",
        "What a decision would cost",
        answer=CasualtiesShape,
        body=DecidedShape,
        scope=Scope.UMPIRE,
        seen="The umpire.",
    )
    def post(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Strengths before and after (AWI-C-BAT-01 to 04), if the result were confirmed so."""
        with rename_refused_fields(translate_field):
            settlement = settlement_to_json(build_settlement(self.battle, parse_entry(self.given)))
        keep = build_table_roster(self.battle, self.sides).unit_ids
        shown = casualties_as_if(self.viewer, self.battle, settlement, self.reading.names, keep)
        return {"forces": shown}


class Confirm(EntriesView):
    """Confirming a result."""

    @endpoint(
        "results_confirm",
        "Confirm a result",
        answer=ConfirmedShape,
        body=DecidedShape,
        scope=Scope.UMPIRE,
        match=True,
        seen="The umpire. If-Match is the ETag of the entries.",
    )
    def post(self, request: Request, slug: str, battle: int) -> Battle:
        """Settles the battle by what the umpire has decided between its entries.

        A split fight stays waiting until a job has fought the rest of it. Rules: HR-TAB-05, HR-TAB-16.
        """
        with self.lock_campaign():
            self.fresh()
            demand_match(request, EntriesShape(self.describe_entries()).data)
            seen = {row.side: row.version for row in self.rows if row.state == Entered}
            decided = parse_entry(self.given)
            with rename_refused_fields(translate_field):
                return battle_confirm(battle=self.battle, decided=decided, seen=seen, actor=self.person)
