"""A new password: what else opened the account ends with the old one, or goes on as its person said."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from campaign.models import AuditEntry, User
from campaign.services.accounts.tokens import token_find, token_make
from campaign.services.notifications.calendars import calendar_make, calendar_owner
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
OLD, NEW = "Gentleman Johnny", "The lake is wide at Crown Point"
TOLD = "the tokens of your programs and the address of your calendar have ended"


class Opened:
    """All by which an account is open: a window, a program, a calendar."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.window = Client()
        self.window.post("/sign-in/", {"login": user.username, "password": OLD})
        self.token = token_make(user=user, name="bot", scopes=["read"])[1]
        self.calendar = calendar_make(user=user)

    def now(self) -> tuple[bool, bool, bool]:
        return (
            bool(get_user(self.window).is_authenticated),
            token_find(self.token) is not None,
            calendar_owner(self.calendar) == self.user,
        )


@pytest.fixture
def opened(burgoyne) -> Opened:
    cache.clear()
    User.objects.filter(pk=burgoyne.pk).update(email="john@example.org")
    found = Opened(burgoyne)
    assert found.now() == (True, True, True)
    return found


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def noted() -> list[str]:
    return list(AuditEntry.objects.filter(kind="account").order_by("pk").values_list("what", flat=True))


def change(client: Client, **given: str) -> Any:
    return client.post(
        "/account/password/change/", {"oldpassword": OLD, "password1": NEW, "password2": NEW, **given}
    )


def test_set_anew_by_a_letter_it_ends_all_else_and_says_so_HR_API_01_HR_DUE_10(opened, gates, settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    others = token_make(user=gates, name="bot", scopes=["read"])[1]
    client = Client()
    client.post("/account/password/reset/", {"email": "john@example.org"})
    (link,) = re.findall(r"http://testserver(/\S+)", mail.outbox[-1].body)
    address = client.get(link, follow=True).redirect_chain[-1][0]
    refused = client.post(address, {"password1": NEW, "password2": "another"})
    assert refused.status_code == 200 and opened.now() == (True, True, True)
    answer = client.post(address, {"password1": NEW, "password2": NEW}, follow=True)
    assert opened.now() == (False, False, False)
    assert TOLD in text(answer) and TOLD in " ".join(mail.outbox[-1].body.split())
    assert "ended: tokens 1, calendar addresses 1" in noted()
    assert token_find(others) is not None


def test_changed_it_ends_the_other_windows_and_leaves_programs_alone(opened):
    here = Client()
    here.post("/sign-in/", {"login": "burgoyne", "password": OLD})
    change(here)
    assert get_user(here).is_authenticated
    assert opened.now() == (False, True, True)


def test_changed_with_the_box_ticked_it_ends_them_too(opened):
    page = text(opened.window.get("/account/password/change/"))
    assert "the tokens of my programs and the address of my calendar" in page
    change(opened.window, ends="all")
    assert opened.now() == (True, False, False)
    assert noted()[-2:] == ["ended: tokens 1, calendar addresses 1", "password changed"]


def test_a_wrong_present_password_ends_nothing(opened):
    change(opened.window, oldpassword="Gates", ends="all")
    assert opened.now() == (True, True, True)


def test_who_has_none_is_not_asked(burgoyne):
    client = Client()
    client.post("/sign-in/", {"login": "burgoyne", "password": OLD})
    assert "my calendar" not in text(client.get("/account/password/change/"))
    change(client, ends="all")
    burgoyne.refresh_from_db()
    assert burgoyne.check_password(NEW) and not [line for line in noted() if line.startswith("ended")]


def test_a_password_an_administrator_gives_ends_all_else_too(opened):
    chief = signed_in(User.objects.create_superuser("administrator"))
    page = reverse("admin:auth_user_password_change", args=[opened.user.pk])
    chief.post(page, {"password1": NEW, "password2": NEW})
    assert opened.now() == (False, False, False)
