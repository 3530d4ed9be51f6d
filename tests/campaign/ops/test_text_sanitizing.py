"""Texts shortened for a column of the database."""

from campaign.ops.text_sanitizing import shorten_text


def test_what_is_kept_of_a_text() -> None:
    assert shorten_text("a\0b\ud800", 10) == "a�b�"
    assert shorten_text("12345", 5) == "12345" and shorten_text("123456", 5) == "1234…"
