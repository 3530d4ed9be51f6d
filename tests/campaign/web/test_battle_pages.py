"""Battle pages: forces, and the three ways to settle."""

import html
import re

from campaign import tasks
from campaign.models import AuditEntry, Battle, Job
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word
from campaign.services.turns.rewind import campaign_rewind
from tests.factories.people import signed_in

PAGE = "/campaigns/saratoga/battles/"


def settle(client, battle, by, data=None):
    return client.post(f"{PAGE}{battle.pk}/settle/{by}/", data or {}, follow=True)


def units(battle, side):
    return [unit for unit in battle.inputs["file"]["units"] if unit["side"] == side]


def test_battle_is_seen_by_its_sides_and_the_umpire(crown, rebel, desk, stranger, battle):
    for client in (crown, rebel, desk):
        text = client.get(f"{PAGE}{battle.pk}/").content.decode()
        assert "Battle of Ticonderoga" in text and "hard cover" in text
    assert stranger.get(f"{PAGE}{battle.pk}/").status_code == 404
    assert "Battle of Ticonderoga" in crown.get("/campaigns/saratoga/?sheet=battles").content.decode()


def test_an_undone_battle_is_told_to_be_so_hr_ump_14(
    crown, rebel, desk, stranger, battle, saratoga, carleton
):
    saratoga.refresh_from_db()
    campaign_rewind(campaign=saratoga, record=saratoga.head, reason="A slip.", actor=carleton)
    for client in (crown, rebel, desk):
        answer = client.get(f"{PAGE}{battle.pk}/")
        text = answer.content.decode()
        assert answer.status_code == 200
        assert "Ticonderoga, undone" in text and "had not been fought" in text and "settle/" not in text
    assert stranger.get(f"{PAGE}{battle.pk}/").status_code == 404
    assert settle(desk, battle, "word").status_code == 404


def drawing(client, battle) -> str:
    text = client.get(f"{PAGE}{battle.pk}/").content.decode()
    return text[text.index("<svg xmlns") : text.index("</svg>")]


def test_both_sides_and_the_umpire_have_the_same_ground(crown, rebel, desk, battle):
    """HR-BAT-06"""
    assert drawing(crown, battle) == drawing(rebel, battle) == drawing(desk, battle)
    shown = drawing(crown, battle)
    assert "Crown sets out here" in shown and 'class="unit"' not in shown
    assert "a road" in crown.get(f"{PAGE}{battle.pk}/").context["table"].words


def test_columns_that_met_on_the_water_are_said_to_land(crown, desk, battle):
    """HR-BAT-06: a dry table with woods and a road was shown for a battle on the lake."""
    told = (
        "The columns met in boats on the lake between Bouquet River and Crown Point. They land and fight on "
        "the shore there, so the table is dry land."
    )
    assert told not in crown.get(f"{PAGE}{battle.pk}/").content.decode()
    battle.inputs["contact"] |= {"place": "", "route": "bouquet_river--crown_point--lake"}
    battle.save()
    assert told in crown.get(f"{PAGE}{battle.pk}/").content.decode()
    assert told in crown.get(f"{PAGE}{battle.pk}/pack/").content.decode()
    battle.inputs["contact"] |= {"route": "crown_point--ticonderoga--track"}
    battle.save()
    assert "They land" not in desk.get(f"{PAGE}{battle.pk}/").content.decode()


def test_a_battle_from_before_grounds_were_made_is_shown_without(crown, battle):
    del battle.inputs["file"]["ground"]
    battle.save()
    text = crown.get(f"{PAGE}{battle.pk}/").content.decode()
    assert "The ground" not in text and "Battle of Ticonderoga" in text


def test_commanders_enter_the_table_only(crown, battle):
    text = crown.get(f"{PAGE}{battle.pk}/").content.decode()
    assert "s result</a>" in text and "Fight it here" not in text
    for way in ("engine", "word", "table", "coin"):
        assert settle(crown, battle, way).status_code == 404
    assert Battle.objects.get().state == Battle.State.WAITING


def test_umpires_word(desk, battle):
    data = {"word-field_held_by": "neither", "word-percent_crown": "25", "word-percent_rebel": "50"}
    text = settle(desk, battle, "word", data).content.decode()
    assert "Neither side holds the field" in text
    listed = "/campaigns/saratoga/?sheet=battles"
    assert "<strong>Neither side holds the field</strong>" in desk.get(listed).content.decode()
    held = {**Battle.objects.get().settlement, "field_held_by": "rebel"}
    Battle.objects.update(settlement=held)
    assert "<strong>United States holds the field</strong>" in desk.get(listed).content.decode()
    assert Battle.objects.get().source == "umpire"


def test_umpires_word_needs_a_holder(desk, battle):
    response = settle(desk, battle, "word", {"word-percent_crown": "25", "word-percent_rebel": "50"})
    assert response.status_code == 422
    assert response.context["word_form"].errors["field_held_by"]


