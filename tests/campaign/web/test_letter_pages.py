"""The sheet of letters, and the page of those who have no desk."""

import re

import pytest

from campaign.models import Campaign, Letter, LetterCopy, Seat, User
from campaign.selectors.dispatches import PAGE as PAGE_SIZE
from campaign.services.dispatches import letter_send
from campaign.services.seats.assignment import column_give
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from tests.campaign.conftest import SECRET
from tests.campaign.web.test_roles import shown as seen
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"
#: What every request draws anew.
TOKEN = re.compile(
    r'name="opened" value="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"'
)
SHEET = f"{PAGE}?sheet=letters"
LETTERS = f"{PAGE}letters/"


def seat_of(name: str) -> Seat:
    return Seat.objects.get(user__username=name)


def posted(to: str, **more) -> dict[str, object]:
    data = {"to": seat_of(to).pk, "subject": "Prisoners", "text": "Sir,\n\nan exchange?", "sealed": "sealed"}
    return {**data, "opened": "2026-01-01T00:00:00+00:00", **more}


def words(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_a_letter_is_written_read_and_answered(crown, rebel):
    assert crown.post(LETTERS, posted("gates")).headers["Location"] == f"{SHEET}&box=sent"
    assert "Prisoners" in words(crown.get(f"{SHEET}&box=sent"))
    assert '1<span class="unseen"> unread</span>' in words(rebel.get(PAGE))
    assert "1 letter unread" in words(rebel.get("/"))
    letter = Letter.objects.get()
    inbox = words(rebel.get(SHEET))
    assert "Prisoners" in inbox and "Burgoyne" in inbox
    page = words(rebel.get(f"{SHEET}&letter={letter.code}"))
    assert "an exchange?" in page and "Re: Prisoners" in page
    assert LetterCopy.objects.get().read_at is not None
    assert "unread" not in words(rebel.get(PAGE)) and "unread" not in words(rebel.get("/"))
    answer = posted("burgoyne", text="Agreed.", subject="Re: Prisoners", answers=letter.code)
    assert rebel.post(LETTERS, answer).status_code == 302
    page = words(crown.get(f"{SHEET}&letter={letter.code}"))
    assert "an exchange?" in page and "Agreed." in page


def test_the_same_form_from_two_tabs_is_one_letter(crown):
    for _ in range(2):
        assert crown.post(LETTERS, posted("gates")).status_code == 302
    assert Letter.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"text": " "}, "The letter is empty"),
        ({"to": []}, "Say to whom the letter goes"),
        ({"to": "99999"}, "You cannot write to one of these seats"),
        ({"text": "x" * 4001}, "take out 1, or write two"),
        ({"sealed": "waxed"}, "sealed"),
        ({"opened": "then", "answers": "two", "text": ""}, "The letter is empty"),
    ],
)
def test_bad_input_writes_nothing_and_keeps_what_was_typed(crown, change, sentence):
    answer = crown.post(LETTERS, posted("gates", subject="Kept as typed") | change)
    assert answer.status_code == 422
    assert sentence in words(answer) and "Kept as typed" in words(answer)
    assert not Letter.objects.exists()


def test_a_script_that_sends_a_letter_is_told_where_to_go_on_and_when_it_was_not_taken(
    saratoga, crown, gates
):
    """It keeps what was written where the answer says "Form-Unsent"."""
    script = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{saratoga.get_absolute_url()}"}
    taken = crown.post(LETTERS, posted("gates", submit="1"), headers=script)
    assert taken.status_code == 204 and taken["HX-Redirect"].endswith("?sheet=letters&box=sent")
    assert "Form-Unsent" not in taken
    refused = crown.post(LETTERS, posted("gates", text="", submit="1"), headers=script)
    assert refused.status_code == 200 and 'id="letter-form"' in refused.content.decode()
    crown.logout()
    ended = crown.post(LETTERS, posted("gates", submit="1"), headers=script)
    assert ended.status_code == 204 and ended["Form-Unsent"] == "yes"
    assert "/sign-in/" in ended["HX-Redirect"] or "login" in ended["HX-Redirect"]
    assert Letter.objects.count() == 1


