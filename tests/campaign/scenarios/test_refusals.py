"""Unsound scenarios are refused whole, with file and row."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from campaign.rules.world.world_json import world_hash
from campaign.scenarios import reading
from campaign.scenarios.reading import Scenario, ScenarioError, read_scenario, scenario_path


def _rows(folder: Path, file: str) -> tuple[list[str], list[dict[str, str]]]:
    with (folder / file).open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        return list(reader.fieldnames or ()), list(reader)


def _write(folder: Path, file: str, columns: list[str], rows: list[dict[str, str]]) -> None:
    with (folder / file).open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _edit(folder: Path, file: str, key: str, column: str, value: str) -> int:
    """Change a field of the row whose first field is `key`; gives the row's number."""
    columns, rows = _rows(folder, file)
    index = next(number for number, row in enumerate(rows) if row[columns[0]] == key)
    rows[index][column] = value
    _write(folder, file, columns, rows)
    return index + 2


BAD_FIELDS = [
    ("routes.csv", "quebec", "b", "tadoussac", "there is no such place"),
    ("routes.csv", "quebec", "miles", "60", "miles apart"),
    ("routes.csv", "quebec", "miles", "600", "far longer"),
    ("routes.csv", "quebec", "miles", "far", "must be a number"),
    ("routes.csv", "quebec", "kind", "railway", "choose one of"),
    ("routes.csv", "quebec", "b", "quebec", "back to itself"),
    ("units.csv", "br_24_1", "campaign_points", "121", "0 to 120"),
    ("units.csv", "br_24_1", "campaign_points", "-5", "0 to 120"),
    ("units.csv", "br_24_1", "campaign_points", "many", "whole number"),
    ("units.csv", "br_24_1", "campaign_points", "0", "HR-DAT-04"),
    ("units.csv", "br_24_1", "arrival_date", "1778-06-15", "the campaign runs from"),
    ("units.csv", "br_24_1", "arrival_date", "15 June", "write dates as"),
    ("units.csv", "nh_long", "departure_date", "1777-10-19", "the campaign runs from"),
    ("units.csv", "nh_long", "departure_date", "1777-06-15", "not after the arrival"),
    ("units.csv", "br_24_1", "troop_type", "lancers", "no type that types.csv knows"),
    ("units.csv", "br_24_1", "nation", "prussian", "no type that types.csv knows"),
    ("units.csv", "br_24_1", "start_place", "tadoussac", "there is no such place"),
    ("units.csv", "br_24_1", "start_place", "st_johns", "a formation starts together"),
    ("units.csv", "br_24_1", "side", "rebel", "its formation of side crown"),
    ("units.csv", "br_24_1", "side", "whigs", "there is no such side"),
    ("units.csv", "br_24_1", "id", "br_gren_1", "ids are unique"),
    ("units_formations.csv", "br_24_1", "formation", "grand_army", "there is no such formation"),
    ("units_formations.csv", "br_24_1", "unit", "br_25_1", "there is no such unit"),
    ("formations.csv", "prinz_friedrich", "parent", "poors_brigade", "no other formation of that side"),
    ("formations.csv", "advanced_corps", "commander", "gates", "no leader of that side"),
    ("formations.csv", "prinz_friedrich", "commander", "fraser", "is commanded by “fraser” already"),
    ("leaders.csv", "riedesel", "name", "William Phillips", "“William Phillips” is already in row"),
    ("types.csv", "british", "nation", "english", "choose one of"),
    ("types.csv", "british", "gun_class", "light", "batteries have a class"),
    ("places.csv", "quebec", "lat", "146.8", "is not a place on earth"),
    ("places.csv", "quebec", "id", "sorel", "ids are unique"),
    ("flows.csv", "quebec", "b", "montreal", "there is no route"),
    ("musters.csv", "loyalist", "place", "tadoussac", "there is no such place"),
    ("musters.csv", "loyalist", "nation", "tory", "choose one of"),
    ("supply.csv", "crown", "side", "french", "choose one of"),
    ("objectives.csv", "ticonderoga", "from_day", "126", "0 to 125"),
    ("objectives.csv", "ticonderoga", "place", "quiberon", "there is no such place"),
    ("leaders.csv", "burgoyne", "start_place", "versailles", "there is no such place; correct it or"),
    ("leaders.csv", "burgoyne", "start_place", "ticonderga", "did you mean ticonderoga?"),
    ("leaders.csv", "burgoyne", "rank", "marshal", "choose one of army commander, wing, brigade"),
    ("weather.csv", "probability", "fair", "0.9", "must make 1"),
    ("places.csv", "quebec", "lat", "nan", "must be a number"),
    ("places.csv", "quebec", "id", "q" * 61, "61 letters; shorten it to 60"),
    ("places.csv", "quebec", "id", "que/bec", "may hold only letters"),
    ("places.csv", "quebec", "name", "Q" * 61, "shorten it"),
    ("places.csv", "quebec", "control", "britsh", "choose one of american, british, neutral"),
    ("places.csv", "quebec", "control", "", "choose one of"),
    ("routes.csv", "quebec", "miles", "inf", "must be a number"),
    ("routes.csv", "quebec", "miles", "1e9", "must be a number"),
    ("routes.csv", "quebec", "miles", "-120", "at least 1"),
    ("weather.csv", "probability", "fair", "nan", "must be a number"),
    ("objectives.csv", "ticonderoga", "points", "9" * 5000, "must be a whole number"),
    ("units.csv", "br_24_1", "id", "u" * 121, "shorten it to 120"),
    ("units.csv", "br_24_1", "name", "U" * 201, "shorten it to 200"),
    ("units.csv", "br_24_1", "parent_unit", "U" * 201, "shorten it to 200"),
    ("formations.csv", "advanced_corps", "id", "f" * 51, "shorten it to 50"),
    ("formations.csv", "advanced_corps", "name", "F" * 121, "shorten it to 120"),
    ("leaders.csv", "burgoyne", "id", "l" * 61, "shorten it to 60"),
    ("leaders.csv", "burgoyne", "name", "L" * 121, "shorten it to 120"),
    ("leaders.csv", "burgoyne", "rank", "L" * 41, "shorten it to 40"),
    ("leaders.csv", "burgoyne", "command", "L" * 201, "shorten it to 200"),
    ("leaders.csv", "burgoyne", "rating", "L" * 21, "shorten it to 20"),
    ("history.csv", "1777-06-15", "place", "tadoussac", "there is no such place"),
]


