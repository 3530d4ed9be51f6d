"""Odds of a battle as the umpire sees them, and a side where that is allowed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from battles.files.reading import decode_battle, encode_value
from battles.files.schema import BattleFile
from battles.odds.intervals import Interval, describe_interval, whole_shares
from campaign.fog.battles import odds_jobs
from campaign.fog.visibility import Viewer
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Job
from campaign.rules.battles.battle_inputs import file_now, find_ruleset, ruleset_of
from campaign.selectors.battles.plans import plan_of, plan_sentence
from campaign.text.place_names import CampaignNames

#: Fates that cost a side a general, in a word.
_FATES = {"killed": "killed", "captured": "taken"}
#: How long a worker may take to notice that it was stopped.
COUNTING = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class OutcomeChance:
    """Frequency of an outcome in words, with its 95 % interval."""

    name: str
    told: str


@dataclass(frozen=True, slots=True)
class ExpectedLoss:
    """Expected losses of a side or unit, captured included, in SP and in campaign points (AWI-C-BAT-01 to
    03).

    Each is the mean with the range of nine fights in ten.
    """

    name: str
    sp: int
    gone: str
    points: str
    destroyed: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class OddsReport:
    """The job, and its figures once it is done, or has been `stopped` before all `asked` were fought.

    While `counting` it has been stopped just now and its figures are not in yet. `changed` names the
    sides that have chosen another plan since, `adjusted` whether the battle was adjusted since, and
    `plans` tells with which it was reckoned. `fates` are what `generals` tells of, killed or taken, and
    `captures` says whether there are captured SP among the losses: what the rules know of.
    """

    job: Job
    running: bool
    changed: str = ""
    adjusted: bool = False
    plans: tuple[str, ...] = ()
    runs: int = 0
    asked: int = 0
    stopped: bool = False
    counting: bool = False
    ends: tuple[OutcomeChance, ...] = ()
    sides: tuple[ExpectedLoss, ...] = ()
    units: tuple[ExpectedLoss, ...] = ()
    generals: tuple[OutcomeChance, ...] = ()
    fates: str = ""
    captures: bool = True


def odds_job_latest(viewer: Viewer, battle: Battle) -> Job | None:
    """The viewer's asking for the odds of a battle with plans and file as they stand; else his last."""
    jobs = list(odds_jobs(viewer, battle))
    return odds_as_stands(jobs, battle, "" if viewer.is_umpire else viewer.side) or (
        jobs[0] if jobs else None
    )


def odds_as_stands(jobs: Iterable[Job], battle: Battle, side: str = "") -> Job | None:
    """The asking among `jobs` that reckons with plans and file as they stand."""
    plans, file = select_odds_plans(battle, side), digest_odds_file(battle, side)
    alike = (job for job in jobs if job.payload.get("plans", {}) == plans)
    return next((job for job in alike if job.payload.get("file", "") == file), None)


def select_odds_plans(battle: Battle, side: str) -> dict[str, Any]:
    """The chosen plans that odds reckon with: of a side's odds only its own, "" for all (HR-BAT-11)."""
    return {key: plan for key, plan in battle.plans.items() if side in ("", key)}


def digest_odds_file(battle: Battle, side: str) -> str:
    """Return the digest of the file that odds are computed with, as far as the side knows it; "" for the
    file as it was frozen (HR-TAB-12).

    What is hidden from a side leaves no mark on what it asks.
    """
    if not battle.adjusted and not battle.ruleset:
        return ""
    now = build_odds_battle(battle, side, {})
    plain = decode_battle(battle.inputs["file"])
    return (
        ""
        if now == (build_side_battle(plain, side) if side else plain)
        else compute_digest(encode_value(now))
    )


def build_odds_battle(battle: Battle, side: str, plans: Mapping[str, Any]) -> BattleFile:
    """Build the battle that odds are computed with: adjusted, with those plans; a side's as that side
    knows it.
    """
    file = decode_battle(file_now(battle, plans=plans))
    return build_side_battle(file, side) if side else file


def build_side_battle(file: BattleFile, side: str) -> BattleFile:
    """Build the battle as one side may reckon with it (HR-BAT-11): the units and SP both sides learn on
    meeting (HR-FOG-03).

    The enemy does what is usual and has all his troops there at once; his generals are not counted.
    """
    return replace(
        file,
        units=tuple(
            unit if unit.side == side else replace(unit, arrives=0, task=None, reserve=False)
            for unit in file.units
        ),
        leaders=tuple(leader for leader in file.leaders if leader.side == side),
        plans={key: plan for key, plan in file.plans.items() if key == side},
    )