def test_engine_fights_once_as_work_that_can_be_left_and_found_again(desk, crown, battle):
    for _ in range(2):
        text = settle(desk, battle, "engine").content.decode()
    job = Job.objects.get(kind="battle_settle")
    assert f"/campaigns/saratoga/jobs/{job.pk}/" in text and "Fight it here" not in text
    assert "The engine is to fight the battle." in text and "What may come of it" not in text
    assert "A battle fought here" in desk.get("/campaigns/saratoga/jobs/").content.decode()
    assert "jobs/" not in crown.get(f"{PAGE}{battle.pk}/").content.decode()
    tasks.run_job(job.pk)
    assert desk.get(f"/campaigns/saratoga/jobs/{job.pk}/").headers["HX-Refresh"] == "true"
    assert "Settled by the engine" in desk.get(f"{PAGE}{battle.pk}/").content.decode()
    settled = Battle.objects.get()
    assert settled.settled_by.username == "carleton"
    assert settled.source == "engine" and settled.account
    again = settle(desk, battle, "engine").content.decode()
    assert "HR-CON-12" in again


def test_a_battle_settled_or_fallen_away_while_the_engine_is_asked(desk, battle):
    settle(desk, battle, "engine")
    job = Job.objects.get(kind="battle_settle")
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    tasks.run_job(job.pk)
    assert Battle.objects.get().source == "umpire"
    job.refresh_from_db()
    assert job.state == "failed" and "settled already" in job.error
    assert "settled already" in settle(desk, battle, "engine").content.decode()
    Battle.objects.all().delete()
    Job.objects.update(state="queued", max_attempts=9)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done"


def test_battle_of_another_campaign_is_not_found(crown, battle, gates):
    assert crown.get(f"{PAGE}{battle.pk + 1}/").status_code == 404
    assert signed_in(gates).post(f"{PAGE}{battle.pk + 1}/settle/word/").status_code == 404


def test_umpires_word_out_of_range_or_missing_is_refused_in_the_sites_words(desk, battle):
    data = {"word-field_held_by": "neither", "word-percent_crown": "125", "word-percent_rebel": ""}
    response = settle(desk, battle, "word", data)
    assert response.status_code == 422
    sentences = [thing.sentence for thing in response.context["mend"]]
    assert sentences == ["Enter a whole number of percent from 0 to 100."] * 2


def test_a_battle_is_called_by_its_title(battle):
    assert str(battle) == "Battle of Ticonderoga, day 1"


def test_small_fights_settled_without_asking_are_told_to_the_umpire(desk, saratoga, battle):
    """HR-CON-07: on the umpire's day and in the list, with the hour; one the umpire let fight is not."""
    Battle.objects.update(inputs={**battle.inputs, "contact": {**battle.inputs["contact"], "tiny": True}})
    day, listed = "/campaigns/saratoga/?sheet=day", "/campaigns/saratoga/?sheet=battles"
    assert "Small fights" not in desk.get(day).content.decode()
    battle_settle_by_engine(battle=Battle.objects.get(), actor=None)
    text = desk.get(day).content.decode()
    assert "Small fights" in text and "11:40, Crown against" in text and "HR-CON-07" in text
    text = desk.get(listed).content.decode()
    assert "15 June 1777, 11:40" in text and "settled by the engine" in text and "small fight" in text
    assert "as a small fight" in desk.get(f"{PAGE}{battle.pk}/").content.decode()
    saratoga.day += 2
    saratoga.save()
    assert "Small fights" not in desk.get(day).content.decode()


def test_a_small_fight_the_umpire_let_the_engine_fight_was_asked_about(desk, battle):
    """HR-CON-07"""
    Battle.objects.update(inputs={**battle.inputs, "contact": {**battle.inputs["contact"], "tiny": True}})
    settle(desk, battle, "engine")
    tasks.run_job(Job.objects.get(kind="battle_settle").pk)
    assert Battle.objects.get().source == "engine"
    assert "small fight" not in desk.get("/campaigns/saratoga/?sheet=battles").content.decode()


# --- odds (HR-BAT-08) ---


def ask(client, battle, stop: str = ""):
    return client.post(f"{PAGE}{battle.pk}/odds/{stop}", follow=True)


def test_the_umpire_asks_for_odds_watches_and_stops(desk, battle):
    assert "Work out the odds" in desk.get(f"{PAGE}{battle.pk}/").content.decode()
    text = ask(desk, battle).content.decode()
    job = Job.objects.get(kind="battle_odds")
    assert f"/campaigns/saratoga/jobs/{job.pk}/" in text and "Stop" in text
    assert "htmx" in text.split("</head>")[0], "the progress asks for itself"
    waiting = desk.get(f"/campaigns/saratoga/jobs/{job.pk}/")
    assert "fought many times over" in waiting.content.decode() and "HX-Refresh" not in waiting
    text = ask(desk, battle, "stop/").content.decode()
    assert "not worked out any further" in text and "Work out the odds" in text
    assert Job.objects.get(kind="battle_odds").state == "cancelled"
    assert AuditEntry.objects.filter(kind="umpire", what="work “battle_odds” stopped").count() == 1


