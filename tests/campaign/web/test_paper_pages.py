"""Every kind of order from its page: given, kept as a draft, refused beside its field, taken back."""

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import OrderPaper
from campaign.rules.world.world import present_units
from campaign.services.orders.day_orders import acts_of, parse_week_choices
from tests.campaign.web.posed import (
    BRIDGE,
    CHOICES,
    CORPS,
    MARCH,
    ORDERS,
    PAGE,
    State,
    acts,
    choice,
    first_enemy,
    order,
    posted,
    words,
)

# --- orders ---


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
    receipt = words(player.get(f"{PAGE}receipts/{paper.number}/"))
    assert paper.receipt in receipt and paper.seal in receipt and "version 1" in receipt

    again = player.get(f"{PAGE}?sheet=orders&formation={data['formation']}").context["form"]
    assert again.initial["formation"] == data["formation"]
    for key, value in data.items():
        assert str(again[key].value()) in (value, "True"), key

    player.post(f"{PAGE}orders/{paper.number}/withdraw/")
    paper.refresh_from_db()
    assert paper.state == State.WITHDRAWN
    assert "withdrawn" in words(player.get(f"{PAGE}receipts/{paper.number}/"))


def test_a_receipt_says_every_stage_hr_ord_02(posed, player):
    player.post(f"{PAGE}orders/", order(posed, "itinerary"))
    text = words(player.get(f"{PAGE}receipts/{OrderPaper.objects.get().number}/"))
    assert "Then after a halt of 2 days marches on to St Johns" in text
    assert "only if no enemy is known within 10 miles of St Johns" in text
    assert "is to delay the enemy, only if Montreal is its side's" in text


def test_a_receipt_leads_on_while_its_paper_can_be_changed_hr_pap_01(posed, player, umpire):
    player.post(f"{PAGE}orders/", order(posed, "itinerary"))
    paper = OrderPaper.objects.get()
    here, link = f"{PAGE}receipts/{paper.number}/", "Change or withdraw it on its sheet"
    assert link in words(player.get(here))
    assert link not in words(umpire.get(f"{PAGE}receipts/{paper.side}/{paper.number}/"))
    player.post(f"{PAGE}orders/{paper.number}/withdraw/")
    assert link not in words(player.get(here))


def test_a_receipt_of_choices_for_the_weeks_end_leads_on_before_its_last_day_hr_pap_01(posed, player):
    player.post(f"{PAGE}choices/", choice(posed, next(iter(CHOICES))))
    paper = OrderPaper.objects.get(state=State.STANDING)
    assert paper.day > posed.day
    assert "?sheet=returns" in player.get(f"{PAGE}receipts/{paper.number}/").content.decode()


def test_one_more_stage_without_scripts_hr_ord_02(posed, player):
    data = {**order(posed, "itinerary"), "further": "1"}
    form = player.post(f"{PAGE}orders/", data).context["form"]
    assert form.stage_count == 3 and form["to_2"].value() == "chambly"
    assert not OrderPaper.objects.exists()
    full = {**MARCH, "further": "1", **{f"to_{n}": "ticonderoga" for n in range(1, 13)}}
    form = player.post(f"{PAGE}orders/", full).context["form"]
    assert form.stage_count == 12 and not form.may_go_on


