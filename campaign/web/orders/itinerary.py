"""A previewed march in words, and as a line on the map."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from campaign.rules.map.atlas import WATER_KINDS
from campaign.rules.world.world import YARDS_PER_MILE, Theatre, World
from campaign.selectors.map.geojson import find_coordinates
from campaign.selectors.orders.fatigue_warnings import loss_reason, loss_words
from campaign.selectors.orders.march_enemies import (
    BRIEFLY,
    EnemyOnMarch,
    enemy_lines,
    enemy_where,
    outcome_lines,
)
from campaign.selectors.orders.preview import BoatChoice, OrderPreview, PreviewDay, PreviewLeg
from campaign.text.order_text import STANCES, order_lines
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.unit_names import day_words

#: Why "in boats" changes nothing on a march.
NO_CHOICE: Mapping[BoatChoice, str] = {
    "open": "",
    "water": "There is only water between, so the column goes in boats.",
    "land": "There is no way by water, so the column marches by land.",
    "fastest": "The fastest way is by water, so the column goes in boats.",
}
#: A march of more days is folded up.
DAYS_SHOWN = 3
REST_RULE = "HR-MAR-05"


@dataclass(frozen=True, slots=True)
class DayOfMarch:
    """A day of the march: its arrivals, where it ends, and the risk of forcing it; or a rest before it."""

    date: date
    arrivals: tuple[str, ...]
    end: str
    risk: str
    rule: str
    chance: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class EnemyShown:
    """Enemies on the way: where, when the column comes there, who was reported, in brief what comes of it."""

    where: str
    when: str
    lines: tuple[str, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class Itinerary:
    """The parts of a preview that the page shows. `path_json` holds latitude and longitude of its points.

    `marks_json` are its nights and its end, each with a place on the map and a word. `arrival` is where and
    when it ends, `way` the same with the places on the way, `loss` what its days may cost and why, `total`
    that where its days do not say it near by, `told` what else the order says: work, a chase, further
    stages. `enemies` are those known on the way, `contact` what the column does where it meets them,
    `outcomes` what decides between assault and investment, with its rules. `travel` says where it goes by
    boat and where by land, `boats` why "in boats" is no choice, "" where it is one. `courier` says from when
    the order counts where a courier needs days.
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
    enemies: tuple[EnemyShown, ...] = ()
    contact: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()
    travel: str = ""
    boats: str = ""
    courier: str = ""

    @property
    def marks(self) -> list[dict[str, Any]]:
        """Its nights and its end, as the map takes them."""
        found: list[dict[str, Any]] = json.loads(self.marks_json)
        return found

    @property
    def enemy_note(self) -> str:
        """For the map's bar: the first enemies on the way, what comes of it, and how many more there are."""
        if not self.enemies:
            return ""
        first, more = self.enemies[0], len(self.enemies) - 1
        told = f"{first.where}: {first.outcome.lower() or 'enemies seen'}"
        return f"Enemies on the way: {told}{f'; and {more} more' if more else ''}."

    @property
    def rests_first(self) -> bool:
        """True if the first day is a day of rest (HR-MAR-05)."""
        return any(day.rest for day in self.days)

    @property
    def long(self) -> bool:
        """True if the days are folded up, so that the form's button stays near."""
        return len(self.days) > DAYS_SHOWN


