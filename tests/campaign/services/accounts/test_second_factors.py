"""Secrets of second factors lie sealed: new ones at once, older ones when the clock comes by."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.test import Client

from campaign.models import User
from campaign.ops.encryption import sealed_now
from campaign.services.accounts.second_factors import factor_open
from campaign.tasks import seal_factors
from tests.factories.people import authenticator_shows

pytestmark = pytest.mark.django_db


def kept(kind: str) -> dict:
    return Authenticator.objects.get(type=kind).data


def test_a_new_factors_secrets_are_not_in_the_database(burgoyne):
    secret = auth.generate_totp_secret()
    factor, codes = auth.TOTP.activate(burgoyne, secret), RecoveryCodes.activate(burgoyne)
    assert secret not in str(kept("totp"))
    assert sealed_now(kept("totp")["secret"]) and sealed_now(kept("recovery_codes")["seed"])
    assert factor.validate_code(authenticator_shows(secret))
    assert codes.validate_code(codes.generate_codes()[3])


def test_what_an_older_release_kept_opens_and_is_sealed_by_the_clock(burgoyne, gates):
    secret, seed = auth.generate_totp_secret(), RecoveryCodes.generate_seed()
    Authenticator.objects.create(user=burgoyne, type="totp", data={"secret": secret})
    Authenticator.objects.create(user=burgoyne, type="recovery_codes", data={"seed": seed, "used_mask": 5})
    before = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()
    assert len(before) == 8
    Authenticator.objects.create(user=gates, type="recovery_codes", data={"migrated_codes": ["123", "456"]})
    cache.clear()
    assert auth.TOTP(Authenticator.objects.get(type="totp")).validate_code(authenticator_shows(secret))
    seal_factors()
    everything = str(list(Authenticator.objects.values_list("data", flat=True)))
    for clear in (secret, seed, "123", "456"):
        assert f"'{clear}'" not in everything
    cache.clear()
    assert auth.TOTP(Authenticator.objects.get(type="totp")).validate_code(authenticator_shows(secret))
    own = Authenticator.objects.get(type="recovery_codes", user=burgoyne)
    assert own.data["used_mask"] == 5 and RecoveryCodes(own).get_unused_codes() == before
    others = RecoveryCodes(Authenticator.objects.get(user=gates))
    assert others.validate_code("456") and not others.validate_code("456")
    seal_factors()
    assert str(kept("totp")) in everything, "what is sealed stays as it is"


def test_after_a_change_of_the_sites_key_it_opens_and_is_sealed_anew(burgoyne, settings):
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(burgoyne, secret)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key"
    assert factor_open(kept("totp")["secret"]) == secret and not sealed_now(kept("totp")["secret"])
    seal_factors()
    settings.SECRET_KEY_FALLBACKS = []
    assert factor_open(kept("totp")["secret"]) == secret


def test_under_a_key_that_is_lost_nobody_gets_in_and_is_told_why(burgoyne, settings):
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(burgoyne, secret)
    settings.SECRET_KEY = "another key"
    with pytest.raises(PermissionDenied):
        factor_open(kept("totp")["secret"])
    before = kept("totp")
    seal_factors()
    assert kept("totp") == before, "the key may come back"
    cache.clear()
    client = Client()
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
    answer = client.post("/account/two-factor/authenticate/", {"code": authenticator_shows(secret)})
    assert answer.status_code == 403 and "key was changed" in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert User.objects.count() == 1
