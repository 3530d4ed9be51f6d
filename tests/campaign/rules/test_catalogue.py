"""The catalogue of house rules: whole, without doubles, and nothing cited that it lacks."""

import re
from collections import Counter
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
ENTRIES = yaml.safe_load((ROOT / "campaign/rules/catalogue.yaml").read_text(encoding="utf-8"))["rules"]
IDS = [entry["id"] for entry in ENTRIES]
CITED = {
    found
    for app in ("campaign", "battles", "rosters")
    for path in (ROOT / app).rglob("*.py")
    for found in re.findall(r"HR-[A-Z]+-\d+", path.read_text(encoding="utf-8"))
}


def test_ids_are_unique() -> None:
    assert [name for name, count in Counter(IDS).items() if count > 1] == []


def test_every_house_rule_cited_in_the_code_stands_in_the_catalogue() -> None:
    assert len(CITED) > 50
    assert CITED - set(IDS) == set()


def test_every_entry_is_whole() -> None:
    for entry in ENTRIES:
        assert set(entry) == {"id", "title", "rule", "default", "basis", "settings", "status"}, entry["id"]
        assert re.fullmatch(r"HR-[A-Z]+-\d\d", entry["id"])
        assert entry["title"] and entry["rule"] and entry["default"]
        assert len(entry["basis"]) > 10, entry["id"]
        assert isinstance(entry["settings"], list)


def test_every_house_rule_is_played() -> None:
    assert {entry["status"] for entry in ENTRIES} == {"house"}
    assert not [name for name in IDS if name.startswith("HR-GAP-")]
