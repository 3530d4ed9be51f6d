"""Setting a campaign up: page by page, left half-way, in two windows, made once (HR-SET-15)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, CampaignDraft, Invitation, Seat, User
from campaign.rules.world.options import list_options
from campaign.selectors.setup import scenarios
from campaign.services.proof.database import campaign_verify
from campaign.services.seats.invitations import invitations_for
from campaign.services.setup import drafts
from campaign.services.setup.drafts import CHOSEN
from campaign.web.setup.option_forms import AT_THE_HEAD

pytestmark = pytest.mark.django_db

NEW = reverse("campaign-new")


@pytest.fixture
def anna(db) -> User:
    return User.objects.create_user("anna", "anna@example.org", "secret", time_zone="Europe/Rome")


@pytest.fixture
def hand(anna) -> Client:
    client = Client()
    client.force_login(anna)
    return client


def page(draft: CampaignDraft, step: str) -> str:
    return reverse("campaign-new-step", args=[draft.pk, step])


def begun(client: Client, troops: str = "full", scenario: str = "saratoga-1777") -> CampaignDraft:
    answer = client.post(NEW, {"scenario": scenario, "troops": troops})
    draft = CampaignDraft.objects.latest("pk")
    assert answer.status_code == 302 and answer.url == page(draft, "name")
    return draft


def send(client: Client, draft: CampaignDraft, step: str, **given):
    draft.refresh_from_db()
    seen = draft.body.get("kept", {}).get(step, 0)
    return client.post(page(draft, step), {"seen": seen, **given})


CLOCK = {
    "time_zone": "Europe/London",
    "until": (timezone.now() + timedelta(days=7)).strftime("%Y-%m-%dT20:00"),
    "cadence_days": 7,
    "days_a_turn": 7,
    "run_until": "week",
    "late_orders": "refuse",
    "missed_orders": "carry_on",
    "run_on_days": 3,
    "settle_after_days": "",
}
SEATS = {
    "c-crown-title": "General Burgoyne",
    "c-crown-way": "link",
    "c-rebel-title": "General Gates",
    "c-rebel-way": "mail",
    "c-rebel-whom": "gates@example.org",
    "d-crown-way": "account",
    "d-crown-whom": "fraser",
    "columns-crown": 1,
    "columns-rebel": 1,
    "k-crown-0-title": "The advance",
    "k-crown-0-formations": ["advanced_corps"],
    "k-crown-0-way": "link",
    "a-0-whom": "carleton@example.org",
    "days": 5,
    "spectator_side": "rebel",
}
BATTLES = {"battle_policy": "table", "table_units": 12, "ruleset": "vb_division"}
RULES = {"level": "open", "road_miles": "14", "supply": "food"}


def filled(client: Client, **instead) -> CampaignDraft:
    """A set-up with every page kept."""
    draft = begun(client)
    pages = {
        "name": {"title": "Our Saratoga", "slug": "our-saratoga"},
        "seats": SEATS,
        "rules": RULES,
        "clock": CLOCK,
        "battles": BATTLES,
    } | instead
    for step, given in pages.items():
        answer = send(client, draft, step, **given)
        assert answer.status_code == 302, (step, answer.context["form"].errors)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def fraser(db) -> User:
    return User.objects.create_user("fraser")


def test_hr_set_15_seven_pages_make_a_campaign_at_once(hand, anna, fraser, settings):
    settings.MAIL_IS_SENT = False
    draft = filled(hand)
    assert not Campaign.objects.exists() and not Seat.objects.exists()
    told = hand.get(page(draft, "review")).content.decode()
    for words in (
        "Our Saratoga",
        "General Burgoyne",
        "Open map",
        "By road",
        "14 miles a day",
        "12 units a side",
    ):
        assert words in told
    answer = hand.post(page(draft, "review"))
    campaign = Campaign.objects.get()
    assert answer.url == reverse("campaign-new-made", args=["our-saratoga"])
    assert (campaign.title, campaign.battle_policy, campaign.table_units) == ("Our Saratoga", "table", 12)
    assert campaign.ruleset == "vb_division"
    assert (campaign.time_zone, campaign.cadence_days, campaign.run_until) == ("Europe/London", 7, "week")
    assert campaign.deadline > timezone.now() and (campaign.spectator_days, campaign.spectator_side) == (
        5,
        "rebel",
    )
    chosen = world_load(campaign).settings
    assert (chosen.fog, chosen.couriers, chosen.road_miles, chosen.supply) == ("off", False, 14, "food")
    assert chosen.recruitment == "damped"
    roles = sorted(campaign.seats.values_list("role", "side", "title"))
    assert ("umpire", "", "Umpire") in roles and ("column", "crown", "The advance") in roles
    assert len(roles) == 6
    assert campaign.seats.get(role="umpire").user == anna
    assert campaign.head.actor == anna
    assert Invitation.objects.filter(campaign=campaign).count() == 5
    assert [one.seat.role for one in invitations_for(fraser)] == ["deputy"]
    assert campaign_verify(campaign=campaign)
    links = hand.get(answer.url).content.decode()
    assert links.count("/join/") == 4 and "fraser finds the invitation" in links
    assert hand.post(answer.url).url == campaign.get_absolute_url()
    assert "/join/" not in hand.get(answer.url).content.decode()
    assert not mail.outbox


def test_letters_go_out_where_mail_is_sent(hand, fraser, settings):
    settings.MAIL_IS_SENT = True
    draft = filled(hand)
    answer = hand.post(page(draft, "review"))
    assert sorted(letter.to[0] for letter in mail.outbox) == ["carleton@example.org", "gates@example.org"]
    links = hand.get(answer.url).content.decode()
    assert links.count("/join/") == 2 and "The e-mail to gates@example.org has been sent." in links


def test_where_no_link_is_to_be_passed_on_none_is_spoken_of(hand, fraser, settings):
    settings.MAIL_IS_SENT = True
    seats = {
        "c-crown-way": "account",
        "c-crown-whom": "fraser",
        "c-rebel-way": "mail",
        "c-rebel-whom": "g@example.org",
    }
    answer = hand.post(page(filled(hand, seats=seats), "review"))
    told = hand.get(answer.url).content.decode()
    assert "fraser finds the invitation on their own page." in told
    assert "The e-mail to g@example.org has been sent." in told
    assert "Pass these links on" not in told and "I have passed them on" not in told


def test_hr_set_15_confirmed_twice_it_is_one_campaign(hand, fraser):
    draft = filled(hand)
    first, second = (hand.post(page(draft, "review")) for _ in range(2))
    assert first.url == second.url
    assert Campaign.objects.count() == 1
    assert hand.get(page(draft, "seats")).url == first.url
    assert drafts.list_setup_drafts(User.objects.get(username="anna")) == []


def test_left_half_way_it_is_found_again_and_can_be_thrown_away(hand, anna):
    draft = begun(hand)
    send(hand, draft, "name", title="Our Saratoga", slug="ours")
    home = hand.get("/").content.decode()
    assert "Our Saratoga" in home and "half set up" in home
    assert hand.get(page(draft, "review")).url == page(draft, "seats")
    answer = hand.post(reverse("campaign-new-discard", args=[draft.pk]), {"from": "front"})
    assert answer.url == "/" and not CampaignDraft.objects.exists()
    assert hand.get(page(draft, "seats")).status_code == 404


def test_nobody_else_sees_or_changes_a_set_up(hand, stranger):
    draft = begun(hand)
    for step in (*CHOSEN, "review"):
        assert stranger.get(page(draft, step)).status_code == 404
        assert stranger.post(page(draft, step)).status_code == 404
    assert stranger.post(reverse("campaign-new-discard", args=[draft.pk])).status_code == 404
    assert Client().get(page(draft, "name")).status_code == 302
    assert CampaignDraft.objects.get() == draft


def test_the_site_may_leave_it_to_its_staff(hand, anna, settings):
    settings.NEW_CAMPAIGNS = "staff"
    assert hand.get(NEW).status_code == 404
    assert "Set up a new campaign" not in hand.get("/").content.decode()
    anna.is_staff = True
    anna.save()
    assert hand.get(NEW).status_code == 200
    assert "Set up a new campaign" in hand.get("/").content.decode()


@pytest.mark.parametrize(
    ("step", "given", "field", "sentence"),
    [
        ("name", {"title": "", "slug": "x"}, "title", "empty"),
        ("name", {"title": "Ours", "slug": "a b"}, "slug", "no address"),
        ("name", {"title": "Ours", "slug": "new"}, "slug", "own"),
        ("seats", {"c-crown-way": "mail", "c-crown-whom": "nobody"}, "c-crown-whom", "e-mail address"),
        ("seats", {"c-crown-way": "account", "c-crown-whom": "ghost"}, "c-crown-whom", "Nobody here"),
        ("seats", {"c-crown-whom": "anna"}, "c-crown-whom", "has a seat already"),
        (
            "seats",
            {"columns-crown": 1, "k-crown-0-title": "A column"},
            "k-crown-0-formations",
            "at least one",
        ),
        ("seats", {"days": 999}, "days", "120"),
        ("rules", {"road_miles": "0"}, "road_miles", "It is 1 to 300"),
        ("rules", {"road_miles": "far"}, "road_miles", "whole number"),
        ("rules", {"dark": "100"}, "dark", "after the march begins"),
        ("rules", {"supply": "manna"}, "supply", "one of the list"),
        ("rules", {"level": "thick"}, "level", "one of the levels"),
        ("clock", CLOCK | {"until": "2020-01-01T20:00"}, "until", "past"),
        ("clock", CLOCK | {"until": "tomorrow"}, "until", "day and an hour"),
        ("clock", CLOCK | {"cadence_days": 0}, "cadence_days", "1 to 60"),
        ("clock", CLOCK | {"time_zone": "Moon/Crater"}, "time_zone", "no such time zone"),
        ("battles", BATTLES | {"table_units": 1}, "table_units", "whole number"),
        ("battles", BATTLES | {"battle_policy": "chess"}, "battle_policy", "choose again"),
        ("battles", BATTLES | {"ruleset": "chess"}, "ruleset", "choose again"),
    ],
)
def test_bad_input_is_told_at_its_field_and_nothing_is_kept(hand, step, given, field, sentence):
    draft = begun(hand)
    answer = send(hand, draft, step, **given)
    assert answer.status_code == 422
    assert sentence in " ".join(answer.context["form"].errors[field])
    draft.refresh_from_db()
    assert step not in draft.body


def test_a_formation_stands_under_one_column(hand):
    draft = begun(hand)
    twice = {f"k-crown-{number}-formations": ["advanced_corps"] for number in range(2)}
    answer = send(hand, draft, "seats", **{"columns-crown": 2, **twice})
    assert "already" in " ".join(answer.context["form"].errors["k-crown-1-formations"])


def test_another_column_is_asked_for_and_what_was_written_stays(hand):
    draft = begun(hand)
    answer = send(hand, draft, "seats", **SEATS | {"more": "crown"})
    form = answer.context["form"]
    assert answer.status_code == 200 and form.columns == {"crown": 2, "rebel": 1}
    assert form["k-crown-0-title"].value() == "The advance"
    assert form["k-crown-0-formations"].value() == ["advanced_corps"]
    draft.refresh_from_db()
    assert "seats" not in draft.body


def test_two_windows_do_not_overwrite_each_other_unseen(hand):
    draft = begun(hand)
    first = {"title": "Ours", "slug": "ours", "seen": 0}
    hand.post(page(draft, "name"), first)
    assert hand.post(page(draft, "name"), first).status_code == 302  # the same once more
    other = first | {"title": "Theirs"}
    answer = hand.post(page(draft, "name"), other)
    assert answer.status_code == 422 and "Another window" in answer.content.decode()
    assert 'value="Theirs"' in answer.content.decode()
    draft.refresh_from_db()
    assert draft.body["name"]["title"] == "Ours"
    assert hand.post(page(draft, "name"), other | {"seen": answer.context["seen"]}).status_code == 302
    draft.refresh_from_db()
    assert draft.body["name"]["title"] == "Theirs"


def test_what_was_kept_is_shown_again_on_every_page(hand, fraser):
    draft = filled(hand)
    for step in CHOSEN:
        answer = hand.get(page(draft, step))
        assert answer.status_code == 200
        assert "Keep this and review" in answer.content.decode()
    seats = hand.get(page(draft, "seats")).context["form"]
    assert seats["k-crown-0-formations"].value() == ["advanced_corps"]
    assert (seats["d-crown-whom"].value(), seats["a-0-whom"].value()) == ("fraser", "carleton@example.org")
    rules = hand.get(page(draft, "rules"))
    march = next(row for row in rules.context["form"].groups if row.group.id == "march")
    assert [row.option.name for row in march.differing] == ["road_miles"]
    assert send(hand, draft, "rules", reset="all").url == page(draft, "rules")
    draft.refresh_from_db()
    assert draft.body["rules"] == {"settings": {}}


def test_every_option_is_on_the_page_with_its_line(hand):
    draft = begun(hand)
    told = hand.get(page(draft, "rules")).context["form"]
    shown = {row.option.name for group in told.groups for row in group.rows}
    assert shown | set(AT_THE_HEAD) == set(list_options())
    assert all(row.option.line for group in told.groups for row in group.rows)
    assert len(told.level_rows) == 4


def test_another_scenario_takes_its_seats_and_rules_with_it(hand, fraser):
    draft = filled(hand)
    send(hand, draft, "scenario", scenario="new-jersey-1776", troops="full")
    draft.refresh_from_db()
    assert "seats" not in draft.body and "rules" not in draft.body and "name" in draft.body
    assert hand.get(page(draft, "review")).url == page(draft, "seats")


def test_a_scenario_that_changed_meanwhile_is_told_and_chosen_again(hand, fraser, monkeypatch):
    draft = filled(hand)
    body = draft.body
    body["scenario"]["digest"] = "of old files"
    draft.save()
    answer = hand.get(page(draft, "review"), follow=True)
    assert answer.redirect_chain[-1][0] == page(draft, "scenario")
    assert "have changed since" in answer.content.decode()
    assert not Campaign.objects.exists()
    with pytest.raises(Exception, match="changed since"):
        drafts.draft_make(draft=draft, user=draft.user, digest="of new files")
    send(hand, draft, "scenario", scenario="saratoga-1777", troops="full")
    assert hand.post(page(draft, "review")).status_code == 302
    assert Campaign.objects.exists()


def test_a_scenario_that_is_gone_is_told(hand, monkeypatch):
    draft = begun(hand)
    monkeypatch.setattr(scenarios, "scenario_list", lambda: ("new-jersey-1776",))
    answer = hand.get(page(draft, "seats"), follow=True)
    assert "no longer here" in answer.content.decode()


def test_what_is_wrong_at_the_end_leads_to_its_page_and_nothing_is_made(hand, fraser, saratoga):
    draft = filled(hand)
    Campaign.objects.filter(pk=saratoga.pk).update(slug="our-saratoga")
    answer = hand.post(page(draft, "review"))
    assert answer.status_code == 422 and page(draft, "name") in answer.content.decode()
    assert "choose another name" in answer.content.decode()
    assert Campaign.objects.count() == 1 and not Invitation.objects.exists()
    fraser.is_active = False
    fraser.save()
    Campaign.objects.filter(pk=saratoga.pk).update(slug="saratoga")
    answer = hand.post(page(draft, "review"))
    assert answer.status_code == 422 and page(draft, "seats") in answer.content.decode()
    assert Campaign.objects.count() == 1 and not Invitation.objects.exists()


def test_an_empty_map_begins_without_troops_and_says_so(hand):
    draft = begun(hand, troops="bare")
    send(hand, draft, "name", title="Ours", slug="ours")
    assert send(hand, draft, "seats", days="").status_code == 302
    for step, given in (("rules", {}), ("clock", CLOCK), ("battles", BATTLES)):
        send(hand, draft, step, **given)
    assert "The map is empty" in hand.get(page(draft, "review")).content.decode()
    hand.post(page(draft, "review"))
    campaign = Campaign.objects.get(slug="ours")
    assert not world_load(campaign).units
    page_of_acts = reverse("week-desk", args=["ours"])
    levy = {
        "name": "Albany levy", "side": "rebel", "nation": "american_militia", "troop_type": "militia",
        "gun_class": "", "points": 60, "formation": "", "formation_name": "Ten Broeck", "place": "albany",
        "pool": "", "reason": "Ours.",
    }  # fmt: skip
    sent = {f"add-{name}": value for name, value in levy.items()}
    answer = hand.post(page_of_acts, {**sent, "kind": "add", "head": campaign.head_id})
    assert answer.status_code == 302, answer.content.decode()
    (formation,) = world_load(Campaign.objects.get(slug="ours")).formations.values()
    assert (formation.name, formation.position.place) == ("Ten Broeck", "albany")
    for sheet in ("day", "orders", "standing", "returns"):
        assert hand.get(f"{campaign.get_absolute_url()}?sheet={sheet}").status_code == 200


def test_a_person_has_so_many_half_made_and_no_more(hand, anna):
    for _ in range(drafts.MOST_DRAFTS):
        CampaignDraft.objects.create(user=anna, body={"scenario": {"slug": "saratoga-1777"}})
    answer = hand.post(NEW, {"scenario": "saratoga-1777", "troops": "full"})
    assert answer.status_code == 422 and "half set up" in answer.content.decode()


def test_a_scenario_shows_its_map_and_sources(hand):
    answer = hand.get(reverse("scenario-map", args=["saratoga-1777"]))
    assert answer["Content-Type"] == "image/svg+xml" and answer.content.startswith(b"<svg")
    assert b"Nickerson" in hand.get(reverse("scenario-sources", args=["saratoga-1777"])).content
    for name in ("scenario-map", "scenario-sources", "scenario-armies"):
        assert hand.get(reverse(name, args=["nowhere"])).status_code == 404
