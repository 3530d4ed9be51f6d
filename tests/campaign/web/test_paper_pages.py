"""Every kind of order from its page: given, kept as a draft, refused beside its field, taken back."""

import html
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Campaign, OrderPaper, Seat, User
from campaign.rules.knowledge import enemies_known
from campaign.rules.markers import Boats, Bridge, Works
from campaign.rules.world import Position, UnitStatus, World, present_units
from campaign.scenarios.reading import scenario_read
from campaign.services.campaigns import SeatPlan, campaign_create
from campaign.services.deadlines import schedule_of
from campaign.services.papers import acts_of, choices_of
from campaign.services.seats import column_give
from campaign.state import world_load
from tests.campaign.conftest import SECRET
from tests.factories.people import signed_in

PAGE = "/campaigns/posed/"
State = OrderPaper.State
BRIDGE, BROKEN = "ticonderoga--mount_independence--road", "crown_point--chimney_point--road"
SETTINGS = {"boats": "counted", "supply": "food", "auto_raise_units": False}


def posed_world(world: World) -> World:
    """Saratoga with a crown corps before Ticonderoga, works, a broken ferry, pools and a regiment lost."""
    stand = {
        "provincial_corps": "ticonderoga",
        "british_1st_brigade": "crown_point",
        "army_train": "cumberland_head",
        "german_2nd_brigade": "chambly",
    }
    formations = {
        key: replace(one, position=Position(place=stand[key])) if key in stand else one
        for key, one in world.formations.items()
    }
    formations["army_train"] = replace(formations["army_train"], rations=10_000)
    lost = present_units(world)["british_2nd_brigade"][0]
    units = world.units | {
        lost.id: replace(lost, points=0, status=UnitStatus.ELIMINATED),
        "ng_45": replace(world.units["ng_45"], points=60),
    }
    return replace(
        world,
        formations=formations,
        units=units,
        boats={"cumberland_head": Boats("crown", 6000)},
        works={**world.works, "cumberland_head": Works("crown", 1)},
        bridges={**world.bridges, BROKEN: Bridge(0)},
        pools={
            **world.pools,
            "british/grenadiers": 20,
            "british/light_infantry": 20,
            "german/line": 20,
            "british/line": 20,
        },
        holders={**world.holders, "cumberland_head": "crown"},
    )


