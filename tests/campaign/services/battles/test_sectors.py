"""A fight too big for the table: a sector is fought there, the rest by the engine (HR-TAB-14 to 16)."""

from dataclasses import replace

import pytest

from battles.files.schema import BattleFile
from battles.rulesets import registry
from campaign import tasks
from campaign.ledger.dice import dice_for
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, BattleEntry, Campaign, Job
from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.battles.battle_inputs import file_now, file_of_sector, leaders_with
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.adjustments import contact_of_battle
from campaign.selectors.battles.sectors import propose_sector, rest_file, sector_units, too_big
from campaign.services.battles.methods import battle_adjust, battle_split, battle_way_choose
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.battles.sectors import sector_complete, sector_rest
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.battles.table_results import (
    REST_TOLD,
    battle_confirm,
    battle_confirm_job,
    battle_entry_save,
    list_entry_versions,
)
from campaign.services.forecasts import runs
from campaign.services.forecasts.forecasts import forecast_start
from campaign.services.proof.battles import Decided, StoredFight, fight_fault
from campaign.services.proof.database import NotVerified, campaign_verify, dossier_of
from campaign.services.turns.day_preview import dry_run_play
from campaign.services.turns.days import day_advance
from tests.factories.table_settling import battle_settle_by_table

pytestmark = pytest.mark.django_db
SAID = Entry({}, held_by="rebel", pursuit="none")


@pytest.fixture
def battle(waiting, carleton) -> Battle:
    """Eleven units against four, for a table that takes three a side."""
    Campaign.objects.update(table_units=3)
    battle_way_choose(battle=Battle.objects.get(), way="table", actor=carleton)
    return Battle.objects.select_related("campaign").get()


@pytest.fixture
def split(battle, carleton) -> Battle:
    battle_split(battle=battle, units=propose_sector(battle), actor=carleton)
    return Battle.objects.select_related("campaign").get()


def of_side(units, battle: Battle, side: str) -> list[str]:
    own = {unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == side}
    return [key for key in units if key in own]


def test_a_battle_that_fits_is_fought_whole(waiting):
    battle = Battle.objects.select_related("campaign").get()
    everybody = tuple(unit["id"] for unit in battle.inputs["file"]["units"])
    assert not too_big(battle) and sector_units(battle) == everybody
    assert file_of_sector(file_now(battle), battle.sector) == file_now(battle) and rest_file(battle) is None
    assert sector_rest(battle).losses == ()
    settled = Settlement(battle.contact, "crown", source="table")
    assert sector_complete(battle, settled) is settled


def test_an_entry_begun_before_the_split_is_told_who_stands_beside_the_table(battle, gates, carleton):
    """The phone has the whole fight before it; the umpire splits it meanwhile (HR-TAB-02, HR-TAB-14)."""
    before = Battle.objects.select_related("campaign").get()
    battle_split(battle=battle, units=propose_sector(battle), actor=carleton)
    units = battle.inputs["file"]["units"]
    beside = next(unit["id"] for unit in units if unit["id"] not in propose_sector(battle))
    with pytest.raises(RuleViolation):
        battle_entry_save(
            battle=before, side="rebel", entry=Entry({beside: UnitResult(1)}), version=0, actor=gates
        )
    assert not BattleEntry.objects.exists()


def test_three_a_side_are_proposed_hr_tab_14(battle):
    chosen = propose_sector(battle)
    assert too_big(battle) and len(chosen) == 6
    assert len(of_side(chosen, battle, "crown")) == len(of_side(chosen, battle, "rebel")) == 3


def test_who_comes_late_is_left_for_the_rest_hr_tab_14(battle):
    units = battle.inputs["file"]["units"]
    for unit in of_side([one["id"] for one in units], battle, "crown")[:4]:
        next(one for one in units if one["id"] == unit)["arrives"] = 9
    assert not set(propose_sector(battle)) & {one["id"] for one in units if one["arrives"]}


