"""Food as a viewer's own formations have it, and every loss by hunger with its line and its dice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import F, Q

from campaign.fog.visibility import Viewer, journal_for
from campaign.models import JournalEntry
from campaign.rules.orders.labour import men_of
from campaign.rules.scouting.knowledge import own_report
from campaign.rules.supply.lines import list_bases
from campaign.rules.supply.supply import days_of_food
from campaign.rules.world.markers import Provision
from campaign.rules.world.world import YARDS_PER_MILE, World, present_units
from campaign.selectors.press.journal import JournalLine, line_of
from campaign.text.event_table import CATEGORIES
from campaign.text.place_names import CampaignNames, position_text

#: Events of food, and the days of them a page shows.
KINDS = tuple(kind.code for kind in CATEGORIES["food"].kinds)
DAYS = 28


@dataclass(frozen=True, slots=True)
class FoodRow:
    """Food of one formation; `days` of food in hand, None before its first evening."""

    id: str
    name: str
    side_id: str
    tint: str
    where: str
    men: int
    days: int | None
    hungry_days: int
    short: bool
    source: str
    line: str


@dataclass(frozen=True, slots=True)
class StoreRow:
    """A place whose food the viewer's side gives out; None for a base, which does not run out."""

    place: str
    name: str
    side_id: str
    side: str
    rations: int | None


@dataclass(frozen=True, slots=True)
class LossRow:
    """A day's event of food: what it was, with dice, and the line it is about."""

    date: date
    line: JournalLine
    trace: str


@dataclass(frozen=True, slots=True)
class Supply:
    formations: tuple[FoodRow, ...]
    stores: tuple[StoreRow, ...]
    losses: tuple[LossRow, ...]


def load_supply(viewer: Viewer, world: World, names: CampaignNames) -> Supply:
    """The page of food, in two queries."""
    sides = [side.id for side in world.theatre.sides if viewer.sees_all or side.id == viewer.side]
    return Supply(
        tuple(_list_food_rows(viewer, world, names, sides)),
        tuple(_iter_store_rows(world, names, sides)),
        tuple(_iter_hunger_losses(viewer, world, names)),
    )


def _list_food_rows(
    viewer: Viewer, world: World, names: CampaignNames, sides: list[str]
) -> Iterable[FoodRow]:
    present = present_units(world)
    rows = []
    for key, units in present.items():
        body = world.formations[key]
        if body.side not in sides or body.position is None:
            continue
        if not viewer.sees_all and own_report(world, body) is not None:
            continue  # headquarters only knows what its couriers bring (HR-COU-04)
        men, known = men_of(units), world.provisions.get(key)
        if not men and not body.rations:
            continue
        rows.append(
            FoodRow(
                id=key,
                name=body.name,
                side_id=body.side,
                tint=names.tint(body.side),
                where=position_text(body.position, names),
                men=men,
                days=days_of_food(world, key) if men else None,
                hungry_days=body.hungry_days,
                short=known is not None and known.short,
                source=f"a load of {body.rations} rations"
                if not men
                else _describe_food_source(known, names),
                line=_format_places(known.way, names) if known is not None else "",
            )
        )
    return sorted(rows, key=lambda row: (row.tint, -row.hungry_days, row.days is None, row.days, row.name))


def _describe_food_source(known: Provision | None, names: CampaignNames) -> str:
    """Describe where yesterday evening's food came from, or why none came."""
    if known is None:
        return "eats for the first time this evening"
    if known.food == "country":
        return "its own country feeds it"
    if known.food == "line":
        miles = round(known.carry / YARDS_PER_MILE)
        carry = f"{miles} miles by land" if miles else "by water all the way"
        share = f"{known.percent}\N{NO-BREAK SPACE}%"
        return f"from {names.place(known.source)}, {carry}: {share} of a day's food a day"
    return cut_text(known.broken, names)


def cut_text(broken: str, names: CampaignNames) -> str:
    """Explain why no food comes."""
    return f"the enemy bars the way at {names.place(broken)}" if broken else "no magazine is near enough"


def _format_places(way: Iterable[str], names: CampaignNames) -> str:
    return ", ".join(names.place(place) for place in way)


def _iter_store_rows(world: World, names: CampaignNames, sides: list[str]) -> Iterable[StoreRow]:
    for side in sides:
        own = list_bases(world, side)
        for place in own:
            yield StoreRow(place, names.place(place), side, names.side(side), None)
        for place, store in world.magazines.items():
            if store.side == side and place not in own and world.holders.get(place) == side:
                yield StoreRow(place, names.place(place), side, names.side(side), store.rations)


def _iter_hunger_losses(viewer: Viewer, world: World, names: CampaignNames) -> Iterable[LossRow]:
    told = Q(kind__in=KINDS) | Q(kind="told_by_courier", data__event__kind__in=KINDS)
    entries = journal_for(viewer).filter(told, day__gte=world.day - DAYS)
    entries = entries.exclude(before=F("after"))  # who came through the die unharmed
    for entry in entries.order_by("-day", "record_id", "ordinal"):
        yield LossRow(
            world.theatre.start + timedelta(days=entry.day),
            line_of(entry.ordinal, entry, names),
            _describe_supply_line(entry, names),
        )


def _describe_supply_line(entry: JournalEntry, names: CampaignNames) -> str:
    """The line a formation's entry is about; where it broke stands in the sentence itself."""
    return "" if entry.unit else _format_places(entry.data.get("way", ()), names)