def build_itinerary(
    preview: OrderPreview,
    world: World,
    names: CampaignNames,
    enemies: Sequence[EnemyOnMarch] = (),
    boats: BoatChoice = "open",
) -> Itinerary:
    """A preview in words for people, with the enemies that their side knows on the way, and whether boats
    are a choice."""
    theatre = world.theatre
    points = [find_coordinates(preview.start, theatre.atlas)]
    points += [
        [theatre.atlas.places[leg.destination].lon, theatre.atlas.places[leg.destination].lat]
        for leg in preview.legs
    ]
    return Itinerary(
        days=tuple(_describe_day(day, preview.legs, theatre, names) for day in preview.days),
        miles=round(sum(leg.yards for leg in preview.legs) / YARDS_PER_MILE),
        path_json=json.dumps([[lat, lon] for lon, lat in points] if preview.legs else []),
        arrival=_describe_arrival(preview.legs[-1], theatre, names) if preview.legs else "",
        total=_describe_total_loss(preview.days, theatre),
        told=tuple(order_lines(preview.order, names)[1 if preview.days else 0 :]),
        way=_describe_way(preview, theatre, names) if preview.legs else "",
        loss=_describe_loss(preview.days, theatre),
        marks_json=json.dumps(_build_marks(preview, theatre)),
        enemies=tuple(_describe_enemy(each, world, names) for each in enemies),
        outcomes=tuple(outcome_lines(enemies)),
        travel=_describe_travel(preview, theatre, names),
        boats=NO_CHOICE[boats],
        courier=describe_courier(world, preview.courier_days),
        contact=f"Where it meets them it is to {STANCES[preview.order.stance]}" if enemies else "",
    )


def describe_courier(world: World, days: int) -> str:
    """From when an order counts that a courier carries, without a full stop; "" for one that counts today."""
    if not days:
        return ""
    when = day_words(world.theatre.start, world.day + days)
    ride = f"A courier needs {days} day{'s' if days > 1 else ''} to where it was last reported"
    return f"{ride}, so it counts from {when}"


def _describe_travel(preview: OrderPreview, theatre: Theatre, names: CampaignNames) -> str:
    """By land, by boat, or both in turn with the places between; over a portage boats are carried."""
    runs: list[tuple[str, str]] = []
    for leg in preview.legs:
        kind = theatre.atlas.routes[leg.route].kind
        carried = kind == "portage" and preview.order.by_water
        how = "by boat" if kind in WATER_KINDS else "carrying its boats" if carried else "by land"
        if runs and runs[-1][0] == how:
            runs.pop()
        runs.append((how, leg.destination))
    if len(runs) < 2:
        return f"{runs[0][0].capitalize()} all the way" if runs else ""
    told = ", then ".join(f"{how} to {names.place(place)}" for how, place in runs)
    return told[0].upper() + told[1:]


def _describe_enemy(enemy: EnemyOnMarch, world: World, names: CampaignNames) -> EnemyShown:
    return EnemyShown(
        where=enemy_where(enemy, names),
        when=_describe_meeting(enemy, world.theatre, names),
        lines=tuple(enemy_lines(enemy, world, names)),
        outcome=BRIEFLY[enemy.outcome],
    )


def _describe_meeting(enemy: EnemyOnMarch, theatre: Theatre, names: CampaignNames) -> str:
    """Describe the time at which the column meets an enemy; for one between two places, the time before
    it reaches the second.
    """
    leg = enemy.leg
    if leg is None:
        return "where it stands now"
    at = f"{theatre.start + timedelta(days=leg.day):%-d %B} at {format_minute(leg.minute)}"
    return at if enemy.position.place else f"before {names.place(leg.destination)}, {at}"


def _describe_way(preview: OrderPreview, theatre: Theatre, names: CampaignNames) -> str:
    by = ", ".join(names.place(place) for place in preview.order.via[:-1])
    way = f"by {by} to " if by else "to "
    if any(day.rests for day in preview.days):
        way = f"after a day of rest, {way}"
    return way[0].upper() + way[1:] + _describe_arrival(preview.legs[-1], theatre, names)


def _build_marks(preview: OrderPreview, theatre: Theatre) -> list[dict[str, object]]:
    """The nights of a march where they are spent, with what the day may cost, and the hour of its end."""
    if not preview.legs:
        return []
    last = preview.legs[-1]
    marks: list[dict[str, object]] = []
    for day in preview.days:
        lon, lat = find_coordinates(day.end, theatre.atlas)
        date = theatre.start + timedelta(days=day.day)
        ends = day.day == last.day
        what = ", rests" if day.rests else f", {format_minute(last.minute)}" if ends else ""
        word = f"{date:%-d %B}{what}"
        lost = round(day.points) if day.rule else 0
        loss = f"\N{MINUS SIGN}{lost}" if lost else ""
        marks.append({"at": [lat, lon], "kind": "end" if ends else "night", "word": word, "loss": loss})
    return marks


