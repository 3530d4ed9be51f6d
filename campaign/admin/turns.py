"""Lists about the course of a campaign: battles, papers, the journal."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.admin.base import (
    DeskAdmin,
    build_name_column,
    campaign_filter,
    flag_filter,
    names_in,
    side_filter,
    with_names,
)
from campaign.admin.confirm_action import Question, build_question_action
from campaign.admin.site import umpire_site
from campaign.admin.tables import TABLES
from campaign.models import Battle, Campaign, JournalEntry, OrderPaper, User
from campaign.rules.umpire.corrections import Act, CancelOrder
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.settlement import battle_settle_ask
from campaign.text.place_names import format_id
from rosters.models import Formation, Side, Unit

# --- battles ---

#: How a settled battle was settled, by its source; who was to settle it may have been said or not.
SETTLED = {"engine": Battle.Way.ENGINE, "table": Battle.Way.TABLE, "umpire": Battle.Way.WORD}


def _is_waiting(battle: Battle) -> bool:
    """True if the battle waits to be resolved in the campaign's present course."""
    return battle.state == Battle.State.WAITING and battle.revision == battle.campaign.revision


class WayQuestion(Question):
    key, label, button = "way", "Say how it is settled", "So be it"
    told = "Rules, ground, hours and weather are chosen on each battle's own page."

    @classmethod
    def fits(cls, row: Battle) -> bool:
        return _is_waiting(row)

    def build(self) -> None:
        self.fields["way"] = forms.ChoiceField(
            label="It is settled", choices=[(str(key), name) for key, name in Battle.Way.choices if key]
        )

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        data = self.cleaned_data
        with transaction.atomic():
            for battle in self.rows:
                battle_way_choose(
                    battle=battle,
                    way=data["way"],
                    ruleset=battle.ruleset,
                    reason=data["reason"],
                    actor=actor,
                )
        label = Battle.Way(data["way"]).label
        return [format_html("{}: {}, as the journal tells.", battle, label) for battle in self.rows]


class EngineQuestion(Question):
    key, label, button, reasoned = "settle", "Settle by the engine", "Let it be fought", False
    told = "The engine fights each under its rules, on what was frozen when it opened; its result stands."

    @classmethod
    def fits(cls, row: Battle) -> bool:
        return _is_waiting(row) and row.way in (Battle.Way.UNDECIDED, Battle.Way.ENGINE)

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        with transaction.atomic():
            for battle in self.rows:
                battle_settle_ask(battle=battle, actor=actor)
        return [
            format_html(
                'The engine fights the <a href="{}">{}</a>; its page tells when it is over.',
                reverse("battle", args=[battle.campaign.slug, battle.pk]),
                battle,
            )
            for battle in self.rows
        ]


@admin.register(Battle, site=umpire_site)
class BattleAdmin(DeskAdmin):
    list_display = ["name", "campaign", "on_day", "attacks", "defends", "state", "how"]
    list_filter = [
        campaign_filter("campaign"),
        "state",
        "way",
        flag_filter(
            "course",
            "course",
            {
                "present": ("as it is now", lambda rows: rows.filter(revision=F("campaign__revision"))),
                "left": ("of courses left", lambda rows: rows.exclude(revision=F("campaign__revision"))),
            },
        ),
    ]
    list_select_related = ["campaign"]
    search_fields = ["place", "route"]
    fields = [
        "campaign", "on_day", "where", "attacks", "defends", "state", "how", "ruleset", "settled_by",
        "settled_at", "opened_at",
    ]  # fmt: skip
    readonly_fields = ["on_day", "where", "attacks", "defends", "how"]
    left_out = {"settled_by": "settled_by_id", "settled_at": "settled_at", "ruleset": "ruleset"}
    ordering = ["-pk"]
    actions = [build_question_action(WayQuestion), build_question_action(EngineQuestion)]
    site_word = "The battle's page"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_names(super().get_queryset(request), attacker=Side, defender=Side)

    attacks = build_name_column("attacker", "attacker")
    defends = build_name_column("defender", "defender")

    @admin.display(description="way", ordering="way")
    def how(self, row: Battle) -> str:
        """Show the method by which the battle was resolved, or is to be."""
        return str(SETTLED.get(row.source, Battle.Way(row.way)).label)

    @admin.display(description="where")
    def where(self, row: Battle) -> str:
        names = names_in(row.campaign)
        return names.place(row.place) if row.place else names.route(row.route)

    def site_url(self, row: Battle) -> str:
        return reverse("battle", args=[row.campaign.slug, row.pk])

    @admin.display(description="battle", ordering="place")
    def name(self, row: Battle) -> str:
        return str(row.inputs["file"]["title"])

    @admin.display(description="day", ordering="day")
    def on_day(self, row: Battle) -> int:
        return row.day + 1


# --- papers ---


