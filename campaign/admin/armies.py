"""Lists about the armies: formations with their units, pools, leaders."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest
from django.urls import reverse

from battles.replay.words import troop_words
from campaign.admin.base import (
    DeskAdmin,
    campaign_filter,
    flag_filter,
    format_day_with_date,
    names_in,
    side_filter,
)
from campaign.admin.confirm_action import Offering, Question, build_question_action, style_fields
from campaign.admin.formation_page import RollPage
from campaign.admin.site import umpire_site
from campaign.admin.tables import TABLES
from campaign.admin.unit_import import ImportPage
from campaign.models import Campaign
from campaign.rules.army.organisation import detachment_id
from campaign.rules.umpire.correction_effects import FULL, LONGEST_NAME
from campaign.rules.umpire.corrections import Act, CommandFormation, PlaceFormation, Reinforce, Rename, Split
from campaign.rules.world.world import Position
from campaign.selectors.umpire.tables import annotate_formation_totals
from campaign.services.orders.day_orders import list_detachment_ids
from campaign.text.place_names import names_of
from rosters.models import Formation, Leader, Pool, Unit

BOOKS = "order_of_battle__campaign"


class NameQuestion(Question):
    """Another name for one row."""

    key, label, button, single = "rename", "Rename", "Rename", True
    of = "unit"

    def build(self) -> None:
        self.fields["name"] = forms.CharField(
            label="Name", max_length=LONGEST_NAME, initial=self.rows[0].name if self.rows else ""
        )

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [Rename(self.of, rows[0].slug, self.cleaned_data["name"])]  # type: ignore[arg-type]


# --- units ---


class PointsQuestion(Question):
    key, label, button = "points", "Give or take points", "Do it"
    told = "As many points for each of the units chosen."

    def build(self) -> None:
        self.fields["points"] = forms.IntegerField(
            label="Points, with a minus to take them",
            min_value=-FULL,
            max_value=FULL,
            help_text=f"A unit has 0 to {FULL}.",
        )
        pools = [
            (key, f"{names_of(self.world).pool(key)} ({held})")
            for key, held in sorted(self.world.pools.items())
        ]
        self.fields["pool"] = forms.ChoiceField(
            label="Out of, or into", required=False, choices=[("", "no pool"), *pools]
        )

    def refusal(self) -> str:
        if len(self.groups) > 1:
            return "Points come out of one campaign's pools: choose units of one campaign."
        return super().refusal()

    def line(self, row: Unit) -> str:
        return f"{row.name}: {row.points} points ({row.formation})"

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        data = self.cleaned_data
        return [Reinforce(row.slug, data["points"], data["pool"]) for row in rows]


class SplitQuestion(Question):
    key, label, button = "split", "Form a new formation of them", "Form it"
    told = "The units leave their formation and stand at the same spot under a name of their own."

    def build(self) -> None:
        self.fields["name"] = forms.CharField(label="What they are called", max_length=LONGEST_NAME)

    def refusal(self) -> str:
        if len({row.formation_id for row in self.rows}) > 1:
            return "Choose units of one formation: a new one is formed where they stand."
        return super().refusal()

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        formation = rows[0].formation.slug
        new = detachment_id(self.world, formation, list_detachment_ids(campaign))
        return [Split(formation, tuple(row.slug for row in rows), new, self.cleaned_data["name"])]


@admin.register(Unit, site=umpire_site)
class UnitAdmin(ImportPage, DeskAdmin):
    campaign_lookup = BOOKS
    list_display = ["name", "side", "formation", "troops", "points", "sp", "status", "campaign"]
    list_filter = [
        campaign_filter(BOOKS),
        side_filter("side__slug"),
        "status",
        flag_filter(
            "strength",
            "strength",
            {
                "weak": ("under 60 points", lambda rows: rows.filter(points__lt=60, points__gt=0)),
                "full": ("full", lambda rows: rows.filter(points=FULL)),
                "gone": ("without points", lambda rows: rows.filter(points=0)),
            },
        ),
        "troop_type",
    ]
    list_select_related = ["side", "formation", "order_of_battle__campaign"]
    search_fields = ["name", "regiment", "formation__name"]
    fields = [
        "name", "campaign", "side", "formation", "nation", "troop_type", "gun_class", "regiment", "points",
        "sp", "status", "status_since", "arriving", "departing", "home_place",
    ]  # fmt: skip
    readonly_fields = ["campaign", "sp", "status_since", "arriving", "departing", "home_place"]
    left_out = {"regiment": "regiment", "departing": "departs", "home_place": "home"}
    ordering = ["formation__name", "name"]
    actions = [
        *(build_question_action(each) for each in (PointsQuestion, NameQuestion, SplitQuestion)),
        *TABLES,
    ]
    site_word = "What befell it"

    def site_url(self, row: Unit) -> str:
        return reverse("army-unit", args=[row.order_of_battle.campaign.slug, row.slug])

    @admin.display(description="troop type", ordering="troop_type")
    def troops(self, row: Unit) -> str:
        return troop_words(row.troop_type)

    @admin.display(description="status since", ordering="since")
    def status_since(self, row: Unit) -> str:
        return format_day_with_date(self.campaign_of(row), row.since)

    @admin.display(description="arrives", ordering="arrives")
    def arriving(self, row: Unit) -> str:
        return format_day_with_date(self.campaign_of(row), row.arrives) if row.arrives else ""

    @admin.display(description="departs", ordering="departs")
    def departing(self, row: Unit) -> str:
        return "" if row.departs is None else format_day_with_date(self.campaign_of(row), row.departs)

    @admin.display(description="home")
    def home_place(self, row: Unit) -> str:
        return names_in(self.campaign_of(row)).place(row.home) if row.home else ""

    @admin.display(description="SP", ordering="points")
    def sp(self, row: Unit) -> int:
        return row.strength_points

    @admin.display(description="campaign", ordering="order_of_battle__campaign__title")
    def campaign(self, row: Unit) -> str:
        return str(row.order_of_battle.campaign)


# --- formations ---


class PlaceQuestion(Question):
    key, label, button = "place", "Put elsewhere", "Put them there"
    told = "Each stands there on the coming morning."

    def build(self) -> None:
        self.places = {place.name: key for key, place in sorted(self.world.theatre.atlas.places.items())}
        self.fields["position"] = forms.CharField(label="Place", widget=Offering(sorted(self.places)))
        style_fields(self)

    def refusal(self) -> str:
        if len(self.groups) > 1:
            return "Formations are put down on one map: choose some of one campaign."
        return super().refusal()

    def clean_position(self) -> str:
        name = " ".join(self.cleaned_data["position"].split())
        found = {each.casefold(): key for each, key in self.places.items()}.get(name.casefold())
        if found is None:
            raise forms.ValidationError(f"There is no {name} on this map; choose a place of the list.")
        return found

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [PlaceFormation(row.slug, Position(place=self.cleaned_data["position"])) for row in rows]


class HaltQuestion(Question):
    key, label, button = "halt", "Halt", "Let them halt"
    told = "Their papers for the coming day are struck, and they stay where they are."
    taking = True

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [CommandFormation(row.slug) for row in rows]


class FormationNameQuestion(NameQuestion):
    of = "formation"


@admin.register(Formation, site=umpire_site)
class FormationAdmin(RollPage, DeskAdmin):
    campaign_lookup = BOOKS
    list_display = ["name", "side", "where", "commander", "unit_count", "there", "unit_points", "campaign"]
    list_filter = [
        campaign_filter(BOOKS),
        side_filter("side__slug"),
        flag_filter(
            "on the map",
            "map",
            {
                "on": ("on the map", lambda rows: rows.filter(station__on_map=True)),
                "off": ("not on the map", lambda rows: rows.filter(station__on_map=False)),
            },
        ),
        "garrison",
    ]
    list_select_related = ["side", "station", "order_of_battle__campaign"]
    search_fields = ["name", "commander", "station__place"]
    fields = ["name", "campaign", "side", "commander", "where", "place_held"]
    readonly_fields = ["campaign", "where", "place_held"]
    ordering = ["side__slug", "name"]
    actions = [
        *(build_question_action(each) for each in (PlaceQuestion, HaltQuestion, FormationNameQuestion)),
        *TABLES,
    ]
    site_word = "Its orders"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        present = Unit.objects.filter(formation=OuterRef("pk"), status="present").order_by()
        points = present.values("formation").annotate(each=Sum("points")).values("each")
        return annotate_formation_totals(super().get_queryset(request)).annotate(present=Subquery(points))

    def site_url(self, row: Formation) -> str:
        return reverse("orders-of", args=[row.order_of_battle.campaign.slug, row.slug])

    @admin.display(description="where", ordering="station__place")
    def where(self, row: Formation) -> str:
        station = row.station
        if not station.on_map:
            return "not on the map"
        place = names_in(self.campaign_of(row)).place
        return place(station.place) if station.place else f"on the way to {place(station.destination)}"

    @admin.display(description="garrison")
    def place_held(self, row: Formation) -> str:
        return "yes" if row.garrison else "no"

    @admin.display(description="units", ordering="count")
    def unit_count(self, row: Any) -> int:
        return int(row.count or 0)

    @admin.display(description="points present", ordering="present")
    def there(self, row: Any) -> int:
        return int(row.present or 0)

    @admin.display(description="points in all", ordering="sum")
    def unit_points(self, row: Any) -> int:
        return int(row.sum or 0)

    @admin.display(description="campaign", ordering="order_of_battle__campaign__title")
    def campaign(self, row: Formation) -> str:
        return str(row.order_of_battle.campaign)


# --- pools and leaders ---


@admin.register(Pool, site=umpire_site)
class PoolAdmin(DeskAdmin):
    """Replacement points; they are given to units, or taken from them, in the list of units."""

    campaign_lookup = BOOKS
    list_display = ["__str__", "points", "campaign"]
    list_filter = [campaign_filter(BOOKS), "nation", "arm"]
    list_select_related = ["order_of_battle__campaign"]
    fields = ["nation", "arm", "points"]
    ordering = ["nation", "arm"]
    actions = TABLES

    @admin.display(description="campaign", ordering="order_of_battle__campaign__title")
    def campaign(self, row: Pool) -> str:
        return str(row.order_of_battle.campaign)


@admin.register(Leader, site=umpire_site)
class LeaderAdmin(DeskAdmin):
    campaign_lookup = BOOKS
    list_display = ["name", "rank", "side", "command", "rating", "campaign"]
    list_filter = [campaign_filter(BOOKS), side_filter("side__slug"), "rank"]
    list_select_related = ["side", "order_of_battle__campaign"]
    search_fields = ["name", "command"]
    fields = ["name", "side", "rank", "command", "rating"]
    ordering = ["side__slug", "name"]
    actions = TABLES
    site_word = "The army"

    def site_url(self, row: Leader) -> str:
        return reverse("army", args=[row.order_of_battle.campaign.slug])

    @admin.display(description="campaign", ordering="order_of_battle__campaign__title")
    def campaign(self, row: Leader) -> str:
        return str(row.order_of_battle.campaign)
