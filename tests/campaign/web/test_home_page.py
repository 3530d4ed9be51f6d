"""A person's own page: campaigns, what is due, what is new, what waits."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles.printing.sheets import qr_svg
from campaign.models import BattleEntry, Campaign, JournalEntry, OrderPaper, User, Visit
from campaign.rules.world.world import Order
from campaign.selectors.turns.deadlines import late_for
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import nothing_new_say, order_submit
from campaign.services.seats.changes import seat_open
from campaign.services.turns.days import day_advance
from campaign.web.home import format_span, home_rows
from tests.factories.people import signed_in
from tests.factories.several_campaigns import another_campaign

PAGE = "/campaigns/saratoga/"
MARCH = Order("british_2nd_brigade", ("montreal",))


@pytest.fixture(autouse=True)
def nobody_looked_in() -> None:
    cache.clear()


def home(client: Client) -> str:
    response = client.get("/")
    assert response["Cache-Control"].startswith("max-age=0")
    return " ".join(response.content.decode().split())


def test_home_lists_own_campaigns_with_seat_and_date(crown, stranger):
    shown = home(crown)
    assert PAGE in shown
    assert "Lieutenant General Burgoyne" in shown
    assert "day 1 of " in shown
    assert PAGE not in home(stranger)
    assert "You have no seat in a campaign yet" in home(stranger)


def test_home_is_for_the_signed_in_and_the_front_page_for_others(saratoga):
    shown = home(Client())
    assert PAGE not in shown
    assert 'href="/sign-up/"' in shown and "Sign in" in shown


def test_home_says_whether_orders_are_in(saratoga, crown, burgoyne, desk):
    assert "No orders of yours are in." in home(crown)
    assert "No orders yet from Crown and United States." in home(desk)
    order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert "No orders of yours are in; 1 draft not handed in." in home(crown)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert "Your orders are in: 1 paper." in home(crown)
    assert "No orders yet from United States." in home(desk)


def test_home_tells_the_deadline_by_the_persons_clock(saratoga, crown, burgoyne):
    moment = datetime(2099, 11, 26, 20, tzinfo=UTC)
    Campaign.objects.update(deadline=moment, time_zone="Europe/London")
    assert "Thursday, 26 November at 20:00 (Europe/London)" in home(crown)
    burgoyne.time_zone = "America/New_York"
    burgoyne.save()
    assert "Thursday, 26 November at 15:00 (America/New York)" in home(crown)


def test_home_stresses_a_deadline_that_is_near_while_orders_are_missing(saratoga, crown, burgoyne):
    Campaign.objects.update(deadline=timezone.now() + timedelta(hours=5, minutes=5))
    assert "in 5 hours." in home(crown)
    assert 'class="due error"' in home(crown)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert 'class="due error"' not in home(crown)


def test_home_tells_news_since_the_last_visit_and_only_what_the_side_may_read(waiting, crown, rebel):
    assert "You have not looked in yet." in home(crown)
    Visit.objects.create(user=waiting.seats.get(side="crown").user, campaign=waiting, seen_at=timezone.now())
    shown = home(crown)
    assert "entries in the" in shown or "entry in the" in shown
    assert "begins; the fingerprint" not in shown  # nothing that is no headline
    crown.get(PAGE)
    assert "Nothing new since you looked in." in home(crown)
    assert "You have not looked in yet." in home(rebel)


def test_home_names_battles_that_wait(waiting, crown, desk):
    battle = waiting.battles.get()
    for client in (crown, desk):
        assert f'Waits to be fought: <a href="{PAGE}battles/{battle.pk}/">' in home(client)


def test_home_says_that_the_side_s_own_result_is_in_and_nothing_of_the_enemy_s(waiting, crown, rebel):
    battle = waiting.battles.get()
    entry = BattleEntry.objects.create(battle=battle, side="crown", state="draft")
    waits = f'Waits to be fought: <a href="{PAGE}battles/{battle.pk}/">'
    assert waits in home(crown)
    entry.state = "entered"
    entry.save()
    shown = home(crown)
    assert waits not in shown
    assert f'Your result is in; the umpire confirms it: <a href="{PAGE}battles/{battle.pk}/">' in shown
    assert waits in home(rebel) and "result is in" not in home(rebel)


def test_home_of_an_ended_campaign_asks_for_nothing(saratoga, crown):
    Campaign.objects.update(state=Campaign.State.ENDED)
    shown = home(crown)
    assert ", ended" in shown
    assert "orders" not in shown.lower().replace("your campaigns", "")


def test_home_shows_the_other_campaigns_when_one_cannot_be_read(saratoga, crown):
    Campaign.objects.update(scenario_digest="0" * 64)
    assert "put the original files back" in home(crown)


@pytest.mark.parametrize(
    ("role", "sentence"),
    [("reserve", "Your seat shows you the public page today."), ("spectator", "Saratoga 1777</a>")],
)
def test_home_of_those_who_wait_or_look_on(saratoga, carleton, stranger, role, sentence):
    saratoga.day = 20
    saratoga.save()
    user = User.objects.get(username="clinton")
    seat_open(campaign=saratoga, role=role, user=user, actor=carleton)
    shown = home(stranger)
    assert sentence in shown
    assert "due on" not in shown and "orders" not in shown.lower().replace("your campaigns", "")


def test_home_tells_a_late_spectator_of_the_morning_he_sees_hr_set_12(saratoga, carleton, stranger):
    user = User.objects.get(username="clinton")
    seat_open(campaign=saratoga, role="spectator", user=user, actor=carleton)
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
    Campaign.objects.update(spectator_days=1, paused="A storm.", state=Campaign.State.ENDED)
    shown = home(stranger)
    assert "day 2 of " in shown and "A storm." not in shown and ", ended" not in shown


def test_what_asks_for_something_stands_first_and_what_has_ended_last(saratoga, burgoyne):
    (row,) = home_rows(burgoyne)
    assert row.weight[:2] == (False, False)
    Campaign.objects.update(state=Campaign.State.ENDED)
    (row,) = home_rows(burgoyne)
    assert row.weight[:2] == (True, True)


def test_in_a_club_s_network_the_umpire_s_home_has_the_code_for_phones(saratoga, crown, desk, settings):
    assert "Phones at the club" not in home(desk)
    settings.LAN, settings.SITE_URL = True, "http://192.168.1.20:8000"
    shown = home(desk)
    assert "Phones at the club" in shown and 'href="http://192.168.1.20:8000"' in shown
    assert qr_svg("http://192.168.1.20:8000") in shown
    assert "Phones at the club" not in home(crown)


def test_home_takes_a_fixed_number_of_queries(waiting, crown, django_assert_max_num_queries):
    crown.get(PAGE)
    Visit.objects.update(record=0)
    with django_assert_max_num_queries(15):
        crown.get("/")


def queries(client: Client, page: str) -> int:
    client.get(page)  # what is kept in memory for all is kept now
    with CaptureQueriesContext(connection) as asked:
        assert client.get(page).status_code == 200
    return len(asked)


@pytest.mark.parametrize("who", ["carleton", "burgoyne"])
@pytest.mark.parametrize("page", ["/", "/api/v1/campaigns/"])
def test_more_campaigns_ask_no_more_queries(who, page, carleton, burgoyne, gates):
    """A person may umpire or play in twenty (HR-SET-15); no campaign asks anything by itself."""
    people = {"umpire": carleton, "player": burgoyne, "other": gates}
    client = signed_in(User.objects.get(username=who))
    for number in (1, 2):  # the player commands in one and is the deputy in the next
        another_campaign(number, **people)
    two = queries(client, page)
    assert two <= 15
    for number in (3, 4):
        another_campaign(number, **people)
    assert queries(client, page) == two


@pytest.mark.parametrize("page", ["/", "/api/v1/campaigns/"])
def test_late_spectators_of_more_campaigns_ask_no_more_queries_hr_set_12(page, carleton, burgoyne, gates):
    looker = User.objects.create_user("clinton")
    client, found = signed_in(looker), []
    for number in range(1, 5):
        campaign = another_campaign(number, umpire=carleton, player=burgoyne, other=gates)
        seat_open(campaign=campaign, role="spectator", user=looker, actor=carleton)
        Campaign.objects.update(spectator_days=0, state=Campaign.State.ENDED)
        found.append(queries(client, page))
    assert len(set(found[1:])) == 1 and max(found) <= 15
    assert ", ended" not in client.get("/").content.decode()  # the morning they see was before the end


def test_what_a_row_tells_does_not_come_from_another_campaign(carleton, burgoyne, gates):
    people = {"umpire": carleton, "player": burgoyne, "other": gates}
    first, second = (another_campaign(number, **people) for number in (1, 2))
    second.battles.all().delete()
    second.provisional_days.all().delete()
    OrderPaper.objects.filter(campaign=second).update(day=0, state="standing", side="rebel")
    JournalEntry.objects.filter(campaign=second).update(sides="|rebel|")
    mine = {row.campaign.pk: row for row in home_rows(burgoyne)}
    assert [fight.told for fight in mine[first.pk].battles] == [""] and not mine[second.pk].battles
    assert mine[first.pk].provisional and not mine[second.pk].provisional
    assert "1 draft" in mine[first.pk].orders and "draft" not in mine[second.pk].orders
    assert [len(mine[key.pk].news.headlines) for key in (first, second)] == [3, 0]
    assert mine[second.pk].news.count == 0
    umpires = {row.campaign.pk: row for row in home_rows(carleton)}
    assert umpires[first.pk].orders == "No orders yet from Crown."
    assert umpires[first.pk].battles[0].told.startswith("Crown has entered a result")
    assert umpires[second.pk].orders == "No orders yet from Crown." and not umpires[second.pk].battles
    assert len(umpires[second.pk].news.headlines) == 3


def test_hr_due_02_home_tells_columns_that_march_on_by_earlier_orders(
    saratoga, crown, desk, burgoyne, gates, carleton
):
    """Such a side is heard: nothing of it is missing, before the deadline and after it."""
    far = Order("british_2nd_brigade", ("isle_aux_noix", "crown_point"))
    order_submit(campaign=saratoga, side="crown", order=far, actor=burgoyne)
    assert day_advance(campaign=saratoga, actor=carleton).records
    saratoga.refresh_from_db()
    going = "No new orders of yours; 1 column marches on by earlier orders."
    [row] = home_rows(burgoyne)
    assert (row.orders, row.orders_in, row.is_urgent) == (going, True, False)
    assert going in home(crown)
    umpires = (
        "No orders yet from United States. No new orders from Crown; 1 column marches on by earlier orders."
    )
    assert umpires in home(desk)
    [row] = home_rows(gates)
    assert (row.orders, row.orders_in) == ("No orders of yours are in.", False)
    Campaign.objects.update(deadline=timezone.now() - timedelta(hours=1))
    assert "Nothing of your side was in" not in home(crown)
    assert "What your side sent in time stands" in home(crown)
    assert "Nothing of your side was in" in home(signed_in(gates))
    Campaign.objects.update(deadline=None)
    saratoga.refresh_from_db()
    draft = Order("british_1st_brigade", ("montreal",))
    order_draft(campaign=saratoga, side="crown", order=draft, actor=burgoyne)
    [row] = home_rows(burgoyne)
    assert (row.orders, row.orders_in) == (f"{going[:-1]}; 1 draft not handed in.", False)
    order_submit(campaign=saratoga, side="crown", order=draft, actor=burgoyne)
    assert "Your orders are in: 1 paper." in home(crown)
    assert "No orders yet from United States." in home(desk) and "No new orders" not in home(desk)


def test_hr_cou_04_home_does_not_tell_a_commander_with_couriers_who_is_still_marching(
    saratoga, desk, burgoyne, carleton
):
    """Headquarters does not know whose march has ended since the last report; the umpire does."""
    far = Order("british_2nd_brigade", ("isle_aux_noix", "crown_point"))
    order_submit(campaign=saratoga, side="crown", order=far, actor=burgoyne)
    assert day_advance(campaign=saratoga, actor=carleton).records
    saratoga.refresh_from_db()
    assert "1 column marches on" in home_rows(burgoyne)[0].orders
    saratoga.settings = {**saratoga.settings, "couriers": True}
    saratoga.save()
    [row] = home_rows(burgoyne)
    assert (row.orders, row.orders_in) == ("No orders of yours are in.", False)
    assert "1 column marches on" in home(desk)
    Campaign.objects.update(deadline=timezone.now() - timedelta(hours=1))
    [row] = home_rows(burgoyne)
    saratoga.refresh_from_db()
    assert row.late == late_for(saratoga, "crown"), "as the page of orders has it"


def test_hr_due_02_home_tells_who_has_nothing_new(saratoga, crown, desk, burgoyne):
    nothing_new_say(campaign=saratoga, side="crown", actor=burgoyne)
    [row] = home_rows(burgoyne)
    assert (row.orders, row.orders_in) == ("You have said that there is nothing new.", True)
    assert "No orders yet from United States. Crown has nothing new." in home(desk)


def test_a_visit_is_written_once_while_nothing_changes(saratoga, crown):
    crown.get(PAGE)
    (first,) = Visit.objects.all()
    crown.get(PAGE)
    assert Visit.objects.get().seen_at == first.seen_at
    day_advance(campaign=saratoga, actor=None)
    crown.get(PAGE)
    assert Visit.objects.get().record > first.record


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "now"), (1, "in 1 minute"), (119, "in 119 minutes"), (120, "in 2 hours"), (-130, "2 hours ago"),
     (47 * 60, "in 47 hours"), (3 * 1440 + 5, "in 3 days"), (-2880, "2 days ago")],
)  # fmt: skip
def test_spans_of_time_in_words(minutes, words):
    assert format_span(timedelta(minutes=minutes)) == words
