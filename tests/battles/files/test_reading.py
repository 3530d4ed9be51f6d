"""Battle files as JSON: round trip, schema, refusals."""

import json
from copy import deepcopy
from dataclasses import asdict, fields, replace
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from battles.errors import BattleFileError
from battles.files.checks import COVERS, PLANS
from battles.files.document_checks import plan_fields
from battles.files.json_schema import FIELDS, PUBLISHED, SHAPES, battle_schema
from battles.files.reading import (
    battle_from_json,
    battle_to_json,
    decode_battle,
    find_shipped_battles,
    parse_document,
    read_battle,
)
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleLeader,
    BattlePlan,
    BattleUnit,
    Feature,
    PlanKind,
)
from battles.rulesets.awi.options import OPTIONS
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType

DOCS = Path(__file__).resolve().parents[3] / "docs" / "battle-file.md"

DOCUMENT: dict[str, Any] = {
    "format": "awi-battle",
    "version": 1,
    "title": "Freeman's Farm",
    "sides": [
        {"id": "rebel", "name": "Gates", "role": "defender", "plan": "hold"},
        {
            "id": "crown",
            "role": "attacker",
            "plan": {"kind": "turn_flank", "flank": "right", "goal": [40, 50.5]},
            "break_percent": 40,
        },
    ],
    "units": [
        {"id": "24th", "side": "crown", "troop_type": "british_line", "sp": 5, "x": 40, "y": 12},
        {"id": "battery", "side": "crown", "troop_type": "european_artillery", "sp": 4, "gun_class": "light"},
        {
            "id": "morgan",
            "name": "Morgan's",
            "side": "rebel",
            "troop_type": "american_regular_rifles",
            "sp": 5,
        },
    ],
    "leaders": [{"id": "Fraser", "side": "crown", "commands": ["24th"], "with_unit": "24th"}],
    "ground": {
        "width": 72,
        "depth": 60,
        "features": [
            {"kind": "open_woods", "id": "wood", "points": [[0, 45], [20, 45], [20, 60]]},
            {"kind": "fence", "points": [[30, 40], [50, 40]]},
        ],
    },
    "options": {"evade": "open_order_foot_and_cavalry"},
    "turns": 24,
    "objective": [36, 40],
    "sources": ["Letters of Digby"],
}


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    """The document with one thing set, or taken out when the value is `...`."""
    data = deepcopy(DOCUMENT)
    place = data
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


def test_a_document_becomes_a_battle() -> None:
    battle = battle_from_json(DOCUMENT)
    assert (battle.attacker, battle.defender) == ("crown", "rebel")
    assert battle.side_names == {"rebel": "Gates"} and battle.break_points == {"crown": 40}
    assert battle.plans == {
        "rebel": BattlePlan("hold"),
        "crown": BattlePlan("turn_flank", flank="right", goal=(40.0, 50.5)),
    }
    assert battle.units[0] == BattleUnit(
        "24th", "24th", "crown", TroopType.BRITISH_LINE, 5, x=40.0, y=12.0, facing=None
    )
    assert battle.units[1].gun_class is GunClass.LIGHT
    assert battle.leaders == (
        BattleLeader("Fraser", "Fraser", "crown", commands=("24th",), with_unit="24th"),
    )
    assert battle.ground is not None and battle.ground.features[1] == Feature(
        "fence", ((30.0, 40.0), (50.0, 40.0))
    )
    assert battle.objective == (36.0, 40.0) and battle.sources == ("Letters of Digby",)


def test_what_is_left_out_has_its_default() -> None:
    least = {key: DOCUMENT[key] for key in ("format", "version", "title", "units")}
    sides = [{"id": "rebel", "role": "defender"}, {"id": "crown", "role": "attacker"}]
    battle = battle_from_json({**least, "sides": sides})
    again = BattleFile(DOCUMENT["title"], "crown", "rebel", battle.units)
    assert battle == again
    assert battle_from_json(battle_to_json(again)) == again


