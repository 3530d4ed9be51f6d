"""Body of a copy of the week's bulletin, composed from the journal and the world on the week's last evening.

A body is plain JSON: published, it is kept as it stands and never composed again (HR-REP-01). Of drawings
it holds what they show, not the drawing.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from campaign.fog.press import copy_viewer
from campaign.fog.visibility import Viewer, build_viewer_world, journal_for, may_know_seat
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Campaign, DayRecord, Tenure
from campaign.rules.world.world import Theatre, World
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.army.strength_charts import (
    CauseTally,
    SideFigures,
    WeekFigures,
    list_strength_figures,
)
from campaign.selectors.army.weekly_strength import Musters, load_musters
from campaign.selectors.battles.battles import BattleRow, Force, battle_rows, list_forces
from campaign.selectors.map.features import battle_facts
from campaign.selectors.map.situations import build_map_situation
from campaign.selectors.press.gazette import find_gazette
from campaign.text.gazette import DAYS_A_WEEK, Gazette
from campaign.text.place_names import CampaignNames, names_of

#: Raised when bodies hold other things, so that pages know how to read an old one.
EDITION = 1
#: What is told in a place of its own, and not among the articles.
APART = ("weather", "notices")
SKIES = {"fair": "Fair", "rain": "Rain", "storm": "Storms", "fog": "Fog"}


def bulletin_body(campaign: Campaign, record: DayRecord, week: int, side: str) -> dict[str, Any]:
    """A copy's body; `record` closed the week, `side` is "" for the public copy."""
    snapshot = DayRecord.objects.values_list("snapshot", flat=True).get(pk=record.pk)
    true = snapshot_unpack(bytes(snapshot), theatre_load(campaign))
    viewer = copy_viewer(campaign, side, record.day)
    return body_of(viewer, build_viewer_world(viewer, true), week)


def body_of(viewer: Viewer, world: World, week: int) -> dict[str, Any]:
    """The week as the viewer may know it, from his journal and `world`, his world on its last evening."""
    theatre = world.theatre
    names = replace(names_of(world), zone=ZoneInfo(viewer.campaign.time_zone))  # one copy for all readers
    first = theatre.start + timedelta(days=(week - 1) * DAYS_A_WEEK)
    days = range((week - 1) * DAYS_A_WEEK, min(week * DAYS_A_WEEK, world.day))
    paper = find_gazette(viewer, world, names, week)
    fought = [row for row in battle_rows(viewer, world, names) if row.battle.day in days and not row.waiting]
    campaign = viewer.campaign
    return {
        "edition": EDITION,
        "week": week,
        "first": first.isoformat(),
        "last": (theatre.start + timedelta(days=days[-1])).isoformat(),
        **_build_newspaper(paper),
        "map": build_map_situation(viewer, world, names, fought, paper.headed if paper else None).to_json(),
        "battles": [_build_bulletin_battle(viewer, row, names, world) for row in reversed(fought)],
        "sides": [_build_side_body(side) for side in _list_side_figures(viewer, world, names)],
        "weather": _list_daily_weather(viewer, days, theatre),
        "seats": _list_command_changes(viewer, days, theatre),
        "deadline": campaign.deadline.isoformat() if campaign.deadline and viewer.day_limit is None else "",
        "time_zone": campaign.time_zone,
    }


def _build_newspaper(paper: Gazette | None) -> dict[str, Any]:
    """Return the week's newspaper as plain data, without the references to the journal."""
    if paper is None:
        return {"title": "", "head": "", "lead": "", "articles": [], "losses": []}
    return {
        "title": paper.title,
        "head": paper.head.text if paper.head else "",
        "lead": paper.lead.text if paper.lead else "",
        "lead_date": paper.lead_date.isoformat() if paper.lead_date else "",
        "articles": [
            {
                "id": article.id,
                "title": article.title,
                "left_out": article.left_out,
                "paragraphs": [
                    {
                        "date": paragraph.date.isoformat(),
                        "text": " ".join(sentence.text for sentence in paragraph.sentences),
                    }
                    for paragraph in article.paragraphs
                ],
            }
            for article in paper.articles
            if article.id not in APART
        ],
        "losses": [{"name": loss.name, "points": loss.points, "left": loss.left} for loss in paper.losses],
    }


