"""A campaign half set up, as its pages and its last page show it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from campaign.models import CampaignDraft, Seat
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.world.options import (
    LEVELLED,
    RECRUITMENT,
    get_level,
    list_changed_settings,
    list_options,
    option_of,
)
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.setup.recruitment import Recruitment, recruitment_of
from campaign.selectors.setup.scenarios import ScenarioCard, scenario_card, with_armies

TITLES = {
    "scenario": "The country",
    "name": "Name",
    "seats": "Seats",
    "rules": "Rules",
    "clock": "Deadlines",
    "battles": "Battles",
    "review": "Review",
}
#: A year, after which a campaign is long.
LONG = 366


@dataclass(frozen=True, slots=True)
class StepRow:
    """A page of the set-up: filled in or not, and whether it can be opened yet."""

    key: str
    title: str
    number: int
    done: bool
    here: bool


@dataclass(frozen=True, slots=True)
class DraftSeatRow:
    """A seat to be made, in words."""

    name: str
    side: str
    invited: str
    formations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """An option chosen otherwise than the scenario has it."""

    label: str
    now: str
    was: str
    line: str


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A campaign left half set up, and the page to go on with."""

    draft: CampaignDraft
    title: str
    step: str


def draft_card(draft: CampaignDraft) -> ScenarioCard | None:
    """The scenario of a half-made campaign as its files are now, with the armies chosen for it."""
    chosen = draft.body["scenario"]
    card = scenario_card(chosen["slug"])
    armies = chosen.get("armies")
    sound = card is not None and not card.fault and card.digest == chosen["digest"]
    return with_armies(card, armies["sides"]) if card is not None and sound and armies else card


def draft_rows(drafts: Iterable[CampaignDraft]) -> list[DraftRow]:
    """Half-made campaigns as they are listed, each with its first page not kept yet."""
    return [
        DraftRow(
            draft, draft_title(draft), next((step for step in TITLES if step not in draft.body), "review")
        )
        for draft in drafts
    ]


def draft_title(draft: CampaignDraft) -> str:
    """Return a draft's title: its own name, else its scenario's."""
    named = draft.body.get("name", {}).get("title")
    if named:
        return str(named)
    slug = str(draft.body.get("scenario", {}).get("slug", ""))
    card = scenario_card(slug)
    return card.title if card is not None else slug or "a campaign"


def steps_of(draft: CampaignDraft | None, here: str) -> list[StepRow]:
    """The pages in their order."""
    body = draft.body if draft is not None else {}
    return [
        StepRow(key, title, number, key in body, key == here)
        for number, (key, title) in enumerate(TITLES.items(), start=1)
    ]


def draft_recruitment(draft: CampaignDraft, card: ScenarioCard) -> Recruitment:
    """The choices of recruitment with the armies that were chosen: the scenario's, others, or nobody."""
    return recruitment_of(card, bare=draft.body["scenario"]["bare"], armies=draft.armies)


def settings_of(body: Mapping[str, Any], base: RuleSettings) -> RuleSettings:
    """The settings of a half-made campaign; what no longer fits is as the scenario has it."""
    values = {}
    for name, text in body.get("rules", {}).get("settings", {}).items():
        option = list_options().get(name)
        if option is not None:
            with suppress(RuleViolation):
                values[name] = option.read(str(text))
    return RuleSettings.from_json({**base.to_json(), **values})


# --- the last page ---


@dataclass(frozen=True, slots=True)
class Review:
    """All that has been chosen, in plain words, and what to think of before it is made."""

    fog: str
    fog_line: str
    recruitment: str
    recruitment_line: str
    options: tuple[Chosen, ...]
    seats: tuple[DraftSeatRow, ...]
    spectators: str
    rhythm: tuple[str, ...]
    warnings: tuple[str, ...]


def review_of(draft: CampaignDraft, card: ScenarioCard) -> Review:
    """Build the contents of the review page. All steps must have been filled in."""
    body = draft.body
    chosen = settings_of(body, card.settings)
    level = get_level(chosen)
    recruitment = draft_recruitment(draft, card)
    seats = tuple(_iter_draft_seats(body["seats"], card))
    rhythm = Rhythm(
        **{key: body["clock"][key] for key in Rhythm.__dataclass_fields__ if key in body["clock"]}
    )
    return Review(
        fog=level.title,
        fog_line=level.line,
        recruitment=recruitment.get_choice(chosen.recruitment).title,
        recruitment_line=recruitment.describe_choice(chosen.recruitment),
        options=tuple(
            _build_chosen_setting(name, chosen, card.settings)
            for name in list_changed_settings(chosen, card.settings)
            if name not in (*LEVELLED, RECRUITMENT)
        ),
        seats=seats,
        spectators=_describe_spectators(body["seats"], card),
        rhythm=tuple(_iter_schedule_sentences(rhythm, body["clock"].get("until", ""), card)),
        warnings=tuple(_iter_setup_warnings(body, card, chosen, rhythm)),
    )


def _build_chosen_setting(name: str, chosen: RuleSettings, base: RuleSettings) -> Chosen:
    option = option_of(name)
    return Chosen(
        option.label, option.words(getattr(chosen, name)), option.words(getattr(base, name)), option.line
    )


