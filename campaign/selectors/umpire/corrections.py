"""Data for the umpire's desk: the last preview of the day, and the mornings to rewind to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from campaign.fog.visibility import Viewer, dry_runs_for, jobs_for
from campaign.models import DayRecord, Job
from campaign.rules.world.markers import Position
from campaign.rules.world.options import list_options
from campaign.text.event_facts import EventFacts
from campaign.text.events.umpire import describe_correction_event
from campaign.text.place_names import CampaignNames, position_text

#: The latest pieces of work that the desk looks at, tries that can be compared among them.
LATEST = 12


@dataclass(frozen=True, slots=True)
class DryRun:
    """A day tried out, in words; `stale` when the campaign has gone on since.

    `dice_since` are real dice entered since, which it has not thrown; `others` the numbers of the other
    tries of the same morning; `found` the trial as it was kept.
    """

    job: Job
    running: bool
    stale: bool = False
    number: int = 0
    dice_since: int = 0
    others: tuple[int, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict)
    morning: date | None = None
    moves: tuple[tuple[str, str, str], ...] = ()
    points: tuple[tuple[str, int, int], ...] = ()
    holders: tuple[tuple[str, str, str], ...] = ()
    battles: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    dice: tuple[Mapping[str, Any], ...] = ()
    weather: str = ""


@dataclass(frozen=True, slots=True)
class RewindMorning:
    """A morning to rewind to: `undone` is the number of days to be played again."""

    record: DayRecord
    date: date
    words: str
    undone: int


def list_requested_days(viewer: Viewer) -> list[Job]:
    """The latest days asked for, played or tried out, newest first; for the umpire."""
    found = jobs_for(viewer).filter(kind="advance_day") | dry_runs_for(viewer)
    return list(found.order_by("-pk")[:LATEST])


#: What the umpire may change besides the rules, named.
CONDUCT_WORDS = {
    "title": "the campaign's name",
    "battle_policy": "how battles are settled",
    "table_units": "units a side on the table",
    "ruleset": "the rules battles are fought by",
    "ruleset_options": "options of the rules of battles",
    "spectator_days": "what spectators see",
    "spectator_side": "what spectators see",
}


def mornings_alike(course: Sequence[DayRecord]) -> list[int]:
    """Keys of the head and of the records before it that differ from it by real dice alone; the head first.

    `course` begins with the head.
    """
    keys = [course[0].pk]
    for record in course:
        if record.kind != DayRecord.Kind.ACT or record.inputs["act"]["kind"] != "die":
            break
        keys.append(record.parent_id or 0)
    return keys


def find_day_preview(
    viewer: Viewer,
    jobs: Sequence[Job],
    names: CampaignNames,
    start: date,
    heads: Sequence[int] = (),
    number: int | None = None,
) -> DryRun | None:
    """The last day tried out, as far as it is played, or that of a `number`; None when there is none.

    `jobs` are tries, newest first, `start` the first day of the campaign, `heads` the records a try may have
    begun from (`mornings_alike`).
    """
    job = next((one for one in jobs if number is None or one.payload.get("number") == number), None)
    if job is None:
        return None
    running = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    found = job.result
    if job.state != Job.State.DONE or not found:
        return DryRun(job, running)
    names = replace(names, formations={**names.formations, **found["called"]})
    heads = heads or [viewer.campaign.head_id or 0]
    alike = [
        one.result["number"]
        for one in jobs
        if one.result and one.pk != job.pk and one.result.get("head") in heads
    ]
    return DryRun(
        job,
        running,
        stale=found["head"] not in heads,
        number=found["number"],
        dice_since=heads.index(found["head"]) if found["head"] in heads else 0,
        others=tuple(alike),
        found=found,
        morning=start + timedelta(days=found["day"]),
        moves=tuple(
            (
                names.formation(row["formation"]),
                _describe_position(row["from"], names),
                _describe_evening_position(row, names),
            )
            for row in found["moves"]
        ),
        points=tuple(
            (names.formation(row["formation"]), row["before"], row["after"]) for row in found["points"]
        ),
        holders=tuple(
            (
                names.place(row["place"]),
                _describe_holder(row["before"], names),
                _describe_holder(row["after"], names),
            )
            for row in found["holders"]
        ),
        battles=tuple(_describe_preview_battle(row, names) for row in found["battles"]),
        refused=tuple(_describe_refusal(row, names) for row in found["refused"]),
        dice=tuple(found["dice"]),
        weather=found["weather"],
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """Two tries of one morning: where they differ, each row with the one's and the other's in words."""

    other: DryRun
    evenings: tuple[tuple[str, str, str], ...]
    points: tuple[tuple[str, int, int], ...]

    @property
    def same(self) -> bool:
        """True when the two previews do not differ."""
        return not self.evenings and not self.points


def compare_day_previews(one: DryRun, other: DryRun) -> Compared:
    """Compare two previews of the same morning played with different dice."""
    first, second = ({name: now for name, _, now in run.moves} for run in (one, other))
    stood = {name: was for run in (one, other) for name, was, _ in run.moves}
    evenings = [(name, first.get(name, was), second.get(name, was)) for name, was in sorted(stood.items())]
    left, left_then = ({name: now for name, _, now in run.points} for run in (one, other))
    had = {name: was for run in (one, other) for name, was, _ in run.points}
    points = [(name, left.get(name, was), left_then.get(name, was)) for name, was in sorted(had.items())]
    return Compared(
        other,
        tuple(row for row in evenings if row[1] != row[2]),
        tuple(row for row in points if row[1] != row[2]),
    )


def list_rewind_mornings(
    course: Sequence[DayRecord], start: date, names: CampaignNames, *, begun: bool = False
) -> list[RewindMorning]:
    """List the mornings a campaign can be rewound to, latest first; `course` begins with its head.

    The head's own is one of them when the coming day has `begun`: then its battles are undone.
    """
    head = course[0]
    targets = course if begun else course[1:]
    return [
        RewindMorning(
            record,
            start + timedelta(days=record.day),
            _describe_record_step(record, names),
            head.day - record.day,
        )
        for record in targets
    ]


def describe_correction(record: DayRecord, names: CampaignNames) -> str:
    """Describe the umpire's correction in a record: what it did, to whom, and why."""
    act = record.inputs["act"]
    about = _describe_correction_subject(act, names)
    told = describe_correction_event(EventFacts(act=act["kind"], reason=record.reason))
    return f"{told} ({about})" if about else told


