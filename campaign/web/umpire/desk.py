"""The umpire's desk: the page from which the umpire runs a club evening, and what it adds to the map."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from campaign.models import DayRecord, Job
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.umpire.corrections import EnterDie
from campaign.rules.world.markers import Position
from campaign.rules.world.world import World
from campaign.selectors.battles.battles import small_fights
from campaign.selectors.map.geojson import MARGIN, find_coordinates, map_features
from campaign.selectors.seats import SeatRow, seat_rows
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.selectors.turns.provisional_days import may_advance_one_day, turn_words
from campaign.selectors.umpire.corrections import (
    DryRun,
    compare_day_previews,
    describe_correction,
    find_day_preview,
    list_requested_days,
    list_rewind_mornings,
    mornings_alike,
)
from campaign.services.turns.clock import find_clock_silence, overdue_since
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.dice import DieRefused, dice_enter
from campaign.services.turns.provisional_play import run_on_refusal
from campaign.services.turns.rewind import rewind_targets
from campaign.services.turns.runs import rerun_request
from campaign.services.umpire.corrections import act_perform, find_act_since
from campaign.text.event_sentences import end_sentence
from campaign.text.place_names import CampaignNames
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage, base_map
from campaign.web.forms import parse_whole_number
from campaign.web.umpire.correction_forms import HAND_FORMS, DeadlineForm, UmpireForm
from campaign.web.umpire.deadline_forms import RhythmForm
from campaign.web.umpire.dice import dice_entered_rows, dice_groups, parse_dice
from campaign.web.umpire.next_steps import GOING, Waiting, battles_waiting, format_span, next_step
from campaign.web.umpire.orders_table import DeskRow, SideOrders, desk_rows, side_orders
from campaign.web.umpire.week_checklist import Checklist, week_checklist

Feature = dict[str, Any]


def march_halts(rows: Iterable[DeskRow]) -> Iterator[Feature]:
    """The nights and the end of each ordered march, with the date and what a forced day may cost."""
    for row in rows:
        if row.march is None:
            continue
        for mark in row.march.marks:
            lat, lon = mark["at"]
            yield _build_point(
                "halt",
                [lon, lat],
                kind=mark["kind"],
                word=mark["word"],
                loss=mark["loss"],
                tint=row.overview.orders.tint,
                name=row.overview.orders.seen.name,
            )


def trial_features(run: DryRun | None, world: World, names: CampaignNames) -> list[Feature]:
    """Arrows from morning to evening and swords where battles are expected, of a trial that still counts."""
    if run is None or run.stale or not run.found:
        return []
    atlas = world.theatre.atlas
    moves = (_build_move(row, world, atlas, names) for row in run.found["moves"])
    battles = zip(run.found["battles"], run.battles, strict=True)
    return [
        *(move for move in moves if move is not None),
        *(_build_expected(row, words, atlas) for row, words in battles if not row.get("settled")),
    ]


def bounds_of(rows: Iterable[DeskRow], features: Iterable[Feature], otherwise: list[Any]) -> list[Any]:
    """South-west and north-east corner, latitude first, of all that is under orders or moves in the trial."""
    spots = [(lat, lon) for row in rows if row.march for lat, lon in json.loads(row.march.path_json)]
    for feature in features:
        at = feature["geometry"]["coordinates"]
        spots += [(lat, lon) for lon, lat in (at if feature["geometry"]["type"] == "LineString" else [at])]
    if not spots:
        return otherwise
    lats, lons = zip(*spots, strict=True)
    return [
        [min(lats) - MARGIN / 2, min(lons) - MARGIN],
        [max(lats) + MARGIN / 2, max(lons) + MARGIN],
    ]


def _build_move(row: Mapping[str, Any], world: World, atlas: Atlas, names: CampaignNames) -> Feature | None:
    """An arrow; None for a body that came on the map, or left it."""
    if row["from"] is None or row["to"] is None:
        return None
    formation = world.formations.get(row["formation"])
    ends = [find_coordinates(Position(**row[end]), atlas) for end in ("from", "to")]
    return {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": ends},
        "properties": {
            "feature": "move",
            "tint": names.tint(formation.side) if formation is not None else "",
            "name": f"{names.formation(row['formation'])}, as tried out",
        },
    }


def _build_expected(row: Mapping[str, Any], words: str, atlas: Atlas) -> Feature:
    if row["place"]:
        spot = Position(place=row["place"])
    else:
        route = atlas.routes[row["route"]]
        yards = row.get("yards", route.yards // 2)
        spot = Position(route=route.id, origin=route.a, destination=route.b, yards=yards)
    return _build_point("expected", find_coordinates(spot, atlas), name=words)


def _build_point(feature: str, at: list[float], **properties: Any) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": at},
        "properties": {"feature": feature, **properties},
    }


#: Mornings to go back to that are listed openly; the others are one click further.
RECENT = 7
#: Acts that have a place of their own on the desk.
APART = ("deadline",)


@dataclass
class WeekDesk:
    """Everything one request reads for the umpire's desk; `bound` holds refused forms by name."""

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
        """True when the coming day has a battle."""
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
        """Build the context of the whole page."""
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
        """True if a turn may play more days than the previewed one."""
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


