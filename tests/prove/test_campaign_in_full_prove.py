"""Eighteen weeks with six seats and every kind of order: the figures of `make prove`."""

import pytest

from campaign.models import JournalEntry
from tests.campaign.in_full import EVERY_KIND, Table, umpired
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]


def test_eighteen_weeks_with_six_seats(figure: Figure, tmp_path):
    table = Table()
    shown = umpired(table, days=126, archive=tmp_path / "campaign.zip")
    entries = JournalEntry.objects.filter(campaign=table.campaign, record__revision=table.campaign.revision)
    battles = table.campaign.battles.filter(revision=table.campaign.revision).count()
    given = {kind: table.given[kind] for kind in sorted(table.given)}
    assert set(given) == EVERY_KIND
    figure(
        "18 weeks, 6 seats, every kind of order",
        f"{len(given)} kinds, {sum(given.values())} papers beside the staffs', {battles} battles, "
        f"{entries.count()} entries",
        "verified",
    )
    assert f"ends with {shown.final}." in shown.elsewhere
    figure("imported elsewhere and verified", f"{shown.verified.days} days, {shown.final[:12]}", "same hash")
    assert battles >= 5
