"""The rulebook: every rule of all catalogues, whole, and every id a link."""

import re
from pathlib import Path

import pytest
import yaml
from django.template import Context, Template

from battles.rulesets.registry import RULESETS
from campaign.rulebook.book import (
    RULE_ID,
    list_catalogues,
    load_chapters,
    load_rule_books,
    load_rulebook,
    setting_text,
)
from campaign.rules.world.settings import RuleSettings

#: Where an id stands within something else to press, that leads to it.
IN_ANOTHER_LINK = ("rule.html", "_rules.html", "_army_body.html")
ROOT = Path(__file__).resolve().parents[3]


def shown(source: str, **context: object) -> str:
    return Template("{% load rulebook %}" + source).render(Context(context))


def test_every_rule_of_the_catalogues_stands_in_the_book_with_its_words():
    rows = [
        row for path in list_catalogues() for row in yaml.safe_load(path.read_text(encoding="utf-8"))["rules"]
    ]
    assert len(load_rulebook()) == len(rows)
    for row in rows:
        rule = load_rulebook()[row["id"]]
        assert rule.text == " ".join(row["rule"].split())
        assert rule.title
        for told, key in (
            (rule.ruling, "ruling"),
            (rule.unclear, "unclear"),
            (rule.reason, "basis"),
            (rule.differs, "differs"),
            (rule.same_as, "same_as"),
        ):
            assert told == " ".join(row.get(key, "").split())
        assert len(rule.choices) == len(row.get("options", [])) + len(row.get("settings", []))
        assert bool(rule.table) == bool(row.get("table"))


def test_every_rule_has_a_chapter_and_every_chapter_rules():
    found = [rule.id for book in load_rule_books() for chapter in book.chapters for rule in chapter.rules]
    assert sorted(found) == sorted(load_rulebook())
    assert {rule.chapter for rule in load_rulebook().values()} == set(load_chapters())


def test_every_ruleset_has_books_of_its_own():
    titles = {book.id: book.title for book in load_rule_books()}
    assert list(titles) == ["HR", "AWI-C", "AWI-T", "VBW", "VBD", "RTG", "REG"]
    assert len(set(titles.values())) == len(titles)
    assert {ruleset.catalogue for ruleset in RULESETS} < set(list_catalogues())


def test_a_rule_of_division_level_leads_to_that_of_wing_scale_it_repeats_VBD_CMD_01():
    rule = load_rulebook()["VBD-CMD-01"]
    assert (rule.same_as, rule.title) == ("VBW-CMD-01", load_rulebook()["VBW-CMD-01"].title)
    assert rule.differs and [choice.default for choice in rule.choices] == ["6"]
    known = set(load_rulebook())
    assert {rule.same_as for rule in load_rulebook().values() if rule.same_as} <= known
    assert load_rulebook()["VBD-BRK-05"].title != load_rulebook()["VBW-BRK-04"].title


def test_rules_of_a_chapter_of_volley_and_bayonet_can_be_told_apart_by_title():
    for key, (book, chapter) in load_chapters().items():
        if book.id in ("VBW", "VBD"):
            titles = [rule.title for rule in chapter.rules]
            assert len(set(titles)) == len(titles), key


def test_a_list_of_troops_has_a_row_for_each_VBW_RAT_01():
    table = dict(load_rulebook()["VBW-RAT-01"].table)
    assert table["Grenadiers"] == "type FI; morale 6; abilities Sh"
    assert table["Artillery"] == "morale 6"


def test_an_option_of_a_battle_is_no_setting_of_a_campaign_and_its_choices_are_told_apart_VBW_COM_03():
    published = [rule for rule in load_rulebook().values() if rule.id.startswith(("VBW", "VBD"))]
    assert not [choice.id for rule in published for choice in rule.choices if choice.setting]
    (choice,) = load_rulebook()["VBW-COM-03"].choices
    assert choice.choices == "fire 4, melee 4; fire 2, melee 2"


def test_every_id_looks_like_an_id():
    assert [key for key in load_rulebook() if not RULE_ID.fullmatch(key)] == []


