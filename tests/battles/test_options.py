"""Options of the tactical rules: all of the catalogue, typed, and written into the state record."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from battles.engine.dtypes import HIDES, HIDES_BADLY, IRELAND_1798, JACOBITE_1745
from battles.errors import BattleFileError
from battles.rulesets.awi.options import OPTIONS, options_resolve
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, table

CATALOGUE = yaml.safe_load((Path(__file__).parents[2] / "battles/rulesets/awi/catalogue.yaml").read_text())
TACTICAL: list[dict[str, Any]] = [
    option for option in CATALOGUE["options"] if option["rule"].startswith("AWI-T-")
]


def test_every_tactical_option_is_there_in_the_catalogues_order() -> None:
    assert list(OPTIONS) == [option["id"] for option in TACTICAL]


@pytest.mark.parametrize("option", TACTICAL, ids=lambda option: option["id"])
def test_options_have_the_catalogues_default_and_choices(option: dict[str, Any]) -> None:
    ours = OPTIONS[option["id"]]
    assert (ours.default, list(ours.choices), ours.rule) == (
        option["default"],
        option["choices"],
        option["rule"],
    )


@pytest.mark.parametrize("option", TACTICAL, ids=lambda option: option["id"])
def test_every_choice_is_taken_and_no_other(option: dict[str, Any]) -> None:
    for choice in option["choices"]:
        assert options_resolve({option["id"]: choice})[option["id"]] == choice
    with pytest.raises(BattleFileError, match=r"cannot be perhaps; .*there are ") as refused:
        options_resolve({option["id"]: "perhaps"})
    assert (refused.value.rule_id, refused.value.field) == (option["rule"], f"options.{option['id']}")


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({"road_bonus": "on"}, "road_bonus", 1),
        ({"ford_cost": "free"}, "ford_free", 1),
        ({"building_cover": "flat_minus_2"}, "building_flat", 1),
        ({"fortification_class": "by_kind"}, "works_by_kind", 1),
        ({"variant": "ireland_1798"}, "variant", IRELAND_1798),
        ({"variant": "jacobite_1745"}, "variant", JACOBITE_1745),
        ({"scale": "15mm"}, "metric", 1),
    ],
)
def test_choices_reach_the_state_record(options: dict[str, Any], field: str, value: int) -> None:
    stand = Stand(0, TroopType.CONTINENTAL_LINE, 48, 20)
    assert table(stand, options=options).o[field] == value
    assert table(stand).o[field] == 0


@pytest.mark.parametrize(
    ("choice", "dense", "open_"),
    [({"dense": 4, "open": 12}, 4, 12), ({"dense": 2, "open": 6}, 2, 6), ("unlimited", 1.0e9, 1.0e9)],
)
def test_others_in_woods_are_seen_by_option_AWI_T_TER_07(choice: Any, dense: float, open_: float) -> None:
    g = table(Stand(0, TroopType.CONTINENTAL_LINE, 48, 20), options={"woods_detection_other": choice})
    assert (g.o.dense_seen[HIDES_BADLY], g.o.open_seen[HIDES_BADLY]) == (dense, open_)
    assert (g.o.dense_seen[HIDES], g.o.open_seen[HIDES]) == (2, 6), "open order foot as ever"


def test_what_a_choice_cannot_be_is_told_shortly() -> None:
    with pytest.raises(BattleFileError, match=r"cannot be x{60}; there are none") as refused:
        options_resolve({"evade": "x" * 5_000})
    assert len(refused.value.message) < 200


def test_hr_wea_04_rain_spoils_muskets_and_rifles_and_no_guns() -> None:
    muskets = Stand(0, TroopType.CONTINENTAL_LINE, 48, 20)
    rifles, guns = (
        Stand(0, TroopType.AMERICAN_REGULAR_RIFLES, 48, 20),
        Stand(0, TroopType.AMERICAN_ARTILLERY, 48, 20),
    )
    for stand, less in ((muskets, -2), (rifles, -2), (guns, 0)):
        wet = table(stand, options={"rain_on_muskets": -2}).u[0].fire
        assert wet - table(stand).u[0].fire == less
    with pytest.raises(BattleFileError, match="cannot be 1") as refused:
        options_resolve({"rain_on_muskets": 1})
    assert refused.value.rule_id == "HR-WEA-04"


def test_a_choice_written_as_text_is_told_to_be_none() -> None:
    """It was asked whether 3 was meant where “3” stood."""
    with pytest.raises(BattleFileError, match="cannot be the text “6”; write 6 without quotation marks"):
        options_resolve({"wagon_move": "6"})
