"""The door after wrong passwords: by person and address, by address, by person; told, and opened again."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings as configured
from django.contrib.auth import get_user
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from campaign.models import AuditEntry, User
from campaign.selectors.accounts import find_person
from campaign.web.accounts.known_browsers import COOKIE
from campaign.web.accounts.sign_in_guard import WEIGHTS, door_open

pytestmark = pytest.mark.django_db
LIMIT = configured.AXES_FAILURE_LIMIT
RIGHT = {"login": "burgoyne", "password": "Gentleman Johnny"}


def tries(times: int, address: str = "192.0.2.7", name: str = "burgoyne") -> Any:
    """Wrong passwords from an address; the last answer. allauth's count of requests a minute is put back."""
    answer = None
    for _ in range(times):
        cache.clear()
        answer = Client(REMOTE_ADDR=address).post("/sign-in/", {"login": name, "password": "Gates"})
    return answer


def gets_in(address: str = "192.0.2.7", **given: str) -> bool:
    cache.clear()
    client = Client(REMOTE_ADDR=address)
    client.post("/sign-in/", {**RIGHT, **given})
    return bool(get_user(client).is_authenticated)


def test_after_so_many_wrong_passwords_the_door_is_shut_and_says_how_long(burgoyne):
    assert "not correct" in tries(LIMIT - 1).content.decode()
    answer = tries(1)
    assert answer.status_code == 429 and "For 15 minutes" in answer.content.decode()
    assert 890 <= int(answer["Retry-After"]) <= 900
    assert not gets_in()  # the right password neither, or guessing would go on
    assert answer["Content-Security-Policy"]


def test_a_name_without_end_is_nobody_and_a_sentence(burgoyne):
    """With 50,000 letters SQLite gives up comparing, and the page was a 500."""
    answer = Client().post("/sign-in/", {**RIGHT, "login": "x" * 60_000})
    assert answer.status_code == 200
    assert "This is too long; write it in 254 characters or fewer." in answer.content.decode()
    assert find_person("x" * 60_000) is None


def test_elsewhere_the_person_himself_gets_in_and_the_window_that_is_open_stays_so(crown, burgoyne):
    tries(LIMIT + 3)
    assert gets_in("198.51.100.4")
    assert crown.get("/account/").status_code == 200


def test_names_and_addresses_of_one_person_are_counted_together(burgoyne):
    User.objects.filter(pk=burgoyne.pk).update(email="john@example.org")
    for name in ("burgoyne", "BURGOYNE", "john@example.org", "John@Example.org"):
        tries(1, name=name)
    assert tries(LIMIT - 4, name="Burgoyne").status_code == 429


def test_an_address_is_shut_for_everybody_when_it_tries_many_names(burgoyne):
    for number in range(LIMIT * WEIGHTS[1]):
        answer = tries(1, name=f"somebody {number}")
    assert answer.status_code == 429
    assert not gets_in() and gets_in("198.51.100.4")


def test_a_person_is_shut_out_everywhere_only_after_very_many_tries_from_many_addresses(burgoyne):
    for number in range(LIMIT * WEIGHTS[2] // 5):
        assert gets_in("198.51.100.4"), number
        tries(5, f"192.0.2.{number}")
    assert not gets_in("198.51.100.4")


def test_the_door_opens_when_the_time_is_over_and_trying_on_does_not_lengthen_it(burgoyne):
    tries(LIMIT)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=10))
    assert int(tries(3)["Retry-After"]) <= 300
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert gets_in()


def test_who_gets_in_has_his_own_failures_forgotten_and_nobody_elses(burgoyne, gates):
    tries(LIMIT - 1)
    tries(LIMIT - 1, name="gates")
    assert gets_in()
    assert tries(1).status_code == 200
    assert tries(1, name="gates").status_code == 429


def test_a_name_nobody_has_is_shut_out_like_one_that_somebody_has(burgoyne):
    """Or the answers would tell who has an account."""
    known, unknown = tries(LIMIT), tries(LIMIT, "198.51.100.4", "nobody at all")
    assert (known.status_code, unknown.status_code) == (429, 429)
    assert known.content.decode().replace("burgoyne", "") == unknown.content.decode()


def test_a_password_typed_as_a_name_is_kept_nowhere(burgoyne, caplog):
    tries(2, name="Gentleman Johnny")
    kept = AccessAttempt.objects.get()
    words = " ".join(str(value) for value in vars(kept).values()) + caplog.text
    assert kept.username.startswith("? ") and "Gentleman" not in words and "Gates" not in words


