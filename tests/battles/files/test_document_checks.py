"""Battle files that hold too much, or nothing to fight with: one sentence, and little work."""

import json
from pathlib import Path
from typing import Any

import pytest

from battles.errors import MOST_FAULTS, BattleFileError
from battles.files import suggestions
from battles.files.reading import battle_from_json, parse_document
from tests.prove.hostile_battle_files import area, comb, fight, ground, ring, teeth, turned, unit


def small(**more: Any) -> dict[str, Any]:
    """A document of two sides with two units each."""
    return fight() | more


def test_a_side_of_wagons_alone_fights_nobody_AWI_T_STR_01() -> None:
    document = small()
    for one in document["units"]:
        if one["side"] == "rebel":
            one["troop_type"] = "wagon"
    with pytest.raises(BattleFileError, match=r"Rebel has only wagons\. Add at least one unit that fights\."):
        battle_from_json(document)
    document["units"] = []
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(document)
    assert [fault.message[:18] for fault in caught.value.every] == [
        "Crown has no units",
        "Rebel has no units",
    ]


FAULTS = Path(__file__).parents[1] / "faults"


@pytest.mark.parametrize(
    ("name", "field", "says"),
    [
        (
            "03-comments.json",
            "line 1, column 1",
            "JSON cannot hold comments; remove the one that begins here.",
        ),
        ("20-zero-sp.json", "units[3].sp", "d has 0 SP; a unit has 1 to 6: leave it out."),
        ("21-one-side-only.json", "units", "Rebel has no units. Add at least one unit that fights."),
    ],
)
def test_a_file_somebody_sent_gets_one_sentence_AWI_T_REC_01(name: str, field: str, says: str) -> None:
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(parse_document((FAULTS / name).read_bytes()))
    assert [(fault.field, fault.message) for fault in caught.value.every] == [(field, says)]


SMALL = json.dumps(small())
SPOT = SMALL.index('"sp": ') + len('"sp": ')


@pytest.mark.parametrize(
    ("old", "new", "back", "cause"),
    [
        ('"version": 1,', '"version": 1, /* first */', 0, ""),
        ('"sp": 5}', '"sp": 5,}', 0, "there is a comma after the last value; remove it"),
        ('"sp": 5}', '"sp": 5, \n }', 0, "there is a comma after the last value; remove it"),
        ('"sp": 5}', '"sp": 4,5}', 1, "a number has a point for its decimals, as 4.5, not a comma"),
        ('"sp": 5}', '"sp": +5}', -1, "a number has no plus sign before it"),
        ('"sp": 5}', '"sp": 05}', 0, "a number does not begin with a nought"),
        ('"sp": 5}', '"sp": None}', -1, "write true, false and null in small letters"),
        (
            '"sp": 5}',
            "\u201csp\u201d: 5}",
            -7,
            'texts and names stand between straight double quotation marks ("), not \u201c',
        ),
    ],
    ids=["comment", "comma", "comma before a line", "4,5", "+5", "05", "None", "curly"],
)
def test_what_people_write_for_json_is_named_with_its_place(
    old: str, new: str, back: int, cause: str
) -> None:
    """Other versions of Python name another place and say another sentence of the last comma."""
    text = SMALL.replace(old, new, 1)
    with pytest.raises(BattleFileError) as caught:
        parse_document(text)
    said = f"This is not valid JSON: {cause}" if cause else "JSON cannot hold comments"
    assert caught.value.message.startswith(said)
    at = text.index("/*") if not cause else text.index(new) + len('"sp": 5') + back
    assert caught.value.field == f"line 1, column {at + 1}"