def test_odds_are_shown_to_the_umpire_alone(desk, crown, rebel, battle):
    tasks.run_job(odds_ask(battle=battle, actor=None, runs=16).pk)
    text = desk.get(f"{PAGE}{battle.pk}/").content.decode()
    assert "Crown holds the field" in text and "16 fights" in text and "Unit by unit" in text
    told = text[text.index("Unit by unit") :]
    assert (
        len([side for side in re.findall(r"<tr><td>(.*?)</td>", told[: told.index("</table>")]) if side]) == 2
    )
    for client in (crown, rebel):
        assert "What may come of it" not in client.get(f"{PAGE}{battle.pk}/").content.decode()
        assert ask(client, battle).status_code == 404
        assert ask(client, battle, "stop/").status_code == 404


def test_odds_tell_losses_in_campaign_points_by_side_and_unit(desk, battle):
    """AWI-C-BAT-01 to 03"""
    tasks.run_job(odds_ask(battle=battle, actor=None, runs=4).pk)
    response = desk.get(f"{PAGE}{battle.pk}/")
    found = Job.objects.get(kind="battle_odds").result
    odds = response.context["odds"]
    assert len(odds.sides) == 2 and len(odds.units) == len(battle.inputs["file"]["units"])
    for shown, row in zip((*odds.sides, *odds.units), (*found["sides"], *found["units"]), strict=True):
        assert shown.points.startswith(f"{row['points_gone']['mean']:.0f}")
        assert shown.gone.startswith(f"{row['gone']['mean']:.1f}")
    assert "Campaign points" in response.content.decode()


def test_the_choice_of_ways_comes_first_and_forms_are_folded_until_they_need_mending(desk, crown, battle):
    text = html.unescape(desk.get(f"{PAGE}{battle.pk}/").content.decode())
    places = [text.index(words) for words in ("Fight it here", "result/", "by-word", 'id="forces"')]
    assert places == sorted(places) and '<details id="by-word">' in text
    said = settle(desk, battle, "word", {"word-percent_crown": "25"}).content.decode()
    assert '<details id="by-word" open>' in said
    assert "by-word" not in crown.get(f"{PAGE}{battle.pk}/").content.decode()


def test_odds_are_not_the_days_job(desk, battle):
    ask(desk, battle)
    assert desk.get("/campaigns/saratoga/?sheet=day").context["job"] is None


def test_a_settled_battle_is_not_asked_for(desk, battle):
    battle_settle_by_engine(battle=battle, actor=None)
    assert "HR-BAT-08" in ask(desk, battle).content.decode()
    assert "Work out the odds" not in desk.get(f"{PAGE}{battle.pk}/").content.decode()


def test_odds_that_were_stopped_are_shown_with_a_word_that_they_were_hr_bat_08(desk, battle):
    job = odds_ask(battle=battle, actor=None, runs=16)
    tasks.run_job(job.pk)
    Job.objects.filter(pk=job.pk).update(state=Job.State.CANCELLED)
    job.refresh_from_db()
    job.result |= {"runs": 8, "asked": 16}
    job.save()
    text = desk.get(f"{PAGE}{battle.pk}/").content.decode()
    assert "Stopped after 8 of 16 fights" in text and "Unit by unit" in text
    assert "Work out all of them" in text
    Job.objects.filter(pk=job.pk).update(result=None)
    assert "what was fought is being counted" in desk.get(f"{PAGE}{battle.pk}/").content.decode()


def test_what_a_battle_cost_stands_in_sp_and_points_hr_fog_03(crown, battle):
    """AWI-C-BAT-01 to 03; the enemy's campaign points are not told."""
    fighters = [
        {"unit": unit["id"], "side": unit["side"], "points": 90, "sp": 4}
        for unit in battle.inputs["file"]["units"]
    ]
    battle.inputs["contact"]["units"] = fighters
    battle.save()
    battle_settle_by_engine(battle=battle, actor=None)
    answer = crown.get(f"{PAGE}{battle.pk}/")
    own, enemy = answer.context["forces"]
    for unit in own.units:
        zero = 10 if unit.sp_left == 0 and not unit.captured else 0
        assert unit.points == 90
        assert unit.points_after == 90 - 5 * unit.lost - 10 * unit.captured - zero
    assert all(unit.points is None and unit.points_after is None for unit in enemy.units)
    assert f"{own.points} → {own.points_after}" in answer.content.decode()