def test_one_household_of_ipv6_is_one_address(burgoyne):
    for number in range(LIMIT):
        answer = tries(1, f"2001:db8:1:2::{number + 1:x}")
    assert answer.status_code == 429
    assert gets_in("2001:db8:1:3::1")


def test_behind_a_proxy_the_callers_own_address_counts(burgoyne, settings):
    settings.TRUSTED_PROXY = True
    for number in range(LIMIT):
        cache.clear()
        Client(HTTP_X_FORWARDED_FOR=f"203.0.113.{number}, 192.0.2.9").post(
            "/sign-in/", {**RIGHT, "password": "x"}
        )
    assert AccessAttempt.objects.get().ip_address == "192.0.2.9"


def known(address: str = "198.51.100.4") -> Client:
    """A browser in which Burgoyne has signed in before, and is signed out again."""
    cache.clear()
    client = Client(REMOTE_ADDR=address)
    client.post("/sign-in/", RIGHT)
    client.post("/sign-out/")
    assert not get_user(client).is_authenticated
    return client


def enters(client: Client, **given: Any) -> bool:
    cache.clear()
    client.post("/sign-in/", RIGHT, **given)
    return bool(get_user(client).is_authenticated)


def test_nobody_shuts_a_person_out_of_a_browser_he_has_used_before(burgoyne):
    at_home, at_the_club = known(), known("192.0.2.7")
    for number in range(LIMIT * WEIGHTS[2] // 5 + 2):
        tries(5, f"203.0.113.{number}")
    for number in range(LIMIT * WEIGHTS[1]):
        tries(1, name=f"somebody {number}")
    assert not gets_in("198.51.100.4") and not gets_in()
    assert enters(at_home) and enters(at_the_club)
    at_home.post("/sign-out/")
    assert enters(at_home, REMOTE_ADDR="203.0.113.1")


def test_guessing_in_such_a_browser_shuts_it_alone_wherever_it_is(burgoyne):
    client = known()
    for number in range(LIMIT):
        cache.clear()
        where = f"203.0.113.{number}"
        answer = client.post("/sign-in/", {**RIGHT, "password": "Gates"}, REMOTE_ADDR=where)
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 800
    assert not enters(client, REMOTE_ADDR="203.0.113.99")
    assert gets_in("198.51.100.4") and enters(known("192.0.2.1"))
    entry = AuditEntry.objects.get(kind="shut_out")
    assert entry.name == "burgoyne"


def test_a_browser_is_known_for_its_own_people_alone_and_by_our_signature(burgoyne, gates):
    client = known()
    for _ in range(LIMIT * WEIGHTS[2] // 5):
        tries(5, f"203.0.113.{_}", "gates")
    cache.clear()
    assert client.post("/sign-in/", {"login": "gates", "password": "x"}).status_code == 429
    for _ in range(LIMIT * WEIGHTS[2] // 5):
        tries(5, f"203.0.113.{_}")
    forged = Client(REMOTE_ADDR="198.51.100.4")
    forged.cookies[COOKIE] = f"0123456789abcdef {burgoyne.pk}:forged"
    assert not enters(forged)
    cookie = client.cookies[COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and int(cookie["max-age"]) > 30_000_000
    assert enters(client)


def test_a_password_set_anew_opens_the_door_for_all_his_browsers(burgoyne):
    client = known()
    tries(LIMIT)
    for _ in range(LIMIT):
        cache.clear()
        client.post("/sign-in/", {**RIGHT, "password": "Gates"})
    assert not enters(client) and not gets_in()
    door_open(burgoyne)
    assert enters(client) and gets_in()


def test_asked_for_the_password_once_more_he_is_counted_too(burgoyne):
    client = Client()
    client.post("/sign-in/", RIGHT)
    for _ in range(LIMIT):
        cache.clear()
        answer = client.post("/account/reauthenticate/", {"password": "Gates"})
    assert answer.status_code == 429


def test_who_is_shut_out_is_told_who_opens_and_the_keeper_opens_by_a_command(burgoyne, capsys):
    told = tries(LIMIT).content.decode()
    assert "For 15 minutes" in told and "the keeper can open the door to you at once" in told
    assert not gets_in()
    call_command("opendoor", "burgoyne")
    assert "burgoyne may sign in again" in capsys.readouterr().out and gets_in()
    assert AuditEntry.objects.filter(kind="account", what__contains="opened for burgoyne").exists()
    with pytest.raises(CommandError, match="There is no user nobody"):
        call_command("opendoor", "nobody")
