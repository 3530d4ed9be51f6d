"""The plan a commander chooses for a battle (HR-BAT-09)."""

from dataclasses import asdict, replace

import pytest

from battles.files.schema import BattlePlan
from campaign.models import Battle, Campaign
from campaign.rules.battles.plans import PlanTerms, may_plan, verify_may_plan
from campaign.rules.dispatches.couriers import find_headquarters
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.services.battles import settlement
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.replays import fight_frozen_battle
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.services.proof.database import campaign_verify, dossier_of
from tests.factories.records import head_renew

pytestmark = pytest.mark.django_db
ADDRESS = "/campaigns/saratoga/battles/"
ASSAULT = BattlePlan("turn_flank", flank="right", reserve_percent=25, boldness=1, until=9, then="hold")
GIVEN = {
    "plan-kind": "turn_flank", "plan-flank": "right", "plan-reserve": "25", "plan-boldness": "1",
    "plan-until": "9", "plan-then": "hold",
}  # fmt: skip


def choose(battle: Battle, side: str = "crown", plan: BattlePlan | None = ASSAULT, actor=None) -> Battle:
    return battle_plan_choose(battle=battle, side=side, plan=plan, actor=actor)


def test_the_engine_fights_as_the_commander_chose_hr_bat_09(battle):
    usual = fight_frozen_battle(battle).result.outcome
    chosen = choose(battle, plan=BattlePlan("withdraw"))
    fought = fight_frozen_battle(chosen)
    assert fought.battle.plan_of("crown") == BattlePlan("withdraw")
    assert fought.result.outcome != usual
    settled = battle_settle_by_engine(battle=battle, actor=None)
    assert {loss["unit"]: loss["sp_lost"] for loss in settled.settlement["losses"]} == {
        unit.id: unit.sp_lost for unit in fought.result.outcome.units
    }


def test_the_last_choice_counts_and_can_be_taken_back_hr_bat_09(battle, burgoyne):
    choose(battle, actor=burgoyne)
    choose(battle, plan=BattlePlan("hold"), actor=burgoyne)
    assert choose(battle, "rebel").plans == {"crown": asdict(BattlePlan("hold")), "rebel": asdict(ASSAULT)}
    assert choose(battle, plan=None).plans == {"rebel": asdict(ASSAULT)}


def test_a_settled_battle_cannot_be_planned_any_more_hr_bat_09(battle):
    battle_settle_by_engine(battle=battle, actor=None)
    with pytest.raises(RuleViolation, match="settled meanwhile"):
        choose(battle)
    battle.refresh_from_db()
    assert battle.plans == {}


