"""The umpire's desk: read-only, limited to campaigns umpired, and two actions."""

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client
from django.urls import reverse

from campaign import tasks
from campaign.models import Battle, Campaign, Job, User
from campaign.services.campaigns import SeatPlan, campaign_create
from campaign.services.seats import seat_give
from rosters.models import Unit

MODELS = ("campaign_campaign", "campaign_battle", "rosters_unit", "rosters_pool")


def act(client, model, action, pk):
    address = reverse(f"admin:{model}_changelist")
    return client.post(address, {"action": action, ACTION_CHECKBOX_NAME: [pk]}, follow=True)


def advance(client, campaign, day):
    """Confirm the umpire's action for a day as it was seen."""
    return client.post(
        reverse("admin:campaign_campaign_changelist"),
        {
            "action": "advance_a_day",
            ACTION_CHECKBOX_NAME: [campaign.pk],
            "confirmed": "1",
            f"day_{campaign.pk}": day,
        },
        follow=True,
    ).content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_lists_open_and_nothing_can_be_added(desk, battle, model):
    assert desk.get(reverse(f"admin:{model}_changelist")).status_code == 200
    assert desk.get(reverse(f"admin:{model}_add")).status_code == 403


def test_rows_are_looked_at_and_neither_changed_nor_deleted(desk, saratoga):
    unit = Unit.objects.filter(order_of_battle=saratoga.order_of_battle).first()
    page = reverse("admin:rosters_unit_change", args=[unit.pk])
    assert desk.get(page).status_code == 200
    assert desk.post(page, {"points": "1"}).status_code == 403
    assert desk.get(reverse("admin:rosters_unit_delete", args=[unit.pk])).status_code == 403


def test_the_secret_of_the_dice_is_on_no_page(desk, saratoga):
    text = desk.get(reverse("admin:campaign_campaign_change", args=[saratoga.pk])).content.decode()
    assert saratoga.commitment in text
    secret = bytes(saratoga.secret)
    assert secret.hex() not in text and secret.decode() not in text
    assert "field-secret" not in text


def test_a_stranger_with_access_sees_no_rows(stranger, saratoga, battle):
    text = stranger.get(reverse("admin:campaign_campaign_changelist")).content.decode()
    assert saratoga.title not in text
    assert act(stranger, "campaign_campaign", "advance_a_day", saratoga.pk).status_code == 200
    advance(stranger, saratoga, 0)
    saratoga.refresh_from_db()
    assert saratoga.day == 0


@pytest.fixture
def administrator(client, db) -> Client:
    client.force_login(User.objects.create_superuser("howe", password="philadelphia"))
    return client


def test_an_administrator_sees_every_campaign_and_acts_in_none(administrator, saratoga, battle):
    assert (
        "Saratoga 1777" in administrator.get(reverse("admin:campaign_campaign_changelist")).content.decode()
    )
    text = administrator.get(reverse("admin:campaign_campaign_change", args=[saratoga.pk])).content.decode()
    assert saratoga.commitment in text and bytes(saratoga.secret).decode() not in text
    advance(administrator, saratoga, 0)
    act(administrator, "campaign_battle", "settle_by_the_engine", battle.pk)
    assert Campaign.objects.get().day == 0
    assert Battle.objects.get().state == Battle.State.WAITING and not Job.objects.exists()


def test_an_administrator_who_umpires_one_campaign_advances_no_other(administrator, saratoga):
    howe = User.objects.get(username="howe")
    campaign_create(scenario="saratoga-1777", slug="philadelphia", seats=(SeatPlan("umpire", user=howe),))
    assert "you do not umpire" in advance(administrator, saratoga, 0)
    saratoga.refresh_from_db()
    assert saratoga.day == 0


def test_an_administrator_who_commands_does_not_see_through_the_fog(administrator, saratoga):
    """HR-SET-04: what the desk shows would be a second seat."""
    howe = User.objects.get(username="howe")
    seat_give(campaign=saratoga, role="commander", side="crown", user=howe, actor=None)
    text = administrator.get(reverse("admin:rosters_unit_changelist")).content.decode()
    assert Unit.objects.first().name not in text
    page = reverse("admin:campaign_campaign_change", args=[saratoga.pk])
    assert administrator.get(page).status_code == 302


def test_a_commander_has_no_desk(crown):
    assert crown.get("/admin/").status_code == 302


def test_advance_a_day(desk, saratoga):
    asked = act(desk, "campaign_campaign", "advance_a_day", saratoga.pk).content.decode()
    assert "Day 1 of Saratoga 1777 will be played" in asked
    assert Campaign.objects.get().day == 0
    assert "Day 1 of Saratoga 1777 has been played." in advance(desk, saratoga, 0)
    assert "HR-CAL-09" in advance(desk, saratoga, 0)  # the second click: nothing
    assert Campaign.objects.get().day == 1


def test_advance_is_refused_while_a_battle_waits(desk, saratoga, battle):
    assert "HR-CAL-07" in advance(desk, saratoga, 0)
    assert Campaign.objects.get().day == 0


def test_settle_a_battle_by_the_engine(desk, battle):
    text = act(desk, "campaign_battle", "settle_by_the_engine", battle.pk).content.decode()
    assert "The engine fights the Battle of Ticonderoga" in text
    tasks.run_job(Job.objects.get(kind="battle_settle").pk)
    assert Battle.objects.get().source == "engine"
    assert (
        "settled already" in act(desk, "campaign_battle", "settle_by_the_engine", battle.pk).content.decode()
    )


def test_admin_alone_may_evaluate(desk, crown, saratoga):
    assert "unsafe-eval" in desk.get("/admin/")["Content-Security-Policy"]
    assert "unsafe" not in crown.get("/campaigns/saratoga/")["Content-Security-Policy"]
