"""Tokens and links are shown once, and between two pages nobody finds them in the table of sessions."""

import re
import time
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from campaign.models import ApiToken, Invitation
from campaign.services.seats.changes import seat_open
from campaign.web.accounts.tokens import MADE as TOKEN
from campaign.web.shown_once import GOOD, secret_keep, secret_look, secret_take

pytestmark = pytest.mark.django_db
ASKED = {"name": "my bot", "scopes": ["read"], "days": 30}


def text(answer: Any) -> str:
    return answer.content.decode()


def sessions() -> str:
    """All that the table of sessions holds, as who has it reads it."""
    return str([row.get_decoded() for row in Session.objects.all()])


def test_a_token_is_shown_once_and_a_reload_makes_no_other(crown):
    answer = crown.post("/account/tokens/", ASKED)
    assert answer.status_code == 302
    assert TOKEN in sessions() and "awi_" not in sessions()
    page = crown.get("/account/tokens/")
    (shown,) = re.findall(r'value="(awi_[^"]+)"', text(page))
    assert "no-store" in page["Cache-Control"]
    again = crown.get("/account/tokens/")
    assert shown not in text(again) and TOKEN not in sessions()
    assert ApiToken.objects.count() == 1
    assert crown.get("/api/v1/me/", headers={"Authorization": f"Bearer {shown}"}).status_code == 200


def test_the_link_of_an_invitation_is_kept_sealed_and_in_no_session(saratoga, carleton, desk):
    seat = seat_open(campaign=saratoga, role="spectator", actor=carleton)
    page = "/campaigns/saratoga/seats/"
    prefix = f"invite-{seat.pk}"
    given = {"kind": "invite", "seat": seat.pk, f"{prefix}-email": "", f"{prefix}-days": "7"}
    assert desk.post(page, given).status_code == 302
    assert "/join/" not in sessions()
    made = Invitation.objects.get()
    (token,) = re.findall(
        r'http://testserver/join/([^"<]+)/"', text(desk.get(f"{page}?invitation={made.pk}"))
    )
    assert token not in str(Invitation.objects.values().get()) and token not in sessions()


@pytest.mark.parametrize(("waited", "found"), [(0, {"a": 1}), (GOOD - 5, {"a": 1}), (GOOD + 5, None)])
def test_what_no_page_has_shown_in_time_is_shown_by_none(crown, monkeypatch, waited, found):
    session, now = crown.session, time.time()
    secret_keep(session, "kept", {"a": 1})
    monkeypatch.setattr(time, "time", lambda: now + waited)
    assert secret_look(session, "kept") == {"a": 1}
    assert secret_take(session, "kept") == found
    assert secret_take(session, "kept") is None


def test_what_an_older_release_kept_in_the_clear_is_not_shown(crown):
    session = crown.session
    session["kept"] = {"name": "my bot", "text": "awi_old"}
    assert secret_take(session, "kept") is None and "kept" not in session
