"""Whatever is told as record is vouched for by the chain: altered in the database, verification names it."""

import zlib
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from campaign.ledger.hash_chain import OF_COURSE
from campaign.ledger.row_digests import NOT_IN_ARCHIVES, TABLES
from campaign.models import (
    Battle,
    BattleEntry,
    BattlePhoto,
    BattleReplay,
    Bulletin,
    Campaign,
    DayRecord,
    Letter,
    Notice,
    OrderPaper,
    ProvisionalDay,
    RowDigest,
    Seat,
    Tenure,
    User,
)
from campaign.rules.umpire import corrections
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.dispatches import letter_send
from campaign.services.notifications.notifications import notice_text
from campaign.services.press.bulletins import bulletin_letter, bulletins_publish
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified, Verified
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

MID_WEEK = Path(__file__).parents[3] / "golden" / "archives" / "schema-2-rules-5-mid-week.zip"

MODELS = {
    "papers": OrderPaper,
    "battles": Battle,
    "replays": BattleReplay,
    "entries": BattleEntry,
    "photos": BattlePhoto,
    "bulletins": Bulletin,
    "tenures": Tenure,
    "letters": Letter,
    "provisional": ProvisionalDay,
}


@pytest.fixture
def begun(monkeypatch) -> Campaign:
    """A campaign of the last release in mid-week, for whose rows no record vouches; nothing is replayed."""
    monkeypatch.setattr(
        "campaign.services.proof.verifier.versions_now", lambda ruleset: {"campaign_rules": "others"}
    )
    campaign = campaign_import(path=MID_WEEK).campaign
    for role, side in ((Seat.Role.UMPIRE, ""), (Seat.Role.COMMANDER, "crown")):
        user = User.objects.create_user(f"{role} {side}".strip())
        Seat.objects.filter(campaign=campaign, role=role, side=side).update(user=user)
    settled = Battle.objects.filter(campaign=campaign, state=Battle.State.SETTLED).first()
    BattleReplay.objects.create(battle=settled, data=b"as it was", seen={"crown": {"a": 1}}, accounts={})
    BattleEntry.objects.create(battle=settled, side="crown", user=user, state="entered", body={"notes": "x"})
    BattlePhoto.objects.create(battle=settled, side="crown", user=user, image=b"jpeg", caption="At noon")
    Tenure.objects.create(
        campaign=campaign, user=user, role="umpire", name="Carleton", from_day=1, until_day=4
    )
    Battle.objects.filter(pk=settled.pk).update(settled_by=user)
    OrderPaper.objects.filter(campaign=campaign, side="crown").update(submitted_by=user)
    umpire = Seat.objects.get(campaign=campaign, role=Seat.Role.UMPIRE)
    letter_send(campaign=campaign, author=user, to=[umpire.pk], text="Where is Howe?", subject="South")
    return campaign


@pytest.fixture
def recorded(begun) -> Campaign:
    """The same a day and an act later: everything is vouched for."""
    umpire = User.objects.get(username="umpire")
    for battle in Battle.objects.filter(campaign=begun, state=Battle.State.WAITING):
        lost = {battle.attacker: 20, battle.defender: 10}
        battle_settle_by_word(battle=battle, field_held_by="", percent_lost=lost, actor=umpire)
    day_advance(campaign=begun, actor=umpire)
    act_perform(campaign=begun, act=corrections.Rumour("crown", "Howe sails."), reason="x", actor=umpire)
    begun.refresh_from_db()
    return begun


def another(row: object, field: str) -> object:
    """A value the field does not have."""
    value = getattr(row, field)
    if field == "snapshot":
        return zlib.compress(b"{}")
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1000
    if isinstance(value, str):
        return f"{value[:8]}x"
    if isinstance(value, bytes | memoryview):
        return bytes(value) + b"x"
    if hasattr(value, "isoformat"):
        return value + timedelta(hours=1)
    if isinstance(value, list):
        return value[:-1] or [{"number": 1, "back": "forged"} if field == "adjusted" else "forged"]
    return {**(value or {}), "forged": True}


#: How else an altered field is named: what the row is called has changed, or the battle is not to be read.
OTHERWISE = (
    "is missing",
    "was put in after",
    "result stored for a battle",
    "cannot be read",
    "than the journal says",
    "fought with other dice",
)