def build_desk_url(slug: str, part: str = "") -> str:
    """The desk's address, at one of its parts."""
    return reverse("week-desk", args=[slug]) + (f"#{part}" if part else "")


def umpires_desk(request: HttpRequest, slug: str) -> CampaignPage:
    """The desk of the campaign's umpire; 404 for everybody else."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire has a hand in it.")
    return desk


@signed_in
@never_cache
@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def week_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or only its acts when a link of theirs asks; a posted form is an act."""
    desk = umpires_desk(request, slug)
    if request.method == "POST":
        return _perform_correction(request, desk)
    week = WeekDesk(desk, request.GET)
    part = request.headers.get("HX-Target", "")
    if part == "acts":
        answer = render(request, "campaign/_week_acts.html", week.acts())
    elif part == "week":
        context = {"campaign": desk.campaign, "checklist": week.checklist()}
        answer = render(request, "campaign/_week_end.html", context)
    else:
        answer = render(request, "campaign/week_desk.html", week.context())
    answer["Vary"] = "HX-Request, HX-Target, Cookie"
    return answer


def render_refusal(request: HttpRequest, desk: CampaignPage, **bound: Any) -> HttpResponse:
    """The page once more, with a form that was refused."""
    return render(request, "campaign/week_desk.html", WeekDesk(desk, {}, bound).context(), status=422)


# --- acts ---


def _perform_correction(request: HttpRequest, desk: CampaignPage) -> HttpResponse:
    form = _bind_correction_form(desk, request)
    record = _try_correction(request, desk, form) if form.is_valid() else None
    if record is None:
        return render_refusal(request, desk, act=form)
    told = end_sentence(describe_correction(record, desk.names))
    messages.success(request, f"It is done, and stands in the journal: {told}")
    act = form.act()
    if isinstance(act, EnterDie):
        _warn_of_unused_die(request, desk, act)
    return redirect(build_desk_url(desk.campaign.slug, "told"))


def _bind_correction_form(desk: CampaignPage, request: HttpRequest) -> UmpireForm:
    kind = HAND_FORMS.get(request.POST.get("kind", ""))
    if kind is None:
        raise Http404("There is no such form.")
    world, done = desk.world, find_act_since(desk.campaign, parse_whole_number(request.POST.get("head", "")))
    if done is not None:  # pressed twice, it is read as it was the first time, so that it is the same act
        world = done.morning
    form = kind(request.POST, world=world, viewer=desk.viewer, names=desk.names)
    form.again(done.act if done is not None else None)
    return form


def _try_correction(
    request: HttpRequest, desk: CampaignPage, form: UmpireForm | RhythmForm
) -> DayRecord | None:
    """Do the act of a valid form; refused, the form says why, and it is None."""
    try:
        return act_perform(
            campaign=desk.campaign,
            act=form.act(),
            reason=form.reason,
            actor=desk.viewer.user,
            seen=parse_whole_number(request.POST.get("head", "")) or 0,
        )
    except RuleViolation as violation:
        form.refuse(violation)
    return None