def test_a_plan_chosen_while_the_engine_fights_counts_hr_bat_09(battle, monkeypatch):
    seen = []

    def fought(one: Battle):
        seen.append(dict(one.plans))
        result = fight_frozen_battle(one)
        if len(seen) == 1:
            choose(battle, plan=BattlePlan("withdraw"))
        return result

    monkeypatch.setattr(settlement, "fight_frozen_battle", fought)
    settled = battle_settle_by_engine(battle=battle, actor=None)
    assert seen == [{}, {"crown": asdict(BattlePlan("withdraw"))}]
    assert settled.plans == {"crown": asdict(BattlePlan("withdraw"))}


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (BattlePlan("advance"), "kind"),
        (replace(ASSAULT, flank="middle"), "flank"),  # type: ignore[arg-type]
        (replace(ASSAULT, reserve_percent=40), "reserve"),
        (replace(ASSAULT, boldness=3), "boldness"),
        (replace(ASSAULT, until=36), "until"),
        (replace(ASSAULT, then="advance"), "then"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_and_nothing_written_hr_bat_09(battle, plan, field):
    with pytest.raises(RuleViolation) as refused:
        choose(battle, plan=plan)
    assert (refused.value.rule_id, refused.value.field) == ("HR-BAT-09", field)
    battle.refresh_from_db()
    assert battle.plans == {}


def test_only_who_commands_there_chooses_hr_bat_09(battle, gates):
    with pytest.raises(RuleViolation, match="do not command"):
        choose(battle, "crown", actor=gates)
    with pytest.raises(RuleViolation, match="does not stand"):
        choose(battle, "france")


def test_with_couriers_headquarters_must_be_there_hr_bat_09(world):
    seat = find_headquarters(world, "crown")
    away = PlanTerms("crown", ("advanced_corps",), 36)
    there = PlanTerms("crown", ("advanced_corps", seat), 36)
    assert may_plan(world, away) == ""
    apart = replace(world, settings=replace(world.settings, couriers=True))
    assert "headquarters" in may_plan(apart, replace(away, formations=("nobody",)))
    assert may_plan(apart, there) == ""
    by_stance = replace(world, settings=replace(world.settings, battle_plans="stance"))
    with pytest.raises(RuleViolation, match="ordered to march"):
        verify_may_plan(by_stance, there)


def test_a_planned_battle_is_verified_with_its_plan_hr_bat_09(waiting):
    battle = Battle.objects.get(campaign=waiting)
    choose(battle, plan=BattlePlan("withdraw"))
    battle_settle_by_engine(battle=battle, actor=None)
    (fight,) = dossier_of(waiting).fights.values()
    assert fight.file["plans"]["crown"] == asdict(BattlePlan("withdraw"))
    assert fight.file["plans"]["rebel"] == battle.inputs["file"]["plans"]["rebel"]
    campaign_verify(campaign=waiting)


# --- its page ---


def test_a_commander_gives_out_his_plan_hr_bat_09(crown, rebel, desk, battle):
    text = crown.get(f"{ADDRESS}{battle.pk}/").content.decode()
    assert "Crown means to assault." in text and "This follows from your march orders" in text
    done = crown.post(f"{ADDRESS}{battle.pk}/plan/", GIVEN, follow=True).content.decode()
    assert "The plan has been given out." in done
    told = "to turn the flank on its right boldly with 25 % of the foot in reserve and after turn 9 to hold"
    assert told in done and "You chose this" in done
    assert told in desk.get(f"{ADDRESS}{battle.pk}/").content.decode()
    theirs = rebel.get(f"{ADDRESS}{battle.pk}/").content.decode()
    assert "turn the flank on" not in theirs and "Crown means" not in theirs
    back = crown.post(f"{ADDRESS}{battle.pk}/plan/", {"as_ordered": "yes"}, follow=True).content.decode()
    assert "Your march orders stand." in back and "You chose this" not in back


def test_a_refused_plan_keeps_what_was_chosen_hr_bat_09(crown, battle):
    answer = crown.post(f"{ADDRESS}{battle.pk}/plan/", {**GIVEN, "plan-until": "90"})
    text = answer.content.decode()
    assert answer.status_code == 422 and "change the plan after turn 1 to 35" in text
    assert 'value="90"' in text and "HR-BAT-09" in text
    wrong = crown.post(f"{ADDRESS}{battle.pk}/plan/", {**GIVEN, "plan-kind": "flee"})
    assert wrong.status_code == 422 and "Choose one of the list." in wrong.content.decode()
    battle.refresh_from_db()
    assert battle.plans == {}


def test_a_plan_given_out_too_late_says_so_hr_bat_09(crown, desk, battle):
    battle_settle_by_engine(battle=battle, actor=None)
    late = crown.post(f"{ADDRESS}{battle.pk}/plan/", GIVEN, follow=True).content.decode()
    assert "settled meanwhile" in late
    assert desk.post(f"{ADDRESS}{battle.pk}/plan/", GIVEN).status_code == 404


def test_where_stance_decides_no_form_is_shown_hr_bat_09(crown, battle, saratoga):
    stance = RuleSettings.from_json({**saratoga.settings, "battle_plans": "stance"})
    Campaign.objects.filter(pk=saratoga.pk).update(settings=stance.to_json())
    head_renew(saratoga)
    text = crown.get(f"{ADDRESS}{battle.pk}/").content.decode()
    assert "Choose how we fight" not in text and "fight as they were ordered to march" in text
