"""A previewed march in words, and as a line on the map."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from campaign.narration import Names, position_text
from campaign.rules.world import YARDS_PER_MILE, Theatre
from campaign.services.previews import OrderPreview, PreviewDay, PreviewLeg
from campaign.web.geojson import coordinates


@dataclass(frozen=True, slots=True)
class DayOfMarch:
    """A day of the march: its arrivals, where it ends, and the risk of forcing it."""

    date: date
    arrivals: tuple[str, ...]
    end: str
    risk: str
    rule: str


@dataclass(frozen=True, slots=True)
class Itinerary:
    """What the page shows of a preview. `path_json` holds latitude and longitude of its points."""

    days: tuple[DayOfMarch, ...]
    miles: int
    path_json: str


def itinerary(preview: OrderPreview, theatre: Theatre, names: Names) -> Itinerary:
    """A preview in words for people."""
    points = [coordinates(preview.start, theatre.atlas)]
    points += [
        [theatre.atlas.places[leg.destination].lon, theatre.atlas.places[leg.destination].lat]
        for leg in preview.legs
    ]
    return Itinerary(
        days=tuple(_day(day, preview.legs, theatre, names) for day in preview.days),
        miles=round(sum(leg.yards for leg in preview.legs) / YARDS_PER_MILE),
        path_json=json.dumps([[lat, lon] for lon, lat in points] if preview.legs else []),
    )


def _day(day: PreviewDay, legs: tuple[PreviewLeg, ...], theatre: Theatre, names: Names) -> DayOfMarch:
    arrivals = tuple(
        f"{names.place(leg.destination)} at {clock(leg.minute)}, by {theatre.atlas.routes[leg.route].kind}"
        for leg in legs
        if leg.day == day.day
    )
    return DayOfMarch(
        date=theatre.start + timedelta(days=day.day),
        arrivals=arrivals,
        end="" if day.end.place else position_text(day.end, names),
        risk=_risk(day),
        rule=day.rule,
    )


def _risk(day: PreviewDay) -> str:
    """The forced march in words, "" for a normal day."""
    if not day.rule:
        return ""
    return (
        f"Forced, {day.percent_over} % over: expect to lose {_about(day.points)} points, "
        f"{_about(day.points_adverse)} in bad weather"
    )


def _about(points: Fraction) -> str:
    return f"about {round(points)}" if points >= 1 else "hardly any"


def clock(minute: int) -> str:
    """A minute of the day as 17:30; past midnight it says so."""
    day, rest = divmod(minute, 24 * 60)
    return f"{rest // 60}:{rest % 60:02d}{' after midnight' if day else ''}"
