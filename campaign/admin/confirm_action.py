"""Actions of the lists: a page says what will be done and asks why, then a service does it.

A `Question` is the form of that page. Its acts are done together for each campaign, all or none; the page
remembers which morning it was opened on, so that an old page or a second click does nothing twice.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import CHECKBOX_CLASSES, INPUT_CLASSES, SELECT_CLASSES

from campaign.admin.base import DeskAdmin
from campaign.admin.umpired_campaigns import UmpireCampaigns, get_umpire_campaigns
from campaign.ledger.world_rows import load_recorded_world
from campaign.models import Campaign, DayRecord, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import Act
from campaign.rules.world.world import World
from campaign.services.umpire.corrections import ActRefused, acts_perform
from campaign.web.forms import SentenceForm, parse_whole_number
from campaign.web.umpire.correction_forms import reason_field

#: Rows a question is asked about at once; more is a mistake, or the work of several evenings.
MOST = 300
#: Rows that are named one by one on the page that asks.
NAMED = 40


class Question(SentenceForm):
    """A question about the chosen rows, asked before an action, with the action itself."""

    key: ClassVar[str]
    label: ClassVar[str]
    button: ClassVar[str] = "Do it"
    told: ClassVar[str] = ""
    reasoned: ClassVar[bool] = True
    single: ClassVar[bool] = False
    #: Whether it takes something away, so that its button stands back behind the others.
    taking: ClassVar[bool] = False

    def __init__(
        self, *args: Any, rows: list[Any], campaign_of: Callable[[Any], Campaign], work: UmpireCampaigns
    ) -> None:
        super().__init__(*args)
        self.rows, self.campaign_of, self.work = rows, campaign_of, work
        self.build()
        if self.reasoned:
            self.fields["reason"] = reason_field()
        style_fields(self)

    @classmethod
    def fits(cls, row: Any) -> bool:
        """True if the action is possible for a row in its present state; other actions are not offered on
        the row's page.
        """
        return True

    def build(self) -> None:
        """Add the question's own fields."""

    @cached_property
    def groups(self) -> list[tuple[Campaign, list[Any]]]:
        """The rows by their campaign."""
        rows = sorted(self.rows, key=lambda row: self.campaign_of(row).pk)
        return [(campaign, list(mine)) for campaign, mine in groupby(rows, key=self.campaign_of)]

    @property
    def campaign(self) -> Campaign:
        return self.groups[0][0]

    @cached_property
    def world(self) -> World:
        """The coming morning of the first campaign."""
        return load_recorded_world(self.campaign)

    def mark(self, campaign: Campaign) -> int:
        """Return the morning of a campaign that the page has seen; an answer that comes after another
        morning is refused.
        """
        return campaign.head_id or 0

    def line(self, row: Any) -> str:
        """Describe the effect of the action on a row."""
        return str(row)

    def refusal(self) -> str:
        """Say why these rows cannot be handled together; "" if they can."""
        if self.single and len(self.rows) > 1:
            return "This is asked about one row at a time; choose one."
        return ""

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        """List the corrections that `perform` makes; for questions without a `perform` of their own.
        Forms cannot be abstract.
        """
        raise NotImplementedError

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        """Do it; gives what is told. Raises RuleViolation, and nothing is done."""
        with transaction.atomic():
            done = [
                (
                    campaign,
                    acts_perform(
                        campaign=campaign,
                        acts=self.acts(campaign, rows),
                        reason=self.cleaned_data["reason"],
                        actor=actor,
                        seen=seen.get(campaign.pk, 0),
                    ),
                )
                for campaign, rows in self.groups
            ]
        return [render_done_message(campaign, records, self.work) for campaign, records in done]

    def locate_refusal(self, violation: RuleViolation) -> RuleViolation:
        """A refusal with the row it is about, when there are several."""
        if not isinstance(violation, ActRefused) or len(self.rows) == 1 or len(self.groups) > 1:
            return violation
        rows = self.groups[0][1]
        if violation.number >= len(rows):
            return violation
        name = str(rows[violation.number])
        if name in violation.message:
            return violation
        return RuleViolation(violation.rule_id, f"{name}: {violation.message}", violation.field)