@pytest.mark.parametrize("text", ["[10 20]", "[0 5]", '{"size": 10 "depth": 5}'])
def test_two_values_without_a_comma_are_no_number_that_begins_with_a_nought(text: str) -> None:
    with pytest.raises(BattleFileError) as caught:
        parse_document(text)
    assert caught.value.message.startswith(
        "This is not valid JSON: a comma or a closing bracket is missing; "
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"format: awi-battle\n", "This is not valid JSON: a battle file begins with { and ends with }; "),
        (
            b"<!DOCTYPE html><html></html>",
            "This is a web page (HTML), not a battle file; a battle file is JSON",
        ),
        (
            b"PK\x03\x04\xff\xff",
            "This is a ZIP archive, not a battle file; unpack it and take the battle file",
        ),
        (b'{"turns": NaN}', "NaN cannot be measured; give a finite number."),
        (b'{"turns": 1e400}', "A number without end cannot be measured; give a finite number."),
        (b'{"title": "a\\nb"}', "This takes one line of text; remove the line break or tab."),
        (b'{"units": [{"id": "a\\u200b"}]}', "Character 2 is invisible (U+200B); remove it."),
    ],
)
def test_what_is_no_battle_file_or_holds_what_nobody_meant(data: bytes, says: str) -> None:
    with pytest.raises(BattleFileError) as caught:
        parse_document(data)
    assert caught.value.message.startswith(says)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        (
            [[1, 1], [9, 1], [9, 9], [1, 1]],
            "names its first corner again at the end; leave the last one out.",
        ),
        ([[1, 1], [5, 5], [9, 9]], "has no area: its corners lie on one line; move one."),
        ([[1, 1], [1, 1], [1, 1]], "needs 3 or more different corners, not 1."),
        ([[1, 1], [9, 9], [9, 1], [1, 9]], "crosses itself; name its corners in order round it, each once."),
    ],
)
def test_an_outline_that_is_none_is_told_by_its_cause(points: list[list[float]], says: str) -> None:
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(small(ground=ground(area("open_woods", points))))
    assert [fault.message for fault in caught.value.every] == [f"The open woods {says}"]


@pytest.mark.parametrize(
    ("document", "field", "says"),
    [
        (
            small(ground=ground(area("open_woods", ring(501)))),
            "ground.features[0].points",
            "ground.features[0].points has 501 points; the most is 500. Draw it simpler.",
        ),
        (
            small(ground=ground(*[area("crops", ring(500))] * 21)),
            "ground.features",
            "The ground has more than 10,000 points. Draw it simpler.",
        ),
        (
            small(sources=["x"] * 1025),
            "sources",
            "sources has 1,025 entries; the most is 1,024. Leave some out.",
        ),
        (
            small(options={f"o{n}": n for n in range(201)}),
            "options",
            "options has 201 fields; the most is 200. Leave some out.",
        ),
        (
            small(units=[unit(n, "crown", traits=[[0]] * 1000) for n in range(40)]),
            "",
            "The file has more than 60,000 values. Leave some out.",
        ),
        (small(title="x" * 201), "title", "title has 201 characters; the most is 200. Shorten it."),
        (small(notes="x" * 20_001), "notes", "notes has 20,001 characters; the most is 20,000. Shorten it."),
        (
            small(ground=ground(area("hill", comb(300)), area("hill", turned(comb(300))))),
            "ground.features",
            "Edges on this ground cross each other more than 5,000 times. "
            "Draw its lines and areas simpler, or leave some out.",
        ),
        (
            small(ground=ground(area("road", teeth(120)), area("stream", [[0, 48], [96, 48]]))),
            "ground.features[0].points",
            "The road meets streams and rivers 119 times; the most is 100. Draw it simpler.",
        ),
    ],
)
def test_what_is_too_much_is_refused_before_it_is_looked_through_AWI_T_TER_01(
    document: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(document)
    assert (caught.value.field, caught.value.message) == (field, says)


def test_of_thousands_of_faults_no_more_are_worked_out_than_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counted(word: str, *_: Any) -> list[str]:
        compared.append(word)
        return []

    monkeypatch.setattr(suggestions, "get_close_matches", counted)
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(small(units=[{f"sid{k}x": 0 for k in range(190)} for _ in range(100)]))
    assert len(caught.value.every) == MOST_FAULTS
    assert len(compared) <= 2 * MOST_FAULTS