def test_both_parts_have_every_unit_and_general_once_hr_tab_14(split):
    whole, table, rest = file_now(split), file_of_sector(file_now(split), split.sector), rest_file(split)
    assert rest is not None
    for kind in ("units", "leaders"):
        both = [one["id"] for one in (*table[kind], *rest[kind])]
        assert sorted(both) == sorted(one["id"] for one in whole[kind])
    there = {one["id"] for one in (*rest["units"], *rest["leaders"])}
    assert all(set(one["commands"]) <= there for one in rest["leaders"])
    assert table["ground"] == rest["ground"] == whole["ground"]


def test_a_general_goes_with_most_of_his_command_hr_tab_14():
    file = {
        "leaders": [
            {"id": "fraser", "rank": "brigadier", "commands": ["a", "b", "c"]},
            {"id": "riedesel", "rank": "brigadier", "commands": ["d", "e"]},
            {"id": "phillips", "rank": "senior", "commands": ["fraser", "riedesel"]},
            {"id": "burgoyne", "rank": "commander_in_chief", "commands": []},
        ]
    }
    assert leaders_with(file, {"a", "d"}) == {"riedesel", "phillips", "burgoyne"}
    assert leaders_with(file, {"a", "b"}) == {"fraser", "phillips", "burgoyne"}
    assert leaders_with(file, set()) == {"burgoyne"}


def test_the_rest_is_fought_with_dice_of_its_own_hr_tab_15(split):
    first, again = sector_rest(split), sector_rest(split)
    assert first == again and first.losses
    assert {loss.unit for loss in first.losses} == {
        unit["id"] for unit in split.inputs["file"]["units"] if unit["id"] not in split.sector
    }


def test_a_rest_without_an_enemy_loses_nothing_hr_tab_15(battle, carleton):
    rebels = of_side(sector_units(battle), battle, "rebel")
    crown = of_side(sector_units(battle), battle, "crown")[:2]
    battle.campaign.table_units = 4
    battle.campaign.save()
    battle = battle_split(battle=battle, units=[*rebels, *crown], actor=carleton)
    assert rest_file(battle) is None
    assert not any(loss.sp_lost or loss.sp_captured for loss in sector_rest(battle).losses)


def test_two_parts_are_one_result_hr_tab_16(split):
    sp = {unit["id"]: unit["sp"] for unit in split.inputs["file"]["units"]}
    here = UnitLoss(split.sector[0], sp[split.sector[0]], 1)
    elsewhere = next(unit for unit in sp if unit not in split.sector)
    table = Settlement(split.contact, "", (here, UnitLoss(elsewhere, sp[elsewhere], 0)), source="table")
    rest = sector_rest(split)
    whole = sector_complete(split, table)
    assert whole.field_held_by == rest.held_by
    assert sector_complete(split, replace(table, field_held_by="rebel")).field_held_by == "rebel"
    assert set(whole.losses) == {here, *rest.losses}
    nobody = GeneralLoss("nobody", "Nobody", "crown", "killed")
    assert nobody not in sector_complete(split, replace(table, generals=(nobody,))).generals


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        (["morgan"], "morgan is not in this battle"),
        (lambda all_: all_[:2], "needs a unit on the table"),
        (lambda all_: all_, "units on the table, and 3 fit it"),
    ],
)
def test_a_sector_that_cannot_be_is_refused_hr_tab_14(battle, carleton, units, sentence):
    picked = units(list(sector_units(battle))) if callable(units) else units
    with pytest.raises(RuleViolation, match=sentence) as caught:
        battle_split(battle=battle, units=picked, actor=carleton)
    assert (caught.value.rule_id, caught.value.field) == ("HR-TAB-14", "units")
    assert Battle.objects.get().sector == []


def test_only_a_battle_for_the_table_is_split_and_only_until_somebody_enters_hr_tab_14(
    battle, carleton, gates
):
    proposed = propose_sector(battle)
    battle_way_choose(battle=battle, way="engine", reason="No table.", actor=carleton)
    with pytest.raises(RuleViolation, match="Only a battle for the table"):
        battle_split(battle=battle, units=proposed, actor=carleton)
    battle_way_choose(battle=battle, way="table", reason="A table.", actor=carleton)
    battle_split(battle=battle, units=proposed, actor=carleton)
    entry = BattleEntry.objects.create(battle=battle, side="rebel", user=gates)
    with pytest.raises(RuleViolation, match="Somebody has begun to enter"):
        battle_split(battle=battle, units=(), actor=carleton)
    entry.delete()
    with pytest.raises(RuleViolation, match="is split"):
        battle_adjust(battle=battle, change="storm", reason="Rain.", actor=carleton)
    battle_way_choose(battle=battle, way="engine", reason="No table.", actor=carleton)
    assert Battle.objects.get().sector == []


