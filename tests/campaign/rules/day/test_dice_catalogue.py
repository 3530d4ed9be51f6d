"""Which dice a real one can be entered for (HR-UMP-12)."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from campaign.rules.day.dice_catalogue import AT_THE_START, EXAMPLES, OF_LETTERS, THROWS, verify_throw
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.world.world import World
from campaign.scenarios.reading import read_scenario, scenario_path

RULES = Path(__file__).resolve().parents[4] / "campaign" / "rules"
CORPS = "advanced_corps"


@pytest.fixture(scope="module")
def saratoga() -> World:
    return read_scenario(scenario_path("saratoga-1777")).world


def last_day(world: World) -> World:
    """The morning of the last day of the week."""
    return replace(world, day=6)


def test_every_die_the_rules_throw_is_known_hr_ump_12():
    thrown: set[str] = set()
    for file in RULES.rglob("*.py"):
        text = file.read_text()
        thrown |= set(re.findall(r"\.roll\(\s*\"([A-Z0-9-]+)\"", text))
        named = re.findall(r"\.roll\(\s*(RULE_[A-Z]+)", text)
        thrown |= {re.search(rf'^{name} = "(.+)"', text, re.M)[1] for name in named}
    assert "HR-WEA-02" in thrown
    # thrown under a rule the caller names: forced marches, and getting away from a contact
    given = {"AWI-C-MAR-01", "AWI-C-MAR-02", "HR-CON-02", "HR-CON-04", "HR-CON-06"}
    assert thrown | given == {*THROWS, *AT_THE_START, *OF_LETTERS}
    assert {throw.subject for throw in THROWS.values()} <= set(EXAMPLES)


@pytest.mark.parametrize(
    ("rule", "subject", "index", "sides"),
    [
        ("HR-WEA-01", "theatre", 2, 10),
        ("AWI-C-MAR-02", "UNIT", 0, 6),
        ("AWI-C-ATT-01", "UNIT", 0, 6),
        ("AWI-C-POL-05", "new-british-line-1", 3, 7),
        ("AWI-C-MIL-03", "militia/american", 0, 6),
        ("AWI-C-EUR-01", "replacements/german", 0, 6),
        ("HR-CON-02", "d6/ticonderoga/1/rebel", 0, 6),
        ("HR-CON-09", "d6/ticonderoga/2/advanced_corps-d1", 0, 6),
        ("HR-PUR-01", "d6/ticonderoga/1/UNIT", 11, 6),
        ("HR-SIE-03", "ticonderoga", 0, 6),
        ("HR-FOG-05", "crown/poors_brigade", 2, 201),
        ("HR-COU-03", "crown/order/advanced_corps", 0, 6),
        ("HR-COU-03", "rebel/report/albany", 0, 6),
    ],
)  # fmt: skip
def test_what_the_day_may_throw_can_be_entered_hr_ump_12(saratoga, rule, subject, index, sides):
    unit = next(iter(saratoga.units))
    act = corrections.EnterDie(rule, subject.replace("UNIT", unit), index, 1, sides)
    verify_throw(last_day(saratoga), act)


@pytest.mark.parametrize(
    ("rule", "subject", "index", "sides", "field", "sentence"),
    [
        ("HR-XYZ-99", "theatre", 0, 6, "rule", "No die of a day"),
        ("HR-ARR-03", "howe", 0, 6, "rule", "when the campaign began"),
        ("HR-LET-06", "crown/1", 0, 6, "rule", "fall for letters"),
        ("AWI-C-ATT-01", "9th_foot", 0, 6, "rule", "week's end"),
        ("HR-WEA-02", "theatre", 0, 10, "sides", "6 faces"),
        ("HR-WEA-02", "theatre", 1, 6, "index", "one die"),
        ("HR-WEA-02", "lake", 0, 6, "subject", "write it as theatre"),
        ("AWI-C-MAR-01", "nobody", 0, 6, "subject", "write it as"),
        ("HR-CON-02", "d9/ticonderoga/1/rebel", 0, 6, "subject", "write it as"),
        ("HR-CON-02", "d0/london/1/rebel", 0, 6, "subject", "write it as"),
        ("HR-CON-02", "d0/ticonderoga/1/spain", 0, 6, "subject", "write it as"),
        ("HR-FOG-05", "crown/nobody", 0, 201, "subject", "write it as"),
        ("HR-COU-03", "crown/parcel/albany", 0, 6, "subject", "write it as"),
        ("HR-BRG-04", "milky_way", 0, 6, "subject", "write it as"),
    ],
)  # fmt: skip
def test_what_no_day_asks_for_is_refused_beside_its_field_hr_ump_12(
    saratoga, rule, subject, index, sides, field, sentence
):
    with pytest.raises(RuleViolation) as refused:
        verify_throw(saratoga, corrections.EnterDie(rule, subject, index, 1, sides))
    assert (refused.value.rule_id, refused.value.field) == ("HR-UMP-12", field)
    assert sentence in refused.value.message
