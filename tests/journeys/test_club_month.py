"""A club's month in real browsers: set up, ordered, fought, mended, printed, and proved at the end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command

from campaign.models import Bulletin, Campaign, Seat, User
from tests.journeys import club_month as club
from tests.journeys.walking import Finger, Hand, sat_down

FIRST, SECOND = "Battle of Crown Point", "Battle of Ticonderoga"
TWO_WEEKS = 14
FOOT = "24th Foot, right wing"
FIRST_NH, SECOND_NH = "1st New Hampshire (Cilley)", "2nd New Hampshire (Hale)"

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Sit = Callable[[type[Hand]], Hand]


@pytest.fixture
def sit(browser, live_server) -> Iterator[Sit]:
    """Windows of this test's people; at its end none has complained."""
    cache.clear()
    with ExitStack() as stack:
        yield lambda hand: stack.enter_context(sat_down(browser, live_server.url, hand))


def test_a_club_month(sit: Sit, live_server, monkeypatch):
    monkeypatch.setattr("campaign.services.setup.campaigns.new_secret", lambda: club.SECRET)
    User.objects.create_user("carleton", password=club.WORD, is_staff=True)
    umpire = sit(Hand)
    club.signs_in(umpire, live_server.url, "carleton")
    links = club.sets_up(umpire)
    assert Seat.objects.count() == 6

    players = {}
    for name in club.OFFERED:
        players[name] = sit(Finger)
        club.takes_a_seat(players[name], links[name], name)

    club.marches_by_pointing(players["fraser"], "Advanced Corps", "Ticonderoga", "Forced march, up to double")
    club.marches_by_the_form(players["burgoyne"], "1st British Brigade", "Crown Point")
    club.marches_by_the_form(players["poor"], "Poor", "Crown Point")
    club.deadline_passes()
    late = "came late and is kept for the next day"
    club.marches_by_the_form(players["riedesel"], "1st German Brigade", "Crown Point", told=late)

    first_week(umpire, players)
    second_week(umpire, players)
    assert Campaign.objects.get().day >= TWO_WEEKS
    assert set(Bulletin.objects.values_list("week", flat=True)) == {1, 2}
    told = StringIO()
    call_command("verifycampaign", club.SLUG, stdout=told)
    assert "verified" in told.getvalue()


def first_week(umpire: Hand, players: dict[str, Hand]) -> None:
    """A battle on the table, entered by both sides, confirmed, taken back and mended; then the bulletin."""
    club.plays_on(umpire)
    club.says_how(umpire, FIRST, "On the table, with figures")
    club.opens_the_battle(umpire, FIRST)
    club.prints_the_pack(umpire)
    for name, differing in (("fraser", 1), ("poor", 2)):
        club.opens_his_battle(players[name], FIRST)
        club.prints_the_pack(players[name])
        club.opens_his_battle(players[name], FIRST)
        lost = {FOOT: 1, FIRST_NH: 2, SECOND_NH: differing}
        club.enters_the_result(players[name], lost, "Crown")
    club.confirms(umpire, FIRST, SECOND_NH, "United States: 2 lost")
    club.plays_on(umpire)
    club.reads_what_was_lost(players["fraser"], FIRST, FOOT, 1)

    club.goes_back(umpire, "Wednesday, 18 June", FIRST, "The 24th Foot lost two, not one.")
    club.confirms(umpire, FIRST, SECOND_NH, "United States: 2 lost", mended={FOOT: 2})
    club.plays_on(umpire)
    club.reads_what_was_lost(players["fraser"], FIRST, FOOT, 2)
    club.publishes(umpire, 1, "Crown", "The first week is over.")
    club.reads_the_bulletin(players["burgoyne"], 1, "The first week is over.")


def second_week(umpire: Hand, players: dict[str, Hand]) -> None:
    """Nobody of the other side has ordered, his staff does; the engine settles the battle; a bulletin."""
    club.marches_by_the_form(players["fraser"], "Advanced Corps", "Ticonderoga", "Forced march, up to double")
    club.deadline_passes()
    club.sees_who_missed(umpire, "United States")
    club.plays_on(umpire)
    club.says_how(umpire, SECOND, "By the engine")
    club.has_it_fought(umpire)
    club.plays_on(umpire)
    while Campaign.objects.get().day < TWO_WEEKS:  # what is sighted ends a turn before the week does
        club.plays_on(umpire)
    club.publishes(umpire, 2, "United States", "The second week is over.")
    club.reads_the_bulletin(players["poor"], 2, "The second week is over.")