def _describe_correction_subject(act: Mapping[str, Any], names: CampaignNames) -> str:
    """Name the subject of a correction; "" for one of the campaign as a whole."""
    match act["kind"]:
        case "weather":
            return f"day {act['day'] + 1}: {act['weather'] or 'as its dice fall'}"
        case "add" | "rename":
            return str(act["name"])
        case "strike":
            if act["paper"] == "returns":
                return f"the returns of {names.side(act['side'])}"
            return names.formation(act["subject"])
        case "rumour":
            return f"heard by {names.side(act['side'])}"
        case "pool":
            return f"{names.pool(act['pool'])}, {act['points']:+d} points"
        case "general":
            return f"{names.general(act['general'])}: {act['state']}"
        case "holder":
            held = names.side(act["side"]) if act["side"] else "nobody"
            return f"{names.place(act['place'])}: {held}"
        case "food":
            of = names.place if act["of"] == "store" else names.formation
            return f"{of(act['id'])}: {act['rations']} rations"
        case "die":
            return f"{act['rule']}, {act['subject']}: {act['value']}"
        case "rules":
            known = list_options()
            rows = [(str(each["name"]), str(each["value"])) for each in act["changes"]]
            return ", ".join(
                f"{known[name].label} {known[name].format_text(value)}" if name in known else name
                for name, value in rows
            )
        case "conduct":
            told = [CONDUCT_WORDS.get(str(each["name"]), str(each["name"])) for each in act["changes"]]
            return ", ".join(dict.fromkeys(told))
    if act.get("formation"):
        return names.formation(act["formation"])
    return names.unit(act["unit"]) if act.get("unit") else ""


def _describe_record_step(record: DayRecord, names: CampaignNames) -> str:
    words = {
        DayRecord.Kind.START: "when it began",
        DayRecord.Kind.DAY: f"after day {record.day}",
        DayRecord.Kind.WEEK: f"after the week's end of day {record.day}",
    }
    return words.get(DayRecord.Kind(record.kind)) or f"after {describe_correction(record, names)}"


def _describe_position(row: Mapping[str, Any] | None, names: CampaignNames) -> str:
    return position_text(Position(**row) if row else None, names)


def _describe_evening_position(row: Mapping[str, Any], names: CampaignNames) -> str:
    """Describe a formation's position in the evening; an escorted or absorbed one is with another."""
    if row["to"] is None and row.get("with"):
        return f"with {names.formation(row['with'])}"
    return _describe_position(row["to"], names)


def _describe_refusal(row: Mapping[str, Any], names: CampaignNames) -> str:
    who = names.formation(row["formation"]) if row["formation"] else "A choice for the returns"
    reason = row.get("reason", "")
    return f"{who}: {reason} ({row['rule']})" if reason else f"{who} ({row['rule']})"


def _describe_holder(side: str, names: CampaignNames) -> str:
    return names.side(side) if side else "nobody"


def _describe_preview_battle(row: Mapping[str, Any], names: CampaignNames) -> str:
    where = names.place(row["place"]) if row["place"] else names.route(row["route"])
    forces = ", ".join(
        f"{names.side(side)} {sp} SP, loses {row['lost'][side]}" for side, sp in row["sp"].items()
    )
    held = f"{names.side(row['held_by'])} holds the field" if row["held_by"] else "neither holds the field"
    settled = ", as it was settled" if row.get("settled") else ""
    return f"{where}, {row['minute'] // 60}:{row['minute'] % 60:02}: {forces}; {held}{settled}."
