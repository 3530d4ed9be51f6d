"""Who calls: one answer for the door, for the limits of the API and for allauth's own."""

import pytest
from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.test import Client, RequestFactory

from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.views import count_address, count_unknown
from campaign.ops.callers import counted_as, find_caller, find_trusted_caller


def asked(**meta: str):
    return RequestFactory().get("/", **meta)


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("", None),
        ("/run/site.sock", None),
    ],
)
def test_an_address_counts_alone_and_of_ipv6_a_household(told, counted):
    assert counted_as(asked(REMOTE_ADDR=told)) == counted
    assert get_adapter().get_client_ip(asked(REMOTE_ADDR=told)) == (counted or "unknown")


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.5, 192.0.2.9", "192.0.2.9"),
        ("192.0.2.9:5121", "192.0.2.9"),
        ("[2001:db8::9]:5121", "2001:db8::9"),
        ("2001:db8::9", "2001:db8::9"),
        ("", "127.0.0.1"),
        ("nonsense", "None"),
    ],
)
def test_behind_the_declared_proxy_the_last_that_it_names(settings, forwarded, address):
    settings.TRUSTED_PROXY = True
    assert str(find_caller(asked(HTTP_X_FORWARDED_FOR=forwarded))) == address


def test_without_one_what_callers_write_themselves_counts_for_nothing():
    request = asked(HTTP_X_FORWARDED_FOR="203.0.113.5")
    assert counted_as(request) == "127.0.0.1"
    assert find_trusted_caller(request) is None, "a proxy nobody declared would make everybody local"


@pytest.mark.parametrize("count", [count_address, count_unknown])
def test_the_api_counts_a_household_of_ipv6_as_one(settings, count, one_minute):
    cache.clear()
    settings.API_ADDRESS_A_MINUTE = settings.API_UNKNOWN_A_MINUTE = 3
    for number in range(1, 4):
        count(asked(REMOTE_ADDR=f"2001:db8:1:2::{number}"))
    with pytest.raises(ApiProblem):
        count(asked(REMOTE_ADDR="2001:db8:1:2:ffff::1"))
    count(asked(REMOTE_ADDR="2001:db8:1:3::1"))


@pytest.mark.django_db
def test_the_letters_of_the_door_are_counted_by_household_too(settings):
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "2/m/ip"}
    given = {"email": "a@b.example"}
    answers = [
        Client(REMOTE_ADDR=f"2001:db8:1:2::{number}").post("/account/password/reset/", given)
        for number in (1, 2, 3)
    ]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
