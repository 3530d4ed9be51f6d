"""A turn: days played on until its end, a contact, a sighting or the week's end, in one job."""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from campaign.ledger.provisional_days import days_ahead
from campaign.models import Battle, Campaign, DayRecord, Job, JournalEntry, User
from campaign.rules.errors import RuleViolation
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.services.jobs.jobs import JobLost, job_request
from campaign.services.turns.days import (
    AlreadyAdvanced,
    BattleWaits,
    Report,
    battles_of_day,
    build_already_advanced,
    day_advance,
    ignore_report,
    verify_no_battle_waits,
    verify_running,
)
from campaign.services.turns.outages import stroke_note
from campaign.services.turns.provisional_play import day_run_on, verify_run_on

#: Events of a day at which a turn may stop.
CONTACT_KINDS = frozenset({"contact", "contact_at_dusk", "stand_off", "flight", "escape"})
SIGHTING_KINDS = frozenset({"enemy_sighted"})
#: A day that failed is asked for again after as long as it has been tried for, at least RETRY_PAUSE, until
#: it has been tried for RETRIED_FOR (HR-DUE-14).
RETRY_PAUSE, RETRIED_FOR = timedelta(minutes=15), timedelta(days=1)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class TurnResult:
    """Result of a turn: definitive days, provisional days, and waiting battles."""

    day: int
    waiting: int = 0
    provisional: int = 0


@dataclass(frozen=True, slots=True)
class Begun:
    """State at a turn's start: the day, the provisional days, and whether a battle waited.

    `until` is the day with whose morning it is over, where days that were undone are played again.
    """

    day: int
    ahead: int = 0
    waited: bool = False
    until: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As a job carries it: what is not said is left out."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def turn_advance(
    *,
    campaign: Campaign,
    actor: User | None,
    begun: Begun | None = None,
    report: Report = ignore_report,
    go_on: Callable[[], bool] = lambda: True,
) -> TurnResult:
    """Play days until the campaign's turn is over (HR-CAL-12).

    `begun` says where the turn began; one cut short is taken up where it stands. Days that had run on
    are played definitively first, and end the turn. While a battle waits, the rest plays on beside it.
    `report` is told how far it is, within each day too; before each day `go_on` is asked whether to. What
    has been played stays.
    """
    campaign = Campaign.objects.get(pk=campaign.pk)
    begun = get_turn_start(campaign) if begun is None else begun
    report = _build_forward_report(report)
    result = TurnResult(campaign.day)
    last = _last_day(campaign, begun)
    while campaign.day < last and not _has_waiting_battle(campaign):
        had_run_on = bool(days_ahead(campaign))
        stops = (
            begun.until is None and campaign.day > begun.day and not had_run_on and _has_reached_end(campaign)
        )
        if stops or not go_on():
            break
        of_day = _build_part_report(report, campaign.day - begun.day, last - begun.day)
        try:
            done = day_advance(campaign=campaign, actor=actor, day=campaign.day, report=of_day)
        except BattleWaits:
            continue  # another has opened it since the look above
        campaign = Campaign.objects.get(pk=campaign.pk)
        if done.battles_waiting:
            break
        if campaign.state == Campaign.State.ENDED or (had_run_on and not days_ahead(campaign)):
            break
    if _has_waiting_battle(campaign) and begun.until is None:
        wanted = _days_beside(campaign, begun, last)
        of_rest = _build_part_report(report, campaign.day - begun.day, last - begun.day, to_end=True)
        _play_days_beside(campaign, actor, wanted, result, of_rest, go_on)
    result.day = campaign.day
    result.waiting = _count_waiting_battles(campaign)
    return result


def _build_forward_report(report: Report) -> Report:
    """Wrap a report so that its percentage never falls, because several days may follow one another."""
    told = 0

    def forward(percent: int, note: str) -> None:
        nonlocal told
        told = max(told, percent)
        report(told, note)

    return forward


