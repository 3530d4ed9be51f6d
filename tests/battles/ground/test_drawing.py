"""The drawing of a table: what is named, in which order it lies, and that no words collide."""

from dataclasses import replace
from typing import get_args
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.files.reading import find_shipped_battles, read_battle
from battles.files.schema import BattleGround, Feature
from battles.ground import drawing
from battles.ground.countries import COUNTRIES, Crossing
from battles.ground.drawing import LetteringBox, ground_svg
from battles.ground.landscape import ground_generate
from battles.ground.map_symbols import LAYERS
from battles.ground.names import ground_caption
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, battle_unit

SPACE = "{http://www.w3.org/2000/svg}"
SQUARE = ((40.0, 20.0), (60.0, 20.0), (60.0, 40.0), (40.0, 40.0))
ACROSS = ((0.0, 30.0), (96.0, 30.0))


def drawn(ground: BattleGround, *args: object, **more: object) -> ElementTree.Element:
    return ElementTree.fromstring(ground_svg(ground, *args, **more))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SPACE}text")]


def signs(root: ElementTree.Element) -> list[str]:
    """What the legend names."""
    legend = next(one for one in root.iter(f"{SPACE}g") if one.get("class") == "signs")
    return [text.text or "" for text in legend.iter(f"{SPACE}text")][1:]


def order(root: ElementTree.Element) -> list[str]:
    """Classes of what lies on the table, the lowest first."""
    table = next(one for one in root.iter(f"{SPACE}g") if one.get("clip-path"))
    return [one.get("class", "") for one in table]


def test_a_drawing_says_what_it_shows_and_draws_units_that_stand():
    ground = ground_generate(terrain="farmland", kind="village", crossing="bridge", seed=7)
    unit = battle_unit("Poor's <2nd>", CONGRESS, TroopType.CONTINENTAL_LINE)
    standing = replace(unit, x=48.0, y=45.0, facing=180)
    root = drawn(ground, [unit, standing], near="Crown & allies", far="Congress")
    assert root.findtext(f"{SPACE}desc") == ground_caption(ground)
    assert {"Congress", "Crown & allies"} <= set(words(root))
    blocks = [one for one in root.iter(f"{SPACE}g") if one.get("class") == "unit"]
    assert [one.get("transform") for one in blocks] == ["translate(480 150) rotate(180)"]
    assert blocks[0].findtext(f"{SPACE}title") == "Poor's <2nd>, 5 SP"


def test_the_legend_names_each_kind_that_occurs_once_and_no_other():
    ground = BattleGround(
        features=(
            Feature("hill", SQUARE, grade="steep"),
            Feature("hill", SQUARE, grade="level"),
            Feature("open_woods", SQUARE),
            Feature("open_woods", SQUARE),
            Feature("building", ((10.0, 10.0),), material="stone"),
        )
    )
    assert signs(drawn(ground)) == ["steep slope", "level height", "open wood", "stone house"]
    assert signs(drawn(BattleGround(), zone=15.0)) == ["drawn up to here"]
    assert signs(drawn(BattleGround())) == []


def test_every_kind_can_be_drawn():
    sites = ("bridge", "ford", "building")
    for kind in LAYERS:
        points = ((50.0, 30.0),) if kind in sites else SQUARE
        assert len(signs(drawn(BattleGround(features=(Feature(kind, points),))))) == 1


def test_water_lies_over_the_road_but_for_a_way_over_and_streams_end_in_lakes():
    road = Feature("road", ((48.0, 0.0), (48.0, 60.0)))
    features = (Feature("bridge", ((48.0, 30.0),)), Feature("water", SQUARE), Feature("stream", ACROSS), road)
    layers = [one for one in order(drawn(BattleGround(features=features))) if one]
    assert layers == ["land", "casing", "road", "stream", "run", "water", "bridge"]


def test_strokes_run_down_slopes_but_not_along_the_tables_edge_nor_under_a_later_hill():
    low = Feature("hill", ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)))
    whole = Feature("hill", ((0.0, 0.0), (96.0, 0.0), (96.0, 60.0), (0.0, 60.0)))
    strokes = [one for one in order(drawn(BattleGround(features=(low,)))) if one == "slope"]
    assert strokes == ["slope"]
    assert "slope" not in order(drawn(BattleGround(features=(whole,))))
    assert "slope" not in order(drawn(BattleGround(features=(low, whole))))


def test_names_of_the_shipped_actions_do_not_collide(monkeypatch):
    for name in find_shipped_battles():
        battle = read_battle(name)
        assert battle.ground is not None
        taken: list[LetteringBox] = []
        placed = drawing._render_name

        def spy(ground, words, spots, boxes, letters, size, taken=taken, placed=placed):
            before = len(boxes)
            text = placed(ground, words, spots, boxes, letters, size)
            taken.extend(boxes[before:])
            return text

        with monkeypatch.context() as patch:
            patch.setattr(drawing, "_render_name", spy)
            root = drawn(battle.ground, battle.units, near="near", far="far")
        assert any(text.get("class") == "name" for text in root.iter(f"{SPACE}text"))
        for number, box in enumerate(taken):
            assert not any(box.meets(other) for other in taken[number + 1 :])
            assert box.left >= 0 and box.right <= battle.ground.width * 10


@settings(max_examples=25)
@given(st.integers(0, 2**64 - 1), st.sampled_from(sorted(COUNTRIES)), st.sampled_from(get_args(Crossing)))
def test_whatever_the_country_the_drawing_is_well_formed_and_short(seed, terrain, crossing):
    ground = ground_generate(terrain=terrain, kind="road", crossing=crossing, seed=seed)
    svg = ground_svg(ground, near="one", far="other", zone=15.0)
    assert len(svg) < 60_000
    kinds = {one.kind for one in ground.features if one.kind != "hill"}
    grades = {one.grade for one in ground.features if one.kind == "hill"}
    stone = any(one.material == "stone" and one.kind == "building" for one in ground.features)
    wood = any(one.material == "wood" and one.kind == "building" for one in ground.features)
    assert len(signs(ElementTree.fromstring(svg))) == len(kinds) + len(grades) + 1 + (stone and wood)
