"""A battle under other tactical rules: facts of its day, muster and return, and back again (HR-BAT-13)."""

from dataclasses import replace

import pytest

from battles.rulesets import registry
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, BattleEntry, Campaign, DayRecord, JournalEntry, Notice, User
from campaign.rules.battles.battle_inputs import file_now, muster_units, read_settlement_muster
from campaign.rules.battles.table_results import NEITHER, Entry, UnitResult, entry_from_json
from campaign.rules.contact.contact import Participant
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import to_json_value
from campaign.selectors.battles.adjustments import contact_of_battle, morning_of
from campaign.selectors.battles.battle_files import battle_file, officers_with
from campaign.selectors.battles.table_results import build_table_roster
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.battles.comparisons import comparison_of_battle
from campaign.services.battles.entered_results import table_settlement
from campaign.services.battles.methods import battle_adjust, battle_way_choose
from campaign.services.battles.odds import battle_odds_job, odds_ask
from campaign.services.battles.recurrence import entry_of
from campaign.services.battles.replays import battle_replay_job, replay_ask
from campaign.services.battles.settlement import (
    battle_settle_by_engine,
    battle_settle_by_word,
)
from campaign.services.battles.table_results import EntryChanged, battle_entry_save
from campaign.services.notifications.notifications import build_page_url, format_email
from campaign.services.proof.battles import StoredFight, _muster_holds
from campaign.services.proof.database import campaign_verify
from campaign.services.seats.changes import seat_open
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.factories.table_settling import battle_settle_by_table

pytestmark = pytest.mark.django_db
WHY = "We play it with stands."
OTHERS = [ruleset.id for ruleset in registry.RULESETS if registry.get_rules(ruleset.id).muster is not None]


@pytest.fixture
def battle(waiting) -> Battle:
    return Battle.objects.select_related("campaign").get(campaign=waiting)


def chosen(battle: Battle, ruleset: str, way: str = "engine") -> Battle:
    battle_way_choose(battle=battle, way=way, ruleset=ruleset, reason=WHY, actor=None)
    battle.refresh_from_db()
    return battle


def test_other_rules_said_first_need_no_reason_and_said_later_one_hr_tab_11(battle):
    battle_way_choose(battle=battle, way="engine", ruleset="vb_wing", actor=None)
    with pytest.raises(RuleViolation, match="say why") as refused:
        battle_way_choose(battle=battle, way="engine", ruleset="vb_division", actor=None)
    assert refused.value.field == "reason"
    battle.refresh_from_db()
    assert battle.ruleset == "vb_wing"


# --- options: what rules ask of the day ---


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
@pytest.mark.parametrize("rain", [0, -1])
def test_a_campaigns_battle_carries_what_its_rules_ask_of_the_day_hr_wea_04(saratoga, battle, ruleset, rain):
    """The year of VBW-RAT-04, and rain for muskets only where there is a modifier for it."""
    world = world_load(saratoga)
    wet = replace(world, settings=replace(world.settings, rain_on_muskets=rain))
    contact = replace(contact_of_battle(battle), weather="rain")
    file = battle_file(wet, contact, ruleset=ruleset)
    asked = {"year": 1777, "rain_on_muskets": rain}
    known = registry.get_rules(ruleset).options
    assert file.options == {key: value for key, value in asked.items() if key in known and value}
    registry.verify_battle(file)


@pytest.mark.parametrize(("shift", "year"), [(-10, 1775), (2, 1779), (35, 1783)])
def test_a_year_the_rules_do_not_know_is_the_nearest_they_do_VBW_RAT_04(saratoga, battle, shift, year):
    world = world_load(saratoga)
    start = world.theatre.start
    then = replace(world, theatre=replace(world.theatre, start=start.replace(year=start.year + shift)))
    assert battle_file(then, contact_of_battle(battle), ruleset="vb_wing").options == {"year": year}


def test_other_rules_for_one_battle_have_the_facts_of_its_day_hr_tab_11(battle):
    opened = battle.inputs
    now = file_now(chosen(battle, "vb_division"))
    assert (now["ruleset"], now["options"]) == ("vb_division", {"year": 1777})
    assert battle.inputs["file"] == opened["file"], "what was frozen stays"
    again = file_now(chosen(battle, "awi"))
    assert again == {**opened["file"], "plans": again["plans"]} and battle.ruleset == ""


