"""News for a person since their last visit: the number of new entries, and the three chief events."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Case, Count, IntegerField, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from campaign.fog.viewers import combine_rows
from campaign.fog.visibility import Viewer, journal_for
from campaign.ledger.journal import event_from_entry
from campaign.models import JournalEntry, Visit, find_time_zone
from campaign.rules.world.world import Theatre
from campaign.text.event_sentences import narrate
from campaign.text.event_table import EVENT_KINDS
from campaign.text.place_names import CampaignNames, names_of_theatre
from rosters.models import Formation, Leader

#: Headlines: the weightiest kinds, and of equal weight the latest.
HEADLINES = 3


@dataclass(frozen=True, slots=True)
class Headline:
    """One event in words, with its date."""

    date: date
    text: str


@dataclass(frozen=True, slots=True)
class CampaignNews:
    """Events since `since`, which is None on a first visit: then everything is new."""

    since: datetime | None
    count: int = 0
    headlines: tuple[Headline, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """A viewer who is to be told of his campaign, and when he last looked in; None for never."""

    viewer: Viewer
    theatre: Theatre
    visit: Visit | None


def load_campaign_news(looked: Iterable[Looked]) -> dict[int, CampaignNews]:
    """Return the news for viewers of several campaigns, by the campaign's key, in two queries."""
    told: dict[int, CampaignNews] = {}
    seen: dict[int, Looked] = {}
    fresh = []
    for one in looked:
        key = one.viewer.campaign.pk
        told[key] = CampaignNews(one.visit.seen_at if one.visit is not None else None)
        if one.visit is not None:
            seen[key] = one
            fresh.append(journal_for(one.viewer).filter(record_id__gt=one.visit.record))
    chief: dict[int, list[JournalEntry]] = {}
    rows = combine_rows(fresh, JournalEntry.objects.none()).filter(
        campaign__in=seen
    )  # the index is by campaign
    if seen:  # and by record: what nobody has seen yet begins there
        rows = rows.filter(record_id__gt=min(one.visit.record for one in seen.values() if one.visit))
    for entry in _list_chief_entries(rows) if fresh else ():
        told[entry.campaign_id] = replace(told[entry.campaign_id], count=entry.fresh)
        if entry.weight:
            chief.setdefault(entry.campaign_id, []).append(entry)
    armies = _load_headline_names({seen[key].viewer.campaign.order_of_battle_id for key in chief})
    for key, entries in chief.items():
        theatre = seen[key].theatre
        viewer = seen[key].viewer
        army, zone = armies[viewer.campaign.order_of_battle_id], find_time_zone(viewer.user, viewer.campaign)
        names = replace(names_of_theatre(theatre), **army, zone=zone)
        entries.sort(key=lambda entry: entry.pk)
        headlines = tuple(_build_headline(entry, names, theatre) for entry in entries)
        told[key] = replace(told[key], headlines=headlines)
    return told


def _list_chief_entries(fresh: QuerySet[JournalEntry]) -> QuerySet[Any]:
    """The heaviest entries of each campaign, the later first; `weight` is 0 for what is no headline.

    `fresh` counts all of the campaign's: it comes with the entry, so that it takes no query of its own.
    """
    kinds: dict[int, list[str]] = {}
    for kind in EVENT_KINDS.values():
        if kind.headline_weight:
            kinds.setdefault(kind.headline_weight, []).append(kind.code)
    weighed = [When(kind__in=told, unit="", pool="", then=weight) for weight, told in kinds.items()]
    return (
        fresh.annotate(weight=Case(*weighed, default=0, output_field=IntegerField()))
        .annotate(
            fresh=Window(Count("*"), partition_by="campaign"),
            nth=Window(RowNumber(), partition_by="campaign", order_by=["-weight", "-pk"]),
        )
        .filter(nth__lte=HEADLINES)
    )


def _build_headline(entry: JournalEntry, names: CampaignNames, theatre: Theatre) -> Headline:
    text = narrate(event_from_entry(entry), names)
    return Headline(theatre.start + timedelta(days=entry.day), text)


def _load_headline_names(armies: Collection[int]) -> dict[int, dict[str, dict[str, str]]]:
    """Names of what headlines tell of, by order of battle, without loading the worlds."""
    found: dict[int, dict[str, dict[str, str]]] = {
        army: {"formations": {}, "generals": {}} for army in armies
    }
    if not found:
        return found
    formations, leaders = (
        model.objects.filter(order_of_battle__in=armies)
        .order_by()
        .annotate(what=Value(what))
        .values_list("order_of_battle", "slug", "name", "what")
        for model, what in ((Formation, "formations"), (Leader, "generals"))
    )
    for army, slug, name, what in formations.union(leaders, all=True):
        found[army][what][slug] = name
    return found
