"""Lines sent twice, papers counted within a side, and forms whose writer's command ends meanwhile."""

import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db.models import F
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import OrderPaper, Seat, User
from campaign.services.archive.imports import _number_orders
from campaign.services.seats.absences import absence_add, absence_end
from campaign.services.seats.changes import seat_open
from campaign.services.turns.days import day_advance
from campaign.web.orders.organisation import sheet_page
from tests.campaign.web.crawl import plain
from tests.campaign.web.posed import CORPS, MARCH, PAGE, State, acts, posted, words
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db


def as_drawn(client: Any, sheet: str) -> dict[str, str]:
    """The fields by which a page's short forms say what its reader had seen."""
    text = client.get(sheet_page("posed", sheet)).content.decode()
    form = text[text.index('class="short-form"') :]
    return {name: re.search(rf'name="{name}" value="(\d+)"', form)[1] for name in ("seen", "written")}  # type: ignore[index]


def lines(body: dict[str, Any]) -> int:
    return sum(len(each) for each in body.values() if isinstance(each, list))


def form_of(client: Any, kind: str, sheet: str) -> dict[str, str]:
    """A short form with the first choice of each field, as a page shows it."""
    name = "act_forms" if sheet == "orders" else "choice_forms"
    forms = client.get(sheet_page("posed", sheet)).context[name]
    form = next(form for form in forms if form.kind == kind)
    fields = {"kind": kind}
    for key, field in form.fields.items():
        choices = [value for value, _ in getattr(field, "choices", ()) if value]
        first = choices[0] if choices else "5"
        fields[f"{kind}-{key}"] = str(first[0][0] if isinstance(first, list | tuple) else first)
    return fields


@pytest.mark.parametrize("draft", [{}, {"draft": "1"}])
@pytest.mark.parametrize(
    "sheet, address, kind", [("orders", "organisation/", "ration"), ("returns", "choices/", "downgrade")]
)
def test_hr_pap_04_a_line_sent_twice_stands_once(posed, player, sheet, address, kind, draft):
    seen = as_drawn(player, sheet)
    line = {**form_of(player, kind, sheet), **draft}
    first = player.post(PAGE + address, {**line, **seen}, follow=True)
    assert first.status_code == 200, words(first)
    again = player.post(PAGE + address, {**line, **seen}, follow=True)
    paper = OrderPaper.objects.get(state=State.DRAFT if draft else State.STANDING)
    assert lines(paper.body) == 1
    assert ("The draft is kept" if draft else f"Receipt {paper.receipt}") in words(again)


def test_hr_pap_04_another_tabs_other_line_is_added_and_the_first_not_twice(posed, player):
    seen = as_drawn(player, "returns")
    one = form_of(player, "downgrade", "returns")
    other = {**one, "downgrade-points": "10"}
    for line in (one, other, one):
        player.post(f"{PAGE}choices/", {**line, **seen})
    assert lines(OrderPaper.objects.get(state=State.STANDING).body) == 2
    # whoever has seen the paper may mean the same again
    player.post(f"{PAGE}choices/", {**one, **as_drawn(player, "returns")})
    assert lines(OrderPaper.objects.get(state=State.STANDING).body) == 3


def test_hr_pap_04_a_detachment_sent_twice_is_one(posed, player):
    seen = as_drawn(player, "orders")
    line = {**posted("detach", acts(world_load(posed))["detach"]), **seen}
    for _ in range(2):
        answer = player.post(f"{PAGE}organisation/", line, follow=True)
    paper = OrderPaper.objects.get(state=State.STANDING)
    assert len(paper.body["acts"]) == 1 and f"Receipt {paper.receipt}" in words(answer)


def test_hr_cal_03_a_line_written_before_the_day_was_advanced_is_not_put_in(posed, player):
    seen, line = as_drawn(player, "orders"), form_of(player, "ration", "orders")
    day_advance(campaign=posed, actor=None)
    answer = player.post(f"{PAGE}organisation/", {**line, **seen})
    assert answer.status_code == 422 and "The day has been advanced meanwhile" in words(answer)
    assert not OrderPaper.objects.filter(side="crown", kind="organise").exists()


# --- numbers ---


