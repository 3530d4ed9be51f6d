"""The campaign page's papers, read once for each request."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from campaign.models import Campaign, Seat, User
from campaign.narration import Names, names_of, position_text
from campaign.rules.world import World
from campaign.selectors.battles import BattleRow, battle_rows, small_fights
from campaign.selectors.journal import journal_page
from campaign.selectors.orders import (
    FormationOrders,
    SidePapers,
    formation_orders,
    orders_received,
    side_papers,
)
from campaign.selectors.returns import returns
from campaign.selectors.standing import calendar, job_latest, reports_known, seats
from campaign.selectors.supply import supply
from campaign.selectors.victory import standing
from campaign.services.clock import clock_stopped, overdue_since
from campaign.services.deadlines import schedule_of
from campaign.state import world_load
from campaign.visibility import MapView, Viewer, map_view, viewer_of
from campaign.web.base_map import base_map
from campaign.web.clock_forms import ScheduleForm
from campaign.web.forms import OrderForm, order_initial, whole_number
from campaign.web.paper_forms import ACT_FORMS, PaperForm
from campaign.web.return_forms import CHOICE_FORMS
from campaign.web.treaty_forms import SIDE_FORMS, UMPIRE_FORMS

SHEETS = {
    "orders": "Orders",
    "returns": "Returns",
    "supply": "Food",
    "journal": "Journal",
    "battles": "Battles",
    "standing": "Standing",
}
UMPIRE_SHEETS = {"day": "The day", **SHEETS}


@dataclass
class Desk:
    """What one request reads of a campaign: viewer and world, and from them the papers."""

    viewer: Viewer

    @classmethod
    def of(cls, user: User | AnonymousUser, slug: str) -> "Desk":
        """The desk of the person's seat. Raises Http404 for a person without one."""
        return cls(viewer_of(user, get_object_or_404(Campaign, slug=slug)))

    @property
    def campaign(self) -> Campaign:
        return self.viewer.campaign

    @cached_property
    def world(self) -> World:
        return world_load(self.campaign)

    @cached_property
    def names(self) -> Names:
        return names_of(self.world)

    @cached_property
    def view(self) -> MapView:
        return map_view(self.viewer, self.world)

    @cached_property
    def orders(self) -> list[FormationOrders]:
        return formation_orders(self.view, self.names, self.papers)

    @cached_property
    def papers(self) -> SidePapers:
        return side_papers(self.viewer, self.world, self.names)

    @cached_property
    def battles(self) -> list[BattleRow]:
        return battle_rows(self.viewer, self.world, self.names)

    @property
    def sheets(self) -> dict[str, str]:
        sheets = UMPIRE_SHEETS if self.viewer.is_umpire else SHEETS
        played = self.world.settings.supply != "off"
        return {key: name for key, name in sheets.items() if key != "supply" or played}

    def order_form(self, data: Any = None, *, formation: str = "", to: str = "") -> OrderForm:
        """The order form, filled with the order a formation is under when it names one."""
        rows = {row.seen.id: row for row in self.orders}
        chosen = rows.get(formation)
        initial = order_initial(chosen.order if chosen else None, formation)
        if to:
            initial["destination"] = to
        places = self.world.theatre.atlas.places.values()
        return OrderForm(
            data,
            initial=initial,
            formations=[
                (row.seen.id, f"{row.seen.name} ({row.where})")
                for row in rows.values()
                # A garrison holds its place (HR-FOR-03).
                if not row.seen.garrison and self.viewer.commands(row.seen.id)
            ],
            places=sorted(((place.id, place.name) for place in places), key=lambda pair: pair[1]),
            enemies=[
                (seen.id.removeprefix("seen-"), f"{seen.name} ({position_text(seen.position, self.names)})")
                for seen in self.view.formations
                if not seen.own
            ],
            crossings=sorted(
                (
                    (route.id, self.names.route(route.id))
                    for route in self.world.theatre.atlas.routes.values()
                    if route.crossing in ("bridge", "ferry")
                ),
                key=lambda pair: pair[1],
            ),
        )

    def paper_forms(
        self, kinds: Mapping[str, type[PaperForm]], bound: PaperForm | None = None
    ) -> list[PaperForm]:
        """The short forms in which there is something to choose; `bound` takes the place of its kind."""
        given = {"world": self.world, "side": self.viewer.side, "names": self.names}
        forms = [
            bound if bound is not None and bound.kind == kind else form(**given)  # type: ignore[arg-type]
            for kind, form in kinds.items()
        ]
        return [form for form in forms if form.possible]

    @property
    def may_treat(self) -> bool:
        """Whether the viewer speaks for a side or is the umpire, and the campaign is not over."""
        return not self.world.ended and self.viewer.role != Seat.Role.COLUMN

    @property
    def treaties(self) -> Mapping[str, type[PaperForm]]:
        """Forms of what the viewer may settle with the enemy."""
        return UMPIRE_FORMS if self.viewer.is_umpire else SIDE_FORMS

    def context(self, sheet: str, request: HttpRequest, **more: Any) -> dict[str, Any]:
        """What every drawing of the page needs, and what the open sheet needs."""
        waiting = [row for row in self.battles if row.waiting]
        context: dict[str, Any] = {
            "viewer": self.viewer,
            "campaign": self.campaign,
            "calendar": calendar(self.viewer, self.world),
            "base_map": base_map(self.world.theatre),
            "sheet": sheet,
            "sheets": self.sheets,
            "waiting": waiting,
            "papers": self.papers,
            "ordered": sum(1 for row in self.orders if row.paper),
            "idle": [row for row in self.orders if row.idle and not row.seen.garrison],
        }
        if sheet == "orders":
            context |= {"orders": self.orders}
            if not self.viewer.is_umpire:
                asked = request.GET
                context["form"] = self.order_form(
                    formation=asked.get("formation", ""), to=asked.get("to", "")
                )
                if "act_forms" not in more:
                    context["act_forms"] = self.paper_forms(ACT_FORMS)
        elif sheet == "returns":
            week = request.GET.get("week", "")
            if not self.viewer.is_umpire and "choice_forms" not in more:
                context["choice_forms"] = self.paper_forms(CHOICE_FORMS)
            context["returns"] = returns(self.viewer, self.world, self.names, whole_number(week))
        elif sheet == "journal":
            page = request.GET.get("page", "")
            context["reports"] = reports_known(self.view, self.world, self.names)
            context["rumours"] = self.view.rumours
            context["journal"] = journal_page(self.viewer, self.world, self.names, whole_number(page) or 1)
        elif sheet == "battles":
            context["battles"] = self.battles
        elif sheet == "supply":
            context["supply"] = supply(self.viewer, self.world, self.names)
        elif sheet == "standing":
            context["standing"] = standing(self.viewer, self.world, self.view, self.names)
            if "treaty_forms" not in more and self.may_treat:
                context["treaty_forms"] = self.paper_forms(self.treaties)
        elif sheet == "day":
            context["small_fights"] = small_fights(self.battles, self.campaign)
            context["seats"] = seats(self.campaign)
            context["received"] = orders_received(self.orders, self.names)
            context["overdue"] = overdue_since(self.campaign)
            context["clock_stopped"] = clock_stopped()
            if "schedule_form" not in more:
                context["schedule_form"] = ScheduleForm(initial=asdict(schedule_of(self.campaign)))
        if self.viewer.is_umpire:
            context["job"] = job_latest(self.viewer)
        return context | more
