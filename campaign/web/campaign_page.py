"""The campaign page's papers, read once for each request."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest

from campaign.fog.dispatches import letters_unread
from campaign.models import Job, OrderPaper
from campaign.rules.world.world import Theatre
from campaign.rules.world.world_json import order_from_json
from campaign.scenarios.head import surroundings_of
from campaign.selectors.army.returns import load_returns
from campaign.selectors.army.supply import load_supply
from campaign.selectors.battles.battles import battle_results, small_fights
from campaign.selectors.battles.table_results import load_entry_statuses
from campaign.selectors.campaign_context import Reading
from campaign.selectors.orders.fatigue_warnings import add_fatigue_warnings
from campaign.selectors.orders.orders import FormationOrders, list_march_forecasts, list_orders_received
from campaign.selectors.press.journal import (
    battles_among,
    journal_page,
    turn_entries,
    turn_events,
    weather_among,
)
from campaign.selectors.seats import seat_rows, tenure_rows
from campaign.selectors.turns.calendar import job_latest, list_enemy_reports, load_calendar
from campaign.selectors.turns.provisional_days import may_advance_one_day, turn_words
from campaign.selectors.victory import load_campaign_score
from campaign.services.turns.clock import find_clock_silence, overdue_since
from campaign.services.turns.provisional_play import run_on_refusal
from campaign.text.place_names import position_text
from campaign.web.dispatches import letters_context
from campaign.web.forms import parse_whole_number
from campaign.web.orders.march_order_forms import (
    OrderForm,
    by_duty,
    find_tasks_by_target,
    list_crossings,
    order_initial,
    standing_at,
)
from campaign.web.orders.organisation_forms import ACT_FORMS, PaperForm
from campaign.web.orders.return_forms import CHOICE_FORMS, PLACE_FORMS
from campaign.web.orders.treaty_forms import SIDE_FORMS, UMPIRE_FORMS


def base_map(theatre: Theatre) -> dict[str, str]:
    """Static files of the detailed map and of the coarse one around it, "" when there is none."""
    around = surroundings_of(theatre.base_map)
    return {
        "country": _build_file_name(theatre.base_map),
        "surroundings": _build_file_name(around) if around else "",
    }


def _build_file_name(name: str) -> str:
    return f"geo/{name}.geojson"


SHEETS = {
    "orders": "Orders",
    "returns": "Returns",
    "supply": "Food",
    "journal": "Journal",
    "battles": "Battles",
    "standing": "Standing",
    "letters": "Letters",
}
UMPIRE_SHEETS = {"day": "The day", **SHEETS}
#: What spectators are shown (HR-SET-12).
SPECTATOR_SHEETS = {key: SHEETS[key] for key in ("journal", "battles", "standing", "letters")}


class CampaignPage(Reading):
    """Everything one request reads about a campaign, with the order forms built from it."""

    @property
    def sheets(self) -> dict[str, str]:
        if self.viewer.looks_on:
            return SPECTATOR_SHEETS
        sheets = UMPIRE_SHEETS if self.viewer.is_umpire else SHEETS
        played = self.world.settings.supply != "off"
        return {key: name for key, name in sheets.items() if key != "supply" or played}

    def order_asked(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """Build the first values of the order form: the draft asked for, or the formation's current order."""
        number = parse_whole_number(asked.get("draft", ""))
        draft = next((row.paper for row in self.papers.drafts if row.paper.number == number), None)
        if draft is not None and draft.kind == OrderPaper.Kind.ACTIVITY:
            return order_initial(order_from_json(draft.body), draft.formation)
        formation = asked.get("formation", "")
        row = next((row for row in self.orders if row.seen.id == formation and self._may_choose(row)), None)
        if row is None:
            formation = ""  # what it is under would be given to whichever is chosen instead
        under = row.order if row else None
        destination = {"destination": asked["to"]} if asked.get("to") else {}
        return order_initial(under, formation) | destination

    def _may_choose(self, row: FormationOrders) -> bool:
        """True if the viewer can give this formation orders today: it is theirs and waits for no battle
        (HR-CAL-10).
        """
        return row.mine and row.seen.id not in self.ahead.waiting_formations

    def order_form(
        self, data: Any = None, *, initial: Mapping[str, Any] | None = None, further: int = 0
    ) -> OrderForm:
        """The order form; `further` asks for one more stage than are filled in."""
        atlas = self.world.theatre.atlas
        return OrderForm(
            data,
            initial=dict(initial or {}),
            further=further,
            formations=by_duty(row for row in self.orders if self._may_choose(row)),
            places=sorted(((place.id, place.name) for place in atlas.places.values()), key=_sort_by_name),
            enemies=[
                (seen.id.removeprefix("seen-"), f"{seen.name} ({position_text(seen.position, self.names)})")
                for seen in self.view.formations
                if not seen.own
            ],
            crossings=list_crossings(self.world, self.view, self.names),
            marks={
                "formation": standing_at(self.view),
                "target": find_tasks_by_target(self.world, self.view),
            },
        )

    def paper_forms(
        self, kinds: Mapping[str, type[PaperForm]], bound: PaperForm | None = None, formation: str = ""
    ) -> list[PaperForm]:
        """The short forms in which there is something to choose; `bound` takes the place of its kind.

        They begin with the formation asked for.
        """
        given: dict[str, Any] = {"world": self.world, "viewer": self.viewer, "names": self.names}
        given["initial"] = {"formation": formation}
        forms = [
            bound if bound is not None and bound.kind == kind else form(**given)
            for kind, form in kinds.items()
        ]
        return [form for form in forms if form is bound or form.possible]

    @property
    def may_treat(self) -> bool:
        """True if the viewer speaks for a side or is the umpire, and the campaign is not over."""
        return not self.world.ended and self.viewer.may_speak

    @property
    def treaties(self) -> Mapping[str, type[PaperForm]]:
        """Forms of what the viewer may settle with the enemy."""
        return UMPIRE_FORMS if self.viewer.is_umpire else SIDE_FORMS

    def mornings(self, asked: str) -> dict[str, Any]:
        """Build the slider of days; `asked` is a morning's number, counted from 1."""
        latest, number = self.world.day + 1, parse_whole_number(asked)
        return {
            "start": self.world.theatre.start,
            "latest": latest,
            "asked": number if number and number < latest else None,
        }

    def turn(self, jobs: Iterable[Job] | None = None) -> dict[str, Any]:
        """The calendar, and the last turn's events and battles; `jobs` may hold what played it."""
        if not self.campaign.day:
            return {"calendar": load_calendar(self.viewer, self.world)}
        entries = turn_entries(self.viewer, jobs)
        weather = weather_among(entries, self.world.day - 1)
        return {
            "calendar": load_calendar(self.viewer, self.world, weather),
            "events": turn_events(entries, self.world, self.names),
            "results": battle_results(self.battles, battles_among(entries), self.names),
        }

    def context(self, sheet: str, request: HttpRequest, **more: Any) -> dict[str, Any]:
        """Build the context for every drawing of the page and for the open sheet."""
        waiting = [row for row in self.battles if row.waiting]
        first = sheet == ("day" if self.viewer.is_umpire else "orders")
        turn = self.turn() if first else {"calendar": load_calendar(self.viewer, self.world)}
        context: dict[str, Any] = {
            "viewer": self.viewer,
            "campaign": self.campaign,
            **turn,
            "base_map": base_map(self.world.theatre),
            "mornings": self.mornings(request.GET.get("day", "")),
            "sheet": sheet,
            "sheets": self.sheets,
            "waiting": waiting,
            "ahead": self.ahead,
            "late": self.late,
        }
        if sheet != "letters":
            context["papers"] = self.papers
            context["ordered"] = sum(1 for row in self.orders if row.paper)
            context["idle"] = [row for row in self.orders if row.idle and not row.seen.garrison]
        if sheet == "orders":
            orders = add_fatigue_warnings(self.orders, self.world, self.campaign)
            context |= {"orders": orders, "drafts": self.papers.drafts}
            context |= {"seen": self.papers.last, "written": self.world.day}
            context["closed"] = self.late is not None and self.late.is_closed
            if self.viewer.may_order:
                if "form" not in more:
                    context["form"] = self.order_form(initial=self.order_asked(request.GET))
                if "act_forms" not in more:
                    asked = request.GET.get("formation", "")
                    context["act_forms"] = self.paper_forms(ACT_FORMS, formation=asked)
        elif sheet == "returns":
            week = request.GET.get("week", "")
            context |= {"seen": self.papers.last, "written": self.world.day}
            context["drafts"] = self.papers.choice_drafts
            if "choice_forms" not in more and (self.viewer.may_order or self.viewer.is_umpire):
                context["choice_forms"] = self.paper_forms(
                    PLACE_FORMS if self.viewer.is_umpire else CHOICE_FORMS
                )
            context["returns"] = load_returns(self.viewer, self.world, self.names, parse_whole_number(week))
        elif sheet == "journal":
            page = request.GET.get("page", "")
            context["reports"] = list_enemy_reports(self.view, self.world, self.names)
            context["rumours"] = self.view.rumours
            context["journal"] = journal_page(
                self.viewer, self.world, self.names, parse_whole_number(page) or 1
            )
        elif sheet == "battles":
            context["battles"] = self.battles
        elif sheet == "supply":
            context["supply"] = load_supply(self.viewer, self.world, self.names)
        elif sheet == "standing":
            context["standing"] = load_campaign_score(self.viewer, self.world, self.view, self.names)
            start = self.world.theatre.start
            context |= {"seats": seat_rows(self.viewer, start), "tenures": tenure_rows(self.viewer, start)}
            if "treaty_forms" not in more and self.may_treat:
                context["treaty_forms"] = self.paper_forms(self.treaties)
        elif sheet == "day":
            days = len(self.ahead.days)
            context["turn_words"] = turn_words(self.campaign, days, bool(waiting))
            context["one_day"] = may_advance_one_day(self.campaign, days, bool(waiting))
            context["turn_from"] = self.campaign.day + days * bool(waiting)
            context["run_on_refusal"] = run_on_refusal(self.campaign) if waiting else ""
            called = {side.id: side.name for side in self.world.theatre.sides}
            context["entered"] = load_entry_statuses({row.battle.pk: called for row in waiting})
            context["small_fights"] = small_fights(self.battles, self.campaign)
            context["seats"] = seat_rows(self.viewer, self.world.theatre.start)
            context["marches"] = list_march_forecasts(
                self.orders, self.world, self.names, self.ahead.waiting_formations
            )
            context["received"] = list_orders_received(self.orders, self.names)
            context["overdue"] = overdue_since(self.campaign)
            context["clock_stopped"] = find_clock_silence()
        elif sheet == "letters":
            context |= letters_context(self.campaign, request, desk=True, seat=self.viewer.seat)
        if self.viewer.is_umpire:
            context["job"] = job_latest(self.viewer)
        context["unread"] = letters_unread(self.viewer)
        return context | more


def _sort_by_name(choice: tuple[str, str]) -> str:
    return choice[1]