def _build_part_report(report: Report, done: int, of: int, *, to_end: bool = False) -> Report:
    """Wrap a report so that one of `of` equal parts, or all the rest, counts as its share of the whole."""
    first = 100 * done // of
    last = 100 if to_end else 100 * (done + 1) // of

    def part(percent: int, note: str) -> None:
        report(first + (last - first) * percent // 100, note)

    return part


def get_turn_start(campaign: Campaign) -> Begun:
    """State of the campaign now, as the start of a new turn."""
    return Begun(campaign.day, len(days_ahead(campaign)), _has_waiting_battle(campaign))


def _has_waiting_battle(campaign: Campaign) -> bool:
    return battles_of_day(campaign).filter(state=Battle.State.WAITING).exists()


def _days_beside(campaign: Campaign, begun: Begun, last: int) -> int:
    """Number of provisional days there must be when the turn is over."""
    if begun.waited and begun.day == campaign.day:
        return begun.ahead + 1
    if campaign.run_until in (Campaign.RunUntil.CONTACT, Campaign.RunUntil.SIGHTING):
        return 1
    return max(1, last - campaign.day)


def _play_days_beside(
    campaign: Campaign,
    actor: User | None,
    wanted: int,
    result: TurnResult,
    report: Report,
    go_on: Callable[[], bool],
) -> None:
    """Play provisional days beside a waiting battle, until there are `wanted` or no more are allowed."""
    begun = len(days_ahead(campaign))
    while (played := len(days_ahead(campaign))) < wanted and go_on():
        of_day = _build_part_report(report, played - begun, wanted - begun)
        try:
            day_run_on(campaign=campaign, actor=actor, day=campaign.day + played, report=of_day)
        except AlreadyAdvanced:
            raise
        except RuleViolation:
            return
        result.provisional += 1


def _last_day(campaign: Campaign, begun: Begun) -> int:
    """The day with whose morning the turn is over at the latest."""
    if begun.until is not None:
        return begun.until
    if begun.ahead and not begun.waited:
        return begun.day + begun.ahead
    if campaign.run_until == Campaign.RunUntil.TURN:
        return begun.day + max(1, campaign.days_a_turn)
    return begun.day - begun.day % 7 + 7


def _has_reached_end(campaign: Campaign) -> bool:
    """True when the last day brought the event that the campaign runs until."""
    kinds = {
        Campaign.RunUntil.CONTACT: CONTACT_KINDS,
        Campaign.RunUntil.SIGHTING: CONTACT_KINDS | SIGHTING_KINDS,
    }.get(Campaign.RunUntil(campaign.run_until))
    if kinds is None:
        return False
    last = JournalEntry.objects.filter(record=campaign.head_id)
    return last.filter(kind__in=kinds).exists()


def _count_waiting_battles(campaign: Campaign) -> int:
    return Battle.objects.filter(
        campaign=campaign,
        revision=campaign.revision,
        day__gte=campaign.day,
        state=Battle.State.WAITING,
    ).count()


def advance_request(
    *, campaign: Campaign, actor: User | None, day: int | None = None, one_day: bool = False
) -> Job:
    """Ask for the turn as a job, or for `one_day` of it: asked twice, it is one job.

    `day` is the number of days, definitive and provisional, that the asker has seen. Raises
    RuleViolation as the turn would, so that the asker learns at once.
    """
    begun = get_turn_start(campaign)
    coming = begun.day + begun.ahead * begun.waited
    if day is not None and day != coming:
        raise build_already_advanced(campaign, day, coming)
    verify_running(campaign)
    if begun.waited:
        verify_run_on(campaign)
    key = _advance_key(campaign)
    if one_day and not begun.waited and not begun.ahead:
        begun, key = replace(begun, until=begun.day + 1), f"{key}/until/{begun.day + 1}"
    with transaction.atomic():
        return job_request(
            kind="advance_day",
            key=key,
            payload={"campaign": campaign.pk, **begun.to_json()},
            campaign=campaign,
            actor=actor,
        )


def rerun_request(*, campaign: Campaign, actor: User | None, until: int, day: int | None = None) -> Job:
    """Ask for the days up to the morning of `until` again, after going back (HR-UMP-14): one job.

    A battle that waits ends it. `day` is the number of days completed that the asker has seen. Raises
    RuleViolation as a turn would, and when the campaign is there already.
    """
    if day is not None and day != campaign.day:
        raise build_already_advanced(campaign, day)
    verify_running(campaign)
    verify_no_battle_waits(campaign)
    if not campaign.day < until <= find_undone_day(campaign):
        raise RuleViolation(
            "HR-UMP-14", "There are no undone days left to play again; advance the day as usual.", "until"
        )
    begun = replace(get_turn_start(campaign), until=until)
    with transaction.atomic():
        return job_request(
            kind="advance_day",
            key=f"{_advance_key(campaign)}/until/{until}",
            payload={"campaign": campaign.pk, **begun.to_json()},
            campaign=campaign,
            actor=actor,
        )


def find_undone_day(campaign: Campaign) -> int:
    """The day the campaign had reached before its last rewind; 0 when it was never rewound."""
    found = DayRecord.objects.filter(
        campaign=campaign,
        revision=campaign.revision,
        kind=DayRecord.Kind.ACT,
        inputs__act__kind="rewind",
    )
    return int(found.values_list("inputs__act__from_day", flat=True).last() or 0)


def _advance_key(campaign: Campaign) -> str:
    """Names what is asked for as it stands: head, battles, settled ones, days that have run on."""
    battles = battles_of_day(campaign)
    settled = battles.filter(state=Battle.State.SETTLED).count()
    return (
        f"advance/{campaign.slug}/{campaign.revision}/{campaign.day}/{campaign.head_id}/{battles.count()}"
        f"/{settled}/{len(days_ahead(campaign))}"
    )


def is_advance_requested(campaign: Campaign, now: datetime) -> bool:
    """True when the coming day has already been requested and must not be requested again now.

    One that was stopped counts, one that failed until it is time to try again, and a part of it that was
    asked for by hand (HR-DUE-14).
    """
    key = _advance_key(campaign)
    if Job.objects.filter(key__startswith=f"{key}/until/").exclude(state=Job.State.DONE).exists():
        return True
    job = Job.objects.filter(key=key).first()
    if job is None or job.state != Job.State.FAILED:
        return job is not None
    due = advance_retry_due(job, campaign.deadline)
    return due is None or due > now


def find_failed_advance(campaign: Campaign) -> Job | None:
    """Find the failed job of the coming day; None when it did not fail."""
    key = _advance_key(campaign)
    asked = Job.objects.filter(Q(key=key) | Q(key__startswith=f"{key}/until/"), campaign=campaign)
    job = asked.order_by("pk").last()
    return job if job is not None and job.state == Job.State.FAILED else None


def is_refused(job: Job) -> bool:
    """True when a failed job was refused, rather than stopped by an error at every attempt."""
    return job.attempts < job.max_attempts


def advance_retry_due(job: Job, deadline: datetime | None) -> datetime | None:
    """Time at which the clock requests a failed day again; None when it does not (HR-DUE-14).

    It asks for no day that a person asked for, and for none that was refused.
    """
    assert job.finished_at is not None
    if deadline is None or job.requested_by_id is not None or "until" in job.payload or is_refused(job):
        return None
    if job.finished_at > timezone.now():  # the machine's time was set back since
        return max(deadline, timezone.now() - RETRY_PAUSE)
    tried = job.finished_at - max(job.created_at, deadline)
    return None if tried > RETRIED_FOR else max(deadline, job.finished_at + max(RETRY_PAUSE, tried))


def turn_job(job: Job, report: Report) -> dict[str, Any]:
    """The work of an `advance_day` job: safe to run twice, because it says where its turn begins."""
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    given = job.payload
    begun = Begun(given["day"], given.get("ahead", 0), given.get("waited", False), given.get("until"))

    def go_on() -> bool:
        if not Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts).exists():
            raise JobLost(job)
        return True

    try:
        result = turn_advance(
            campaign=campaign, actor=job.requested_by, begun=begun, report=report, go_on=go_on
        )
    except AlreadyAdvanced:
        campaign.refresh_from_db()
        return {"day": campaign.day, "waiting": _count_waiting_battles(campaign), "provisional": 0}
    return asdict(result)