def test_a_battle_opened_under_other_rules_may_be_fought_by_these_with_its_rain_hr_wea_04(
    meeting, monkeypatch
):
    meeting.ruleset = "vb_wing"
    meeting.save()
    day_advance(campaign=meeting, actor=None)
    battle = Battle.objects.select_related("campaign").get()
    assert file_now(battle)["options"] == {"year": 1777}
    monkeypatch.setattr(
        "campaign.selectors.battles.adjustments.morning_of",
        lambda found: replace(
            morning_of(found), settings=replace(morning_of(found).settings, rain_on_muskets=-1)
        ),
    )
    Battle.objects.update(
        inputs={**battle.inputs, "contact": {**battle.inputs["contact"], "weather": "rain"}}
    )
    battle.refresh_from_db()
    assert file_now(chosen(battle, "awi"))["options"] == {"rain_on_muskets": -1}
    assert file_now(chosen(battle, "vb_wing"))["options"] == {"year": 1777} and battle.ruleset == ""


@pytest.mark.parametrize("opened", ["awi", "vb_wing"])
def test_a_comparison_has_the_facts_the_battle_would_have_under_other_rules_hr_bat_12(
    meeting, carleton, monkeypatch, opened
):
    """Year and rain are worked out for every ruleset, though none was chosen for this battle."""
    meeting.ruleset = opened
    meeting.save()
    day_advance(campaign=meeting, actor=None)
    battle = Battle.objects.select_related("campaign").get()
    Battle.objects.update(
        inputs={**battle.inputs, "contact": {**battle.inputs["contact"], "weather": "rain"}}
    )
    battle.refresh_from_db()
    world = morning_of(battle)
    then = replace(
        world,
        settings=replace(world.settings, rain_on_muskets=-1),
        theatre=replace(world.theatre, start=world.theatre.start.replace(year=1781)),
    )
    monkeypatch.setattr("campaign.selectors.battles.adjustments.morning_of", lambda found: then)
    options = comparison_of_battle(battle=battle, actor=carleton, runs=1).payload["options"]
    assert "facts" not in battle.inputs
    others = [one.id for one in registry.RULESETS if one.id != opened]
    for ruleset in others:
        assert options[ruleset] == file_now(chosen(battle, ruleset))["options"], ruleset
    assert options["vb_division"] == {"year": 1781}
    if opened != "awi":
        assert options["awi"] == {"rain_on_muskets": -1}


def test_rain_is_adjusted_only_where_the_rules_know_it_hr_wea_04(battle):
    battle_adjust(battle=battle, change="rain", reason=WHY, actor=None)
    battle.refresh_from_db()
    assert file_now(battle)["options"] == {"rain_on_muskets": -1}
    assert file_now(chosen(battle, "vb_wing"))["options"] == {"year": 1777}
    before = DayRecord.objects.count()
    with pytest.raises(RuleViolation, match="wing scale has no rule for rain") as refused:
        battle_adjust(battle=battle, change="storm", reason=WHY, actor=None)
    assert (refused.value.rule_id, refused.value.field) == ("HR-TAB-12", "rain")
    assert DayRecord.objects.count() == before
    assert file_now(chosen(battle, ""))["options"] == {"rain_on_muskets": -1}


def test_a_detachment_that_came_this_very_day_has_no_general_hr_bat_07(saratoga, battle):
    """Found in eighteen weeks under other rules: the morning does not know its formation yet."""
    world, contact = world_load(saratoga), contact_of_battle(battle)
    late = Participant("natives-at-skenesborough", contact.attacker, contact.minute, "attack")
    more = replace(contact, participants=(*contact.participants, late))
    assert officers_with(saratoga, world, more) == officers_with(saratoga, world, contact)


# --- muster and return ---


