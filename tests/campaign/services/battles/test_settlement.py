"""Settling battles: three sources, one way in, and no figure that cannot be."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError
from campaign.ledger.world_rows import world_load
from campaign.models import Battle
from campaign.rules.battles.table_results import UnitResult
from campaign.rules.contact.contact import Contact, Fighter, Participant
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Unit, present_units
from campaign.selectors.battles.battle_files import battle_file
from campaign.services.battles import settlement
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.battles.settlement import (
    battle_open,
    battle_settle_by_engine,
    battle_settle_by_word,
)
from tests.factories.table_settling import battle_settle_by_table

pytestmark = pytest.mark.django_db


def unit(key: str, side: str, troop_type: str, sp: int) -> dict[str, object]:
    return {
        "id": key, "name": key.replace("_", " "), "side": side, "troop_type": troop_type, "sp": sp,
        "gun_class": "none", "poor_militia": False, "formation": side, "arrives": 0,
    }  # fmt: skip


@pytest.fixture
def battle(saratoga) -> Battle:
    return Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/bennington/1", minute=900, place="bennington",
        attacker="rebel", defender="crown",
        inputs={
            "contact": {},
            "file": {
                "title": "Battle of Bennington", "attacker": "rebel", "defender": "crown",
                "units": [
                    unit("stark_1", "rebel", "militia", 5),
                    unit("stark_2", "rebel", "militia", 5),
                    unit("warner", "rebel", "continental_line", 2),
                    unit("dragoons", "crown", "european_line", 5),
                    unit("queens_rangers", "crown", "militia", 3),
                ],
                "cover": "soft", "options": {},
                "plans": {"rebel": {"kind": "assault"}, "crown": {"kind": "hold"}},
                "turns": 36, "break_percent": 50, "ruleset": "awi",
            },
        },
    )  # fmt: skip


def losses(battle: Battle) -> dict[str, tuple[int, int, str]]:
    return {
        loss.unit: (loss.sp_lost, loss.sp_captured, loss.fate)
        for loss in settlement_from_json(battle.settlement).losses
    }


def test_a_table_result_is_kept_unit_by_unit(battle, burgoyne):
    settled = battle_settle_by_table(
        battle=battle,
        results={
            "dragoons": UnitResult(3, 2),
            "queens_rangers": UnitResult(1, destroyed=True),
            "stark_1": UnitResult(1),
        },
        field_held_by="rebel",
        actor=burgoyne,
    )  # fmt: skip
    assert losses(settled) == {
        "dragoons": (3, 2, "surrendered"),
        "queens_rangers": (3, 0, "eliminated"),
        "stark_1": (1, 0, "present"),
        "stark_2": (0, 0, "present"),
        "warner": (0, 0, "present"),
    }
    assert (settled.state, settled.source, settled.settled_by) == ("settled", "table", burgoyne)


@pytest.mark.parametrize(
    ("results", "holder", "sentence"),
    [
        ({"dragoons": UnitResult(6)}, "rebel", "came with 5 SP and cannot lose 6"),
        ({"dragoons": UnitResult(3, 3)}, "rebel", "cannot lose 6"),
        ({"dragoons": UnitResult(-1)}, "rebel", "fewer than 0"),
        ({"morgan": UnitResult(1)}, "rebel", "morgan was not in this battle"),
        ({}, "french", r"held by United States \(rebel\), Crown \(crown\) or neither"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_and_nothing_written(battle, results, holder, sentence):
    with pytest.raises(RuleViolation, match=sentence):
        battle_settle_by_table(battle=battle, results=results, field_held_by=holder, actor=None)
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING
    assert battle.settlement is None


def test_the_same_result_twice_is_once_and_another_is_refused(battle):
    first = battle_settle_by_table(battle=battle, results={}, field_held_by="", actor=None)
    assert battle_settle_by_table(battle=battle, results={}, field_held_by="", actor=None) == first
    with pytest.raises(RuleViolation, match="settled already"):
        battle_settle_by_table(battle=battle, results={"warner": UnitResult(1)}, field_held_by="", actor=None)


@pytest.mark.parametrize("how", ["table", "word"])
def test_a_result_that_stands_is_not_replaced_hr_con_12(battle, carleton, how):
    """Not by the umpire either: he takes the campaign back."""
    battle_settle_by_table(battle=battle, results={}, field_held_by="crown", actor=None)
    with pytest.raises(RuleViolation, match="takes the campaign back"):
        if how == "table":
            battle_settle_by_table(battle=battle, results={}, field_held_by="rebel", actor=carleton)
        else:
            battle_settle_by_word(battle=battle, field_held_by="rebel", percent_lost={}, actor=carleton)
    battle.refresh_from_db()
    assert battle.settlement["field_held_by"] == "crown"


def test_generals_and_pursuit_of_a_fight_on_the_table_hr_tab_06(battle):
    leader = {"id": "baum", "name": "Friedrich Baum", "side": "crown"}
    battle.inputs["file"]["leaders"] = [leader]
    battle.save()
    settled = battle_settle_by_table(
        battle=battle,
        results={},
        field_held_by="rebel",
        generals={"baum": "killed"},
        pursuit="none",
        actor=None,
    )
    assert settled.settlement["pursuit"] == "none"
    (lost,) = settlement_from_json(settled.settlement).generals
    assert (lost.name, lost.side, lost.fate) == ("Friedrich Baum", "crown", "killed")


@pytest.mark.parametrize("said", [{"generals": {"stark": "killed"}}, {"pursuit": "wild"}])
def test_generals_who_were_not_there_and_other_pursuits_are_refused(battle, said):
    with pytest.raises(RuleViolation):
        battle_settle_by_table(battle=battle, results={}, field_held_by="rebel", actor=None, **said)
    battle.refresh_from_db()
    assert battle.settlement is None


def test_a_settlement_without_a_pursuit_is_stored_as_it_always_was_hr_tab_06(battle):
    settled = battle_settle_by_table(battle=battle, results={}, field_held_by="rebel", actor=None)
    assert set(settled.settlement) == {
        "contact", "field_held_by", "losses", "source", "minutes", "generals"
    }  # fmt: skip


def test_the_umpires_word_spreads_losses_by_largest_remainder(battle, carleton):
    settled = battle_settle_by_word(
        battle=battle, field_held_by="crown", percent_lost={"rebel": 25, "crown": 0}, actor=carleton
    )
    lost = losses(settled)
    assert sum(lost[key][0] for key in ("stark_1", "stark_2", "warner")) == 3  # a quarter of 12
    assert lost["dragoons"] == (0, 0, "present")


def test_what_the_engine_fought_stands(battle, carleton):
    """HR-CON-12"""
    battle_settle_by_engine(battle=battle, actor=None)
    with pytest.raises(RuleViolation, match="settled already"):
        battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={"crown": 1}, actor=carleton)


@pytest.mark.parametrize(
    ("stances", "plans"),
    [
        (("attack", "give_battle"), ("assault", "hold")),
        (("give_battle", "give_battle"), ("assault", "hold")),
        (("attack", "attack"), ("assault", "assault")),
        (("attack", "delay"), ("assault", "delay")),
        (("give_battle", "avoid"), ("assault", "withdraw")),
    ],
)
def test_stances_become_plans_hr_bat_05(saratoga, stances, plans):
    world = world_load(saratoga)
    contact = Contact(
        key="d0/bennington/1", minute=900, ends=1200, place="bennington", route="", yards=0,
        attacker="rebel", defender="crown",
        participants=(
            Participant("a", "rebel", 900, stances[0]),
            Participant("b", "crown", 900, stances[1]),
            Participant("c", "crown", 960, "avoid"),
        ),
        units=(), cover="none", weather="fair", terrain="farmland",
    )  # fmt: skip
    file = battle_file(world, contact, ruleset="awi")
    assert (file.plans["rebel"].kind, file.plans["crown"].kind) == plans
    assert file.side_names["rebel"] == "United States"


@pytest.mark.parametrize("percent", [-1, 101])
def test_the_umpires_word_stays_within_what_was_there(battle, percent):
    with pytest.raises(RuleViolation, match="0 to 100"):
        battle_settle_by_word(battle=battle, field_held_by="", percent_lost={"crown": percent}, actor=None)


@pytest.mark.parametrize(
    "error",
    [BattleFileError("AWI-T-UNI-01", "There is no room.", "units[0]"), EngineError("The run is void.")],
)
def test_what_the_engine_cannot_fight_is_refused_with_a_sentence(battle, carleton, monkeypatch, error):
    def fight(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("battles.rulesets.registry.fight_battle", fight)
    with pytest.raises(RuleViolation) as refused:
        battle_settle_by_engine(battle=battle, actor=carleton)
    assert str(error) in refused.value.message
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING


def test_the_engine_settles_the_same_battle_the_same_way(battle, saratoga):
    again = Battle.objects.get(pk=battle.pk)
    first = battle_settle_by_engine(battle=battle, actor=None)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.WAITING, settlement=None)
    second = battle_settle_by_engine(battle=again, actor=None)
    assert first.settlement == second.settlement
    assert first.account and first.account == second.account
    starts = {row["id"]: row["sp"] for row in battle.inputs["file"]["units"]}
    for loss in settlement_from_json(first.settlement).losses:
        assert loss.sp_start == starts[loss.unit]
        assert 0 <= loss.sp_lost + loss.sp_captured <= loss.sp_start


def test_a_battle_that_settles_itself_is_fought_packed_and_told_once(saratoga, monkeypatch):
    """The battle as it was opened and as it is read back have one form, so nothing seems to have changed."""
    done: Counter[str] = Counter()
    for name in ("fight_frozen_battle", "build_replay", "compose_account"):
        once = getattr(settlement, name)

        def counted(*given: object, name: str = name, once: Callable[..., object] = once) -> object:
            done[name] += 1
            return once(*given)

        monkeypatch.setattr(settlement, name, counted)
    world = world_load(saratoga)
    fighters = [*present_units(world)["advanced_corps"][:1], *present_units(world)["poors_brigade"][:1]]
    opened = battle_open(campaign=saratoga, world=world, contact=contact_of(fighters))
    battle_settle_by_engine(battle=opened, actor=None)
    assert done == {"fight_frozen_battle": 1, "build_replay": 1, "compose_account": 1}
    assert opened.inputs == Battle.objects.get(pk=opened.pk).inputs


def contact_of(fighters: Sequence[Unit]) -> Contact:
    """A meeting of these units at Ticonderoga, the Crown attacking, for one game turn."""
    return Contact(
        key="d0/ticonderoga/1", minute=600, ends=610, place="ticonderoga", route="", yards=0,
        attacker="crown", defender="rebel",
        participants=tuple(
            Participant(unit.formation, unit.side, 600, "attack" if unit.side == "crown" else "give_battle")
            for unit in fighters
        ),
        units=tuple(Fighter(unit.id, unit.side, unit.points, 4) for unit in fighters),
        cover="none", weather="fair", terrain="hill",
    )  # fmt: skip
