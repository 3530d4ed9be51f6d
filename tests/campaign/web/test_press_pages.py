"""Journal, gazette and rulebook as pages: what they find, what they keep to themselves, what they cost."""

import re
from typing import Any

import pytest
from django.test import Client

from campaign.models import Campaign, DayRecord, JournalEntry, User
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"
JOURNAL = f"{PAGE}journal/"


def read(client: Client, address: str, **asked: Any) -> str:
    answer = client.get(address, asked)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode()


def entry_add(campaign: Campaign, **facts: Any) -> JournalEntry:
    last = JournalEntry.objects.filter(record_id=campaign.head_id).order_by("ordinal").last()
    usual = {
        "record_id": campaign.head_id,
        "campaign": campaign,
        "day": 0,
        "ordinal": last.ordinal + 1 if last else 0,
        "minute": 600,
        "kind": "arrives",
        "rule": "HR-MAR-09",
        "sides": "|crown|",
        "formation": "advanced_corps",
        "place": "crown_point",
    }
    return JournalEntry.objects.create(**(usual | facts))


@pytest.fixture
def told(saratoga) -> Campaign:
    """Entries of two days: some for the Crown, some only for the enemy."""
    entry_add(saratoga)
    entry_add(saratoga, day=1, minute=700, place="ticonderoga", kind="passes")
    entry_add(
        saratoga,
        kind="attrition",
        rule="AWI-C-ATT-01",
        formation="",
        place="",
        unit="br_24_1",
        before=100,
        after=95,
        rolls=[{"sides": 6, "value": 5, "address": "d1/AWI-C-ATT-01/br_24_1/1"}],
        modifiers=[["HR-REC-04", -5]],
    )
    entry_add(saratoga, sides="|rebel|", formation="poors_brigade", place="ticonderoga", rule="HR-CAL-07")
    return saratoga


def entries(page: str) -> int:
    return len(re.findall(r"<li[^>]*>(?:<a class=\"hour\"|<time>)", page))


# --- journal ---


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"place": "crown_point"}, 1),
        ({"formation": "advanced_corps"}, 2),
        ({"unit": "br_24_1"}, 1),
        ({"rule": "AWI-C-ATT-01"}, 1),
        ({"kind": "marches"}, 2),
        ({"kind": "returns", "week": "1"}, 1),
        ({"q": "advanced ticonderoga"}, 1),
        ({"place": "ticonderoga", "kind": "marches"}, 1),
        ({"q": "nobody ever wrote this"}, 0),
    ],
)
def test_the_journal_finds_what_is_looked_for(told, crown, asked, count):
    assert entries(read(crown, JOURNAL, **asked)) == count


def test_hr_fog_01_a_search_of_the_enemys_finds_nothing_and_offers_no_name_of_his(told, crown, desk):
    plain = read(crown, JOURNAL)
    assert "Poor&#x27;s Brigade" not in plain and "poors_brigade" not in plain and "HR-CAL-07" not in plain
    assert "Poor&#x27;s Brigade" in read(desk, JOURNAL)
    for asked in ({"formation": "poors_brigade"}, {"rule": "HR-CAL-07"}, {"unit": "no_such"}, {"q": "poor"}):
        page = read(crown, JOURNAL, **asked)
        assert entries(page) == 0 and "Poor&#x27;s Brigade" not in page
    assert read(crown, JOURNAL, formation="poors_brigade").count("poors_brigade") == 0


def test_an_unknown_value_is_answered_in_a_sentence(told, crown):
    for asked in ({"week": "x"}, {"week": "99"}, {"kind": "'; drop"}, {"place": "atlantis"}, {"page": "zz"}):
        page = read(crown, JOURNAL, **asked)
        assert "page" in asked or "no such thing among what you know" in page


def test_every_entry_leads_to_its_day_its_own_address_and_its_rule(told, crown):
    page = read(crown, JOURNAL)
    assert f'href="{JOURNAL}1/#e' in page
    day = read(crown, f"{JOURNAL}1/")
    marks = re.findall(r'<li id="(e[0-9a-f]{12})"', day)
    assert len(set(marks)) == len(marks) >= 2
    assert all(f"{JOURNAL}1/#{mark}" in day for mark in marks)
    assert 'href="/rulebook/AWI-C-ATT-01/?campaign=saratoga"' in day
    assert "pips-5" in day and "Dice: 5 (d6)." in day and "\u22125" in day


