"""verifycampaign: passes an honest campaign, names the first day of a forged one."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.ledger.hash_chain import (
    build_commitments,
    build_public_header,
    compute_digest,
    events_hash,
    record_hash,
    record_salt,
)
from campaign.ledger.journal import event_from_entry
from campaign.ledger.versions import versions_now
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, RowDigest
from campaign.services.archive.export import campaign_export
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.proof.battles import same_settlement
from campaign.services.proof.database import NotVerified, campaign_verify
from campaign.services.turns.days import day_advance
from rosters.models import Unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(staff_campaign) -> Campaign:
    for _ in range(8):
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    return staff_campaign


def test_an_honest_campaign_verifies(played):
    verified = campaign_verify(campaign=played)
    assert (verified.days, verified.replayed) == (8, 8)
    out = io.StringIO()
    call_command("verifycampaign", played.slug, stdout=out)
    assert out.getvalue().startswith("8 days verified")


def test_a_changed_die_is_found(played):
    entry = JournalEntry.objects.filter(campaign=played, record__kind="week").exclude(rolls=[]).first()
    entry.rolls[0]["value"] = entry.rolls[0]["value"] % 6 + 1
    entry.save()
    with pytest.raises(NotVerified, match="journal of day 7") as caught:
        campaign_verify(campaign=played)
    assert caught.value.day == 7


def test_changed_points_are_found_and_the_command_exits_1(played):
    unit = Unit.objects.filter(order_of_battle=played.order_of_battle, points__gt=20).first()
    Unit.objects.filter(pk=unit.pk).update(points=unit.points - 1)
    with pytest.raises(CommandError) as caught:
        call_command("verifycampaign", played.slug)
    assert caught.value.returncode == 1


def test_a_removed_entry_is_found(played):
    JournalEntry.objects.filter(campaign=played, day=3).first().delete()
    with pytest.raises(NotVerified, match="journal of day 4"):
        campaign_verify(campaign=played)


def test_changed_orders_break_the_chain(played):
    record = DayRecord.objects.get(campaign=played, day=2, kind="day")
    record.inputs = json.loads(json.dumps(record.inputs).replace("normal", "double")) | {"more": 1}
    record.save()
    with pytest.raises(NotVerified, match="Day 2 does not follow"):
        campaign_verify(campaign=played)


def test_another_secret_is_found(played):
    Campaign.objects.filter(pk=played.pk).update(secret=b"y" * 32)
    played.refresh_from_db()
    with pytest.raises(NotVerified, match="published"):
        campaign_verify(campaign=played)


def rehashed(record: DayRecord, parent: str) -> None:
    """A record's hashes made to fit its entries, as somebody who knows the secret could."""
    campaign = record.campaign
    salt = record_salt(
        bytes(campaign.secret), campaign.commitment, record.revision, record.day, record.kind, record.ordinal
    )
    record.commitments = build_commitments(
        salt,
        inputs=record.inputs,
        reason=record.reason,
        events=[event_from_entry(entry) for entry in record.entries.order_by("ordinal")],
        world=record.world_hash,
        sides=["crown", "rebel"],
    )
    record.events_hash = record.commitments["journal"][""]
    names = ("kind", "revision", "day", "ordinal", "dice_revision", "versions", "commitments")
    record.record_hash = compute_digest(
        build_public_header(parent=parent, **{name: getattr(record, name) for name in names})
    )
    record.save()


def rechained(campaign: Campaign, record: DayRecord) -> None:
    """What a forger would do: hash journal and chain again from `record` on."""
    parent = record.parent.record_hash
    for later in campaign.records.filter(pk__gte=record.pk).order_by("pk"):
        rehashed(later, parent)
        parent = later.record_hash


def test_a_forged_die_is_found_even_when_the_chain_is_made_to_fit(played, monkeypatch):
    """And even on a day whose rules are no longer installed, so that it is not played again."""
    monkeypatch.setattr("campaign.services.proof.verifier.versions_now", lambda ruleset: {"rules": 99})
    entry = JournalEntry.objects.filter(campaign=played, record__kind="week").exclude(rolls=[]).first()
    entry.rolls[0]["value"] = entry.rolls[0]["value"] % 6 + 1
    entry.save()
    rechained(played, entry.record)
    with pytest.raises(NotVerified, match="did not fall as journaled"):
        campaign_verify(campaign=played)


@pytest.mark.parametrize(("field", "words"), [("dice_revision", "The dice are of"), ("revision", "It is of")])
def test_hr_prf_01_dice_of_another_revision_are_no_choice_of_the_database(
    saratoga, tmp_path: Path, field: str, words: str
):
    """A day played between two changes by SQL is a whole day with sound hashes, but no act allows it."""
    for value in (1, 1, 7, 1):
        Campaign.objects.filter(pk=saratoga.pk).update(**{field: value})
        saratoga.refresh_from_db()
        day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    sentence = f"Day 3: {words} revision 7"
    with pytest.raises(NotVerified, match=sentence) as caught:
        campaign_verify(campaign=saratoga)
    assert caught.value.day == 3
    campaign_export(campaign=saratoga, path=tmp_path / "it.zip", with_secret=True)
    with pytest.raises(NotVerified, match=sentence):
        archive_verify(archive_open(tmp_path / "it.zip"))


