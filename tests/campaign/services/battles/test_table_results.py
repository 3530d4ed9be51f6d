"""Results of the table: entered by the sides, amended, confirmed by the umpire, carried over (HR-TAB)."""

import pytest

from campaign.models import Battle, BattleEntry, Seat, User
from campaign.rules.battles.table_results import NEITHER, Entry, UnitResult
from campaign.rules.errors import RuleViolation
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.battles.recurrence import entries_carry
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.battles.table_results import (
    EntryChanged,
    battle_confirm,
    battle_entry_save,
    list_entry_versions,
)

State = BattleEntry.State


@pytest.fixture
def crown_unit(battle) -> str:
    return next(unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown")


def entry(lost: int, unit: str, **more: str) -> Entry:
    return Entry({unit: UnitResult(lost)}, held_by="crown", **more)


def saved(battle, side="crown") -> BattleEntry | None:
    return battle.entries.filter(side=side).first()


def test_a_draft_is_kept_and_then_entered(battle, burgoyne, crown_unit):
    kept = battle_entry_save(
        battle=battle, side="crown", entry=Entry({crown_unit: UnitResult(1)}), version=0, actor=burgoyne
    )
    assert (kept.state, kept.version, kept.body) == (State.DRAFT, 1, {"units": {crown_unit: {"lost": 1}}})
    done = battle_entry_save(
        entered=True, battle=battle, side="crown", entry=entry(2, crown_unit), version=1, actor=burgoyne
    )
    assert (done.state, done.version, done.user) == (State.ENTERED, 2, burgoyne)
    assert battle.entries.count() == 1
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING, "nothing counts before the umpire confirms (HR-TAB-05)"


def test_an_entry_that_cannot_be_writes_nothing_hr_tab_02(battle, burgoyne, crown_unit):
    battle_entry_save(battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne)
    for wrong in (entry(9, crown_unit), entry(1, "nobody"), Entry()):
        with pytest.raises(RuleViolation):
            battle_entry_save(
                entered=True, battle=battle, side="crown", entry=wrong, version=1, actor=burgoyne
            )
    row = saved(battle)
    assert row is not None and (row.state, row.version) == (State.DRAFT, 1)


def test_two_phones_of_one_side_do_not_overwrite_each_other_hr_tab_04(battle, burgoyne, crown_unit):
    first = battle_entry_save(
        battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne
    )
    with pytest.raises(EntryChanged, match="changed by Lieutenant General Burgoyne at") as refused:
        battle_entry_save(battle=battle, side="crown", entry=entry(2, crown_unit), version=0, actor=burgoyne)
    assert refused.value.current == first
    alike = battle_entry_save(
        battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne
    )
    assert alike.version == 1, "the same figures twice are once"


@pytest.mark.parametrize("side", ["rebel", "", "french"])
def test_only_who_commands_there_enters_hr_tab_01(battle, burgoyne, crown_unit, side):
    with pytest.raises(RuleViolation) as refused:
        battle_entry_save(battle=battle, side=side, entry=entry(1, crown_unit), version=0, actor=burgoyne)
    assert refused.value.rule_id == "HR-TAB-01"
    assert not BattleEntry.objects.exists()


def seat(campaign, role, side, **more) -> User:
    person = User.objects.create_user(f"{role}-{side}")
    Seat.objects.create(campaign=campaign, role=role, side=side, user=person, **more)
    return person


def test_a_columns_commander_and_a_guest_enter_hr_tab_01(battle, saratoga, crown_unit):
    there, away = battle.inputs["file"]["units"][0]["formation"], "british_2nd_brigade"
    column = seat(saratoga, Seat.Role.COLUMN, "crown", formations=[there])
    guest = seat(saratoga, Seat.Role.GUEST, "rebel", battle=battle)
    other = User.objects.create_user("elsewhere")
    Seat.objects.create(campaign=saratoga, role=Seat.Role.COLUMN, side="crown", user=other, formations=[away])
    battle_entry_save(battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=column)
    battle_entry_save(battle=battle, side="rebel", entry=entry(1, crown_unit), version=0, actor=guest)
    with pytest.raises(RuleViolation, match="do not command"):
        battle_entry_save(battle=battle, side="crown", entry=entry(2, crown_unit), version=1, actor=other)
    assert battle.entries.count() == 2


def test_a_settled_battle_takes_no_entry_hr_con_12(battle, burgoyne, crown_unit):
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    with pytest.raises(RuleViolation, match="changed only by taking the campaign back"):
        battle_entry_save(
            entered=True, battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne
        )


def test_an_undone_battle_takes_no_entry_hr_ump_14(battle, saratoga, burgoyne, crown_unit):
    saratoga.revision = 2
    saratoga.save()
    with pytest.raises(RuleViolation, match="was undone"):
        battle_entry_save(battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne)


@pytest.fixture
def both(battle, burgoyne, gates, crown_unit) -> Battle:
    """Both have entered; they differ in one unit."""
    battle_entry_save(
        entered=True,
        battle=battle,
        side="crown",
        entry=entry(1, crown_unit, notes="A hot day."),
        version=0,
        actor=burgoyne,
    )
    battle_entry_save(
        entered=True, battle=battle, side="rebel", entry=entry(2, crown_unit), version=0, actor=gates
    )
    return battle


def test_the_umpire_confirms_what_he_decided_hr_tab_05(both, carleton, crown_unit):
    seen = list_entry_versions(both)
    assert seen == {"crown": 1, "rebel": 1}
    done = battle_confirm(
        battle=both, decided=entry(2, crown_unit, pursuit="none"), seen=seen, actor=carleton
    )
    assert (done.state, done.source, done.settled_by) == ("settled", "table", carleton)
    lost = {loss.unit: loss.sp_lost for loss in settlement_from_json(done.settlement).losses}
    assert lost[crown_unit] == 2 and sum(lost.values()) == 2
    told = " ".join(done.account)
    assert "entered by Crown and by United States" in told and "Crown: A hot day." in told
    assert "Crown 1 SP lost, United States 2 SP lost. The umpire put down 2 SP lost." in told


def test_an_entry_amended_meanwhile_is_not_confirmed_unseen_hr_tab_05(both, carleton, gates, crown_unit):
    seen = list_entry_versions(both)
    battle_entry_save(
        entered=True, battle=both, side="rebel", entry=entry(3, crown_unit), version=1, actor=gates
    )
    with pytest.raises(RuleViolation, match="amended while you looked"):
        battle_confirm(battle=both, decided=entry(2, crown_unit), seen=seen, actor=carleton)
    both.refresh_from_db()
    assert both.state == Battle.State.WAITING


def test_a_commander_confirms_nothing_hr_tab_05(both, burgoyne, crown_unit):
    with pytest.raises(RuleViolation) as refused:
        battle_confirm(
            battle=both, decided=entry(2, crown_unit), seen=list_entry_versions(both), actor=burgoyne
        )
    assert refused.value.rule_id == "HR-TAB-01"


def test_one_entry_alone_may_be_confirmed_hr_tab_05(battle, burgoyne, carleton, crown_unit):
    battle_entry_save(
        entered=True, battle=battle, side="crown", entry=entry(1, crown_unit), version=0, actor=burgoyne
    )
    done = battle_confirm(
        battle=battle,
        decided=Entry({crown_unit: UnitResult(1)}, held_by=NEITHER),
        seen=list_entry_versions(battle),
        actor=carleton,
    )
    assert done.settlement["field_held_by"] == ""


def test_what_was_entered_goes_with_a_battle_that_comes_about_again_hr_tab_08(both, carleton, crown_unit):
    decided = Entry({crown_unit: UnitResult(0, 4)}, held_by="rebel", pursuit="none")
    before = battle_confirm(battle=both, decided=decided, seen=list_entry_versions(both), actor=carleton)
    again = Battle.objects.create(
        campaign=both.campaign, revision=2, day=both.day, contact=both.contact, minute=both.minute,
        attacker=both.attacker, defender=both.defender, inputs=both.inputs,
    )  # fmt: skip
    entries_carry(before=before, battle=again)
    assert {row.side: (row.state, row.user) for row in again.entries.all()} == {
        row.side: (State.ENTERED, row.user) for row in [*both.entries.all(), BattleEntry(user=carleton)]
    }
    hours = {row.side: row.updated_at for row in both.entries.all()} | {"": before.settled_at}
    assert {row.side: row.updated_at for row in again.entries.all()} == hours
    mine = saved(again, "")
    assert mine is not None and mine.body == {
        "units": {crown_unit: {"captured": 4, "destroyed": True}}, "held_by": "rebel", "pursuit": "none"
    }  # fmt: skip
    assert again.state == Battle.State.WAITING
