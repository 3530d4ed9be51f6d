"""Comparisons of a battle file under every ruleset: a person's list of them, and each one's figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from battles.errors import BattleFileError
from battles.files.reading import battle_from_json, find_shipped_battles, read_battle
from battles.files.schema import BattleFile
from battles.odds.ruleset_comparison import Figures, SideDescription, build_figures, build_side_descriptions
from battles.replay.event_text import FILE_MINUTES
from campaign.fog.visibility import fights_of
from campaign.models import Job, User

RUNNING = (Job.State.QUEUED, Job.State.RUNNING)
State = Literal["waiting", "running", "done", "refused", "stopped", "failed"]
#: How far the battle is under one ruleset, by the state of its part.
_STATES: Mapping[str, State] = {
    Job.State.QUEUED: "waiting",
    Job.State.RUNNING: "running",
    Job.State.DONE: "done",
    Job.State.CANCELLED: "stopped",
    Job.State.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class ShippedBattle:
    """A battle file that comes with the program: who fights whom, with what, how long."""

    name: str
    title: str
    sides: tuple[SideDescription, SideDescription]
    minutes: int


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One asking in a person's list; `told` is how far it is."""

    job: Job
    title: str
    told: str

    @property
    def running(self) -> bool:
        return self.job.state in RUNNING


@dataclass(frozen=True, slots=True)
class Under:
    """The battle under one ruleset: how far it is, and its figures once there are any.

    `sentence` says why there are none, `left_out` what of the file the ruleset does not know; `odds` are
    all that was counted, as in `odds_json.py`.
    """

    id: str
    title: str
    version: str
    state: State
    progress: int = 0
    sentence: str = ""
    left_out: tuple[str, ...] = ()
    figures: Figures | None = None
    odds: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A battle under every ruleset there was when it was asked for.

    `sides` are its attacker and defender, none when this version no longer reads the file; `battle` is the
    campaign and number of the battle the file was taken from, if it was.
    """

    job: Job
    title: str
    runs: int
    sides: tuple[SideDescription, ...]
    systems: tuple[Under, ...]
    battle: tuple[str, int] | None = None

    @property
    def running(self) -> bool:
        return self.job.state in RUNNING

    @property
    def runs_told(self) -> str:
        """Fights asked for under each ruleset, as 1,000."""
        return f"{self.runs:,}"

    @property
    def may_again(self) -> bool:
        """True when the comparison may be requested again: it failed or was stopped."""
        return self.job.state in (Job.State.FAILED, Job.State.CANCELLED)


@cache
def shipped_rows() -> tuple[ShippedBattle, ...]:
    """The battles that come with the program, read once in a process."""
    return tuple(_build_shipped_battle(name, read_battle(name)) for name in find_shipped_battles())


def _build_shipped_battle(name: str, battle: BattleFile) -> ShippedBattle:
    return ShippedBattle(name, battle.title, build_side_descriptions(battle), battle.turns * FILE_MINUTES)


def comparison_rows(user: User) -> list[ComparisonRow]:
    """List the comparisons a person has requested, newest first."""
    return [
        ComparisonRow(job, str(job.payload["file"]["title"]), _describe_comparison_job(job))
        for job in fights_of(user, "comparison").defer("result")
    ]


def _describe_comparison_job(job: Job) -> str:
    rulesets = f"{len(job.payload['systems'])} rulesets, {job.payload['runs']:,} fights each"
    return f"{rulesets}: {job.get_state_display()}"


def build_comparison(job: Job) -> Comparison:
    """One of them, with what has been worked out so far."""
    asked = job.payload
    battle, sentence = _parse_battle_file(asked["file"])
    found = _load_comparison_parts(job)
    slug, pk = asked.get("taken_from", ("", 0))
    return Comparison(
        job=job,
        title=str(asked["file"]["title"]),
        runs=asked["runs"],
        sides=build_side_descriptions(battle) if battle else (),
        systems=tuple(
            _build_ruleset_comparison(system, found.get(system["id"]), battle, sentence)
            for system in asked["systems"]
        ),
        battle=(slug, pk) if slug else None,
    )


def _parse_battle_file(document: Mapping[str, Any]) -> tuple[BattleFile | None, str]:
    """The battle as it was asked for; None, and why, when this version no longer reads it."""
    try:
        return battle_from_json(document), ""
    except BattleFileError as error:
        return None, f"{error.message} ({error.rule_id})"


@dataclass(frozen=True, slots=True)
class _ComparisonPart:
    """Progress of one ruleset: state, percent, result so far, reason for failure."""

    state: State
    progress: int
    result: Mapping[str, Any]
    error: str = ""


def _load_comparison_parts(job: Job) -> dict[str, _ComparisonPart]:
    """The parts by ruleset: in the whole's result once it is done, else in rows of their own."""
    if job.state == Job.State.DONE:
        results = zip(job.payload["systems"], (job.result or {})["systems"], strict=True)
        return {system["id"]: _ComparisonPart("done", 100, result) for system, result in results}
    parts = job.parts.defer("key", "note").order_by("pk")
    return {
        part.payload["ruleset"]: _ComparisonPart(
            _STATES[part.state], part.progress, part.result or {}, part.error
        )
        for part in parts
    }


def _build_ruleset_comparison(
    system: Mapping[str, Any], part: _ComparisonPart | None, battle: BattleFile | None, unread: str
) -> Under:
    known = {"id": system["id"], "title": system["title"], "version": system["version"]}
    if part is None:
        return Under(**known, state="waiting")
    found = part.result
    if "refused" in found:
        return Under(**known, state="refused", progress=100, sentence=found["refused"])
    if battle is None:
        return Under(**known, state="failed", sentence=unread)
    return Under(
        **known,
        state=part.state,
        progress=part.progress,
        sentence=part.error if part.state == "failed" else "",
        left_out=tuple(found.get("left_out", ())),
        figures=build_figures(battle, found, system["minutes"]) if found.get("runs") else None,
        odds={name: value for name, value in found.items() if name != "left_out"} or None,
    )
