"""Who has orders, papers of a formation, an earlier day copied as drafts, drafts submitted at once."""

import re

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, OrderPaper
from campaign.rules.army.organisation import Join
from campaign.rules.world.world import Order
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit
from campaign.services.turns.days import day_advance
from tests.campaign.web.posed import words

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"
OVERVIEW = f"{PAGE}orders/overview/"
State = OrderPaper.State


def given(saratoga, actor, formation: str = "advanced_corps", place: str = "crown_point") -> OrderPaper:
    return order_submit(campaign=saratoga, side="crown", order=Order(formation, (place,)), actor=actor)


def states(client, show: str = "") -> dict[str, str]:
    rows = client.get(OVERVIEW, {"show": show} if show else {}).context["rows"]
    return {row.orders.seen.id: row.state for row in rows}


def test_every_formation_is_there_with_its_state(crown, saratoga, burgoyne):
    before = states(crown)
    assert before["advanced_corps"] == "idle" and "garrison" in before.values()
    given(saratoga, burgoyne)
    order_draft(
        campaign=saratoga, side="crown", order=Order("british_1st_brigade", ("crown_point",)), actor=burgoyne
    )
    now = states(crown)
    assert (now["advanced_corps"], now["british_1st_brigade"]) == ("ordered", "draft")
    assert set(states(crown, "idle")) == {key for key, state in now.items() if state == "idle"}
    text = words(crown.get(OVERVIEW))
    assert "marches to Crown Point" in text.lower() or "Marches to Crown Point" in text
    assert "John" in text and "Due when the umpire advances the day" in text
    saratoga.refresh_from_db()
    day_advance(campaign=saratoga, actor=None)
    assert states(crown)["advanced_corps"] == "standing"


def test_the_umpire_sees_both_sides_and_gives_no_orders(desk, saratoga):
    assert {"advanced_corps", "poors_brigade"} <= set(states(desk))
    assert "Give orders" not in words(desk.get(OVERVIEW))


def test_a_formations_papers_are_all_there_hr_pap_01(crown, rebel, saratoga, burgoyne):
    given(saratoga, burgoyne)
    given(saratoga, burgoyne, place="bouquet_river")
    text = words(crown.get(f"{PAGE}orders/of/advanced_corps/"))
    assert "version 1" in text and "version 2" in text and "replaced" in text and "submitted" in text
    assert rebel.get(f"{PAGE}orders/of/advanced_corps/").status_code == 404
    assert rebel.get(f"{PAGE}orders/of/nobody/").status_code == 404


def test_orders_of_the_last_day_are_copied_as_drafts_one_by_one_hr_pap_02(crown, saratoga, burgoyne):
    for formation, place in (
        ("advanced_corps", "crown_point"),
        ("british_1st_brigade", "crown_point"),
        ("german_1st_brigade", "crown_point"),
    ):
        given(saratoga, burgoyne, formation, place)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    given(saratoga, burgoyne, "german_1st_brigade", "ticonderoga")
    said = words(crown.post(f"{PAGE}orders/repeat/", {"from": "last"}, follow=True))
    assert "2 orders copied as drafts" in said
    assert "It has an order for this day already, which stays." in said
    drafts = OrderPaper.objects.filter(state=State.DRAFT)
    assert {draft.formation for draft in drafts} == {"advanced_corps", "british_1st_brigade"}
    said = words(crown.post(f"{PAGE}orders/submit-drafts/", follow=True))
    assert "2 drafts submitted" in said and not OrderPaper.objects.filter(state=State.DRAFT).exists()
    assert OrderPaper.objects.filter(state=State.STANDING, day=saratoga.day).count() == 3


def test_what_the_rules_would_refuse_is_not_copied_and_says_why(crown, saratoga, burgoyne):
    given(saratoga, burgoyne)
    day_advance(campaign=saratoga, actor=None)
    OrderPaper.objects.update(body={**OrderPaper.objects.get().body, "via": ["nowhere"]})
    said = words(crown.post(f"{PAGE}orders/repeat/", {"from": "last"}, follow=True))
    assert "There is no place 'nowhere' on the map" in said
    assert not OrderPaper.objects.filter(state=State.DRAFT).exists()