def _warn_of_unused_die(request: HttpRequest, desk: CampaignPage, die: EnterDie) -> None:
    """Say so when the day as it was tried out throws no such die."""
    desk.campaign.refresh_from_db()
    fresh = WeekDesk(desk, {})
    entered = dice_entered_rows(fresh.course, fresh.run, desk.names)
    if any(row.unused and row.rule == die.rule and row.value == die.value for row in entered[:1]):
        messages.warning(
            request,
            f"The day as it was last tried out throws no die of {die.rule} for {die.subject!r}, number "
            f"{die.index}: unless something changes, yours stays unused.",
        )


@signed_in
@form_address(build_desk_url)
def enter_dice(request: HttpRequest, slug: str) -> HttpResponse:
    """Several real dice with one reason."""
    desk = umpires_desk(request, slug)
    sent = parse_dice(request.POST)
    wrong, dice_told = sent.wrong, ""
    if not wrong[0]:
        try:
            records = dice_enter(
                campaign=desk.campaign,
                dice=sent.dice,
                reason=request.POST.get("reason", ""),
                actor=desk.viewer.user,
                seen=parse_whole_number(request.POST.get("head", "")) or 0,
            )
        except DieRefused as violation:
            wrong = sent.error_of(violation)
        except RuleViolation as violation:
            dice_told = f"{violation.message} ({violation.rule_id})"
        else:
            many = len(records)
            messages.success(
                request, f"{many} {'die is' if many == 1 else 'dice are'} entered and will count on the day."
            )
            return redirect(build_desk_url(slug, "dice"))
    thrown = {name: text for name, text in request.POST.items() if isinstance(text, str)}
    return render_refusal(request, desk, thrown=thrown, die_error=wrong, dice_told=dice_told)


@signed_in
@form_address(build_desk_url)
def set_deadline(request: HttpRequest, slug: str) -> HttpResponse:
    """Set, move or take away the deadline of the coming day."""
    desk = umpires_desk(request, slug)
    form = DeadlineForm(request.POST, world=desk.world, viewer=desk.viewer, names=desk.names)
    return _set_from_form(request, desk, form, "deadline_form", "The deadline is as you set it.")


@signed_in
@form_address(build_desk_url)
def set_schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the rhythm of deadlines."""
    desk = umpires_desk(request, slug)
    return _set_from_form(
        request, desk, RhythmForm(request.POST), "rhythm_form", "The rhythm of deadlines is set."
    )


def _set_from_form(
    request: HttpRequest, desk: CampaignPage, form: DeadlineForm | RhythmForm, name: str, done: str
) -> HttpResponse:
    if not form.is_valid() or _try_correction(request, desk, form) is None:
        return render_refusal(request, desk, **{name: form})
    messages.success(request, done)
    return redirect(build_desk_url(desk.campaign.slug, "deadline"))


# --- work asked for ---


@signed_in
@form_address(build_desk_url)
def preview_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Try the coming day out."""
    desk = umpires_desk(request, slug)
    _report_act(request, lambda: dry_run_ask(campaign=desk.campaign, actor=desk.viewer.user))
    return redirect(build_desk_url(slug, "trial"))


@signed_in
@form_address(build_desk_url)
def replay_days(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the days that were undone again, up to a battle that waits."""
    desk = umpires_desk(request, slug)
    seen, until = (parse_whole_number(request.POST.get(name, "")) for name in ("day", "until"))
    if seen is None or until is None:
        return HttpResponseBadRequest("Which days are to be played is missing; load the page again.")
    _report_act(
        request,
        lambda: rerun_request(campaign=desk.campaign, actor=desk.viewer.user, until=until, day=seen),
    )
    return redirect(build_desk_url(slug, "told"))


def _report_act(request: HttpRequest, act: Any) -> None:
    try:
        act()
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")


# --- the map ---


@signed_in
@never_cache
@gzip_page
@require_safe
def desk_map(request: HttpRequest, slug: str) -> JsonResponse:
    """The umpire's map with the days of each march, and the day as it was tried out."""
    desk = umpires_desk(request, slug)
    found = map_features(desk)
    rows = desk_rows(desk)
    tried = trial_features(WeekDesk(desk, {}).run, desk.world, desk.names)
    found["features"] += [*march_halts(rows), *tried]
    found["bounds"] = bounds_of(rows, tried, found["bounds"])
    return JsonResponse(found, content_type="application/geo+json")
