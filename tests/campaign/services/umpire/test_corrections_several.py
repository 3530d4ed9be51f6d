"""Several acts at once: each in the chain and the journal, what they share done once (HR-UMP-31)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.ledger.journal import records_on_course
from campaign.ledger.world_rows import load_recorded_world, snapshot_unpack, world_load
from campaign.models import AuditEntry, DayRecord, JournalEntry, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections as acts
from campaign.rules.world import world_json
from campaign.rules.world.markers import Position
from campaign.rules.world.world import Order
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import ActRefused, acts_perform

pytestmark = pytest.mark.django_db

WHY = "The returns of July came in."


@pytest.fixture
def bulk(saratoga, carleton):
    def done(several, **more) -> list[DayRecord]:
        records = acts_perform(campaign=saratoga, acts=several, reason=WHY, actor=carleton, **more)
        saratoga.refresh_from_db()
        return records

    return done


@pytest.fixture
def losses(world):
    """One point less for each of many units."""
    return [acts.Reinforce(unit.id, -1) for unit in world.units.values() if unit.points > 1]


def test_more_acts_are_not_more_statements_hr_ump_31(bulk, losses):
    asked = []
    for several in (losses[:10], losses[10:50]):
        with CaptureQueriesContext(connection) as queries:
            bulk(several)
        asked.append(len(queries))
    assert asked[1] <= asked[0] < 40


def test_what_an_act_leaves_alone_is_not_written_into_json_again_hr_ump_31(bulk, losses, world, monkeypatch):
    written = []
    units, formations = world_json.unit_to_json, world_json.formation_to_json
    monkeypatch.setattr(world_json, "unit_to_json", lambda row: written.append(row.id) or units(row))
    monkeypatch.setattr(
        world_json, "formation_to_json", lambda row: written.append(row.id) or formations(row)
    )
    bulk(losses[:40])
    # once to see that the rows are those the journal ends with, once for the first record; then each act's
    # unit, and its formation where it had none present
    rows = len(world.units) + len(world.formations)
    assert len(written) <= 2 * rows + 2 * 40


def test_each_has_its_record_its_world_its_entries_and_its_line_in_the_audit_hr_ump_31(
    bulk, losses, world, saratoga, carleton
):
    first = saratoga.head
    noted = AuditEntry.objects.count()
    records = bulk(losses[:25])
    assert [record.parent_id for record in records] == [first.pk, *(record.pk for record in records[:-1])]
    assert [record.ordinal for record in records] == list(range(25))
    assert saratoga.head == records[-1]
    for number in (0, 12, 24):
        then = snapshot_unpack(DayRecord.objects.get(pk=records[number].pk).snapshot, world.theatre)
        lost = {act.unit for act in losses[: number + 1]}
        assert all(then.units[key].points == unit.points - (key in lost) for key, unit in world.units.items())
        entries = JournalEntry.objects.filter(record=records[number]).order_by("ordinal")
        assert [entry.kind for entry in entries] == ["umpire_act", "points_changed"]
        assert entries[1].unit == losses[number].unit and entries[0].day == 0
    assert AuditEntry.objects.count() == noted + 25
    assert AuditEntry.objects.first().what == "umpire's act “reinforce”, after 0 days"
    assert world_load(saratoga) == load_recorded_world(saratoga)
    assert campaign_verify(campaign=saratoga).world_hash == records[-1].world_hash


def test_acts_of_many_kinds_build_on_each_other_hr_ump_31(bulk, saratoga, world):
    records = bulk(
        [
            acts.Rumour("crown", "Arnold “comes” <&> \\ with 3,000 \U0001f341 men."),
            acts.Add("new_1", "New levies", "rebel", "continental", "continental_line", 60, "new_brigade",
                     formation_name="New brigade", place="albany"),
            acts.Rename("unit", "new_1", 'The "New" levies of Québec & <\\ \U0001f341'),
            acts.Rename("formation", "new_brigade", "The newest"),
            acts.Reinforce("new_1", 7),
            acts.CommandFormation("new_brigade", Order("new_brigade", via=("bennington",))),
            acts.CommandFormation("new_brigade", None),
            acts.PlaceFormation("new_brigade", Position(place="valcour_island")),
            acts.SetWeather(3, "storm"),
            acts.Pause(True),
            acts.Pause(False),
        ]
    )  # fmt: skip
    now = world_load(saratoga)
    assert now.units["new_1"].points == 67 and now.units["new_1"].name.startswith('The "New"')
    assert now.formations["new_brigade"].position == Position(place="valcour_island")
    papers = OrderPaper.objects.filter(formation="new_brigade").order_by("version")
    assert [paper.state for paper in papers] == ["replaced", "standing"]
    assert saratoga.paused == "" and now == load_recorded_world(saratoga)
    assert campaign_verify(campaign=saratoga).world_hash == records[-1].world_hash


def test_the_one_that_cannot_be_done_is_numbered_and_nothing_is_written_hr_ump_31(bulk, losses, saratoga):
    kept = (DayRecord, JournalEntry, AuditEntry)
    counts = [model.objects.count() for model in kept]
    with pytest.raises(ActRefused) as refused:
        bulk([*losses[:5], acts.Reinforce(losses[0].unit, -120), *losses[5:8]])
    assert refused.value.number == 5
    assert [model.objects.count() for model in kept] == counts
    assert world_load(saratoga) == load_recorded_world(saratoga)


def test_the_second_click_finds_them_done_in_few_statements_hr_ump_01(bulk, losses, saratoga):
    seen = saratoga.head_id
    records = bulk(losses[:40], seen=seen)
    with CaptureQueriesContext(connection) as queries:
        assert bulk(losses[:40], seen=seen) == records
    assert len(queries) <= 8
    for others in (losses[:39], losses[:41], [*losses[1:40], losses[0]]):
        with pytest.raises(RuleViolation, match="gone on since"):
            bulk(others, seen=seen)


def test_going_back_before_or_into_them_undoes_what_came_after_hr_ump_14(
    bulk, losses, saratoga, carleton, world
):
    first = saratoga.head
    records = bulk(losses[:20])
    for target, lost in ((records[9], 10), (first, 0)):
        campaign_rewind(campaign=saratoga, record=target, reason="Too many.", actor=carleton)
        saratoga.refresh_from_db()
        assert sum(unit.points for unit in world_load(saratoga).units.values()) == (
            sum(unit.points for unit in world.units.values()) - lost
        )
        assert campaign_verify(campaign=saratoga)
    assert DayRecord.objects.filter(records_on_course(saratoga), campaign=saratoga).count() == 2