def found_in(campaign: Campaign) -> str:
    """What verification says is wrong."""
    with pytest.raises(NotVerified) as caught:
        campaign_verify(campaign=campaign)
    return str(caught.value)


def test_hr_prf_03_each_field_of_each_recorded_table_is_covered(recorded):
    stranger = User.objects.create_user("stranger")
    honest = campaign_verify(campaign=recorded)
    assert (honest.head, honest.uncovered) == (recorded.head.record_hash, honest.days - 1)
    passed = []
    for name, model in MODELS.items():
        table = TABLES[name]
        [first, *_] = RowDigest.objects.filter(campaign=recorded, table=name)
        for field in (*table.fields, *([table.person] if table.person else [])):
            row = model.objects.get(pk=first.row)
            with transaction.atomic():
                words = field.replace("_", " ")
                if field == "copies":
                    row.copies.update(title="Somebody else")
                elif field == table.person:
                    model.objects.filter(pk=row.pk).update(**{field: stranger})
                elif name == "battles" and field == "prediction" and row.prediction is None:
                    transaction.set_rollback(True)
                    continue  # odds may be worked out afterwards
                else:
                    model.objects.filter(pk=row.pk).update(**{field: another(row, field)})
                said = found_in(recorded)
                if not any(sign in said for sign in (f"another {words} than", *OTHERWISE)):
                    passed.append(f"{name}.{field}: {said}")
                transaction.set_rollback(True)
    assert passed == []


@pytest.mark.parametrize(
    ("name", "state", "was"),
    [
        ("battles", "waiting", "settled"),
        ("battles", "abandoned", "settled"),
        ("bulletins", "draft", "published"),
    ],
)
def test_hr_prf_03_a_recorded_battle_stays_settled_and_a_bulletin_published(
    recorded, tmp_path: Path, name: str, state: str, was: str
):
    [first, *_] = RowDigest.objects.filter(campaign=recorded, table=name)
    MODELS[name].objects.filter(pk=first.row).update(state=state)
    sentence = f"{first.key} is “{state}”, but was {was} when it was recorded."
    assert found_in(recorded).endswith(sentence)
    campaign_export(campaign=recorded, path=tmp_path / "war.zip", with_secret=True)
    with pytest.raises(NotVerified, match=r"when it was recorded|is missing"):
        archive_verify(archive_open(tmp_path / "war.zip"))


@pytest.mark.parametrize("field", ["created_at", "actor"])
def test_hr_prf_03_a_record_has_the_moment_and_author_it_was_written_with(recorded, field):
    stranger = User.objects.create_user("stranger")
    value = stranger if field == "actor" else timezone.now()
    DayRecord.objects.filter(pk=recorded.records.order_by("-pk")[1].pk).update(**{field: value})
    assert f"The record has another {field.replace('_', ' ')} than was recorded." in found_in(recorded)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ruleset_options", {"awi": {"figures": "6"}}), ("ruleset", "vb_wing"),
        ("battle_policy", "automatic"), ("table_units", 7), ("title", "Another war"),
    ],
)  # fmt: skip
def test_hr_prf_03_a_campaign_is_conducted_as_its_last_record_says(recorded, field, value):
    Campaign.objects.filter(pk=recorded.pk).update(**{field: value})
    recorded.refresh_from_db()
    assert f"The record has another {field.replace('_', ' ')} than was recorded." in found_in(recorded)


def test_hr_prf_03_rows_taken_out_or_put_in_are_named(recorded):
    for name, model in MODELS.items():
        with transaction.atomic():
            model.objects.filter(pk=RowDigest.objects.filter(table=name).first().row).delete()
            said = found_in(recorded)
            assert "is missing" in said or "result stored for a battle" in said, name
            transaction.set_rollback(True)
    paper = OrderPaper.objects.filter(campaign=recorded, state=OrderPaper.State.CARRIED_OUT).first()
    paper.pk, paper.version, paper.number = None, 90, 900
    paper.save()
    assert f"/{paper.formation}/90 was put in after its day was recorded" in found_in(recorded)


