"""The table of event kinds: each kind once, with its rules, readers, sentence and place in print."""

import re
from collections import Counter

import pytest

from campaign.rulebook.book import load_rulebook
from campaign.text.event_kinds import ANY_RULE, EventKind, Readers
from campaign.text.event_table import CATEGORIES, EVENT_KINDS
from campaign.text.gazette import COLUMNS, PRINTED


def test_every_kind_is_in_one_category() -> None:
    found = Counter(kind.code for category in CATEGORIES.values() for kind in category.kinds)
    assert [code for code, times in found.items() if times > 1] == []
    assert set(found) == set(EVENT_KINDS) and len(found) > 100


@pytest.mark.parametrize("kind", EVENT_KINDS.values(), ids=EVENT_KINDS)
def test_every_kind_names_rules_of_the_rulebook_and_who_may_read_of_it(kind: EventKind) -> None:
    assert set(kind.rules) <= set(load_rulebook())
    assert kind.readers in Readers


def test_only_refusals_may_name_any_rule() -> None:
    assert {code for code, kind in EVENT_KINDS.items() if kind.rules == ANY_RULE} == {
        "order_refused",
        "organisation_refused",
        "choice_refused",
        "choice_lapsed",
        "march_held_up",
    }


def test_no_two_kinds_have_the_same_rank_in_a_column_or_as_the_paper_s_head() -> None:
    columns = {column.id for column in COLUMNS}
    ranks = Counter((printed.column, printed.rank) for printed in PRINTED.values() if printed.column)
    heads = Counter(printed.head_rank for printed in PRINTED.values() if printed.head)
    assert {column for column, _ in ranks} == columns
    assert set(ranks.values()) == set(heads.values()) == {1}
    assert sorted(heads) == list(range(1, len(heads) + 1))


def test_a_manner_of_speaking_ends_its_sentence() -> None:
    for code, printed in PRINTED.items():
        assert all(re.search(r"[.}]$", manner) for manner in printed.manners), code
