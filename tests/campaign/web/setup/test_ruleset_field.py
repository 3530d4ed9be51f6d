"""The page of a set-up on which battles are chosen: tactical rules and their options (HR-UMP-18)."""

import pytest

from battles.rulesets.registry import RULESETS
from campaign.models import Campaign
from tests.campaign.web.setup.test_pages_pages import BATTLES, anna, filled, fraser, hand, page, send

__all__ = ["anna", "fraser", "hand"]

pytestmark = pytest.mark.django_db


def test_options_of_the_rules_are_chosen_with_them_hr_ump_18(hand, fraser):
    options = {"vb_division-save_succeeds_on": "5", "vb_division-cards": "on", "awi-scale": "15mm"}
    draft = filled(hand, battles=BATTLES | options)
    assert draft.body["battles"]["ruleset_options"] == {"vb_division": {"save_succeeds_on": 5}}
    form = hand.get(page(draft, "battles")).context["form"]
    assert form["vb_division-save_succeeds_on"].value() == "5" and form["awi-scale"].value() == "25mm"
    assert "<strong>Save succeeds on</strong>: 5" in hand.get(page(draft, "review")).content.decode()
    hand.post(page(draft, "review"))
    campaign = Campaign.objects.get()
    assert campaign.ruleset_options == {"vb_division": {"save_succeeds_on": 5}}


def test_an_option_there_is_not_is_not_kept(hand, fraser):
    draft = filled(hand)
    answer = send(hand, draft, "battles", **BATTLES, **{"vb_division-save_succeeds_on": "7"})
    assert answer.status_code == 422
    assert "cannot be “7”" in str(answer.context["form"].errors["vb_division-save_succeeds_on"])
    draft.refresh_from_db()
    assert draft.body["battles"]["ruleset_options"] == {}


def test_a_set_up_begun_before_there_were_options_is_made(hand, fraser):
    draft = filled(hand)
    del draft.body["battles"]["ruleset_options"]
    draft.save()
    assert hand.get(page(draft, "battles")).status_code == 200
    assert hand.get(page(draft, "review")).status_code == 200
    hand.post(page(draft, "review"))
    assert Campaign.objects.get().ruleset_options == {}


def test_each_ruleset_says_what_it_is_like_where_it_is_chosen(hand, fraser):
    draft = filled(hand)
    told = hand.get(page(draft, "battles")).content.decode()
    assert [one.id for one in RULESETS if one.about not in told] == []
    assert RULESETS[2].about in hand.get(page(draft, "review")).content.decode()
