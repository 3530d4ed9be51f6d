"""A newcomer's first days in a real browser: invited, seated, ordering, refused, fighting, watching."""

import pytest
from django.core.cache import cache

from tests.journeys import unscripted
from tests.journeys.newcomers import Club, found, walk
from tests.journeys.walking import Finger, Hand, Keys, sat_down

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

REFUSED = "status of 422"  # the browser's own line in its console about a page that says no


@pytest.fixture
def club(live_server, monkeypatch) -> Club:
    cache.clear()
    return found(live_server.url, monkeypatch)


@pytest.fixture
def letters(settings) -> None:
    """As the site is with EMAIL_URL set."""
    settings.MAIL_IS_SENT = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]


def test_a_newcomer_walks_from_the_link_to_the_replay(browser, club):
    with sat_down(browser, club.url, Hand) as newcomer:
        walk(newcomer, club)


def test_on_a_phone_with_letters_the_address_is_confirmed_on_the_way(browser, club, letters):
    """And with a finger all the same way: what comes after it knows of no letters."""
    with sat_down(browser, club.url, Finger) as newcomer:
        walk(newcomer, club, "burgoyne@example.org")


def test_by_the_keyboard_alone(browser, club):
    with sat_down(browser, club.url, Keys) as newcomer:
        walk(newcomer, club)


def test_without_scripts_all_but_the_map_is_there(browser, club):
    with sat_down(browser, club.url, Finger, expected=REFUSED, java_script_enabled=False) as newcomer:
        unscripted.walk(newcomer, club)