@pytest.mark.parametrize(("file", "key", "column", "value", "reason"), BAD_FIELDS)
def test_a_faulty_field_is_refused_with_file_and_row(
    copy: Path, file: str, key: str, column: str, value: str, reason: str
) -> None:
    row = _edit(copy, file, key, column, value)
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    found = [
        problem for problem in refused.value.problems if problem.file == file and reason in problem.reason
    ]
    assert found, refused.value
    # A repeated id is told of the second row that bears it.
    assert found[0].row == row or "unique" in reason


def _lose_a_route(folder: Path) -> tuple[str, int]:
    """Unadilla hangs on one trail."""
    columns, rows = _rows(folder, "routes.csv")
    _write(folder, "routes.csv", columns, [row for row in rows if row["b"] != "unadilla"])
    _, places = _rows(folder, "places.csv")
    return "places.csv", [place["id"] for place in places].index("unadilla") + 2


def _cut_off_two_places(folder: Path) -> tuple[str, int]:
    """A route between two new places that nothing joins to the map: told of the first of them."""
    columns, rows = _rows(folder, "places.csv")
    first = len(rows) + 2
    gaspe = {**rows[0], "id": "gaspe", "lat": "48.83", "lon": "-64.48", "control": "neutral"}
    perce = {**gaspe, "id": "perce", "lat": "48.52", "lon": "-64.21"}
    _write(folder, "places.csv", columns, [*rows, gaspe, perce])
    columns, rows = _rows(folder, "routes.csv")
    trail = {**rows[0], "a": "gaspe", "b": "perce", "kind": "trail", "miles": "40", "crossing": "none"}
    _write(folder, "routes.csv", columns, [*rows, trail])
    return "places.csv", first


def _repeat_a_route(folder: Path) -> tuple[str, int]:
    """The same river told from its other end."""
    columns, rows = _rows(folder, "routes.csv")
    _write(folder, "routes.csv", columns, [*rows, {**rows[0], "a": rows[0]["b"], "b": rows[0]["a"]}])
    return "routes.csv", len(rows) + 2


def _drop_an_assignment(folder: Path) -> tuple[str, int]:
    columns, rows = _rows(folder, "units_formations.csv")
    _write(folder, "units_formations.csv", columns, rows[1:])
    return "units.csv", 2


def _empty_a_formation(folder: Path) -> tuple[str, int]:
    columns, rows = _rows(folder, "formations.csv")
    _write(folder, "formations.csv", columns, [*rows, {**rows[0], "id": "ghosts"}])
    return "formations.csv", len(rows) + 2


def _add_a_field(folder: Path) -> tuple[str, int]:
    path = folder / "supply.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], lines[1] + ",more", *lines[2:]]), encoding="utf-8")
    return "supply.csv", 2


