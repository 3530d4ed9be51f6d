"""The journal as a program follows it: in order of happening, from where it stopped reading."""

import re
from dataclasses import dataclass
from typing import Any

from campaign.fog.visibility import Viewer, journal_for
from campaign.ledger.journal import event_from_entry
from campaign.models import JournalEntry
from campaign.rules.world.world import World
from campaign.selectors.press.journal import JournalLine, line_of, mark_of
from campaign.text.place_names import CampaignNames

CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9})\.(e[0-9a-f]{12})?")


class CursorOvertaken(Exception):
    """The campaign has gone back, or the reader sees another journal: he begins anew."""


@dataclass(frozen=True, slots=True)
class StreamedEntry:
    """An entry: its line as the page has it, and what of it a program asks for by name."""

    line: JournalLine
    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class Stream:
    """Some entries in order. `cursor` is where to go on; `more` whether there is something by now."""

    entries: tuple[StreamedEntry, ...]
    cursor: str
    more: bool
    revision: int


def journal_after(
    viewer: Viewer, world: World, names: CampaignNames, *, cursor: str = "", day: int = 0, most: int = 100
) -> Stream:
    """Entries of the present course that the viewer may read, after a cursor, or from a campaign day on.

    A cursor is the course, how many of his own entries the reader has, and the mark of the last: it tells
    nothing of what is hidden, and stands when new ones come. Raises CursorOvertaken, and ValueError for
    what is no cursor. Three queries.
    """
    entries = journal_for(viewer).order_by("record_id", "ordinal")
    had, mark = (
        _resolve_cursor(viewer, entries, cursor) if cursor else (entries.filter(day__lt=day).count(), "")
    )
    found = list(entries[had : had + most + 1])
    told = [
        StreamedEntry(line_of(number, entry, names), entry)
        for number, entry in enumerate(found[:most], had + 1)
    ]
    last = told[-1].line.mark if told else mark
    at = f"{viewer.campaign.revision}.{had + len(told)}.{last}"
    return Stream(tuple(told), at, len(found) > most, viewer.campaign.revision)


def _resolve_cursor(viewer: Viewer, entries: Any, cursor: str) -> tuple[int, str]:
    """How many entries the reader has by his cursor, and the mark of the last."""
    said = CURSOR.fullmatch(cursor)
    if said is None:
        raise ValueError("This is no cursor of a journal.")
    revision, had, mark = int(said[1]), int(said[2]), said[3] or ""
    if revision != viewer.campaign.revision:
        raise CursorOvertaken
    if mark:
        last = entries[had - 1 : had].first() if had else None
        if last is None or mark_of(last.day, event_from_entry(last)) != mark:
            raise CursorOvertaken
    return had, mark
