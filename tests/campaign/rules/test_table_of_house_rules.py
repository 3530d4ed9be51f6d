"""The table of house rules, row by row: its settings stand at its figures, and a test names each rule.

What a rule does is shown by the tests that name it; here only that no row has been lost.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from campaign.rules.world.settings import RuleSettings

ROOT = Path(__file__).parents[3]
ENTRIES = {
    entry["id"]: entry
    for entry in yaml.safe_load((ROOT / "campaign/rules/catalogue.yaml").read_text(encoding="utf-8"))["rules"]
}
NAMED = {
    found.upper().replace("_", "-")
    for path in (ROOT / "tests").rglob("test_*.py")
    if path != Path(__file__)
    for found in re.findall(r"hr[-_][a-z]{3}[-_]\d\d", path.read_text(encoding="utf-8").lower())
}

#: Row of the table: its rules, and its figures as settings.
ROWS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "march": (
        ("HR-MAR-01",),
        {"highway_miles": 15, "road_miles": 12, "track_miles": 10, "trail_miles": 8, "mountain_percent": 75},
    ),
    "light order": (("HR-MAR-03",), {"light_order_percent": 150, "light_order_days": 3}),
    "wagons, heavy guns": (("HR-MAR-02",), {"wagons_percent": 75}),
    "obstructed road": (("HR-OBS-01",), {"clearing_yards": 2200}),
    "rest": (("HR-MAR-05",), {"rest_every_days": 5}),
    "rain and storm": (
        ("HR-MAR-06", "HR-MAR-07", "HR-BRG-04"),
        {"rain_percent": 75, "storm_percent": 50, "wet_days_close_fords": 2, "raft_breaks_on": 1},
    ),
    "lake": (
        ("HR-WAT-02", "HR-WAT-03", "HR-WEA-02"),
        {"lake_miles": 20, "lake_foul_miles": 5, "lake_foul_wind_on": 2},
    ),
    "river": (
        ("HR-WAT-02", "HR-WAT-03"),
        {
            "river_down_miles": 25,
            "river_up_miles": 12,
            "rapids_down_miles": 45,
            "rapids_up_miles": 15,
            "tidal_miles": 40,
            "tidal_foul_miles": 0,
        },
    ),
    # by miles unless the campaign says whole days: a brigade's carry over the short portages is judgement
    "portage": (("HR-WAT-01",), {"portage_miles": 8, "portage_days": 0}),
    "food": (
        ("HR-SUP-01", "HR-SUP-02", "HR-SUP-03", "HR-SUP-04"),
        {
            "supply": "off",
            "carry_miles": 15,
            "carry_surplus_percent": 25,
            "carry_organised_percent": 90,
            "short_ration_percent": 150,
        },
    ),
    "sighting": (
        ("HR-FOG-01",),
        {
            "sight_foot_miles": 3,
            "sight_light_miles": 6,
            "sight_natives_miles": 10,
            "sight_woods_percent": 50,
            "sight_friendly_miles": 5,
        },
    ),
    "contact": (
        ("HR-CON-02", "HR-CON-14"),
        {"avoid_on": 3, "avoid_lighter_on": 2, "put_off_in": "storm"},
    ),
    "joining a battle": (("HR-CON-09",), {"unordered_join_miles": 5, "unordered_join_on": 4}),
    "retreat": (
        ("HR-RET-01", "HR-RET-02"),
        {"retreat_miles": 8, "retreat_rain_miles": 5, "retreat_wheels": "lost"},
    ),
    "pursuit": (("HR-PUR-01",), {"pursuit_miles": 5, "pursuit_on": 6}),
    "blocking a retreat": (("HR-RET-03",), {"block_retreat_parts": 3, "block_works_parts": 10}),
    "surrender of a force": (
        ("HR-SUR-02",),
        {"surrender_terms": True, "surrender_food_days": 3, "surrender_odds": 4, "terms_days": 3},
    ),
    "siege": (("HR-SIE-01", "HR-SIE-02"), {"sieges": "invest", "siege_height_days": 2}),
    "natives": (
        ("HR-NAT-01",),
        {"natives_lost_percent": 10, "natives_siege_days": 14, "natives_leave_on": 4},
    ),
    "levies": (
        ("HR-LEV-01",),
        {"levies_stay_on": 5, "levies_stay_near_enemy_on": 3, "levies_enemy_miles": 10},
    ),
    "field works": (("HR-WRK-01",), {"works_men_days": 250, "works_most": 6}),
    "arrivals": (("HR-ARR-01",), {"arrivals_shut_out": "nearest_post"}),
    "schedule or recruits": (("HR-REC-04",), {"recruitment": "draft"}),
    "tiny fights": (
        ("HR-CON-07",),
        {"tiny_fight_sp": 10, "tiny_fight_odds": 3, "tiny_fights": "settle"},
    ),
}


def test_every_house_rule_is_named_by_a_test() -> None:
    assert sorted(set(ENTRIES) - NAMED) == []


@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_table_is_a_rule_with_settings_and_a_test(row: str) -> None:
    rules, figures = ROWS[row]
    assert {name: getattr(RuleSettings(), name) for name in figures} == figures
    assert set(figures) <= {name for rule in rules for name in ENTRIES[rule]["settings"]}
    assert set(rules) <= NAMED
