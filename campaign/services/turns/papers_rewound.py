"""What becomes of papers when the campaign goes back (HR-UMP-14)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Q

from campaign.models import Campaign, DayRecord, OrderPaper
from campaign.services.orders.day_orders import numbers_take
from campaign.services.orders.organisation import week_end

State = OrderPaper.State
Author = OrderPaper.Author


@dataclass(frozen=True, slots=True)
class ActUndone:
    """An act of the umpire's about a paper: its kind, what it was about, the morning and the moment."""

    kind: str
    paper: str
    subject: str
    day: int
    at: datetime


def list_undone_acts(steps: Sequence[DayRecord]) -> list[ActUndone]:
    """Acts about papers among steps that are undone, in the order in which they were done."""
    keys = [step.pk for step in steps if step.kind == DayRecord.Kind.ACT]
    rows = DayRecord.objects.filter(pk__in=keys).order_by("pk").values_list("inputs", "day", "created_at")
    found = []
    for inputs, day, at in rows:
        act: dict[str, Any] = inputs["act"]
        if act["kind"] == "command":
            found.append(ActUndone("command", OrderPaper.Kind.ACTIVITY, act["formation"], day, at))
        elif act["kind"] == "strike":
            due = week_end(day) if act["paper"] == OrderPaper.Kind.RETURNS else day
            found.append(ActUndone("strike", act["paper"], act["subject"], due, at))
    return found


def papers_again(campaign: Campaign, papers: Literal["stand", "draft"], acts: Sequence[ActUndone]) -> None:
    """Let papers of undone days stand again or become drafts; the staff's are void.

    What the umpire ordered by an act that is undone counts no more, and what it took the place of, or what
    he struck, counts again.
    """
    for act in reversed(acts):
        _undo_act(campaign, act)
    # drafts that lapsed with the days undone, or for returns with the week that is open again
    again = Q(day__gte=campaign.day) | Q(
        kind=OrderPaper.Kind.RETURNS, day__gte=campaign.day - campaign.day % 7
    )
    OrderPaper.objects.filter(again, campaign=campaign, state=State.LAPSED, version=0).update(
        state=State.DRAFT
    )
    undone = OrderPaper.objects.filter(
        campaign=campaign, day__gte=campaign.day, state__in=(State.CARRIED_OUT, State.STANDING)
    )
    undone.filter(author=Author.STAFF).update(state=State.REPLACED)
    peoples = undone.exclude(author=Author.STAFF)
    if papers == "draft":
        mine = peoples.exclude(author=Author.UMPIRE)
        _create_drafts(campaign, list(mine))
        mine.update(state=State.REPLACED)
    peoples.update(state=State.STANDING)


def _undo_act(campaign: Campaign, act: ActUndone) -> None:
    rows = OrderPaper.objects.filter(
        campaign=campaign, day=act.day, kind=act.paper, formation=act.subject, version__gt=0
    ).order_by("-version")
    if act.kind == "strike":
        last = rows.first()
        # one put in since counts instead, even if its author has withdrawn it
        if last is not None and last.state == State.WITHDRAWN and last.submitted_at <= act.at:
            rows.filter(pk=last.pk).update(state=State.STANDING)
        return
    ordered = rows.filter(author=Author.UMPIRE, submitted_at__lte=act.at).first()
    if ordered is None or ordered.state not in (State.STANDING, State.CARRIED_OUT):
        return
    rows.filter(pk=ordered.pk).update(state=State.REPLACED)
    before = rows.filter(version__lt=ordered.version).first()
    if before is not None and before.state == State.REPLACED and before.author != Author.STAFF:
        rows.filter(pk=before.pk).update(state=State.STANDING)


def _create_drafts(campaign: Campaign, papers: Sequence[OrderPaper]) -> None:
    """A draft of each paper, of its author and hour, which stays as its receipt says.

    One its owner has made since is kept.
    """
    known = set(
        OrderPaper.objects.filter(campaign=campaign, state=State.DRAFT).values_list(
            "day", "kind", "formation"
        )
    )
    again = [paper for paper in papers if (paper.day, paper.kind, paper.formation) not in known]
    drafts = OrderPaper.objects.bulk_create(
        OrderPaper(
            campaign=campaign,
            day=paper.day,
            kind=paper.kind,
            formation=paper.formation,
            side=paper.side,
            number=numbers_take(campaign, paper.side, 1)[0],
            body=paper.body,
            version=0,
            state=State.DRAFT,
            author=paper.author,
            submitted_by=paper.submitted_by,
        )
        for paper in again
    )
    for draft, paper in zip(drafts, again, strict=True):
        draft.submitted_at = paper.submitted_at  # which a new row has as now
    OrderPaper.objects.bulk_update(drafts, ["submitted_at"])
