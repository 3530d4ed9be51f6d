"""Nobody but the umpire and his assistants reaches anything of a campaign through the desk (HR-SET-08).

Every address of the site is opened and posted to, and every action of every list is asked for and confirmed,
as everybody else: the answer is the door or "not found", it holds nothing of the campaign, and nothing is
written.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, reverse

from campaign.admin.site import umpire_site
from campaign.models import Campaign, Job, Notice
from rosters.models import Pool, Unit
from tests.campaign.admin.conftest import ELSEWHERE, WITHOUT
from tests.factories.years import NEXT_YEAR

#: What an answer of an action may need; each list takes what it asks for.
GIVEN = {
    "confirmed": "1", "reason": "I would like it so.", "points": "5", "pool": "", "name": "The intruders",
    "position": "Albany", "until": f"{NEXT_YEAR}-01-03T20:00", "way": "engine", "days": "14",
}  # fmt: skip


@pytest.fixture
def rows(waiting: Campaign, carleton: Any) -> Campaign:
    """The campaign with at least one row for every list."""
    Job.objects.create(kind="dry_run", key="d", campaign=waiting, state="failed", error="It broke.")
    Job.objects.create(kind="dry_run", key="e", campaign=waiting)
    Notice.objects.create(campaign=waiting, user=carleton, kind="due", subject="s", state="failed")
    Pool.objects.create(order_of_battle=waiting.order_of_battle, nation="british", arm="line", points=9)
    return waiting


def addresses(patterns: Any, before: str = "", model: Any = None) -> Iterator[tuple[str, Any]]:
    """Every address of the desk with the model it is about."""
    for each in patterns:
        if not isinstance(each, URLPattern):
            route = before + str(each.pattern)
            named = next(
                (one for one in umpire_site._registry if route.endswith(f"/{one._meta.model_name}/")), None
            )
            yield from addresses(each.url_patterns, route, named)
        else:
            yield before + str(each.pattern), model


def paths(campaign: Campaign) -> list[str]:
    """Addresses with the keys of every kind of row of the campaign."""
    found = []
    for route, model in addresses(umpire_site.get_urls()):
        if "<" not in route:
            found.append(route)
            continue
        key = rows_of(model, campaign)[0] if model else "campaign"
        found.append(re.sub(r"<[^>]+>", str(key), route))
    return [f"/umpire/{each}" for each in found]


def rows_of(model: Any, campaign: Campaign) -> list[int]:
    """Keys of rows of a campaign in a list."""
    lookup = umpire_site._registry[model].campaign_lookup
    return list(model.objects.filter(**{lookup: campaign.pk}).order_by("pk").values_list("pk", flat=True)[:3])


def actions() -> Iterator[tuple[Any, str]]:
    for model, desk in umpire_site._registry.items():
        for action in desk.actions or ():
            yield model, action.__name__


def written() -> str:
    """All rows of all models of ours."""
    digest = hashlib.sha256()
    for app in ("campaign", "rosters"):
        for model in apps.get_app_config(app).get_models():
            names = [each.name for each in model._meta.concrete_fields if each.name != "last_login"]
            for row in model.objects.order_by("pk").values_list(*names):
                digest.update(repr(row).encode())
    return digest.hexdigest()


def told(answer: Any) -> list[str]:
    """What of the campaign an answer holds."""
    text = answer.content.decode(errors="replace") + str(answer.headers)
    secrets = ("Saratoga 1777", "Simon Fraser", "Hubbardton", "24th Foot", "It broke", "/campaigns/saratoga/")
    return [each for each in secrets if each in text]


def tries(client: Client, campaign: Campaign) -> Iterator[tuple[str, Any]]:
    """Every address read and posted to, every action asked for and confirmed."""
    unit = Unit.objects.filter(order_of_battle=campaign.order_of_battle).first()
    for path in paths(campaign):
        yield f"GET {path}", client.get(path)
        file = SimpleUploadedFile("units.csv", f"id,name,points\n{unit.slug},Intruders,1\n".encode())
        data = {**GIVEN, "campaign": campaign.slug, "file": file, "head": campaign.head_id}
        data |= {f"name-{unit.pk}": "Intruders", f"points-{unit.pk}": "1"}
        yield f"POST {path}", client.post(path, data)
    for model, name in actions():
        page = reverse(f"umpire:{model._meta.app_label}_{model._meta.model_name}_changelist")
        marks = {f"head_{campaign.pk}": campaign.head_id}
        for keys, across in ((rows_of(model, campaign), "1"), (rows_of(model, campaign)[:1], "0")):
            data = {"action": name, ACTION_CHECKBOX_NAME: keys, "select_across": across}
            yield f"ask {page} {name}", client.post(page, {**data, "index": "0"})
            yield f"do {page} {name}", client.post(page, {**data, **GIVEN, **marks})


@pytest.mark.slow
def test_everybody_without_a_desk_finds_nothing_and_writes_nothing(people, rows):
    before, faults, count = written(), [], 0
    for role in ("anonymous", *WITHOUT):
        for what, answer in tries(people[role], rows):
            count += 1
            door = answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
            right = door if role == "anonymous" else answer.status_code == 404
            if not right or told(answer):
                faults.append(f"{role}: {what}: {answer.status_code} {told(answer)}")
        assert written() == before, role
    assert not faults, "\n".join(faults[:20])
    assert count > 700


def test_the_same_addresses_open_for_the_umpire(desk, rows):
    """Or the tests above would look for what is not there."""
    assert {desk.get(path).status_code for path in paths(rows) if "roll" not in path} <= {200, 302}
    for model, name in actions():
        page = reverse(f"umpire:{model._meta.app_label}_{model._meta.model_name}_changelist")
        keys = rows_of(model, rows)[:1]
        answer = desk.post(page, {"action": name, ACTION_CHECKBOX_NAME: keys}, follow=True)
        assert answer.status_code == 200 and keys, (page, name)


@pytest.mark.slow
def test_an_umpire_of_another_campaign_finds_nothing_of_this_one(people, rows):
    """His own lists open; of the other campaign no row, no name, no act."""
    before, faults = written_of(rows), []
    for role in ELSEWHERE:
        for what, answer in tries(people[role], rows):
            if answer.status_code not in (200, 302, 404, 405, 422) or told_of_rows(answer):
                faults.append(f"{role}: {what}: {answer.status_code} {told_of_rows(answer)}")
            if answer.status_code == 200 and "/change/" in what:
                faults.append(f"{role}: {what}: a row of another campaign opened")
    assert not faults, "\n".join(faults[:20])
    assert written_of(rows) == before


def told_of_rows(answer: Any) -> list[str]:
    """The other campaign has the same armies: only what is this one's alone tells."""
    text = answer.content.decode(errors="replace") + str(answer.headers)
    return [
        each
        for each in ("Saratoga 1777", "Hubbardton, day", "It broke", "/campaigns/saratoga/")
        if each in text
    ]


