"""A battle stand by stand: what stands are called, where they stand, what is told of them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dice import FAIR, draw_words
from battles.files.reading import read_battle
from battles.ground.features import table_size
from battles.rulesets.volley_bayonet.events import CODE, KINDS, RESULTS
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetBattleRunner, VolleyBayonetEngine
from battles.rulesets.volley_bayonet.positions import build_table_file, stand_names, unit_id
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import battle_unit
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES
from tests.battles.rulesets.volley_bayonet.test_fights import turned

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

EXAMPLES = 4 if is_interpreted() else 40


def test_every_kind_of_event_names_a_rule_there_is() -> None:
    assert {rule for _, rule in KINDS} - {"HR-BAT-02"} <= set(RULES), "the house rule of all rulesets aside"
    assert len(CODE) == len(KINDS) and len(set(RESULTS)) == len(RESULTS)


def test_a_battalion_of_two_stands_has_a_right_and_a_left_one_VBW_GEN_02() -> None:
    file, scale = read_battle("hubbardton"), SCALES["vb_wing"]
    table = build_table_file(file, scale)
    names = {unit.id: unit.name for unit in table.units}
    assert len(names) == len(table.units) > len(file.units)
    for unit in file.units:
        own = [one for one in table.units if unit_id(one.id) == unit.id]
        assert own and all(one.side == unit.side for one in own)
        if len(own) == 2:
            assert [one.name for one in own] == [f"{unit.name} (right stand)", f"{unit.name} (left stand)"]
        if len(own) == 1:
            assert (own[0].id, own[0].name) == (unit.id, unit.name)


def test_stands_are_called_neither_wings_nor_halves_vbw_gen_02() -> None:
    """Units and brigades of many battles are wings themselves; guns have sections."""
    foot = battle_unit("f", "crown", TroopType.BRITISH_LINE)
    guns = battle_unit("g", "crown", TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM)
    assert stand_names(foot, 2) == ("right stand", "left stand")
    assert stand_names(foot, 3) == ("right stand", "centre stand", "left stand")
    assert stand_names(foot, 4)[::3] == ("stand 1", "stand 4")
    assert stand_names(guns, 2) == ("right section", "left section")


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_a_fight_is_told_stand_by_stand_in_inches_of_the_file(scale: str) -> None:
    file, system = read_battle("oriskany"), VolleyBayonetEngine(SCALES[scale])
    result, standing = system.fight(file, 3, record=True), system.standing(file)
    table = build_table_file(file, SCALES[scale])
    assert [one.id for one in standing.units] == [unit.id for unit in table.units]
    assert (standing.width, standing.depth) == pytest.approx(table_size(file))
    known = {unit.id for unit in table.units} | {leader.id for leader in file.leaders} | {""}
    assert {event.actor for event in result.events} <= known
    lost = sum(event.total for event in result.events if event.kind == "sp_lost")
    removed = {event.actor for event in result.events if event.kind == "eliminated"}
    assert lost > 0 and removed <= known
    assert result.events[-1].kind == "battle_ends"
    over = 16.0  # who runs off the table is told where the move ends: at most a turn's beyond its edge
    for event in result.events:
        assert -over <= event.x <= standing.width + over and -over <= event.y <= standing.depth + over, event
    assert system.fight(file, 3).outcome == result.outcome, "recording changes nothing"


@given(st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_die_thrown_is_told_in_its_order(draw: Random, seed: int) -> None:
    scale = SCALES[draw.choice(sorted(SCALES))]
    file = turned(draw, scale, most=4, turns=9)
    state, _, _ = VolleyBayonetBattleRunner(file, scale).run(seed, record=True)
    g = state[0]
    if g.o.cards == 1:
        return  # what is drawn of the deck is no die
    told = [die for row in g.events[: g.events_n] for die in (int(row.die1), int(row.die2)) if die]
    assert told == [word % 6 + 1 for word in draw_words(seed, int(g.cursor)).tolist() if word < FAIR]