def test_made_whole_by_another_way_what_was_entered_of_the_sector_must_be_entered_again(
    split, gates, carleton
):
    told = {"battle": split, "side": "rebel", "actor": gates}
    kept = battle_entry_save(entered=True, entry=Entry(held_by="rebel"), version=0, **told)
    battle_way_choose(battle=split, way="engine", reason="It is late.", actor=carleton)
    battle_way_choose(battle=split, way="table", reason="It is not.", actor=carleton)
    now = BattleEntry.objects.get()
    assert (now.state, now.body) == (BattleEntry.State.DRAFT, kept.body) and now.version > kept.version


def test_the_rest_is_proved_with_the_tables_result_hr_tab_15(split):
    """What the engine fought beside the table is fought again; the journal tells of the split."""
    rest = sector_rest(split)
    settled = {
        "contact": split.contact, "field_held_by": "rebel", "source": "table", "minutes": 360, "generals": (),
        "losses": [
            {"unit": one.unit, "sp_start": one.sp_start, "sp_lost": one.sp_lost,
             "sp_captured": one.sp_captured, "fate": one.fate}
            for one in rest.losses
        ],
    }  # fmt: skip
    dossier = dossier_of(split.campaign)
    fight = replace(dossier.fights[1, split.contact], source="table", settlement=settled)
    decided = Decided()
    dice = dossier.dice(fight.day, fight.dice_revision)
    assert "split otherwise" in fight_fault(fight, settled, decided, dice)
    for step in dossier_of(split.campaign).steps:
        if step.kind == "act":
            decided.note(step.inputs["act"])
    assert fight_fault(fight, settled, decided, dice) == ""
    hurt = next(row for row in settled["losses"] if row["sp_lost"])
    hurt["sp_lost"] -= 1
    assert "beside the table ends otherwise" in fight_fault(fight, settled, decided, dice)
    assert isinstance(fight, StoredFight)


def test_a_split_fight_counts_whole_and_the_campaign_verifies_hr_tab_16(split, carleton):
    hit = of_side(split.sector, split, "crown")[0]
    rest = sector_rest(split)
    battle_settle_by_table(battle=split, results={hit: UnitResult(2)}, field_held_by="rebel", actor=carleton)
    lost = {loss["unit"]: loss["sp_lost"] for loss in Battle.objects.get().settlement["losses"]}
    assert lost[hit] == 2 and all(lost[loss.unit] == loss.sp_lost for loss in rest.losses)
    assert len(lost) == len(split.inputs["file"]["units"])
    day_advance(campaign=Campaign.objects.get(), actor=carleton)
    assert campaign_verify(campaign=Campaign.objects.get()).replayed == 1
    battle = Battle.objects.get()
    battle.sector = battle.sector[:-1]
    battle.save()
    with pytest.raises(NotVerified, match="has another sector than was recorded"):
        campaign_verify(campaign=Campaign.objects.get())


@pytest.fixture
def entered(split, gates) -> Battle:
    """The rebels have entered a result of the sector."""
    battle_entry_save(entered=True, battle=split, side="rebel", entry=SAID, version=0, actor=gates)
    return split


def confirm(battle: Battle, carleton, decided: Entry) -> Job:
    """Confirm a result; gives the job that fights the rest."""
    waits = battle_confirm(battle=battle, decided=decided, seen=list_entry_versions(battle), actor=carleton)
    assert waits.state == Battle.State.WAITING
    return Job.objects.get(kind="battle_confirm")


