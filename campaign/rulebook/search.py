"""Looking rules up: by words or their beginnings, and by ids or what follows a hyphen in them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from campaign.rulebook.book import Rule, RuleBook, load_chapters, load_rulebook

#: A word with what hyphens and apostrophes join to it: counter-charge, AWI-T-MOR-01.
WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
#: Ids from one to another: hr-bat-01 to 03.
RANGE = re.compile(r"\b([a-z][a-z0-9-]*-)(\d{2})\s+to\s+(?:\1)?(\d{2})\b")
#: Letters of a word that may be the beginning of another.
LEAST = 3
#: Where a rule may be found, the best first, and what stands above those found there.
PLACES = ("In the id", "In the title", "In the title of the chapter", "In the text")


@dataclass(frozen=True, slots=True)
class RuleMatches:
    """Rules found in one place, in the order of the rulebook."""

    title: str
    rules: tuple[Rule, ...]


def search_rules(search: str, book: str = "") -> tuple[RuleMatches, ...]:
    """Rules that have every word searched for, or one that begins so, by where they have them.

    Of one book where its id is given, or of all.

    A word of one or two letters is looked for whole, but for ids; of a range as "HR-BAT-01 to 03" any id will
    do. A rule stands where the last of the words is found. Places without a rule are left out.
    """
    words = _parse_search(search)
    found: list[list[Rule]] = [[] for _ in PLACES]
    if words:
        for key, texts in _build_search_texts().items():
            if book and find_rule_book(key).id != book:
                continue
            last = max(_find_match_place(either, texts) for either in words)
            if last < len(PLACES):
                found[last].append(load_rulebook()[key])
    return tuple(
        RuleMatches(title, tuple(rules)) for title, rules in zip(PLACES, found, strict=True) if rules
    )


def find_rule_book(key: str) -> RuleBook:
    """The book a rule stands in."""
    return load_chapters()[load_rulebook()[key].chapter][0]


def _parse_search(search: str) -> list[tuple[str, ...]]:
    """Parse a search into alternatives: a rule must match one of each, a word or the ids of a range."""
    text = search.lower()
    ranges = [
        tuple(f"{stem}{number:02d}" for number in range(int(first), int(last) + 1))
        for stem, first, last in RANGE.findall(text)
    ]
    return [*ranges, *((word,) for word in _split_words(RANGE.sub(" ", text)))]


def _find_match_place(words: Iterable[str], texts: Iterable[str]) -> int:
    """The first of the places in which one of the words begins so; one beyond the last where none does."""
    for place, text in enumerate(texts):
        for word in words:
            end = " " if place and len(word) < LEAST else ""
            if f" {word}{end}" in text:
                return place
    return len(PLACES)


def _split_words(text: str) -> list[str]:
    return WORD.findall(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def _pad_words(text: str) -> str:
    """Every word of a text between spaces, and each part of one that is joined."""
    words = _split_words(text)
    parts = (part for word in words for part in re.split(r"[-']", word))
    return f" {' '.join(dict.fromkeys((*words, *parts)))} "


def _format_id_endings(key: str) -> str:
    """An id and what follows each hyphen in it, figures alone left out."""
    parts = key.lower().split("-")
    ends = ["-".join(parts[start:]) for start in range(len(parts))]
    return "".join(f" {end}" for end in ends if end[0].isalpha())


@cache
def _build_search_texts() -> dict[str, tuple[str, ...]]:
    """Build the searched texts of every rule, by the place of the match; once in a process."""
    return {
        key: (
            _format_id_endings(key),
            *map(_pad_words, (rule.title, load_chapters()[rule.chapter][1].title, rule.words)),
        )
        for key, rule in load_rulebook().items()
    }
