"""Choices on the pages of a set-up, checked and converted into the form they are stored in (HR-SET-15)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from campaign.models import Seat, User
from campaign.rules.battles.ruleset_options import merge_options
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm, verify_rhythm
from campaign.rules.umpire.settings import (
    CONDUCT,
    OPTIONS,
    SPECTATORS,
    conduct_text,
    verify_conduct,
    verify_spectators,
)
from campaign.rules.world.options import format_setting, list_changed_settings
from campaign.rules.world.settings import RuleSettings
from campaign.scenarios.armies import (
    MOST_ROWS,
    armies_digest,
    replace_armies,
    rows_from_json,
    rows_to_json,
    side_facts,
)
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.services.setup.campaigns import slug_verify
from campaign.services.setup.drafts import MOST_COLUMNS, build_settings, person_verify, title_verify
from campaign.services.turns.deadlines import FURTHEST
from campaign.services.umpire.campaign_settings import ruleset_verify
from rosters.domain.text import normalize_text
from rosters.importing import RosterRow, roster_rows

Role = Seat.Role
#: Seats that are made with a campaign, besides the umpire's and deputies.
ROLES = (Role.COMMANDER, Role.COLUMN, Role.ASSISTANT)
WAYS = ("", "link", "mail", "account")
MOST_ASSISTANTS = 2
#: Bytes of an order of battle that is brought in.
MOST_TABLE = 2 * 2**20
MOMENT = "%Y-%m-%dT%H:%M"


def clean_name_step(title: str, slug: str) -> dict[str, Any]:
    """Check the campaign's name and address. Raises RuleViolation."""
    title_verify(title)
    slug_verify(slug)
    return {"title": title, "slug": slug}


def clean_armies_step(scenario: str, name: str, data: bytes) -> dict[str, Any]:
    """Check an uploaded order of battle (HR-SET-18) and collect the facts the pages show of it.

    Raises RosterErrors with every fault of the table, RuleViolation for a file that is too large.
    """
    if len(data) > MOST_TABLE:
        raise RuleViolation(
            "HR-SET-18", f"The table has more than {MOST_TABLE // 2**20} MB; cut it.", "armies"
        )
    notes: list[str] = []
    rows = roster_rows(data, most=MOST_ROWS, notes=notes)
    return {**_summarise_armies(scenario, normalize_text(name)[:100], rows), "notes": notes}


