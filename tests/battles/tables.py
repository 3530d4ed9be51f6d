"""The table that a replay ends with beside the engine's own, under any ruleset."""

from collections.abc import Sequence

import pytest

from battles.engine.dtypes import ON_TABLE
from battles.engine.events import BattleEvent
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile
from battles.replay.rolls import telling_of
from battles.replay.state import BattleBoard
from battles.rulesets import registry


def board_at_end(
    battle: BattleFile, standing: InitialPositions, events: Sequence[BattleEvent]
) -> BattleBoard:
    """The table after the last event; the beaten who march off after it still stand there."""
    board = BattleBoard(battle, standing)
    for event in events:
        board.apply(event)
    return board


def verify_table(battle: BattleFile, seed: int) -> None:
    """After the last event all stand where they do in the engine's record, face as there, are as strong."""
    loaded = registry.get_ruleset(battle.ruleset).load()
    system = getattr(loaded, "SYSTEM", loaded)
    state, _, _ = system.ready(battle).run(seed, record=True)
    events = system.events(state, battle)
    board = board_at_end(telling_of(battle).pieces(battle), system.standing(battle), events)
    for i, key in enumerate(system.pieces(battle)):
        u, piece = state[0].u[i], board.units[key]
        if u.place != ON_TABLE:
            # the beaten who march off after the last event still stand
            assert not piece.stands or events[-1].kind == "battle_ends", key
            continue
        assert piece.stands, key
        spot = (u.x / system.inch, u.y / system.inch)
        assert (piece.x, piece.y) == pytest.approx(spot, abs=0.01), key
        strength = u.stands if "stands" in u.dtype.names else u.sp
        assert (piece.face, piece.sp) == (u.face % 360, strength), key