@pytest.mark.parametrize("ruleset", OTHERS)
def test_the_muster_is_the_file_counted_in_points_hr_bat_13(battle, ruleset):
    muster = muster_units(file_now(chosen(battle, ruleset)))
    units = {unit["id"]: unit for unit in battle.inputs["file"]["units"]}
    standing = [unit for one in muster.values() for unit in one.units]
    assert sorted(standing) == sorted(units)
    assert list(muster) == [one.unit for one in muster.values()]
    for one in muster.values():
        assert one.sp == sum(units[key]["sp"] for key in one.units)
        assert sum(one.stands) == one.points >= 1
        assert len(one.back) == one.points + 1 and (one.back[0], one.back[-1]) == (0, one.sp)
        for lost in range(one.points + 1):
            for captured in range(one.points + 1 - lost):
                back = one.in_file(lost, captured)
                assert one.in_file(*one.on_table(*back)) == back
                assert one.points > one.sp or one.on_table(*back) == (lost, captured)
                assert one.points > one.sp or one.sum_points(one.by_unit(lost, captured)) == (lost, captured)
    assert {one.brigade for one in muster.values()} >= {1, 2}


def test_the_rules_of_the_file_itself_have_no_muster_hr_bat_13(battle):
    assert muster_units(file_now(battle)) == {}
    battle_settle_by_word(battle=battle, field_held_by="", percent_lost={"crown": 10}, actor=None)
    battle.refresh_from_db()
    assert "muster" not in battle.settlement


def test_a_result_of_the_table_is_entered_in_its_points_and_comes_back_in_sp_hr_bat_13(battle, carleton):
    chosen(battle, "vb_wing", "table")
    file = file_now(battle)
    kinds = {unit["id"]: unit["troop_type"] for unit in file["units"]}
    muster = muster_units(file)
    key, one = next((key, one) for key, one in muster.items() if one.points < one.sp)
    table = build_table_roster(battle, {})
    assert table.units[key].sp == one.points, kinds[key]
    entry = Entry(units={key: UnitResult(lost=1)}, held_by="crown")
    battle_entry_save(entered=True, battle=battle, side="", entry=entry, version=0, actor=carleton)
    with pytest.raises(RuleViolation, match=f"came with {one.points} SP"):
        table_settlement(battle=battle, results={key: UnitResult(one.points + 1)}, field_held_by="")
    other = next(each for each in muster.values() if each.unit != key)
    results = {key: UnitResult(1), other.unit: UnitResult(0, destroyed=True)}
    battle_settle_by_table(battle=battle, results=results, field_held_by="crown", actor=carleton)
    battle.refresh_from_db()
    losses = {loss["unit"]: loss for loss in battle.settlement["losses"]}
    assert (losses[key]["sp_start"], losses[key]["sp_lost"]) == (one.sp, one.back[1])
    assert (losses[other.unit]["sp_lost"], losses[other.unit]["fate"]) == (other.sp, "eliminated")
    assert sum(loss["sp_lost"] + loss["sp_captured"] for loss in losses.values()) == one.back[1] + other.sp
    kept = read_settlement_muster(battle.settlement)
    assert kept.keys() == muster.keys() and kept[key] == one
    assert entry_of(battle.settlement).units[key] == UnitResult(1, 0, one.points == 1)


def test_brigades_of_several_units_are_entered_as_one_and_lose_by_unit_RTG_GEN_01_hr_bat_13(battle, carleton):
    chosen(battle, "vb_rtg", "table")
    muster = muster_units(file_now(battle))
    units = {unit["id"]: unit for unit in battle.inputs["file"]["units"]}
    key, one = next((key, one) for key, one in muster.items() if len(one.units) > 1)
    table = build_table_roster(battle, {})
    assert list(table.units) == [unit for unit in units if unit in muster]
    assert table.units[key].sp == one.points
    assert table.units[key].name == f"{units[key]['name']} and {len(one.units) - 1} more"
    with pytest.raises(RuleViolation, match="stood as one with") as refused:
        table_settlement(battle=battle, results={one.units[1]: UnitResult(1)}, field_held_by="")
    assert refused.value.rule_id == "HR-BAT-13"
    battle_settle_by_table(battle=battle, results={key: UnitResult(1)}, field_held_by="crown", actor=carleton)
    battle.refresh_from_db()
    lost = {loss["unit"]: loss["sp_lost"] for loss in battle.settlement["losses"]}
    assert lost.keys() == units.keys()
    assert sum(lost.values()) == sum(lost[unit] for unit in one.units) == one.back[1]
    assert {unit: lost[unit] for unit in one.units} == {u: sp for u, (sp, _) in one.by_unit(1, 0).items()}
    assert read_settlement_muster(battle.settlement) == muster
    assert entry_of(battle.settlement).units == {key: UnitResult(1, 0, one.points == 1)}


