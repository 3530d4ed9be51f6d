"""The orders a day is played with, whoever submitted them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, Max

from campaign.models import Campaign, OrderPaper, PaperCount
from campaign.rules.army.organisation import (
    Detach,
    Organisation,
    in_order,
    organisation_from_json,
    organisation_to_json,
)
from campaign.rules.orders.order_json import checked_form, read_record
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import order_from_json

#: Version of the JSON of a paper that holds several choices or acts.
VERSION = 1

Kind = OrderPaper.Kind


@dataclass(frozen=True, slots=True)
class DayPapers:
    """The papers standing for one day, in order of row."""

    papers: tuple[OrderPaper, ...]

    @property
    def orders(self) -> dict[str, Order]:
        """Orders to march or work, by formation."""
        return {
            paper.formation: order_from_json(paper.body)
            for paper in self.papers
            if paper.kind == Kind.ACTIVITY
        }

    @property
    def organisation(self) -> list[Organisation]:
        """Acts of organisation as the morning carries them out."""
        return in_order(
            act for paper in self.papers if paper.kind == Kind.ORGANISATION for act in acts_of(paper)
        )

    @property
    def choices(self) -> dict[str, WeekChoices]:
        """Choices for the week's returns, by side; "" is the umpire."""
        return {paper.side: parse_week_choices(paper) for paper in self.papers if paper.kind == Kind.RETURNS}


def papers_standing(campaign: Campaign, day: int) -> DayPapers:
    """The papers that count for a campaign day."""
    standing = OrderPaper.objects.filter(campaign=campaign, day=day, state=OrderPaper.State.STANDING)
    return DayPapers(tuple(standing.order_by("pk")))


def numbers_take(campaign: Campaign, side: str, count: int) -> range:
    """The next numbers of a side's papers: they tell nothing of the other's. The campaign must be locked."""
    counted = PaperCount.objects.filter(campaign=campaign, side=side)
    if not counted.update(last=F("last") + count):
        papers = OrderPaper.objects.filter(campaign=campaign, side=side)
        last = papers.aggregate(last=Max("number"))["last"] or 0
        PaperCount.objects.create(campaign=campaign, side=side, last=last + count)
    last = counted.values_list("last", flat=True).get()
    return range(last - count + 1, last + 1)


def acts_of(paper: OrderPaper) -> list[Organisation]:
    """The acts on a paper of organisation."""
    return [organisation_from_json(row) for row in paper.body["acts"]]


def acts_to_json(acts: Iterable[Organisation]) -> dict[str, Any]:
    """The body of a paper of organisation."""
    return {"version": VERSION, "acts": [organisation_to_json(act) for act in acts]}


def same_act(one: Organisation, other: Organisation) -> bool:
    """True when two lines of organisation are the same, whatever ids their detachments have."""
    return _without_id(one) == _without_id(other)


def _without_id(act: Organisation) -> Organisation:
    if not isinstance(act, Detach):
        return act
    return replace(act, id="", order=replace(act.order, formation="") if act.order else None)


def parse_week_choices(paper: OrderPaper) -> WeekChoices:
    """Parse the choices of a week's returns."""
    return WeekChoices.from_json(paper.body)


def choices_to_json(choices: WeekChoices) -> dict[str, Any]:
    """The body of a paper of returns."""
    return {"version": VERSION, **choices.to_json()}


def choices_from_paper(data: Any) -> WeekChoices:
    """The inverse, for what came in from outside. Raises RuleViolation (HR-ORD-01)."""
    values = checked_form(data, "HR-ORD-01", VERSION)
    return read_record(WeekChoices, values, "HR-ORD-01")


def list_detachment_ids(campaign: Campaign) -> set[str]:
    """List the ids of detachments in orders and drafts; an id once written is never used again."""
    papers = OrderPaper.objects.filter(campaign=campaign, kind=OrderPaper.Kind.ORGANISATION)
    bodies = papers.values_list("body", flat=True)
    return {act["id"] for body in bodies for act in body.get("acts", ()) if "id" in act}
