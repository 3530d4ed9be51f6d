"""Odds on a battle's page, when a commander has given out another plan since (HR-BAT-08, HR-BAT-11)."""

import html

import pytest

from battles.files.schema import BattlePlan
from campaign import tasks
from campaign.models import Battle, Campaign, Job
from campaign.rules.world.settings import RuleSettings
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.settlement import battle_settle_by_engine

PAGE = "/campaigns/saratoga/battles/"
ANEW = "Work them out anew with the plans as they stand"


def page(client, battle) -> str:
    return html.unescape(client.get(f"{PAGE}{battle.pk}/").content.decode())


def reckon(battle, side: str = "") -> Job:
    job = odds_ask(battle=Battle.objects.get(pk=battle.pk), actor=None, runs=4, side=side)
    tasks.run_job(job.pk)
    return job


def plan(battle, side: str, kind: str | None) -> None:
    chosen = BattlePlan(kind) if kind else None  # type: ignore[arg-type]
    battle_plan_choose(battle=battle, side=side, plan=chosen, actor=None)


def test_odds_say_that_a_plan_was_chosen_since_and_are_worked_out_anew_hr_bat_08(desk, battle):
    first = reckon(battle)
    assert ANEW not in page(desk, battle) and "chose another plan" not in page(desk, battle)
    plan(battle, "crown", "withdraw")
    text = page(desk, battle)
    assert "Worked out before Crown chose another plan." in text and ANEW in text
    assert "plans of then: Crown means to assault. " in text and "4 fights" in text
    desk.post(f"{PAGE}{battle.pk}/odds/")
    anew = Job.objects.filter(kind="battle_odds").first()
    assert anew.pk != first.pk and anew.payload["plans"]["crown"]["kind"] == "withdraw"
    assert ANEW not in page(desk, battle)


def test_a_plan_chosen_while_odds_are_worked_out_is_told_hr_bat_08(desk, battle):
    odds_ask(battle=battle, actor=None, runs=4)
    plan(battle, "rebel", "delay")
    text = page(desk, battle)
    assert "Asked for before United States chose another plan." in text and "Stop" in text


def test_odds_for_the_plans_as_they_stand_are_shown_again_when_one_goes_back_to_them(desk, battle):
    reckon(battle)
    plan(battle, "crown", "withdraw")
    reckon(battle)
    plan(battle, "crown", None)
    assert "chose another plan" not in page(desk, battle)


def test_odds_of_a_settled_battle_say_with_which_plans_they_were(desk, battle):
    reckon(battle)
    battle_settle_by_engine(battle=battle, actor=None)
    text = page(desk, battle)
    assert "Worked out before the battle, with these plans: Crown means to assault." in text
    assert ANEW not in text


def test_odds_before_the_last_plan_stay_so_on_a_settled_battle(desk, battle):
    reckon(battle)
    plan(battle, "crown", "withdraw")
    battle_settle_by_engine(battle=Battle.objects.get(), actor=None)
    text = page(desk, battle)
    assert "Worked out before Crown chose another plan. They reckon with the plans of then" in text
    assert ANEW not in text


def test_a_sides_odds_say_nothing_of_the_plan_the_enemy_chose_hr_bat_11(crown, rebel, battle):
    settings = RuleSettings.from_json({**battle.campaign.settings, "battle_odds": "sides"})
    Campaign.objects.filter(pk=battle.campaign_id).update(settings=settings.to_json())
    battle.refresh_from_db()
    reckon(battle, "crown")
    reckon(battle, "rebel")
    plan(battle, "crown", "withdraw")
    assert "Worked out before Crown chose another plan." in page(crown, battle)
    assert ANEW in page(crown, battle)
    seen = page(rebel, battle)
    assert "chose another plan" not in seen and ANEW not in seen and "Crown means" not in seen
    battle_settle_by_engine(battle=Battle.objects.get(), actor=None)
    seen = page(rebel, battle)
    assert "with these plans:" in seen and "Crown means" not in seen


@pytest.mark.parametrize(("dies", "told"), [("on", "killed or taken"), ("off", "taken")])
def test_what_becomes_of_generals_is_that_of_the_options_odds_were_fought_with_hr_bat_08(
    desk, battle, dies, told
):
    options = {"attached_army_commander_dies": dies}
    job = reckon(battle)
    job.refresh_from_db()
    assert job.result["options"] == battle.inputs["file"].get("options", {})
    job.result |= {"ruleset": "vb_wing", "options": options}
    job.result["generals"] = [{"name": "Fraser", "lost": job.result["win"]}]
    job.save()
    other = {"attached_army_commander_dies": "off" if dies == "on" else "on"}
    battle.inputs["file"] |= {"ruleset": "vb_wing", "options": other}
    battle.save()
    assert f"<caption>Generals {told}</caption>" in page(desk, battle)


def test_odds_come_before_what_settles_the_battle_and_call_the_sides_as_the_page_does(desk, battle):
    reckon(battle)
    text = page(desk, battle)
    assert text.index("What may come of it") < text.index("Settle the battle")
    assert "United States holds the field" in text and "Rebel" not in text


def test_odds_say_in_plain_words_how_sure_they_are(desk, battle):
    reckon(battle)
    text = page(desk, battle)
    assert "19 times in 20 the true share lies" in text and "on average" in text
    assert "interval" not in text and "the mean" not in text
