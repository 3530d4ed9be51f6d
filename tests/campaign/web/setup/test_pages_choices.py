"""Two choices of a set-up: recruitment and attrition, and armies of one's own (HR-REC-04, HR-SET-18)."""

import csv
import io
import json
import re
from copy import deepcopy
from dataclasses import replace
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, CampaignDraft
from campaign.rules.errors import RuleViolation
from campaign.rules.recruitment import estimate_final_points
from campaign.scenarios.armies import replace_armies
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.setup.scenarios import scenario_armies
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.drafts import draft_make
from rosters.importing import roster_rows
from tests.campaign.web.setup.test_pages_pages import (
    BATTLES,
    CLOCK,
    NEW,
    anna,
    begun,
    filled,
    fraser,
    hand,
    page,
    send,
)

__all__ = ["anna", "fraser", "hand"]
pytestmark = pytest.mark.django_db


def figures_of(answer) -> dict[str, list[str]]:
    """The rows of the table of recruitment, by their first cell."""
    rows = re.findall(r"<tr><th scope=\"row\">([^<]*)</th>(.*?)</tr>", answer.content.decode())
    return {name: re.findall(r">([^<]+)</td>", cells) for name, cells in rows}


def test_hr_rec_04_the_drafts_own_tables_are_one_choice_with_what_they_do(hand, fraser):
    """Balanced is Saratoga's own; the draft is chosen at the head of the page and raises the rebels."""
    draft = begun(hand)
    answer = hand.get(page(draft, "rules"))
    told = answer.content.decode()
    assert told.index("As in the published draft") < told.index("Balanced for this site")
    assert told.count("(the scenario\N{RIGHT SINGLE QUOTATION MARK}s choice)") == 1
    form = answer.context["form"]
    assert form["recruitment"].value() == "damped"
    figures = figures_of(answer)
    expected = [
        estimate_final_points(replace(world, settings=replace(world.settings, recruitment=value)))
        for world in [read_scenario(scenario_path("saratoga-1777")).world]
        for value in ("draft", "damped", "off")
    ]
    assert figures["Crown"] == [str(one["crown"]) for one in expected]
    assert figures["United States"] == [str(one["rebel"]) for one in expected]
    assert figures["Continental or Loyalist unit"] == ["+5.0", "+0.8", "0"]
    assert figures["Militia unit"] == ["+2.5", "\N{MINUS SIGN}0.8", "0"]
    assert figures["British, German or French unit"] == ["+1.7", "+0.8", "0"]
    draft = filled(hand, rules={"recruitment": "draft"})
    assert draft.body["rules"] == {"settings": {"recruitment": "draft"}}
    review = hand.get(page(draft, "review")).content.decode()
    assert "Recruitment and attrition: As in the published draft." in review
    assert f"United States {expected[0]['rebel']} points" in review
    assert f"“Balanced for this site”, which leads to Crown {expected[1]['crown']} points" in review
    hand.post(page(draft, "review"))
    assert world_load(Campaign.objects.get()).settings.recruitment == "draft"


def test_hr_rec_04_an_empty_map_has_no_strength_to_show(hand):
    draft = begun(hand, troops="bare")
    answer = hand.get(page(draft, "rules"))
    assert set(figures_of(answer)) == {
        "Continental or Loyalist unit",
        "Militia unit",
        "British, German or French unit",
    }
    assert "Expected strength" not in answer.content.decode()


def table(**changed: str) -> str:
    """Saratoga's order of battle as the site gives it, with one unit's cells changed."""
    rows = list(csv.reader(io.StringIO(scenario_armies("saratoga-1777").removeprefix("\ufeff"))))
    for row in rows[1:]:
        if row[0] == "br_24_1":
            for name, value in changed.items():
                row[rows[0].index(name)] = value
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(rows)
    return text.getvalue()


def with_table(client: Client, text: str, address: str = NEW, **given):
    file = SimpleUploadedFile("mine.csv", text.encode())
    return client.post(address, {"scenario": "saratoga-1777", "troops": "own", "armies": file, **given})


