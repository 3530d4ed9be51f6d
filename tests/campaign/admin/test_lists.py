"""Every list of the umpire's desk opens, is searched, filtered and sorted; rows lead to the site's pages."""

import pytest
from django.urls import reverse

from campaign.admin.site import umpire_site
from campaign.models import Job, Notice
from rosters.models import Formation, Pool, Unit

LISTS = [f"{model._meta.app_label}_{model._meta.model_name}" for model in umpire_site._registry]


def listed(name: str) -> str:
    return reverse(f"umpire:{name}_changelist")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_opens_is_searched_filtered_and_sorted(desk, waiting, name):
    for query in ("", "?q=fraser", "?o=1", "?o=-2&p=1"):
        assert desk.get(listed(name) + query).status_code == 200, query
    if name != "campaign_campaign":
        for query in ("?of=saratoga", "?of=elsewhere"):
            assert desk.get(listed(name) + query).status_code == 200, query


@pytest.mark.parametrize("name", LISTS)
def test_a_row_opens_and_is_not_changed_by_hand(desk, waiting, carleton, name):
    Job.objects.create(kind="dry_run", key="d", campaign=waiting, state="failed", error="It broke.")
    Notice.objects.create(campaign=waiting, user=carleton, kind="due", subject="s", state="failed")
    Pool.objects.create(order_of_battle=waiting.order_of_battle, nation="british", arm="line", points=9)
    model = next(each for each in umpire_site._registry if listed(name) == listed_of(each))
    row = model.objects.order_by("pk").first()
    page = reverse(f"umpire:{name}_change", args=[row.pk])
    assert desk.get(page).status_code == 200
    assert desk.post(page, {"name": "Nobody"}).status_code == 404
    assert desk.get(reverse(f"umpire:{name}_change", args=[999999])).status_code == 404


def listed_of(model) -> str:
    return listed(f"{model._meta.app_label}_{model._meta.model_name}")


def test_the_secret_is_asked_for_by_no_filter(desk, saratoga):
    """What a filter does not offer is no question: an answer by halves would tell the secret of the dice."""
    for query in ("?secret__startswith=a", "?campaign__secret__gt=a", "?day__gt=0"):
        answer = desk.get(listed("campaign_campaign") + query)
        assert answer.status_code in (302, 400), query
    text = desk.get(reverse("umpire:campaign_campaign_change", args=[saratoga.pk])).content.decode()
    secret = bytes(saratoga.secret)
    assert saratoga.commitment in text and secret.hex() not in text and secret.decode() not in text


def test_places_and_kinds_of_troops_are_called_by_their_names(desk, saratoga):
    text = desk.get(listed("rosters_formation"), {"of": "saratoga"}).content.decode()
    assert "St Johns" in text and "st johns" not in text
    for page in (listed("rosters_unit"), reverse("umpire:rosters_formation_change", args=[_line_brigade()])):
        text = desk.get(page).content.decode()
        assert "British line" in text, page


def _line_brigade() -> int:
    return Unit.objects.filter(troop_type="british_line").values_list("formation", flat=True)[0]


def test_what_is_looked_for_is_found_in_every_list(desk, saratoga):
    text = desk.get(reverse("umpire:search"), {"q": "fraser"}).content.decode()
    assert "Formations" in text and "Fraser" in text
    assert "Nothing of your campaigns" in desk.get(reverse("umpire:search"), {"q": "zzz"}).content.decode()
    assert desk.get(reverse("umpire:search")).status_code == 200


def test_filters_cut_a_list(desk, saratoga):
    page = listed("rosters_unit")
    crown = desk.get(page, {"side": "crown"}).context["cl"].queryset
    assert crown.exists() and not crown.exclude(side__slug="crown").exists()
    assert not desk.get(page, {"strength": "weak"}).context["cl"].queryset.filter(points__gte=60).exists()
    on = desk.get(listed("rosters_formation"), {"map": "on"}).context["cl"].queryset
    assert on.count() < Formation.objects.count() and Unit.objects.exists()


def test_the_page_of_a_row_leads_to_the_page_of_the_site(desk, battle):
    text = desk.get(reverse("umpire:campaign_battle_change", args=[battle.pk])).content.decode()
    assert reverse("battle", args=["saratoga", battle.pk]) in text


def test_nonsense_is_answered_and_never_a_crash(desk, saratoga):
    page = listed("rosters_unit")
    for query in ("?p=abc", "?o=abc.9", "?side=nobody", "?units=x", "?q=%00", "?status__exact=%00"):
        assert desk.get(page + query).status_code in (200, 302, 400), query
    for keys in (["abc"], ["9" * 30], [""], ["1", "1 OR 1"]):
        data = {"action": "points", "_selected_action": keys, "confirmed": "1", "reason": "So."}
        assert desk.post(page, data).status_code == 404, keys
    assert desk.post(page, {"action": "delete_selected", "_selected_action": ["1"]}).status_code in (200, 302)
    assert desk.get("/umpire/search/?q=%00").status_code == 200
    assert desk.get("/umpire/rosters/unit/abc/change/").status_code == 404
    assert desk.get("/umpire/rosters/").status_code == 302
