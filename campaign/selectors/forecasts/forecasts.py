"""Forecasts as an umpire, or a side that is allowed them, reads them (HR-FRC-01)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.fog.visibility import Viewer, forecasts_for
from campaign.models import Job

#: Places and battlefields shown.
MOST_LINES = 24


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """A line of a table: what it is about, and a cell for each column."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """The job, and its figures once it is done; `stale` when the campaign has gone on since."""

    job: Job
    running: bool
    stale: bool = False
    runs: int = 0
    weeks: tuple[int, ...] = ()
    day: int = 0
    sides: tuple[str, ...] = ()
    strength: tuple[ForecastRow, ...] = ()
    places: tuple[ForecastRow, ...] = ()
    battles: tuple[str, ...] = ()
    where: tuple[ForecastRow, ...] = ()


def forecast_job_latest(viewer: Viewer) -> Job | None:
    """The last forecast the viewer's seat asked for."""
    return forecasts_for(viewer).first()


def find_forecast(viewer: Viewer) -> Forecast | None:
    """The last forecast as far as it is worked out; None when nobody has asked."""
    job = forecast_job_latest(viewer)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    if job.state != Job.State.DONE or not found:
        return Forecast(job, running)
    sides = [(side["id"], side["name"]) for side in found["sides"]]
    return Forecast(
        job,
        running,
        stale=_is_stale(found, viewer),
        runs=found["runs"],
        weeks=tuple(range(1, found["weeks"] + 1)),
        day=found["day"] + 1,
        sides=tuple(name for _, name in sides),
        strength=tuple(
            ForecastRow(side["name"], tuple(_format_percentiles(each) for each in side["points"]))
            for side in found["sides"]
        ),
        places=tuple(
            ForecastRow(
                row["name"], tuple(_format_share(row["held"][-1].get(side, 0.0)) for side, _ in sides)
            )
            for row in found["places"][:MOST_LINES]
        ),
        battles=tuple(f"{week['mean']:.1f}" for week in found["battles"]["weeks"]),
        where=tuple(
            ForecastRow(row["name"], (_format_share(row["share"]),))
            for row in found["battles"]["where"][:MOST_LINES]
        ),
    )


def _is_stale(found: Mapping[str, Any], viewer: Viewer) -> bool:
    """True when the campaign has moved on since: a day, a correction or a rewind. An older result knows
    only its day.
    """
    if found["day"] != viewer.campaign.day:
        return True
    return "head" in found and found["head"] != viewer.campaign.head_id


def _format_percentiles(each: Mapping[str, int]) -> str:
    """The middle, and where eight courses in ten lie unless they agree."""
    if each["p10"] == each["p90"]:
        return f"{each['p50']}"
    return f"{each['p50']} ({each['p10']} to {each['p90']})"


def _format_share(share: float) -> str:
    return f"{100 * share:.0f} %"
