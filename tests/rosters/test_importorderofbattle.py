"""The command that makes an order of battle of a CSV file."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rosters.models import Formation, OrderOfBattle, Side, Unit

pytestmark = pytest.mark.django_db

SIDES = "crown=Crown:#8a2a2b,rebel=United States:#24427a"
ROWS = (
    "id,name,side,nation,troop_type,gun_class,points,formation\n"
    "br_gren,Grenadiers,crown,british,british_grenadiers,,100,advanced_corps\n"
    "nh_stark,Stark's militia,rebel,american_militia,militia,,110,starks_brigade\n"
)


@pytest.fixture
def roll(tmp_path: Path) -> Path:
    path = tmp_path / "bennington.csv"
    path.write_text("\ufeff" + ROWS, encoding="utf-8")
    return path


def imported(path: Path, sides: str = SIDES, title: str = "Bennington") -> str:
    out = StringIO()
    call_command("importorderofbattle", str(path), title=title, sides=sides, stdout=out)
    return out.getvalue()


def test_a_new_order_of_battle_is_made_each_time(roll: Path) -> None:
    assert "(Bennington) has 2 units" in imported(roll)
    imported(roll)
    assert OrderOfBattle.objects.count() == 2
    first = OrderOfBattle.objects.earliest("pk")
    assert sorted(first.sides.values_list("slug", "name", "colour")) == [
        ("crown", "Crown", "#8a2a2b"),
        ("rebel", "United States", "#24427a"),
    ]
    assert not hasattr(first, "campaign")
    assert first.units.get(slug="nh_stark").points == 110


def test_what_of_the_file_is_not_read_is_said(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roll.write_text(f"The army at Bennington\n{ROWS}", encoding="utf-8")
    imported(roll)
    assert capsys.readouterr().err == "Row 2 names the columns; what stands above (row 1) is not read.\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("110", "121", "Row 3, points"),
        ("110", "0", "HR-DAT-04"),
        ("rebel,", "tory,", "There is no side tory"),
    ],
)
def test_faults_are_listed_by_row_and_nothing_is_written(
    roll: Path, old: str, new: str, message: str
) -> None:
    roll.write_text(ROWS.replace(old, new), encoding="utf-8")
    with pytest.raises(CommandError, match=message) as refused:
        imported(roll)
    assert refused.value.returncode == 1
    assert not any(model.objects.exists() for model in (OrderOfBattle, Side, Formation, Unit))


@pytest.mark.parametrize(
    ("sides", "title", "message"),
    [
        ("crown", "Bennington", "ID=NAME:COLOUR"),
        ("crown=Crown:#8a2a2b", "Bennington", "two sides"),
        ("crown=Crown:#8a2a2b,crown=Tories:#24427a", "Bennington", "different ids"),
        ("the crown=Crown:#8a2a2b,rebel=Rebels:#24427a", "Bennington", "slug"),
        (f"crown=Crown:#8a2a2b,rebel={'R' * 101}:#24427a", "Bennington", "name"),
        (SIDES, "B" * 201, "title"),
        (SIDES, "", "title"),
    ],
)
def test_a_title_or_side_that_will_not_do_is_told(roll: Path, sides: str, title: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        imported(roll, sides, title)
    assert not OrderOfBattle.objects.exists()


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        imported(tmp_path / "nothing.csv")
    latin = tmp_path / "latin.csv"
    latin.write_bytes(ROWS.encode() + b"\xe9")
    with pytest.raises(CommandError, match="UTF-8"):
        imported(latin)
