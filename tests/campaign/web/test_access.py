"""At the door of a page: ended sessions, old forms, addresses of forms opened as pages."""

import pytest
from django.contrib.auth import get_user
from django.test import Client

from campaign.web.access import OLD_FORM

PAGE = "/campaigns/saratoga/"
SCRIPT = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{PAGE}?sheet=orders"}


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("orders/", "?sheet=orders"),
        ("orders/preview/", "?sheet=orders"),
        ("orders/1/withdraw/", "?sheet=orders"),
        ("advance/", "?sheet=day"),
        ("deadline/", "desk/"),
    ],
)
def test_a_forms_address_opened_as_a_page_leads_to_the_form(desk, address, form):
    assert desk.get(PAGE + address)["Location"] == PAGE + form
    assert desk.put(PAGE + address).status_code == 405


@pytest.mark.parametrize("way", ["table", "word", "engine"])
def test_a_settlements_address_leads_to_its_battle(crown, battle, way):
    """As after a refused result, when the address bar is entered again."""
    page = f"{PAGE}battles/{battle.pk}/"
    assert crown.get(f"{page}settle/{way}/")["Location"] == page


@pytest.mark.parametrize("page", ["/", PAGE, f"{PAGE}journal/"])
def test_whoever_only_asks_whether_a_page_is_there_is_told(crown, page):
    """As the programs do that watch whether a site is up."""
    answer = crown.head(page)
    assert (answer.status_code, answer.content) == (200, b"")


def test_visitors_are_asked_to_sign_in_first(saratoga):
    assert Client().get(f"{PAGE}orders/")["Location"].startswith("/sign-in/?next=")


def test_a_script_without_a_session_sends_the_window_to_the_sign_in_page(crown):
    crown.logout()
    response = crown.post(f"{PAGE}orders/preview/", {}, headers=SCRIPT)
    assert response.status_code == 204 and not response.content
    assert response["HX-Redirect"] == f"/sign-in/?next={PAGE}%3Fsheet%3Dorders"


def test_a_script_from_elsewhere_comes_back_to_the_front_page(saratoga):
    headers = {"HX-Request": "true", "HX-Current-URL": "http://elsewhere.example/campaigns/"}
    assert Client().get(PAGE, headers=headers)["HX-Redirect"] == "/sign-in/?next=/"


@pytest.fixture
def strict(burgoyne, saratoga) -> Client:
    """Burgoyne's browser with its forms' tokens checked."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(burgoyne)
    return client


def test_an_old_form_is_a_page_of_the_site_that_leads_back(strict):
    headers = {"Referer": f"http://testserver{PAGE}?sheet=orders"}
    response = strict.post(f"{PAGE}orders/", {"csrfmiddlewaretoken": "x" * 32}, headers=headers)
    text = response.content.decode()
    assert response.status_code == 403
    assert OLD_FORM in text and "css/base" in text
    assert f'href="{PAGE}?sheet=orders"' in text
    assert get_user(strict).is_authenticated


@pytest.mark.parametrize("site", ["http://elsewhere.example", "http://testserver//elsewhere.example"])
def test_an_old_form_from_elsewhere_leads_to_the_front_page(strict, site):
    response = strict.post(f"{PAGE}orders/", headers={"Referer": f"{site}/trap"})
    assert response.status_code == 403 and "elsewhere" not in response.content.decode()


LONG = "Sir,\n\nI have the honour <to> propose an exchange of prisoners at Skenesborough."


def test_what_was_written_is_on_the_page_that_says_the_form_is_old(strict):
    form = {
        "text": LONG,
        "to": "3",
        "login": "burgoyne",
        "password": "x" * 40,
        "csrfmiddlewaretoken": "y" * 64,
    }
    own = {"Referer": f"http://testserver{PAGE}?sheet=letters"}
    text = strict.post(f"{PAGE}letters/", form, headers=own).content.decode()
    assert "I have the honour &lt;to&gt; propose" in text and text.count("<textarea") == 1
    assert "x" * 8 not in text and "y" * 8 not in text
    trap = strict.post(f"{PAGE}letters/", form, headers={"Referer": "http://elsewhere.example/trap"})
    assert trap.status_code == 403 and "I have the honour" not in trap.content.decode()


def test_who_has_been_signed_out_while_he_wrote_has_his_text_and_the_way_back(crown):
    crown.logout()
    own = {"Referer": f"http://testserver{PAGE}?sheet=letters"}
    answer = crown.post(f"{PAGE}letters/", {"text": LONG, "to": "3"}, headers=own)
    text = answer.content.decode()
    assert answer.status_code == 403 and "You have been signed out" in text
    assert "I have the honour &lt;to&gt; propose" in text
    assert f'href="/sign-in/?next={PAGE}%3Fsheet%3Dletters"' in text
    short = crown.post(f"{PAGE}letters/", {"text": "Sir."}, headers=own)
    assert short["Location"].startswith("/sign-in/?next=")


def test_an_old_form_answers_a_script_with_the_sentence(strict):
    response = strict.post(f"{PAGE}orders/preview/", headers=SCRIPT)
    assert (response.status_code, response.content.decode()) == (403, OLD_FORM)
    assert response["Content-Type"].startswith("text/plain")


def test_a_refusal_no_page_catches_answers_a_script_with_the_sentence(crown, saratoga):
    type(saratoga).objects.update(scenario_digest="0" * 64)
    response = crown.get(PAGE, headers=SCRIPT)
    assert response.status_code == 409 and response["Content-Type"].startswith("text/plain")
    assert "put the original files back" in response.content.decode()
