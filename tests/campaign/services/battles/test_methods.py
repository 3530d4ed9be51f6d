"""How a battle that waits is to be settled, and what is adjusted of it before (HR-TAB-11 to 13)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from battles.files.schema import BattlePlan
from campaign import tasks
from campaign.models import Battle, BattleEntry, Campaign, DayRecord, Job, JournalEntry
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import PlanFor, PlanLaidDown, UnitArrival
from campaign.selectors.battles.adjustments import drawing_now, morning_of
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.battles import settlement as settling
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.methods import battle_adjust, battle_adjustment_take_back, battle_way_choose
from campaign.services.battles.settlement import (
    battle_settle_ask,
    battle_settle_by_engine,
)
from campaign.services.proof.database import NotVerified, campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.turns.runs import battles_overdue_settle
from tests.factories.table_settling import battle_settle_by_table

pytestmark = pytest.mark.django_db
WHY = "Everybody knows the creek."


@pytest.fixture
def battle(waiting) -> Battle:
    return Battle.objects.select_related("campaign").get(campaign=waiting)


@pytest.fixture
def adjust(battle, carleton):
    """One adjustment of the battle, with a reason."""

    def done(change, **more) -> Battle:
        battle_adjust(battle=battle, change=change, reason=more.pop("reason", WHY), actor=carleton, **more)
        battle.refresh_from_db()
        return battle

    return done


def drawn(battle: Battle, **facts):
    return replace(drawing_now(battle, morning_of(battle)), **facts)


def said(kind: str) -> list[JournalEntry]:
    return list(JournalEntry.objects.filter(kind=kind))


# --- the way (HR-TAB-11) ---


@pytest.mark.parametrize(("policy", "way"), [("ask", ""), ("table", "table")])
def test_a_battle_opens_with_the_way_of_the_policy_hr_tab_11(meeting, policy, way):
    meeting.battle_policy = policy
    meeting.save()
    day_advance(campaign=meeting, actor=None)
    assert Battle.objects.get().way == way


def test_the_umpire_says_how_and_both_sides_read_it_hr_tab_11(battle, carleton):
    battle_way_choose(battle=battle, way="table", actor=carleton)
    battle_way_choose(battle=battle, way="table", actor=carleton)
    battle.refresh_from_db()
    assert battle.way == "table"
    (told,) = said("battle_way")
    assert (told.rule, told.sides, told.data["way"]) == ("HR-TAB-11", "|crown|rebel|", "table")
    with pytest.raises(RuleViolation, match="say why"):
        battle_way_choose(battle=battle, way="word", actor=carleton)
    battle_way_choose(battle=battle, way="word", reason="No table today.", actor=carleton)
    assert [entry.data["reason"] for entry in said("umpire_act")][-1] == "No table today."
    assert DayRecord.objects.filter(kind="act", inputs__act__kind="battle_way").count() == 2


@pytest.mark.parametrize(
    ("way", "ruleset", "sentence"), [("duel", "", "Choose the engine"), ("engine", "chess", "no ruleset")]
)
def test_no_other_way_and_no_other_rules_hr_tab_11(battle, way, ruleset, sentence):
    with pytest.raises(RuleViolation, match=sentence):
        battle_way_choose(battle=battle, way=way, ruleset=ruleset, actor=None)
    assert not said("battle_way")


@pytest.mark.parametrize("way", ["table", "word"])
def test_the_engine_fights_no_battle_that_was_promised_otherwise_hr_tab_11(battle, carleton, way):
    battle_way_choose(battle=battle, way=way, actor=carleton)
    with pytest.raises(RuleViolation, match="say first that the engine fights it"):
        battle_settle_ask(battle=battle, actor=carleton)
    battle_way_choose(battle=battle, way="engine", reason="No table.", actor=carleton)
    assert battle_settle_ask(battle=battle, actor=carleton).kind == "battle_settle"


def test_the_campaigns_own_rules_are_no_other_rules(battle):
    battle_way_choose(battle=battle, way="engine", ruleset="awi", actor=None)
    battle.refresh_from_db()
    assert (battle.way, battle.ruleset) == ("engine", "")


# --- adjustments (HR-TAB-12) ---


def test_the_ground_is_drawn_anew_and_the_first_drawing_comes_back_hr_tab_12(battle, adjust, carleton):
    """Drawn by HR-TAB-12, taken back by HR-TAB-13."""
    before = battle.inputs["file"]["ground"]
    adjust(drawn(battle, draw=2, season="winter", wet=True, width=120, depth=72))
    now = file_now(battle)["ground"]
    assert now != before and (now["width"], now["depth"]) == (120.0, 72.0)
    assert battle.inputs["file"]["ground"] == before
    assert drawing_now(battle, morning_of(battle)).draw == 2
    battle_adjustment_take_back(battle=battle, number=1, reason="The old one was better.", actor=carleton)
    battle.refresh_from_db()
    assert file_now(battle)["ground"] == before
    assert battle.adjusted[0]["back"] == "The old one was better."
    assert [entry.sides for entry in said("battle_adjusted") + said("adjustment_undone")] == [
        "|crown|rebel|", "|crown|rebel|",
    ]  # fmt: skip


def test_the_same_drawing_is_the_ground_the_battle_has(battle, adjust):
    """The country's own ground is the first drawing (HR-BAT-06)."""
    adjust(drawn(battle))
    assert file_now(battle)["ground"] == battle.inputs["file"]["ground"]


