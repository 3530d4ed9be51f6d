"""The coming day tried out: other dice, nothing written (HR-UMP-13)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, JournalEntry
from campaign.rules import acts
from campaign.rules.errors import RuleViolation
from campaign.rules.world import Order
from campaign.services.dry_run import dry_run, dry_run_ask
from campaign.services.orders import order_submit
from campaign.services.turns import day_advance
from campaign.services.umpire import act_perform
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
        found = dry_run(saratoga)
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
    fallen = [[die["value"] for die in dry_run(staff_campaign, number)["dice"]] for number in (1, 2, 3, 4, 5)]
    (record,) = day_advance(campaign=staff_campaign, actor=None).records
    entries = JournalEntry.objects.filter(record=record).order_by("pk")
    real = [roll["value"] for entry in entries for roll in entry.rolls]
    assert len({tuple(values) for values in [*fallen, real]}) > 1
    assert dry_run(Campaign.objects.get(pk=staff_campaign.pk), 1)["day"] == 1


def test_a_real_die_counts_there_too_hr_ump_12(saratoga, carleton):
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
        saratoga.refresh_from_db()
    usual = {(die["rule"], die["subject"]): die for die in dry_run(saratoga)["dice"]}
    wind = usual["HR-WEA-02", "theatre"]
    value = wind["value"] % wind["sides"] + 1
    die = acts.EnterDie("HR-WEA-02", "theatre", wind["index"], value, wind["sides"])
    act_perform(campaign=saratoga, act=die, reason="Ours.", actor=carleton)
    saratoga.refresh_from_db()
    (entered,) = [each for each in dry_run(saratoga)["dice"] if each["entered"]]
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


def test_a_die_with_too_many_faces_is_said_at_once_hr_ump_12(saratoga, carleton):
    act = acts.EnterDie("HR-WEA-02", "theatre", 0, 9, 10)
    act_perform(campaign=saratoga, act=act, reason="By hand.", actor=carleton)
    job = dry_run_ask(campaign=saratoga, actor=carleton)
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("failed", 1)
    assert "must be 1 to 6" in job.error
