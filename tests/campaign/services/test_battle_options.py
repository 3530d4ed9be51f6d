"""Battles under the options of tactical rules that the umpire chose (HR-UMP-18, HR-BAT-13)."""

import json
from pathlib import Path

import pytest

from battles.files.reading import decode_battle
from battles.rulesets import registry
from campaign.models import Battle, Campaign, JournalEntry
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import Conduct, SettingChange
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.zip_files import ArchiveRefused, archive_read, archive_write
from campaign.services.battles.comparisons import comparison_of_battle
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word
from campaign.services.forecasts import runs
from campaign.services.forecasts.forecasts import forecast_start
from campaign.services.forecasts.runs import play_run, start_from_json, start_to_json
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified
from campaign.services.setup.campaigns import campaign_create
from campaign.services.turns import day_preview as trying
from campaign.services.turns.day_preview import dry_run_play
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.campaign_settings import conduct_to
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db
WHY = "So our club reads it."
EVADE = {"evade": "open_order_foot_and_cavalry"}
SAVES = {"save_succeeds_on": 5, "first_player": "rebel"}


def anew(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


def choose(campaign: Campaign, **options) -> Campaign:
    """Choose options by an act, for each ruleset that is named."""
    act = conduct_to(anew(campaign), {"ruleset_options": options})
    act_perform(campaign=campaign, act=act, reason=WHY, actor=None)
    return anew(campaign)


def opened(campaign: Campaign) -> Battle:
    day_advance(campaign=campaign, actor=None)
    return Battle.objects.select_related("campaign").get(campaign=campaign, revision=anew(campaign).revision)


def files_fought(monkeypatch, module) -> list:
    """Files that a module has the engine fight, from now on."""
    fought = []

    def fight(file, seed, **more):
        fought.append(file)
        return registry.fight_battle(file, seed, **more)

    monkeypatch.setattr(module, "registry", type("Fights", (), {"fight_battle": staticmethod(fight)}))
    return fought


def test_a_battle_that_opens_has_the_options_frozen_and_keeps_them(meeting):
    campaign = choose(meeting, awi=EVADE, vb_wing=SAVES)
    battle = opened(campaign)
    assert battle.inputs["file"]["options"] == EVADE
    registry.verify_battle(decode_battle(battle.inputs["file"]))
    choose(meeting, awi={})
    battle.refresh_from_db()
    assert file_now(battle)["options"] == EVADE
    battle_settle_by_engine(battle=battle, actor=None)
    day_advance(campaign=anew(meeting), actor=None)
    assert campaign_verify(campaign=anew(meeting)).replayed == 1


def test_facts_of_the_day_go_before_options(meeting):
    meeting.ruleset, meeting.ruleset_options = "vb_wing", {"vb_wing": {**SAVES, "year": 1783}}
    meeting.save()
    assert opened(anew(meeting)).inputs["file"]["options"] == {**SAVES, "year": 1777}


def test_rules_for_one_battle_have_the_options_there_were_when_they_were_chosen(meeting, carleton):
    battle = opened(choose(meeting, awi=EVADE, vb_wing=SAVES))
    battle_way_choose(battle=battle, way="table", ruleset="vb_wing", actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == {**SAVES, "year": 1777}
    choose(meeting, vb_wing={})
    battle.refresh_from_db()
    battle_way_choose(battle=battle, way="engine", ruleset="vb_wing", reason=WHY, actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == {**SAVES, "year": 1777}, "the rules are the same as before"
    battle_way_choose(battle=battle, way="engine", ruleset="awi", reason=WHY, actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == EVADE
    battle_way_choose(battle=battle, way="engine", ruleset="vb_wing", reason=WHY, actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == {"year": 1777}, "chosen anew they are as they now are"


def test_options_of_one_ruleset_are_not_those_of_another_that_has_the_same_name(meeting, carleton):
    meeting.ruleset = "vb_wing"
    meeting.save()
    battle = opened(choose(meeting, vb_wing=SAVES, vb_division={"save_succeeds_on": 3}))
    assert battle.inputs["file"]["options"] == {**SAVES, "year": 1777}
    battle_way_choose(battle=battle, way="engine", ruleset="vb_division", actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == {"save_succeeds_on": 3, "year": 1777}
    payload = comparison_of_battle(battle=battle, actor=carleton, runs=1).payload
    assert payload["options"]["vb_wing"] == {**SAVES, "year": 1777}
    assert payload["options"]["vb_division"] == {"save_succeeds_on": 3, "year": 1777}


def test_a_comparison_has_the_options_of_every_ruleset_hr_bat_12(meeting, carleton):
    battle = opened(choose(meeting, awi=EVADE, vb_wing=SAVES))
    options = comparison_of_battle(battle=battle, actor=carleton, runs=1).payload["options"]
    assert (options["awi"], options["vb_wing"]) == (EVADE, {**SAVES, "year": 1777})


def test_a_day_played_again_has_the_battle_as_it_was_decided_hr_ump_14(meeting, carleton):
    battle = opened(choose(meeting, vb_wing=SAVES))
    battle_way_choose(battle=battle, way="word", ruleset="vb_wing", actor=carleton)
    choose(meeting, vb_wing={})
    morning = anew(meeting).head
    battle.refresh_from_db()
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=carleton)
    day_advance(campaign=anew(meeting), actor=None)
    campaign_rewind(campaign=anew(meeting), record=morning, reason=WHY, actor=carleton)
    again = opened(anew(meeting))
    assert (again.pk != battle.pk, again.ruleset) == (True, "vb_wing")
    assert file_now(again)["options"] == {**SAVES, "year": 1777}


def test_options_are_an_act_both_sides_read_and_going_back_undoes(saratoga, carleton):
    start = saratoga.head
    campaign = choose(saratoga, vb_wing=SAVES)
    assert campaign.ruleset_options == {"vb_wing": SAVES}
    told = JournalEntry.objects.get(campaign=saratoga, kind="conduct_changed")
    assert told.sides == "|crown|rebel|"
    choose(saratoga, awi=EVADE)
    assert anew(saratoga).ruleset_options == {"awi": EVADE, "vb_wing": SAVES}
    assert campaign_verify(campaign=anew(saratoga)).days == 0
    campaign_rewind(campaign=anew(saratoga), record=start, reason=WHY, actor=carleton)
    assert anew(saratoga).ruleset_options == {}


@pytest.mark.parametrize(
    ("was", "value", "sentence"),
    [
        ("{}", '{"awi": {"evade": "always"}}', "cannot be always"),
        ("{}", '{"awi": {"year": 1777}}', "no option"),
        ("{}", '{"vb_wing": {"year": 1777}}', "fact of each battle's day"),
        ("{}", '{"awi": 3}', "choices by option"),
        ("{}", "[", "choices by option"),
        ("{}", "{}", "so already"),
        ('{"awi": {}}', "{}", "changed meanwhile"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(saratoga, was, value, sentence):
    act = Conduct((SettingChange("ruleset_options", was, value),))
    with pytest.raises(RuleViolation, match=sentence):
        act_perform(campaign=saratoga, act=act, reason=WHY, actor=None)
    assert (anew(saratoga).head, anew(saratoga).ruleset_options) == (saratoga.head, {})


def test_a_campaign_is_created_with_options_or_not_at_all(db):
    made = campaign_create(
        scenario="saratoga-1777", slug="ours", ruleset_options={"awi": {**EVADE, "scale": "25mm"}}
    )
    assert anew(made).ruleset_options == {"awi": EVADE}
    with pytest.raises(RuleViolation) as refused:
        campaign_create(scenario="saratoga-1777", slug="other", ruleset_options={"awi": {"scale": "6mm"}})
    assert refused.value.field == "ruleset_options.awi.scale"
    assert not Campaign.objects.filter(slug="other").exists()


# --- tried out and forecast ---


def test_a_day_tried_out_has_the_options_and_a_battle_that_waits_its_own(meeting, monkeypatch):
    campaign = choose(meeting, awi=EVADE)
    fought = files_fought(monkeypatch, trying)
    dry_run_play(campaign)
    assert [file.options for file in fought] == [EVADE]
    opened(campaign)
    choose(meeting, awi={})
    fought.clear()
    dry_run_play(anew(meeting))
    assert [file.options for file in fought] == [EVADE], "as it was opened"


def test_a_forecast_has_the_options_also_in_other_processes(meeting, monkeypatch):
    campaign = choose(meeting, awi=EVADE, vb_wing=SAVES)
    start = forecast_start(campaign, "", 1)
    again = start_from_json(json.loads(json.dumps(start_to_json(start))), start.world.theatre)
    assert again.options == start.options == EVADE
    fought = files_fought(monkeypatch, runs)
    monkeypatch.setattr(runs, "staff_orders", lambda world, side: [])
    play_run(again, 0)
    assert [file.options for file in fought if file.options != EVADE] == []


# --- archives ---


FIRST_ARCHIVE = Path(__file__).parents[2] / "golden" / "archives" / "schema-1-rules-2.zip"


def exported(campaign: Campaign, tmp_path):
    path = tmp_path / "war.zip"
    campaign_export(campaign=anew(campaign), path=path, with_secret=True)
    return path


def altered(path, **facts):
    """The archive with other facts of its campaign; `...` takes one out."""
    manifest, files = archive_read(path)
    told = json.loads(files["campaign.json"]) | facts
    kept = {key: value for key, value in told.items() if value is not ...}
    files["campaign.json"] = json.dumps(kept).encode()
    path.unlink()
    archive_write(path, files, {key: manifest[key] for key in manifest if key != "files"}, mode=0o600)
    return path


def test_an_archive_carries_options_and_one_of_before_has_none_hr_arc_01(meeting, carleton, tmp_path):
    battle = opened(choose(meeting, awi=EVADE, vb_wing=SAVES))
    battle_way_choose(battle=battle, way="engine", ruleset="vb_wing", actor=carleton)
    path = exported(meeting, tmp_path)
    again = campaign_import(path=path, slug="again").campaign
    assert again.ruleset_options == {"awi": EVADE, "vb_wing": SAVES}
    assert file_now(again.battles.get())["options"] == {**SAVES, "year": 1777}
    with pytest.raises(NotVerified, match="another ruleset options than was recorded"):
        campaign_import(path=altered(path, ruleset_options={"awi": {}}), slug="altered")
    older = campaign_import(path=FIRST_ARCHIVE, slug="older").campaign
    assert older.ruleset_options == {}


@pytest.mark.parametrize("options", [3, None, [], {"awi": 3}, {"awi": ["scale"]}])
def test_an_archive_whose_options_are_none_is_refused_hr_arc_01(saratoga, tmp_path, options):
    path = altered(exported(saratoga, tmp_path), ruleset_options=options)
    with pytest.raises(
        (ArchiveRefused, NotVerified), match=r"does not say what it must|another ruleset options"
    ):
        campaign_import(path=path, slug="again")
    assert not Campaign.objects.filter(slug="again").exists()