def test_works_are_thrown_up_and_levelled_hr_tab_12(battle, adjust):
    adjust(drawn(battle, works=3))
    works = [one for one in file_now(battle)["ground"]["features"] if one["kind"] == "fieldwork"]
    assert works and {one["sp"] for one in works} == {3}
    adjust(drawn(battle, works=0))
    file = file_now(battle)
    assert not [one for one in file["ground"]["features"] if one["kind"] == "fieldwork"]
    assert file["cover"] == "none"


def test_late_troops_are_told_their_own_side_alone_hr_tab_12(battle, adjust):
    units = battle.inputs["file"]["units"]
    late = next(unit["id"] for unit in units if unit["side"] == "crown")
    adjust((UnitArrival(late, 4),))
    assert {unit["id"]: unit["arrives"] for unit in file_now(battle)["units"]}[late] == 4
    (told,) = said("battle_adjusted")
    assert (told.sides, told.data["units"], told.data["turns"]) == ("|crown|", [late], [4])


def test_rain_comes_and_goes_hr_tab_12(battle, adjust):
    adjust("storm")
    assert file_now(battle)["options"] == {"rain_on_muskets": -2}
    adjust("none")
    assert file_now(battle)["options"] == {}
    with pytest.raises(RuleViolation, match="how wet it is already"):
        adjust("none")


