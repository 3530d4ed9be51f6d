"""What a person may know of that happened since he last looked in: how much, and the three chief events."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from campaign.journal import event_from_entry
from campaign.models import JournalEntry, Visit
from campaign.names import Names, names_of_theatre
from campaign.narration import narrate
from campaign.rules.world import Theatre
from campaign.visibility import Viewer, journal_for
from rosters.models import Formation, Leader

#: Kinds worth a headline, by weight; of equal weight the later is told.
WEIGHTS = {
    **dict.fromkeys(("battle", "force_surrendered", "general_lost", "siege_raised", "terms_begun"), 3),
    **dict.fromkeys(("contact", "place_taken", "siege_laid", "retreat", "terms_broken", "pursuit"), 2),
    **dict.fromkeys(("arrives", "flight", "escape", "stand_off", "order_refused", "bridge_broken"), 1),
}
HEADLINES = 3
#: Entries among which the headlines are chosen.
CANDIDATES = 60


@dataclass(frozen=True, slots=True)
class Headline:
    """One event in words, with its date."""

    date: date
    text: str


@dataclass(frozen=True, slots=True)
class News:
    """What happened since `since`; None for a first visit, when everything is new."""

    since: datetime | None
    count: int = 0
    headlines: tuple[Headline, ...] = ()


def news(viewer: Viewer, theatre: Theatre, visit: Visit | None) -> News:
    """The viewer's news, in at most four queries."""
    if visit is None:
        return News(None)
    fresh = journal_for(viewer).filter(record_id__gt=visit.record)
    count = fresh.count()
    if not count:
        return News(visit.seen_at)
    chosen = list(fresh.filter(kind__in=WEIGHTS, unit="", pool="").order_by("-pk")[:CANDIDATES])
    chosen = sorted(chosen, key=lambda entry: (-WEIGHTS[entry.kind], -entry.pk))[:HEADLINES]
    names = _names(viewer, theatre) if chosen else Names()
    return News(
        visit.seen_at,
        count,
        tuple(_headline(entry, names, theatre) for entry in sorted(chosen, key=lambda entry: entry.pk)),
    )


def _headline(entry: JournalEntry, names: Names, theatre: Theatre) -> Headline:
    text = narrate(event_from_entry(entry), names)
    return Headline(theatre.start + timedelta(days=entry.day), text)


def _names(viewer: Viewer, theatre: Theatre) -> Names:
    """Names of what headlines tell of, without loading the world."""
    army = viewer.campaign.order_of_battle_id
    return replace(
        names_of_theatre(theatre),
        formations=dict(Formation.objects.filter(order_of_battle=army).values_list("slug", "name")),
        generals=dict(Leader.objects.filter(order_of_battle=army).values_list("slug", "name")),
    )
