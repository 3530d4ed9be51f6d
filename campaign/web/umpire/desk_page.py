"""What the week's desk shows: read once for each request, part by part."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from campaign.models import DayRecord, Job
from campaign.selectors.battles.battles import small_fights
from campaign.selectors.seats import SeatRow, seat_rows
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.selectors.turns.provisional_days import may_advance_one_day, turn_words
from campaign.selectors.umpire.corrections import (
    DryRun,
    compare_day_previews,
    find_day_preview,
    list_requested_days,
    list_rewind_mornings,
    mornings_alike,
)
from campaign.services.turns.clock import find_clock_silence, overdue_since
from campaign.services.turns.provisional_play import run_on_refusal
from campaign.services.turns.rewind import rewind_targets
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.map.base_map import base_map
from campaign.web.umpire.correction_forms import UmpireForm
from campaign.web.umpire.deadline_forms import RhythmForm
from campaign.web.umpire.dice import dice_entered_rows, dice_groups
from campaign.web.umpire.next_steps import GOING, Waiting, battles_waiting, format_span, next_step
from campaign.web.umpire.orders_table import SideOrders, side_orders
from campaign.web.umpire.umpire_forms import HAND_FORMS, DeadlineForm
from campaign.web.umpire.week_checklist import Checklist, week_checklist

#: Mornings to go back to that are listed openly; the others are one click further.
RECENT = 7
#: Acts that have a place of their own on the desk.
APART = ("deadline",)


@dataclass
class WeekDesk:
    """What one request reads for the page; `bound` are forms that were refused, by name."""

    desk: CampaignPage
    asked: Mapping[str, str]
    bound: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def course(self) -> list[DayRecord]:
        return rewind_targets(self.desk.campaign)

    @cached_property
    def seats(self) -> list[SeatRow]:
        return seat_rows(self.desk.viewer, self.desk.world.theatre.start)

    @cached_property
    def sides(self) -> list[SideOrders]:
        return side_orders(self.desk, self.seats)

    @cached_property
    def waiting(self) -> list[Waiting]:
        return battles_waiting(self.desk)

    @cached_property
    def run(self) -> DryRun | None:
        return self._trial()

    def _trial(self, number: int | None = None) -> DryRun | None:
        start = self.desk.world.theatre.start
        tries = [job for job in self.jobs if job.kind == "dry_run"]
        heads = mornings_alike(self.course)
        return find_day_preview(self.desk.viewer, tries, self.desk.names, start, heads, number)

    @cached_property
    def jobs(self) -> list[Job]:
        return list_requested_days(self.desk.viewer)

    @property
    def advance_job(self) -> Job | None:
        return next((job for job in self.jobs if job.kind == "advance_day"), None)

    def act_form(self) -> UmpireForm | None:
        """The form of the act that was asked for, begun with what the address says; or the one refused."""
        bound = self.bound.get("act")
        if isinstance(bound, UmpireForm):
            return bound
        kind = HAND_FORMS.get(self.asked.get("act", ""))
        if kind is None:
            return None
        desk = self.desk
        form = kind(world=desk.world, viewer=desk.viewer, names=desk.names)
        given = {name: self.asked.get(name, "") for name in form.fields}
        form.initial.update({name: value for name, value in given.items() if value})
        return form

    @property
    def _has_battle_begun(self) -> bool:
        """Whether the coming day has a battle (campaign.services.turns.rewind.day_begun)."""
        now = self.desk.campaign
        battles = (row.battle for row in self.desk.battles)
        return any(each.revision == now.revision and each.day >= now.day for each in battles)

    def undone_until(self) -> int:
        """The morning the campaign stood at before it last went back, if it is not there again; else 0."""
        for record in self.course:
            act = record.inputs["act"] if record.kind == DayRecord.Kind.ACT else {}
            if act.get("kind") == "rewind":
                until = min(int(act["from_day"]), self.desk.world.theatre.days)
                return until if until > self.desk.campaign.day else 0
        return 0

    def context(self) -> dict[str, Any]:
        """What the whole page shows."""
        return {**self._top(), **self._trial_part(), **self._rest(), **self.acts(), **self.bound}

    def acts(self) -> dict[str, Any]:
        """The part of the page that holds the acts."""
        form = self.act_form()
        return {
            "viewer": self.desk.viewer,
            "campaign": self.desk.campaign,
            "ended": self.desk.world.ended,
            "form": form,
            "kinds": [
                (key, kind.title or "Pause, or go on") for key, kind in HAND_FORMS.items() if key not in APART
            ],
        }

    def checklist(self) -> Checklist:
        return week_checklist(self.desk, self.seats, self.waiting)

    def _top(self) -> dict[str, Any]:
        desk, campaign = self.desk, self.desk.campaign
        days = len(desk.ahead.days)
        waits = bool(self.waiting)
        return {
            **desk.turn(self.jobs),
            "ahead": desk.ahead,
            "base_map": base_map(desk.world.theatre),
            "sides": self.sides,
            "waits": self.waiting,
            "job": self.advance_job,
            "working": [job for job in self.jobs if job.state in GOING],
            "step": next_step(desk, self.sides, self.waiting, self.advance_job),
            "due": format_span(campaign.deadline) if campaign.deadline else "",
            "turn_words": turn_words(campaign, days, waits),
            "one_day": may_advance_one_day(campaign, days, waits),
            "turn_from": campaign.day + days * waits,
            "run_on_refusal": run_on_refusal(campaign) if waits else "",
            "overdue": overdue_since(campaign),
            "clock_stopped": find_clock_silence(),
            "small_fights": small_fights(desk.battles, campaign),
        }

    def _trial_part(self) -> dict[str, Any]:
        run, names = self.run, self.desk.names
        other = parse_whole_number(self.asked.get("with", ""))
        shown = self._trial(other) if run is not None and other in run.others else None
        papers = [row.paper for row in self.desk.papers.organisation] + list(self.desk.papers.orders.values())
        since = 0 if run is None else sum(paper.submitted_at > run.job.created_at for paper in papers)
        compared = compare_day_previews(run, shown) if run is not None and shown is not None else None
        return {
            "run": run,
            "further": turn_words(self.desk.campaign, 0, waits=False) if self._further() else "",
            "papers_since": since,
            "compared": compared,
            "pair": (run, shown) if compared is not None else (),
            "dice": dice_groups(run, names, self.bound.get("thrown"), self.bound.get("die_error", ("", ""))),
            "dice_entered": dice_entered_rows(self.course, run, names),
        }

    def _further(self) -> bool:
        """Whether a turn may play more days than the one that is tried out."""
        campaign = self.desk.campaign
        return campaign.run_until != campaign.RunUntil.TURN or campaign.days_a_turn > 1

    def _rest(self) -> dict[str, Any]:
        desk, campaign = self.desk, self.desk.campaign
        start = desk.world.theatre.start
        steps = list_rewind_mornings(self.course, start, desk.names, begun=self._has_battle_begun)
        listed = [list(same) for _, same in groupby(steps, key=lambda step: step.date)]
        chief = desk.viewer.is_chief
        deadline = DeadlineForm(world=desk.world, viewer=desk.viewer, names=desk.names)
        return {
            "checklist": self.checklist() if self.asked.get("part") == "week" else None,
            "rhythm_form": RhythmForm(initial=asdict(rhythm_of(campaign))),
            "deadline_form": deadline,
            "recent": listed[:RECENT] if chief else [],
            "earlier": listed[RECENT:] if chief else [],
            "undone_until": self.undone_until(),
        }