def _iter_draft_seats(section: Mapping[str, Any], card: ScenarioCard) -> Iterator[DraftSeatRow]:
    yield DraftSeatRow("Umpire", "", "you")
    for row in section["seats"]:
        side = card.side(row["side"])
        named = dict(side.formations) if side else {}
        columns = tuple(named.get(key, key) for key in row.get("formations", ()))
        kind = {"commander": "Commander", "column": "Column"}.get(row["role"], "Assistant umpire")
        yield DraftSeatRow(
            row["title"] or kind, side.name if side else "", _describe_invitation(row), columns
        )
        if row.get("deputy"):
            yield DraftSeatRow("Deputy", side.name if side else "", _describe_invitation(row["deputy"]))


def _describe_invitation(row: Mapping[str, Any]) -> str:
    words = {
        "link": "a link to hand on",
        "mail": f"an e-mail to {row['whom']}" if settings.MAIL_IS_SENT else f"a link for {row['whom']}",
        "account": f"{row['whom']}, on their own page",
    }
    return words.get(row["way"], "nobody yet")


def _describe_spectators(section: Mapping[str, Any], card: ScenarioCard) -> str:
    days, side = section["days"], card.side(section["spectator_side"])
    if days is None:
        return "Spectators see nothing until it has ended."
    what = f"what {side.name} knows" if side else "all there is"
    return f"Spectators see {what}, {days} campaign day{'' if days == 1 else 's'} late."


def _iter_schedule_sentences(rhythm: Rhythm, until: str, card: ScenarioCard) -> Iterator[str]:
    """Yield sentences on the deadlines: the first one, then the later ones."""
    zone = rhythm.time_zone.replace("_", " ")
    if until:
        moment = datetime.fromisoformat(until)
        day = f"{moment:%A}, {moment.day} {moment:%B %Y}"
        yield f"The first orders are due on {day} at {moment:%H:%M} ({zone})."
    elif days := rhythm.cadence_days:
        yield (
            f"No hour is set for the first orders. Unless you set one (by the clock of {zone}), the first "
            f"deadline is {days} day{'' if days == 1 else 's'} after you play the first day, at the same "
            "hour and minute."
        )
    else:
        yield f"No hour is set for the first orders; you set it later, by the clock of {zone}."
    yield from rhythm_words(rhythm, card.days)


def rhythm_words(rhythm: Rhythm, season: int) -> list[str]:
    """Describe the deadline schedule of a campaign of so many days, in sentences."""
    days = rhythm.cadence_days
    told = [
        f"Then orders are due every {'day' if days == 1 else f'{days} days'}."
        if days
        else "Each deadline is set by hand."
    ]
    turn = {
        "contact": "until a contact",
        "sighting": "until an enemy is sighted",
        "week": "until the week's end",
    }.get(
        rhythm.run_until,
        f"{rhythm.days_a_turn} campaign day{'' if rhythm.days_a_turn == 1 else 's'}",
    )
    how = "by itself at the deadline" if rhythm.advance_at_deadline else "when the umpire advances it"
    told.append(f"Each turn lasts {turn}; it is played {how}.")
    late = "kept for the next day" if rhythm.late_orders == "queue" else "refused"
    missed = {"halt": "halts", "staff": "is ordered by the staff"}.get(rhythm.missed_orders, "carries on")
    told.append(f"Late orders are {late}; whoever misses the deadline {missed}.")
    grace = f"for {rhythm.grace_hours} more hours" if rhythm.grace_hours else "no longer for that"
    told.append(f"If the site is down over a deadline, orders are taken {grace}.")
    if real := _real_days(rhythm, season):
        told.append(f"So {season} campaign days take about {_format_duration(real)}.")
    return told


def _real_days(rhythm: Rhythm, season: int) -> int:
    """About how many real days a campaign takes to its end; 0 where nobody can tell."""
    if not rhythm.cadence_days or rhythm.run_until in ("contact", "sighting"):
        return 0
    turn = 7 if rhythm.run_until == "week" else rhythm.days_a_turn
    return -(-season // turn) * rhythm.cadence_days


def _format_duration(days: int) -> str:
    if days < 21:
        return f"{days} days"
    return f"{round(days / 7)} weeks" if days < LONG else f"{days / 365:.1f} years"


def _iter_setup_warnings(
    body: Mapping[str, Any], card: ScenarioCard, chosen: RuleSettings, rhythm: Rhythm
) -> Iterator[str]:
    seats = body["seats"]["seats"]
    for side in card.sides:
        rows = [row for row in seats if row["role"] == Seat.Role.COMMANDER and row["side"] == side.id]
        if not any(row["way"] or row.get("deputy") for row in rows):
            yield f"{side.name}: nobody is asked to command; the staff leads it until you give the seat away."
    asked = [row for row in seats for row in (row, row.get("deputy") or {}) if row.get("way") == "mail"]
    if asked and not settings.MAIL_IS_SENT:
        yield "No mail goes out from this site: you will be shown links, to pass on yourself."
    if body["scenario"]["bare"]:
        yield (
            "The map is empty. Add troops to both sides before you advance the first day: a side that has "
            "nobody in the evening has lost."
        )
    if not body["clock"].get("until") and rhythm.advance_at_deadline:
        yield "Days are to be played by themselves at the deadline, and no first deadline is set."
    if _real_days(rhythm, card.days) > LONG:
        yield "It would take more than a year. Play more campaign days a turn, or till the week's end."
    if body["battles"]["battle_policy"] != "ask" and chosen.tiny_fights == "ask":
        yield "Small fights are set to wait as battles do; there will be many."
    if chosen.boats == "counted" and not card.boats:
        yield "Boats are counted, but the scenario lays none out: each side gathers its own first."
    if chosen.couriers and chosen.fog == "off":
        yield "Orders ride although everybody sees the whole map."
