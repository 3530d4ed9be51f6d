"""Texts as databases keep them."""

import json

from campaign.texts import all_keepable, keepable, kept


def test_what_cannot_be_kept_is_found_wherever_it_stands():
    assert keepable("naïve 🙂") and not keepable("a\0b")
    for odd in ('"a\\u0000b"', '"\\ud800"', '{"a\\u0000": 1}', '[1, [{"a": ["\\ud800"]}]]'):
        assert not all_keepable(json.loads(odd))
    assert all_keepable({"a": [1, None, True, 1.5, "b"]})
    assert all_keepable(json.loads("[" * 900 + "]" * 900))


def test_what_is_kept_of_a_text():
    assert kept("a\0b\ud800", 10) == "a�b�"
    assert kept("12345", 5) == "12345" and kept("123456", 5) == "1234…"