def find_battle_odds(viewer: Viewer, battle: Battle, names: CampaignNames) -> OddsReport | None:
    """The odds of a battle as far as they are worked out; None when nobody has asked."""
    job = odds_job_latest(viewer, battle)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    stopped = job.state == Job.State.CANCELLED
    changed, plans = _describe_plan_changes(job, battle, names)
    now = digest_odds_file(battle, job.payload.get("side", ""))
    told = (changed, job.payload.get("file", "") != now, plans)
    if not found or not (stopped or job.state == Job.State.DONE):
        return OddsReport(job, running, *told, counting=stopped and _is_still_counting(job))
    runs = found["runs"]
    called = {side["id"]: names.side(side["id"]) for side in found["sides"]}
    attacker, defender = called.values()
    units = sorted(found["units"], key=lambda unit: list(called).index(unit["side"]))
    whole = whole_shares([_parse_interval(found[end]) for end in ("win", "loss", "draw")])
    return OddsReport(
        job,
        running,
        *told,
        runs=runs,
        asked=found["asked"],
        stopped=stopped,
        ends=(
            _build_outcome_chance(f"{attacker} holds the field", found["win"], runs, whole[0]),
            _build_outcome_chance(f"{defender} holds the field", found["loss"], runs, whole[1]),
            _build_outcome_chance("Neither does", found["draw"], runs, whole[2]),
        ),
        sides=tuple(replace(_build_expected_loss(side), name=called[side["id"]]) for side in found["sides"]),
        units=tuple(
            replace(_build_expected_loss(unit, unit["destroyed"]), side=called[unit["side"]])
            for unit in units
        ),
        generals=tuple(_build_outcome_chance(one["name"], one["lost"], runs) for one in found["generals"]),
        **_build_fate_fields(found.get("ruleset", ""), _get_fought_options(found, battle)),
    )


def _get_fought_options(found: Mapping[str, Any], battle: Battle) -> Mapping[str, Any]:
    """The options odds were fought with; where they were not kept, those of the battle as it stands."""
    kept: Mapping[str, Any] | None = found.get("options")
    return file_now(battle).get("options", {}) if kept is None else kept


def _build_fate_fields(ruleset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields about generals and prisoners that the rules of the fight provide."""
    rules = find_ruleset(ruleset)
    if rules is None:
        return {"fates": " or ".join(_FATES.values())}
    known = {name: value for name, value in options.items() if name in rules.options}
    fates = [word for fate, word in _FATES.items() if fate in rules.fates(known)]
    return {"fates": " or ".join(fates), "captures": rules.captures}


def _describe_plan_changes(job: Job, battle: Battle, names: CampaignNames) -> tuple[str, tuple[str, ...]]:
    """Return the sides that changed their plan since the odds were requested, and the plans the odds were
    computed with, in sentences.
    """
    side, then = job.payload.get("side", ""), job.payload.get("plans", {})
    now = select_odds_plans(battle, side)
    reckoned = [key for key in (battle.attacker, battle.defender) if side in ("", key)]
    changed = [names.side(key) for key in reckoned if then.get(key) != now.get(key)]
    rules = ruleset_of(battle)
    plans = tuple(plan_sentence(names.side(key), plan_of(battle, key, then), rules) for key in reckoned)
    return " and ".join(changed), plans


def _is_still_counting(job: Job) -> bool:
    """True when a worker may still be writing figures of the stopped job."""
    ended = job.finished_at
    return job.started_at is not None and ended is not None and timezone.now() - ended < COUNTING


def _build_outcome_chance(
    name: str, share: Mapping[str, float], runs: int, percent: int | None = None
) -> OutcomeChance:
    return OutcomeChance(name, describe_interval(_parse_interval(share), runs, percent))


def _parse_interval(share: Mapping[str, float]) -> Interval:
    return Interval(share["value"], share["low"], share["high"])


def _build_expected_loss(
    row: Mapping[str, Any], destroyed: Mapping[str, float] | None = None
) -> ExpectedLoss:
    return ExpectedLoss(
        row["name"],
        row["sp"],
        _format_spread(row["gone"], 1),
        _format_spread(row["points_gone"], 0),
        f"{100 * destroyed['value']:.0f} %" if destroyed else "",
    )


def _format_spread(found: Mapping[str, Any], digits: int) -> str:
    """The mean, and where nine fights in ten lie unless they all agree."""
    low, high = found["p5"], found["p95"]
    return f"{found['mean']:.{digits}f}" + (f" ({low:g} to {high:g})" if low != high else "")