def test_a_letters_address_does_not_count_the_letters_of_others(crown, rebel):
    crown.post(LETTERS, posted("gates"))
    letter = Letter.objects.get()
    page = words(rebel.get(SHEET))
    assert f"letter={letter.code}" in page and f"letter={letter.pk}" not in page.replace(letter.code, "")
    assert rebel.get(f"{SHEET}&letter={letter.pk}").status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "two", "999999999999999999"])
def test_a_page_of_letters_that_cannot_be_is_one_that_can(crown, page):
    assert crown.get(f"{SHEET}&page={page}").status_code == 200


def test_letters_of_others_are_not_there(crown, rebel, stranger, desk):
    letter = letter_send(
        campaign=seat_of("burgoyne").campaign,
        author=User.objects.get(username="burgoyne"),
        to=[seat_of("carleton").pk],
        text="Between us.",
        sealed=False,
    )
    assert rebel.get(f"{SHEET}&letter={letter.code}").status_code == 404
    assert stranger.get(LETTERS).status_code == 404
    assert stranger.post(LETTERS, posted("gates")).status_code == 404
    assert "Between us." in words(desk.get(f"{SHEET}&letter={letter.code}"))


def test_a_letter_changes_no_page_of_others_hr_let_02(saratoga, crown, rebel, desk, burgoyne):
    """Its existence, its number and its words are no news to those it is not for."""
    fraser = User.objects.create_user("fraser")
    column = {"campaign": saratoga, "side": "crown", "formations": ["advanced_corps"]}
    column_give(**column, user=fraser, title="Fraser", actor=None)
    browser = signed_in(fraser)
    sheets = (SHEET, f"{SHEET}&box=others", f"{SHEET}&box=sent")

    def all_of(one) -> str:
        return seen(one) + "".join(TOKEN.sub("", words(one.get(sheet))) for sheet in sheets)

    before = [all_of(one) for one in (rebel, browser)]
    letter_send(campaign=saratoga, author=burgoyne, to=[seat_of("carleton").pk], text="Between us.")
    assert [all_of(one) for one in (rebel, browser)] == before
    letter_send(
        campaign=saratoga, author=burgoyne, to=[seat_of("carleton").pk], text="To be filed.", sealed=False
    )
    after = [all_of(one) for one in (rebel, browser)]
    assert after[0] == before[0] and "To be filed." in after[1]


@pytest.mark.parametrize("role", ["reserve", "spectator"])
def test_who_has_no_desk_writes_to_the_umpire_from_a_page_of_his_own(saratoga, carleton, desk, role):
    anna = User.objects.create_user("anna")
    seat_open(campaign=saratoga, role=role, user=anna, actor=carleton)
    browser = signed_in(anna)
    page = words(browser.get(LETTERS))
    assert "The umpire" in page and "Gates" not in page and "Others" not in page
    assert browser.post(LETTERS, posted("carleton")).headers["Location"] == f"{LETTERS}?box=sent"
    letter = Letter.objects.get()
    back = posted("anna", text="A seat falls empty.", answers=letter.code)
    assert desk.post(LETTERS, back).status_code == 302
    assert "1 unread" in words(browser.get(f"{PAGE}public/"))
    assert "1 letter unread" in words(browser.get("/"))
    answer = Letter.objects.first()
    assert "A seat falls empty." in words(browser.get(f"{LETTERS}?letter={answer.code}"))
    assert "unread" not in words(browser.get("/"))
    assert browser.post(LETTERS, posted("gates")).status_code == 422


def test_a_spectator_of_a_running_campaign_has_the_sheet(saratoga, carleton):
    anna = User.objects.create_user("anna")
    seat_open(campaign=saratoga, role="spectator", user=anna, actor=carleton)
    spectators_set(campaign=saratoga, days=0, side="", reason="Late enough.", actor=carleton)
    page = words(signed_in(anna).get(SHEET))
    assert "Write" in page and "Between others" not in page


