"""The one normal form of texts, and what of them cannot be kept or shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.domain.text import (
    all_texts,
    first_fault,
    name_fault,
    normalize_name,
    normalize_text,
    replace_faults,
    text_fault,
)


def test_a_text_is_composed_with_plain_line_ends_and_no_byte_order_mark() -> None:
    assert normalize_text("\ufeffcafe\u0301\r\nb\rc\u2028d\x85e") == "caf\u00e9\nb\nc\nd\ne"
    assert normalize_text("plain\r\ntext") == "plain\ntext"
    assert normalize_name("  Burgoyne\u2019s   cafe\u0301 ") == "Burgoyne\u2019s caf\u00e9"


@given(st.text())
def test_what_is_normal_stays_as_it_is(text: str) -> None:
    once = normalize_text(text)
    assert normalize_text(once.removeprefix("\ufeff")) == once.removeprefix("\ufeff")
    assert unicodedata.is_normalized("NFC", once) and "\r" not in once


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\0b", "Character 2 is an invisible control character (U+0000); remove it."),
        ("\x1b[31mred", "Character 1 is an invisible control character (U+001B); remove it."),
        ("ab\x9b", "Character 3 is an invisible control character (U+009B); remove it."),
        (
            "abc\u202etxt",
            "Character 4 is an invisible character that turns the direction of writing (U+202E); remove it.",
        ),
        (
            "\u2066a",
            "Character 1 is an invisible character that turns the direction of writing (U+2066); remove it.",
        ),
        ("a\ud800", "Character 2 is an invisible broken character (U+D800); remove it."),
        ("\uffff", "Character 1 is an invisible broken character (U+FFFF); remove it."),
    ],
)
def test_what_cannot_be_kept_is_named_with_its_place(text: str, sentence: str) -> None:
    assert text_fault(text) == sentence
    assert name_fault(text) == sentence
    assert first_fault({"a": [1, None, {"b": [text]}]}) == sentence
    assert first_fault({text: 1}) == sentence
    assert "\N{REPLACEMENT CHARACTER}" in replace_faults(text) and not text_fault(replace_faults(text))


@pytest.mark.parametrize("marks", ["\u0301\u0323" * 500, "\u0344" * 40, "\u0f73" * 40, "\u0f81\u0301" * 20])
def test_a_heap_of_marks_is_refused_before_it_is_sorted(marks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To compose a text takes the square of the marks on a letter: two hundred thousand took a minute."""
    composed: list[str] = []

    def normalize(form: str, text: str) -> str:
        composed.append(text)
        return text

    sentence = "Character 3 begins a row of more than 30 marks; remove some."
    with monkeypatch.context() as patch:
        patch.setattr("rosters.domain.text.unicodedata.normalize", normalize)
        assert normalize_text("ab" + marks) == "ab" + marks and normalize_name("ab" + marks) == "ab" + marks
    assert composed == []
    assert text_fault("ab" + marks) == sentence
    assert (
        replace_faults("ab" + marks + "c" + marks) == "ab\N{REPLACEMENT CHARACTER}c\N{REPLACEMENT CHARACTER}"
    )
    assert normalize_text("a" + "\u0301" * 30) == "\u00e1" + "\u0301" * 29


def test_texts_of_people_are_kept() -> None:
    for text in ("naïve 🙂", "two\nlines\tand a tab", "שלום", "👩\u200d🌾", "\u0645\u06cc\u200c\u062e", ""):
        assert text_fault(text) == "" and replace_faults(text) == text
    assert first_fault({"a": [1, None, True, 1.5, "b"]}) == ""
    assert sorted(all_texts({"a": ["b", {"c": "d"}]})) == ["a", "b", "c", "d"]
    deep: object = "end"
    for _ in range(5000):
        deep = [deep]
    assert list(all_texts(deep)) == ["end"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("two\nlines", "This takes one line of text; remove the line break or tab."),
        ("a\u200bb", "Character 2 is invisible (U+200B); remove it."),
        ("\u3164", "Character 1 is invisible (U+3164); remove it."),
        ("a\u00adb", "Character 2 is invisible (U+00AD); remove it."),
        ("\u200d", "Nothing of it can be seen; write a text that can be read."),
        ("\u0301", "Nothing of it can be seen; write a text that can be read."),
        ("Z" + "\u0301" * 5, "It has too many marks on one letter; remove some."),
        ("abcd", "The name has 4 characters; shorten it to 3 or fewer."),
    ],
)
def test_a_name_is_one_line_that_hides_nothing(name: str, sentence: str) -> None:
    assert name_fault(name, 3 if name == "abcd" else None) == sentence


def test_names_of_people_and_troops_are_taken() -> None:
    for name in ("", "20th Foot, Left Half", "Béarn", "Nguyễn", "1/9th “Royal”", "শ্রী", "👩\u200d🌾", "x"):
        assert name_fault(name, 60) == ""


@pytest.mark.parametrize(
    "character", ["\u034f", "\u180b", "\u2065", "\ufe00", "\ufff0", "\U000e0100", "\ufe0f"]
)
def test_marks_that_show_nothing_are_named(character: str) -> None:
    told = f"Character 2 is invisible (U+{ord(character):04X}); remove it."
    assert name_fault(f"A{character}B") == told


def test_a_symbol_may_choose_its_picture() -> None:
    assert name_fault("The \u2694\ufe0f Company") == ""