def test_hr_prf_01_a_battle_is_fought_with_the_dice_of_its_course(staff_campaign, monkeypatch):
    """They are changed before the day is played, so that its record vouches for the changed ones."""
    made = Battle.objects.get_or_create

    def fished(**given):
        given["defaults"]["dice_revision"] = 7
        return made(**given)

    monkeypatch.setattr(Battle.objects, "get_or_create", fished)
    while not Battle.objects.filter(campaign=staff_campaign).exists():
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert Battle.objects.get().dice_revision == 7
    with pytest.raises(NotVerified, match="was fought with other dice than those of its day"):
        campaign_verify(campaign=staff_campaign)


def test_an_entry_moved_to_another_day_is_found(played):
    JournalEntry.objects.filter(campaign=played, day=3).update(day=2)
    with pytest.raises(NotVerified, match="journal of day 4"):
        campaign_verify(campaign=played)


def test_a_battle_row_altered_after_its_day_is_found(staff_campaign):
    while not Battle.objects.filter(campaign=staff_campaign).exists():
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert campaign_verify(campaign=staff_campaign).days == staff_campaign.day
    battle = Battle.objects.get()
    battle.settlement["minutes"] += 10
    battle.save()
    with pytest.raises(NotVerified, match="has another settlement than was recorded"):
        campaign_verify(campaign=staff_campaign)


@pytest.mark.parametrize("changed", ["ruleset_version", "engine_version"])
def test_battles_of_another_engine_are_not_fought_again(staff_campaign, monkeypatch, changed):
    """A campaign recorded with version 1 of the tactical rules is verified by its chain under version 2."""
    while not Battle.objects.filter(campaign=staff_campaign).exists():
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    newer = {**versions_now("awi"), changed: "of another day"}
    assert changed in versions_now("awi")
    monkeypatch.setattr("campaign.services.proof.verifier.versions_now", lambda ruleset: newer)

    def fight(file: dict, contact: str, dice: object) -> None:
        raise AssertionError(f"{contact} was fought again by an engine it was not fought with.")

    monkeypatch.setattr("campaign.services.proof.battles.engine_fight", fight)
    verified = campaign_verify(campaign=staff_campaign)
    assert (verified.days, verified.replayed) == (staff_campaign.day, 0)


def test_a_settlement_stored_before_generals_were_told_is_thesame_settlement():
    now = {"contact": "d0/x/1", "field_held_by": "", "losses": [], "source": "table", "minutes": 60}
    fraser = {"general": "fraser", "name": "Simon Fraser", "side": "crown", "fate": "killed"}
    assert same_settlement(now, {**now, "generals": []}) and same_settlement({**now, "generals": []}, now)
    assert not same_settlement(now, {**now, "generals": [fraser]})
    assert not same_settlement(now, {**now, "minutes": 70})


def test_days_of_other_rules_count_as_recorded(played):
    """Their chain is checked, but they are not played again with rules they did not have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("campaign.services.proof.verifier.versions_now", lambda ruleset: {"campaign_rules": 99})
        verified = campaign_verify(campaign=played)
    assert (verified.days, verified.replayed) == (8, 0)


def as_before_salts(campaign: Campaign) -> None:
    """The chain as the first version wrote it: plain hashes of inputs, events and world."""
    parent = campaign.commitment
    for record in campaign.records.order_by("pk"):
        record.commitments = {}
        record.events_hash = events_hash(
            event_from_entry(entry) for entry in record.entries.order_by("ordinal")
        )
        parent = record.record_hash = record_hash(
            parent=parent, kind=record.kind, revision=record.revision, day=record.day, inputs=record.inputs,
            events=record.events_hash, world=record.world_hash, versions=record.versions,
        )  # fmt: skip
        record.save()
    RowDigest.objects.filter(campaign=campaign).delete()


def test_hr_prf_01_records_of_before_the_salts_still_verify_and_new_days_follow_them(played):
    as_before_salts(played)
    day_advance(campaign=played, actor=None)
    played.refresh_from_db()
    assert campaign_verify(campaign=played).replayed == 9
    JournalEntry.objects.filter(campaign=played, day=3).first().delete()
    with pytest.raises(NotVerified, match="journal of day 4"):
        campaign_verify(campaign=played)


def test_hr_prf_01_whom_an_entry_was_told_to_is_vouched_for(played):
    entry = JournalEntry.objects.filter(campaign=played, sides="|crown|", day=3).first()
    JournalEntry.objects.filter(pk=entry.pk).update(sides="|crown|rebel|")
    with pytest.raises(NotVerified, match="journal of day 4"):
        campaign_verify(campaign=played)
