"""Orders that cross, come late, are sent twice: nothing that was written is lost (HR-PAP-04)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import OrderPaper
from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.days import day_advance
from tests.campaign.web.posed import words

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"
MARCH = {
    "formation": "advanced_corps",
    "destination": "ticonderoga",
    "pace": "normal",
    "stance": "give_battle",
    "submit": "1",
}
State = OrderPaper.State
SCRIPT = {"HX-Request": "true"}


@pytest.fixture
def form(crown) -> dict[str, str]:
    """An order as the open page would send it."""
    context = crown.get(f"{PAGE}?sheet=orders").context
    return {**MARCH, "seen": str(context["seen"]), "written": str(context["written"])}


def other(saratoga, place: str = "crown_point") -> OrderPaper:
    """An order from another window."""
    return order_submit(campaign=saratoga, side="crown", order=Order("advanced_corps", (place,)), actor=None)


def states() -> list[tuple[str, str]]:
    return [(paper.state, paper.body["via"][0]) for paper in OrderPaper.objects.order_by("pk")]


@pytest.mark.parametrize("headers", [{}, SCRIPT], ids=["page", "script"])
def test_hr_pap_04_the_second_of_two_windows_is_told_what_stands_and_loses_nothing(
    crown, saratoga, form, headers
):
    other(saratoga)
    answer = crown.post(f"{PAGE}orders/", form, headers=headers)
    assert answer.status_code == (200 if headers else 422)
    said = words(answer)
    assert "A newer order for Advanced Corps stands, version 1 from the staff: marches to Crown Point" in said
    assert "HR-PAP-04" in said and answer.context["form"]["destination"].value() == "ticonderoga"
    assert states() == [(State.STANDING, "crown_point"), (State.DRAFT, "ticonderoga")]
    again = {**form, "seen": str(answer.context["seen"])}
    assert "version 2" not in said
    crown.post(f"{PAGE}orders/", again)
    assert states() == [(State.REPLACED, "crown_point"), (State.STANDING, "ticonderoga")]


def test_an_order_to_march_to_where_it_stands_is_refused_hr_mar_08(crown, form, saratoga):
    place = world_load(saratoga).formations[form["formation"]].position.place
    answer = crown.post(f"{PAGE}orders/", {**form, "destination": place, "submit": "1"})
    assert answer.status_code == 422 and "already; choose another place" in answer.content.decode()
    assert not OrderPaper.objects.exists()


def test_hr_pap_04_the_same_order_sent_twice_counts_once(crown, form):
    first = words(crown.post(f"{PAGE}orders/", form, follow=True))
    second = words(crown.post(f"{PAGE}orders/", form, follow=True))
    (paper,) = OrderPaper.objects.all()
    assert all(f"Receipt {paper.receipt}" in said for said in (first, second))


def test_hr_pap_04_an_order_written_before_the_day_was_advanced_is_kept(crown, saratoga, form):
    day_advance(campaign=saratoga, actor=None)
    answer = crown.post(f"{PAGE}orders/", form)
    assert answer.status_code == 422
    assert "The day has been advanced meanwhile" in words(answer) and "kept as a draft" in words(answer)
    draft = OrderPaper.objects.get(state=State.DRAFT)
    assert draft.day == 1 and draft.body["via"] == ["ticonderoga"]
    crown.post(f"{PAGE}orders/", {**form, "written": str(answer.context["written"])})
    assert OrderPaper.objects.get(state=State.STANDING).day == 1


def test_the_page_of_a_day_gone_by_is_loaded_whole_with_what_was_written(crown, saratoga, form):
    tab = {**SCRIPT, "HX-Target": "desk", "Morning": "0"}
    assert crown.get(f"{PAGE}?sheet=returns", headers=tab).status_code == 200
    day_advance(campaign=saratoga, actor=None)
    kept = crown.post(f"{PAGE}orders/", form, headers=SCRIPT)
    draft = OrderPaper.objects.get(state=State.DRAFT)
    assert kept.status_code == 204 and "Form-Unsent" not in kept
    assert kept["HX-Redirect"] == f"{PAGE}?sheet=orders&draft={draft.number}"
    page = crown.get(kept["HX-Redirect"])
    assert "The day has been advanced meanwhile" in words(page) and "kept as a draft" in words(page)
    assert page.context["form"]["destination"].value() == "ticonderoga"
    for wrong in ({"destination": "nowhere"}, {"further": "1"}):
        refused = crown.post(f"{PAGE}orders/", {**form, **wrong}, headers=SCRIPT)
        assert (refused.status_code, refused["Form-Unsent"]) == (204, "yes")
        assert refused["HX-Redirect"] == f"{PAGE}?sheet=orders"
        assert "The day has been advanced meanwhile" in words(crown.get(refused["HX-Redirect"]))
    assert crown.get(f"{PAGE}?sheet=returns", headers=tab)["HX-Redirect"] == f"{PAGE}?sheet=returns"


@pytest.mark.parametrize("late", ["refuse", "queue"])
def test_hr_pap_04_an_order_after_the_deadline_is_kept_or_queued_and_says_which(crown, saratoga, form, late):
    saratoga.late_orders, saratoga.deadline = late, timezone.now() - timedelta(minutes=1)
    saratoga.save()
    answer = crown.post(f"{PAGE}orders/", form, follow=True)
    (paper,) = OrderPaper.objects.all()
    if late == "queue":
        assert paper.state == State.QUEUED and "It came late and is kept for the next day" in words(answer)
    else:
        assert answer.status_code == 422 and paper.state == State.DRAFT
        assert "The deadline for this day has passed" in words(answer)
        assert "What you wrote is kept as a draft" in words(answer)


@pytest.mark.parametrize(
    ("missed", "told"),
    [
        ("carry_on", "each formation goes on with its older order"),
        ("halt", "columns that follow or intercept halt"),
        ("staff", "the staff writes the orders"),
    ],
)
def test_hr_due_02_after_the_deadline_the_form_says_what_happens_and_is_not_to_be_sent(
    crown, saratoga, form, missed, told
):
    saratoga.deadline, saratoga.missed_orders = timezone.now() - timedelta(minutes=1), missed
    saratoga.save()
    page, overview, home = (
        words(crown.get(address)) for address in (f"{PAGE}?sheet=orders", f"{PAGE}orders/overview/", "/")
    )
    for text in (page, overview, home):
        assert f"Nothing of your side was in: {told}" in text and "your last order in time" not in text
        assert "The day is played when the umpire advances it; then the next can be ordered." in text
    assert "orders were due" in page and "Orders were due" in overview and "Write them" not in home
    raw = crown.get(f"{PAGE}?sheet=orders").content.decode()
    assert 'name="submit"' not in raw and 'name="draft"' in raw and "<button>Add it" not in raw
    assert told in words(crown.post(f"{PAGE}orders/", form))
    raw = crown.get(f"{PAGE}?sheet=orders").content.decode()
    assert 'name="submit"' not in raw and "Go on writing" in raw


def test_hr_cal_04_what_was_put_in_in_time_stands_and_late_ones_kept_may_be_sent(crown, saratoga, form):
    other(saratoga)
    saratoga.deadline, saratoga.late_orders = timezone.now() - timedelta(minutes=1), "queue"
    saratoga.save()
    page = crown.get(f"{PAGE}?sheet=orders")
    assert "What your side sent in time stands" in words(page) and "kept for the next day" in words(page)
    assert 'name="submit"' in page.content.decode()


def test_a_script_is_led_on_and_gets_only_the_papers_back(crown, form):
    done = crown.post(f"{PAGE}orders/", form, headers=SCRIPT)
    assert (done.status_code, done["HX-Redirect"]) == (204, f"{PAGE}?sheet=orders")
    refused = crown.post(f"{PAGE}orders/", {**form, "destination": "nowhere"}, headers=SCRIPT)
    assert refused.status_code == 200 and refused.content.lstrip().startswith(b"<main")


def test_the_first_field_refused_has_the_cursor_and_is_read_with_its_refusal(crown, form):
    bad = {**form, "destination": "unadilla", "formation": "artillery_park", "wait_1": "99", "submit": "1"}
    page = crown.post(f"{PAGE}orders/", bad).content.decode()
    assert page.count("autofocus") == 1
    assert 'aria-describedby="id_wait_1_helptext error-wait_1"' in page or "error-wait_1" in page
    assert 'id="error-destination"' in page and 'aria-describedby="error-destination"' in page


def test_who_was_signed_out_is_told_at_the_door_that_his_order_was_not_sent(saratoga):
    client = Client()
    answer = client.post(f"{PAGE}orders/", MARCH, headers=SCRIPT)
    assert answer["Form-Unsent"] == "yes"
    assert "what you wrote was not sent. Sign in again" in words(client.get(answer["HX-Redirect"]))
