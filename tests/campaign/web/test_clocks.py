"""Moments are told by the reader's own clock on every page, and the clock is named."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from campaign.models import ApiToken, BattleEntry, Campaign, CampaignDraft, Fault, Notice, OrderPaper
from campaign.rules.battles.table_results import Entry
from campaign.rules.umpire.corrections import Deadline
from campaign.rules.world.world import Order
from campaign.services.accounts.tokens import token_make
from campaign.services.battles.table_results import battle_entry_save
from campaign.services.notifications.notifications import notice_text
from campaign.services.orders.march_orders import order_submit
from campaign.services.umpire.corrections import act_perform
from tests.campaign.api.program import Program
from tests.campaign.web.posed import words
from tests.factories.people import signed_in
from tests.factories.years import NEXT_YEAR

pytestmark = pytest.mark.django_db
#: To come, or a page would say instead that it has passed.
MOMENT = datetime(NEXT_YEAR, 12, 24, 20, 30, tzinfo=UTC)
PAGES = (
    ("campaign", {"sheet": "day"}), ("orders-overview", {}), ("receipts", {}), ("receipt", {}),
    ("orders-of", {}),
)  # fmt: skip


@pytest.fixture
def ordered(saratoga, burgoyne) -> Campaign:
    """Orders due, and one paper put in, both at one moment."""
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("crown_point",)), actor=burgoyne
    )
    OrderPaper.objects.update(submitted_at=MOMENT)
    Campaign.objects.update(deadline=MOMENT, time_zone="Europe/London")
    return Campaign.objects.get()


@pytest.mark.parametrize(
    ("zone", "hour", "name"),
    [("", "20:30", "Europe/London"), ("America/New_York", "15:30", "America/New York")],
)
def test_every_page_tells_moments_by_ones_own_clock_or_the_clubs(ordered, crown, burgoyne, zone, hour, name):
    burgoyne.time_zone = zone
    burgoyne.save()
    for page, query in PAGES:
        more = {"receipt": ["crown", 1], "orders-of": ["advanced_corps"]}.get(page, [])
        answer = crown.get(reverse(page, args=["saratoga", *more]), query)
        text = words(answer)
        assert answer.status_code == 200 and hour in text and f"({name})" in text, page
        assert not any(other in text for other in {"20:30", "15:30"} - {hour}), page
    front = words(crown.get("/"))
    assert f"{hour} ({name})" in front


def test_the_journal_tells_a_moved_deadline_by_the_readers_clock_hr_ump_11(
    ordered, crown, burgoyne, carleton
):
    act = Deadline((MOMENT + timedelta(days=1)).isoformat())
    act_perform(campaign=ordered, act=act, reason="A holiday.", actor=carleton)
    told = "orders are taken until 25 December {year}, {at}: A holiday."
    for zone, at in (("", "20:30 (Europe/London)"), ("America/New_York", "15:30 (America/New York)")):
        burgoyne.time_zone = zone
        burgoyne.save()
        sentence = told.format(year=NEXT_YEAR, at=at)
        assert sentence in words(crown.get("/campaigns/saratoga/", {"sheet": "journal"})).replace(
            "Orders", "orders"
        )
        lines = Program(burgoyne).get("campaigns/saratoga/journal/").content.decode()
        assert sentence.removeprefix("orders") in lines


def test_faults_and_tokens_are_told_by_ones_own_clock(burgoyne):
    burgoyne.time_zone, burgoyne.is_superuser = "America/New_York", True
    burgoyne.save()
    token_make(user=burgoyne, name="bot", scopes=["read"])
    ApiToken.objects.update(last_used_at=MOMENT, expires_at=MOMENT + timedelta(hours=6))
    CampaignDraft.objects.create(user=burgoyne)
    CampaignDraft.objects.update(updated_at=MOMENT + timedelta(hours=6))
    Fault.objects.create(kind="clock", subject="x", said="The clock is silent.")
    Fault.objects.update(found_at=MOMENT)
    browser = signed_in(burgoyne)
    assert "last used 24 December, 15:30 (America/New York)" in words(browser.get(reverse("tokens")))
    assert f"until 24 December {NEXT_YEAR}" in words(browser.get(reverse("tokens")))
    assert "half set up, 24 December, " in words(browser.get("/"))
    assert "Since 24 December, 15:30 (America/New York)" in words(browser.get("/"))


def test_a_notice_names_the_deadline_by_its_readers_clock_hr_due_03(ordered, burgoyne):
    burgoyne.time_zone = "Asia/Tokyo"
    burgoyne.save()
    notice = Notice.objects.create(campaign=ordered, user=burgoyne, kind="due", subject=MOMENT.isoformat())
    day = f"{MOMENT.astimezone(ZoneInfo('Asia/Tokyo')):%A}"
    assert notice_text(notice)[1] == f"Orders are due on {day} 25 December at 05:30 (Asia/Tokyo)."


def test_who_entered_a_result_is_told_by_the_readers_clock(battle, burgoyne, crown):
    saved = battle_entry_save(battle=battle, side="crown", entry=Entry(), version=0, actor=burgoyne)
    BattleEntry.objects.filter(pk=saved.pk).update(updated_at=MOMENT)
    burgoyne.time_zone = "America/New_York"
    burgoyne.save()
    page = words(crown.get(reverse("battle", args=["saratoga", battle.pk])))
    assert "at 15:30 on 24 December (America/New York)" in page
