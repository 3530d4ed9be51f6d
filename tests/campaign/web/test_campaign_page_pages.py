"""Around the papers: places, drafts, receipts, late orders, the rhythm of deadlines."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord, OrderPaper, User
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.services.orders.day_orders import parse_week_choices
from campaign.services.seats.assignment import column_give
from tests.campaign.web.posed import CORPS, MARCH, PAGE, State, acts, choice, order, posted, words
from tests.factories.people import signed_in
from tests.factories.years import NEXT_YEAR


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
    assert (paper.side, parse_week_choices(paper).placements[0].place) == ("", "montreal")
    assert player.get(f"{PAGE}receipts/{paper.number}/").status_code == 404
    assert "Strike off" in words(umpire.get(f"{PAGE}?sheet=returns"))
    umpire.post(f"{PAGE}papers/{paper.number}/strike/", {"line": "0"})
    assert not OrderPaper.objects.filter(state=State.STANDING).exists()


# --- drafts, receipts, who may ---


def test_a_draft_is_gone_on_with_and_thrown_away_hr_pap_02(posed, player, umpire):
    player.post(f"{PAGE}orders/", {**MARCH, "draft": "1"})
    draft = OrderPaper.objects.get()
    form = player.get(f"{PAGE}?sheet=orders&draft={draft.number}").context["form"]
    assert (form.initial["destination"], form.initial["pace"]) == ("chambly", "plus_half")
    assert "chambly" not in str(umpire.get(f"{PAGE}?sheet=orders").context["papers"].drafts)
    assert player.get(f"{PAGE}receipts/{draft.number}/").status_code == 404
    player.post(f"{PAGE}drafts/{draft.number}/", {"discard": "1"})
    assert not OrderPaper.objects.exists()
    late = player.post(f"{PAGE}drafts/{draft.number}/", {"submit": "1"})
    assert late.status_code == 404


def test_a_draft_says_what_would_refuse_it_hr_pap_02(posed, player):
    data = {"formation": CORPS, "stance": "attack", "activity": "siege", "draft": "1"}
    assert "as it stands it would be refused" in words(player.post(f"{PAGE}orders/", data, follow=True))
    draft = OrderPaper.objects.get()
    refused = words(player.post(f"{PAGE}drafts/{draft.number}/", {"submit": "1"}, follow=True))
    assert "HR-SIE-01" in refused and OrderPaper.objects.get().state == State.DRAFT


def test_receipts_are_their_sides_and_the_umpires_hr_fog_01(posed, player, opponent, umpire):
    player.post(f"{PAGE}orders/", MARCH)
    paper = OrderPaper.objects.get()
    for client, status in ((player, 200), (umpire, 200), (opponent, 404)):
        assert client.get(f"{PAGE}receipts/crown/{paper.number}/").status_code == status
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
    said = words(player.post(f"{PAGE}orders/{kept.number}/withdraw/", follow=True))
    assert "The order for 2nd British Brigade is withdrawn: halts and" in said and kept.receipt in said
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
    "settle_after_days": "9", "reason": "We meet on Thursdays.",
}  # fmt: skip


def with_head(campaign, fields):
    campaign.refresh_from_db()
    return {"head": campaign.head_id, **fields}


def test_the_umpire_sets_the_rhythm_hr_due_01(posed, umpire, player):
    assert player.post(f"{PAGE}schedule/", RHYTHM).status_code == 404
    assert umpire.post(f"{PAGE}schedule/", with_head(posed, RHYTHM)).status_code == 302
    posed.refresh_from_db()
    kept = rhythm_of(posed)
    assert (kept.time_zone, kept.cadence_days, kept.missed_orders) == ("America/New_York", 7, "halt")
    assert (kept.run_until, kept.run_on_days, kept.settle_after_days) == ("contact", 2, 9)
    umpire.post(
        f"{PAGE}deadline/",
        with_head(posed, {"deadline-until": f"{NEXT_YEAR}-01-02T20:00", "deadline-reason": "As agreed."}),
    )
    posed.refresh_from_db()
    assert posed.deadline.isoformat() == f"{NEXT_YEAR}-01-03T01:00:00+00:00"
    assert "2 January, 20:00 (America/New York)" in words(player.get(PAGE))
    wrong = umpire.post(f"{PAGE}schedule/", with_head(posed, {**RHYTHM, "time_zone": "Europe/Saratoga"}))
    assert wrong.status_code == 422
    assert "There is no time zone" in wrong.context["rhythm_form"].errors["time_zone"][0]


def test_an_hour_that_summer_time_skips_is_refused_hr_due_01(posed, umpire):
    Campaign.objects.filter(pk=posed.pk).update(time_zone="Europe/Berlin")
    sunday = next(day for day in range(31, 24, -1) if date(NEXT_YEAR, 3, day).isoweekday() == 7)
    moment = {"deadline-until": f"{NEXT_YEAR}-03-{sunday}T02:30", "deadline-reason": "Late birds."}
    wrong = umpire.post(f"{PAGE}deadline/", with_head(posed, moment))
    assert wrong.status_code == 422
    assert f"There is no 02:30 on {sunday} March {NEXT_YEAR} in Europe/Berlin" in words(wrong)
    posed.refresh_from_db()
    assert posed.deadline is None


def test_all_that_is_wrong_with_a_rhythm_is_told_together_hr_due_01(posed, umpire):
    before = rhythm_of(posed)
    faulty = {
        "time_zone": "Europe/Saratoga",
        "cadence_days": "0",
        "days_a_turn": "x",
        "run_on_days": "99",
        "reason": "",
    }
    wrong = umpire.post(f"{PAGE}schedule/", with_head(posed, {**RHYTHM, **faulty}))
    assert wrong.status_code == 422 and set(wrong.context["rhythm_form"].errors) == set(faulty)
    assert "The rhythm was not set. 5 things to mend." in words(wrong)
    posed.refresh_from_db()
    assert rhythm_of(posed) == before


def test_deadline_and_rhythm_stand_in_the_journal_with_their_reason_hr_ump_11(posed, umpire, player):
    """Set on the sheet of the day they are acts like those of the umpire's hand."""
    assert umpire.post(f"{PAGE}schedule/", with_head(posed, RHYTHM)).status_code == 302
    moment = {"deadline-until": f"{NEXT_YEAR}-01-02T20:00", "deadline-reason": "Club night."}
    sent = with_head(posed, moment)
    assert [umpire.post(f"{PAGE}deadline/", sent).status_code for _ in range(2)] == [302, 302]
    assert [row.reason for row in DayRecord.objects.filter(kind="act").order_by("pk")][-2:] == [
        "We meet on Thursdays.",
        "Club night.",
    ]
    journal = words(player.get(f"{PAGE}?sheet=journal"))
    assert "Orders are due every 7 days" in journal or "orders are due every 7 days" in journal
    assert "We meet on Thursdays" in journal and "Club night" in journal
    for missing in (
        umpire.post(f"{PAGE}schedule/", with_head(posed, {**RHYTHM, "reason": ""})),
        umpire.post(f"{PAGE}deadline/", with_head(posed, {"deadline-until": ""})),
    ):
        assert missing.status_code == 422 and "Say why" in missing.content.decode()
    stale = umpire.post(f"{PAGE}deadline/", {**sent, "deadline-until": f"{NEXT_YEAR}-01-05T20:00"})
    assert stale.status_code == 422 and "has gone on since" in stale.content.decode()


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
    for page in ("receipts/", "orders/overview/", f"orders/of/{CORPS}/", f"reach.geojson?formation={CORPS}"):
        with django_assert_max_num_queries(15):
            player.get(f"{PAGE}{page}")