def _build_bulletin_battle(
    viewer: Viewer, row: BattleRow, names: CampaignNames, world: World
) -> dict[str, Any]:
    """A battle with what each side brought and lost, as its page tells the viewer (HR-FOG-03)."""
    holder = (row.battle.settlement or {}).get("field_held_by", "")
    (facts,) = battle_facts([row], world, names)
    return {
        "key": row.battle.pk,
        "title": row.title,
        "date": row.date.isoformat(),
        "clock": row.clock,
        "where": facts.where,
        "by": row.by,
        "holder": names.side(holder) if holder else "",
        "sides": [build_bulletin_force(force) for force in list_forces(viewer, row.battle, names)],
    }


def build_bulletin_force(force: Force) -> dict[str, Any]:
    """Return a side's strength and losses in a battle as plain data, as the viewer knows them."""
    return {
        "name": force.name,
        "tint": force.tint,
        "role": force.role,
        "sp": force.sp,
        "lost": force.sp_lost,
        "captured": force.sp_captured,
        "left": force.sp_left,
        "generals": list(force.generals),
    }


def _list_side_figures(viewer: Viewer, world: World, names: CampaignNames) -> tuple[SideFigures, ...]:
    """Strength by week up to the end of this one."""
    known = load_musters(viewer, world)
    until = {day: muster for day, muster in known.by_day.items() if day <= world.day}
    records = {day: record for day, record in known.records.items() if day <= world.day}
    return list_strength_figures(viewer, world, names, Musters(until, records, known.changes))


def _build_side_body(side: SideFigures) -> dict[str, Any]:
    weeks = [{**asdict(week), "date": week.date.isoformat()} for week in side.weeks]
    return {"id": side.id, "name": side.name, "tint": side.tint, "weeks": weeks}


def _list_daily_weather(viewer: Viewer, days: range, theatre: Theatre) -> list[dict[str, str]]:
    """The sky of each day of the week, the last word on it."""
    told = journal_for(viewer).filter(kind="weather", day__gte=days[0], day__lte=days[-1])
    skies = {
        day: SKIES.get(str(data.get("weather")), "Fair")
        for day, data in told.order_by("record_id", "ordinal").values_list("day", "data")
    }
    return [
        {"date": (theatre.start + timedelta(days=day)).isoformat(), "sky": skies[day]}
        for day in sorted(skies)
    ]


def _list_command_changes(viewer: Viewer, days: range, theatre: Theatre) -> list[str]:
    """List the commands taken and given up in the week, as the viewer may know."""
    mornings = range(days[0] + 1, days[-1] + 2)
    tenures = [
        tenure
        for tenure in Tenure.objects.filter(campaign=viewer.campaign).order_by("from_day", "pk")
        if may_know_seat(viewer, tenure)
    ]
    taken = {(tenure.title, tenure.from_day) for tenure in tenures}
    found = []
    for tenure in tenures:
        if tenure.from_day in mornings:
            when = theatre.start + timedelta(days=tenure.from_day)
            found.append(
                (tenure.from_day, f"On {when.day} {when:%B} {tenure.name} takes the seat “{tenure.title}”.")
            )
        ended = tenure.until_day
        if ended is not None and ended in mornings and (tenure.title, ended) not in taken:
            when = theatre.start + timedelta(days=ended)
            found.append(
                (ended, f"On {when.day} {when:%B} {tenure.name} gives up the seat “{tenure.title}”.")
            )
    return [sentence for _, sentence in sorted(found)]


# --- read again ---


def figures_of(body: Mapping[str, Any]) -> tuple[SideFigures, ...]:
    """The strength of a kept body, for charts and tables."""
    return tuple(
        SideFigures(
            side["id"],
            side["name"],
            side["tint"],
            tuple(
                WeekFigures(
                    week["week"],
                    date.fromisoformat(str(week["date"])),
                    week["points"],
                    week["sp"],
                    week["units"],
                    {cause: CauseTally(**tally) for cause, tally in week["causes"].items()},
                )
                for week in side["weeks"]
            ),
        )
        for side in body["sides"]
    )
