"""Rules and conduct changed in mid-campaign: told, chained, verified, undone (HR-UMP-17, HR-UMP-18)."""

from dataclasses import replace

import pytest

from battles.rulesets import registry
from campaign.ledger.world_rows import world_load
from campaign.models import JournalEntry
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import ChangeRules, Conduct, SettingChange, build_change_rules
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

WHY = "The marches are too slow for our evenings."
FASTER = ChangeRules((SettingChange("road_miles", "12", "16"), SettingChange("supply", "off", "food")))
TABLE = Conduct(
    (
        SettingChange("title", "Saratoga 1777", "The summer of 1777"),
        SettingChange("battle_policy", "ask", "table"),
        SettingChange("table_units", "20", "12"),
    )
)


@pytest.fixture
def act(saratoga, carleton):
    def done(what, **more):
        record = act_perform(campaign=saratoga, act=what, reason=WHY, actor=carleton, **more)
        saratoga.refresh_from_db()
        return record

    return done


def test_hr_ump_17_other_rules_hold_from_the_coming_morning_and_go_back_with_it(saratoga, act, carleton):
    start = saratoga.head
    before = world_load(saratoga).settings
    record = act(FASTER)
    assert (record.kind, record.reason) == ("act", WHY)
    after = world_load(saratoga).settings
    assert after == replace(before, road_miles=16, supply="food") != before
    told = JournalEntry.objects.get(record=record, kind="rules_changed")
    assert told.sides == "|crown|rebel|" and told.data["reason"] == WHY
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert campaign_verify(campaign=saratoga).replayed == 1
    campaign_rewind(campaign=saratoga, record=start, reason="It was better before.", actor=carleton)
    saratoga.refresh_from_db()
    assert world_load(saratoga).settings == before
    assert campaign_verify(campaign=saratoga).superseded == 2


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ((), "", "Nothing is changed"),
        ((SettingChange("couriers", "false", "true"),), "couriers", "cannot change any more"),
        ((SettingChange("arrivals", "dated", "diced"),), "arrivals", "before the first morning"),
        ((SettingChange("boats", "unlimited", "counted"),), "boats", "first morning"),
        ((SettingChange("road_miles", "12", "0"),), "road_miles", "It is 1 to 300"),
        ((SettingChange("road_miles", "12", "fast"),), "road_miles", "whole number"),
        ((SettingChange("road_miles", "12", "12"),), "road_miles", "is so already"),
        ((SettingChange("road_miles", "11", "14"),), "road_miles", "changed meanwhile"),
        ((SettingChange("speed", "1", "2"),), "speed", "no setting"),
        ((SettingChange("dark", "1200", "100"),), "dark", "after the march begins"),
        (
            (SettingChange("road_miles", "12", "14"), SettingChange("road_miles", "12", "15")),
            "road_miles",
            "twice",
        ),
    ],
)
def test_hr_ump_17_what_cannot_change_is_refused_and_nothing_is_written(
    saratoga, act, changes, field, sentence
):
    head = saratoga.head
    with pytest.raises(RuleViolation, match=sentence) as refused:
        act(ChangeRules(changes))
    assert refused.value.field == field
    saratoga.refresh_from_db()
    assert saratoga.head == head


def test_hr_ump_17_no_rule_changes_while_a_battle_of_the_day_waits(waiting, carleton):
    with pytest.raises(RuleViolation, match="being played"):
        act_perform(campaign=waiting, act=FASTER, reason=WHY, actor=carleton)


def test_the_act_between_two_settings_names_what_differs(world):
    after = replace(world.settings, supply="food", pool_floor=None, auto_raise_units=False)
    assert build_change_rules(world.settings, after) == ChangeRules(
        (
            SettingChange("supply", "off", "food"),
            SettingChange("pool_floor", "0", "null"),
            SettingChange("auto_raise_units", "true", "false"),
        )
    )


def test_hr_ump_18_conduct_changes_by_an_act_and_goes_back(saratoga, act, carleton):
    start = saratoga.head
    record = act(TABLE)
    assert (saratoga.title, saratoga.battle_policy, saratoga.table_units) == (
        "The summer of 1777",
        "table",
        12,
    )
    act(Conduct((SettingChange("battle_policy", "table", "automatic"),)))
    assert JournalEntry.objects.get(record=record, kind="conduct_changed").sides == "|crown|rebel|"
    assert campaign_verify(campaign=saratoga).days == 0
    campaign_rewind(campaign=saratoga, record=start, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    assert (saratoga.title, saratoga.battle_policy, saratoga.table_units) == ("Saratoga 1777", "ask", 20)


def test_hr_ump_18_conduct_changes_while_a_battle_waits(waiting, carleton):
    change = Conduct((SettingChange("table_units", "20", "30"),))
    act_perform(campaign=waiting, act=change, reason=WHY, actor=carleton)
    waiting.refresh_from_db()
    assert waiting.table_units == 30


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (SettingChange("title", "Saratoga 1777", " "), "one line"),
        (SettingChange("title", "Saratoga 1777", "a\nb"), "one line"),
        (SettingChange("battle_policy", "ask", "dice"), "asked about"),
        (SettingChange("table_units", "20", "1"), "2 to 200"),
        (SettingChange("table_units", "20", "many"), "whole number"),
        (SettingChange("table_units", "21", "22"), "changed meanwhile"),
        (SettingChange("ruleset", "awi", "chess"), "no ruleset"),
        (SettingChange("secret", "", "x"), "nothing called secret"),
    ],
)
def test_hr_ump_18_what_cannot_be_is_refused(saratoga, act, change, sentence):
    with pytest.raises(RuleViolation, match=sentence):
        act(Conduct((change,)))
    saratoga.refresh_from_db()
    assert (saratoga.title, saratoga.table_units, saratoga.ruleset) == ("Saratoga 1777", 20, "awi")


def test_a_campaign_that_changed_its_ruleset_is_played_again_by_both(saratoga, act, monkeypatch):
    twin = replace(registry.RULESETS[0], id="twin", title="The same rules again")
    monkeypatch.setattr(registry, "RULESETS", (*registry.RULESETS, twin))
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    act(Conduct((SettingChange("ruleset", "awi", "twin"),)))
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert saratoga.head.versions["ruleset"] == "twin"
    assert campaign_verify(campaign=saratoga).replayed == 2
    monkeypatch.undo()
    assert campaign_verify(campaign=saratoga).replayed == 1


def test_an_archive_carries_rules_and_conduct(saratoga, act, tmp_path):
    act(FASTER)
    act(TABLE)
    file = tmp_path / "war.zip"
    campaign_export(campaign=saratoga, path=file, with_secret=True)
    again = campaign_import(path=file, slug="again")
    again = getattr(again, "campaign", again)
    assert (again.title, again.battle_policy, again.table_units) == ("The summer of 1777", "table", 12)
    assert world_load(again).settings.road_miles == 16
    assert campaign_verify(campaign=again)
