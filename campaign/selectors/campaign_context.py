"""Context of one request about a campaign, for pages and programs alike: viewer and world, and what
follows.
"""

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from django.contrib.auth.models import AnonymousUser

from campaign.fog.visibility import (
    MapView,
    Viewer,
    build_viewer_world,
    campaign_of,
    map_view,
    viewer_of,
    world_late,
)
from campaign.ledger.provisional_days import Outlook, load_outlook
from campaign.ledger.world_rows import load_recorded_world
from campaign.models import Campaign, User, find_time_zone
from campaign.rules.world.world import World
from campaign.selectors.battles.battles import BattleRow, battle_rows
from campaign.selectors.orders.orders import FormationOrders, SidePapers, formation_orders, side_papers
from campaign.selectors.turns.deadlines import Late, late_for
from campaign.selectors.turns.provisional_days import ProvisionalPlay, build_provisional_play
from campaign.text.place_names import CampaignNames, names_of


@dataclass
class Reading:
    """A campaign as one viewer knows it; each part is read when first asked for."""

    viewer: Viewer

    @classmethod
    def of(cls, user: User | AnonymousUser, slug: str, *, also: Container[str] = ()) -> Self:
        """The campaign by the person's seat; `also` are roles let in besides those that have a desk.

        Raises Http404 for a person without a seat, and OnlyPublic for one whose seat does not open it.
        """
        with_head = Campaign.objects.select_related("head").defer("head__inputs", "head__commitments")
        return cls(viewer_of(user, campaign_of(user, slug, with_head), also=also))

    @property
    def past(self) -> bool:
        """True for an earlier morning (selectors/turns/past_mornings.py)."""
        return False

    @property
    def campaign(self) -> Campaign:
        return self.viewer.campaign

    @cached_property
    def world(self) -> World:
        """The morning that orders are for, as the viewer's side has it from its couriers (HR-COU-04).

        After the days that have run on, if there are any (HR-CAL-11).
        """
        return build_viewer_world(self.viewer, self.outlook.world)

    @cached_property
    def outlook(self) -> Outlook:
        if self.viewer.day_limit is not None:
            return Outlook((), world_late(self.viewer), {})
        return load_outlook(self.campaign, load_recorded_world)

    @cached_property
    def ahead(self) -> ProvisionalPlay:
        found = self.outlook
        return build_provisional_play(
            self.viewer, self.world, self.names, found.days, found.locked, self.battles
        )

    @cached_property
    def names(self) -> CampaignNames:
        """Names of everything, with moments by the viewer's clock."""
        return replace(names_of(self.world), zone=find_time_zone(self.viewer.user, self.campaign))

    @cached_property
    def view(self) -> MapView:
        return map_view(self.viewer, self.world)

    @cached_property
    def orders(self) -> list[FormationOrders]:
        if self.viewer.looks_on:
            return []
        return formation_orders(self.viewer, self.view, self.names, self.papers)

    @cached_property
    def papers(self) -> SidePapers:
        return side_papers(self.viewer, self.world, self.names)

    @cached_property
    def battles(self) -> list[BattleRow]:
        return battle_rows(self.viewer, self.world, self.names)

    @cached_property
    def late(self) -> Late | None:
        """Consequences for the viewer's side of a deadline that has passed; None while it has not (HR-
        CAL-04).
        """
        return late_for(self.campaign, self.viewer.side) if self.viewer.may_order else None
