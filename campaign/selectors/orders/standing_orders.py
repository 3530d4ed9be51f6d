"""Orders still being carried out, and a side's word that it has no new ones (HR-DUE-02)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from campaign.fog.seat_roles import DEPUTISED
from campaign.models import Campaign, OrderPaper, Seat, Station
from campaign.rules.world.world import World
from campaign.rules.world.world_json import order_to_json

#: What has no end of its own: its commander is asked each time whether it is to go on.
ENDLESS = ("follow", "intercept")


#: What is done within a day, so that nothing of it is left on the next.
DAILY = ("march", "rest")


#: Papers of earlier days that may still hold.
BEFORE = Q(state__in=(OrderPaper.State.CARRIED_OUT, OrderPaper.State.STANDING)) & ~Q(
    kind=OrderPaper.Kind.RETURNS
)


#: What is read of papers to know whose orders formations are under.
PAPER_COLUMNS = ("campaign", "day", "side", "formation", "author", "kind", "body")


#: A campaign's formations: pairs of side and formation.
Formations = set[tuple[str, str]]


def _goes_on(order: Mapping[str, Any], *, endless: bool) -> bool:
    """True when an order as JSON continues until done; `endless` includes orders without an end."""
    activity = order.get("activity", "march")
    if activity in ENDLESS:
        return endless
    return bool(order.get("via") or order.get("stages")) or activity not in DAILY


def standing_on(days: Mapping[int, int]) -> dict[int, Formations]:
    """Sides and formations whose own people have ordered what is still under way, by the keys of campaigns.

    `days` are the campaign days to come, by the same keys. What staff or umpire ordered is left out.
    """
    return _of_people(under_way_in(days), days)


def under_way_in(campaigns: Iterable[int]) -> dict[int, Formations]:
    """Sides and formations with an order under way that has an end, by the keys of campaigns."""
    found: dict[int, Formations] = {key: set() for key in campaigns}
    rows = Station.objects.filter(campaign__in=found, on_map=True, order__isnull=False)
    for key, side, formation, order in rows.values_list(
        "campaign", "formation__side__slug", "formation__slug", "order"
    ):
        if order is not None and _goes_on(order, endless=False):
            found[key].add((side, formation))
    return found


def standing_in(campaign: Campaign, world: World, *, endless: bool = False) -> Formations:
    """The same of one campaign on a morning, which may be one that has run on; `endless` as in `_goes_on`."""
    found = under_way(world, endless=endless)
    return _of_people({campaign.pk: found}, {campaign.pk: world.day})[campaign.pk]


def under_way(world: World, *, endless: bool = False) -> Formations:
    """Sides and formations with an order under way on a morning, whoever gave it."""
    return {
        (formation.side, key)
        for key, formation in world.formations.items()
        if formation.position is not None
        and formation.order is not None
        and _goes_on(order_to_json(formation.order), endless=endless)
    }


def _of_people(found: dict[int, Formations], days: Mapping[int, int]) -> dict[int, Formations]:
    """Those whose last order was of their own people, or who were detached with one."""
    if not any(found.values()):
        return found
    before = Q(pk__in=())
    for key, day in days.items():
        before |= Q(campaign=key, day__lt=day)
    papers = OrderPaper.objects.filter(before & BEFORE).order_by("day", "pk")
    ordered = ordered_by_people(papers.values(*PAPER_COLUMNS))
    return {
        key: {pair for pair in formations if (key, *pair) in ordered} for key, formations in found.items()
    }


def ordered_by_people(papers: Iterable[Mapping[str, Any]]) -> set[tuple[int, str, str]]:
    """Campaigns, sides and formations whose last order among papers of before was of their own people.

    `papers` have the `PAPER_COLUMNS`, in their order of days and of being put in.
    """
    last: dict[tuple[int, str, str], str] = {}
    for paper in papers:
        detached = [act["id"] for act in paper["body"].get("acts", ()) if "id" in act]
        activity = paper["kind"] == OrderPaper.Kind.ACTIVITY
        for formation in [paper["formation"]] if activity else detached:
            last[paper["campaign"], paper["side"], formation] = paper["author"]
    return {found for found, author in last.items() if author == OrderPaper.Author.COMMANDER}


def seats_content(days: Mapping[int, int]) -> QuerySet[Seat]:
    """Seats whose people have said that there is nothing new for the coming day, by the keys of campaigns."""
    asked = Q(pk__in=())
    for key, day in days.items():
        asked |= Q(campaign=key, nothing_new=day)
    return Seat.objects.filter(asked, role__in=DEPUTISED)
