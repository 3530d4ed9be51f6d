"""The engine's luck and sense over many battles: fair, and strength, quality and cover count."""

import pytest

from battles.files.schema import BattlePlan
from battles.rulesets.registry import fight_batch, fight_many
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force
from tests.battles.mirrored import mirrored_fight

T = TroopType
MIXED = (
    T.CONTINENTAL_LINE,
    T.MILITIA,
    T.AMERICAN_REGULAR_RIFLES,
    T.AMERICAN_LIGHT_CAVALRY,
    T.AMERICAN_ARTILLERY,
    T.INDIANS,
)
FIGHTS = 400


def score(crown: tuple, congress: tuple, fights: int = FIGHTS, **more: object) -> float:
    """Crown's wins and half its draws, as a share of all fights."""
    held = [outcome.field_held_by for outcome in fight_many(battle(crown, congress, **more), range(fights))]
    return (held.count(CROWN) + held.count("") / 2) / fights


def mirrored(crown: str, congress: str, fights: int = FIGHTS, *, lookahead: bool = False) -> float:
    """Crown's share of the mirrored standard fight."""
    plans = BattlePlan(crown, lookahead=lookahead), BattlePlan(congress)  # type: ignore[arg-type]
    holders = fight_batch(mirrored_fight(*plans), range(fights)).holder
    return float((holders == 0).mean() + (holders == -1).mean() / 2)


def test_the_mirrored_standard_fight_is_even() -> None:
    assert 0.43 < mirrored("assault", "assault") < 0.57


def test_an_assault_beats_walking_at_the_nearest_enemy() -> None:
    """Over a thousand fights each way; `make prove` has four thousand."""
    assert mirrored("assault", "advance", 1_000) > 0.7
    assert mirrored("advance", "assault", 1_000) < 0.3


def test_looking_ahead_beats_the_same_plan_without() -> None:
    assert mirrored("assault", "assault", lookahead=True) > 0.52


@pytest.mark.slow
@pytest.mark.parametrize("types", [(T.BRITISH_LINE,) * 6, MIXED * 2], ids=["line", "mixed"])
def test_equal_forces_with_equal_plans_win_as_often(types: tuple[TroopType, ...]) -> None:
    plans = {CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("assault")}
    assert 0.45 < score(force(CROWN, *types), force(CONGRESS, *types), 1200, plans=plans) < 0.55


def test_more_strength_wins_more_often_AWI_T_STR_01() -> None:
    line = (T.CONTINENTAL_LINE,) * 6
    plans = {CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("assault")}
    scores = [
        score(force(CROWN, *line, sp=sp), force(CONGRESS, *line, sp=4), plans=plans) for sp in (2, 3, 4, 5, 6)
    ]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0] + 0.5


def test_more_units_win_more_often() -> None:
    scores = [
        score(force(CROWN, *[T.CONTINENTAL_LINE] * n), force(CONGRESS, *[T.CONTINENTAL_LINE] * 6))
        for n in (4, 6, 9, 12)
    ]
    assert scores == sorted(scores)
    assert scores[-1] > 0.8


def test_cover_helps_the_defender_more_the_harder_it_is_AWI_T_FIR_11() -> None:
    line = force(CROWN, *[T.BRITISH_LINE] * 7)
    held = force(CONGRESS, *[T.CONTINENTAL_LINE] * 6)
    scores = [score(line, held, cover=cover) for cover in ("none", "soft", "hard", "fortified")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1] + 0.2


def test_grenadiers_beat_militia_AWI_T_MOR_01() -> None:
    crown, congress = [T.BRITISH_GRENADIERS] * 5, [T.MILITIA] * 5
    assert score(force(CROWN, *crown), force(CONGRESS, *congress)) > 0.75


def test_a_side_that_withdraws_leaves_the_field_almost_unharmed() -> None:
    line = [T.CONTINENTAL_LINE] * 5
    file = battle(force(CROWN, *line), force(CONGRESS, *line), plans={CONGRESS: BattlePlan("withdraw")})
    for outcome in fight_many(file, range(40)):
        assert outcome.field_held_by == CROWN
        assert sum(unit.sp_lost for unit in outcome.units) <= 5


def test_delaying_costs_less_than_standing_to_be_broken() -> None:
    crown, congress = force(CROWN, *[T.BRITISH_LINE] * 9), force(CONGRESS, *[T.CONTINENTAL_LINE] * 5)

    def lost(plan: str) -> int:
        file = battle(crown, congress, plans={CONGRESS: BattlePlan(plan)}, break_percent=100, turns=9)
        return sum(
            unit.sp_lost + unit.sp_captured
            for outcome in fight_many(file, range(200))
            for unit in outcome.units
            if unit.id.startswith(CONGRESS)
        )

    assert lost("withdraw") <= lost("delay") < lost("hold")