def test_both_sides_and_the_umpire_have_the_same_address_of_an_entry(told, crown, desk):
    entry_add(told, kind="battle", rule="HR-CON-10", sides="|crown|rebel|", data={"attacker": "crown"})
    marks = re.findall(r'id="(e[0-9a-f]{12})"', read(crown, f"{JOURNAL}1/"))
    assert marks and set(marks) <= set(re.findall(r'id="(e[0-9a-f]{12})"', read(desk, f"{JOURNAL}1/")))


def test_entries_that_say_the_same_have_addresses_of_their_own(told, crown):
    entry_add(told)
    marks = re.findall(r'<li id="(e[0-9a-f-]+)"', read(crown, f"{JOURNAL}1/"))
    assert len(set(marks)) == len(marks) and any(mark.endswith("-2") for mark in marks)


def test_hr_ump_14_an_address_leads_to_its_entry_after_the_campaign_went_back(saratoga, crown, carleton):
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    before = re.findall(r'<li id="(e[0-9a-f-]+)"', read(crown, f"{JOURNAL}1/"))
    start = DayRecord.objects.get(campaign=saratoga, kind="start")
    campaign_rewind(
        campaign=saratoga, record=start, reason="A wrong turning.", actor=carleton, seen=saratoga.head_id
    )
    after = read(crown, f"{JOURNAL}1/")
    assert before and set(before) <= set(re.findall(r'<li id="(e[0-9a-f-]+)"', after))
    assert "Superseded" in after and "It did not happen" in after


def test_a_day_to_come_is_not_there(told, crown):
    assert crown.get(f"{JOURNAL}99/").status_code == 404
    assert crown.get(f"{JOURNAL}0/").status_code == 404
    assert "Nothing of note" in read(crown, f"{JOURNAL}1/") or entries(read(crown, f"{JOURNAL}1/"))


# --- gazette ---


def test_the_gazette_is_each_sides_own(told, crown, rebel, desk):
    assert "The Crown Gazette" in read(crown, f"{PAGE}gazette/1/")
    paper = read(rebel, f"{PAGE}gazette/1/")
    assert "The United States Gazette" in paper and "Advanced Corps" not in paper
    assert "The Impartial Gazette" in read(desk, f"{PAGE}gazette/1/")


def test_every_sentence_of_the_gazette_leads_to_an_entry_there_is(told, crown):
    paper = read(crown, f"{PAGE}gazette/1/")
    cited = re.findall(r'href="([^"#]+journal/\d+/)#(e[0-9a-f]+)"', paper)
    assert cited
    for address, mark in cited:
        assert f'id="{mark}"' in read(crown, address)


def test_a_week_without_news_says_so_and_one_to_come_is_not_there(saratoga, rebel):
    JournalEntry.objects.filter(campaign=saratoga).delete()
    assert "Nothing has come to this press" in read(rebel, f"{PAGE}gazette/1/")
    for week in (0, 2, 99):
        assert rebel.get(f"{PAGE}gazette/{week}/").status_code == 404
    assert rebel.get(f"{PAGE}gazette/").headers["Location"] == f"{PAGE}gazette/1/"


# --- rulebook ---


def test_the_rulebook_is_open_to_all_and_searched(client):
    assert "Marches by water" in read(client, "/rulebook/")
    chapter = read(client, "/rulebook/", chapter="HR-CAL")
    assert "HR-CAL-01" in chapter and "HR-DUE-01" not in chapter
    assert "Marches by water" in read(client, "/rulebook/", chapter="no-such")
    found = read(client, "/rulebook/", q="militia home")
    assert "AWI-C-MIL-02" in found and "AWI-T-FIR-08" not in found
    assert "No rule has all the words" in read(client, "/rulebook/", q="<script>")
    within = read(client, "/rulebook/", q="morale", book="VBW")
    assert "VBW-MOR-05" in within and "AWI-T-MOR-01" not in within
    assert '<option value="VBW" selected>' in within
    assert "selected" not in read(client, "/rulebook/", book="no")
    assert "No rule of this book has all the words" in read(client, "/rulebook/", q="Highlander", book="HR")


