"""Suggestions in refusals: the known names, and the one that seems to be meant."""

from collections.abc import Iterable
from difflib import get_close_matches

#: Share of two words that must agree for one to be taken for the other.
ALIKE = 0.7
#: Characters of a word, and how many known words, that are compared: each pair may take a millisecond.
LONGEST_WORD, MOST_COMPARED = 40, 200
#: Names listed at the most; of more their number is told.
LISTED = 40
#: Other words for what lies on the ground.
GROUND_WORDS = {
    "wood": "open_woods", "woods": "open_woods", "forest": "dense_woods", "trees": "open_woods",
    "orchard": "open_woods", "jungle": "dense_woods", "thicket": "dense_woods",
    "lake": "water", "pond": "water", "sea": "water", "bog": "swamp", "creek": "stream", "brook": "stream",
    "house": "building", "farm": "building", "mill": "building", "church": "building", "town": "building",
    "village": "building", "fort": "redoubt", "breastwork": "fieldwork", "entrenchment": "fieldwork",
    "earthwork": "fieldwork", "trench": "fieldwork", "abatis": "fieldwork", "palisade": "stockade",
    "hedge": "fence", "track": "road", "path": "road", "lane": "road", "field": "crops", "wheat": "crops",
    "corn": "crops", "cornfield": "crops", "ridge": "hill", "slope": "hill", "height": "hill",
    "cliff": "hill", "ravine": "rough", "broken": "rough", "scrub": "rough",
}  # fmt: skip


def format_name_list(names: Iterable[object]) -> str:
    """Names with commas; of very many the first and how many more."""
    every = [str(name) for name in names]
    more = f" and {len(every) - LISTED} more" if len(every) > LISTED else ""
    return ", ".join(every[:LISTED]) + more


def _parse_numbers(names: Iterable[str]) -> list[int]:
    """The names as whole numbers, when every one is a whole number; else an empty list."""
    try:
        return [int(name) for name in names]
    except ValueError:
        return []


def guess_name(word: object, known: Iterable[object]) -> str:
    """The known name a word seems to stand for, or nothing."""
    names = [str(name) for name in known]
    said = str(word).strip().lower().replace(" ", "_").replace("-", "_")
    other = GROUND_WORDS.get(said) or GROUND_WORDS.get(said.removesuffix("s"))
    if other in names:
        return other
    plain = {name.lower().replace(" ", "_").replace("-", "_"): name for name in names}
    if len(said) > LONGEST_WORD:
        return ""
    compared = [name for name in plain if len(name) <= LONGEST_WORD][:MOST_COMPARED]
    close = get_close_matches(said, compared, 1, ALIKE)
    return plain[close[0]] if close else ""


def suggest_names(word: object, known: Iterable[object], nothing: str = "there is none") -> str:
    """The advice after an unknown name: the one that seems to be meant, and all known names.

    Of whole numbers none is taken for another; of a row without gaps the first and the last are told.
    """
    names = [str(name) for name in known]
    if not names:
        return nothing
    numbers = _parse_numbers(names)
    if len(numbers) > 2 and numbers == [numbers[0] + k for k in range(len(numbers))]:
        return f"give a whole number from {names[0]} to {names[-1]}"
    guess = "" if numbers else guess_name(word, names)
    there = f"here {'is only' if len(names) == 1 else 'are'} {format_name_list(names)}"
    return f"did you mean “{guess}”? T{there}" if guess else f"t{there}"
