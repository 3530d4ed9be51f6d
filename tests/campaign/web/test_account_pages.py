"""Accounts: signing up and in, confirming an address, forgotten passwords, two factors."""

import html
import re
from zoneinfo import available_timezones

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.contrib.auth import get_user
from django.core import mail
from django.core.cache import cache
from django.test import Client

from campaign.models import User
from campaign.web.accounts.profile import OLDER_NAMES, ProfileForm, zone_choices
from tests.factories.people import authenticator_shows, signed_in

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"
GOOD = "The lake is wide at Crown Point"
STARK = {"username": "stark", "email": "stark@example.org", "password1": GOOD, "password2": GOOD}


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


@pytest.fixture
def with_mail(settings) -> None:
    """As with EMAIL_URL set."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    settings.MAIL_IS_SENT = True


def text(response) -> str:
    return response.content.decode()


def link(message) -> str:
    """The path of the one link in a letter."""
    (found,) = re.findall(r"http://testserver(/\S+)", message.body)
    return found


def at_the_door() -> Client:
    """Burgoyne's browser, signed in and asked for the password once more."""
    client = Client()
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
    client.post("/account/reauthenticate/", {"password": "Gentleman Johnny"})
    return client


def test_sign_in_with_name_or_e_mail(saratoga, burgoyne):
    User.objects.filter(pk=burgoyne.pk).update(email="john@example.org")
    for name in ("burgoyne", "john@example.org"):
        client = Client()
        wrong = client.post("/sign-in/", {"login": name, "password": "Gates"})
        assert "not correct" in text(wrong)
        given = {"login": name, "password": "Gentleman Johnny", "next": PAGE}
        assert client.post("/sign-in/", given)["Location"] == PAGE
        assert get_user(client) == burgoyne
        assert client.post("/sign-out/")["Location"] == "/"


def test_sign_in_leads_to_no_other_site(burgoyne):
    given = {"login": "burgoyne", "password": "Gentleman Johnny", "next": "https://elsewhere.example/"}
    assert Client().post("/sign-in/", given)["Location"] == "/"


def test_too_many_attempts_are_told_to_wait(burgoyne):
    client = Client()
    answers = [client.post("/sign-in/", {"login": "burgoyne", "password": "x"}) for _ in range(12)]
    assert "Too many failed login attempts" in text(answers[-1]) or answers[-1].status_code == 429


def test_sign_up_without_mail_opens_at_once_and_keeps_the_browsers_time_zone(settings):
    settings.MAIL_IS_SENT = False
    client = Client()
    assert 'type="hidden" name="time_zone"' in text(client.get("/sign-up/"))
    answer = client.post("/sign-up/", {**STARK, "email": "", "time_zone": "America/New_York"})
    assert answer["Location"] == "/"
    user = User.objects.get()
    assert (user.time_zone, get_user(client)) == ("America/New_York", user)


def test_a_time_zone_nobody_knows_is_left_out():
    Client().post("/sign-up/", {**STARK, "time_zone": "Moon/Tycho"})
    assert User.objects.get().time_zone == ""


def test_a_bad_sign_up_writes_nothing_and_says_why(burgoyne):
    for change in ({"username": "Burgoyne"}, {"password1": "12345678"}, {"password2": "another"}):
        answer = Client().post("/sign-up/", {**STARK, **change})
        assert answer.status_code == 200
        assert re.search(r'<p class="error"[^>]*><span[^>]*>\w', text(answer)), change
    assert User.objects.count() == 1


@pytest.mark.parametrize(("name", "sign"), [("o'hara", "'"), ("john stark", "a space"), ("a/b", "/")])
def test_a_username_with_other_signs_is_refused_in_our_words(name, sign):
    page = html.unescape(text(Client().post("/sign-up/", {**STARK, "username": name})))
    assert f"A username cannot hold {sign}; use letters, digits and the signs . @ + - _ only." in page
    assert "Enter a valid username" not in page and not User.objects.exists()


def test_with_mail_an_address_is_confirmed_first_in_another_browser_too(with_mail):
    client = Client()
    answer = client.post("/sign-up/", STARK, follow=True)
    assert "Check your e-mail" in text(answer)
    assert not get_user(client).is_authenticated
    other = Client()
    page = other.get(link(mail.outbox[0]))
    assert "stark@example.org is the address of stark" in text(page)
    assert other.post(link(mail.outbox[0]), follow=True).status_code == 200
    assert EmailAddress.objects.get().verified
    assert other.post("/sign-in/", {"login": "stark", "password": GOOD})["Location"] == "/"


def test_with_mail_the_browser_that_signed_up_is_signed_in_by_the_link(with_mail):
    client = Client()
    client.post("/sign-up/", STARK)
    client.post(link(mail.outbox[0]))
    assert get_user(client).is_authenticated


def test_with_mail_an_account_the_administrator_made_needs_no_confirming(with_mail, burgoyne):
    client = Client()
    assert client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})["Location"] == "/"
    assert get_user(client) == burgoyne