def _leave_only_the_header(folder: Path) -> tuple[str, int]:
    columns, _ = _rows(folder, "places.csv")
    _write(folder, "places.csv", columns, [])
    return "places.csv", 0


def _save_in_latin_1(folder: Path) -> tuple[str, int]:
    """As an old spreadsheet saves the name of Chimney Point's French lines."""
    path = folder / "supply.csv"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[2].replace(b"Base", b"Bas\xe9"), *lines[3:]]))
    return "supply.csv", 3


def _save_the_head_in_latin_1(folder: Path) -> tuple[str, int]:
    path = folder / "scenario.toml"
    path.write_bytes(b"# Sarat\xf3ga\n" + path.read_bytes())
    return "scenario.toml", 1


def _leave_a_quote_open(folder: Path) -> tuple[str, int]:
    path = folder / "supply.csv"
    path.write_text(path.read_text(encoding="utf-8") + 'crown,"' + "x" * 140_000, encoding="utf-8")
    with path.open(encoding="utf-8") as lines:
        return "supply.csv", len(lines.readlines())


def _drop_a_column(folder: Path) -> tuple[str, int]:
    columns, rows = _rows(folder, "units.csv")
    for row in rows:
        del row["quality"]
    _write(folder, "units.csv", [name for name in columns if name != "quality"], rows)
    return "units.csv", 1


def _drop_a_file(folder: Path) -> tuple[str, int]:
    (folder / "musters.csv").unlink()
    return "musters.csv", 0


def _leave_a_gap_in_the_weather(folder: Path) -> tuple[str, int]:
    columns, rows = _rows(folder, "weather.csv")
    _write(folder, "weather.csv", columns, [row for row in rows if row["id"] != "aug_1"])
    return "weather.csv", 0


def _change_head(old: str, new: str, row: int = 0) -> Callable[[Path], tuple[str, int]]:
    def change(folder: Path) -> tuple[str, int]:
        path = folder / "scenario.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return "scenario.toml", row

    return change


@pytest.mark.parametrize(
    "spoil",
    [
        _lose_a_route,
        _cut_off_two_places,
        _repeat_a_route,
        _drop_an_assignment,
        _empty_a_formation,
        _add_a_field,
        _leave_only_the_header,
        _save_in_latin_1,
        _save_the_head_in_latin_1,
        _leave_a_quote_open,
        _drop_a_column,
        _drop_a_file,
        _leave_a_gap_in_the_weather,
        pytest.param(_change_head("end = 1777-10-18", "end = 1776-10-18"), id="ends before it starts"),
        pytest.param(_change_head("start = 1777-06-15", 'start = "June"'), id="start is no date"),
        pytest.param(_change_head('title = "Saratoga 1777"', ""), id="no title"),
        pytest.param(_change_head('"damped"', '"plenty"'), id="unknown choice of a setting"),
        pytest.param(_change_head("recruitment", "recruits"), id="unknown setting"),
        pytest.param(_change_head('side = "rebel"', 'side = "french"'), id="seat of no side"),
        pytest.param(_change_head('american = "rebel"', 'american = "whig"'), id="held by no side"),
        pytest.param(_change_head("[[sides]]", "[[sides]", row=8), id="not TOML"),
        pytest.param(_change_head("[holders]", "[holder]"), id="no holders"),
        pytest.param(_change_head('american = "rebel"', "american = 2"), id="held by a number"),
        pytest.param(_change_head('american = "rebel"', "american = []"), id="held by a list"),
        pytest.param(_change_head('title = "Saratoga 1777"', "title = 1777"), id="a title that is no text"),
        pytest.param(
            _change_head('title = "Saratoga 1777"', f'title = "{"x" * 201}"'), id="too long a title"
        ),
        pytest.param(_change_head('id = "crown"', f'id = "{"x" * 41}"'), id="too long a side"),
        pytest.param(_change_head('id = "crown"', 'id = "the crown"'), id="a side with a blank"),
        pytest.param(_change_head('colour = "#9b2d30"', 'colour = "red"'), id="no colour"),
        pytest.param(_change_head('username = "gates"', "username = 7"), id="a name that is no text"),
        pytest.param(_change_head('username = "gates"', 'user = "gates"'), id="a seat without a name"),
        pytest.param(_change_head("[holders]", "holders = 3\n[more]"), id="holders no table"),
        pytest.param(
            _change_head('recruitment = "damped"', 'recruitment = ["damped"]'), id="a list for a setting"
        ),
        pytest.param(_change_head("[settings]", "[[settings]]"), id="settings no table"),
    ],
)
def test_an_unsound_scenario_is_refused_with_file_and_row(
    copy: Path, spoil: Callable[[Path], tuple[str, int]]
) -> None:
    where = spoil(copy)
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    assert where in [(problem.file, problem.row) for problem in refused.value.problems]