def test_a_plan_laid_down_goes_before_the_commanders_hr_tab_12(battle, adjust, burgoyne):
    battle_plan_choose(battle=battle, side="crown", plan=BattlePlan("withdraw"), actor=burgoyne)
    adjust(PlanFor("crown", PlanLaidDown("turn_flank", flank="right", reserve_percent=25)))
    plan = file_now(battle)["plans"]["crown"]
    assert (plan["kind"], plan["flank"], plan["reserve_percent"]) == ("turn_flank", "right", 25)
    assert said("battle_adjusted")[0].sides == "|crown|"
    with pytest.raises(RuleViolation, match="umpire has laid down"):
        battle_plan_choose(battle=battle, side="crown", plan=None, actor=burgoyne)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"draw": 21}, "draw"),
        ({"width": 40}, "width"),
        ({"depth": 200}, "depth"),
        ({"works": 11}, "works"),
        ((UnitArrival("morgan", 1),), "morgan"),
        ((), "arrivals"),
        ("hail", "rain"),
        (PlanFor("french", PlanLaidDown("hold")), "side"),
        (PlanFor("crown", PlanLaidDown("hold", reserve_percent=99)), "reserve"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field_and_nothing_written(battle, adjust, change, field):
    change = drawn(battle, **change) if isinstance(change, dict) else change
    with pytest.raises(RuleViolation) as caught:
        adjust(change)
    assert (caught.value.rule_id, caught.value.field) == ("HR-TAB-12", field)
    battle.refresh_from_db()
    assert battle.adjusted == [] and not said("battle_adjusted")


def test_a_side_is_never_all_late(battle, adjust):
    crown = [unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown"]
    with pytest.raises(RuleViolation, match="from the start"):
        adjust(tuple(UnitArrival(key, 3) for key in crown))


def test_no_reason_no_adjustment(battle, adjust):
    with pytest.raises(RuleViolation, match="Say why"):
        adjust("storm", reason=" ")
    battle.refresh_from_db()
    assert battle.adjusted == []


def test_pressed_twice_it_is_done_once_and_something_between_is_told(battle, adjust):
    adjust("storm", number=1)
    adjust("storm", number=1)
    assert len(battle.adjusted) == 1
    with pytest.raises(RuleViolation, match="adjusted since this page"):
        adjust("rain", number=1)


# --- nothing after the engine has been set to it ---


def test_set_to_it_the_engine_fights_what_stood_then_hr_tab_12(battle, adjust, carleton):
    job = battle_settle_ask(battle=battle, actor=carleton)
    for act in (
        lambda: adjust("storm"),
        lambda: battle_way_choose(battle=battle, way="table", actor=carleton),
    ):
        with pytest.raises(RuleViolation, match="engine has been set to"):
            act()
    Job.objects.filter(pk=job.pk).update(state="failed")
    adjust("storm")


def test_what_is_the_tables_by_now_is_not_fought_by_work_asked_for_before_hr_tab_11(battle, carleton):
    """Work that failed leaves the battle to the umpire; asked for again it took it from the table."""
    job = battle_settle_ask(battle=battle, actor=carleton)
    Job.objects.filter(pk=job.pk).update(state="failed")
    for way in ("table", "word"):
        battle_way_choose(battle=battle, way=way, reason="We meet after all.", actor=carleton)
        Job.objects.filter(pk=job.pk).update(state="queued", lease_until=None)
        tasks.run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "failed" and "is to be settled" in job.error
        assert Battle.objects.get().state == "waiting"


def test_nobody_having_fought_it_the_engine_settles_the_tables_too_hr_cal_13(battle, carleton):
    battle_way_choose(battle=battle, way="table", actor=carleton)
    Campaign.objects.update(settle_after_days=1)
    Battle.objects.update(opened_at=timezone.now() - timedelta(days=2))
    assert battles_overdue_settle() == 1 and Battle.objects.get().source == "engine"


def test_a_drawn_result_is_never_adjusted_nor_fought_again_hr_tab_12(battle, adjust, carleton):
    adjust("storm")
    battle_settle_by_engine(battle=battle, actor=carleton)
    settled = Battle.objects.get()
    for act in (
        lambda: adjust("none"),
        lambda: battle_adjustment_take_back(battle=battle, number=1, reason="No.", actor=carleton),
        lambda: battle_way_choose(battle=battle, way="table", reason="No.", actor=carleton),
        lambda: battle_settle_ask(battle=battle, actor=carleton),
    ):
        with pytest.raises(RuleViolation, match="settled"):
            act()
    battle.refresh_from_db()
    assert battle.settlement == settled.settlement


def test_an_adjustment_while_the_engine_fights_is_fought_with_hr_tab_12(battle, adjust, monkeypatch):
    """A fight begun without the job cannot see it before it writes; then it fights again."""
    fought = settling.fight_frozen_battle
    times = []

    def slowly(row):
        found = fought(row)
        if not times:
            adjust("storm")
        times.append(row)
        return found

    monkeypatch.setattr(settling, "fight_frozen_battle", slowly)
    stale = Battle.objects.select_related("campaign").get(pk=battle.pk)
    battle_settle_by_engine(battle=stale, actor=None)
    assert len(times) == 2 and times[1].adjusted


def test_a_result_entered_was_fought_as_it_stood(battle, adjust, gates):
    BattleEntry.objects.create(battle=battle, side="rebel", user=gates, state="entered")
    with pytest.raises(RuleViolation, match="has been entered"):
        adjust("storm")


# --- proof, going back, archives ---


def test_an_adjusted_battle_of_the_engine_verifies_hr_tab_12(battle, adjust, carleton):
    late = battle.inputs["file"]["units"][0]["id"]
    adjust(drawn(battle, draw=3))
    adjust((UnitArrival(late, 2),))
    adjust("storm")
    battle_adjustment_take_back(battle=battle, number=2, reason="He was there.", actor=carleton)
    job = battle_settle_ask(battle=battle, actor=carleton)
    tasks.run_job(job.pk)
    day_advance(campaign=battle.campaign, actor=carleton)
    assert campaign_verify(campaign=Campaign.objects.get()).replayed == 1
    battle.refresh_from_db()
    battle.adjusted[0]["changes"]["ground"]["width"] = 95.0
    battle.save()
    with pytest.raises(NotVerified, match="has another adjusted than was recorded"):
        campaign_verify(campaign=Campaign.objects.get())
    battle.adjusted = []
    battle.save()
    with pytest.raises(NotVerified, match=r"ends otherwise|has another adjusted"):
        campaign_verify(campaign=Campaign.objects.get())


def test_an_adjusted_battle_travels_in_an_archive_and_is_proved_there_hr_arc_01(
    battle, adjust, carleton, tmp_path
):
    adjust(drawn(battle, draw=2, works=4))
    adjust("rain")
    battle_settle_by_engine(battle=battle, actor=carleton)
    day_advance(campaign=battle.campaign, actor=carleton)
    path = tmp_path / "war.zip"
    campaign_export(campaign=Campaign.objects.get(), path=path, with_secret=True)
    assert archive_verify(archive_open(path)).replayed == 1
    taken = campaign_import(path=path, slug="again").campaign
    there = Battle.objects.get(campaign=taken)
    here = Battle.objects.get(campaign__slug="saratoga")
    assert (there.adjusted, there.settlement) == (here.adjusted, here.settlement)
    assert campaign_verify(campaign=taken).replayed == 1


def test_going_back_undoes_adjustments_but_not_a_result_that_is_kept_hr_ump_14(battle, adjust, carleton):
    morning = battle.campaign.head
    adjust("storm")
    battle_settle_by_engine(battle=battle, actor=None)
    for keep, adjusted in ((True, 1), (False, 0)):
        campaign_rewind(campaign=battle.campaign, record=morning, reason="Again.", actor=carleton, keep=keep)
        day_advance(campaign=battle.campaign, actor=None)
        newest = Battle.objects.order_by("-revision").first()
        assert len(newest.adjusted) == adjusted
        battle.campaign.refresh_from_db()
        if keep:
            assert campaign_verify(campaign=Campaign.objects.get()).replayed == 1


def test_going_back_to_after_an_adjustment_leaves_it_hr_ump_14(battle, adjust, carleton):
    adjust("storm")
    after = DayRecord.objects.filter(kind="act").last()
    adjust(drawn(battle, draw=2))
    campaign_rewind(campaign=battle.campaign, record=after, reason="One too many.", actor=carleton)
    day_advance(campaign=battle.campaign, actor=None)
    newest = Battle.objects.order_by("-revision").first()
    assert [one["what"] for one in newest.adjusted] == ["rain"]
    assert newest.state == Battle.State.WAITING


def test_a_table_result_of_an_adjusted_battle_verifies(battle, adjust, carleton):
    adjust(drawn(battle, draw=2))
    battle_way_choose(battle=battle, way="table", actor=carleton)
    battle_settle_by_table(battle=battle, results={}, field_held_by="rebel", actor=carleton)
    day_advance(campaign=battle.campaign, actor=carleton)
    assert campaign_verify(campaign=Campaign.objects.get()).replayed == 1
