"""Every list of the umpire's desk opens, is searched, filtered and sorted; rows lead to the site's pages."""

import html
import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from campaign.admin.site import umpire_site
from campaign.models import Campaign, Job, JournalEntry, Notice, OrderPaper
from campaign.rules.umpire.corrections import Reinforce
from campaign.rules.world.world import Order
from campaign.scenarios.theatres import theatre_load
from campaign.services.orders.march_orders import order_submit
from campaign.services.umpire.corrections import act_perform
from rosters.models import Formation, Pool, Unit
from tests.factories.years import NEXT_YEAR

LISTS = [f"{model._meta.app_label}_{model._meta.model_name}" for model in umpire_site._registry]


def listed(name: str) -> str:
    return reverse(f"umpire:{name}_changelist")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_opens_is_searched_filtered_and_sorted(desk, waiting, name):
    for query in ("", "?q=fraser", "?o=1", "?o=-2&p=1"):
        assert desk.get(listed(name) + query).status_code == 200, query
    assert not re.search(r"<title>\s*Select", desk.get(listed(name)).content.decode())
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
    for query in (
        "?p=abc",
        "?o=abc.9",
        "?side=nobody",
        "?units=x",
        "?q=%00",
        "?status__exact=%00",
        f"?q={'a' * 60_000}",
    ):
        assert desk.get(page + query).status_code in (200, 302, 400), query
    for keys in (["abc"], ["9" * 30], [""], ["1", "1 OR 1"]):
        data = {"action": "points", "_selected_action": keys, "confirmed": "1", "reason": "So."}
        assert desk.post(page, data).status_code == 404, keys
    assert desk.post(page, {"action": "delete_selected", "_selected_action": ["1"]}).status_code in (200, 302)
    assert desk.get("/umpire/search/?q=%00").status_code == 400
    assert desk.get("/umpire/rosters/unit/abc/change/").status_code == 404
    assert desk.get("/umpire/rosters/").status_code == 302


# --- what newcomers asked about ---


def row_page(row) -> str:
    return reverse(f"umpire:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def plain(answer) -> str:
    return html.unescape(answer.content.decode())


def test_papers_battles_and_journal_are_told_by_names(desk, saratoga, burgoyne):
    unit = Unit.objects.filter(formation__slug="advanced_corps").exclude(points__gt=110)[0]
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("crown_point",)), actor=burgoyne
    )
    corps = Formation.objects.get(slug="advanced_corps")
    text = plain(desk.get(listed("campaign_orderpaper")))
    assert corps.name in text and ">Crown<" in text and "advanced corps" not in text
    act = Reinforce(unit.slug, 5)
    act_perform(campaign=saratoga, act=act, reason="They came.", actor=None)
    entry = JournalEntry.objects.get(kind="points_changed")
    for page in (listed("campaign_journalentry"), row_page(entry)):
        text = plain(desk.get(page))
        assert unit.name in text and corps.name in text and ">advanced_corps<" not in text, page
    assert "the umpire, Crown" in text
    question = {"action": "strike", "_selected_action": OrderPaper.objects.get().pk}
    assert f"{corps.name} (Crown)" in plain(desk.post(listed("campaign_orderpaper"), question))


def test_a_battle_is_told_by_names(desk, battle):
    text = plain(desk.get(row_page(battle)))
    assert "United States" in text and ">rebel<" not in text and battle.place not in ("", *text.split())


def test_a_units_home_is_a_place(desk, saratoga):
    unit = Unit.objects.exclude(home="").first()
    name = theatre_load(saratoga).atlas.places[unit.home].name
    text = plain(desk.get(row_page(unit)))
    assert name in text and unit.home not in text


def test_a_rows_page_leads_to_what_can_be_done_to_it(desk, saratoga):
    """Points and name of a unit are changed from its own page; the question holds what is."""
    unit = Unit.objects.filter(formation__slug="advanced_corps")[0]
    text = desk.get(row_page(unit)).content.decode()
    for key, label in (("points", "Give or take points"), ("rename", "Rename")):
        assert f'name="action" value="{key}"' in text and f"{label}…" in text
        asked = plain(desk.post(listed("rosters_unit"), {"action": key, "_selected_action": unit.pk}))
        assert unit.name in asked and "Reason" in asked
    assert f'name="name" value="{unit.name}"' in asked
    assert (
        "table_csv" not in text
        and "desk-actions"
        not in desk.get(row_page(saratoga.order_of_battle.leaders.first())).content.decode()
    )


def test_a_campaign_is_worded_as_where_it_is_set(desk, saratoga):
    saratoga.deadline = datetime(NEXT_YEAR, 12, 24, 20, 30, tzinfo=UTC)
    saratoga.save()
    text = plain(desk.get(row_page(saratoga)))
    assert "Days from one deadline to the next" in text and "adence days" not in text
    assert "24 Dec, 20:30 (UTC)" in text and "p.m." not in text


def test_hours_are_told_as_on_the_site(desk, saratoga, carleton):
    Notice.objects.create(campaign=saratoga, user=carleton, kind="due", subject="s", state="failed")
    Notice.objects.update(created_at=datetime(2026, 6, 1, 21, 5, tzinfo=UTC))
    text = plain(desk.get(listed("campaign_notice")))
    assert "1 June 2026, 21:05 UTC" in text and "p.m." not in text
    carleton.time_zone = "Europe/London"
    carleton.save()
    assert "1 June 2026, 22:05 BST" in plain(desk.get(listed("campaign_notice")))
    carleton.time_zone = ""
    carleton.save()
    Campaign.objects.update(time_zone="America/New_York")
    assert "1 June 2026, 17:05 EDT" in plain(desk.get(listed("campaign_notice")))
    assert "Notices" in text and "Notices sent" not in text and "Letters" not in text, (
        "the crumb has the list's name"
    )


def test_boxes_say_what_they_choose(desk, saratoga):
    unit = Unit.objects.first()
    text = plain(desk.get(listed("rosters_unit"), {"q": unit.name}))
    assert f'aria-label="Choose {unit.name}"' in text
    assert 'aria-label="Select record"' not in text


def test_an_address_with_a_filter_there_is_not_leads_to_the_list(desk, saratoga):
    """Who made up an address, or kept one of an older version, sees the list and is told."""
    answer = desk.get(f"{listed('rosters_unit')}?campaign__id__exact=1", follow=True)
    assert answer.status_code == 200 and "cannot be filtered by campaign__id__exact" in plain(answer)