class StrikeQuestion(Question):
    key, label, button = "strike", "Strike", "Strike them"
    told = "What stood before each counts again; its side reads that it was struck, without the reason."
    taking = True

    @classmethod
    def fits(cls, row: OrderPaper) -> bool:
        return row.state == OrderPaper.State.STANDING and bool(row.side)

    def line(self, row: OrderPaper) -> str:
        about = getattr(row, "formation_name", "") or format_id(row.formation)
        side = getattr(row, "side_name", "") or format_id(row.side)
        return ", ".join(filter(None, (f"{row.receipt}: {row.get_kind_display()}", about))) + f" ({side})"

    def refusal(self) -> str:
        if not all(map(self.fits, self.rows)):
            return "Only papers that stand for the coming day are struck; choose among these."
        return super().refusal()

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [CancelOrder(row.kind, row.formation, row.side) for row in rows]


@admin.register(OrderPaper, site=umpire_site)
class PaperAdmin(DeskAdmin):
    """Papers put in; nobody's drafts save the umpire's own (campaign.fog.visibility.orders_for)."""

    list_display = [
        "number",
        "of_side",
        "about",
        "kind",
        "state",
        "author",
        "for_day",
        "campaign",
        "submitted_at",
    ]
    list_filter = [campaign_filter("campaign"), side_filter("side"), "state", "kind", "author"]
    list_select_related = ["campaign"]
    search_fields = ["formation"]
    fields = [
        "campaign", "number", "for_day", "of_side", "about", "kind", "state", "author", "version",
        "submitted_by", "submitted_at", "body",
    ]  # fmt: skip
    readonly_fields = ["for_day", "of_side", "about"]
    ordering = ["-pk"]
    actions = [build_question_action(StrikeQuestion)]
    site_word = "Its receipt"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).exclude(~Q(side=""), state=OrderPaper.State.DRAFT)
        return with_names(rows, side=Side, formation=Formation)

    def site_url(self, row: OrderPaper) -> str:
        return reverse("receipt", args=[row.campaign.slug, row.book, row.number])

    of_side = build_name_column("side", "side", "the umpire")
    about = build_name_column("formation", "about")

    @admin.display(description="for day", ordering="day")
    def for_day(self, row: OrderPaper) -> int:
        return row.day + 1


# --- the journal ---


@admin.register(JournalEntry, site=umpire_site)
class JournalAdmin(DeskAdmin):
    """Entries as they are written, those of days undone too; told in words on the journal's own pages."""

    list_display = [
        "what",
        "on_day",
        "hour",
        "rule",
        "of_unit",
        "of_formation",
        "at_place",
        "before",
        "after",
        "campaign",
    ]
    list_filter = [
        campaign_filter("campaign"),
        flag_filter(
            "about",
            "about",
            {
                "points": ("points", lambda rows: rows.exclude(before=None)),
                "dice": ("dice", lambda rows: rows.exclude(rolls=[])),
                "acts": ("the umpire's acts", lambda rows: rows.filter(kind="umpire_act")),
            },
        ),
    ]
    list_select_related = ["campaign"]
    search_fields = ["unit", "formation", "place", "rule", "kind"]
    fields = [
        "campaign", "on_day", "hour", "what", "rule", "read_by", "of_unit", "of_formation", "of_pool",
        "at_place", "on_route", "before", "after", "rolls", "modifiers", "data",
    ]  # fmt: skip
    readonly_fields = [
        "on_day", "hour", "what", "read_by", "of_unit", "of_formation", "of_pool", "at_place", "on_route",
    ]  # fmt: skip
    left_out = {
        "of_unit": "unit", "of_formation": "formation", "of_pool": "pool", "at_place": "place",
        "on_route": "route", "before": "before", "after": "after", "rolls": "rolls",
        "modifiers": "modifiers", "data": "data",
    }  # fmt: skip
    ordering = ["-pk"]
    actions = TABLES
    site_word = "The journal of the day"

    def site_url(self, row: JournalEntry) -> str:
        return reverse("journal-day", args=[row.campaign.slug, row.day + 1])

    @admin.display(description="what", ordering="kind")
    def what(self, row: JournalEntry) -> str:
        return format_id(row.kind)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_names(super().get_queryset(request), unit=Unit, formation=Formation)

    of_unit = build_name_column("unit", "unit")
    of_formation = build_name_column("formation", "formation")

    @admin.display(description="pool", ordering="pool")
    def of_pool(self, row: JournalEntry) -> str:
        return names_in(row.campaign).pool(row.pool) if row.pool else ""

    @admin.display(description="place", ordering="place")
    def at_place(self, row: JournalEntry) -> str:
        return names_in(row.campaign).place(row.place) if row.place else ""

    @admin.display(description="way", ordering="route")
    def on_route(self, row: JournalEntry) -> str:
        return names_in(row.campaign).route(row.route) if row.route else ""

    @admin.display(description="read by")
    def read_by(self, row: JournalEntry) -> str:
        names = names_in(row.campaign)
        sides = [names.side(side) for side in row.sides.split("|") if side]
        return ", ".join(["the umpire", *sides])

    @admin.display(description="day", ordering="day")
    def on_day(self, row: JournalEntry) -> int:
        return row.day + 1

    @admin.display(description="hour")
    def hour(self, row: JournalEntry) -> str:
        return f"{row.minute // 60}:{row.minute % 60:02}"