def test_hr_prf_03_digests_altered_or_taken_out_are_found(recorded):
    row = RowDigest.objects.filter(campaign=recorded, table="papers").first()
    with transaction.atomic():
        RowDigest.objects.filter(pk=row.pk).update(digests={**row.digests, "body": "0" * 32})
        assert "The digests of what was recorded are not those the chain vouches for." in found_in(recorded)
        transaction.set_rollback(True)
    row.delete()
    assert "The digests of what was recorded are not those the chain vouches for." in found_in(recorded)


def test_hr_prf_03_an_author_who_is_gone_is_said_and_no_fault(recorded):
    before = campaign_verify(campaign=recorded)
    OrderPaper.objects.filter(campaign=recorded, submitted_by__isnull=False).update(submitted_by=None)
    after = campaign_verify(campaign=recorded)
    assert after.unnamed > 0 and after.rows == before.rows


def test_hr_prf_03_what_was_recorded_before_is_said_to_be_so(begun, capsys):
    """A campaign of an older release verifies; with its next day everything it holds is vouched for."""
    before = campaign_verify(campaign=begun)
    assert (before.rows, before.uncovered) == (0, before.days) and before.days > 7
    call_command("verifycampaign", begun.slug)
    said = capsys.readouterr().out
    assert f"{before.days} of the days were recorded before this was covered." in said
    assert said.strip().endswith(f"Head: {begun.head.record_hash}")
    Bulletin.objects.filter(campaign=begun, side="").update(foreword="Written anew.")
    assert campaign_verify(campaign=begun).rows == 0


def test_hr_prf_03_a_cut_is_noticed_by_the_hash_that_was_printed(begun):
    """The last steps are taken away and the campaign stands where they began: the bulletin knows of them."""
    umpire = User.objects.get(username="umpire")
    Bulletin.objects.filter(campaign=begun).delete()
    act_perform(campaign=begun, act=corrections.Pause(True), reason="The table is taken.", actor=umpire)
    begun.refresh_from_db()
    bulletins_publish(campaign=begun, week=1, actor=umpire)
    printed = begun.head.record_hash
    assert {row.body["record_hash"] for row in Bulletin.objects.filter(campaign=begun)} == {printed}
    notice = Notice.objects.filter(kind=Notice.Kind.BULLETIN, subject__startswith="out").first()
    assert notice_text(notice)[1].endswith(f"Last hash of the chain: {printed}.")
    assert all(printed in body for body in bulletin_letter(notice)[1:])
    assert campaign_verify(campaign=begun).head == printed
    cut = begun.head
    Campaign.objects.filter(pk=begun.pk).update(head=cut.parent_id)
    DayRecord.objects.filter(pk=cut.pk).delete()
    begun.refresh_from_db()
    assert f"prints the hash {printed}, which is not in the chain" in found_in(begun)
    Bulletin.objects.filter(campaign=begun).delete()  # then only who kept the notification can tell
    campaign_verify(campaign=begun)
    with pytest.raises(CommandError, match="is not in the chain"):
        call_command("verifycampaign", begun.slug, head=printed)
    call_command("verifycampaign", begun.slug, head=begun.head.record_hash)


def test_hr_prf_03_an_archive_carries_the_digests_and_is_verified_by_them(recorded, tmp_path: Path):
    path = tmp_path / "war.zip"
    campaign_export(campaign=recorded, path=path, with_secret=True)
    there: Verified = archive_verify(archive_open(path))
    digests = RowDigest.objects.filter(campaign=recorded)
    carried = digests.filter(table__in=("papers", "battles", "bulletins", "provisional")).count()
    others = digests.exclude(table__in=("record", *OF_COURSE)).count() - carried
    assert (there.rows, there.elsewhere) == (carried, others)
    assert there.head == recorded.head.record_hash
    Campaign.objects.filter(pk=recorded.pk).update(slug="elsewhere")
    done = campaign_import(path=path, slug="again")
    digests = RowDigest.objects.filter(campaign=done.campaign, table="papers")
    assert digests.exists() and not digests.filter(row=None).exists()