def test_confirmed_the_rest_is_fought_by_a_worker_and_settles_the_battle_hr_tab_16(entered, carleton):
    here = next(iter(entered.sector))
    decided = Entry({here: UnitResult(1)}, held_by="rebel")
    job = confirm(entered, carleton, decided)
    assert confirm(entered, carleton, decided) == job  # pressed twice
    with pytest.raises(RuleViolation, match="being fought; wait for it") as refused:
        confirm(entered, carleton, Entry({here: UnitResult(2)}, held_by="rebel"))
    assert refused.value.rule_id == "HR-TAB-16"
    tasks.run_job(job.pk)
    entered.refresh_from_db()
    assert (entered.state, entered.source, entered.settled_by) == ("settled", "table", carleton)
    lost = {loss.unit: loss.sp_lost for loss in settlement_from_json(entered.settlement).losses}
    rest = {loss.unit: loss.sp_lost for loss in sector_rest(entered).losses}
    assert rest and lost[here] == 1 and rest.items() <= lost.items()
    assert entered.account[-1] == REST_TOLD
    before = entered.settlement
    battle_confirm_job(job, lambda percent, note: None)  # a second worker of the same job
    entered.refresh_from_db()
    assert entered.settlement == before


def test_an_entry_amended_while_the_rest_is_fought_settles_nothing_hr_tab_05(entered, carleton, gates):
    job = confirm(entered, carleton, SAID)
    amended = Entry({}, held_by="crown", pursuit="none")
    battle_entry_save(entered=True, battle=entered, side="rebel", entry=amended, version=1, actor=gates)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    entered.refresh_from_db()
    assert (job.state, entered.state) == ("failed", "waiting") and "amended while you looked" in job.error


def test_a_fight_made_whole_while_the_rest_is_fought_is_looked_at_again_hr_tab_16(
    entered, carleton, monkeypatch
):
    job = confirm(entered, carleton, SAID)

    def made_whole(battle: Battle, settlement: Settlement) -> Settlement:
        whole = sector_complete(battle, settlement)
        Battle.objects.filter(pk=battle.pk).update(sector=[])
        return whole

    monkeypatch.setattr("campaign.services.battles.table_results.sector_complete", made_whole)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "failed" and "changed while the rest of it was fought" in job.error
    assert Battle.objects.get().state == Battle.State.WAITING


def test_a_unit_beside_the_table_is_no_part_of_its_result(split, carleton):
    beside = next(unit["id"] for unit in split.inputs["file"]["units"] if unit["id"] not in split.sector)
    with pytest.raises(RuleViolation, match="take it out"):
        battle_settle_by_table(
            battle=split, results={beside: UnitResult(1)}, field_held_by="", actor=carleton
        )


def test_the_word_settles_the_whole_fight_split_or_not(split, carleton):
    settled = battle_settle_by_word(
        battle=split, field_held_by="rebel", percent_lost={"crown": 50, "rebel": 0}, actor=carleton
    )
    lost = {loss["unit"]: loss["sp_lost"] for loss in Battle.objects.get().settlement["losses"]}
    assert len(lost) == len(settled.inputs["file"]["units"]) and sum(lost.values()) == 26


@pytest.fixture
def fights(monkeypatch) -> list[BattleFile]:
    """Every battle file that is fought."""
    found: list[BattleFile] = []
    fight = registry.fight_battle

    def seen(file, seed):
        found.append(file)
        return fight(file, seed)

    monkeypatch.setattr(registry, "fight_battle", seen)
    return found


def test_a_rehearsal_fights_the_battle_as_adjusted_hr_ump_13(waiting, carleton, fights):
    battle_adjust(battle=Battle.objects.get(), change="storm", reason="Rain.", actor=carleton)
    dry_run_play(Campaign.objects.get())
    assert fights[0].options == {"rain_on_muskets": -2}


def test_a_forecast_fights_the_battle_as_adjusted_hr_tab_12(waiting, carleton, fights):
    battle_adjust(battle=Battle.objects.get(), change="storm", reason="Rain.", actor=carleton)
    battle, campaign = Battle.objects.get(), Campaign.objects.get()
    start, world, dice = forecast_start(campaign, "", 1), world_load(campaign), dice_for(campaign, 0)
    again = runs.start_from_json(runs.start_to_json(start), world.theatre)
    contact = contact_of_battle(battle)
    for each in (contact, replace(contact, minute=contact.minute + 1)):
        runs._fight_contact(again, world, each, dice)
    assert [file.options for file in fights] == [{"rain_on_muskets": -2}, {}]
    assert forecast_start(campaign, "crown", 1).waiting == {}
