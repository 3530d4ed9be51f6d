"""The coming day tried out: other dice, nothing written (HR-UMP-13)."""

from collections import Counter
from dataclasses import asdict

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.rulesets import registry
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import Battle, Campaign, JournalEntry
from campaign.rules.day.dice_catalogue import verify_throw
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import to_canonical_json
from campaign.scenarios.theatres import theatre_load
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.day_preview import dry_run_ask, dry_run_play
from campaign.services.turns.days import day_advance
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.umpire.corrections import act_perform
from campaign.tasks import run_job

pytestmark = pytest.mark.django_db


def test_the_day_is_tried_out_and_nothing_written_hr_ump_13(saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("valcour_island",)), actor=burgoyne
    )
    head = saratoga.head_id
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = dry_run_play(saratoga)
    assert not [query for query in queries if query["sql"].split()[0] in ("INSERT", "UPDATE", "DELETE")]
    (move,) = [row for row in found["moves"] if row["formation"] == "advanced_corps"]
    assert move["from"]["place"] == "cumberland_head"
    assert Campaign.objects.get(pk=saratoga.pk).head_id == head
    (record,) = day_advance(campaign=saratoga, actor=None).records
    thrown = {
        (roll["address"], roll["value"])
        for entry in JournalEntry.objects.filter(record=record)
        for roll in entry.rolls
    }
    assert len(found["dice"]) == len(thrown) > 0


def test_its_dice_are_not_those_of_the_day_and_others_each_time_hr_ump_13(staff_campaign):
    fallen = [
        [die["value"] for die in dry_run_play(staff_campaign, number)["dice"]] for number in (1, 2, 3, 4, 5)
    ]
    (record,) = day_advance(campaign=staff_campaign, actor=None).records
    entries = JournalEntry.objects.filter(record=record).order_by("pk")
    real = [roll["value"] for entry in entries for roll in entry.rolls]
    assert len({tuple(values) for values in [*fallen, real]}) > 1
    assert dry_run_play(Campaign.objects.get(pk=staff_campaign.pk), 1)["day"] == 1


def test_a_real_die_counts_there_too_hr_ump_12(saratoga, carleton):
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
        saratoga.refresh_from_db()
    usual = {(die["rule"], die["subject"]): die for die in dry_run_play(saratoga)["dice"]}
    wind = usual["HR-WEA-02", "theatre"]
    value = wind["value"] % wind["sides"] + 1
    die = corrections.EnterDie("HR-WEA-02", "theatre", wind["index"], value, wind["sides"])
    act_perform(campaign=saratoga, act=die, reason="Ours.", actor=carleton)
    saratoga.refresh_from_db()
    (entered,) = [each for each in dry_run_play(saratoga)["dice"] if each["entered"]]
    assert (entered["rule"], entered["subject"], entered["value"]) == ("HR-WEA-02", "theatre", value)


def test_it_is_a_job_and_one_at_a_time_hr_ump_13(saratoga, carleton, monkeypatch):
    job = dry_run_ask(campaign=saratoga, actor=carleton)
    assert dry_run_ask(campaign=saratoga, actor=carleton) == job
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["day"]) == ("done", 0)
    assert dry_run_ask(campaign=saratoga, actor=carleton).payload["number"] == 2


def test_a_campaign_that_has_ended_has_no_day_to_try_hr_cal_02(saratoga, carleton):
    saratoga.state = Campaign.State.ENDED
    saratoga.save()
    with pytest.raises(RuleViolation, match="no day left"):
        dry_run_ask(campaign=saratoga, actor=carleton)


def test_every_die_tried_out_can_be_entered_hr_ump_12(staff_campaign):
    for number in range(7):
        world = world_load(staff_campaign)
        for die in dry_run_play(staff_campaign, number)["dice"]:
            verify_throw(
                world, corrections.EnterDie(die["rule"], die["subject"], die["index"], 1, die["sides"])
            )
        day_advance(campaign=staff_campaign, actor=None)
        staff_campaign.refresh_from_db()
    assert staff_campaign.day == 7


