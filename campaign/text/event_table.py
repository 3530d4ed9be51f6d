"""The table of journal entries: every kind by its code, and the categories in the order of pages."""

from collections.abc import Mapping

from campaign.text.event_kinds import EventCategory, EventKind
from campaign.text.events import (
    army,
    battles,
    generals,
    marches,
    returns,
    scouting,
    sieges,
    supply,
    umpire,
    victory,
    weather,
    works,
)

CATEGORIES: Mapping[str, EventCategory] = {
    module.CATEGORY.id: module.CATEGORY
    for module in (
        battles,
        sieges,
        marches,
        scouting,
        works,
        generals,
        supply,
        army,
        returns,
        weather,
        victory,
        umpire,
    )
}
EVENT_KINDS: Mapping[str, EventKind] = {
    kind.code: kind for category in CATEGORIES.values() for kind in category.kinds
}
