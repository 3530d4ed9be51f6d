"""Drawing up on a table of any ruleset's: free ground, lines, first line, sides."""

from typing import Any, NamedTuple

import pytest

from battles.engine.deployment import (
    FIRST_LINE,
    FIRST_SHARE,
    FROM_ENEMIES,
    MARGIN,
    STEP,
    DeploymentTable,
    clamp_line_y,
    face_of,
    first_line,
    homes_write,
    iter_abreast,
    lines_of,
    rotate_for_side,
    sides_write,
)
from battles.engine.dtypes import BUILDING, FENCE, FIELDWORK, ON_TABLE, WAITING
from battles.engine.raster import structure_add, work_add
from battles.errors import BattleFileError
from battles.files.schema import BattleUnit
from battles.ground.shapes import Rectangle
from rosters.domain.vocabulary import TroopType
from tests.battles.engine.small import Piece, row
from tests.battles.forces import CROWN, battle_unit


class Post(NamedTuple):
    """A unit to be drawn up, and the inches it takes in a line."""

    unit: BattleUnit
    file_index: int = 0
    inches: float = 10.0


class Open(DeploymentTable):
    """A table on which one kind of ground bars everybody."""

    no_room, from_friends = "REG-DEF-05", 0.1

    def is_barred(self, i: int, going: Any) -> bool:
        return bool(going.barred)


def posts(*reserve: bool, inches: float = 10.0) -> list[Post]:
    """Foot in the order of the file, of which some are kept back."""
    line = TroopType.BRITISH_LINE
    units = (battle_unit(f"{n}", CROWN, line, reserve=kept) for n, kept in enumerate(reserve))
    return [Post(unit, n, inches) for n, unit in enumerate(units)]


def front(post: Post) -> float:
    return post.inches


POST = posts(False)[0]
PLACE = Rectangle(30.0, 20.0, 0, 1.0, 0.5)


def put(table: DeploymentTable, i: int, where: Rectangle = PLACE) -> tuple[float, float]:
    table.set_down(POST, i, where)
    return float(table.g.u[i].x), float(table.g.u[i].y)


def test_a_unit_stands_where_it_is_wanted_when_that_is_free() -> None:
    g = row(Piece(place=WAITING))
    assert put(Open(g), 0, PLACE._replace(heading=180)) == (30.0, 20.0)
    assert (g.u[0].place, g.u[0].face) == (ON_TABLE, 180)


def test_friends_may_touch_nearly_and_enemies_keep_off() -> None:
    for side, gap in ((0, 0.1), (1, FROM_ENEMIES)):
        table = Open(row(Piece(), Piece(side)))
        put(table, 0)
        x, y = put(table, 1)
        assert (abs(x - 30.0) >= 2.0 + gap) or (abs(y - 20.0) >= 1.0 + gap)
        assert max(abs(x - 30.0) - 2.0, abs(y - 20.0) - 1.0) < gap + STEP, "the nearest place"


def test_nobody_stands_in_a_house_or_on_barred_ground_or_off_the_table() -> None:
    g = row(*[Piece()] * 3)
    e = g.structures[structure_add(g, BUILDING, 1, 1)]
    e.x, e.y, e.half_width, e.half_depth = 30.0, 20.0, 2.0, 2.0
    table = Open(g)
    x, y = put(table, 0)
    assert abs(x - 30.0) >= 3.0 or abs(y - 20.0) >= 2.5
    g.ground[:, 40:], g.goings_n, g.going[1].barred = 1, 2, 1
    assert put(table, 1, PLACE._replace(x=50.0))[0] <= 39.0 + STEP
    assert put(table, 2, PLACE._replace(x=0.0, y=0.0)) >= (1.0, 0.5)


def test_a_battle_without_room_is_refused_under_the_ruleset_s_rule() -> None:
    g = row(Piece())
    g.goings_n, g.going[0].barred = 2, 1
    with pytest.raises(BattleFileError, match="no room to draw up 0") as refused:
        put(Open(g), 0)
    assert (refused.value.rule_id, refused.value.field) == ("REG-DEF-05", "units[0]")


def test_the_first_line_is_the_longest_and_the_reserve_stands_behind() -> None:
    g = row()
    most = g.width - 4.0 * MARGIN
    own = posts(False, False, True, False, False, False, False, False)
    rows = lines_of(g, own, front)
    assert [post.file_index for line in rows for post in line] == [0, 1, 3, 4, 5, 6, 7, 2]
    assert [len(line) for line in rows] == [4, 3, 1]
    assert all(sum(map(front, line)) <= most for line in rows)
    few = lines_of(g, posts(*[False] * 3), front)
    assert [len(line) for line in few] == [3] and most * FIRST_SHARE >= 30.0
    assert lines_of(g, [], front) == []


def test_a_row_stands_about_the_middle_of_the_table() -> None:
    own = [post._replace(inches=inches) for post, inches in zip(posts(*[False] * 3), (4, 6, 10), strict=True)]
    assert [(post.file_index, x) for post, x in iter_abreast(row(), own, front)] == [
        (0, 22.0),
        (1, 27.0),
        (2, 35.0),
    ]


@pytest.mark.parametrize("side", [0, 1])
def test_the_first_line_is_behind_works_and_never_far_from_the_edge(side: int) -> None:
    g = row()
    assert first_line(g, side, 0.3, 0.5) == FIRST_LINE
    for kind, y, line in ((FENCE, 4.0, FIRST_LINE), (FIELDWORK, 8.0, 7.2), (FIELDWORK, 1.0, MARGIN)):
        there = y if side == 0 else 40.0 - y
        work_add(g, kind, 20, there, 40, there, -1)
        assert first_line(g, side, 0.3, 0.5) == pytest.approx(line)
    assert first_line(g, 1 - side, 0.3, 0.5) == FIRST_LINE, "the other half's are the enemy's"
    g.depth = 24.0
    assert first_line(row(), side, 0.3, 0.5) == FIRST_LINE
    assert first_line(g, side, 0.3, 0.5) <= 6.0


def test_the_defender_is_drawn_up_turned_round() -> None:
    g = row()
    assert (rotate_for_side(g, 0, 10, 5), rotate_for_side(g, 1, 10, 5)) == ((10.0, 5.0), (50.0, 35.0))
    assert [clamp_line_y(g, y) for y in (-3.0, 5.0, 40.0)] == [MARGIN, 5.0, 40.0 - MARGIN]
    assert (face_of(POST, 0), face_of(POST, 1)) == (0, 180)
    told = POST._replace(unit=battle_unit("a", CROWN, TroopType.BRITISH_LINE, facing=450))
    assert face_of(told, 1) == 90


def test_everybody_knows_his_home_and_where_his_side_is_in_the_record() -> None:
    g = row(Piece(0, 10, 5), Piece(0, 12, 5), Piece(1, 30, 35), Piece(0, 14, 5))
    homes_write(g)
    sides_write(g)
    assert [int(g.u[i].home) for i in range(4)] == [180, 180, 0, 180]
    assert (g.u[2].spot_x, g.u[2].from_y) == (30.0, 35.0)
    assert (g.first[0], g.past[0], g.first[1], g.past[1]) == (0, 4, 2, 3)
    alone = row(Piece(1))
    sides_write(alone)
    assert (alone.first[0], alone.past[0]) == (0, 0)
