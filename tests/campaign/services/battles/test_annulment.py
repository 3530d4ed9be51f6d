"""A course not taken: its battles fall away, but not without a word (HR-CAL-14)."""

import pytest

from campaign.fog.visibility import viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, ProvisionalDay, Tenure, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.umpire.battle_corrections import Annul
from campaign.selectors.press.journal import journal_page
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.proof.database import campaign_verify
from campaign.services.seats.changes import seat_open
from campaign.services.turns import days
from campaign.services.turns.days import day_advance
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.umpire.corrections import act_perform
from campaign.text.place_names import names_of

pytestmark = pytest.mark.django_db


def again(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


def settled(battle: Battle) -> None:
    lost = {battle.attacker: 20, battle.defender: 30}
    battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost=lost, actor=None)


@pytest.fixture
def another(waiting) -> Battle:
    """A day has run on beside Hubbardton, and on the next a battle was fought on the table."""
    for _ in range(2):
        day_run_on(campaign=waiting, actor=None)
    first = waiting.battles.get()
    battle = Battle.objects.create(
        campaign=waiting, day=1, contact="d1/hubbardton/1", minute=600, place="hubbardton",
        attacker="crown", defender="rebel",
        inputs={**first.inputs, "contact": {**first.inputs["contact"], "key": "d1/hubbardton/1"}},
    )  # fmt: skip
    settled(battle)
    settled(first)
    battle.refresh_from_db()
    return battle


def test_what_was_fought_on_a_void_course_is_told_and_kept_hr_cal_14(
    waiting, another, carleton, burgoyne, gates, monkeypatch
):
    monkeypatch.setattr(days, "find_day_partition", lambda *args: None)
    lost = [loss for loss in another.settlement["losses"] if loss["sp_lost"]]
    day_advance(campaign=waiting, actor=carleton)
    campaign = again(waiting)
    assert not ProvisionalDay.objects.filter(record=None).exists()
    assert list(campaign.battles.values_list("day", flat=True)) == [0]
    record = DayRecord.objects.filter(kind="act").latest("pk")
    assert (record.pk, record.inputs["act"]["kind"]) == (campaign.head_id, "annul")
    assert len(JournalEntry.objects.get(kind="result_kept").data["losses"]) == len(lost) > 0

    def read(user) -> str:
        page = journal_page(viewer_of(user, campaign), world_load(campaign), names_of(world_load(campaign)))
        return " ".join(line.text for day in page.days for line in (*day.lines, *day.routine))

    for side in (burgoyne, gates):
        assert "falls away" in read(side) and "is kept here" not in read(side)
    assert "is kept here" in read(carleton)
    assert campaign_verify(campaign=campaign).replayed == 1
    day_advance(campaign=campaign, actor=None)
    assert campaign_verify(campaign=again(waiting)).replayed == 2


def test_a_battle_that_does_not_come_about_falls_away_too_hr_cal_14(waiting):
    first = waiting.battles.get()
    other = Battle.objects.create(
        campaign=waiting, day=0, contact="d0/albany/1", minute=900, place="albany",
        attacker="crown", defender="rebel", inputs=first.inputs,
    )  # fmt: skip
    settled(first)
    settled(other)
    (record,) = day_advance(campaign=waiting, actor=None).records
    assert [row["contact"] for row in record.inputs["settlements"]] == [first.contact]
    assert waiting.battles.get() == first
    assert JournalEntry.objects.get(kind="battle_annulled").data["contact"] == "d0/albany/1"
    assert campaign_verify(campaign=again(waiting)).replayed == 1


def test_a_battle_that_has_fallen_away_is_neither_settled_nor_planned_hr_cal_14(waiting, gates):
    """Its page was still open, and its guest has gone with it."""
    first = waiting.battles.get()
    other = Battle.objects.create(
        campaign=waiting, day=0, contact="d0/albany/1", minute=900, place="albany",
        attacker="crown", defender="rebel", inputs=first.inputs,
    )  # fmt: skip
    stark = User.objects.create_user("stark")
    seat_open(campaign=waiting, role="guest", side="rebel", battle=other, user=stark, actor=None)
    settled(first)
    settled(other)
    day_advance(campaign=waiting, actor=None)
    assert not waiting.seats.filter(role="guest").exists()
    assert Tenure.objects.get(user=stark).until_day == 1
    for late in (
        lambda: settled(other),
        lambda: battle_plan_choose(battle=other, side="rebel", plan=None, actor=gates),
    ):
        with pytest.raises(RuleViolation, match="fallen away") as refused:
            late()
        assert refused.value.rule_id == "HR-CAL-14"


def test_a_course_that_is_taken_annuls_nothing_hr_cal_14(waiting):
    day_run_on(campaign=waiting, actor=None)
    settled(waiting.battles.get())
    day_advance(campaign=waiting, actor=None)
    assert waiting.battles.count() == 1
    assert not JournalEntry.objects.filter(rule="HR-CAL-14").exists()


def test_no_hand_annuls_hr_cal_14(saratoga, carleton):
    with pytest.raises(RuleViolation, match="not by hand"):
        act_perform(campaign=saratoga, act=Annul(()), reason="So.", actor=carleton)
    assert "annul" in corrections.KINDS