def test_every_ruleset_stands_in_the_rulebook_and_is_searched(client):
    page = read(client, "/rulebook/")
    assert "wing scale</h2>" in page and "division level</h2>" in page
    assert "VBW-CRD-11" in read(client, "/rulebook/", chapter="VBW-CRD")
    found = read(client, "/rulebook/", q="danger zone")
    assert "VBW-MOR-02" in found and "VBD-MOR-02" in found


def test_a_rule_of_division_level_leads_to_wing_scale_and_shows_its_choices_VBD_CMD_01(client):
    page = read(client, "/rulebook/VBD-CMD-01/")
    assert 'href="/rulebook/VBW-CMD-01/"' in page and "What may be chosen" in page
    assert "unit commander radius in" in page and "Unit commanders reach 6 in here" in page


def test_a_rule_says_what_the_campaign_has_set_and_how_often_it_is_cited(told, crown, client, stranger):
    Campaign.objects.filter(pk=told.pk).update(settings=told.settings | {"road_miles": 11})
    page = read(crown, "/rulebook/HR-MAR-01/", campaign="saratoga")
    assert "<strong>11</strong>" in page and "set" not in re.findall(r"<h1>(.*)</h1>", page)
    cited = read(crown, "/rulebook/AWI-C-ATT-01/", campaign="saratoga")
    assert "Cited 1 time in your journal" in cited and f"{JOURNAL}?rule=AWI-C-ATT-01" in cited
    assert "Not cited" in read(crown, "/rulebook/HR-CAL-07/", campaign="saratoga")
    for other in (client, stranger):
        assert "saratoga" not in read(other, "/rulebook/HR-MAR-01/", campaign="saratoga").lower()


def test_an_unknown_rule_is_answered_in_a_sentence(client):
    answer = client.get("/rulebook/HR-XYZ-99/")
    assert answer.status_code == 404
    assert "The rulebook has no rule HR-XYZ-99" in answer.content.decode()
    assert "<b>" not in client.get("/rulebook/%3Cb%3E/").content.decode()


# --- who, and how much ---


def test_spectators_read_late_and_guests_not_at_all(told, battle):
    spectators_set(campaign=told, days=0, side="", reason="Late enough.", actor=None)
    addresses = (JOURNAL, f"{JOURNAL}1/", f"{PAGE}gazette/1/")
    looker, guest = (signed_in(_person(told, role, battle)) for role in ("spectator", "guest"))
    for address in addresses:
        assert looker.get(address).status_code == 200
        assert guest.get(address).status_code == 404


def _person(campaign: Campaign, role: str, battle: Any) -> Any:
    user = User.objects.create_user(f"a_{role}")
    more = {"side": "crown", "battle": battle} if role == "guest" else {}
    seat_open(campaign=campaign, role=role, user=user, actor=None, **more)
    return user


@pytest.mark.parametrize(
    "address",
    [
        JOURNAL,
        f"{JOURNAL}?q=corps",
        f"{JOURNAL}?kind=marches&page=3",
        f"{JOURNAL}1/",
        f"{PAGE}gazette/1/",
        "/rulebook/HR-MAR-09/?campaign=saratoga",
    ],
)
def test_pages_take_few_queries_with_5000_entries(told, crown, address, django_assert_max_num_queries):
    first = JournalEntry.objects.filter(record_id=told.head_id).count()
    JournalEntry.objects.bulk_create(
        JournalEntry(
            record_id=told.head_id, campaign=told, day=number % 100, ordinal=first + number,
            minute=number % 1440, kind="passes", rule="HR-MAR-09", sides="|crown|",
            formation="advanced_corps", place="crown_point",
        )
        for number in range(5000)
    )  # fmt: skip
    with django_assert_max_num_queries(15):
        assert crown.get(address).status_code == 200
