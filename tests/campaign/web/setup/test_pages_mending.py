"""What the pages of the set-up say is to be mended, and where one goes on (HR-SET-15)."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import CampaignDraft, User

pytestmark = pytest.mark.django_db

NEW = reverse("campaign-new")
CLOCK = {
    "time_zone": "Europe/London",
    "until": "",
    "cadence_days": 7,
    "days_a_turn": 7,
    "run_until": "week",
    "late_orders": "refuse",
    "missed_orders": "carry_on",
    "run_on_days": 3,
}
BATTLES = {"battle_policy": "table", "table_units": 12, "ruleset": "awi"}


@pytest.fixture
def hand(db) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("anna", "anna@example.org", "secret"))
    return client


@pytest.fixture
def draft(hand) -> CampaignDraft:
    hand.post(NEW, {"scenario": "saratoga-1777", "troops": "full"})
    return CampaignDraft.objects.get()


def page(draft: CampaignDraft, step: str) -> str:
    return reverse("campaign-new-step", args=[draft.pk, step])


def refused(hand: Client, draft: CampaignDraft, step: str, **given) -> dict[str, list[str]]:
    """What is refused of a page, by field."""
    answer = hand.post(page(draft, step), {"seen": 0, **given})
    assert answer.status_code == 422
    return answer.context["form"].errors


def listed(hand: Client, draft: CampaignDraft, step: str, **given) -> str:
    """The page as it is refused."""
    return unescape(hand.post(page(draft, step), {"seen": 0, **given}).content.decode())


def test_the_list_of_faults_says_each_label_once(hand, draft):
    told = listed(hand, draft, "name", title="", slug="ours")
    assert '<a href="#id_title">Name: this is empty; write it here.</a>' in told
    told = listed(hand, draft, "seats", days="-3")
    assert ">Spectators see it so many campaign days late: enter a whole number from 0 to 120.</a>" in told


def test_all_faults_of_a_page_are_told_together(hand, draft):
    assert set(refused(hand, draft, "name", title="", slug="My campaign!")) == {"title", "slug"}
    assert set(refused(hand, draft, "name", title="x\ny", slug="new")) == {"title", "slug"}
    wrong = {
        "days": "-3",
        "c-crown-way": "mail",
        "c-crown-whom": "gates",
        "c-rebel-way": "account",
        "c-rebel-whom": "ghost",
    }
    assert set(refused(hand, draft, "seats", **wrong)) == {"days", "c-crown-whom", "c-rebel-whom"}
    wrong = CLOCK | {"cadence_days": 0, "until": "2020-01-01T20:00", "days_a_turn": 99, "run_on_days": ""}
    fields = {"cadence_days", "until", "days_a_turn", "run_on_days"}
    assert set(refused(hand, draft, "clock", **wrong)) == fields
    skipped = CLOCK | {"time_zone": "Europe/Berlin", "until": "2027-03-28T02:30"}
    assert "There is no 02:30 on 28 March 2027" in str(refused(hand, draft, "clock", **skipped)["until"])


def test_a_fault_of_a_seat_names_the_seat(hand, draft):
    wrong = {"c-crown-whom": "ghost", "d-rebel-whom": "spectre", "a-1-whom": "shade"}
    told = listed(hand, draft, "seats", **wrong)
    crown, rebel = (side.name for side in hand.get(page(draft, "seats")).context["card"].sides)
    assert f"{crown}, commander: E-mail or user name: Nobody here is called “ghost”" in told
    assert f"{rebel}, deputy: E-mail or user name: Nobody here is called “spectre”" in told
    assert "Assistant umpire 2: E-mail or user name: Nobody here is called “shade”" in told


def test_left_after_the_first_page_it_goes_by_its_title_and_goes_on_there(hand, draft):
    for address in ("/", NEW):
        told = hand.get(address).content.decode()
        assert "Saratoga 1777" in told and f'href="{page(draft, "name")}"' in told
        assert page(draft, "review") not in told and ">saratoga-1777<" not in told
    hand.post(page(draft, "name"), {"seen": 0, "title": "Ours", "slug": "ours"})
    told = hand.get("/").content.decode()
    assert ">Ours<" in told and f'href="{page(draft, "seats")}"' in told


def test_a_draft_takes_no_address(hand, draft, saratoga):
    hand.post(NEW, {"scenario": "saratoga-1777", "troops": "full"})
    assert 'value="saratoga-1777"' in hand.get(page(draft, "name")).content.decode()
    saratoga.slug = "saratoga-1777"
    saratoga.save()
    assert 'value="saratoga-1777-2"' in hand.get(page(draft, "name")).content.decode()


@pytest.mark.parametrize(
    ("cadence", "words"),
    [
        ("7", "the first deadline is 7 days after you play the first day, at the same hour and minute."),
        ("1", "the first deadline is 1 day after you play the first day, at the same hour and minute."),
        ("", "No hour is set for the first orders; you set it later"),
    ],
)
def test_the_review_says_when_a_first_deadline_nobody_set_will_be(hand, draft, cadence, words):
    pages = {
        "name": {"title": "Ours", "slug": "ours"},
        "seats": {"days": ""},
        "rules": {},
        "clock": CLOCK | {"cadence_days": cadence},
        "battles": BATTLES,
    }
    for step, given in pages.items():
        assert hand.post(page(draft, step), {"seen": 0, **given}).status_code == 302
    assert words in hand.get(page(draft, "review")).content.decode()