def plan_of(kind: PlanKind, **more: Any) -> BattlePlan:
    """A plan without the fields that its kind has no use for."""
    written = {"kind": kind, **more}
    return BattlePlan(**{name: value for name, value in written.items() if name not in plan_fields(written)})


names = st.text("abcdefgh ", min_size=1, max_size=6).filter(str.strip)
spots = st.tuples(st.floats(4, 90), st.floats(4, 56))
plans = st.builds(
    plan_of,
    st.sampled_from(PLANS),
    flank=st.sampled_from(("left", "right")),
    reserve_percent=st.integers(0, 50),
    boldness=st.integers(-2, 2),
    until=st.integers(0, 10),
    then=st.sampled_from(PLANS),
    goal=st.none() | spots,
    lookahead=st.booleans(),
)
#: Ground with nothing that bars a unit, so that every battle below can be fought.
features = st.builds(
    Feature,
    st.sampled_from(("rough", "crops", "open_woods")),
    st.tuples(spots, st.floats(1, 4)).map(
        lambda at: ((at[0][0] - at[1], at[0][1]), (at[0][0] + at[1], at[0][1]), (at[0][0], at[0][1] + at[1]))
    ),
    name=names,
)


@st.composite
def battles(draw: st.DrawFn) -> BattleFile:
    """Any battle that can be fought, drawn up by the engine."""
    units = []
    for side in ("crown", "rebel"):
        for i in range(draw(st.integers(0, 3))):
            kind = draw(st.sampled_from(TroopType))
            gun_class = GunClass.HEAVY if kind.value.endswith("artillery") else GunClass.NONE
            sp, arrives = draw(st.integers(1, 6)), draw(st.integers(0, 3))
            units.append(
                BattleUnit(
                    f"{side} {i}", draw(names), side, kind, sp, gun_class,
                    kind is TroopType.MILITIA and draw(st.booleans()),
                    arrives=arrives, reserve=TYPES[kind].arm is not Arm.WHEELED and draw(st.booleans()),
                )
            )  # fmt: skip
    options = {
        name: draw(st.sampled_from(option.choices)) for name, option in OPTIONS.items() if draw(st.booleans())
    }
    sides = ("crown", "rebel")
    return BattleFile(
        draw(names), *sides, tuple(units), draw(st.sampled_from(COVERS)),
        plans={side: draw(plans) for side in sides if draw(st.booleans())},
        options=options,
        turns=draw(st.integers(1, 144)),
        break_percent=draw(st.integers(1, 100)),
        side_names={side: draw(names) for side in sides if draw(st.booleans())},
        ground=draw(st.none() | st.builds(BattleGround, features=st.lists(features, max_size=2).map(tuple))),
        break_points={side: draw(st.integers(1, 100)) for side in sides if draw(st.booleans())},
        objective=draw(st.none() | spots),
        notes=draw(names),
        sources=tuple(draw(st.lists(names, max_size=2))),
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(battles())
def test_written_and_read_again_a_battle_is_the_same(battle: BattleFile) -> None:
    text = json.dumps(battle_to_json(battle))
    assert battle_from_json(parse_document(text), part=True) == battle
    assert decode_battle(json.loads(json.dumps(asdict(battle)))) == battle


@pytest.mark.parametrize(
    ("path", "value", "field", "says"),
    [
        (["units", 0, "troop_type"], "british_lime", "units[0].troop_type", "did you mean “british_line”"),
        (["units", 0, "trop_type"], "militia", "units[0].trop_type", "did you mean “troop_type”"),
        (["units", 1, "sp"], "five", "units[1].sp", "must be a whole number"),
        (["units", 1, "sp"], 7, "units[1].sp", "0 to 6. .*split a stronger unit"),
        (["units", 1, "sp"], 0, "units[1].sp", "leave it out"),
        (["units", 1, "sp"], ..., "units[1].sp", "There is no “sp”; add it"),
        (["units", 1, "gun_class"], ..., "units[1].gun_class", "of which class"),
        (["units", 1, "id"], "24th", "units[1].id", "there twice"),
        (["units", 1, "id"], "", "units[1].id", "is empty"),
        (["units", 2, "side"], "france", "units[2].side", "fights for “france”"),
        (["units", 2, "x"], float("nan"), "units[2].x", "must be a number, not nan|it must be a number"),
        (["units", 2, "reserve"], 1, "units[2].reserve", "must be true or false"),
        (["units", 2, "traits"], ["tall"], "units[2].traits[0]", "no choice for traits.0.; there are pikes"),
        (["units", 0, "task"], {"work": "dig", "at": "x"}, "units[0].task.work", "no choice for work"),
        (["units"], {}, "units", "must be a list"),
        (["sides", 0, "role"], "attacker", "sides[1].role", "Both sides are the attacker"),
        (["sides", 0, "id"], "crown", "sides[1].id", "two different sides"),
        (["sides", 0], ..., "sides", "must have 2"),
        (["sides", 0, "plan"], "hald", "sides[0].plan", "did you mean “hold”"),
        (["sides", 0, "plan"], 5, "sides[0].plan", "must be a text"),
        (["sides", 1, "plan", "kind"], ..., "sides[1].plan.kind", "There is no “kind”"),
        (["sides", 1, "plan", "boldness"], 3, "sides[1].plan.boldness", "-2 to 2"),
        (["sides", 1, "break_percent"], 0, "sides[1].break_percent", "1 to 100"),
        (["ground", "features", 0, "kind"], "jungle", "ground.features[0].kind", "no choice for kind"),
        (["ground", "features", 0, "points", 1], [3], "ground.features[0].points[1]", "must have 2"),
        (["ground", "wide"], 5, "ground.wide", "not known here"),
        (["options", "weather"], "fine", "options.weather", "no option “weather”; there are scale"),
        (["options", "evade"], "always", "options.evade", "cannot be always; there are none, open_order"),
        (["turns"], 0, "turns", "1 to 144"),
        (["turns"], None, "turns", "is null; it must be a whole number"),
        (["ruleset"], "chess", "ruleset", "no ruleset “chess”"),
        (["cover"], "marsh", "cover", "none, soft, hard, fortified"),
        (["format"], "csv", "format", "awi-battle"),
        (["version"], 2, "version", "reads 1 only"),
        (["title"], ..., "title", "There is no “title”"),
        (["weather"], "fine", "weather", "not known here"),
    ],
)
def test_a_fault_is_refused_with_its_path_and_what_to_do(
    path: list[Any], value: Any, field: str, says: str
) -> None:
    with pytest.raises(BattleFileError, match=says) as refused:
        battle_from_json(changed(path, value))
    assert refused.value.field == field
    assert refused.value.rule_id.startswith("AWI-T-")
    assert refused.value.message.endswith(".")


def places(data: Any) -> list[list[Any]]:
    """Paths of everything in a document."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [[key, *rest] for key, item in inside for rest in ([], *places(item))]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab{}", max_size=3)
    | st.sampled_from(["24th", "crown", "wood", "assault", 10**400, 1e308, -1, 0, 7]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "x", "kind"]), inner),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(places(DOCUMENT)), anything | st.just(...)), min_size=1, max_size=2)
)
def test_whatever_is_changed_is_read_or_refused_with_a_sentence(changes: list[tuple[list[Any], Any]]) -> None:
    data = deepcopy(DOCUMENT)
    for path, value in changes:
        place: Any = data
        try:
            for step in path[:-1]:
                place = place[step]
            if value is ...:
                del place[path[-1]]
            else:
                place[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # the first change has taken the place away
    try:
        battle_from_json(data)
    except BattleFileError as error:
        assert error.message.endswith(".") and error.rule_id.startswith("AWI-T-")


@pytest.mark.parametrize("data", [None, [], 5, "battle"])
def test_what_is_no_object_is_no_battle(data: Any) -> None:
    with pytest.raises(BattleFileError, match="it must be an object"):
        battle_from_json(data)


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        (b'{"title": "a",\n  "units" 5}', "line 2, column 11", "not valid JSON"),
        (b'{"turns": 5, "turns": 6}', "turns", "said twice"),
        (b'{"units": [{"x": NaN}]}', "units[0].x", "finite"),
        (b'{"title": "\xff"}', "", "UTF-8"),
        (b'{"title": "\\ud800"}', "title", "broken character .U.D800."),
        (b"", "", "is empty"),
        (b" \n", "", "is empty"),
        (b'{"units": [{"x": 1e999}]}', "units[0].x", "finite"),
        (b'{"sides": [{"id": "a", "id": "b"}]}', "sides[0].id", "said twice"),
        (b"[" * 200_000, "", "too deep"),
        (b"9" * 5000, "", "too long"),
    ],
)
def test_what_is_no_json_is_refused(text: bytes, field: str, says: str) -> None:
    with pytest.raises(BattleFileError, match=says) as refused:
        parse_document(text)
    assert refused.value.field == field


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "farm.json"
    file.write_text(json.dumps(DOCUMENT))
    assert read_battle(str(file)) == battle_from_json(DOCUMENT)
    for name in (str(tmp_path / "none.json"), str(tmp_path), "", "a\0b", "x" * 5000):
        with pytest.raises(BattleFileError, match="cannot be read"):
            read_battle(name)


@pytest.mark.parametrize("name", sorted(find_shipped_battles()))
def test_shipped_battles_can_be_fought_and_are_written_as_they_stand(name: str) -> None:
    battle = read_battle(name)
    assert battle_from_json(battle_to_json(battle)) == battle


def test_the_example_of_the_document_can_be_fought() -> None:
    example = DOCS.read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0]
    battle = battle_from_json(parse_document(example))
    assert battle.title == "A fence line" and len(battle.units) == 4


def test_a_large_battle_is_read_in_a_moment() -> None:
    units = [
        {"id": f"{side} {i}", "side": side, "troop_type": "militia", "sp": 5}
        for side in ("crown", "rebel")
        for i in range(500)
    ]
    data = {**changed(["leaders"], ...), "units": units}
    started = thread_time()  # of the processor's: others have it between
    assert len(battle_from_json(data).units) == 1000
    assert thread_time() - started < 5.0


def test_the_published_schema_is_the_one_in_force() -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(battle_schema())), "run manage.py battleschema --write"


def test_the_schema_is_one_and_takes_what_is_written() -> None:
    Draft202012Validator.check_schema(battle_schema())
    Draft202012Validator(battle_schema()).validate(battle_to_json(battle_from_json(DOCUMENT)))


def test_every_field_has_its_sentence() -> None:
    for shape, word in SHAPES.items():
        assert {f"{word}.{item.name}" for item in fields(shape)} == {  # type: ignore[arg-type]
            key for key in FIELDS if key.startswith(f"{word}.")
        }


def test_a_campaign_keeps_reading_what_it_stored() -> None:
    """The fields of the first version only."""
    unit = {
        "id": "1", "name": "47th", "side": "crown", "troop_type": "british_line", "sp": 5,
        "gun_class": "none", "poor_militia": False, "formation": "", "arrives": 0,
    }  # fmt: skip
    stored = {
        "title": "Battle", "attacker": "crown", "defender": "rebel", "units": [unit], "cover": "soft",
        "plans": {"crown": {"kind": "assault"}}, "options": {}, "turns": 36, "break_percent": 50,
        "ruleset": "awi", "side_names": {"crown": "Crown"},
    }  # fmt: skip
    battle = decode_battle(stored)
    assert battle.units == (BattleUnit("1", "47th", "crown", TroopType.BRITISH_LINE, 5),)
    assert battle == replace(
        BattleFile("Battle", "crown", "rebel", battle.units, "soft"),
        plans={"crown": BattlePlan("assault")}, side_names={"crown": "Crown"},
    )  # fmt: skip


def test_notes_with_the_line_ends_of_windows_are_taken() -> None:
    assert parse_document(b'{"notes": "one\\r\\ntwo"}') == {"notes": "one\r\ntwo"}