def _describe_arrival(leg: PreviewLeg, theatre: Theatre, names: CampaignNames) -> str:
    day = theatre.start + timedelta(days=leg.day)
    return f"{names.place(leg.destination)} on {day.day} {day:%B} at {format_minute(leg.minute)}"


def _describe_total_loss(days: tuple[PreviewDay, ...], theatre: Theatre) -> str:
    """Describe the possible losses of the whole march with reasons; "" if the only day with losses is
    shown unfolded below.
    """
    risky = sum(map(_is_risky, days))
    loss = _describe_loss(days, theatre)
    if risky > 1:
        loss = f"In all expect {loss.removeprefix('Expect ')}"
    if not risky or (risky == 1 and len(days) <= DAYS_SHOWN):
        return ""
    return f"{loss}. A day of rest avoids it" if _lacks_rest(days) else loss


def _is_risky(day: PreviewDay) -> bool:
    return bool(day.rule and day.points)


def _lacks_rest(days: Iterable[PreviewDay]) -> bool:
    """True if a day costs strength only because of missing rest (HR-MAR-05)."""
    return any(day.unrested for day in days if _is_risky(day))


def _describe_loss(days: tuple[PreviewDay, ...], theatre: Theatre) -> str:
    """Describe the possible losses of a march's days with reasons; "" if there are none or there is
    nobody to lose.
    """
    risky = [day for day in days if _is_risky(day)]
    if not risky:
        return ""
    fair = sum((day.points for day in risky), Fraction(0))
    adverse = sum((day.points_adverse for day in risky), Fraction(0))
    whys = []
    if any(not day.unrested for day in risky):
        whys.append("the march is forced")
    first = next((day for day in risky if day.unrested), None)
    if first is not None:
        date = theatre.start + timedelta(days=first.day)
        whys.append(f"{date:%-d %B} would be day {first.unrested} of marching without rest")
    return f"Expect to lose {loss_words(fair, adverse)}, because {' and '.join(whys)}"


def _describe_day(
    day: PreviewDay, legs: tuple[PreviewLeg, ...], theatre: Theatre, names: CampaignNames
) -> DayOfMarch:
    arrivals = tuple(
        f"{names.place(leg.destination)} at {format_minute(leg.minute)}, by "
        f"{theatre.atlas.routes[leg.route].kind}"
        for leg in legs
        if leg.day == day.day
    )
    return DayOfMarch(
        date=theatre.start + timedelta(days=day.day),
        arrivals=arrivals,
        end="" if day.end.place or day.rests else position_text(day.end, names),
        risk=loss_reason(day),
        rule=_find_rule(day),
        chance=_describe_chance(day) if loss_reason(day) else "",
        rest=f"rests {position_text(day.end, names)}" if day.rests else "",
    )


def _describe_chance(day: PreviewDay) -> str:
    """The chance that a unit loses anything, in sixths as its die has it."""
    several = len(day.chances) > 1
    words = []
    for chance in day.chances:
        who = f"{'militia' if chance.militia else 'others'} " if several else ""
        words.append(f"{who}{_format_sixths(chance.fair)}, {_format_sixths(chance.adverse)} in bad weather")
    return f"A unit's chance to lose by it: {'; '.join(words)}" if words else ""


def _format_sixths(chance: Fraction) -> str:
    return f"{chance * 6} in 6"


def _find_rule(day: PreviewDay) -> str:
    if not loss_reason(day):
        return ""
    return f"{REST_RULE}, {day.rule}" if day.unrested else day.rule


def format_minute(minute: int) -> str:
    """A minute of the day as 17:30; past midnight it says so."""
    day, rest = divmod(minute, 24 * 60)
    return f"{rest // 60}:{rest % 60:02d}{' after midnight' if day else ''}"
