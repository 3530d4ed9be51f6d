"""Tokens and sessions: what opens the API, and for how long (HR-API-01)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import ApiToken, User
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.tokens import MOST, token_make, token_revoke
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db


def test_a_token_opens_what_its_person_may_see_HR_API_01(burgoyne):
    program = Program(burgoyne, scopes=("read",))
    body = program.get("me/").json()
    assert body["username"] == "burgoyne"
    assert body["token"]["scopes"] == ["read"]
    token = ApiToken.objects.get()
    assert token.last_used_at is not None
    assert program.text not in str(vars(token))


@pytest.mark.parametrize("text", ["", "Bearer", "Bearer awi_unknown", "Basic YTpi", "Token x", "\xe9"])
def test_no_token_or_a_wrong_one_is_401(db, text):
    answer = Client().get("/api/v1/me/", headers={"Authorization": text} if text else {})
    problem(answer, 401, "signed-out")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_an_expired_a_revoked_and_a_retired_persons_token_are_the_same_401(burgoyne):
    answers = []
    for spoil in ("expired", "revoked", "retired"):
        program = Program(burgoyne)
        token = ApiToken.objects.first()
        assert token is not None
        if spoil == "expired":
            ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        elif spoil == "revoked":
            token_revoke(token=token, user=burgoyne)
        else:
            User.objects.filter(pk=burgoyne.pk).update(is_active=False)
        answer = program.get("me/")
        problem(answer, 401, "signed-out")
        answers.append(answer.content)
    assert len(set(answers)) == 1


def test_the_browsers_session_reads_and_writes_only_with_the_csrf_token(burgoyne, saratoga):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(burgoyne)
    assert browser.get("/api/v1/me/").json()["token"] is None
    answer = browser.post("/api/v1/campaigns/saratoga/jobs/1/cancel/", content_type="application/json")
    problem(answer, 403, "csrf")


def test_a_token_does_no_more_than_its_scope(burgoyne, saratoga):
    answer = Program(burgoyne, scopes=("read",)).post("campaigns/saratoga/jobs/1/cancel/")
    assert "order" in problem(answer, 403, "scope")["detail"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["all"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
    ],
)
def test_a_token_is_refused_with_a_sentence_HR_API_01(burgoyne, given, field):
    with pytest.raises(RuleViolation) as refused:
        token_make(user=burgoyne, **{"name": "bot", "scopes": ["read"], **given})
    assert (refused.value.rule_id, refused.value.field) == ("HR-API-01", field)
    assert not ApiToken.objects.exists()


def test_a_person_has_so_many_tokens_and_revokes_no_others_HR_API_01(burgoyne, gates):
    for number in range(MOST):
        token_make(user=burgoyne, name=str(number), scopes=["read"])
    with pytest.raises(RuleViolation):
        token_make(user=burgoyne, name="one more", scopes=["read"])
    with pytest.raises(RuleViolation):
        token_revoke(token=ApiToken.objects.first(), user=gates)
    token_revoke(token=ApiToken.objects.first(), user=burgoyne)
    token_make(user=burgoyne, name="one more", scopes=["order"])
    assert ApiToken.objects.first().scopes == ["read", "order"]
