"""A morning shown late is the same whatever has happened since, on every page (HR-SET-12)."""

import re

import pytest
from django.test import Client

from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.world.world import Order
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.web.test_fog_of_pages import addresses
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db


def play(campaign: Campaign) -> Campaign:
    """A day, its battles settled by word."""
    while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
        for battle in waiting:
            battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost={}, actor=None)
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


@pytest.fixture
def spectator(meeting) -> Client:
    user = User.objects.create_user("anna")
    seat_open(campaign=meeting, role=Seat.Role.SPECTATOR, user=user, actor=None)
    return signed_in(user)


def pages(campaign: Campaign, browser: Client) -> dict[str, str]:
    """Every page of the campaign as it reads; the delay itself and what every request draws anew left out."""
    listed = [each.replace("/fog/", f"/{campaign.slug}/") for each in addresses("crown")]
    battles = [f"/campaigns/{campaign.slug}/battles/{pk}/" for pk in range(1, 9)]
    days = [f"/campaigns/{campaign.slug}/map.geojson?day={day}" for day in range(1, 5)]
    found = {}
    for address in (*listed, *battles, *(f"{each}replay/" for each in battles), *days):
        if address.endswith("/public/") or address == "/":
            continue  # they tell of today, whatever the delay
        answer = browser.get(address)
        text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())
        text = re.sub(r'name="opened" value="[^"]*"', "", text)  # the moment
        text = re.sub(r'(hx-headers|nonce)=([\'"]).*?\2', "", text)
        text = re.sub(r"\d+ days? late", "late", text)
        text = re.sub(r" Spectators read a week.s bulletin .*? is over\.", "", text)
        found[address] = f"{answer.status_code} {text}"
    return found


@pytest.mark.parametrize("side", ["", "crown"])
def test_what_has_happened_since_changes_no_page_hr_set_12(meeting, spectator, burgoyne, side):
    campaign = play(meeting)
    assert campaign.day == 1 and Battle.objects.filter(campaign=campaign).exists()
    spectators_set(campaign=campaign, days=0, side=side, reason="Late enough.", actor=None)
    first = pages(campaign, spectator)
    opened = [address for address, text in first.items() if text.startswith("200")]
    assert len(opened) > 6 and any("battles" in address for address in opened)
    order = Order("british_1st_brigade", ("crown_point",), stance="attack")
    order_submit(campaign=campaign, side="crown", order=order, actor=burgoyne)
    campaign = play(campaign)
    spectators_set(campaign=campaign, days=1, side=side, reason="Late enough.", actor=None)
    then = pages(campaign, spectator)
    for address, text in first.items():
        assert then[address] == text, address


def test_after_a_rewind_the_course_taken_is_shown_and_nothing_undone_hr_set_12(meeting, spectator, carleton):
    campaign = play(meeting)
    spectators_set(campaign=campaign, days=0, side="", reason="Late enough.", actor=None)
    campaign.refresh_from_db()  # that was an act: the head has moved
    page = f"/campaigns/{campaign.slug}/?sheet=journal"
    assert "Battle" in spectator.get(page).content.decode()
    start = campaign.records.get(kind="start")
    campaign_rewind(
        campaign=campaign, record=start, reason="Anew.", actor=carleton, seen=campaign.head_id,
        new_dice=True, keep=False, papers="draft",
    )  # fmt: skip
    text = spectator.get(page).content.decode()
    assert "Nothing has happened yet" in text and "Superseded" not in text