def written_of(campaign: Campaign) -> str:
    """The rows of one campaign."""
    campaign.refresh_from_db()
    digest = hashlib.sha256(repr(Campaign.objects.filter(pk=campaign.pk).values()).encode())
    for model, desk in umpire_site._registry.items():
        rows = model.objects.filter(**{desk.campaign_lookup: campaign.pk}).order_by("pk").values_list()
        digest.update(repr(list(rows)).encode())
    digest.update(str(campaign.records.count()).encode())
    return digest.hexdigest()


def test_an_assistant_works_at_the_desk_and_neither_gives_seats_nor_goes_back(people, saratoga):
    """HR-SET-08."""
    assistant, unit = people["assistant"], Unit.objects.filter(name__contains="24th").first()
    assert "assistant umpire" in assistant.get("/umpire/").content.decode()
    page = reverse("umpire:campaign_campaign_changelist")
    data = {**GIVEN, "action": "pause", ACTION_CHECKBOX_NAME: [saratoga.pk]}
    saratoga.refresh_from_db()
    data[f"head_{saratoga.pk}"] = saratoga.head_id
    text = assistant.post(page, data, follow=True).content.decode()
    saratoga.refresh_from_db()
    assert saratoga.paused == GIVEN["reason"] and "the journal" in text
    assert not re.search(r"\bUndo\b", text)
    assert assistant.get(reverse("umpire:rosters_unit_change", args=[unit.pk])).status_code == 200
    text = assistant.get("/umpire/").content.decode()
    assert reverse("seats", args=["saratoga"]) not in text
    back = reverse("rewind", args=["saratoga", saratoga.head.parent_id])
    assert assistant.get(back).status_code == 404


def test_a_desk_lost_is_closed_at_once(people, waiting):
    assistant = people["assistant"]
    assert assistant.get("/umpire/").status_code == 200
    waiting.seats.filter(role="assistant").delete()
    assert assistant.get("/umpire/").status_code == 404


def test_who_is_signed_out_is_sent_to_the_door_and_back(client, saratoga):
    assert (
        client.get("/umpire/rosters/unit/?q=a")["Location"] == "/sign-in/?next=/umpire/rosters/unit/%3Fq%3Da"
    )
