"""What the umpire sees of the odds of a battle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.models import Battle, Job
from campaign.visibility import Viewer, jobs_for


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance in percent with its 95 % interval."""

    name: str
    percent: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Expected:
    """SP a side loses, captured ones too: the mean, and the range of nine fights in ten."""

    name: str
    sp: int
    mean: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class UnitChance:
    """Mean SP a unit loses, and the percent of the fights in which it is destroyed."""

    name: str
    sp: int
    mean: str
    destroyed: str


@dataclass(frozen=True, slots=True)
class Odds:
    """The job, and its figures once it is done."""

    job: Job
    running: bool
    runs: int = 0
    ends: tuple[Chance, ...] = ()
    sides: tuple[Expected, ...] = ()
    units: tuple[UnitChance, ...] = ()
    generals: tuple[Chance, ...] = ()


def odds_job_latest(viewer: Viewer, battle: Battle) -> Job | None:
    """The last asking for the odds of a battle, for the umpire."""
    return jobs_for(viewer).filter(kind="battle_odds", payload__battle=battle.pk).first()


def odds_shown(viewer: Viewer, battle: Battle) -> Odds | None:
    """The odds of a battle as far as they are worked out; None when nobody has asked."""
    job = odds_job_latest(viewer, battle)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    if job.state != Job.State.DONE or not found:
        return Odds(job, running)
    attacker, defender = (side["name"] for side in found["sides"])
    return Odds(
        job,
        running,
        runs=found["runs"],
        ends=(
            _chance(f"{attacker} holds the field", found["win"]),
            _chance(f"{defender} holds the field", found["loss"]),
            _chance("Neither does", found["draw"]),
        ),
        sides=tuple(_expected(side, side["gone"]) for side in found["sides"]),
        units=tuple(_units(found["units"])),
        generals=tuple(_chance(one["name"], one["lost"]) for one in found["generals"]),
    )


def _chance(name: str, share: Mapping[str, float]) -> Chance:
    return Chance(name, *(f"{100 * share[key]:.0f}" for key in ("value", "low", "high")))


def _expected(row: Mapping[str, Any], gone: Mapping[str, Any]) -> Expected:
    return Expected(row["name"], row["sp"], f"{gone['mean']:.1f}", gone["p5"], gone["p95"])


def _units(rows: Iterable[Mapping[str, Any]]) -> Iterable[UnitChance]:
    for row in rows:
        mean = row["lost"]["mean"] + row["captured"]["mean"]
        yield UnitChance(row["name"], row["sp"], f"{mean:.1f}", f"{100 * row['destroyed']['value']:.0f}")