def battles_overdue_settle() -> int:
    """Settle by the engine every battle that has waited longer than its campaign allows (HR-CAL-13).

    Gives how many, and asks for each of their campaigns' days.
    """
    settled = 0
    stroke_note(now=timezone.now())  # after a silence people are given their time first
    campaigns = Campaign.objects.filter(
        state=Campaign.State.RUNNING, paused="", settle_after_days__isnull=False
    )
    for campaign in campaigns:
        assert campaign.settle_after_days is not None
        if campaign.grace_now is not None:  # HR-DUE-12
            continue
        since = timezone.now() - timedelta(days=campaign.settle_after_days)
        overdue = Battle.objects.filter(
            campaign=campaign,
            revision=campaign.revision,
            day__gte=campaign.day,
            state=Battle.State.WAITING,
            opened_at__lte=since,
        )
        done = 0
        for battle in overdue:
            try:
                battle_settle_by_engine(battle=battle, actor=None)
            except RuleViolation:
                continue  # people have settled it meanwhile, or the engine cannot: they are asked on
            except Exception:  # one that cannot be settled does not hold up the others
                logger.exception("Battle %s of %s could not be settled", battle.pk, campaign.slug)
                continue
            done += 1
        settled += done
        if done and not _has_waiting_battle(campaign):
            try:
                advance_request(campaign=campaign, actor=None)
            except RuleViolation as refusal:  # it has been paused, ended or played on meanwhile
                logger.info("%s is not advanced: %s", campaign.slug, refusal.message)
    return settled
