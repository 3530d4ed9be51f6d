"""Shared parts of all lists of the umpire's desk: row selection, search and filters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.text import capfirst
from unfold.widgets import UnfoldBooleanWidget

from campaign.admin.read_only_admin import LookedAdmin
from campaign.admin.umpired_campaigns import get_umpire_campaigns
from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.text.place_names import CampaignNames, format_id, names_of_theatre
from campaign.text.unit_names import day_words
from campaign.web.forms import parse_whole_number
from rosters.models import Side


def _build_checkbox(words: str) -> UnfoldBooleanWidget:
    return UnfoldBooleanWidget({"class": "action-select", "aria-label": words}, lambda value: False)


#: What the address of a list holds besides filters: what is looked for, the page, the order.
LIST_WORDS = frozenset({"q", "p", "o", "e", "all"})
#: What a row has where it has nothing.
NOTHING: tuple[Any, ...] = (None, "", [], {})


class DeskAdmin(LookedAdmin):
    """Rows of the campaigns the person works in. `campaign_lookup` leads from a row to its campaign.

    Rows are looked at here and changed by questions (`campaign.admin.confirm_action`), which call the
    services.
    """

    campaign_lookup = "campaign"
    list_fullwidth = True
    list_per_page = 50
    show_full_result_count = False
    list_filter_sheet = True
    list_select_related: Sequence[str] = ()
    compressed_fields = True
    view_on_site = False
    change_form_template = "umpire/change_form.html"
    change_form_outer_before_template = "umpire/_site_link.html"
    #: Where on the site a row is worked on: the word of the link.
    site_word: ClassVar[str] = ""
    #: Fields left out of the page of a row that has nothing there: the name of each, and what of the row it
    #: tells.
    left_out: ClassVar[Mapping[str, str]] = {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return (
            super()
            .get_queryset(request)
            .filter(**{f"{self.campaign_lookup}__in": get_umpire_campaigns(request).campaigns})
        )

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """A row of the person's, read once for each request."""
        kept = request.__dict__.setdefault("_desk_rows", {})
        key = (self.opts.label, object_id, from_field)
        if key not in kept:
            kept[key] = super().get_object(request, object_id, from_field)
        return kept[key]

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """The columns; the campaign's only for who works in several, by address if two share a title."""
        mine = get_umpire_campaigns(request).campaigns.values()
        column = "campaign" if len({each.title for each in mine}) == len(mine) else "address"
        shown = [column if each == "campaign" else each for each in super().get_list_display(request)]
        return shown if len(mine) > 1 else [each for each in shown if each != "campaign"]

    @admin.display(description="campaign")
    def address(self, row: Any) -> str:
        return self.campaign_of(row).slug

    def campaign_of(self, row: Any) -> Campaign:
        """The campaign a row belongs to."""
        for name in self.campaign_lookup.split("__"):
            row = row if name == "pk" else getattr(row, name)
        assert isinstance(row, Campaign)
        return row

    def get_urls(self) -> list[URLPattern]:
        """The list, a row's page and our own; no history, no adding, no deleting."""
        start = f"{self.opts.app_label}_{self.opts.model_name}_"
        gone = {f"{start}{page}" for page in ("add", "history", "delete")}
        return [each for each in super().get_urls() if each.name not in gone and each.name]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if any(parse_whole_number(key) is None for key in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            raise Http404("There is no such row of yours.")
        try:
            title = capfirst(str(self.opts.verbose_name_plural))
            return super().changelist_view(request, {"title": title, **(extra_context or {})})
        except DisallowedModelAdminLookup:
            strange = sorted(key for key in request.GET if key not in self.lookups | LIST_WORDS)
            told = f"This list cannot be filtered by {', '.join(strange)[:200]}; here is all of it."
            self.message_user(request, told, messages.WARNING)
            return redirect(request.path)

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        raise Http404("There is no such row of yours.")

    @admin.display(description="choose")
    def action_checkbox(self, obj: Any) -> str:
        return _build_checkbox(f"Choose {self.word_for(obj)}").render(ACTION_CHECKBOX_NAME, str(obj.pk))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields of a row's page, without those there is nothing in."""
        empty = [name for name, path in self.left_out.items() if getattr(obj, path, None) in NOTHING]
        return [each for each in super().get_fields(request, obj) if each not in empty]

    def row_actions(self, request: HttpRequest, row: Any) -> list[tuple[str, str, bool]]:
        """List the actions possible now for one row: key and label of each question, and whether it
        removes something.
        """
        return [
            (key, str(label), action.question.taking)
            for action, key, label in self.get_actions(request).values()
            if hasattr(action, "question") and action.question.fits(row)
        ]

    def word_for(self, row: Any) -> str:
        """Name a row for pages that show several lists together."""
        return str(row)

    def site_url(self, row: Any) -> str:
        """The page of the site about a row, "" if there is none."""
        return ""

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A row to look at; what is changed of it is asked for in the list, or by forms of our own."""
        if request.method not in ("GET", "HEAD"):
            raise Http404("Rows are changed by the list's actions.")
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404("There is no such row of yours.")
        context = {
            "site_link": self.site_url(row),
            "site_word": self.site_word,
            "row_actions": self.row_actions(request, row),
            "row_list": reverse(f"umpire:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            "row_box": ACTION_CHECKBOX_NAME,
            **(extra_context or {}),
        }
        return super().change_view(request, object_id, form_url, {"show_save": False, **context})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(get_umpire_campaigns(request).campaigns)


def shown_as(path: str, words: str) -> Any:
    """A column or field for what stands at `path` of a row, under the words the site has for it."""

    @admin.display(description=words, ordering=path)
    def show_value(desk: DeskAdmin, row: Any) -> Any:
        told = getattr(row, f"get_{path}_display", None)
        value = told() if told is not None else getattr(row, path)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "" if value is None else value

    return show_value


def with_names(rows: QuerySet[Any], **models: type[Model]) -> QuerySet[Any]:
    """Rows of campaigns with what the slugs in these columns are called, each as `<column>_name`."""
    names = {}
    for path, model in models.items():
        own = {"order_of_battle": OuterRef("campaign__order_of_battle"), "slug": OuterRef(path)}
        found = model._default_manager.filter(**own).order_by().values("name")
        names[f"{path}_name"] = Subquery(found[:1])
    return rows.annotate(**names)


def build_name_column(path: str, words: str, otherwise: str = "") -> Any:
    """A column or field for what `with_names` has found, its slug in words where nothing has that name."""

    @admin.display(description=words, ordering=f"{path}_name")
    def show_name(desk: DeskAdmin, row: Any) -> str:
        return getattr(row, f"{path}_name") or format_id(getattr(row, path)) or otherwise

    return show_name


def campaign_filter(lookup: str) -> type[SimpleListFilter]:
    """The filter by campaign of a list from whose rows `lookup` leads to it."""

    class ByCampaign(SimpleListFilter):
        title = "campaign"
        parameter_name = "of"

        def lookups(self, request: HttpRequest, model_admin: Any) -> Iterator[tuple[str, str]]:
            work = get_umpire_campaigns(request)
            for campaign in work.campaigns.values():
                yield campaign.slug, work.format_title(campaign)

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            mine = get_umpire_campaigns(request).campaigns.values()
            chosen = next((each for each in mine if each.slug == self.value()), None)
            return queryset if chosen is None else queryset.filter(**{lookup: chosen})

        def has_output(self) -> bool:
            return len(self.lookup_choices) > 1

    return ByCampaign


def side_filter(lookup: str) -> type[SimpleListFilter]:
    """The filter by side, as its slug."""

    class BySide(SimpleListFilter):
        title = "side"
        parameter_name = "side"

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            sides = Side.objects.filter(order_of_battle__campaign__in=get_umpire_campaigns(request).campaigns)
            return sorted(dict(sides.values_list("slug", "name")).items())

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            known = {key for key, _ in self.lookup_choices}
            return queryset.filter(**{lookup: self.value()}) if self.value() in known else queryset

    return BySide


def flag_filter(
    words: str, name: str, choices: dict[str, tuple[str, Callable[[Any], Any]]]
) -> type[SimpleListFilter]:
    """A filter of a few choices of our own: by key its words and what it makes of the rows."""

    class ByChoice(SimpleListFilter):
        title = words
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(key, told) for key, (told, _) in choices.items()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return choices[self.value() or ""][1](queryset) if self.value() in choices else queryset

    return ByChoice


def format_day_with_date(campaign: Campaign, day: int) -> str:
    """A campaign day, 0 for the first, as the site counts it, with its date: "day 5, 19 June"."""
    try:
        date = day_words(theatre_load(campaign).start, day)
    except RuleViolation:
        return f"day {day + 1}"
    return f"day {day + 1}, {date}"


def names_in(campaign: Campaign) -> CampaignNames:
    """Return the names of places, routes and sides of a campaign; the ids themselves if its scenario
    cannot be read (the dashboard says so).
    """
    try:
        return names_of_theatre(theatre_load(campaign))
    except RuleViolation:
        return CampaignNames()
