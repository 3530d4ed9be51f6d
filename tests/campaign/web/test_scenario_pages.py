"""Scenarios of one's own on the site: put up, looked at, begun with, removed; every fault in its place."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaign.models import CampaignDraft, UploadedScenario, User
from campaign.ops import rate_limit
from campaign.scenarios.packing import MOST_OF, MOST_PACKED, scenario_unzip, scenario_zip
from campaign.scenarios.reading import own_scenarios
from campaign.services.setup.campaigns import campaign_create
from campaign.services.setup.scenario_uploads import MOST
from tests.factories.people import signed_in
from tests.factories.scenario_zips import as_sent, faulty, packed, small

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/new/scenarios/"
SLUG = "bennington-1777"


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


@pytest.fixture
def owner():
    return signed_in(User.objects.create_user("stark"))


def words(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def put_up(client: Any, data: bytes, **more: Any) -> Any:
    return client.post(PAGE, {"file": as_sent(data)}, **more)


def nothing_kept() -> bool:
    folder = own_scenarios()
    return not UploadedScenario.objects.exists() and not (folder.exists() and list(folder.iterdir()))


def test_put_up_it_is_shown_and_a_campaign_is_begun_with_it_HR_SCN_01(owner):
    assert "You have put up none." in words(owner.get(PAGE))
    answer = put_up(owner, packed(small(), "bennington/"))
    assert answer["Location"] == f"{PAGE}#{SLUG}"
    page = owner.get(PAGE)
    assert "Bennington 1777 is sound, and yours to begin campaigns with." in words(page)
    assert f"Yours 1 of {MOST}" in words(page) and "roads and waters" in words(page)
    assert owner.get(f"{PAGE}{SLUG}/map.svg")["Content-Type"] == "image/svg+xml"
    assert "Bennington 1777" in words(owner.get("/campaigns/new/"))
    owner.post("/campaigns/new/", {"scenario": SLUG, "troops": "full"})
    assert CampaignDraft.objects.get().body["scenario"]["slug"] == SLUG


def test_files_by_page_count_as_those_by_programs_hr_api_03(owner, settings):
    settings.API_PERSON_A_MINUTE = rate_limit.SCENARIO - 1
    answer = put_up(owner, packed(small()))
    assert "try again in" in words(answer) and answer.status_code == 422
    assert nothing_kept()


def test_every_fault_is_told_in_a_sentence_with_its_place_and_nothing_is_kept(owner):
    answer = put_up(owner, packed(faulty()))
    assert answer.status_code == 422 and nothing_kept()
    text = words(answer)
    assert re.search(r"Not taken: [0-9]+ things to mend", text) and "Nothing of it is kept." in text
    told = re.findall(r"<li><strong>([^<]+):</strong> ([^<]+)</li>", answer.content.decode())
    assert len(told) > 2 and {place.partition(",")[0] for place, _ in told} == {"places.csv", "routes.csv"}
    assert all(re.fullmatch(r"[a-z]+[.]csv, row [0-9]+", place) for place, _ in told)
    assert all(sentence.strip().endswith(".") for _, sentence in told)


@pytest.mark.parametrize(
    "data", [b"PK\3\4 nothing", b"", b"x" * (MOST_PACKED + 9), b'a,b\n=cmd|"/c calc"!A1']
)
def test_what_is_no_scenario_is_refused_and_nothing_is_kept(owner, data):
    answer = put_up(owner, data)
    assert answer.status_code == 422 and nothing_kept()
    assert re.search(r"zip|MB|empty", words(answer))


def test_without_a_file_it_says_so_and_a_larger_request_is_not_read(owner):
    answer = owner.post(PAGE, {})
    assert answer.status_code == 422 and "Choose the zip file." in words(answer)
    assert put_up(owner, b"x" * (5 * 2**20)).status_code == 413
    assert nothing_kept()


def test_what_a_file_says_is_shown_as_text(owner):
    files = small()
    files["routes.csv"] += b"<script>alert(1)</script>,x,road\n"
    answer = put_up(owner, packed(files))
    assert answer.status_code == 422 and b"<script>alert" not in answer.content


def test_it_is_removed_while_no_campaign_was_begun_with_it_HR_SCN_01(owner):
    put_up(owner, packed(small()))
    put_up(owner, packed(small("stony-point", "Stony Point")))
    campaign_create(scenario=SLUG, slug="one")
    assert "1 campaign begun with it, so it stays." in words(owner.get(PAGE))
    refused = owner.post(f"{PAGE}{SLUG}/remove/", follow=True)
    assert "A campaign was begun with it; it stays." in words(refused)
    gone = owner.post(f"{PAGE}stony-point/remove/", follow=True)
    assert "Stony Point is removed." in words(gone)
    assert UploadedScenario.objects.get().slug == SLUG
    assert [folder.name for folder in own_scenarios().iterdir()] == ["bennington_1777"]


def test_another_persons_is_neither_seen_nor_removed_nor_put_up_again(owner, burgoyne):
    put_up(owner, packed(small()))
    other = signed_in(burgoyne)
    assert "You have put up none." in words(other.get(PAGE))
    assert other.post(f"{PAGE}{SLUG}/remove/").status_code == 404
    assert other.post(f"{PAGE}nowhere/remove/").status_code == 404
    assert other.get(f"{PAGE}{SLUG}/map.svg").status_code == 404
    assert "give yours another id" in words(put_up(other, packed(small())))
    assert UploadedScenario.objects.get().owner != burgoyne


def test_where_the_staff_sets_up_the_page_is_theirs(owner, settings):
    settings.NEW_CAMPAIGNS = "staff"
    for address in (PAGE, reverse("own-scenario-template")):
        assert owner.get(address).status_code == 404
    assert put_up(owner, packed(small())).status_code == 404
    assert owner.post(f"{PAGE}{SLUG}/remove/").status_code == 404
    chief = signed_in(User.objects.create_user("chief", is_staff=True))
    assert put_up(chief, packed(small())).status_code == 302


def test_the_template_is_a_sound_scenario_and_comes_as_a_zip(owner):
    answer = owner.get(reverse("own-scenario-template"))
    assert answer["Content-Type"] == "application/zip" and "my-scenario.zip" in answer["Content-Disposition"]
    assert "scenario.toml" in scenario_unzip(answer.content)
    assert put_up(owner, answer.content).status_code == 302


def test_one_put_up_under_older_bounds_is_unpacked_on_another_machine(owner):
    """It was a 500 of every page that lists scenarios."""
    files = small()
    files["units.csv"] += b"# a note\n" * (MOST_OF["units.csv"] + 100)
    facts = {"slug": SLUG, "title": "Bennington 1777", "digest": "x", "data": scenario_zip(files)}
    UploadedScenario.objects.create(owner=User.objects.get(), **facts)
    assert "Bennington 1777" in words(owner.get("/campaigns/new/"))
    assert (own_scenarios() / "bennington_1777" / "units.csv").read_bytes() == files["units.csv"]
    UploadedScenario.objects.all().delete()
    answer = put_up(owner, packed(files))
    assert f"it has more than {MOST_OF['units.csv']} lines" in words(answer)


def test_what_a_desktop_leaves_in_a_folder_is_no_fault_of_its_zip(owner):
    """A folder packed with the Finder or the Explorer."""
    files = {f"my_war/{name}": data for name, data in small().items()}
    left = dict.fromkeys(("my_war/.DS_Store", "__MACOSX/my_war/._places.csv", "my_war/Thumbs.db"), b"\0")
    assert put_up(owner, packed({**left, **files})).status_code == 302
    assert UploadedScenario.objects.get().slug == SLUG


def test_more_of_them_ask_no_more_of_the_database(owner, django_assert_max_num_queries):
    for number in range(4):
        put_up(owner, packed(small(f"bennington-{number}", f"Bennington {number}")))
    owner.get(PAGE)
    with django_assert_max_num_queries(12):
        page = owner.get(PAGE)
    assert page.content.count(b"<article") == 4


def test_a_workbook_beside_the_tables_is_named_as_not_read(owner):
    answer = owner.post(PAGE, {"file": as_sent(packed({**small(), "units.ods": b"x"}))}, follow=True)
    assert "Not read: units.ods; only tables saved as CSV are." in answer.content.decode()


INPUTS = Path(__file__).parents[2] / "inputs" / "scenarios"
PACKED = sorted(INPUTS.iterdir())


@pytest.mark.parametrize("path", PACKED, ids=[path.stem for path in PACKED])
def test_scenarios_as_spreadsheets_and_packers_leave_them_HR_SCN_01(owner, path):
    answer = owner.post(PAGE, {"file": as_sent(path.read_bytes())}, follow=True)
    shown = html.unescape(answer.content.decode())
    if path.stem == "10-longitude-without-minus":
        cause = "the longitude lacks its minus (west is negative); write 37.027, -76.345."
        assert not UploadedScenario.objects.exists() and cause in shown
        return
    assert "is sound, and yours to begin campaigns with." in shown and UploadedScenario.objects.count() == 1