@pytest.fixture
def posed(burgoyne, gates, carleton, monkeypatch) -> Campaign:
    def changed(path: Any, settings: Any) -> Any:
        scenario = scenario_read(path, settings)
        return replace(scenario, world=posed_world(scenario.world))

    monkeypatch.setattr("campaign.services.campaigns.scenario_read", changed)
    return campaign_create(
        scenario="saratoga-1777",
        slug="posed",
        secret=SECRET,
        settings=SETTINGS,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


@pytest.fixture
def player(posed, burgoyne) -> Client:
    return signed_in(burgoyne)


@pytest.fixture
def opponent(posed, gates) -> Client:
    return signed_in(gates)


@pytest.fixture
def umpire(posed, carleton) -> Client:
    return signed_in(carleton)


def words(response: Any) -> str:
    """What a page says, without its marks."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def first_enemy(campaign: Campaign) -> str:
    return str(enemies_known(world_load(campaign), "crown")[0].number)


# --- orders ---

CORPS = "british_2nd_brigade"
MARCH = {"formation": CORPS, "destination": "chambly", "stance": "attack", "pace": "plus_half"}
ORDERS: dict[str, dict[str, str]] = {
    "march": MARCH,
    "halt": {"formation": CORPS, "stance": "avoid"},
    "rest": {"formation": CORPS, "activity": "rest", "destination": "chambly"},
    "late, by boat": {
        "formation": "advanced_corps", "destination": "crown_point", "pace": "normal", "starts": "90",
        "by_water": "on", "by_1": "valcour_island",
    },
    "follow": {"formation": "provincial_corps", "activity": "follow", "target": "enemy"},
    "intercept": {"formation": "provincial_corps", "activity": "intercept", "target": "enemy"},
    "entrench": {"formation": "german_1st_brigade", "activity": "entrench"},
    "a garrison entrenches": {"formation": "garrison_montreal", "activity": "entrench"},
    "dismantle": {"formation": "advanced_corps", "activity": "dismantle"},
    "break": {"formation": "provincial_corps", "activity": "break_bridge", "target": BRIDGE},
    "repair": {"formation": "british_1st_brigade", "activity": "repair_bridge", "target": BROKEN},
    "lay a bridge": {
        "formation": "british_1st_brigade", "activity": "lay_bridge",
        "target": "crown_point--ticonderoga--track",
    },
    "fell a road": {"formation": CORPS, "activity": "obstruct", "target": "chambly--st_johns--road"},
    "gather boats": {"formation": CORPS, "activity": "gather_boats"},
    "siege": {"formation": "provincial_corps", "activity": "siege"},
    "itinerary": {
        **MARCH, "to_1": "st_johns", "wait_1": "2", "when_1": "no_enemy", "miles_1": "10",
        "to_2": "chambly", "when_2": "held", "held_2": "montreal", "stance_2": "delay",
    },
}  # fmt: skip


def order(campaign: Campaign, name: str) -> dict[str, str]:
    data = {"stance": "give_battle", **ORDERS[name]}
    return data | ({"target": first_enemy(campaign)} if data.get("target") == "enemy" else {})


@pytest.mark.parametrize("name", ORDERS)
def test_every_order_is_given_with_a_receipt_kept_as_a_draft_and_withdrawn_hr_pap_01(posed, player, name):
    data = order(posed, name)
    answer = player.post(f"{PAGE}orders/", {**data, "draft": "1"}, follow=True)
    assert "The draft is kept. It counts when you submit it." in words(answer)
    draft = OrderPaper.objects.get()
    assert (draft.state, draft.kind) == (State.DRAFT, "activity")

    answer = player.post(f"{PAGE}orders/", {**data, "submit": "1"}, follow=True)
    paper = OrderPaper.objects.get()
    assert paper.state == State.STANDING and f"Receipt {paper.receipt}" in words(answer)
    assert paper.body == draft.body
    receipt = words(player.get(f"{PAGE}receipts/{paper.pk}/"))
    assert paper.receipt in receipt and paper.seal in receipt and "version 1" in receipt

    again = player.get(f"{PAGE}?sheet=orders&formation={data['formation']}").context["form"]
    assert again.initial["formation"] == data["formation"]
    for key, value in data.items():
        assert str(again[key].value()) in (value, "True"), key

    player.post(f"{PAGE}orders/{paper.pk}/withdraw/")
    paper.refresh_from_db()
    assert paper.state == State.WITHDRAWN
    assert "withdrawn" in words(player.get(f"{PAGE}receipts/{paper.pk}/"))


def test_a_receipt_says_every_stage_hr_ord_02(posed, player):
    player.post(f"{PAGE}orders/", order(posed, "itinerary"))
    text = words(player.get(f"{PAGE}receipts/{OrderPaper.objects.get().pk}/"))
    assert "Then after a halt of 2 days marches on to St Johns" in text
    assert "only if no enemy is known within 10 miles of St Johns" in text
    assert "is to delay the enemy, only if Montreal is its side's" in text


def test_one_more_stage_without_scripts_hr_ord_02(posed, player):
    data = {**order(posed, "itinerary"), "further": "1"}
    form = player.post(f"{PAGE}orders/", data).context["form"]
    assert form.stage_count == 3 and form["to_2"].value() == "chambly"
    assert not OrderPaper.objects.exists()
    full = {**MARCH, "further": "1", **{f"to_{n}": "ticonderoga" for n in range(1, 13)}}
    form = player.post(f"{PAGE}orders/", full).context["form"]
    assert form.stage_count == 12 and not form.may_go_on


REFUSED: dict[str, tuple[dict[str, str], str, str]] = {
    "an enemy's": ({"formation": "poors_brigade"}, "formation", "Select a valid choice"),
    "no such way": ({"formation": "artillery_park", "destination": "unadilla"}, "destination", "HR-"),
    "a late halt": ({"activity": "entrench", "starts": "30"}, "starts", "HR-ORD-05"),
    "places for work": ({"activity": "entrench", "destination": "chambly"}, "destination", "HR-ORD-06"),
    "nobody to follow": ({"activity": "follow"}, "target", "HR-ORD"),
    "no bridge": ({"activity": "break_bridge", "target": BRIDGE}, "target", "HR-BRG-01"),
    "no fort": ({"activity": "siege"}, "activity", "HR-SIE-01"),
    "nothing broken": (
        {"formation": "provincial_corps", "activity": "repair_bridge", "target": BRIDGE},
        "target", "HR-BRG-02",
    ),
    "no works": ({"formation": "reserve_corps", "activity": "dismantle"}, "activity", "HR-WRK-02"),
    "no boats": (
        {"formation": "british_2nd_brigade", "destination": "isle_aux_noix", "by_water": "on"}, "by_water",
        "HR-BOA",
    ),
    "a timid chase": (
        {"formation": "provincial_corps", "activity": "intercept", "stance": "avoid", "target": "enemy"},
        "stance", "HR-ORD-04",
    ),
    "a stage too far": ({"destination": "chambly", "to_1": "boston", "boats_1": "on"}, "to_1", "Stage 1"),
    "a gap": ({"destination": "chambly", "to_2": "ticonderoga"}, "to_1", "A later stage"),
    "an idle stage": ({"destination": "chambly", "wait_1": "3"}, "to_1", "goes nowhere"),
    "too long a wait": ({"to_1": "st_johns", "wait_1": "61"}, "wait_1", "from 0 to 60"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_stands_beside_its_field_and_the_earlier_order_stands(posed, player, name):
    player.post(f"{PAGE}orders/", MARCH)
    data, field, sentence = REFUSED[name]
    data = {"formation": CORPS, "stance": "give_battle", **data}
    if data.get("target") == "enemy":
        data["target"] = first_enemy(posed)
    answer = player.post(f"{PAGE}orders/", data)
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert sentence in " ".join(errors.get(field, [])), errors
    assert OrderPaper.objects.get(state=State.STANDING).body["via"] == ["chambly"]


# --- organisation ---


def acts(world: World) -> dict[str, dict[str, Any]]:
    corps = present_units(world)[CORPS]
    german = present_units(world)["german_1st_brigade"]
    return {
        "detach": {
            "units": [corps[0].id], "name": "Baum's detachment", "commander": "Baum",
            "doing": "rest", "to": "chambly",
        },
        "join": {"formation": "german_1st_brigade", "into": "german_2nd_brigade"},
        "transfer": {"units": [german[0].id], "into": "german_2nd_brigade"},
        "escort": {"formation": "advanced_corps", "wagons": "army_train"},
        "garrison": {"formation": "advanced_corps", "on": "on"},
        "hand_over": {"formation": "advanced_corps", "leader": "balcarres"},
        "ration": {"formation": "advanced_corps", "short": "short"},
        "depot": {"formation": "army_train"},
    }  # fmt: skip


ACTS = ("detach", "join", "transfer", "escort", "garrison", "hand_over", "ration", "depot")


def posted(kind: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, **{f"{kind}-{key}": value for key, value in values.items()}}


@pytest.mark.parametrize("kind", ACTS)
def test_every_act_is_put_on_a_paper_with_a_receipt_and_withdrawn_hr_org_07(posed, player, kind):
    data = posted(kind, acts(world_load(posed))[kind])
    answer = player.post(f"{PAGE}organisation/", data, follow=True)
    paper = OrderPaper.objects.get()
    assert paper.state == State.STANDING and f"Receipt {paper.receipt}" in words(answer)
    receipt = words(player.get(f"{PAGE}receipts/{paper.pk}/"))
    assert "organisation, version 1" in receipt and paper.seal in receipt
    player.post(f"{PAGE}orders/{paper.pk}/withdraw/")
    paper.refresh_from_db()
    assert paper.state == State.WITHDRAWN


@pytest.mark.parametrize("kind", ACTS)
def test_every_act_may_be_kept_as_a_draft_and_submitted_hr_pap_02(posed, player, opponent, kind):
    data = {**posted(kind, acts(world_load(posed))[kind]), "draft": "1"}
    assert "The draft is kept. It counts" in words(player.post(f"{PAGE}organisation/", data, follow=True))
    draft = OrderPaper.objects.get()
    assert (draft.state, draft.kind) == (State.DRAFT, "organise")
    assert opponent.post(f"{PAGE}drafts/{draft.pk}/", {"submit": "1"}).status_code == 404
    player.post(f"{PAGE}drafts/{draft.pk}/", {"submit": "1"})
    paper = OrderPaper.objects.get()
    assert paper.state == State.STANDING and acts_of(paper) == acts_of(draft)


def test_a_detachment_sets_off_with_its_first_order_hr_org_02(posed, player):
    data = posted("detach", acts(world_load(posed))["detach"])
    player.post(f"{PAGE}organisation/", data)
    (act,) = acts_of(OrderPaper.objects.get())
    assert (act.id, act.order.activity, act.order.via) == (f"{CORPS}-d1", "rest", ("chambly",))
    player.post(
        f"{PAGE}organisation/",
        {**data, "detach-units": [present_units(world_load(posed))[CORPS][1].id]},
    )
    _, second = acts_of(OrderPaper.objects.get(state=State.STANDING))
    assert second.id == f"{CORPS}-d2"
    refused = player.post(f"{PAGE}organisation/", {**data, "detach-to": "unadilla", "detach-doing": ""})
    assert refused.status_code == 422


def test_a_line_is_struck_off_and_the_rest_stands_hr_pap_01(posed, player, opponent):
    known = acts(world_load(posed))
    player.post(f"{PAGE}organisation/", posted("garrison", known["garrison"]))
    player.post(f"{PAGE}organisation/", posted("hand_over", known["hand_over"]))
    paper = OrderPaper.objects.get(state=State.STANDING)
    assert paper.version == 2 and len(acts_of(paper)) == 2
    assert opponent.post(f"{PAGE}papers/{paper.pk}/strike/", {"line": "0"}).status_code == 404
    player.post(f"{PAGE}papers/{paper.pk}/strike/", {"line": "0"})
    left = OrderPaper.objects.get(state=State.STANDING)
    assert left.version == 3 and [act.leader for act in acts_of(left)] == ["balcarres"]
    text = words(player.post(f"{PAGE}papers/{paper.pk}/strike/", {"line": "0"}, follow=True))
    assert "HR-CAL-06" in text


@pytest.mark.parametrize(
    ("kind", "values", "field", "sentence"),
    [
        ("join", {"formation": "advanced_corps", "into": "german_1st_brigade"}, "into", "HR-ORG-01"),
        ("join", {"formation": "advanced_corps", "into": "poors_brigade"}, "into", "Select a valid choice"),
        ("detach", {"units": [], "name": "x"}, "units", "Choose at least one unit"),
        ("hand_over", {"formation": "german_1st_brigade", "leader": "balcarres"}, "leader", "HR-ORG-04"),
        ("escort", {"formation": "german_1st_brigade", "wagons": "army_train"}, "wagons", "HR-ORG-06"),
        ("garrison", {"formation": "advanced_corps", "on": "off"}, "on", "HR-ORG-05"),
        ("ration", {"formation": "advanced_corps", "short": "full"}, "short", "HR-SUP-04"),
        ("depot", {"formation": "army_train_chambly"}, "formation", "HR-SUP-05"),
    ],
)
def test_a_refused_act_stands_beside_its_field(posed, player, kind, values, field, sentence):
    answer = player.post(f"{PAGE}organisation/", posted(kind, values))
    assert answer.status_code == 422 and not OrderPaper.objects.exists()
    form = next(form for form in answer.context["act_forms"] if form.is_bound)
    assert sentence in " ".join(form.errors[field]), form.errors
    assert f'<details class="short-form" open id="form-{kind}">' in answer.content.decode()


# --- choices for the returns ---

CHOICES: dict[str, dict[str, str]] = {
    "fill": {"giver": "ng_kar", "receiver": "ng_45", "points": "10"},
    "balance": {"giver": "bw_rhetz_1", "receiver": "bw_rhetz_2", "points": "5"},
    "downgrade": {"source": "british/line", "points": "5"},
    "raise": {"pool": "german/line"},
    "first": {"unit": "lost"},
}


def choice(campaign: Campaign, kind: str) -> dict[str, Any]:
    values = CHOICES[kind]
    if kind == "first":
        units = world_load(campaign).units.values()
        values = {"unit": next(unit.id for unit in units if unit.status is UnitStatus.ELIMINATED)}
    return posted(kind, values)


@pytest.mark.parametrize("kind", CHOICES)
def test_every_choice_is_submitted_drafted_and_withdrawn_hr_pap_03(posed, player, kind):
    data = choice(posed, kind)
    kept = words(player.post(f"{PAGE}choices/", {**data, "draft": "1"}, follow=True))
    assert "The draft is kept. It counts" in kept
    draft = OrderPaper.objects.get()
    player.post(f"{PAGE}drafts/{draft.pk}/", {"submit": "1"})
    paper = OrderPaper.objects.get()
    assert (paper.state, paper.day, paper.side) == (State.STANDING, 6, "crown")
    assert choices_of(paper) == choices_of(draft)
    assert paper.receipt in words(player.get(f"{PAGE}?sheet=returns"))
    player.post(f"{PAGE}orders/{paper.pk}/withdraw/")
    given = words(player.post(f"{PAGE}choices/", data, follow=True))
    paper = OrderPaper.objects.get(state=State.STANDING)
    assert f"Receipt {paper.receipt}" in given and paper.version == 2


@pytest.mark.parametrize(
    ("kind", "values", "field", "sentence"),
    [
        ("fill", {**CHOICES["fill"], "points": "7"}, "giver", "AWI-C-LOY-01"),
        ("fill", {**CHOICES["fill"], "points": "0"}, "points", "whole number of points"),
        ("balance", {**CHOICES["balance"], "receiver": "bw_specht_1"}, "giver", "AWI-C-OVR-02"),
        ("downgrade", {**CHOICES["downgrade"], "points": "90"}, "source", "AWI-C-"),
    ],
)
def test_a_refused_choice_stands_beside_its_field(posed, player, kind, values, field, sentence):
    answer = player.post(f"{PAGE}choices/", posted(kind, values))
    assert answer.status_code == 422 and not OrderPaper.objects.exists()
    form = next(form for form in answer.context["choice_forms"] if form.is_bound)
    assert sentence in " ".join(form.errors[field]), form.errors


def test_the_umpire_says_where_units_appear_awi_c_pol_05(posed, umpire, player):
    assert not umpire.get(f"{PAGE}?sheet=returns").context["choice_forms"]
    refused = umpire.post(f"{PAGE}choices/", posted("place", {"subject": "german/line", "place": "albany"}))
    assert "Places are diced for" in words(refused)
    settings = {**posed.settings, "location_choice": "umpire_places"}
    Campaign.objects.filter(pk=posed.pk).update(settings=settings)
    data = posted("place", {"subject": "german/line", "place": "montreal"})
    assert player.post(f"{PAGE}choices/", data).status_code == 404
    umpire.post(f"{PAGE}choices/", data)
    paper = OrderPaper.objects.get()
    assert (paper.side, choices_of(paper).placements[0].place) == ("", "montreal")
    assert player.get(f"{PAGE}receipts/{paper.pk}/").status_code == 404
    assert "Strike off" in words(umpire.get(f"{PAGE}?sheet=returns"))
    umpire.post(f"{PAGE}papers/{paper.pk}/strike/", {"line": "0"})
    assert not OrderPaper.objects.filter(state=State.STANDING).exists()


# --- drafts, receipts, who may ---


def test_a_draft_is_gone_on_with_and_thrown_away_hr_pap_02(posed, player, umpire):
    player.post(f"{PAGE}orders/", {**MARCH, "draft": "1"})
    draft = OrderPaper.objects.get()
    form = player.get(f"{PAGE}?sheet=orders&draft={draft.pk}").context["form"]
    assert (form.initial["destination"], form.initial["pace"]) == ("chambly", "plus_half")
    assert "chambly" not in str(umpire.get(f"{PAGE}?sheet=orders").context["papers"].drafts)
    assert player.get(f"{PAGE}receipts/{draft.pk}/").status_code == 404
    player.post(f"{PAGE}drafts/{draft.pk}/", {"discard": "1"})
    assert not OrderPaper.objects.exists()
    late = player.post(f"{PAGE}drafts/{draft.pk}/", {"submit": "1"})
    assert late.status_code == 404


def test_a_draft_says_what_would_refuse_it_hr_pap_02(posed, player):
    data = {"formation": CORPS, "stance": "attack", "activity": "siege", "draft": "1"}
    assert "as it stands it would be refused" in words(player.post(f"{PAGE}orders/", data, follow=True))
    draft = OrderPaper.objects.get()
    refused = words(player.post(f"{PAGE}drafts/{draft.pk}/", {"submit": "1"}, follow=True))
    assert "HR-SIE-01" in refused and OrderPaper.objects.get().state == State.DRAFT


def test_receipts_are_their_sides_and_the_umpires_hr_fog_01(posed, player, opponent, umpire):
    player.post(f"{PAGE}orders/", MARCH)
    paper = OrderPaper.objects.get()
    for client, status in ((player, 200), (umpire, 200), (opponent, 404)):
        assert client.get(f"{PAGE}receipts/{paper.pk}/").status_code == status
        assert (paper.receipt in words(client.get(f"{PAGE}receipts/"))) == (status == 200)


def test_late_orders_are_refused_or_kept_hr_cal_04(posed, player):
    player.post(f"{PAGE}orders/", MARCH)
    past = timezone.now() - timedelta(minutes=1)
    Campaign.objects.filter(pk=posed.pk).update(deadline=past)
    answer = player.post(f"{PAGE}orders/", {**MARCH, "destination": ""})
    assert answer.status_code == 422 and "HR-CAL-04" in words(answer)
    Campaign.objects.filter(pk=posed.pk).update(late_orders="queue")
    text = words(player.post(f"{PAGE}orders/", {**MARCH, "destination": ""}, follow=True))
    assert "It came late and is kept for the next day" in text and "Late, kept for the next day" in text
    kept = OrderPaper.objects.get(state=State.QUEUED)
    player.post(f"{PAGE}orders/{kept.pk}/withdraw/")
    kept.refresh_from_db()
    assert kept.state == State.WITHDRAWN
    assert OrderPaper.objects.get(state=State.STANDING).body["via"] == ["chambly"]


def test_a_columns_commander_is_offered_his_column_hr_set_05(posed, carleton):
    fraser = User.objects.create_user("fraser")
    column_give(
        campaign=posed, side="crown", formations=("advanced_corps",), user=fraser, title="", actor=carleton
    )
    client = signed_in(fraser)
    page = client.get(f"{PAGE}?sheet=orders")
    offered = {form.kind: form for form in page.context["act_forms"]}
    assert [key for key, _ in offered["garrison"].fields["formation"].choices] == ["", "advanced_corps"]
    assert not client.get(f"{PAGE}?sheet=returns").context["choice_forms"]
    assert client.post(
        f"{PAGE}organisation/", posted("garrison", {"formation": "advanced_corps", "on": "on"})
    )
    assert OrderPaper.objects.get().state == State.STANDING
    assert client.post(f"{PAGE}choices/", choice(posed, "raise")).status_code == 422


# --- the rhythm of deadlines ---

RHYTHM = {
    "time_zone": "America/New_York", "cadence_days": "7", "days_a_turn": "2", "advance_at_deadline": "on",
    "late_orders": "queue", "missed_orders": "halt", "run_until": "contact", "run_on_days": "2",
    "settle_after_days": "9",
}  # fmt: skip


def test_the_umpire_sets_the_rhythm_hr_due_01(posed, umpire, player):
    assert player.post(f"{PAGE}schedule/", RHYTHM).status_code == 404
    umpire.post(f"{PAGE}schedule/", RHYTHM)
    posed.refresh_from_db()
    kept = schedule_of(posed)
    assert (kept.time_zone, kept.cadence_days, kept.missed_orders) == ("America/New_York", 7, "halt")
    assert (kept.run_until, kept.run_on_days, kept.settle_after_days) == ("contact", 2, 9)
    umpire.post(f"{PAGE}deadline/", {"deadline": "2099-01-02T20:00"})
    posed.refresh_from_db()
    assert posed.deadline.isoformat() == "2099-01-03T01:00:00+00:00"
    assert "2 January, 20:00 (America/New_York)" in words(player.get(PAGE))
    wrong = umpire.post(f"{PAGE}schedule/", {**RHYTHM, "time_zone": "Europe/Saratoga"})
    assert wrong.status_code == 422
    assert "There is no time zone" in wrong.context["schedule_form"].errors["time_zone"][0]


def test_an_overdue_day_alarms_the_umpire_hr_due_03(posed, umpire, player):
    past = timezone.now() - timedelta(hours=3)
    Campaign.objects.filter(pk=posed.pk).update(deadline=past)
    assert "the day has not been played" in words(umpire.get(f"{PAGE}?sheet=day"))
    Campaign.objects.filter(pk=posed.pk).update(paused="the club is on holiday")
    assert "the day has not been played" not in words(umpire.get(f"{PAGE}?sheet=day"))


@pytest.mark.parametrize("sheet", ["orders", "returns"])
def test_no_page_asks_more_than_fifteen_queries(posed, player, django_assert_max_num_queries, sheet):
    for name in ("march", "entrench", "itinerary"):
        player.post(f"{PAGE}orders/", order(posed, name))
    player.post(f"{PAGE}organisation/", posted("garrison", acts(world_load(posed))["garrison"]))
    player.post(f"{PAGE}choices/", choice(posed, "raise"))
    with django_assert_max_num_queries(15):
        player.get(f"{PAGE}?sheet={sheet}")
    with django_assert_max_num_queries(15):
        player.get(f"{PAGE}receipts/")
