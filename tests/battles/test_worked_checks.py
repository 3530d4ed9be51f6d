"""The AWI-T worked checks of checks-awi.yaml; the players are in `checks/`."""

import pytest

from battles.engine.dtypes import LIMBERED
from battles.rulesets.awi import morale
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.checks.common import BY_ID, one
from tests.battles.checks.players import FAMILY, PLAYERS


@pytest.mark.parametrize("key", BY_ID)
def test_worked_check(key: str) -> None:
    FAMILY.play(BY_ID[key])


def test_every_player_plays() -> None:
    assert {FAMILY.find_player(check) for check in BY_ID.values()} == set(PLAYERS)


def test_limbered_guns_march_at_their_column_rate_AWI_T_MOV_02() -> None:
    g = one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM)
    assert morale.move_rate(g.u[0]) == 2
    g.u[0].form = LIMBERED
    assert morale.move_rate(g.u[0]) == 6
