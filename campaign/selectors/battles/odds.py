"""What the umpire sees of the odds of a battle, and where it is allowed a side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from battles.files.reading import battle_thaw, freeze
from battles.files.schema import BattleFile
from battles.odds.intervals import Interval, interval_told, whole_shares
from campaign.fog.battles import odds_jobs
from campaign.fog.visibility import Viewer
from campaign.ledger.hash_chain import digest
from campaign.models import Battle, Job
from campaign.rules.battles.battle_inputs import file_now, rules_known, ruleset_of
from campaign.selectors.battles.plans import plan_of, plan_sentence
from campaign.text.event_sentences import Names

#: Fates that cost a side a general, in a word.
_FATES = {"killed": "killed", "captured": "taken"}
#: How long a worker may take to notice that it was stopped.
COUNTING = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Chance:
    """How often something happens, in words with its 95 % interval."""

    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What a side or unit loses, captured ones too, in SP and in campaign points (AWI-C-BAT-01 to 03).

    Each is the mean with the range of nine fights in ten.
    """

    name: str
    sp: int
    gone: str
    points: str
    destroyed: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
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
    ends: tuple[Chance, ...] = ()
    sides: tuple[Expected, ...] = ()
    units: tuple[Expected, ...] = ()
    generals: tuple[Chance, ...] = ()
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
    plans, file = plans_reckoned(battle, side), file_asked(battle, side)
    alike = (job for job in jobs if job.payload.get("plans", {}) == plans)
    return next((job for job in alike if job.payload.get("file", "") == file), None)


def plans_reckoned(battle: Battle, side: str) -> dict[str, Any]:
    """The chosen plans that odds reckon with: of a side's odds only its own, "" for all (HR-BAT-11)."""
    return {key: plan for key, plan in battle.plans.items() if side in ("", key)}


def file_asked(battle: Battle, side: str) -> str:
    """What marks the file odds reckon with, as far as the side knows it; "" as it was frozen (HR-TAB-12).

    What is hidden from a side leaves no mark on what it asks.
    """
    if not battle.adjusted and not battle.ruleset:
        return ""
    now = battle_reckoned(battle, side, {})
    plain = battle_thaw(battle.inputs["file"])
    return "" if now == (battle_as_met(plain, side) if side else plain) else digest(freeze(now))


def battle_reckoned(battle: Battle, side: str, plans: Mapping[str, Any]) -> BattleFile:
    """The battle that odds fight: adjusted, with those plans; a side's as it knows it."""
    file = battle_thaw(file_now(battle, plans=plans))
    return battle_as_met(file, side) if side else file


def battle_as_met(file: BattleFile, side: str) -> BattleFile:
    """The battle as a side may reckon with it (HR-BAT-11): units and SP as both learn them (HR-FOG-03).

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


def odds_shown(viewer: Viewer, battle: Battle, names: Names) -> Odds | None:
    """The odds of a battle as far as they are worked out; None when nobody has asked."""
    job = odds_job_latest(viewer, battle)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    stopped = job.state == Job.State.CANCELLED
    changed, plans = _plans_told(job, battle, names)
    now = file_asked(battle, job.payload.get("side", ""))
    told = (changed, job.payload.get("file", "") != now, plans)
    if not found or not (stopped or job.state == Job.State.DONE):
        return Odds(job, running, *told, counting=stopped and _just_stopped(job))
    runs = found["runs"]
    called = {side["id"]: names.side(side["id"]) for side in found["sides"]}
    attacker, defender = called.values()
    units = sorted(found["units"], key=lambda unit: list(called).index(unit["side"]))
    whole = whole_shares([_interval(found[end]) for end in ("win", "loss", "draw")])
    return Odds(
        job,
        running,
        *told,
        runs=runs,
        asked=found["asked"],
        stopped=stopped,
        ends=(
            _chance(f"{attacker} holds the field", found["win"], runs, whole[0]),
            _chance(f"{defender} holds the field", found["loss"], runs, whole[1]),
            _chance("Neither does", found["draw"], runs, whole[2]),
        ),
        sides=tuple(replace(_expected(side), name=called[side["id"]]) for side in found["sides"]),
        units=tuple(replace(_expected(unit, unit["destroyed"]), side=called[unit["side"]]) for unit in units),
        generals=tuple(_chance(one["name"], one["lost"], runs) for one in found["generals"]),
        **_known(found.get("ruleset", ""), _options(found, battle)),
    )


def _options(found: Mapping[str, Any], battle: Battle) -> Mapping[str, Any]:
    """The options odds were fought with; where they were not kept, those of the battle as it stands."""
    kept: Mapping[str, Any] | None = found.get("options")
    return file_now(battle).get("options", {}) if kept is None else kept


def _known(ruleset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What of generals and prisoners the rules know that were fought under."""
    rules = rules_known(ruleset)
    if rules is None:
        return {"fates": " or ".join(_FATES.values())}
    known = {name: value for name, value in options.items() if name in rules.options}
    fates = [word for fate, word in _FATES.items() if fate in rules.fates(known)]
    return {"fates": " or ".join(fates), "captures": rules.captures}


def _plans_told(job: Job, battle: Battle, names: Names) -> tuple[str, tuple[str, ...]]:
    """Who has chosen another plan since odds were asked for, and with which plans they reckon."""
    side, then = job.payload.get("side", ""), job.payload.get("plans", {})
    now = plans_reckoned(battle, side)
    reckoned = [key for key in (battle.attacker, battle.defender) if side in ("", key)]
    changed = [names.side(key) for key in reckoned if then.get(key) != now.get(key)]
    rules = ruleset_of(battle)
    plans = tuple(plan_sentence(names.side(key), plan_of(battle, key, then), rules) for key in reckoned)
    return " and ".join(changed), plans


def _just_stopped(job: Job) -> bool:
    """Whether a worker may still be counting what it has fought."""
    ended = job.finished_at
    return job.started_at is not None and ended is not None and timezone.now() - ended < COUNTING


def _chance(name: str, share: Mapping[str, float], runs: int, percent: int | None = None) -> Chance:
    return Chance(name, interval_told(_interval(share), runs, percent))


def _interval(share: Mapping[str, float]) -> Interval:
    return Interval(share["value"], share["low"], share["high"])


def _expected(row: Mapping[str, Any], destroyed: Mapping[str, float] | None = None) -> Expected:
    return Expected(
        row["name"],
        row["sp"],
        _spread(row["gone"], 1),
        _spread(row["points_gone"], 0),
        f"{100 * destroyed['value']:.0f} %" if destroyed else "",
    )


def _spread(found: Mapping[str, Any], digits: int) -> str:
    """The mean, and where nine fights in ten lie unless they all agree."""
    low, high = found["p5"], found["p95"]
    return f"{found['mean']:.{digits}f}" + (f" ({low:g} to {high:g})" if low != high else "")
