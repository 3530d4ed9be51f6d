"""The table of a replay is, after the last event, the engine's own."""

import pytest

from battles.engine import dtypes
from battles.engine.events import BattleEvent
from battles.files.initial_positions import InitialPositions, UnitStanding
from battles.files.schema import BattleFile, BattleUnit
from battles.replay.state import BattleBoard
from battles.rulesets.awi.fighting import SYSTEM, AwiBattleRunner
from battles.rulesets.registry import get_initial_positions
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import random_battle
from tests.battles.tables import board_at_end

FORMS = ("line", "column", "limbered", "deployed")
MOODS = {dtypes.STEADY: "steady", dtypes.SHAKEN: "shaken", dtypes.ROUTING: "routing"}


@pytest.mark.parametrize("seed", [*range(6), 8, 10])
def test_forms_moods_and_strengths_follow_from_the_events(seed: int) -> None:
    battle = random_battle(seed)
    fought = AwiBattleRunner(battle)
    state, _, _ = fought.run(seed, record=True)
    ids = SYSTEM.pieces(battle)
    events = list(SYSTEM.events(state, battle))
    board = board_at_end(fought.battle, get_initial_positions(fought.battle), events)
    for i, key in enumerate(ids):
        u, piece = state.u[0][i], board.units[key]
        if u["place"] == dtypes.ON_TABLE:
            assert (piece.form, piece.mood, piece.sp) == (FORMS[u["form"]], MOODS[u["mood"]], u["sp"]), key
        else:
            # the beaten who march off after the last event still stand
            assert not piece.stands or events[-1].kind == "battle_ends", key


def event(kind: str, **facts: object) -> BattleEvent:
    empty = {
        "turn": 1, "side": "crown", "step": "C", "actor": "foot", "target": "", "dice": (), "modifier": 0,
        "total": 0, "result": "", "rule": "", "x": 10.0, "y": 10.0, "face": 0,
    }  # fmt: skip
    return BattleEvent(kind=kind, **{**empty, **facts})  # type: ignore[arg-type]


@pytest.fixture
def board() -> BattleBoard:
    unit = BattleUnit("foot", "Foot", "crown", TroopType.BRITISH_LINE, 4)
    enemy = BattleUnit("militia", "Militia", "rebel", TroopType.MILITIA, 4)
    battle = BattleFile("A fight", "crown", "rebel", (unit, enemy))
    stood = (
        UnitStanding("foot", 4, 10, 10, 0, "column"),
        UnitStanding("militia", 4, 10, 20, 180, "line", due=3),
    )
    return BattleBoard(battle, InitialPositions(96, 60, stood))


def test_who_rallies_reforms_if_he_could_turn(board: BattleBoard) -> None:
    """AWI-T-MOR-05"""
    board.apply(event("rout_test", result="rallied"))
    assert (board.units["foot"].mood, board.units["foot"].form) == ("shaken", "column")
    board.apply(event("turn", face=90))
    assert (board.units["foot"].form, board.units["foot"].face) == ("line", 90)


def test_who_moves_is_hidden_again(board: BattleBoard) -> None:
    """AWI-T-TER-07"""
    board.apply(event("fire", target="militia"))
    assert board.units["foot"].shown
    board.apply(event("sp_lost", total=1))
    assert board.units["foot"].shown and board.units["foot"].sp == 3
    board.apply(event("guns_lost", total=1))
    assert board.units["foot"].sp == 2
    board.apply(event("move", x=12.0))
    assert not board.units["foot"].shown and board.units["foot"].x == 12


def test_who_comes_later_is_not_there_before(board: BattleBoard) -> None:
    assert not board.units["militia"].stands
    board.apply(event("arrives", actor="militia", side="rebel"))
    assert board.units["militia"].stands
    board.apply(event("surrender_test", actor="militia", result="surrendered"))
    assert board.units["militia"].mood == "gone" and not board.units["militia"].stands
