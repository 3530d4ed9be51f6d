"""A ruleset of one folder and one line of the registry, in a campaign and on its pages.

What it is: tests/battles/rulesets/example/, which docs/add-a-ruleset.md tells of.
"""

import html
from collections.abc import Iterator

import pytest

from campaign import tasks
from campaign.models import Battle, Campaign, Job
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.odds import odds_ask
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from tests.battles.rulesets.example.line import EXAMPLE, registered
from tests.campaign.reconciled import reckoned

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"


@pytest.fixture(autouse=True)
def example() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def battle(waiting, carleton) -> Battle:
    """A battle that waits, to be fought under the example."""
    return battle_way_choose(
        battle=waiting.battles.get(), way="engine", ruleset=EXAMPLE.id, reason="Tried.", actor=carleton
    )


def text(client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(html.unescape(answer.content.decode()).split())


def test_it_is_offered_where_rules_are_chosen(desk, battle):
    for path in (f"{PAGE}settings/", f"{PAGE}battles/{battle.pk}/way/"):
        page = text(desk, path)
        assert EXAMPLE.title in page and EXAMPLE.about in page


def test_the_rulebook_has_its_rules(desk):
    assert EXAMPLE.title in text(desk, "/rulebook/")
    assert "A die of 6 hits" in text(desk, "/rulebook/EXA-FIR-01/")
    assert "EXA-FIR-01" in text(desk, "/rulebook/?q=EXA-FIR-01")


def test_odds_fight_replay_and_pack_follow(desk, crown, battle, carleton):
    odds = odds_ask(battle=battle, actor=carleton, runs=4)
    tasks.run_job(odds.pk)
    odds.refresh_from_db()
    assert odds.state == "done" and odds.result["ruleset"] == EXAMPLE.id
    assert "4 fights" in text(desk, f"{PAGE}battles/{battle.pk}/")
    assert "a die of" in text(desk, f"{PAGE}battles/{battle.pk}/pack/")
    desk.post(f"{PAGE}battles/{battle.pk}/settle/engine/")
    tasks.run_job(Job.objects.get(kind="battle_settle").pk)
    battle.refresh_from_db()
    assert battle.state == Battle.State.SETTLED and battle.settlement
    assert text(crown, f"{PAGE}battles/{battle.pk}/replay/")
    frames = crown.get(f"{PAGE}battles/{battle.pk}/replay.json").json()
    assert frames["frames"]


def test_a_battle_is_compared_under_it_too(desk, battle):
    desk.post(f"{PAGE}battles/{battle.pk}/comparison/")
    job = Job.objects.get(kind="comparison")
    assert f">{EXAMPLE.title}</h2>" in text(desk, f"/battle-files/{job.pk}/")


@pytest.mark.slow
def test_a_week_under_it_adds_up(meeting):
    Campaign.objects.update(ruleset=EXAMPLE.id, battle_policy="automatic")
    for _ in range(7):
        day_advance(campaign=Campaign.objects.get(), actor=None)
    found = reckoned(Campaign.objects.get())
    assert not found.wrong and found.battles
    verified = campaign_verify(campaign=Campaign.objects.get())
    assert (verified.days, verified.replayed) == (7, 7)