@pytest.mark.parametrize("name", sorted(MODELS))
def test_hr_prf_03_no_row_is_passed_off_as_never_brought_in(recorded, name):
    """Its digest says that it did not come with an archive, and the row is gone."""
    digest = RowDigest.objects.filter(campaign=recorded, table=name).first()
    MODELS[name].objects.filter(pk=digest.row).delete()
    RowDigest.objects.filter(pk=digest.pk).update(row=None)
    said = found_in(recorded)
    assert "is missing" in said or "Rows are missing that were there" in said or "result stored for" in said


def test_hr_prf_03_an_imported_campaign_holds_what_it_did_not_bring_and_no_less(recorded, tmp_path, capsys):
    """Its replays, entered results and letters are elsewhere; those it has since are as good as any."""
    campaign_export(campaign=recorded, path=tmp_path / "war.zip", with_secret=True)
    Campaign.objects.filter(pk=recorded.pk).update(slug="elsewhere")
    again = campaign_import(path=tmp_path / "war.zip", slug="again").campaign
    elsewhere = campaign_verify(campaign=again).elsewhere
    there = RowDigest.objects.filter(campaign=again, row=None).exclude(table__in=("record", *OF_COURSE))
    assert elsewhere == there.count() > 2
    call_command("verifycampaign", "again")
    assert f"{elsewhere} rows are covered and did not come with the archive" in capsys.readouterr().out

    umpire = User.objects.get(username="umpire")
    crown = User.objects.get(username="commander crown")
    for role, side, user in ((Seat.Role.UMPIRE, "", umpire), (Seat.Role.COMMANDER, "crown", crown)):
        Seat.objects.filter(campaign=again, role=role, side=side).update(user=user)
    seat = Seat.objects.get(campaign=again, role=Seat.Role.UMPIRE)
    letter, _ = (
        letter_send(campaign=again, author=crown, to=[seat.pk], text=text, subject="South")
        for text in ("Where is Howe?", "Still no word of Howe.")
    )
    act_perform(campaign=again, act=corrections.Rumour("crown", "Howe sails."), reason="x", actor=umpire)
    again.refresh_from_db()
    assert campaign_verify(campaign=again).elsewhere == elsewhere
    digest = RowDigest.objects.get(campaign=again, table="letters", row=letter.pk)
    Letter.objects.filter(pk=letter.pk).delete()
    RowDigest.objects.filter(pk=digest.pk).update(row=None)
    assert "Rows are missing that were there" in found_in(again)


def passed_off(campaign: Campaign) -> None:
    """All of a campaign that archives do not hold is taken out, and its digests say it never came."""
    for model in (BattleReplay, BattleEntry):
        model.objects.filter(battle__campaign=campaign).delete()
    Letter.objects.filter(campaign=campaign).delete()
    digests = RowDigest.objects.filter(campaign=campaign, table__in=NOT_IN_ARCHIVES)
    assert digests.update(row=None) > 0


def test_hr_prf_03_all_such_rows_of_a_campaign_taken_out_at_once_are_missed(recorded):
    """Imported once, it has been played on since: its head came with no archive."""
    assert campaign_verify(campaign=recorded).elsewhere == 0
    passed_off(recorded)
    assert "Rows are missing that were there" in found_in(recorded)


def test_hr_prf_03_a_campaign_that_was_never_imported_has_nothing_elsewhere(saratoga, carleton):
    seat = Seat.objects.filter(campaign=saratoga, role=Seat.Role.COMMANDER, user__isnull=False).first()
    letter_send(campaign=saratoga, author=carleton, to=[seat.pk], text="Where is Howe?", subject="South")
    act_perform(campaign=saratoga, act=corrections.Rumour("crown", "Howe sails."), reason="x", actor=carleton)
    saratoga.refresh_from_db()
    assert campaign_verify(campaign=saratoga).rows == 1
    passed_off(saratoga)
    assert "Rows are missing that were there" in found_in(saratoga)


def test_hr_prf_03_which_head_came_with_an_archive_is_vouched_for_by_the_next_record(recorded):
    imported = recorded.imported_head
    assert DayRecord.objects.get(campaign=recorded, record_hash=imported).pk < recorded.head.parent_id
    Campaign.objects.filter(pk=recorded.pk).update(imported_head="")
    recorded.refresh_from_db()
    assert "The record has another imported head than was recorded." in found_in(recorded)
