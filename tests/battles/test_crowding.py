"""Troops who stand in each other's way when an assault presses (HR-BAT-02)."""

from typing import Any

import pytest

from battles.engine.dtypes import COLUMN, DEPLOYED, LIMBERED, LINE, SHAKEN
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.awi import crowding
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, table
from tests.battles.grounds import WATER, lay

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
ENEMY = Stand(1, LINE_FOOT, 48, 60, face=180)
ATTACKER = Stand(0, LINE_FOOT, 48, 20)


def crowd(*stands: Stand) -> Any:
    """Attackers far from the enemy of whom nobody has gained ground for four turns."""
    g = table(*stands, ENEMY)
    g.idle = 4
    return g


def friend_before(kind: TroopType = LINE_FOOT, form: int | None = None) -> Stand:
    """A friend half turned right before the attacker's front: too deep to be passed in one move."""
    return Stand(0, kind, 48, 23, face=45, form=form)


def test_who_has_room_before_him_goes_on_as_he_faces_HR_BAT_02() -> None:
    g = crowd(ATTACKER)
    crowding.make_room(g, 0)
    assert (g.u[0].y, g.u[0].form) == (26, LINE)


def test_a_line_that_follows_a_way_forms_column_HR_BAT_02() -> None:
    g = crowd(ATTACKER)
    g.u[0].has_way = HAS_WAY
    crowding.make_room(g, 0)
    assert (g.u[0].y, g.u[0].form) == (20, COLUMN)


def test_a_spent_friend_is_sent_out_of_the_way_HR_BAT_02() -> None:
    g = crowd(ATTACKER, friend_before())
    g.u[1].sp = 1
    crowding.make_room(g, 0)
    assert g.u[1].y > 26 and g.u[1].moved == 1
    assert g.u[0].y > 21 and g.u[0].face == 0


def test_limbered_guns_are_sent_out_of_the_way_and_guns_in_action_are_not_HR_BAT_02() -> None:
    for form, gone in ((LIMBERED, True), (DEPLOYED, False)):
        g = crowd(ATTACKER, friend_before(T.EUROPEAN_ARTILLERY, form))
        crowding.make_room(g, 0)
        assert ((g.u[1].x, g.u[1].y) != (48, 23)) is gone


def test_friends_in_order_find_room_themselves_HR_BAT_02() -> None:
    g = crowd(ATTACKER, friend_before())
    crowding.make_room(g, 0)
    assert (g.u[1].x, g.u[1].y, g.u[1].moved) == (48, 23, 0)
    assert (g.u[0].y, g.u[0].form) == (17, LINE)


def test_who_can_neither_go_on_nor_form_column_goes_back_HR_BAT_02() -> None:
    g = crowd(ATTACKER, friend_before(), Stand(0, LINE_FOOT, 44, 20))
    crowding.make_room(g, 0)
    assert (g.u[0].y, g.u[0].form, g.u[0].face) == (17, LINE, 0)


def test_who_can_only_turn_turns_to_where_he_can_go_AWI_T_MOV_08() -> None:
    g = crowd(Stand(0, LINE_FOOT, 48, 20, form=COLUMN))
    lay(g, WATER, 21.5, 30, 40, 56)
    lay(g, WATER, 10, 18.5, 40, 56)
    crowding.make_room(g, 0)
    assert (g.u[0].x, g.u[0].y) == (48, 20)
    assert g.u[0].face in range(60, 121) or g.u[0].face in range(240, 301)


@pytest.mark.parametrize(
    "change", [{"moved": 1}, {"mood": SHAKEN}, {"busy": 1}, {"sp": 1}], ids=lambda one: next(iter(one))
)
def test_who_has_moved_is_not_in_order_or_spent_stays_HR_BAT_02(change: dict[str, int]) -> None:
    g = crowd(ATTACKER)
    for name, value in change.items():
        setattr(g.u[0], name, value)
    crowding.make_room(g, 0)
    assert (g.u[0].x, g.u[0].y, g.u[0].face, g.u[0].form) == (48, 20, 0, LINE)