def test_boxes_have_pages(saratoga, crown, carleton, burgoyne):
    for number in range(PAGE_SIZE + 1):
        letter_send(campaign=saratoga, author=carleton, to=[seat_of("burgoyne").pk], text=f"Order {number}.")
    first, second = words(crown.get(SHEET)), words(crown.get(f"{SHEET}&page=2"))
    assert "Order 26." not in first and "Order 25." in first and "Order 0." not in first
    assert "Order 0." in second and "Older letters" in first and "Newer letters" in second


def test_the_sheet_asks_at_most_fifteen_queries(saratoga, crown, rebel, django_assert_max_num_queries):
    for number in range(3):
        crown.post(LETTERS, posted("gates", text=f"Letter {number}"))
    rebel.get(PAGE)
    for address in (SHEET, f"{SHEET}&letter={Letter.objects.last().code}"):
        with django_assert_max_num_queries(15):
            assert rebel.get(address).status_code == 200


@pytest.fixture
def riding(burgoyne, gates, carleton) -> Campaign:
    return campaign_create(
        scenario="saratoga-1777",
        slug="riding",
        secret=SECRET,
        settings={"couriers": True},
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


def test_by_courier_a_letter_waits_may_be_called_back_and_comes_in_hr_let_05(
    riding, burgoyne, gates, carleton
):
    crown, rebel, desk = (signed_in(user) for user in (burgoyne, gates, carleton))
    page = "/campaigns/riding/"
    sheet, to = f"{page}?sheet=letters", {"to": riding.seats.get(user=gates).pk, "sealed": "sealed"}
    for text in ("First thoughts.", "Second thoughts."):
        said = crown.post(f"{page}letters/", {**to, "text": text}, follow=True)
        assert "leaves by courier this evening" in words(said)
    second, first = Letter.objects.all()
    back = f"{page}letters/{first.code}/back/"
    assert "Call it back" in words(crown.get(f"{sheet}&letter={first.code}"))
    assert rebel.post(back).status_code == 404 and crown.get(back).status_code == 405
    assert "Only its writer can call a letter back; write to them" in words(desk.post(back, follow=True))
    assert "called back" in words(crown.post(back, follow=True))
    quiet = words(rebel.get(f"{sheet}&box=in"))
    assert "thoughts" not in quiet and "unread" not in words(rebel.get("/"))
    assert day_advance(campaign=riding, actor=None).records
    riding.refresh_from_db()
    LetterCopy.objects.filter(letter=second).update(due=riding.day)
    assert "courier has left" in words(crown.post(f"{page}letters/{second.code}/back/", follow=True))
    inbox = words(rebel.get(sheet))
    assert "Second thoughts." in inbox and "First thoughts." not in inbox and "unread" in inbox
    assert "It came in on" in words(rebel.get(f"{sheet}&letter={second.code}"))
    sent = words(crown.get(f"{sheet}&letter={second.code}"))
    assert "It left in the evening of 15 June." in sent and "It came in on" not in sent
    assert "To Gates: in on" in words(desk.get(f"{sheet}&letter={second.code}"))


def test_a_letter_on_its_way_changes_no_page_of_others_hr_let_05(riding, burgoyne, gates):
    """Neither its writer's side nor the enemy learns of it before it is in, nor of who took it."""
    fraser = User.objects.create_user("fraser")
    column = {"campaign": riding, "side": "crown", "formations": ["advanced_corps"]}
    column_give(**column, user=fraser, title="Fraser", actor=None)
    page = "/campaigns/riding/"
    pages = ("/", page, *(f"{page}?sheet=letters&box={box}" for box in ("in", "sent", "others")))

    def all_of(user: User) -> list[str]:
        browser = signed_in(user)
        return [TOKEN.sub("", words(browser.get(each))) for each in pages]

    all_of(fraser), all_of(gates)  # so that home's "since you looked in" says the same both times
    before = [all_of(user) for user in (fraser, gates)]
    to = riding.seats.get(user=gates).pk
    letter_send(campaign=riding, author=burgoyne, to=[to], text="Sir, a flag.", sealed=False)
    assert [all_of(user) for user in (fraser, gates)] == before
    LetterCopy.objects.update(due=3, day=3, minute=60, taken=True, die=5)
    Letter.objects.update(left=0)
    assert [all_of(user) for user in (fraser, gates)] == before
