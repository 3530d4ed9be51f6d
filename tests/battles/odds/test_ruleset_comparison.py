"""One battle under several rulesets in the same measures: men, per cent, hours, turns."""

from collections.abc import Iterator

import pytest

from battles.errors import BattleFileError
from battles.files.reading import read_document
from battles.files.schema import BattleFile, BattleUnit
from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.odds.ruleset_comparison import build_figures, build_side_descriptions, file_under
from battles.rulesets.awi.tables import MEN_PER_SP
from battles.strength_conversion import FILE_MEN, count_guns, men_per_sp
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.rulesets.example.line import EXAMPLE, registered


@pytest.fixture(autouse=True)
def example() -> Iterator[None]:
    with registered():
        yield


def unit(
    key: str, side: str, troop_type: TroopType, sp: int, gun_class: GunClass = GunClass.NONE
) -> BattleUnit:
    return BattleUnit(key, key, side, troop_type, sp, gun_class)


BATTLE = BattleFile(
    "At the ford",
    "crown",
    "rebel",
    (
        unit("line", "crown", TroopType.BRITISH_LINE, 4),
        unit("guns", "crown", TroopType.EUROPEAN_ARTILLERY, 5, GunClass.LIGHT),
        unit("militia", "rebel", TroopType.MILITIA, 6),
        unit("rifles", "rebel", TroopType.AMERICAN_REGULAR_RIFLES, 2),
    ),
    side_names={"rebel": "the Americans"},
)


def spread(mean: float, low: int, high: int) -> dict[str, float]:
    return {"mean": mean, "p5": low, "p95": high}


def share(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


def found(**changes: object) -> dict[str, object]:
    lost = {"line": 1.0, "guns": 1.0, "militia": 3.0, "rifles": 1.0}
    return {
        "runs": 100,
        "asked": 100,
        "win": share(0.605, 0.51, 0.69),
        "draw": share(0.0, 0.0, 0.04),
        "loss": share(0.395, 0.31, 0.49),
        "turns": spread(13.2, 8, 18),
        "sides": [
            {"id": "crown", "name": "Crown", "sp": 9, "gone": spread(2.0, 0, 4)},
            {"id": "rebel", "name": "the Americans", "sp": 8, "gone": spread(4.0, 4, 4)},
        ],
        "units": [
            {"id": one.id, "side": one.side, "sp": one.sp, "gone": {"mean": lost[one.id]}}
            for one in BATTLE.units
        ],
        **changes,
    }


def test_men_of_a_strength_point_are_those_of_the_rules_awi_t_str_01() -> None:
    assert sorted(FILE_MEN.values()) == sorted(MEN_PER_SP.values())
    assert [men_per_sp(one) for one in BATTLE.units] == [50, 0, 50, 24]
    assert [count_guns(one) for one in BATTLE.units] == [0, 4, 0, 0]


def test_sides_are_told_with_men_guns_and_points() -> None:
    attacker, defender = build_side_descriptions(BATTLE)
    assert (attacker.name, attacker.strength) == ("Crown", "200 men, 4 guns, 9 SP")
    assert (defender.name, defender.strength) == ("the Americans", "348 men, 8 SP")


def test_figures_are_told_in_measures_that_all_share() -> None:
    told = build_figures(BATTLE, found(), minutes=15)
    assert [end.name for end in told.ends] == ["Crown", "the Americans", "neither"]
    assert told.ends[0].told.startswith("61\N{NO-BREAK SPACE}% (51 to 69)") or told.ends[0].percent == 60.5
    assert (told.ends[0].low, told.ends[0].high, told.ends[0].band) == (51.0, 69.0, 18.0)
    assert told.ends[2].told.startswith("none of 100")
    crown, rebel = told.losses
    assert (crown.men, crown.share) == ("50 men (0 to 100)", "22 % of SP (0 to 44)")
    assert (rebel.men, rebel.share) == ("170 men", "50 % of SP"), (
        "where nine fights in ten agree nothing is in brackets"
    )
    assert (crown.of, rebel.of) == ("200 men, 4 guns, 9 SP", "348 men, 8 SP")
    assert told.length == "2 h 10 (1 h 20 to 3 h 00)"
    assert told.turns == "9 turns (5 to 12) of 15 minutes"


def test_one_turn_and_many_fights_are_written_as_people_write_them() -> None:
    short = found(turns={"mean": 6.0, "p5": 6.0, "p95": 6.0}, runs=1000, asked=2400)
    told = build_figures(BATTLE, short, minutes=60)
    assert (told.turns, told.fights) == ("1 turn of 60 minutes", "1,000 of 2,400")


def test_a_side_without_foot_or_horse_has_no_men_to_lose() -> None:
    guns = BattleFile("Guns", "crown", "rebel", (BATTLE.units[1], BATTLE.units[2]))
    rows = [row for row in found()["units"] if row["id"] in ("guns", "militia")]  # type: ignore[attr-defined]
    crown, _ = build_figures(guns, found(units=rows), minutes=10).losses
    assert crown.men == "" and crown.share


def test_a_file_is_taken_as_each_ruleset_knows_it() -> None:
    document = {**read_document("hubbardton"), "options": {"rain_on_muskets": -1}}
    own, nothing = file_under(document, "awi")
    assert own.options == {"rain_on_muskets": -1} and nothing == []
    other, left_out = file_under(document, EXAMPLE.id)
    assert other.ruleset == EXAMPLE.id and other.options == {}
    assert any("rain_on_muskets" in sentence for sentence in left_out)
    chosen, _ = file_under(document, EXAMPLE.id, {"hits_on": 5})
    assert chosen.options == {"hits_on": 5}
    with pytest.raises(BattleFileError, match="hits_on cannot be 9"):
        file_under(document, EXAMPLE.id, {"hits_on": 9})


def test_odds_under_each_are_told_alike() -> None:
    for ruleset in ("awi", EXAMPLE.id):
        file, _ = file_under(read_document("hubbardton"), ruleset)
        told = build_figures(file, odds_to_json(estimate_odds(file, seed=1, runs=6)), minutes=10)
        assert told.runs == 6 and len(told.ends) == 3 and len(told.losses) == 2
        assert sum(end.percent for end in told.ends) == pytest.approx(100, abs=0.2)
        assert told.turns.endswith(" of 10 minutes")
