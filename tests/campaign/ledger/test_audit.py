"""Who came in, who was kept out, what umpires did: noted once, with the act or not at all, never changed."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.ledger.audit import audit_prune
from campaign.models import AuditEntry, Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Position
from campaign.services.seats.assignment import column_give, seat_give
from campaign.services.seats.changes import seat_close, seat_dates_set, seat_fill, seat_offer, seat_open
from campaign.services.seats.invitations import invitation_make, invitation_take_back
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
PLACED = corrections.PlaceFormation("advanced_corps", Position(place="castleton"))
RIGHT = {"login": "burgoyne", "password": "Gentleman Johnny"}


def noted(*kinds: str) -> list[tuple[str, str, str | None]]:
    rows = AuditEntry.objects.filter(kind__in=kinds).order_by("pk")
    return [(row.kind, row.name, row.address) for row in rows]


def test_coming_in_going_and_wrong_passwords_are_noted_with_the_address(burgoyne):
    client = Client(REMOTE_ADDR="192.0.2.7")
    client.post("/sign-in/", {**RIGHT, "password": "Gates"})
    client.post("/sign-in/", RIGHT)
    client.post("/sign-out/")
    where = "192.0.2.7"
    assert noted("came_in", "went", "failed") == [
        ("failed", "burgoyne", where), ("came_in", "burgoyne", where), ("went", "burgoyne", where),
    ]  # fmt: skip
    assert "Gates" not in str(list(AuditEntry.objects.values()))


def test_who_is_shut_out_is_noted_once_however_often_he_tries_on(burgoyne):
    for _ in range(10):
        cache.clear()
        Client().post("/sign-in/", {**RIGHT, "password": "Gates"})
    assert len(noted("failed")) == 5 and noted("shut_out") == [("shut_out", "burgoyne", "127.0.0.1")]


def test_what_happens_to_an_account_is_noted(burgoyne):
    client = Client()
    client.post("/sign-in/", RIGHT)
    new = "The lake is wide at Crown Point"
    client.post(
        "/account/password/change/", {"oldpassword": RIGHT["password"], "password1": new, "password2": new}
    )
    assert AuditEntry.objects.get(kind="account").what == "password changed"


def test_an_umpires_acts_and_days_are_noted_with_his_name(saratoga, carleton):
    before = AuditEntry.objects.count()
    act_perform(campaign=saratoga, act=PLACED, reason="A brave deed.", actor=carleton)
    saratoga.refresh_from_db()
    day_advance(campaign=saratoga, actor=carleton)
    told = list(AuditEntry.objects.order_by("pk").values_list("kind", "name", "campaign", "what"))[before:]
    assert told[0] == ("umpire", "carleton", saratoga.pk, "umpire's act “place”, after 0 days")
    assert told[1] == ("umpire", "carleton", saratoga.pk, "day, after 1 days")
    assert "brave" not in str(told), "reasons stand in the journal, for those who may read it"


def test_what_the_machine_does_is_no_umpires_act(saratoga):
    before = AuditEntry.objects.count()
    day_advance(campaign=saratoga, actor=None)
    assert AuditEntry.objects.count() == before


def test_what_is_refused_is_not_noted(saratoga, carleton, burgoyne):
    before = AuditEntry.objects.count()
    with pytest.raises(RuleViolation):
        act_perform(
            campaign=saratoga,
            act=corrections.PlaceFormation("nobody", Position(place="castleton")),
            reason="No such side.",
            actor=carleton,
        )
    with pytest.raises(RuleViolation):
        seat_give(campaign=saratoga, role="commander", side="rebel", user=burgoyne, actor=carleton)
    with pytest.raises(RuntimeError), transaction.atomic():
        seat_give(campaign=saratoga, role="commander", side="rebel", user=None, actor=carleton)
        raise RuntimeError
    assert AuditEntry.objects.count() == before


def test_everything_about_seats_is_noted(saratoga, carleton, battle):
    person = User.objects.create_user("riedesel")
    before = AuditEntry.objects.count()
    seat = seat_open(campaign=saratoga, role="spectator", actor=carleton)
    invitation_make(campaign=saratoga, seat=seat, actor=carleton)
    invitation, token = invitation_make(campaign=saratoga, seat=seat, actor=carleton)
    invitation_take_back(invitation=invitation, actor=carleton)
    seat_offer(seat=seat, offered=True, actor=carleton)
    seat_fill(seat=seat, user=person, actor=carleton)
    seat_dates_set(seat=seat, from_day=0, until_day=40, actor=carleton)
    seat_close(seat=seat, actor=carleton)
    column = column_give(
        campaign=saratoga, side="crown", formations=["advanced_corps"], user=person, title="A", actor=carleton
    )
    seat_close(seat=column, actor=carleton)
    seat_give(campaign=saratoga, role="commander", side="rebel", user=None, actor=carleton)
    rows = AuditEntry.objects.order_by("pk")[before:]
    assert [row.what.split(",")[0] for row in rows if row.kind == "seats"] == [
        "Spectator opened", "invitation to Spectator made", "older invitation to Spectator ended",
        "invitation to Spectator made", "invitation to Spectator taken back",
        "Spectator offered", "Spectator given to riedesel", "Spectator held from day 0 until day 40",
        "Spectator closed", "A given to riedesel", "A closed",
        "Major General Gates given to the staff",
    ]  # fmt: skip
    assert token not in str(list(rows.values())) and invitation.token_hash not in str(list(rows.values()))


def test_a_line_of_the_audit_is_neither_changed_nor_deleted(saratoga, carleton):
    seat_open(campaign=saratoga, role="spectator", actor=carleton)
    row = AuditEntry.objects.first()
    assert row is not None
    for change in (
        row.save, row.delete, AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(name="nobody"),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            change()


def test_it_outlives_the_person_and_the_campaign_and_goes_by_its_age(saratoga, carleton, settings):
    seat_open(campaign=saratoga, role="spectator", actor=carleton)
    Seat.objects.filter(user=carleton).delete()
    carleton.delete()
    row = AuditEntry.objects.get(what__startswith="Spectator opened")
    assert (row.user, row.name, row.campaign) == (None, "carleton", saratoga)
    kept = AuditEntry.objects.count()
    assert audit_prune() == 0
    old = timezone.now() - timedelta(days=settings.AUDIT_DAYS + 1)
    QuerySet.update(AuditEntry.objects.filter(pk=row.pk), at=old)
    assert audit_prune() == 1 and AuditEntry.objects.count() == kept - 1


# --- shown ---


def test_administrators_read_it_and_nobody_writes_it(saratoga, carleton, crown, desk):
    seat_open(campaign=saratoga, role="spectator", actor=carleton)
    browser = signed_in(User.objects.create_superuser("administrator"))
    page = reverse("admin:campaign_auditentry_changelist")
    text = browser.get(page).content.decode()
    assert "Spectator opened, empty" in text and "carleton" in text
    row = AuditEntry.objects.order_by("pk").last()
    assert row is not None
    change = reverse("admin:campaign_auditentry_change", args=[row.pk])
    assert browser.get(change).status_code == 200
    assert browser.post(change, {"name": "nobody"}).status_code == 403
    assert browser.post(page, {"action": "delete_selected", "_selected_action": row.pk}).status_code in (
        200,
        302,
    )
    assert AuditEntry.objects.filter(pk=row.pk).exists()
    for other in (crown, desk):
        assert other.get(page).status_code in (302, 403)


def test_an_administrator_who_plays_reads_nothing_of_his_campaign_hr_set_04(saratoga, carleton):
    seat_open(campaign=saratoga, role="spectator", actor=carleton)
    plays = User.objects.create_superuser("plays")
    Seat.objects.create(
        campaign=saratoga, user=plays, role="column", side="rebel", formations=["poors_brigade"]
    )
    text = signed_in(plays).get(reverse("admin:campaign_auditentry_changelist")).content.decode()
    assert "Spectator opened" not in text and "signed in" in text


def test_what_administrators_do_to_people_is_noted(burgoyne):
    browser = signed_in(User.objects.create_superuser("administrator"))
    browser.post(reverse("admin:campaign_user_delete", args=[burgoyne.pk]), {"post": "yes"})
    (row,) = AuditEntry.objects.filter(kind="admin")
    assert row.name == "administrator" and "burgoyne" in row.what and row.address == "127.0.0.1"
    assert "delete_selected" not in browser.get(reverse("admin:campaign_user_changelist")).content.decode()
    assert Campaign.objects.count() == 0


# --- the second factor of administrators ---


def test_where_asked_for_administrators_need_a_second_factor(settings):
    from allauth.mfa.totp.internal import auth

    chief = User.objects.create_superuser("administrator")
    browser = signed_in(chief)
    assert browser.get("/admin/").status_code == 200
    settings.ADMIN_TWO_FACTOR = True
    answer = browser.get("/admin/", follow=True)
    assert answer.redirect_chain[0][0].startswith("/admin/login/")
    assert answer.redirect_chain[1][0].startswith(reverse("mfa_activate_totp"))
    assert browser.get(reverse("admin:campaign_user_changelist")).status_code == 302
    auth.TOTP.activate(chief, auth.generate_totp_secret())
    assert browser.get("/admin/").status_code == 200


def test_the_secret_of_a_second_factor_is_shown_to_no_administrator(burgoyne):
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal import auth

    secret = auth.generate_totp_secret()
    auth.TOTP.activate(burgoyne, secret)
    row = Authenticator.objects.get()
    browser = signed_in(User.objects.create_superuser("administrator"))
    page = reverse("admin:mfa_authenticator_change", args=[row.pk])
    text = browser.get(page).content.decode()
    assert "burgoyne" in text and secret not in text
    assert browser.post(page, {"data": "{}"}).status_code == 403
    browser.post(reverse("admin:mfa_authenticator_delete", args=[row.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()
