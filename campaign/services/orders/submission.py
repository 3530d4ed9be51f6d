"""Orders of any kind submitted by a program: submitted, tried or saved as a draft (HR-PAP-01)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from campaign.models import Campaign, OrderPaper, User
from campaign.rules.army.organisation import Organisation, subject_of
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Order
from campaign.services.orders.drafts import (
    Kept,
    draft_discard,
    order_draft,
    organisation_draft,
    returns_draft,
)
from campaign.services.orders.march_orders import order_submit, order_withdraw
from campaign.services.orders.organisation import (
    organisation_strike,
    organisation_submit,
    returns_strike,
    returns_submit,
)

Kind = OrderPaper.Kind
State = OrderPaper.State


@dataclass(frozen=True, slots=True)
class Written:
    """An order to be submitted: a task, lines of a formation's organisation, or choices for returns.

    `day` is the day it was written for and `seen` the number of the last paper its writer knew (HR-PAP-04);
    `add` puts acts or choices on the paper that stands instead of in its place.
    """

    order: Order | None = None
    acts: Sequence[Organisation] = ()
    choices: WeekChoices | None = None
    day: int | None = None
    seen: int | None = None
    add: bool = False

    @property
    def kind(self) -> str:
        if self.order is not None:
            return Kind.ACTIVITY
        return Kind.ORGANISATION if self.acts else Kind.RETURNS

    @property
    def subject(self) -> str:
        """The formation it is about; "" for choices."""
        if self.order is not None:
            return self.order.formation
        return subject_of(self.acts[0]) if self.acts else ""


def written_submit(*, campaign: Campaign, side: str, actor: User | None, written: Written) -> OrderPaper:
    """Put a paper in. Raises RuleViolation as the service of its kind does."""
    given: dict[str, Any] = {"campaign": campaign, "side": side, "actor": actor}
    given |= {"seen": written.seen, "written": written.day}
    if written.order is not None:
        return order_submit(**given, order=written.order)
    if written.acts:
        return organisation_submit(**given, acts=written.acts, add=written.add)
    return returns_submit(**given, choices=written.choices or WeekChoices(), add=written.add)


def written_try(*, campaign: Campaign, side: str, actor: User | None, written: Written) -> None:
    """Raises RuleViolation as `written_submit` would at this moment; nothing is put in."""
    with transaction.atomic():
        written_submit(campaign=campaign, side=side, actor=actor, written=written)
        transaction.set_rollback(True)


def written_draft(*, campaign: Campaign, side: str, actor: User | None, written: Written) -> Kept:
    """Keep a paper as a draft; acts and choices go on the draft there is. Raises RuleViolation.

    One written for a day gone by is kept like the page's, and the refusal says so (HR-CAL-03).
    """
    given: dict[str, Any] = {"campaign": campaign, "side": side, "actor": actor, "written": written.day}
    with transaction.atomic():
        if written.order is not None:
            return order_draft(**given, order=written.order)
        if not written.acts:
            choices = written.choices or WeekChoices()
            return returns_draft(**given, choices=choices, seen=written.seen)
        kept = [organisation_draft(**given, act=act, seen=written.seen) for act in written.acts]
        if len({draft.formation for draft, _ in kept}) > 1:
            raise RuleViolation("HR-PAP-01", "A paper of organisation is about one formation.", "formation")
        return kept[-1]


def paper_take_back(*, paper: OrderPaper, actor: User | None) -> None:
    """Withdraw a paper, or throw a draft away. Raises RuleViolation as their services do."""
    if paper.version == 0:
        draft_discard(paper=paper, actor=actor)
    else:
        order_withdraw(paper=paper, actor=actor)


def paper_strike(*, paper: OrderPaper, number: int, actor: User | None) -> OrderPaper | None:
    """Strike a line (0 is the first) off a paper of lines; None when none is left and it is withdrawn."""
    if paper.kind == Kind.ACTIVITY:
        raise RuleViolation("HR-PAP-01", "An order has no lines to strike; withdraw it or give another.")
    strike = organisation_strike if paper.kind == Kind.ORGANISATION else returns_strike
    return strike(paper=paper, number=number, actor=actor)
