"""A sector on the table is mustered by the whole fight: the same brigades, points and cards (HR-TAB-14)."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from battles.files.reading import FIXTURES, decode_battle, read_battle
from battles.printing.packs import Occasion, Pack, UnitSheet
from battles.printing.sheet_types import GOES_WITH
from battles.printing.sheets import build_pack
from battles.rulesets import registry
from battles.table_pieces import list_piece_groups
from campaign.fog.battles import file_of_copy
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import (
    file_mustering,
    file_now,
    file_of_sector,
    muster_units,
    pieces_on_table,
    read_settlement_muster,
)
from campaign.rules.battles.table_results import UnitResult
from campaign.rules.umpire.battle_corrections import to_json_value
from campaign.selectors.battles.table_results import build_table_roster
from campaign.services.battles.entered_results import table_settlement
from campaign.services.battles.outcomes import MUSTER, settlement_to_json, settlement_with_muster_to_json
from campaign.services.proof.battles import StoredFight, _muster_holds

FIGHTS = ("bemis-heights", "freemans-farm", "bennington")
COUNTING = [one.id for one in registry.RULESETS if registry.get_rules(one.id).muster is not None]
SECTORS = 12


@cache
def whole_of(fight: str, ruleset: str) -> dict[str, Any]:
    file: dict[str, Any] = json.loads(json.dumps(to_json_value(read_battle(FIXTURES / f"{fight}.json"))))
    return file | {"ruleset": ruleset, "options": {}}


def battle_with(file: dict[str, Any], sector: list[str]) -> Battle:
    """A battle that is in no database."""
    attacker, defender = file["attacker"], file["defender"]
    return Battle(inputs={"file": file}, sector=sector, attacker=attacker, defender=defender, contact="c")


def sectors(file: dict[str, Any], count: int) -> Iterator[list[str]]:
    """Sectors of whole bodies, some of each side that stand; never all of the fight."""
    dice, bodies = random.Random(14), list_piece_groups(pieces_on_table(file))
    while count:
        share = dice.choice((0.2, 0.4, 0.6, 0.8))
        chosen = [body for body in bodies if dice.random() < share]
        if len({body.side for body in chosen if body.stands}) < 2 or len(chosen) == len(bodies):
            continue
        here = {unit for body in chosen for unit in body.units}
        yield [unit["id"] for unit in file["units"] if unit["id"] in here]
        count -= 1


def pack_of(battle: Battle, copy: str = "") -> Pack:
    """A copy of its pack, "" for the umpire's, without the map."""
    file = file_now(battle) | {"ground": None}
    own = (copy,) if copy else (battle.attacker, battle.defender)
    table = file_of_copy(decode_battle(file_of_sector(file, battle.sector)), copy)
    return build_pack(table, Occasion(), own=own, whole=decode_battle(file_mustering(file, battle.sector)))


def sheets_of(contents: Pack) -> dict[str, UnitSheet]:
    return {unit.id: unit for force in contents.forces for unit in force.units}


def said_of(sheet: UnitSheet) -> tuple[Any, ...]:
    return sheet.name, sheet.kind, sheet.sp, sheet.terms, sheet.taken_whole


@pytest.mark.parametrize("ruleset", COUNTING)
@pytest.mark.parametrize("fight", FIGHTS)
def test_a_sector_has_the_rows_cards_and_figures_of_the_whole_fight_hr_tab_14(fight, ruleset):
    file = whole_of(fight, ruleset)
    whole = battle_with(file, [])
    table, sheets = build_table_roster(whole, {}).units, sheets_of(pack_of(whole))
    for sector in sectors(file, SECTORS):
        battle, here = battle_with(file, sector), set(sector)
        rows = {key: row for key, row in table.items() if set(row.units) <= here}
        assert build_table_roster(battle, {}).units == rows, sector
        assert {unit for row in rows.values() for unit in row.units} == here
        contents = pack_of(battle)
        own = sheets_of(contents)
        assert {key: said_of(own[key]) for key in own} == {key: said_of(sheets[key]) for key in own}, sector
        assert {key for key in rows if rows[key].sp} == set(own)
        for side in (battle.attacker, battle.defender):
            copy = pack_of(battle, side)
            known = sheets_of(copy)
            assert {key: one.sp for key, one in known.items()} == {key: one.sp for key, one in own.items()}
            cards = {key: one.terms for key, one in known.items() if one.terms}
            assert cards == {key: own[key].terms for key in cards}
            assert copy.endings == contents.endings
            forces = [[one for one in each.forces if one.side == side] for each in (copy, contents)]
            assert [one.brigades for one in forces[0]] == [one.brigades for one in forces[1]]