def test_a_die_with_too_many_faces_is_said_at_once_hr_ump_12(saratoga, carleton, monkeypatch):
    monkeypatch.setattr("campaign.services.umpire.corrections.verify_throw", lambda world, act: None)
    act = corrections.EnterDie("HR-WEA-02", "theatre", 0, 9, 10)
    act_perform(campaign=saratoga, act=act, reason="By hand.", actor=carleton)
    job = dry_run_ask(campaign=saratoga, actor=carleton)
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("failed", 1)
    assert "must be 1 to 6" in job.error


# --- of a day that has begun ---


def settled_by_word(campaign: Campaign) -> None:
    for battle in campaign.battles.filter(state=Battle.State.WAITING):
        lost = {battle.attacker: 20, battle.defender: 30}
        battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost=lost, actor=None)


@pytest.mark.parametrize("ran_on", [False, True])
def test_a_settled_battle_counts_as_it_was_settled_hr_ump_13(waiting, ran_on):
    if ran_on:
        day_run_on(campaign=waiting, actor=None)
    settled_by_word(waiting)
    tried = [dry_run_play(Campaign.objects.get(pk=waiting.pk), number) for number in range(1, 5)]
    battle = waiting.battles.get()
    (record,) = day_advance(campaign=Campaign.objects.get(pk=waiting.pk), actor=None).records
    for found in tried:
        (shown,) = found["battles"]
        assert (shown["settled"], shown["held_by"]) == (True, battle.attacker)
        sides = {unit["id"]: unit["side"] for unit in battle.inputs["file"]["units"]}
        lost = Counter()
        for loss in battle.settlement["losses"]:
            lost[sides[loss["unit"]]] += loss["sp_lost"] + loss["sp_captured"]
        assert shown["lost"] == dict(lost)
    weather = JournalEntry.objects.get(record=record, kind="weather").data["weather"]
    assert {found["weather"] for found in tried} == {weather}
    assert all(not die["entered"] for found in tried for die in found["dice"])


def test_the_parts_of_a_day_that_ran_on_are_tried_out_as_they_were_told_hr_ump_13(waiting):
    row = day_run_on(campaign=waiting, actor=None)
    ran = world_of(row)
    found = dry_run_play(Campaign.objects.get(pk=waiting.pk))
    moves = {move["formation"]: move["to"] for move in found["moves"]}
    assert moves["british_2nd_brigade"]["route"] == ran.formations["british_2nd_brigade"].position.route
    assert moves["british_2nd_brigade"]["yards"] == ran.formations["british_2nd_brigade"].position.yards
    (shown,) = found["battles"]  # nobody has settled it: here the engine does
    assert "settled" not in shown
    thrown = {roll["address"] for event in row.events for roll in event["rolls"]}
    known = {tuple(address.split("/", 3)[3].rsplit("/", 1)) for address in thrown}
    assert not known & {(f"{die['rule']}/{die['subject']}", str(die["index"])) for die in found["dice"]}


def lost(general: str) -> dict[str, str]:
    return {"general": general, "name": "Fraser", "side": "crown", "fate": "killed"}


def world_of(row):
    return snapshot_unpack(bytes(row.snapshot), theatre_load(row.campaign))


def test_a_battle_tried_out_is_led_by_who_is_there_hr_bat_07(waiting, monkeypatch):
    """It is the file the battle itself was opened with; who was lost earlier that day leads nobody."""
    files = []

    def heard(file, seed):
        files.append(to_canonical_json(asdict(file)))
        return fight(file, seed)

    fight = registry.fight_battle
    monkeypatch.setattr(registry, "fight_battle", heard)
    dry_run_play(waiting)
    battle = waiting.battles.get()
    assert files == [to_canonical_json(battle.inputs["file"])]
    general = battle.inputs["file"]["leaders"][0]["id"]
    earlier = {"contact": "d0/x/1", "field_held_by": "", "losses": [], "generals": [lost(general)]}
    Battle.objects.create(
        campaign=waiting, day=0, contact="d0/x/1", minute=300, attacker="crown", defender="rebel",
        inputs={}, state=Battle.State.SETTLED, settlement=earlier,
    )  # fmt: skip
    dry_run_play(waiting)
    assert f'"{general}"'.encode() not in files[1]
