"""Texts shortened for a column of the database."""

from campaign.ops.text_sanitizing import kept


def test_what_is_kept_of_a_text() -> None:
    assert kept("a\0b\ud800", 10) == "a�b�"
    assert kept("12345", 5) == "12345" and kept("123456", 5) == "1234…"
