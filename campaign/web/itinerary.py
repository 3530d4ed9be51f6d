"""A previewed march in words, and as a line on the map."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from campaign.map_features import coordinates
from campaign.narration import Names, position_text
from campaign.paper_text import order_lines
from campaign.rules.world import YARDS_PER_MILE, Theatre
from campaign.services.previews import OrderPreview, PreviewDay, PreviewLeg
from campaign.weariness import about_points

#: A march of more days is folded up.
DAYS_SHOWN = 3
REST_RULE = "HR-MAR-05"


@dataclass(frozen=True, slots=True)
class DayOfMarch:
    """A day of the march: its arrivals, where it ends, and the risk of forcing it."""

    date: date
    arrivals: tuple[str, ...]
    end: str
    risk: str
    rule: str
    chance: str = ""


@dataclass(frozen=True, slots=True)
class Itinerary:
    """What the page shows of a preview. `path_json` holds latitude and longitude of its points.

    `marks_json` are its nights and its end, each with a place on the map and a word. `arrival` is where and
    when it ends, `way` the same with the places on the way, `loss` what its forced days may cost, `total`
    that of several together, `told` what else the order says: work, a chase, further stages.
    """

    days: tuple[DayOfMarch, ...]
    miles: int
    path_json: str
    arrival: str = ""
    total: str = ""
    told: tuple[str, ...] = ()
    way: str = ""
    loss: str = ""
    marks_json: str = "[]"

    @property
    def marks(self) -> list[dict[str, Any]]:
        """Its nights and its end, as the map takes them."""
        found: list[dict[str, Any]] = json.loads(self.marks_json)
        return found

    @property
    def long(self) -> bool:
        """Whether its days are folded up, so that the form's button stays near."""
        return len(self.days) > DAYS_SHOWN


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
        arrival=_arrival(preview.legs[-1], theatre, names) if preview.legs else "",
        total=_total(preview.days),
        told=tuple(order_lines(preview.order, names)[1 if preview.days else 0 :]),
        way=_way(preview, theatre, names) if preview.legs else "",
        loss=_loss(preview.days),
        marks_json=json.dumps(_marks(preview, theatre)),
    )


def _way(preview: OrderPreview, theatre: Theatre, names: Names) -> str:
    by = ", ".join(names.place(place) for place in preview.order.via[:-1])
    way = f"By {by} to " if by else "To "
    return way + _arrival(preview.legs[-1], theatre, names)


def _marks(preview: OrderPreview, theatre: Theatre) -> list[dict[str, object]]:
    """The nights of a march where they are spent, with what the day may cost, and the hour of its end."""
    if not preview.legs:
        return []
    last = preview.legs[-1]
    marks: list[dict[str, object]] = []
    for day in preview.days:
        lon, lat = coordinates(day.end, theatre.atlas)
        date = theatre.start + timedelta(days=day.day)
        ends = day.day == last.day
        word = f"{date:%-d %B}, {clock(last.minute)}" if ends else f"{date:%-d %B}"
        lost = round(day.points) if day.rule else 0
        loss = f"\N{MINUS SIGN}{lost}" if lost else ""
        marks.append({"at": [lat, lon], "kind": "end" if ends else "night", "word": word, "loss": loss})
    return marks


def _arrival(leg: PreviewLeg, theatre: Theatre, names: Names) -> str:
    day = theatre.start + timedelta(days=leg.day)
    return f"{names.place(leg.destination)} on {day.day} {day:%B} at {clock(leg.minute)}"


def _total(days: tuple[PreviewDay, ...]) -> str:
    """What the forced days may cost together, "" when there are fewer than two or nobody to lose."""
    loss = _loss(days)
    return f"In all expect {loss.removeprefix('Expect ')}" if sum(map(_risky, days)) > 1 else ""


def _risky(day: PreviewDay) -> bool:
    return bool(day.rule and day.points)


def _loss(days: tuple[PreviewDay, ...]) -> str:
    """What all forced days may cost, "" when there are none or nobody to lose."""
    risky = [day for day in days if _risky(day)]
    if not risky:
        return ""
    fair = sum((day.points for day in risky), Fraction(0))
    adverse = sum((day.points_adverse for day in risky), Fraction(0))
    return f"Expect to lose {about_points(fair)}, {about_points(adverse)} in bad weather"


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
        rule=_rule(day),
        chance=_chance(day) if _risk(day) else "",
    )


def _risk(day: PreviewDay) -> str:
    """The forced march in words, "" for a normal day. Columns without points, as trains, lose none."""
    if not day.rule:
        return ""
    loss = f"expect to lose {about_points(day.points)}, {about_points(day.points_adverse)} in bad weather"
    if day.unrested:
        text = f"Day {day.unrested} of marching without rest: {loss}; a day's halt avoids it"
        return text if day.points else ""
    forced = f"Forced, {day.percent_over} % over"
    return f"{forced}: {loss}" if day.points else forced


def _chance(day: PreviewDay) -> str:
    """The chance that a unit loses anything, in sixths as its die has it."""
    several = len(day.chances) > 1
    words = []
    for chance in day.chances:
        who = f"{'militia' if chance.militia else 'others'} " if several else ""
        words.append(f"{who}{_sixths(chance.fair)}, {_sixths(chance.adverse)} in bad weather")
    return f"A unit's chance to lose by it: {'; '.join(words)}" if words else ""


def _sixths(chance: Fraction) -> str:
    return f"{chance * 6} in 6"


def _rule(day: PreviewDay) -> str:
    if not _risk(day):
        return ""
    return f"{REST_RULE}, {day.rule}" if day.unrested else day.rule


def clock(minute: int) -> str:
    """A minute of the day as 17:30; past midnight it says so."""
    day, rest = divmod(minute, 24 * 60)
    return f"{rest // 60}:{rest % 60:02d}{' after midnight' if day else ''}"
