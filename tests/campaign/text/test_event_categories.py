"""Departments of the journal: every kind of event in one of them."""

from collections import Counter

from campaign.text.event_categories import DEPARTMENTS
from campaign.text.event_sentences import SENTENCES
from campaign.text.gazette import HEADS, MANNERS, PRINTED


def test_every_kind_of_event_is_in_one_department():
    found = Counter(kind for department in DEPARTMENTS.values() for kind in department.kinds)
    assert set(found) == set(SENTENCES)
    assert [kind for kind, times in found.items() if times > 1] == []


def test_the_gazette_knows_only_kinds_there_are():
    assert set(PRINTED) | set(MANNERS) | set(HEADS) <= set(SENTENCES)
