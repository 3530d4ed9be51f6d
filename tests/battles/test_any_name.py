"""A name comes whole through everything made of a battle, whatever marks and letters it has."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from battles.engine.events import BattleEvent
from battles.engine.fighting import FightResult
from battles.files.reading import FIXTURES, battle_from_json, battle_to_json, read_battle
from battles.files.schema import BattleFile, BattleOutcome, Feature, UnitOutcome
from battles.ground.drawing import ground_svg
from battles.printing.blinds import Blind
from battles.printing.packs import Hidden, Occasion
from battles.printing.sheets import build_pack, typeset_pack
from battles.replay.account import compose_account
from battles.replay.frames import build_show, show_to_json
from battles.replay.replay import read_replay, write_replay
from battles.replay.rolls import list_log_lines
from battles.rulesets.registry import RULESETS

#: Quotes, ampersands, commas, apostrophes, tags, marks of typesetting, letters of other scripts.
UNIT = """O'Hara's "Old" Guards & Sons, 2nd <b>Полк</b> #1 *a* _b_ $c$ @d \\\\ [red]x[/red]"""
SECOND = """Régiment d\u2019Œuvre, “Łódź” & Φίλοι"""
GENERAL = """Général Œ. d'Estaing, Comte & "Φίλος" <i>"""
SIDE = """the "King's" Friends & Allies, <i>Союз</i>"""
TITLE = """Battle of "Ö'Brien's" Mill & Ford, <script>alert(1)</script>"""
PLACE = """O'Neil & Söhne's <Farm>, "Мыза\""""


@pytest.fixture(scope="module")
def battle() -> BattleFile:
    """The battle of Bennington with such names."""
    found = read_battle(FIXTURES / "bennington.json")
    first, second, *others = found.units
    leader, *leaders = found.leaders
    assert found.ground is not None
    feature: Feature = replace(found.ground.features[0], name=PLACE)
    return replace(
        found,
        title=TITLE,
        units=(replace(first, name=UNIT), replace(second, name=SECOND), *others),
        leaders=(replace(leader, name=GENERAL), *leaders),
        side_names={found.attacker: SIDE, found.defender: f"{SIDE} II"},
        ground=replace(found.ground, features=(feature, *found.ground.features[1:])),
    )


@pytest.fixture(scope="module")
def result(battle: BattleFile) -> FightResult:
    """The first unit fires upon the second, and is gone."""
    first, second, *others = battle.units
    shot = BattleEvent(
        1, first.side, "E", "fire", first.id, second.id, (6,), 0, 0, "hit", "AWI-T-FIR-08", 0.0, 0.0, 0
    )
    units = [UnitOutcome(unit.id, unit.sp, 0, 0) for unit in others]
    units += [UnitOutcome(first.id, first.sp, 0, 0), UnitOutcome(second.id, second.sp - 1, 1, 0)]
    return FightResult(BattleOutcome("", 1, tuple(units)), (shot,), 1, ())


def text_of(svg: str) -> str:
    """All that is written in a drawing, which must be well-formed."""
    return " ".join(ElementTree.fromstring(svg).itertext())


def test_a_battle_file_comes_back_with_its_names(battle: BattleFile) -> None:
    assert battle_from_json(battle_to_json(battle)) == battle


def test_drawings_are_well_formed_and_have_the_names_whole(battle: BattleFile) -> None:
    assert battle.ground is not None
    placed = [replace(unit, x=10.0, y=10.0) for unit in battle.units[:2]]
    drawn = text_of(ground_svg(battle.ground, placed, near=SIDE, far=SIDE))
    assert UNIT in drawn and SECOND in drawn and SIDE in drawn
    contents = build_pack(battle, Occasion(copy=SIDE), own=(battle.attacker, battle.defender))
    assert contents.ground is not None and f"{SIDE} sets out here" in text_of(contents.ground.svg)


@pytest.mark.parametrize("ruleset", [one.id for one in RULESETS])
def test_a_pack_and_its_pdf_have_the_names_whole(battle: BattleFile, ruleset: str) -> None:
    fought = replace(
        battle,
        ruleset=ruleset,
        options={},
        # where several stand as one they are called by the first
        units=tuple(
            replace(unit, traits=(), name=UNIT if ruleset == "vb_rtg" else unit.name) for unit in battle.units
        ),
    )
    occasion = Occasion(
        campaign=TITLE, copy=SIDE, formations=dict.fromkeys({u.formation for u in fought.units}, PLACE)
    )
    hidden = {fought.attacker: Hidden((Blind("A", fought.units[0].id),))} if ruleset == "awi" else None
    contents = build_pack(fought, occasion, own=(fought.attacker, fought.defender), hidden=hidden)
    units = [unit.name for force in contents.forces for unit in force.units]
    named = [name for name in (UNIT, SECOND) if any(unit.startswith(name) for unit in units)]
    assert named and contents.title == TITLE
    pages = PdfReader(BytesIO(typeset_pack(contents.to_json(), "a4"))).pages
    printed = re.sub(r"\s+", "", " ".join(page.extract_text() for page in pages))
    for name in (*named, GENERAL, SIDE, TITLE, PLACE):
        assert re.sub(r"\s+", "", name) in printed, name


def test_accounts_rolls_and_replays_have_the_names_whole(
    battle: BattleFile, result: FightResult, tmp_path: Path
) -> None:
    told = " ".join(compose_account(battle, result))
    assert UNIT in told and SECOND in told and SIDE in told and TITLE in told
    assert any(UNIT in line and SECOND in line for line in list_log_lines(battle, result))
    write_replay(tmp_path / "replay.json", battle, result)
    replay = read_replay(tmp_path / "replay.json")
    assert replay.battle == battle
    shown = str(show_to_json(build_show(replay)))
    assert all(repr(name)[1:-1] in shown or name in shown for name in (UNIT, SECOND, GENERAL))


def test_a_pack_agrees_with_its_sides(battle: BattleFile) -> None:
    names = {battle.attacker: "the Americans", battle.defender: "the British"}
    contents = build_pack(replace(battle, side_names=names), Occasion(), own=(battle.attacker,))
    assert contents.ground is not None and contents.ground.set_out[0].startswith("The British set out from")
    drawn = text_of(contents.ground.svg)
    assert "the Americans set out here" in drawn and "the British set out here" in drawn
    assert [force.role for force in contents.forces] == ["attacker", "defender"]
