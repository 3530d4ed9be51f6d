"""A list of notices is read with as many queries as a short one (HR-DUE-03, HR-DUE-09)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Bulletin, Campaign, Notice

pytestmark = pytest.mark.django_db
DEADLINE = datetime(2031, 5, 4, 18, 0, tzinfo=UTC)


def write_notices(campaign: Campaign, user, number: int) -> None:
    """A notice of each kind that carries facts, once more than the ones before."""
    due = (DEADLINE - timedelta(days=number)).isoformat()
    bulletin = Bulletin.objects.create(
        campaign=campaign, revision=0, week=number + 1, body={"record_hash": f"{number}abc"}
    )
    for kind, subject in (
        ("due", due),
        ("late", due),
        ("away", due),
        ("bulletin", f"out {bulletin.pk}"),
        ("published", f"record {number}"),
        ("battle", f"battle {number}"),
        ("vacant", f"taken invited {user.pk} 2031-05-04T18:00:0{number} Commander of the Crown"),
    ):
        Notice.objects.create(campaign=campaign, user=user, kind=kind, subject=subject)


@pytest.mark.parametrize(("who", "client_of"), [("burgoyne", "crown"), ("carleton", "desk")])
@pytest.mark.parametrize("page", ["/notices/", "/api/v1/me/notices/"])
def test_ten_notices_of_each_kind_take_no_more_queries_than_one_hr_due_09(
    saratoga, request, page, who, client_of
):
    Campaign.objects.update(deadline=DEADLINE, missed_orders=Campaign.MissedOrders.STAFF)
    saratoga.refresh_from_db()
    user, client = request.getfixturevalue(who), request.getfixturevalue(client_of)
    taken = []
    for numbers in (range(1), range(1, 4)):
        for number in numbers:
            write_notices(saratoga, user, number)
        client.get(page)  # what is read only once in a process
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown = client.get(page).content.decode()
        taken.append(len(queries))
        assert all(f"Last hash of the chain: {number}abc." in shown for number in numbers)
        assert shown.count("taken the seat") >= numbers.stop
        assert shown.count("Your staff writes the orders.") >= numbers.stop
        assert ("Everybody is back." in shown) == (who == "carleton")
    assert taken[0] == taken[1]