def test_hr_set_18_an_own_order_of_battle_is_the_armies_of_the_campaign(hand, fraser):
    """The table comes down, is corrected in a spreadsheet of another country, and begins the campaign."""
    answer = hand.get(reverse("scenario-armies", args=["saratoga-1777"]))
    assert answer["Content-Type"].startswith("text/csv") and answer.content.startswith(b"\xef\xbb\xbfid,name")
    changed = {
        "name": "24th Foot, right half",
        "points": "75",
        "formation": "flank_guard",
        "place": "crown_point",
    }
    answer = with_table(hand, table(**changed))
    draft = CampaignDraft.objects.get()
    assert answer.url == page(draft, "name")
    assert "mine.csv, 284 units" in hand.get(page(draft, "scenario")).content.decode()
    notes = {"notes": ["1 hidden row is read too.", "Column B has no name and is not read."]}
    armies = {**draft.body["scenario"]["armies"], **notes}
    noted = {**draft.body, "scenario": {**draft.body["scenario"], "armies": armies}}
    CampaignDraft.objects.update(body=noted)
    said = "284 units. 1 hidden row is read too. Column B has no name and is not read.<"
    assert said in hand.get(page(draft, "scenario")).content.decode()
    CampaignDraft.objects.update(body=draft.body)
    send(hand, draft, "name", title="Ours", slug="ours")
    seats = {"columns-crown": 1, "k-crown-0-formations": ["flank_guard"], "k-crown-0-way": "link"}
    assert send(hand, draft, "seats", **seats).status_code == 302
    figures = figures_of(hand.get(page(draft, "rules")))
    scenario = read_scenario(scenario_path("saratoga-1777"))
    world = replace_armies(scenario, roster_rows(table(**changed))).world
    expected = [
        estimate_final_points(replace(world, settings=replace(world.settings, recruitment=value)))
        for value in ("draft", "damped", "off")
    ]
    assert figures["Crown"] == [str(one["crown"]) for one in expected]
    assert expected[2]["crown"] == 9509 - 5, "one unit has 75 points in place of 80"
    for step, given in (("rules", {}), ("clock", CLOCK), ("battles", BATTLES)):
        send(hand, draft, step, **given)
    review = hand.get(page(draft, "review")).content.decode()
    assert "with armies of your own: mine.csv, 284 units" in review
    assert f"marches or fights: Crown {expected[1]['crown']} points" in review
    hand.post(page(draft, "review"))
    campaign = Campaign.objects.get()
    unit = world_load(campaign).units["br_24_1"]
    assert (unit.name, unit.points, unit.formation) == ("24th Foot, right half", 75, "flank_guard")
    assert world_load(campaign).formations["flank_guard"].position.place == "crown_point"
    assert len(campaign.head.inputs["armies"]) == 64
    assert campaign_verify(campaign=campaign)


@pytest.mark.parametrize("address", ["/", NEW, "/api/v1/setups/"])
def test_hr_set_18_lists_of_set_ups_leave_a_tables_units_where_they_are(hand, address):
    """Each list read every unit of every table: 100 KB a set-up to show its title."""
    with_table(hand, table())
    with CaptureQueriesContext(connection) as queries:
        answer = hand.get(address)
    assert "Saratoga" in answer.content.decode()
    read = [one["sql"] for one in queries if 'FROM "campaign_campaigndraft"' in one["sql"]]
    assert len(read) == 1 and '"campaign_campaigndraft"."armies"' not in read[0]
    [draft] = CampaignDraft.objects.values("body", "armies")
    assert len(json.dumps(draft["body"])) < 5_000 < len(json.dumps(draft["armies"]))


def test_hr_set_18_tables_of_earlier_versions_are_moved_apart(hand):
    """Those had the units in the body, and at first no digest beside them."""
    with_table(hand, table())
    draft = CampaignDraft.objects.get()
    body, rows = deepcopy(draft.body), draft.armies
    moves = import_module("campaign.migrations.0041_armies_of_drafts")
    moves.rows_move_back(apps, None)
    draft.refresh_from_db()
    assert draft.body["scenario"]["armies"]["rows"] == rows
    for name in ("units", "digest"):
        del draft.body["scenario"]["armies"][name]
    draft.armies = []
    draft.save()
    moves.rows_move_apart(apps, None)
    draft.refresh_from_db()
    assert (draft.body, draft.armies) == (body, rows)


