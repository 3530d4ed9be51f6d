"""Requests to addresses people name never lead inside, and never last (HR-DUE-07)."""

import socket
import time

import pytest
import requests

from campaign.ops import ssrf_guard as module
from campaign.ops.ssrf_guard import AddressRefused, addresses_of, guard_outgoing_requests, is_public
from tests.factories.sinks import web_sink


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "192.0.0.8", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1",
        "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_addresses_of_a_network_of_ones_own_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07::1", "::ffff:93.184.215.14"])
def test_addresses_of_the_open_network_are(address):
    assert is_public(address)


def answers(*addresses: str):
    """A name server that gives these."""
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]
    return lambda *args, **kwargs: rows


def test_a_name_with_one_address_inside_is_refused(monkeypatch):
    monkeypatch.setattr(module.socket, "getaddrinfo", answers("93.184.215.14", "10.0.0.1"))
    with pytest.raises(AddressRefused):
        addresses_of("example.org", 80)
    monkeypatch.setattr(module.socket, "getaddrinfo", answers("93.184.215.14"))
    assert addresses_of("example.org", 80) == ["93.184.215.14"]


def test_the_address_that_was_checked_is_the_one_connected_to(monkeypatch):
    """A name that changes its address between the look and the call leads nowhere else."""
    monkeypatch.setattr(module.socket, "getaddrinfo", answers("93.184.215.14"))
    called = []

    def plain(address, *args, **kwargs):
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(module, "_plain", plain)
    with guard_outgoing_requests(5), pytest.raises(requests.ConnectionError):
        requests.get("http://example.org/", timeout=5)
    assert set(called) == {("93.184.215.14", 80)}


def test_a_machine_inside_is_reached_only_where_the_settings_allow_it(settings):
    with web_sink() as sink:
        with guard_outgoing_requests(5), pytest.raises(requests.ConnectionError) as refused:
            requests.post(sink.url, timeout=5)
        assert "open network" in str(refused.value) and not sink.posted
        settings.NOTICE_PRIVATE_ADDRESSES = True
        with guard_outgoing_requests(5):
            assert requests.post(sink.url, timeout=5).status_code == 204
        settings.NOTICE_PRIVATE_ADDRESSES = False
        assert requests.post(sink.url, timeout=5).status_code == 204  # the site's own requests are its own


def test_an_answer_that_drips_is_cut_off(settings):
    settings.NOTICE_PRIVATE_ADDRESSES = True
    with web_sink() as sink:
        sink.wait = 60
        begun = time.monotonic()
        with guard_outgoing_requests(3):
            answer = requests.post(sink.url, timeout=20)
        assert time.monotonic() - begun < 30
    assert answer.status_code == 204  # it had said so; for what else it would say nobody waits
    assert "X-Drop-1" in answer.headers and "X-Drop-90" not in answer.headers
