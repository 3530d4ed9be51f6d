"""A kept bulletin made ready to be read: drawings drawn, dates as dates, tables in rows.

The page, the printed sheet and the letter all read this. A body that came from elsewhere, in an archive,
may lack anything; what cannot be read is refused whole, with `SheetError`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from campaign.drawing.charts_svg import Course, course_svg
from campaign.drawing.map_svg import MapSituation, situation_svg
from campaign.rules.world.world import Theatre
from campaign.selectors.army.strength_charts import SideFigures, WeekFigures
from campaign.selectors.press.bulletin_body import EDITION, figures_of


class SheetError(ValueError):
    """A body that cannot be read."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of a side's gains and losses in the week; `net` is signed."""

    name: str
    gained: int
    lost: int

    @property
    def net(self) -> str:
        points = self.gained - self.lost
        return f"\N{MINUS SIGN}{-points}" if points < 0 else f"+{points}" if points else "0"


@dataclass(frozen=True, slots=True)
class Strength:
    """A side's strength at the week's end and the week before, and why it changed."""

    name: str
    tint: str
    now: WeekFigures
    before: WeekFigures | None
    causes: tuple[Cause, ...]

    @property
    def change(self) -> str:
        points = self.now.points - self.before.points if self.before else 0
        return f"\N{MINUS SIGN}{-points}" if points < 0 else f"+{points}" if points else "0"


@dataclass(frozen=True, slots=True)
class BulletinSheet:
    """A bulletin to be read. Drawings are SVG in which every name is escaped."""

    body: Mapping[str, Any]
    first: date
    last: date
    lead_date: date | None
    articles: tuple[dict[str, Any], ...]
    battles: tuple[dict[str, Any], ...]
    weather: tuple[tuple[str, str], ...]
    strength: tuple[Strength, ...]
    drawing: SafeString
    near: SafeString
    charts: tuple[SafeString, ...]
    deadline: datetime | None
    record_hash: str


def sheet_of(body: Mapping[str, Any], theatre: Theatre) -> BulletinSheet:
    """A body made ready. Raises SheetError for one that is not a bulletin's."""
    try:
        if body["edition"] != EDITION:
            raise SheetError("This bulletin was written by another version of the site.")
        return _build_bulletin_sheet(body, theatre)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise SheetError("This bulletin cannot be read; it may have come damaged from an archive.") from error


def _build_bulletin_sheet(body: Mapping[str, Any], theatre: Theatre) -> BulletinSheet:
    figures = figures_of(body)
    situation = replace(MapSituation.from_json(body["map"]), base_map=theatre.base_map)
    title = f"The situation at the end of week {int(body['week'])}"
    words = _map_words(situation)
    atlas = theatre.atlas
    return BulletinSheet(
        body=body,
        first=date.fromisoformat(body["first"]),
        last=date.fromisoformat(body["last"]),
        lead_date=date.fromisoformat(body["lead_date"]) if body.get("lead_date") else None,
        articles=tuple(
            article
            | {
                "paragraphs": [
                    each | {"day": _format_iso_date(each["date"])} for each in article["paragraphs"]
                ]
            }
            for article in body["articles"]
        ),
        battles=tuple(battle | {"day": _format_iso_date(battle["date"])} for battle in body["battles"]),
        weather=tuple((_format_iso_date(each["date"]), str(each["sky"])) for each in body["weather"]),
        strength=tuple(_build_strength(side) for side in figures if side.weeks),
        drawing=mark_safe(situation_svg(situation, atlas, title, words)),
        near=mark_safe(situation_svg(situation, atlas, f"{title}, larger", words, situation.near))
        if situation.near
        else mark_safe(""),
        charts=charts_of(figures),
        deadline=datetime.fromisoformat(body["deadline"]) if body["deadline"] else None,
        record_hash=str(body.get("record_hash", "")),
    )


def charts_of(figures: tuple[SideFigures, ...]) -> tuple[SafeString, ...]:
    """Campaign points and strength points by week."""
    if not figures or not all(len(side.weeks) == len(figures[0].weeks) for side in figures):
        return ()
    weeks = [int(week.week) for week in figures[0].weeks]
    return tuple(
        mark_safe(
            course_svg(
                title,
                weeks,
                [
                    Course(side.name, side.tint, tuple(int(getattr(week, key)) for week in side.weeks))
                    for side in figures
                ],
            )
        )
        for title, key in (("Campaign points by week", "points"), ("Strength points by week", "sp"))
    )


def _build_strength(side: SideFigures) -> Strength:
    now = side.weeks[-1]
    told = dict(side.causes)
    return Strength(
        name=side.name,
        tint=side.tint,
        now=now,
        before=side.weeks[-2] if len(side.weeks) > 1 else None,
        causes=tuple(
            Cause(told[key], tally.gains, -tally.losses)
            for key, tally in now.causes.items()
            if key in told and (tally.gains or tally.losses)
        ),
    )


def _format_iso_date(text: str) -> str:
    when = date.fromisoformat(text)
    return f"{when:%A}, {when.day} {when:%B}"


def _map_words(situation: MapSituation) -> str:
    """The map in words, for those who cannot see it."""
    bodies = [
        f"{body.name}{f' and {body.more} more' if body.more else ''}, {body.strength} strength points"
        for body in situation.bodies
        if not body.ghost
    ]
    fields = [field.name for field in situation.fields]
    told = f"Troops: {'; '.join(bodies)}." if bodies else "No troops are shown."
    return f"{told} Battles: {'; '.join(fields)}." if fields else told
