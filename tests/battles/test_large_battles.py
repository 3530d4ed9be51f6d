"""Battles beyond the small layout, whose kernels are compiled only when one comes."""

import pytest

from battles.engine.dtypes import SMALL
from battles.engine.fighting import EngineError
from battles.rulesets.awi import fighting
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force

LINE = (TroopType.BRITISH_LINE, TroopType.CONTINENTAL_LINE, TroopType.MILITIA)


@pytest.mark.slow
def test_sixty_units_a_side_fight() -> None:
    file = battle(force(CROWN, *LINE * 20), force(CONGRESS, *LINE * 20), turns=7)
    outcome = fighting.fight(file, 1777).outcome
    assert len(outcome.units) == 120
    assert sum(unit.sp_start for unit in outcome.units) == 600
    assert any(unit.sp_lost for unit in outcome.units)


@pytest.mark.slow
def test_the_layout_does_not_change_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    file = battle(force(CROWN, *LINE), force(CONGRESS, *LINE), turns=12)
    small = fighting.fight(file, 5, record=True)
    monkeypatch.setattr(fighting, "size_for", lambda battle: fighting.LARGE)
    assert fighting.fight(file, 5, record=True) == small


def test_a_battle_too_long_for_any_layout_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    brief = SMALL._replace(dice=3)
    monkeypatch.setattr(fighting, "LARGE", brief)
    monkeypatch.setattr(fighting, "SMALL", brief)
    monkeypatch.setattr(fighting, "play", lambda state: 1)
    with pytest.raises(EngineError, match="fewer turns or fewer units"):
        fighting.fight(battle(force(CROWN, *LINE), force(CONGRESS, *LINE)), 1)