def test_figures_entered_under_other_rules_are_to_be_entered_anew_hr_bat_13(battle, carleton):
    key = battle.inputs["file"]["units"][0]["id"]
    entry = Entry(units={key: UnitResult(lost=1)}, held_by="crown", notes="A hot day.")
    battle_entry_save(entered=True, battle=battle, side="", entry=entry, version=0, actor=carleton)
    chosen(battle, "vb_wing", "table")
    row = BattleEntry.objects.get()
    assert (row.state, entry_from_json(row.body)) == ("draft", replace(entry, units={}))


def test_who_entered_and_who_confirms_is_told_that_it_was_taken_back_hr_bat_13(
    battle, burgoyne, gates, carleton
):
    assistant = User.objects.create_user("digby")
    seat_open(campaign=battle.campaign, role="assistant", user=assistant, actor=carleton)
    for version, ruleset in ((0, "vb_wing"), (2, "vb_division")):
        facts = {"battle": battle, "entry": Entry(held_by="crown"), "actor": burgoyne}
        battle_entry_save(entered=True, **facts, side="crown", version=version)
        battle_way_choose(battle=battle, way="table", ruleset=ruleset, reason=WHY, actor=carleton)
    told = Notice.objects.filter(kind="result").order_by("pk")
    assert [one.user.username for one in told] == ["burgoyne", "digby"] * 2, "neither Gates nor who did it"
    subject, text = format_email(told[0])
    assert subject.endswith("entered anew") and "what was entered of it was taken back" in text
    assert build_page_url(told[0]) == f"/campaigns/saratoga/battles/{battle.pk}/"
    anew = [event.data.get("anew", False) for event in JournalEntry.objects.filter(kind="battle_way")]
    assert anew == [True, True]
    assert campaign_verify(campaign=Campaign.objects.get())


def test_a_change_of_rules_with_nothing_entered_takes_nothing_back_hr_bat_13(battle, carleton):
    battle_way_choose(battle=battle, way="table", ruleset="vb_wing", actor=carleton)
    assert "anew" not in JournalEntry.objects.get(kind="battle_way").data
    assert "anew" not in DayRecord.objects.latest("pk").inputs["act"]
    assert not Notice.objects.filter(kind="result").exists()


