"""Replays in the browser's eyes: who may watch, what a side is shown, few queries (HR-BAT-10)."""

import gzip
import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign import tasks
from campaign.models import Battle, BattleReplay, Campaign, DayRecord, Job
from campaign.rules.world.settings import RuleSettings
from campaign.services.battles.replays import replay_ask
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word

PAGE = "/campaigns/saratoga/battles/"
HIDDEN = "Whitcomb's secret reserve"


@pytest.fixture
def fought(battle: Battle) -> Battle:
    """The fight before Ticonderoga, with an enemy in reserve who came up too late to be seen."""
    file = battle.inputs["file"]
    late = {**next(unit for unit in file["units"] if unit["side"] == "rebel")}
    file["units"] = [*file["units"], {**late, "id": "late_rangers", "name": HIDDEN, "arrives": 30}]
    file["turns"] = 6
    battle.save()
    return battle_settle_by_engine(battle=battle, actor=None)


def data(client: Client, battle: Battle) -> str:
    answer = client.get(f"{PAGE}{battle.pk}/replay.json")
    assert answer.status_code == 200
    return answer.content.decode()


def page(client: Client, battle: Battle, query: str = "") -> str:
    answer = client.get(f"{PAGE}{battle.pk}/replay/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_battle_is_watched_by_its_sides_and_the_umpire_hr_bat_10(crown, rebel, desk, stranger, fought):
    for client in (crown, rebel, desk):
        assert "Battle of Ticonderoga" in page(client, fought)
        assert "Watch the battle" in client.get(f"{PAGE}{fought.pk}/").content.decode()
    for address in ("replay/", "replay.json"):
        assert stranger.get(f"{PAGE}{fought.pk}/{address}").status_code == 404
    assert Client().get(f"{PAGE}{fought.pk}/replay/").status_code == 302


def test_an_unseen_enemy_is_in_no_byte_of_a_replay_hr_bat_10(crown, rebel, desk, fought):
    for shown in (data(crown, fought), page(crown, fought)):
        assert "Whitcomb" not in shown and "late_rangers" not in shown
    assert "Whitcomb" in json.loads(data(rebel, fought))["units"][-1]["name"]
    assert "Whitcomb" in data(desk, fought)
    account = crown.get(f"{PAGE}{fought.pk}/").context["account"]
    assert account and not any("Whitcomb" in paragraph for paragraph in account)


def test_no_id_of_a_unit_leaves_with_a_replay_hr_bat_10(crown, rebel, desk, fought):
    ids = [unit["id"] for unit in fought.inputs["file"]["units"]]
    for client in (crown, rebel, desk):
        shown = data(client, fought) + page(client, fought)
        assert not any(f'"{key}"' in shown or f">{key}<" in shown for key in ids)


@pytest.mark.parametrize("way", ["ended", "open"])
def test_all_is_shown_at_the_end_and_without_fog_hr_bat_10(crown, fought, saratoga, way):
    if way == "ended":
        Campaign.objects.filter(pk=saratoga.pk).update(state=Campaign.State.ENDED)
        assert "Whitcomb" not in data(crown, fought), "the end can still be undone (HR-PRF-02)"
        DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    else:
        open_map = RuleSettings.from_json({**saratoga.settings, "fog": "off"})
        Campaign.objects.filter(pk=saratoga.pk).update(settings=open_map.to_json())
    assert "Whitcomb" in data(crown, fought)


def test_without_a_script_all_is_told_page_by_page(crown, fought):
    first = page(crown, fought)
    shown = json.loads(data(crown, fought))
    pages = -(-len(shown["frames"]) // 60)
    told = "".join(page(crown, fought, f"?page={n}") for n in range(1, pages + 1))
    assert told.count('class="event"') == len(shown["frames"])
    assert f"of {pages}" in first
    for query in ("?page=999", "?page=x", "?page=-1"):
        assert 'class="event"' in page(crown, fought, query)


def test_a_replay_takes_few_queries_and_bytes(crown, fought, django_assert_max_num_queries):
    page(crown, fought)
    with django_assert_max_num_queries(15):
        page(crown, fought)
    with django_assert_max_num_queries(6):
        packed = crown.get(f"{PAGE}{fought.pk}/replay.json", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and len(packed.content) < 300_000
    assert json.loads(gzip.decompress(packed.content))["title"] == "Battle of Ticonderoga"


def test_what_people_settled_cannot_be_watched(crown, desk, battle):
    assert crown.get(f"{PAGE}{battle.pk}/replay/").status_code == 404
    battle_settle_by_word(battle=battle, field_held_by="", percent_lost={}, actor=None)
    assert crown.get(f"{PAGE}{battle.pk}/replay/").status_code == 404
    assert crown.get(f"{PAGE}{battle.pk}/replay.json").status_code == 404
    assert "Watch the battle" not in crown.get(f"{PAGE}{battle.pk}/").content.decode()


def test_a_replay_from_before_they_were_kept_is_made_when_asked_for(crown, desk, fought):
    before = BattleReplay.objects.get(battle=fought)
    kept = (bytes(before.data), before.seen, before.accounts)
    before.delete()
    assert "Write the replay" in page(crown, fought)
    for client, told in ((crown, False), (desk, True)):  # what a side saw is known from the replay alone
        assert bool(client.get(f"{PAGE}{fought.pk}/").context["account"]) is told
    assert crown.get(f"{PAGE}{fought.pk}/replay.json").status_code == 404
    asked = crown.post(f"{PAGE}{fought.pk}/replay/ask/", follow=True).content.decode()
    assert "The engine fights the battle again" in asked
    crown.post(f"{PAGE}{fought.pk}/replay/ask/")
    job = Job.objects.get(kind="battle_replay")
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    again = BattleReplay.objects.get(battle=fought)
    assert (bytes(again.data), again.seen, again.accounts) == kept
    assert "data-replay-play" in page(crown, fought)


def test_a_fight_that_comes_out_otherwise_is_not_shown(crown, fought):
    BattleReplay.objects.all().delete()
    fought.settlement["losses"][0]["sp_lost"] += 1
    fought.save()
    job = replay_ask(battle=fought, actor=None)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "failed" and "older engine" in job.error
    assert "older engine" in page(crown, fought) and not BattleReplay.objects.exists()