def test_hr_set_18_a_table_kept_is_not_asked_for_again(hand):
    with_table(hand, table(points="75"))
    draft = CampaignDraft.objects.get()
    kept = draft.body["scenario"]
    assert send(hand, draft, "scenario", scenario="saratoga-1777", troops="own").status_code == 302
    draft.refresh_from_db()
    assert draft.body["scenario"] == kept
    answer = send(hand, draft, "scenario", scenario="new-jersey-1776", troops="own")
    assert "Choose the file with your order of battle." in answer.content.decode()
    send(hand, draft, "scenario", scenario="saratoga-1777", troops="full")
    draft.refresh_from_db()
    assert "armies" not in draft.body["scenario"]


def laid_on_older_files(draft: CampaignDraft) -> None:
    """The draft as it was before its scenario lost a place and gave a side another id."""
    armies = draft.body["scenario"]["armies"]
    draft.armies[0] |= {"formation": "new_one", "place": "nowhere"}
    armies["sides"]["rebels"] = armies["sides"].pop("rebel")
    draft.save()


def test_hr_set_18_what_of_the_table_is_not_read_is_said(hand, fraser):
    with_table(hand, "Our army\n" + table(points="75"))
    draft = CampaignDraft.objects.get()
    said = "284 units. Row 2 names the columns; what stands above (row 1) is not read."
    assert said in hand.get(page(draft, "scenario")).content.decode()


def test_hr_set_18_armies_kept_are_laid_on_the_files_as_they_are_now(hand, fraser):
    """They were kept unchecked under the new digest, and every page of the draft was a 500."""
    with_table(hand, table(points="75"))
    draft = CampaignDraft.objects.get()
    laid_on_older_files(draft)
    fault = "Row 2, place: There is no place nowhere on the map; name another."
    answer = send(hand, draft, "scenario", scenario="saratoga-1777", troops="own")
    assert answer.status_code == 422 and fault in answer.content.decode()
    assert hand.get(page(draft, "name")).status_code == 200
    assert hand.post(f"{NEW}{draft.pk}/discard/").status_code == 302
    assert not CampaignDraft.objects.exists()


def test_hr_set_18_armies_that_no_longer_fit_are_refused_when_the_campaign_is_made(hand, fraser):
    with_table(hand, table(points="75"))
    draft = CampaignDraft.objects.get()
    send(hand, draft, "name", title="Ours", slug="ours")
    for step, given in (("seats", {}), ("rules", {}), ("clock", CLOCK), ("battles", BATTLES)):
        send(hand, draft, step, **given)
    draft.refresh_from_db()
    laid_on_older_files(draft)
    answer = hand.post(page(draft, "review"))
    words = "Your table no longer fits the scenario: row 2, place: There is no place nowhere"
    assert answer.status_code == 422 and words in answer.content.decode()
    assert page(draft, "scenario") in answer.content.decode() and not Campaign.objects.exists()
    digest = draft.body["scenario"]["digest"]
    with pytest.raises(RuleViolation) as refused:
        draft_make(draft=draft, user=draft.user, digest=digest)
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-18", "scenario")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            table(points="121"),
            ["The table has 1 error, listed below.", "Row 8, points: &#x27;121&#x27; will not do"],
        ),
        (
            table(formation="grand_army", place=""),
            ["Row 8, formation: The scenario has no formation grand_army"],
        ),
        ("", ["The table has 1 error, listed below.", "Row 1"]),
        ("name,points\n24th,5\n", ["Row 1, id: The column is missing; add it."]),
    ],
)
def test_hr_set_18_every_fault_of_a_table_is_listed_and_nothing_is_kept(hand, text, sentences):
    answer = with_table(hand, text)
    assert answer.status_code == 422
    for sentence in sentences:
        assert sentence in answer.content.decode()
    assert not CampaignDraft.objects.exists()


def test_hr_set_18_a_table_of_too_many_lines_is_refused_before_it_is_read(hand, monkeypatch):
    """2 MB of lines took up to 2 s of the request."""
    monkeypatch.setattr("rosters.table_files._iter_cells", lambda *_: pytest.fail("read"))
    answer = with_table(hand, "id,name\n" * 200_000)
    sentence = "Row 1: The file has more than 6000 lines; bring 3000 rows or fewer at a time."
    assert answer.status_code == 422 and sentence in answer.content.decode()


def test_hr_set_18_a_table_too_large_is_refused(hand):
    answer = with_table(hand, "x" * (2 * 2**20 + 1))
    assert answer.status_code == 422 and "The table has more than 2 MB; cut it." in answer.content.decode()