def test_a_second_account_for_one_address_is_not_made_and_nothing_is_told(with_mail, burgoyne):
    EmailAddress.objects.create(user=burgoyne, email="john@example.org", verified=True, primary=True)
    answer = Client().post("/sign-up/", {**STARK, "email": "john@example.org"}, follow=True)
    assert "Check your e-mail" in text(answer)
    assert User.objects.count() == 1
    assert "already" in mail.outbox[0].body


def test_a_forgotten_password_is_set_anew_by_the_link(burgoyne):
    User.objects.filter(pk=burgoyne.pk).update(email="john@example.org")
    client = Client()
    for address in ("nobody@example.org", "john@example.org"):
        told = client.post("/account/password/reset/", {"email": address}, follow=True)
        assert "Check your e-mail" in text(told)
    letter = next(each for each in mail.outbox if each.to == ["john@example.org"])
    page = client.get(link(letter), follow=True)
    address = page.redirect_chain[-1][0]
    answer = client.post(address, {"password1": GOOD, "password2": GOOD}, follow=True)
    assert "The new password is set" in text(answer)
    assert User.objects.get(username="burgoyne").check_password(GOOD)
    assert "has been used" in text(Client().get(link(letter), follow=True))


def test_something_that_matters_asks_for_the_password_once_more(burgoyne):
    client = Client()
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
    asked = client.post("/account/email/", {"action_add": "", "email": "john@example.org"}, follow=True)
    assert "Is it you?" in text(asked)
    assert not EmailAddress.objects.exists()


def test_the_profile_keeps_name_and_time_zone(crown, burgoyne):
    assert "John" in text(crown.get("/account/"))
    given = {"name": "  Gentleman   Johnny ", "time_zone": "Europe/London"}
    assert crown.post("/account/", given)["Location"] == "/account/"
    burgoyne.refresh_from_db()
    assert (burgoyne.get_full_name(), burgoyne.time_zone) == ("Gentleman Johnny", "Europe/London")
    refused = crown.post("/account/", {"name": "x" * 61, "time_zone": "Moon/Tycho"})
    assert refused.status_code == 422
    assert "There is no such time zone" in text(refused)
    burgoyne.refresh_from_db()
    assert burgoyne.get_full_name() == "Gentleman Johnny"


ACCOUNT_PAGES = (
    "/account/", "/account/email/", "/account/password/change/", "/account/two-factor/",
    "/account/two-factor/totp/activate/", "/account/reauthenticate/", "/sign-out/",
)  # fmt: skip


@pytest.mark.parametrize("address", ["/sign-in/", "/sign-up/", "/account/password/reset/", *ACCOUNT_PAGES])
def test_account_pages_are_the_sites_own(address, burgoyne):
    client = Client()
    if address in ACCOUNT_PAGES:
        assert client.get(address)["Location"].startswith(("/sign-in/", "/"))
        client = at_the_door()
    page = client.get(address)
    assert page.status_code == 200
    shown = text(page)
    assert "css/account.css" in shown and "<h1>" in shown
    assert "style=" not in shown and "onload" not in shown
    assert not re.search(r"<script(?![^>]*src=)", shown)


def test_an_address_is_changed_and_confirmed(with_mail, burgoyne):
    client = at_the_door()
    answer = client.post("/account/email/", {"action_add": "", "email": "john@example.org"}, follow=True)
    assert "john@example.org waits to be confirmed" in text(answer)
    client.post(link(mail.outbox[0]))
    assert EmailAddress.objects.get(user=burgoyne).verified
    burgoyne.refresh_from_db()
    assert burgoyne.email == "john@example.org"


def test_without_mail_an_address_counts_at_once(burgoyne, settings):
    settings.MAIL_IS_SENT = False
    client = at_the_door()
    answer = client.post("/account/email/", {"action_add": "", "email": "john@example.org"}, follow=True)
    assert "This site sends no letters yet" in text(answer)
    burgoyne.refresh_from_db()
    assert burgoyne.email == "john@example.org"
    assert not mail.outbox


def test_a_mail_server_that_is_down_loses_no_sign_up(with_mail, monkeypatch):
    def down(*_args, **_more):
        raise ConnectionRefusedError("nobody there")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", down)
    answer = Client().post("/sign-up/", STARK, follow=True)
    assert "The e-mail is not sent" in text(answer)
    assert "This site cannot send e-mail at the moment." in text(answer)
    assert User.objects.get().username == "stark"


def test_help_and_refusals_are_read_with_their_fields(db):
    shown = text(Client().post("/sign-up/", {**STARK, "password2": "another"}))
    named = re.findall(r'aria-describedby="([^"]+)"', shown)
    assert named
    assert all(f'id="{name}"' in shown for names in named for name in names.split())


def test_a_password_is_changed_and_the_old_one_is_asked_for(burgoyne):
    client = at_the_door()
    new = {"oldpassword": "wrong", "password1": GOOD, "password2": GOOD}
    assert client.post("/account/password/change/", new).status_code == 200
    client.post("/account/password/change/", {**new, "oldpassword": "Gentleman Johnny"})
    burgoyne.refresh_from_db()
    assert burgoyne.check_password(GOOD)


