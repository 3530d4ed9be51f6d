"""A record read back in the words of its battle file."""

import numpy as np
import pytest

from battles.engine.dtypes import BUILDING, FENCE
from battles.engine.raster import structure_add
from battles.engine.reading import build_general_outcomes, field_holder, structure_names
from battles.engine.rows import row_of
from battles.files.schema import BattleGround, Feature, GeneralFate
from rosters.domain.vocabulary import TroopType
from tests.battles.engine.small import state
from tests.battles.forces import CONGRESS, CROWN, battle, force, leader

FORCES = (force(CROWN, TroopType.BRITISH_LINE), force(CONGRESS, TroopType.MILITIA))
FATES: dict[int, GeneralFate] = {3: "killed", 4: "captured"}


def test_structures_are_called_by_their_features() -> None:
    house = Feature("building", ((10, 10),), id="mill")
    file = battle(*FORCES, ground=BattleGround(60, 40, (house, Feature("fence", ((1, 1), (9, 1))))))
    made = state()
    g = row_of(made)
    for kind, feature in ((BUILDING, 0), (FENCE, 1), (FENCE, -1)):
        structure_add(g, kind, 1, 1, feature=feature)
    assert structure_names(made, file) == ("mill", "fence 2", "the defender's work")


@pytest.mark.parametrize(("holder", "side"), [(0, CROWN), (1, CONGRESS), (-1, "")])
def test_the_holder_is_a_side_or_nobody(holder: int, side: str) -> None:
    made = state()
    made["holder"] = holder
    assert field_holder(made, battle(*FORCES)) == side


def test_generals_are_told_in_the_order_of_the_file() -> None:
    file = battle(*FORCES, leaders=(leader("Howe"), leader("Clinton"), leader("Gates", CONGRESS)))
    made = state()
    made["leaders"]["named"][0][:4] = (2, -1, 0, 1)
    told = build_general_outcomes(made, file, np.array([4, 3, 3, 0]), FATES)
    assert [(one.id, one.fate) for one in told] == [
        ("Howe", "killed"), ("Clinton", "present"), ("Gates", "captured"),
    ]  # fmt: skip
