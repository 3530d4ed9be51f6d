"""Revisions and dice of the chain change only when the campaign goes back (HR-UMP-14)."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from campaign.services.proof.battles import StoredFight
from campaign.services.proof.verifier import Revisions


@dataclass
class Told:
    """A step of the chain, as far as its revisions are checked."""

    number: int
    parent: int | None
    revision: int = 1
    dice_revision: int = 1
    kind: str = "day"
    inputs: dict[str, Any] = field(default_factory=dict)


def back(number: int, parent: int, revision: int, dice: int, **act: Any) -> Told:
    return Told(number, parent, revision, dice, "act", {"act": {"kind": "rewind", **act}})


START = Told(1, None, kind="start")


@pytest.mark.parametrize(
    "steps",
    [
        [Told(2, 1), Told(3, 2)],
        [Told(2, 1), back(3, 1, 2, 1), Told(4, 3, 2, 1)],
        [back(2, 1, 2, 2, new_dice=True), Told(3, 2, 2, 2), back(4, 1, 3, 1), back(5, 3, 4, 2)],
        [back(2, 1, 2, 2, new_dice=True), back(3, 1, 3, 1), back(4, 3, 4, 3, new_dice=True)],
    ],
)
def test_hr_ump_14_a_course_goes_on_with_its_dice_or_with_the_next_new_ones(steps: list[Told]):
    revisions = Revisions()
    assert [revisions.fault(step) for step in [START, *steps]] == [""] * (len(steps) + 1)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([Told(2, 1, 1, 2)], "The dice are of revision 2, but those of its course are of 1"),
        ([Told(2, 1, 2, 1)], "It is of revision 2, but its course is of 1"),
        ([Told(2, 1, 2, 2, "act", {"act": {"kind": "rumour"}})], "It is of revision 2"),
        ([back(2, 1, 2, 2)], "The dice are of revision 2, but those of its course are of 1"),
        ([back(2, 1, 2, 1, new_dice=True)], "The dice are of revision 1, but those of its course are of 2"),
        ([back(2, 1, 2, 7, new_dice=True)], "The dice are of revision 7, but those of its course are of 2"),
        ([back(2, 1, 3, 1)], "It is of revision 3, but its course is of 2"),
        ([back(2, 1, 2, 2, new_dice=True), Told(3, 2, 2, 1)], "The dice are of revision 1"),
        ([back(2, 1, 2, 1), Told(3, 2, 1, 1)], "It is of revision 1, but its course is of 2"),
    ],
)
def test_hr_prf_01_other_dice_without_an_act_that_says_so_are_a_fault(steps: list[Told], said: str):
    revisions = Revisions()
    *sound, wrong = [revisions.fault(step) for step in [START, *steps]]
    assert not any(sound)
    assert wrong.startswith(said)


def test_hr_prf_01_a_campaign_starts_with_the_first_dice():
    assert Revisions().fault(replace(START, dice_revision=7)).startswith("The dice are of revision 7")


FIGHT = StoredFight(
    title="Battle of Hubbardton",
    revision=1,
    dice_revision=1,
    day=3,
    contact="d3/hubbardton/1",
    source="engine",
    settlement={"contact": "d3/hubbardton/1", "field_held_by": "", "losses": [], "source": "engine"},
    file={},
)
AGAIN = replace(FIGHT, revision=2)
OTHER = "The Battle of Hubbardton was fought with other dice than those of its day."


@pytest.mark.parametrize(
    ("act", "first", "again", "fault"),
    [
        ({"keep": True}, FIGHT, AGAIN, ""),
        ({"keep": False}, FIGHT, replace(AGAIN, dice_revision=2), ""),
        ({"keep": True}, FIGHT, replace(AGAIN, dice_revision=2), ""),
        ({"keep": False}, FIGHT, AGAIN, OTHER),
        ({"keep": True, "anew": ["d3/hubbardton/1"]}, FIGHT, AGAIN, OTHER),
        ({"keep": True}, replace(FIGHT, contact="d3/elsewhere/1"), AGAIN, OTHER),
        ({"keep": True}, replace(FIGHT, settlement=None), AGAIN, OTHER),
        ({"keep": True}, replace(FIGHT, settlement={**FIGHT.settlement, "source": "word"}), AGAIN, OTHER),
        ({"keep": True}, FIGHT, replace(AGAIN, dice_revision=7), OTHER),
    ],
)
def test_hr_prf_01_a_battle_has_the_dice_of_its_course_or_of_the_result_it_kept(
    act: dict[str, Any], first: StoredFight, again: StoredFight, fault: str
):
    revisions = Revisions()
    for step in (START, Told(2, 1), back(3, 1, 2, 2, new_dice=True, **act)):
        assert revisions.fault(step) == ""
    assert revisions.fight_fault(again, [first, again]) == fault