def test_a_draft_is_behind_but_nobody_is_told_that_it_was_taken_back_hr_bat_13(battle, burgoyne, carleton):
    key = battle.inputs["file"]["units"][0]["id"]
    entry = Entry(units={key: UnitResult(lost=1)}, held_by="crown")
    kept = battle_entry_save(battle=battle, side="crown", entry=entry, version=0, actor=burgoyne)
    battle_way_choose(battle=battle, way="table", ruleset="vb_wing", actor=carleton)
    row = BattleEntry.objects.get()
    assert (row.version, entry_from_json(row.body)) == (kept.version + 1, replace(entry, units={}))
    assert "anew" not in JournalEntry.objects.get(kind="battle_way").data
    assert "anew" not in DayRecord.objects.latest("pk").inputs["act"]
    assert not Notice.objects.filter(kind="result").exists()


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", OTHERS)
def test_fought_replayed_played_on_verified_and_archived_under_other_rules_hr_bat_13(
    battle, tmp_path, ruleset
):
    """The battle is fought by them; its losses alone go into AWI-C-BAT-01 to 04."""
    campaign, morning = battle.campaign, battle.campaign.head
    chosen(battle, ruleset)
    battle_settle_by_engine(battle=battle, actor=None, asked=True)
    battle.refresh_from_db()
    assert battle.settlement["muster"] == [
        to_json_value(one) for one in muster_units(file_now(battle)).values()
    ]
    lost = {loss["unit"]: (loss["sp_lost"], loss["sp_captured"]) for loss in battle.settlement["losses"]}
    assert any(sum(sp) for sp in lost.values())
    battle.replay.delete()
    job = replay_ask(battle=battle, actor=None)
    assert battle_replay_job(job, lambda done, note: None)["events"]
    day_advance(campaign=campaign, actor=None)
    assert "muster" not in campaign.records.latest("pk").inputs["settlements"][0]
    charged: dict[str, tuple[int, int]] = {}
    for entry in JournalEntry.objects.filter(data__sp_start__isnull=False).order_by("pk"):
        # what a pursuit takes comes later
        charged.setdefault(entry.unit, (entry.data["sp_lost"], entry.data["sp_captured"]))
    for key, sp in lost.items():
        assert charged.get(key, (0, 0)) == sp or not any(sp)
    assert campaign_verify(campaign=Campaign.objects.get()).replayed == 1
    path = tmp_path / "war.zip"
    campaign_export(campaign=Campaign.objects.get(), path=path, with_secret=True)
    assert archive_verify(archive_open(path)).replayed == 1
    there = Battle.objects.get(campaign=campaign_import(path=path, slug="again").campaign)
    assert (there.settlement, there.inputs) == (battle.settlement, battle.inputs)
    campaign_rewind(campaign=campaign, record=morning, reason="Again.", actor=None)
    day_advance(campaign=campaign, actor=None)
    again = Battle.objects.filter(campaign=campaign).latest("revision")
    assert again.pk != battle.pk
    assert (again.ruleset, again.settlement, again.inputs) == (ruleset, battle.settlement, battle.inputs)


@pytest.mark.slow
def test_odds_are_those_of_the_rules_chosen_hr_bat_08(battle):
    chosen(battle, "vb_wing")
    job = odds_ask(battle=battle, actor=None, runs=2)
    assert "/vb_wing-" in job.key
    found = battle_odds_job(job, lambda done, note: None)
    assert found["ruleset"] == "vb_wing" and found["runs"] == 2


# --- what else may happen to it ---


def test_figures_of_other_rules_are_refused_and_a_draft_is_behind_hr_bat_13(battle):
    """Four points typed for a unit of ten mean something else where it stands as five."""
    unit = next(iter(build_table_roster(battle, {}).units))
    entry = Entry(units={unit: UnitResult(1, 0, False)}, held_by=NEITHER)
    facts = {"battle": battle, "side": "", "entry": entry, "actor": None}
    kept = battle_entry_save(**facts, version=0, ruleset="awi")
    chosen(battle, "vb_wing", way="table")
    with pytest.raises(RuleViolation, match="under other rules since") as refused:
        battle_entry_save(entered=True, **facts, version=kept.version, ruleset="awi")
    assert refused.value.rule_id == "HR-BAT-13"
    with pytest.raises(EntryChanged):
        battle_entry_save(entered=True, **(facts | {"entry": Entry(held_by="crown")}), version=kept.version)
    assert BattleEntry.objects.get().state == BattleEntry.State.DRAFT


def test_a_battle_of_rules_that_are_not_installed_can_still_be_settled_by_word_hr_tab_11(battle):
    battle.inputs = {**battle.inputs, "file": {**battle.inputs["file"], "ruleset": "kriegsspiel"}}
    battle.save()
    assert muster_units(file_now(battle)) == {}
    sides = {battle.attacker: 10, battle.defender: 5}
    battle_settle_by_word(battle=battle, field_held_by=battle.defender, percent_lost=sides, actor=None)
    battle.refresh_from_db()
    assert battle.state == Battle.State.SETTLED


def test_a_muster_that_was_tampered_with_is_no_proof_hr_bat_13(battle):
    battle_settle_by_engine(battle=chosen(battle, "vb_wing"), actor=None)
    battle.refresh_from_db()
    file = file_now(battle)
    fight = StoredFight(str(battle), 1, 1, battle.day, battle.contact, "engine", battle.settlement, file)
    assert _muster_holds(fight)
    first, *others = battle.settlement["muster"]
    for row in ({**first, "points": first["points"] + 1}, {"unit": first["unit"]}):
        assert not _muster_holds(replace(fight, settlement={**battle.settlement, "muster": [row, *others]}))