def render_done_message(campaign: Campaign, records: list[DayRecord], work: UmpireCampaigns) -> SafeString:
    """That acts are done, with the way to the journal and, for the umpire himself, to undoing them."""
    count = "It stands" if len(records) == 1 else f"{len(records)} acts; they stand"
    journal = reverse("journal-day", args=[campaign.slug, records[0].day + 1])
    told = format_html(
        '{}: done. {} in <a href="{}">the journal</a>.', work.format_title(campaign), count, journal
    )
    if campaign.pk in work.chief and records[0].parent_id:
        back = reverse("rewind", args=[campaign.slug, records[0].parent_id])
        told += format_html(' <a href="{}">Undo…</a>', back)
    return told


def build_question_action(kind: type[Question]) -> Callable[..., HttpResponse | None]:
    """The action of a list that asks a question."""

    def action(desk: DeskAdmin, request: HttpRequest, rows: Any) -> HttpResponse | None:
        return handle_question(desk, request, rows, kind)

    action.__name__ = kind.key
    action.question = kind  # type: ignore[attr-defined]
    return admin.action(description=kind.label, permissions=["view"])(action)


def handle_question(
    desk: DeskAdmin, request: HttpRequest, rows: Any, kind: type[Question]
) -> HttpResponse | None:
    """The page that asks, or what its answer does."""
    chosen = list(rows[: MOST + 1])
    if len(chosen) > MOST or not chosen:
        desk.message_user(request, f"Choose 1 to {MOST} rows at a time.", messages.WARNING)
        return None
    answered = "confirmed" in request.POST
    data = (request.POST,) if answered else ()
    question = kind(*data, rows=chosen, campaign_of=desk.campaign_of, work=get_umpire_campaigns(request))
    if sentence := question.refusal():
        desk.message_user(request, sentence, messages.WARNING)
        return None
    if answered and question.is_valid():
        seen = {
            campaign.pk: parse_whole_number(request.POST.get(f"head_{campaign.pk}", "")) or 0
            for campaign, _ in question.groups
        }
        try:
            for told in question.perform(get_umpire_campaigns(request).person, seen):
                messages.success(request, told)
        except RuleViolation as violation:
            question.refuse(question.locate_refusal(violation))
        else:
            return None
    return _render_question(desk, request, question, answered)


def _render_question(
    desk: DeskAdmin, request: HttpRequest, question: Question, answered: bool
) -> HttpResponse:
    context = {
        **desk.admin_site.each_context(request),
        "title": question.label,
        "opts": desk.opts,
        "question": question,
        "lines": [question.line(row) for row in question.rows[:NAMED]],
        "more": max(0, len(question.rows) - NAMED),
        "checkbox": ACTION_CHECKBOX_NAME,
        "back": reverse(f"umpire:{desk.opts.app_label}_{desk.opts.model_name}_changelist"),
        "heads": {
            campaign.pk: request.POST.get(f"head_{campaign.pk}", question.mark(campaign))
            for campaign, _ in question.groups
        },
    }
    return TemplateResponse(request, "umpire/ask.html", context, status=422 if answered else 200)


def style_fields(form: forms.BaseForm) -> None:
    """Give the fields the looks of the desk."""
    for field in form.fields.values():
        kinds = SELECT_CLASSES if isinstance(field.widget, forms.Select) else INPUT_CLASSES
        if isinstance(field.widget, forms.CheckboxInput):
            kinds = CHECKBOX_CLASSES
        field.widget.attrs["class"] = " ".join(kinds)


class Offering(forms.TextInput):
    """A line of text with suggestions: a long list that is searched by typing."""

    template_name = "umpire/offering.html"

    def __init__(self, offers: Iterable[str]) -> None:
        super().__init__()
        self.offers = list(offers)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        listed = f"offers-{name}"
        context["widget"] |= {"offers": self.offers, "listed": listed}
        context["widget"]["attrs"] |= {"list": listed, "autocomplete": "off"}
        return context