def clean_armies_step_again(
    scenario: str, kept: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Check stored armies against the scenario's current files. Raises RosterErrors for a misfit."""
    laid = _summarise_armies(scenario, kept["name"], rows_from_json(rows))
    return {**laid, "notes": kept.get("notes", [])}


def _summarise_armies(scenario: str, name: str, rows: Sequence[RosterRow]) -> dict[str, Any]:
    world = replace_armies(read_scenario(scenario_path(scenario)), rows).world
    return {
        "name": name,
        "rows": rows_to_json(rows),
        "units": len(rows),
        "digest": armies_digest(rows),
        "sides": {side.id: side_facts(world, side.id) for side in world.theatre.sides},
    }


def clean_rules_step(base: RuleSettings, texts: Mapping[str, str]) -> dict[str, Any]:
    """List the options that differ from the scenario's. Raises RuleViolation with the option as field."""
    chosen = build_settings(base, texts)
    return {
        "settings": {
            name: format_setting(getattr(chosen, name)) for name in list_changed_settings(chosen, base)
        }
    }


def clean_clock_step(rhythm: Rhythm, until: datetime | None) -> dict[str, Any]:
    """Check the deadline schedule and first deadline, stored in club time. Raises RuleViolation."""
    verify_rhythm(rhythm)
    now = datetime.now(UTC)
    if until is not None and not now < until <= now + FURTHEST:
        raise RuleViolation(
            "HR-UMP-11", "The first orders are due at a moment to come, within two years.", "until"
        )
    local = until.astimezone(ZoneInfo(rhythm.time_zone)).strftime(MOMENT) if until else ""
    return {**asdict(rhythm), "until": local}


def clean_battles_step(values: Mapping[str, Any]) -> dict[str, Any]:
    """Check how battles are resolved. Raises RuleViolation with the field that is wrong."""
    kept = {name: values[name] for name in CONDUCT if name in values and name != "title"}
    for name, value in kept.items():
        verify_conduct(name, conduct_text(value))
    ruleset_verify(kept["ruleset"])
    return {**kept, OPTIONS: merge_options({}, kept.get(OPTIONS, {}))}


def clean_seats_step(
    umpire: User,
    formations: Mapping[str, Collection[str]],
    seats: Collection[Mapping[str, Any]],
    days: int | None,
    spectator_side: str,
) -> dict[str, Any]:
    """Check the seats; `formations` are those of each side. Raises RuleViolation for the first wrong."""
    rows: list[dict[str, Any]] = []
    asked, taken = {umpire.get_username().lower()}, set[str]()
    counts: dict[tuple[str, str], int] = {}
    for row in seats:
        role, side = str(row["role"]), str(row["side"])
        counts[role, side] = counts.get((role, side), 0) + 1
        _verify_seat(role, side, counts[role, side], formations)
        kept: dict[str, Any] = {"role": role, "side": side, "title": str(row["title"]).strip()}
        kept |= _clean_invitation(row, asked)
        if role == Role.COLUMN:
            kept["formations"] = _clean_column_formations(row["formations"], formations[side], taken)
        deputy = row.get("deputy")
        if deputy and role == Role.COMMANDER and deputy["way"]:
            kept["deputy"] = _clean_invitation(deputy, asked)
        rows.append(kept)
    for side in formations:  # each has a commander's seat, filled or not
        if (Role.COMMANDER, side) not in counts:
            rows.append({"role": str(Role.COMMANDER), "side": side, "title": "", "way": "", "whom": ""})
    for name, value in zip(SPECTATORS, (days, spectator_side), strict=True):
        verify_spectators(name, conduct_text(value), list(formations))
    return {"seats": rows, "days": days, "spectator_side": spectator_side}


def _verify_seat(role: str, side: str, number: int, formations: Mapping[str, Collection[str]]) -> None:
    if role not in ROLES:
        raise RuleViolation("HR-SET-04", f"There is no seat of a {role} to begin with.", "role")
    if (side in formations) == (role == Role.ASSISTANT):
        raise RuleViolation(
            "HR-SET-04", f"Name the side of a commander or column: {', '.join(formations)}.", "side"
        )
    most = {Role.COMMANDER: 1, Role.COLUMN: MOST_COLUMNS, Role.ASSISTANT: MOST_ASSISTANTS}[Role(role)]
    if number > most:
        raise RuleViolation("HR-SET-04", f"There are at most {most} such seats to begin with.", "role")


def _clean_column_formations(wanted: Collection[str], known: Collection[str], taken: set[str]) -> list[str]:
    rule = "HR-SET-05"
    if not wanted:
        raise RuleViolation(rule, "A column has formations; choose at least one.", "formations")
    for key in wanted:
        if key not in known:
            raise RuleViolation(rule, f"The side has no formation {key}; name one of its own.", "formations")
        if key in taken:
            raise RuleViolation(rule, f"{key} stands under a column already; name it once.", "formations")
        taken.add(key)
    return list(wanted)


def _clean_invitation(row: Mapping[str, Any], asked: set[str]) -> dict[str, str]:
    """Check an invitation to a seat; `asked` are the people already invited. Raises RuleViolation."""
    way, whom = str(row["way"]), str(row["whom"]).strip()
    if way == "mail":
        try:
            validate_email(whom)
        except ValidationError as error:
            sentence = "Give an e-mail address, as anna@example.org."
            raise RuleViolation("HR-SET-13", sentence, "whom") from error
    elif way == "account":
        person_verify(whom)
    if way in ("mail", "account"):
        if whom.lower() in asked:
            raise RuleViolation("HR-SET-04", f"{whom} has a seat already; a person has one.", "whom")
        asked.add(whom.lower())
    return {"way": way, "whom": whom}
