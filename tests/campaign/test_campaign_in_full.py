"""A short campaign with six seats: all kinds of orders, the umpire's hand, a rewind, export and import."""

import pytest

from campaign.rules.army.organisation import KINDS
from tests.campaign.in_full import MARCHES, Table, umpired

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_two_weeks_with_every_hand_end_verified_and_move_house(tmp_path):
    table = Table()
    shown = umpired(table, days=14, archive=tmp_path / "campaign.zip")
    assert {*MARCHES, "march", "entrench", "gather_boats"} <= set(table.given)
    assert {"detach", "transfer", "garrison", "ration", "hand_over"} <= set(table.given) & set(KINDS)
    assert table.campaign.day == 14
    assert shown.verified.days == 14
    assert f"ends with {shown.final}." in shown.elsewhere