def test_hr_fog_01_a_number_does_not_tell_how_many_papers_the_enemy_has_put_in(posed, player, opponent):
    def put_in() -> OrderPaper:
        player.post(f"{PAGE}orders/", MARCH)
        return OrderPaper.objects.filter(side="crown").latest("pk")

    assert put_in().number == 1
    rebels = {**MARCH, "formation": "poors_brigade", "destination": "albany"}
    for _ in range(3):
        opponent.post(f"{PAGE}orders/", rebels)
    assert OrderPaper.objects.filter(side="rebel").exists()
    paper = put_in()
    assert paper.number == 2 and paper.receipt.endswith("-2")
    text = player.get(f"{PAGE}?sheet=orders").content.decode()
    assert f"{PAGE}receipts/crown/2/" in text and f"{PAGE}orders/2/withdraw/" in text
    assert 'name="seen" value="2"' in text
    theirs, nobodys = (opponent.get(f"{PAGE}receipts/{each}/").content for each in ("crown/2", "9"))
    assert plain(theirs.decode()) == plain(nobodys.decode())


def test_the_number_of_a_draft_thrown_away_is_not_given_again(posed, player):
    player.post(f"{PAGE}orders/", {**MARCH, "draft": "1"})
    draft = OrderPaper.objects.get()
    player.post(f"{PAGE}drafts/{draft.number}/", {"discard": "1"})
    player.post(f"{PAGE}orders/", MARCH)
    assert OrderPaper.objects.get().number > draft.number


def test_papers_of_before_keep_the_number_of_their_receipts(posed, player):
    player.post(f"{PAGE}orders/", MARCH)
    player.post(f"{PAGE}orders/", {**MARCH, "stance": "avoid"})
    OrderPaper.objects.update(number=F("pk") + 1000)
    import_module("campaign.migrations.0016_numbers_of_papers").number(apps, None)
    assert [paper.number == paper.pk for paper in OrderPaper.objects.all()] == [True, True]


def test_papers_of_an_older_archive_are_numbered_within_their_side():
    papers = [{"side": side} for side in ("crown", "rebel", "crown", "")]
    _number_orders(papers)
    assert [paper["number"] for paper in papers] == [1, 1, 2, 1]


# --- links ---


def test_a_columns_card_leads_to_its_journal(posed, player):
    features = player.get(f"{PAGE}map.geojson").json()["features"]
    links = [each["properties"].get("journal", "") for each in features]
    assert f"{PAGE}journal/?formation={CORPS}" in links
    page = player.get(f"{PAGE}journal/?formation={CORPS}")
    assert page.context["search"].given == {"formation": CORPS} and not page.context["search"].unknown


# --- a command that ends ---


@pytest.fixture
def deputy(posed, burgoyne) -> Seat:
    commander = Seat.objects.get(campaign=posed, role="commander", side="crown")
    user = User.objects.create_user("deputy")
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today - timedelta(days=1), last=today + timedelta(days=1))
    return seat_open(campaign=posed, role="deputy", stands_for=commander, user=user, actor=None)


@pytest.mark.parametrize("address", ["orders/", "organisation/"])
def test_hr_set_09_a_deputy_whose_commander_comes_back_is_told_and_loses_nothing(
    posed, burgoyne, deputy, address
):
    client = signed_in(deputy.user)
    form = MARCH if address == "orders/" else form_of(client, "ration", "orders")
    absence_end(absence=burgoyne.absences.get(), user=burgoyne)
    answer = client.post(PAGE + address, form)
    assert answer.status_code == 422
    assert "you act as deputy only while the holder is" in words(answer)
    assert "not one of the available choices" not in words(answer)
    written = form["destination"] if address == "orders/" else form["ration-formation"]
    assert f'value="{written}" selected' in answer.content.decode()
    assert not OrderPaper.objects.exists()


def test_hr_set_07_a_form_of_who_commands_no_more_is_told_so(posed, deputy):
    client = signed_in(deputy.user)
    Seat.objects.filter(pk=deputy.pk).update(until_day=1)
    day_advance(campaign=posed, actor=None)
    answer = client.post(f"{PAGE}orders/", MARCH)
    assert answer.status_code == 409
    assert "has ended. What you wrote has not been put in" in words(answer)
    assert client.get(f"{PAGE}receipts/").status_code == 404