def test_a_second_factor_is_set_up_asked_for_and_given_up(burgoyne):
    client = at_the_door()
    page = client.get("/account/two-factor/totp/activate/")
    (secret,) = re.findall(r'<code class="letters">(\w+)</code>', text(page))
    assert 'src="data:image/svg' in text(page)
    assert secret not in str(dict(client.session))
    again = client.post("/account/two-factor/totp/activate/", {"code": "000000"})
    assert again.status_code == 200 and secret in text(again)
    assert secret not in str(dict(client.session))
    shown = client.post(
        "/account/two-factor/totp/activate/", {"code": authenticator_shows(secret)}, follow=True
    )
    codes = re.findall(r"<li><code>(\d{8})</code></li>", text(shown))
    assert len(codes) == 10
    assert client.get("/account/two-factor/recovery-codes/download/").status_code == 200

    other = Client()
    answer = other.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"}, follow=True)
    assert "Second factor" in text(answer)
    assert not get_user(other).is_authenticated
    other.post("/account/two-factor/authenticate/", {"code": "11111111"})
    assert not get_user(other).is_authenticated
    other.post("/account/two-factor/authenticate/", {"code": codes[0]})
    assert get_user(other) == burgoyne

    client.post("/account/two-factor/totp/deactivate/")
    assert not Authenticator.objects.filter(user=burgoyne).exists()


def test_the_umpires_desk_is_behind_the_same_door(carleton):
    auth.TOTP.activate(carleton, auth.generate_totp_secret())
    carleton.set_password(GOOD)
    carleton.save()
    client = Client()
    assert client.get("/admin/login/")["Location"].startswith("/sign-in/")
    client.post("/admin/login/", {"username": "carleton", "password": GOOD})
    client.post("/sign-in/", {"login": "carleton", "password": GOOD})
    assert not get_user(client).is_authenticated
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_a_player_is_not_let_into_the_desk(burgoyne):
    assert signed_in(burgoyne).get("/admin/login/").status_code == 403


def test_zones_are_listed_by_the_names_people_know_and_an_older_one_kept_stays():
    listed = {key: name for _, rows in zone_choices()[2:] for key, name in rows}
    assert available_timezones() >= OLDER_NAMES and not OLDER_NAMES & listed.keys()
    assert listed["Antarctica/DumontDUrville"] == "Dumont d'Urville"
    assert listed["America/New_York"] == "New York" and not any("_" in name for name in listed.values())
    form = ProfileForm({"time_zone": "Asia/Calcutta"}, initial={"time_zone": "Asia/Calcutta"})
    assert form.is_valid(), form.errors


# --- closing ---


def confirmed(user: User) -> Client:
    """A browser in which the password was given a moment ago."""
    user.set_password(GOOD)
    user.save()
    client = Client()
    client.post("/sign-in/", {"login": user.username, "password": GOOD})
    client.post("/account/reauthenticate/", {"password": GOOD})
    return client


def test_a_person_closes_their_own_account_hr_set_16(saratoga, burgoyne):
    client = confirmed(burgoyne)
    shown = text(client.get("/account/close/"))
    assert "Lieutenant General Burgoyne, Saratoga 1777" in shown
    refused = client.post("/account/close/", {"username": "gates"})
    assert refused.status_code == 422
    assert "This is not your username" in text(refused)
    answer = client.post("/account/close/", {"username": "burgoyne"}, follow=True)
    assert "Your account is closed. You are signed out everywhere." in text(answer)
    assert not get_user(client).is_authenticated
    assert User.objects.get(pk=burgoyne.pk).closed_at is not None


def test_closing_asks_for_the_password_first_hr_set_16(saratoga, burgoyne):
    client = signed_in(burgoyne)
    assert client.get("/account/close/").status_code == 200
    answer = client.post("/account/close/", {"username": "burgoyne"})
    assert answer.url == "/account/reauthenticate/?next=%2Faccount%2Fclose%2F"
    assert User.objects.get(pk=burgoyne.pk).closed_at is None
    client.post(answer.url, {"password": "Gentleman Johnny", "next": "/account/close/"})
    assert User.objects.get(pk=burgoyne.pk).closed_at is not None
    assert not get_user(client).is_authenticated


def test_the_umpire_is_led_to_the_seats_and_cannot_close_hr_set_16(saratoga, carleton):
    client = confirmed(carleton)
    shown = text(client.get("/account/close/"))
    assert "/campaigns/saratoga/seats/" in shown and '<button class="chief">Close account' not in shown
    refused = client.post("/account/close/", {"username": "carleton"})
    assert refused.status_code == 422
    assert User.objects.get(pk=carleton.pk).closed_at is None


def test_a_deactivated_account_is_signed_out_of_pages_and_api_hr_set_16(saratoga, burgoyne):
    client = signed_in(burgoyne)
    assert client.get(PAGE).status_code == 200
    User.objects.filter(pk=burgoyne.pk).update(is_active=False)
    assert client.get(PAGE).status_code != 200
    assert client.get("/api/v1/me/").status_code == 401
