"""Who scouts better sets out second and has more dummies (HR-TAB-21)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.files.schema import BattleUnit
from campaign.rules.battles.hidden_setup import hidden_setup, score_scouting
from campaign.rules.world.settings import RuleSettings
from rosters.domain.vocabulary import GunClass, TroopType

SETTINGS = RuleSettings()
KINDS = [
    kind for kind in TroopType if kind not in (TroopType.EUROPEAN_ARTILLERY, TroopType.AMERICAN_ARTILLERY)
]


def troops(side: str, *kinds: tuple[TroopType, int]) -> list[BattleUnit]:
    return [BattleUnit(f"{side}-{n}", f"{side} {n}", side, kind, sp) for n, (kind, sp) in enumerate(kinds)]


LINE = (TroopType.CONTINENTAL_LINE, 5)


def setups(crown, rebel, terrain="farmland"):
    units = [*troops("crown", *crown), *troops("rebel", *rebel)]
    return hidden_setup(units, "crown", "rebel", SETTINGS, terrain)


def test_light_troops_horse_and_natives_count_by_the_miles_they_see_beyond_foot_hr_tab_21():
    worth = {
        kind: score_scouting(troops("crown", (kind, 4)), SETTINGS, "farmland")
        for kind in (
            TroopType.RANGERS,
            TroopType.AMERICAN_LIGHT_CAVALRY,
            TroopType.INDIANS,
            TroopType.MILITIA,
        )
    }
    assert list(worth.values()) == [1200, 1200, 2800, 0]
    assert score_scouting(troops("crown", (TroopType.RANGERS, 4)), SETTINGS, "forest") == 600
    assert score_scouting(troops("crown", (TroopType.INDIANS, 4)), SETTINGS, "forest") == 2800
    guns = BattleUnit("g", "guns", "crown", TroopType.EUROPEAN_ARTILLERY, 5, GunClass.LIGHT)
    assert score_scouting([guns], SETTINGS, "farmland") == 0


@pytest.mark.parametrize(
    ("crown", "rebel", "each", "first"),
    [
        ([LINE], [LINE], (4, 4), "crown"),
        ([(TroopType.RANGERS, 4)], [(TroopType.RANGERS, 3)], (3, 6), "rebel"),
        ([(TroopType.RANGERS, 3)], [(TroopType.RANGERS, 4)], (6, 3), "crown"),
        ([(TroopType.INDIANS, 4)], [(TroopType.RANGERS, 4)], (2, 0), "rebel"),
        ([LINE], [(TroopType.JAEGERS, 1)], (0, 2), "crown"),
    ],
)
def test_who_scouts_worse_sets_out_first_with_fewer_dummies_hr_tab_21(crown, rebel, each, first):
    made = setups(crown, rebel)
    assert (made["crown"].units_a_dummy, made["rebel"].units_a_dummy) == each
    assert [side for side, one in made.items() if one.first] == [first]


def test_dummies_go_by_the_units_under_blinds():
    better = setups([(TroopType.RANGERS, 4)], [(TroopType.RANGERS, 3)])["crown"]
    assert [better.dummies(units) for units in (0, 1, 3, 12, 20)] == [0, 1, 1, 4, 6]
    none = setups([LINE], [(TroopType.JAEGERS, 1)])["crown"]
    assert none.dummies(20) == 0


FORCES = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 6)), max_size=8)


@given(FORCES, FORCES, st.sampled_from(["farmland", "forest", "hills"]))
def test_one_side_sets_out_first_and_the_better_never_has_fewer_dummies(crown, rebel, terrain):
    made = setups(crown, rebel, terrain)
    assert sum(one.first for one in made.values()) == 1
    second = next(side for side, one in made.items() if not one.first)
    other = "crown" if second == "rebel" else "rebel"
    assert made[second].dummies(12) >= made[other].dummies(12)


def test_who_is_late_changes_nothing_so_that_nobody_learns_of_it():
    units = [*troops("crown", (TroopType.RANGERS, 4)), *troops("rebel", (TroopType.RANGERS, 3), LINE)]
    late = [BattleUnit(one.id, one.name, one.side, one.troop_type, one.sp, arrives=8) for one in units]
    assert hidden_setup(units, "crown", "rebel", SETTINGS, "hills") == hidden_setup(
        late, "crown", "rebel", SETTINGS, "hills"
    )