REFUSED: dict[str, tuple[dict[str, str], str, str]] = {
    "an enemy's": ({"formation": "poors_brigade"}, "formation", "choose again from the list"),
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


ACTS = ("detach", "join", "transfer", "escort", "garrison", "hand_over", "ration", "depot")


@pytest.mark.parametrize("kind", ACTS)
def test_every_act_is_put_on_a_paper_with_a_receipt_and_withdrawn_hr_org_07(posed, player, kind):
    data = posted(kind, acts(world_load(posed))[kind])
    answer = player.post(f"{PAGE}organisation/", data, follow=True)
    paper = OrderPaper.objects.get()
    assert paper.state == State.STANDING and f"Receipt {paper.receipt}" in words(answer)
    receipt = words(player.get(f"{PAGE}receipts/{paper.number}/"))
    assert "organisation, version 1" in receipt and paper.seal in receipt
    player.post(f"{PAGE}orders/{paper.number}/withdraw/")
    paper.refresh_from_db()
    assert paper.state == State.WITHDRAWN


@pytest.mark.parametrize("kind", ACTS)
def test_every_act_may_be_kept_as_a_draft_and_submitted_hr_pap_02(posed, player, opponent, kind):
    data = {**posted(kind, acts(world_load(posed))[kind]), "draft": "1"}
    assert "The draft is kept. It counts" in words(player.post(f"{PAGE}organisation/", data, follow=True))
    draft = OrderPaper.objects.get()
    assert (draft.state, draft.kind) == (State.DRAFT, "organise")
    assert opponent.post(f"{PAGE}drafts/{draft.number}/", {"submit": "1"}).status_code == 404
    player.post(f"{PAGE}drafts/{draft.number}/", {"submit": "1"})
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
    assert opponent.post(f"{PAGE}papers/{paper.number}/strike/", {"line": "0"}).status_code == 404
    player.post(f"{PAGE}papers/{paper.number}/strike/", {"line": "0"})
    left = OrderPaper.objects.get(state=State.STANDING)
    assert left.version == 3 and [act.leader for act in acts_of(left)] == ["balcarres"]
    text = words(player.post(f"{PAGE}papers/{paper.number}/strike/", {"line": "0"}, follow=True))
    assert "HR-CAL-06" in text


@pytest.mark.parametrize(
    ("kind", "values", "field", "sentence"),
    [
        ("join", {"formation": "advanced_corps", "into": "german_1st_brigade"}, "into", "HR-ORG-01"),
        (
            "join",
            {"formation": "advanced_corps", "into": "poors_brigade"},
            "into",
            "choose again from the list",
        ),
        ("detach", {"units": [], "name": "x"}, "units", "Choose at least one unit"),
        ("hand_over", {"formation": "german_1st_brigade", "leader": "balcarres"}, "leader", "HR-ORG-04"),
        ("escort", {"formation": "german_1st_brigade", "wagons": "army_train"}, "wagons", "HR-ORG-06"),
        ("garrison", {"formation": "advanced_corps", "on": "off"}, "on", "HR-ORG-05"),
        ("ration", {"formation": "advanced_corps", "short": "full"}, "short", "HR-SUP-04"),
        ("depot", {"formation": "army_train_chambly"}, "formation", "choose again"),
    ],
)
def test_a_refused_act_stands_beside_its_field(posed, player, kind, values, field, sentence):
    answer = player.post(f"{PAGE}organisation/", posted(kind, values))
    assert answer.status_code == 422 and not OrderPaper.objects.exists()
    form = next(form for form in answer.context["act_forms"] if form.is_bound)
    assert sentence in " ".join(form.errors[field]), form.errors
    assert f'<details class="short-form" open id="form-{kind}">' in answer.content.decode()


# --- choices for the returns ---


@pytest.mark.parametrize("kind", CHOICES)
def test_every_choice_is_submitted_drafted_and_withdrawn_hr_pap_03(posed, player, kind):
    data = choice(posed, kind)
    kept = words(player.post(f"{PAGE}choices/", {**data, "draft": "1"}, follow=True))
    assert "The draft is kept. It counts" in kept
    draft = OrderPaper.objects.get()
    player.post(f"{PAGE}drafts/{draft.number}/", {"submit": "1"})
    paper = OrderPaper.objects.get()
    assert (paper.state, paper.day, paper.side) == (State.STANDING, 6, "crown")
    assert parse_week_choices(paper) == parse_week_choices(draft)
    assert paper.receipt in words(player.get(f"{PAGE}?sheet=returns"))
    player.post(f"{PAGE}orders/{paper.number}/withdraw/")
    given = words(player.post(f"{PAGE}choices/", data, follow=True))
    paper = OrderPaper.objects.get(state=State.STANDING)
    assert f"Receipt {paper.receipt}" in given and paper.version == 2


@pytest.mark.parametrize(
    ("kind", "values", "field", "sentence"),
    [
        ("fill", {**CHOICES["fill"], "points": "7"}, "giver", "AWI-C-LOY-01"),
        ("fill", {**CHOICES["fill"], "points": "0"}, "points", "whole number of points from 1 to 10."),
        ("balance", {**CHOICES["balance"], "points": "9999"}, "points", "from 1 to 120."),
        ("downgrade", {**CHOICES["downgrade"], "points": "9999"}, "points", "from 1 to 1000."),
        ("balance", {**CHOICES["balance"], "receiver": "bw_specht_1"}, "giver", "AWI-C-OVR-02"),
        ("downgrade", {**CHOICES["downgrade"], "points": "900"}, "source", "leave the "),
    ],
)
def test_a_refused_choice_stands_beside_its_field(posed, player, kind, values, field, sentence):
    answer = player.post(f"{PAGE}choices/", posted(kind, values))
    assert answer.status_code == 422 and not OrderPaper.objects.exists()
    form = next(form for form in answer.context["choice_forms"] if form.is_bound)
    assert sentence in " ".join(form.errors[field]), form.errors