def test_figures_stand_beneath_words_and_not_beneath_the_keys_of_a_file():
    names = {name for rule in load_rulebook().values() for name, _ in rule.table}
    names |= {choice.name for rule in load_rulebook().values() for choice in rule.choices}
    raw = re.compile(r"_|\b(sp|uc|min|max|deg)\b|\bin$|\dlb\b")
    assert sorted(name for name in names if raw.search(name)) == []
    for rule, name in (
        ("VBW-CMD-01", "unit commander radius in inches"),
        ("VBW-SAV-08", "retire in inches per hit"),
        ("VBW-HIT-02", "light, 3 to 4 pounder, short in inches"),
        ("AWI-T-STR-01", "men per SP, cavalry"),
        ("AWI-T-FAC-01", "pin inches in sequence text"),
    ):
        assert name in dict(load_rulebook()[rule].table), rule
    published = [rule for rule in load_rulebook().values() if not rule.id.startswith("HR-")]
    assert [rule.id for rule in published if re.search(r"[a-z]_[a-z]", f"{rule.text} {rule.words}")] == []
    (choice,) = load_rulebook()["VBW-EXH-02"].choices
    assert (choice.name, choice.choices) == (
        "exhaustion trigger",
        "losses reach the level, losses exceed the level",
    )


def test_a_setting_that_is_a_number_says_from_where_to_where_it_goes():
    choices = {choice.id: choice for rule in load_rulebook().values() for choice in rule.choices}
    assert choices["road_miles"].choices == "miles a day, 1 to 300"
    assert choices["march_starts"].choices == "minutes after midnight, 0 to 1439"


def test_dice_of_who_is_stationary_are_told_in_words_and_books_bear_the_names_of_their_rules():
    rows = dict(load_rulebook()["RTG-CBT-10"].table)
    assert rows["linear infantry, stationary fire"] == "4"
    assert rows["linear infantry, stationary melee"] == "5"
    titles = {book.title for book in load_rule_books()}
    assert all(any(title.startswith(one.title) for title in titles) for one in RULESETS)


def test_a_setting_is_told_in_words():
    assert setting_text(RuleSettings(couriers=True), "couriers") == "yes"
    assert setting_text(RuleSettings(), "attrition_roll_four") == "no loss"


def test_an_id_is_a_link_and_within_a_campaign_to_what_that_has_chosen():
    class Campaign:
        slug = "north"

    assert shown("{% rule 'HR-MAR-01' %}") == (
        '<span class="rule-id"><a class="rule" href="/rulebook/HR-MAR-01/">HR-MAR-01</a></span>'
    )
    assert 'href="/rulebook/HR-MAR-01/?campaign=north"' in shown("{% rule 'HR-MAR-01' %}", campaign=Campaign)
    two = shown("{% rule 'HR-MAR-01, AWI-C-MAR-02' %}")
    assert two.count("<a ") == 2
    assert shown("{% rule '' %}") == ""


def test_a_sentence_is_escaped_and_its_ids_linked():
    text = shown("{% ruled text %}", text="<b>late</b> (HR-CAL-04, HR-XYZ-99)")
    assert text.startswith("&lt;b&gt;late")
    assert '<a class="rule" href="/rulebook/HR-CAL-04/">HR-CAL-04</a>' in text
    assert "HR-XYZ-99)" in text and text.count("<a ") == 1


@pytest.mark.parametrize("folder", ["templates"])
def test_templates_name_only_rules_that_are_there(folder):
    cited = {
        found
        for file in (ROOT / folder).rglob("*.html")
        for found in RULE_ID.findall(file.read_text(encoding="utf-8"))
    }
    assert cited and cited <= set(load_rulebook())


def test_no_template_prints_an_id_that_is_no_link():
    plain = [
        file.name
        for file in (ROOT / "templates").rglob("*.html")
        if '<span class="rule-id">' in file.read_text(encoding="utf-8") and file.name not in IN_ANOTHER_LINK
    ]
    assert plain == []