@pytest.mark.parametrize("file", ["scenario.toml", "units.csv", "places.csv"])
def test_a_byte_order_mark_does_no_harm(copy: Path, saratoga: Scenario, file: str) -> None:
    """Some spreadsheets and editors begin a UTF-8 file with one."""
    path = copy / file
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert world_hash(read_scenario(copy).world) == world_hash(saratoga.world)


@pytest.mark.parametrize("value", ['"crown"', "3", '["crown"]'])
def test_holders_must_be_a_table(copy: Path, value: str) -> None:
    path = copy / "scenario.toml"
    head, _, rest = path.read_text(encoding="utf-8").partition("[holders]")
    _, _, rest = rest.partition("[settings]")
    path.write_text(f"holders = {value}\n{head}[settings]{rest}", encoding="utf-8")
    with pytest.raises(ScenarioError, match="holders"):
        read_scenario(copy)


def test_every_fault_is_told_at_once(copy: Path) -> None:
    first = _edit(copy, "units.csv", "br_24_1", "campaign_points", "121")
    second = _edit(copy, "routes.csv", "quebec", "b", "tadoussac")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    told = str(refused.value)
    assert f"units.csv, row {first}: campaign_points is 121; it must be 0 to 120." in told
    assert (
        f"routes.csv, row {second}: b is “tadoussac”: there is no such place; correct it or add one." in told
    )


def test_names_are_guessed_for_the_first_faults_only(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To find the name meant takes a hundredth of a second: a zip of 14 KB took 20 s."""
    guessed: list[str] = []

    def guess(word: str, known: list[str]) -> str:
        guessed.append(word)
        return ""

    monkeypatch.setattr("campaign.scenarios.problems.guess_name", guess)
    columns, rows = _rows(copy, "routes.csv")
    for number, row in enumerate(rows):
        row["a"] = f"quebek{number}"
    _write(copy, "routes.csv", columns, rows)
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    assert len([each for each in refused.value.problems if "quebek" in each.reason]) == len(rows) > 100
    assert len(guessed) == 20


@pytest.mark.parametrize("points", ["130", "many"])
def test_points_that_are_none_are_one_fault(copy: Path, points: str) -> None:
    _edit(copy, "units.csv", "br_24_1", "campaign_points", points)
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("file", ["units.csv", "places.csv", "formations.csv", "leaders.csv", "types.csv"])
def test_a_missing_file_is_told_alone(copy: Path, file: str) -> None:
    (copy / file).unlink()
    (copy / "supply.csv").unlink()
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    assert {problem.file for problem in refused.value.problems} == {file, "supply.csv"}
    assert len(refused.value.problems) == 2


def test_a_scenario_folder_without_its_head_says_which_file_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "yorktown_1781").mkdir()
    monkeypatch.setattr(reading, "SCENARIOS", tmp_path)
    with pytest.raises(ScenarioError, match=r"the folder yorktown_1781 has no scenario\.toml"):
        scenario_path("yorktown-1781")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"scenario\.toml: the file is missing"):
        read_scenario(tmp_path / "yorktown_1781")


CONTROL = "Character 5 is an invisible control character (U+0000); remove it."
DIRECTION = "Character 5 is an invisible character that turns the direction of writing (U+202E); remove it."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "start = ",
            f"start = {'9' * 5000} #",
            "a number in it is too long, or its tables are nested too deeply; write it simpler.",
        ),
        ("Saratoga 1777", "Sara\\u0000toga", f"a text in it cannot be kept. {CONTROL}"),
        ("Saratoga 1777", "Sara\\u202etoga", f"a text in it cannot be kept. {DIRECTION}"),
        ("Saratoga 1777", "Sara\\ntoga", "title: This takes one line of text; remove the line break or tab."),
    ],
    ids=["long number", "NUL", "bidi override", "line break"],
)
def test_a_head_nobody_could_keep_is_one_sentence(copy: Path, old: str, new: str, reason: str) -> None:
    path = copy / "scenario.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    assert str(refused.value.problems[0]) == f"scenario.toml: {reason}"


def test_a_terminal_gets_no_escape_sequence_from_a_table(copy: Path) -> None:
    row = _edit(copy, "units.csv", "br_gren_1", "troop_type", "\x1b[2Jregular")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(copy)
    (problem,) = refused.value.problems
    assert "\x1b" not in problem.reason and (problem.file, problem.row) == ("units.csv", row)
    assert problem.reason.startswith("it holds what cannot be kept. Character ")
    assert problem.reason.endswith(" is an invisible control character (U+001B); remove it.")