def test_there_may_be_nothing_to_copy(crown):
    for asked in ("last", "week"):
        said = words(crown.post(f"{PAGE}orders/repeat/", {"from": asked}, follow=True))
        assert "No orders of your side were carried out on that day" in said


def test_what_was_merged_is_named_once_and_told_as_that_when_orders_are_copied(crown, saratoga, burgoyne):
    stood = Order("british_1st_brigade", stance="avoid")
    order_submit(campaign=saratoga, side="crown", order=stood, actor=burgoyne)
    day_advance(campaign=saratoga, actor=None)
    world = world_load(Campaign.objects.select_related("head").get(pk=saratoga.pk))
    here = world.formations["british_1st_brigade"].position
    into = next(
        key
        for key, row in sorted(world.formations.items())
        if row.side == "crown" and row.position == here and key != "british_1st_brigade" and not row.garrison
    )
    now = Campaign.objects.get(pk=saratoga.pk)
    organisation_submit(
        add=True, campaign=now, side="crown", acts=[Join("british_1st_brigade", into)], actor=burgoyne
    )
    day_advance(campaign=now, actor=None)
    text = words(crown.post(f"{PAGE}orders/repeat/", {"from": "last"}, follow=True))
    name = world.formations["british_1st_brigade"].name
    assert f"{name} has no units any more, so its order is not copied" in text
    assert f"{name}: {name}" not in text and "when it has arrived" not in text


@pytest.mark.parametrize("page", [OVERVIEW, f"{PAGE}?sheet=orders"])
def test_a_draft_takes_no_newer_orders_place_unseen_hr_pap_04(crown, saratoga, burgoyne, page):
    """His deputy has put in another order since the page was opened, and begun a draft."""
    march = Order("advanced_corps", ("crown_point",))
    order_draft(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    form = re.search(r'name="seen" value="(\d+)"', crown.get(page).content.decode())
    assert form is not None
    stands = given(saratoga, burgoyne, place="bouquet_river")
    draft = order_draft(campaign=saratoga, side="crown", order=march, actor=burgoyne)[0]
    address = f"{PAGE}orders/submit-drafts/" if page == OVERVIEW else f"{PAGE}drafts/{draft.number}/"
    said = words(crown.post(address, {"seen": form[1], "submit": "1"}, follow=True))
    stands.refresh_from_db()
    assert "HR-PAP-04" in said and stands.state == State.STANDING
    assert OrderPaper.objects.filter(pk=draft.pk, state=State.DRAFT).exists()
    crown.post(address, {"seen": str(draft.number), "submit": "1"}, follow=True)
    stands.refresh_from_db()
    assert stands.state == State.REPLACED


def test_a_draft_nobody_has_read_is_not_submitted_with_the_others_hr_pap_04(crown, saratoga, burgoyne):
    """His deputy keeps a half-written draft while the page is open."""
    read = order_draft(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("crown_point",)), actor=burgoyne
    )[0]
    form = re.search(r'name="seen" value="(\d+)"', crown.get(OVERVIEW).content.decode())
    assert form is not None
    unread = order_draft(
        campaign=saratoga, side="crown", order=Order("german_2nd_brigade", ("chimney_point",)), actor=burgoyne
    )[0]
    address = f"{PAGE}orders/submit-drafts/"
    said = words(crown.post(address, {"seen": form[1]}, follow=True))
    assert "1 draft submitted" in said
    assert "Its draft was written or changed since you looked. Read it, then submit it. ( HR-PAP-04 )" in said
    assert OrderPaper.objects.filter(pk=unread.pk, state=State.DRAFT).exists()
    assert not OrderPaper.objects.filter(pk=read.pk, state=State.DRAFT).exists()
    assert "1 draft submitted" in words(crown.post(address, {"seen": str(unread.number)}, follow=True))