@pytest.mark.parametrize("ruleset", COUNTING)
@pytest.mark.parametrize("fight", FIGHTS)
def test_the_pack_of_a_sector_speaks_of_those_in_it_alone_hr_tab_14(fight, ruleset):
    """Its breaking points are those of its own strength, its brigades the parts of them that are there."""
    file = whole_of(fight, ruleset)
    for sector in sectors(file, SECTORS):
        contents = pack_of(battle_with(file, sector))
        own, here = sheets_of(contents), set(sector)
        for force, ending in zip(contents.forces, contents.endings, strict=False):
            alongside = [one for one in force.units if one.terms and GOES_WITH in dict(one.terms.facts)]
            sp = force.sp - sum(one.sp for one in alongside)
            assert f" {sp} " in ending.partition("breaks off")[0] or f" {sp} SP" in ending, (sector, ending)
            for brigade in force.brigades:
                assert set(brigade.units) <= here
                assert brigade.sp == sum(own[unit].sp for unit in brigade.units)
                assert 0 < brigade.tires_at <= brigade.sp + 1


@pytest.mark.parametrize("ruleset", COUNTING)
@pytest.mark.parametrize("fight", FIGHTS)
def test_what_a_sector_lost_is_what_it_were_in_the_whole_fight_hr_tab_14_hr_bat_13(fight, ruleset):
    file, dice = whole_of(fight, ruleset), random.Random(16)
    whole = battle_with(file, [])
    for sector in sectors(file, SECTORS):
        battle = battle_with(file, sector)
        results = {}
        for key, row in build_table_roster(battle, {}).units.items():
            lost = dice.randint(0, row.sp)
            results[key] = UnitResult(lost, dice.randint(0, row.sp - lost))
        told = {"results": results, "field_held_by": battle.attacker}
        settled = table_settlement(battle=battle, **told)
        lost = {loss.unit: loss for loss in settled.losses if loss.unit in sector}
        entire = {loss.unit: loss for loss in table_settlement(battle=whole, **told).losses}
        assert lost == {unit: entire[unit] for unit in sector}
        kept = read_settlement_muster(settlement_with_muster_to_json(settled, file, sector))
        every = muster_units(file)
        assert kept == {key: one for key, one in every.items() if set(one.units) <= set(sector)}


def test_musters_kept_of_earlier_sectors_are_proof_still_hr_tab_14():
    """Kept are that of the whole cut to the sector, of the sector by itself, and of the whole fight."""
    file = whole_of("bemis-heights", "vb_rtg")
    differ = 0
    for sector in sectors(file, 60):
        settled = table_settlement(battle=battle_with(file, sector), results={}, field_held_by="")
        now = settlement_with_muster_to_json(settled, file, sector)
        alone, entire = muster_units(file_of_sector(file, sector)), muster_units(file)
        fight = StoredFight("f", 1, 1, 1, "c", "table", now, file, sector=sector)
        assert _muster_holds(fight)
        differ += read_settlement_muster(now) != alone
        for older in (alone, entire):
            stored = {**settlement_to_json(settled), MUSTER: [to_json_value(one) for one in older.values()]}
            assert _muster_holds(StoredFight("f", 1, 1, 1, "c", "table", stored, file, sector=sector))
        first, *others = now[MUSTER]
        forged = {**now, MUSTER: [{**first, "points": first["points"] + 1}, *others]}
        assert not _muster_holds(StoredFight("f", 1, 1, 1, "c", "table", forged, file, sector=sector))
    assert differ, "no sector by itself stood otherwise"


def test_a_sector_that_cuts_a_brigade_is_mustered_by_itself_hr_tab_14():
    """Nobody can split a fight so any more; one split by an earlier version keeps the figures it had."""
    file = whole_of("bemis-heights", "vb_rtg")
    for sector in sectors(file, 40):
        pooled = next((row for row in pieces_on_table(file, sector) if len(row.units) > 1), None)
        if pooled is None:
            continue
        cut = [unit for unit in sector if unit != pooled.units[-1]]
        own = file_of_sector(file, cut)
        assert file_mustering(file, cut) == own
        assert pieces_on_table(file, cut) == pieces_on_table(own)
        assert muster_units(file, cut) == muster_units(own)
        rows = build_table_roster(battle_with(file, cut), {}).units
        assert {unit for row in rows.values() for unit in row.units} == set(cut)
        sheets = sheets_of(pack_of(battle_with(file, cut)))
        assert {key: sheet.sp for key, sheet in sheets.items()} == {key: row.sp for key, row in rows.items()}
