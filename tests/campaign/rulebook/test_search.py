"""Rules are found by words, by their beginnings and by ids, and the best stand first."""

import re

import pytest

from campaign.rulebook.book import load_chapters, load_rule_books, load_rulebook
from campaign.rulebook.search import PLACES, search_rules


def found(search: str) -> dict[str, list[str]]:
    """Ids by where they were found."""
    return {part.title: [rule.id for rule in part.rules] for part in search_rules(search)}


def every(search: str) -> list[str]:
    return [key for keys in found(search).values() for key in keys]


def chapter_of(key: str) -> str:
    return load_chapters()[load_rulebook()[key].chapter][1].title


def test_a_rule_has_every_word_or_one_that_begins_so():
    keys = every("Militia  home")
    assert "AWI-C-MIL-02" in keys and "AWI-T-FIR-08" not in keys
    for key in keys:
        rule = load_rulebook()[key]
        said = f"{rule.id} {rule.title} {chapter_of(key)} {rule.words}".lower()
        assert all(re.search(rf"\b{word}", said) for word in ("militia", "home")), key
    assert set(every("Militia home")) <= set(every("milit hom"))
    assert search_rules("no such words at all zzz") == search_rules("  ?! ") == search_rules("") == ()


def test_what_stands_within_a_word_is_not_found():
    assert every("ilitia") == []
    keys = every("ART")
    assert keys
    for key in keys:
        rule = load_rulebook()[key]
        assert re.search(r"\bart", f"{key} {rule.title} {chapter_of(key)} {rule.words}", re.IGNORECASE), key


def test_a_word_of_two_letters_is_looked_for_whole_but_for_ids():
    assert {place: {key[:5] for key in keys} for place, keys in found("AR").items()} == {
        "In the id": {"HR-AR"}
    }
    for key in (keys := every("SK")):
        rule = load_rulebook()[key]
        assert re.search(r"\bSK\b", f"{rule.title} {chapter_of(key)} {rule.words}", re.IGNORECASE), key
    assert "VBW-ABL-09" in keys or len(keys) > 2


@pytest.mark.parametrize("search", ["HR-ARR-02", "hr-arr-02", "ARR-02", "arr"])
def test_an_id_or_its_end_finds_its_rule_first(search):
    assert list(found(search)) == [place for place in PLACES if place in found(search)]
    assert "HR-ARR-02" in found(search)["In the id"]
    assert every(search)[0].startswith("HR-ARR")


@pytest.mark.parametrize(
    "search", ["AWI-C-BAT-01 to 03", "(awi-c-bat-01 to AWI-C-BAT-03)", "points AWI-C-BAT-01 to 03"]
)
def test_ids_from_one_to_another_are_found_as_the_site_writes_them(search):
    assert {key for key in every(search) if key.startswith("AWI-C-BAT")} == {
        "AWI-C-BAT-01",
        "AWI-C-BAT-02",
        "AWI-C-BAT-03",
    }
    assert every("AWI-C-BAT-03 to 01") == [] and "HR-BAT-03" in found("BAT-01 to 03")["In the id"]


def test_what_is_in_the_title_stands_before_what_is_in_the_text():
    places = found("generals")
    titled = [key for key in places["In the title"] if "generals" in load_rulebook()[key].title.lower()]
    assert titled == places["In the title"] and places["In the text"]
    assert list(places) == ["In the title", "In the title of the chapter", "In the text"]
    assert len(every("generals")) == len(set(every("generals")))


def test_a_rule_stands_where_the_last_of_its_words_is_found():
    assert "HR-GEN-01" in found("generals battle")["In the title"]
    assert "HR-GEN-01" in found("generals weeks")["In the text"]
    assert "HR-GEN-01" in found("HR-GEN battle")["In the title"]


def test_joined_words_are_found_whole_and_by_their_parts():
    whole = set(every("counter-charge"))
    assert whole and whole <= set(every("counter")) and whole <= set(every("charge"))
    assert every("enemy\N{RIGHT SINGLE QUOTATION MARK}s") == every("enemy's") != []


def test_all_rules_of_a_chapter_are_found_by_its_title():
    for key, (_, chapter) in load_chapters().items():
        if len(chapter.title) > 3:
            assert {rule.id for rule in chapter.rules} <= set(every(chapter.title)), key


def test_a_search_is_kept_to_one_book():
    of_books = {
        book.id: {rule.id for each in book.chapters for rule in each.rules} for book in load_rule_books()
    }
    assert len([1 for keys in of_books.values() if keys & set(every("morale"))]) > 2
    for book, keys in of_books.items():
        assert {rule.id for part in search_rules("morale", book) for rule in part.rules} == keys & set(
            every("morale")
        )
