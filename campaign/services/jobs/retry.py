"""Background tasks requested again: each must still be allowed as if it were requested anew (HR-JOB-02)."""

from collections.abc import Callable, Mapping

from django.db import transaction

from campaign.fog.press import BOOK
from campaign.models import Battle, Campaign, Job, Restoration, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.archive import ARCHIVE
from campaign.services.archive.jobs import archive_verify_again
from campaign.services.archive.restorations import KIND as RESTORE
from campaign.services.archive.restorations import restoration_verify_again
from campaign.services.battles.odds import KIND as ODDS
from campaign.services.battles.odds import odds_verify
from campaign.services.battles.replays import KIND as REPLAY
from campaign.services.battles.replays import replay_verify
from campaign.services.battles.settlement import KIND as SETTLE
from campaign.services.battles.settlement import engine_verify
from campaign.services.battles.table_results import CONFIRM
from campaign.services.forecasts.forecasts import KIND as FORECAST
from campaign.services.forecasts.forecasts import forecast_verify_again
from campaign.services.jobs.jobs import GOES_ON, job_again
from campaign.services.turns.day_preview import KIND as DRY_RUN
from campaign.services.turns.day_preview import dry_run_verify

RULE = "HR-JOB-02"


def work_again(*, job: Job, actor: User, umpire: bool = True) -> Job:
    """Ask once more for work that failed or was stopped; it stays that of who asked for it first.

    An umpire's or administrator's wish stands in the audit. Raises RuleViolation for work that has not failed
    (HR-JOB-02), and as asking for it anew would: the battle is another's to settle by now, the campaign has
    ended, another of its kind is under way.
    """
    with transaction.atomic():
        if job.campaign_id is not None:
            Campaign.objects.select_for_update().get(pk=job.campaign_id)
        elif job.requested_by_id is not None:  # limits of work without a campaign are those of a person
            User.objects.select_for_update().get(pk=job.requested_by_id)
        again = job_again(job=job, actor=actor, umpire=umpire)
        if (verify := VERIFIED.get(again.kind)) is not None:
            verify(again)
    return again


def _verify_settle_again(job: Job) -> None:
    engine_verify(_get_battle(job))


def _verify_confirm_again(job: Job) -> None:
    words = "A result is confirmed already, and the rest of the field is being fought."
    _verify_alone(job, words, _get_battle(job))


def _verify_odds_again(job: Job) -> None:
    odds_verify(_get_battle(job), job.payload.get("side", ""))


def _verify_replay_again(job: Job) -> None:
    replay_verify(_get_battle(job))


def _verify_forecast_again(job: Job) -> None:
    forecast_verify_again(job)


def _verify_dry_run_again(job: Job) -> None:
    assert job.campaign is not None
    dry_run_verify(job.campaign)
    _verify_alone(job, "The day is being tried out already; look at that.")


def _verify_book_again(job: Job) -> None:
    _verify_alone(job, "The book is being made already; look at that.")


def _verify_archive_again(job: Job) -> None:
    assert job.campaign is not None
    archive_verify_again(job.campaign, job)


def _verify_restore_again(job: Job) -> None:
    row = Restoration.objects.defer("data").select_related("owner").filter(job=job).first()
    if row is None:
        raise RuleViolation("HR-ARC-03", "The archive is no longer kept; bring it again.")
    restoration_verify_again(row.pk, row.owner)


def _get_battle(job: Job) -> Battle:
    battle = Battle.objects.select_related("campaign").filter(pk=job.payload["battle"]).first()
    if battle is None:
        raise RuleViolation("HR-CAL-14", "The battle has fallen away meanwhile; the journal tells why.")
    return battle


def _verify_alone(job: Job, words: str, battle: Battle | None = None) -> None:
    others = Job.objects.filter(campaign=job.campaign_id, kind=job.kind, state__in=GOES_ON)
    if battle is not None:
        others = others.filter(payload__battle=battle.pk)
    if others.exclude(pk=job.pk).exists():
        raise RuleViolation(RULE, words)


#: Kinds with limits of their own. The others look for themselves, once a worker begins.
VERIFIED: Mapping[str, Callable[[Job], None]] = {
    SETTLE: _verify_settle_again,
    CONFIRM: _verify_confirm_again,
    ODDS: _verify_odds_again,
    REPLAY: _verify_replay_again,
    FORECAST: _verify_forecast_again,
    DRY_RUN: _verify_dry_run_again,
    BOOK: _verify_book_again,
    ARCHIVE: _verify_archive_again,
    RESTORE: _verify_restore_again,
}
