"""Battle files, and one fought under every ruleset side by side (HR-BAT-12, HR-BAT-11)."""

import html
import json
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from battles.files.reading import find_shipped_battles, read_document
from battles.rulesets import registry
from campaign import tasks
from campaign.models import Campaign, Job, User
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.battles.comparisons import shipped_rows
from campaign.services.battles.comparisons import comparison_ask
from tests.battles.rulesets.example.line import EXAMPLE, registered
from tests.factories.comparisons import LEFT_OUT, REFUSED, compared
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
LIST = "/battle-files/"


@pytest.fixture(autouse=True)
def two_rulesets(monkeypatch) -> Iterator[None]:
    """The native rules and the example of the tests, which is compiled in no time."""
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    with registered():
        yield


@pytest.fixture
def stark(db) -> User:
    """Somebody without a seat anywhere."""
    return User.objects.create_user("stark")


@pytest.fixture
def browser_of(stark) -> Client:
    return signed_in(stark)


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return " ".join(html.unescape(answer.content.decode()).split())


def brought(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("mine.json", data, "application/json")


def test_the_shipped_battles_are_offered_with_who_fights_whom(browser_of):
    page = text(browser_of, LIST)
    assert page.count('name="name"') == len(find_shipped_battles())
    for row in shipped_rows():
        assert row.title in page and row.sides[1].strength in page
    assert "You have had none fought." in page


def test_a_shipped_battle_is_fought_under_every_ruleset_and_found_again(browser_of, stark):
    answer = browser_of.post(LIST, {"name": "oriskany", "runs": "2"})
    job = Job.objects.get(kind="comparison")
    assert answer.status_code == 302 and answer["Location"] == f"{LIST}{job.pk}/"
    page = text(browser_of, answer["Location"])
    assert 'hx-trigger="every 2s"' in page and page.count("It waits for its turn.") >= 2
    tasks.run_job(job.pk)
    page = text(browser_of, answer["Location"])
    assert "hx-trigger" not in page and "Stop" not in page
    assert all(f">{one.title}</h2>" in page for one in registry.RULESETS)
    assert page.count('<svg class="chance') == 3 * len(registry.RULESETS)
    assert "of 10 minutes" in page and " men" in page and " % of SP" in page
    assert page.count('<span class="whole">of ') == 2 * len(registry.RULESETS), "a phone has no labels"
    assert f'href="{LIST}{job.pk}/"' in text(browser_of, LIST)


def test_a_file_of_ones_own_goes_before_what_is_chosen(browser_of):
    own = read_document("oriskany") | {"title": "By the creek", "turns": 2}
    given = {"name": "hubbardton", "file": brought(json.dumps(own).encode()), "runs": "2"}
    assert browser_of.post(LIST, given).status_code == 302
    assert Job.objects.get().payload["file"]["title"] == "By the creek"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"runs": "10"}, "Choose a battle, or a file of your own."),
        ({"name": "waterloo", "runs": "10"}, "Choose a battle, or a file of your own."),
        ({"name": "oriskany", "runs": "0"}, "Enter a whole number of fights from 1 to 2,400."),
        ({"name": "oriskany", "runs": "many"}, "Enter a whole number of fights from 1 to 2,400."),
        ({"file": b"", "runs": "10"}, "The file is empty; choose another."),
        ({"file": b"not json", "runs": "10"}, "This is not valid JSON"),
        ({"file": b"[1]", "runs": "10"}, "to mend"),
        ({"file": b'{"format": "awi-battle", "version": 1}', "runs": "10"}, "things to mend"),
        ({"file": b" " * (256 * 1024 + 1), "runs": "10"}, "larger than 256 KB"),
    ],
)
def test_what_cannot_be_fought_is_refused_in_a_sentence(browser_of, given, told):
    if "file" in given:
        given = {**given, "file": brought(given["file"])}
    answer = browser_of.post(LIST, given)
    assert answer.status_code == 422
    assert told in html.unescape(answer.content.decode()) and not Job.objects.exists()


def armies(points: str = "100") -> SimpleUploadedFile:
    table = (
        "id;name;side;nation;troop_type;points;formation\r\n"
        f"guards;The Guards;crown;british;british_grenadiers;{points};brigade_1\r\n"
    )
    return SimpleUploadedFile("mine.csv", table.encode(), "text/csv")


def test_a_table_of_ones_own_is_the_armies_of_a_battle_file(browser_of, stark):
    """The Crown of the standard fight has the table's one unit, Congress its twelve."""
    answer = browser_of.post(LIST, {"name": "standard-fight", "armies": armies(), "runs": 2})
    job = Job.objects.get(requested_by=stark, kind="comparison")
    assert answer["Location"] == f"{LIST}{job.pk}/"
    units = job.payload["file"]["units"]
    assert [unit["name"] for unit in units if unit["side"] == "crown"] == ["The Guards"]
    assert sum(unit["side"] == "congress" for unit in units) == 12
    assert "No units are left under Brigadier Skinner" in text(browser_of, answer["Location"])


def test_a_table_that_does_not_fit_is_told_by_its_rows(browser_of, stark):
    answer = browser_of.post(LIST, {"name": "standard-fight", "armies": armies("121"), "runs": 2})
    assert answer.status_code == 422 and not Job.objects.filter(requested_by=stark).exists()
    assert "<strong>Row 2, points:</strong>" in answer.content.decode()


def test_equal_faults_of_a_table_are_told_once(browser_of):
    table = SimpleUploadedFile(
        "mine.csv", b"id;name;side;nation;troop_type;points;formation\r\n" + b"x;Foot;crown;?;;5;\n" * 110
    )
    answer = browser_of.post(LIST, {"name": "standard-fight", "armies": table, "runs": 2})
    page = html.unescape(answer.content.decode())
    assert "Rows 2-111, nation:</strong> '?' is unknown" in page and page.count("<strong>Row") == 3
    assert "are listed" not in page


def test_a_hundred_faults_of_a_table_are_listed(browser_of):
    """256 KB were 13.6 MB of HTML."""
    table = SimpleUploadedFile(
        "mine.csv",
        b"id;name;side;nation;troop_type;points;formation\r\n"
        + b"".join(b"x %d;;a %d;;;y%d;\n" % (at, at, at) for at in range(110)),
    )
    answer = browser_of.post(LIST, {"name": "standard-fight", "armies": table, "runs": 2})
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert page.count("<strong>Row") == 100
    assert "The first 100 are listed." in page


def test_a_table_of_more_units_than_fight_is_not_read(browser_of, monkeypatch):
    monkeypatch.setattr("rosters.table_files._iter_cells", lambda *_: pytest.fail("read"))
    table = SimpleUploadedFile("mine.csv", b"\n" * (256 * 1024 - 1))
    answer = browser_of.post(LIST, {"name": "standard-fight", "armies": table, "runs": 2})
    assert answer.status_code == 422
    assert "The file has more than 240 lines; bring 120 rows or fewer" in answer.content.decode()


def test_what_a_file_says_is_told_as_words_and_no_markup(browser_of, stark):
    own = read_document("oriskany") | {"title": "<b>Creek</b>", "turns": 2}
    job = comparison_ask(data=own, runs=1, actor=stark)
    tasks.run_job(job.pk)
    for path in (LIST, f"{LIST}{job.pk}/"):
        assert "<b>Creek</b>" not in browser_of.get(path).content.decode()


def test_a_ruleset_that_refuses_and_what_is_left_out_stand_in_their_column(browser_of, stark):
    job = compared(stark)
    page = text(browser_of, f"{LIST}{job.pk}/")
    assert REFUSED.partition(" (")[0] in page and "It cannot be fought under these rules." in page
    assert LEFT_OUT.partition(" (")[0] in page
    assert page.count('<svg class="chance') == 3


def test_it_is_stopped_and_gone_on_with(browser_of, stark):
    job = comparison_ask(data=read_document("oriskany"), runs=2, actor=stark)
    answer = browser_of.post(f"{LIST}{job.pk}/stop/", follow=True)
    assert "Fight the rest" in html.unescape(answer.content.decode())
    assert "ended already" in browser_of.post(f"{LIST}{job.pk}/stop/", follow=True).content.decode()
    assert browser_of.post(f"{LIST}{job.pk}/again/")["Location"] == f"{LIST}{job.pk}/"
    job.refresh_from_db()
    assert job.state == "queued"
    again = browser_of.post(f"{LIST}{job.pk}/again/", follow=True).content.decode()
    assert "has not failed" in again


def test_what_failed_says_why(browser_of, stark):
    job = comparison_ask(data=read_document("oriskany"), runs=2, actor=stark)
    Job.objects.filter(pk=job.pk).update(state="failed", error="Its worker died each time it was tried.")
    page = text(browser_of, f"{LIST}{job.pk}/")
    assert "Its worker died each time" in page and "Fight the rest" in page


def test_it_is_its_persons_alone_hr_bat_12(stark, desk):
    job = compared(stark)
    for path in (f"{LIST}{job.pk}/", f"{LIST}{job.pk}/stop/", f"{LIST}{job.pk}/again/"):
        assert desk.get(path, follow=True).status_code == 404
        assert desk.post(path).status_code in (404, 405)
    assert "You have had none fought." in text(desk, LIST)
    assert Client().get(LIST)["Location"].startswith("/sign-in/")


def test_more_rulesets_are_no_more_queries(browser_of, stark, monkeypatch):
    counts = []
    for rulesets in (registry.RULESETS[:1], registry.RULESETS):
        monkeypatch.setattr(registry, "RULESETS", rulesets)
        job = comparison_ask(data=read_document("oriskany"), runs=len(rulesets), actor=stark)
        tasks.run_job(job.pk)
        with CaptureQueriesContext(connection) as asked:
            text(browser_of, f"{LIST}{job.pk}/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6
    with CaptureQueriesContext(connection) as asked:
        text(browser_of, LIST)
    assert len(asked) <= 6


def test_a_file_this_version_no_longer_reads_is_told(browser_of, stark):
    job = compared(stark)
    job.payload["file"]["units"][0]["troop_type"] = "elephants"
    job.save()
    page = text(browser_of, f"{LIST}{job.pk}/")
    assert "elephants" in page and '<svg class="chance' not in page


# --- a campaign's battle ---


def test_the_umpire_has_a_battle_fought_from_its_page_and_comes_back(desk, battle):
    path = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert f'action="{path}comparison/"' in text(desk, path)
    answer = desk.post(f"{path}comparison/")
    job = Job.objects.get(kind="comparison")
    assert answer["Location"] == f"{LIST}{job.pk}/"
    assert f'href="{path}"' in text(desk, answer["Location"])
    Job.objects.all().update(state="done")
    battle.state = "settled"
    battle.save()
    assert "is settled" in desk.post(f"{path}comparison/", follow=True).content.decode()


def test_a_side_only_where_it_may_have_odds_hr_bat_11(crown, rebel, battle):
    path = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert "comparison" not in text(crown, path)
    assert crown.post(f"{path}comparison/").status_code == 404
    settings = RuleSettings.from_json({**battle.campaign.settings, "battle_odds": "sides"})
    Campaign.objects.filter(pk=battle.campaign_id).update(settings=settings.to_json())
    answer = crown.post(f"{path}comparison/")
    assert answer.status_code == 302
    assert rebel.get(answer["Location"]).status_code == 404, "the enemy's is his own"
    file = Job.objects.get(kind="comparison").payload["file"]
    assert all(leader["side"] == "crown" for leader in file["leaders"])


def test_a_sixth_ruleset_needs_no_change_of_the_page(browser_of, stark):
    """One folder and one line of the registry (docs/add-a-ruleset.md)."""
    job = comparison_ask(data=read_document("oriskany"), runs=2, actor=stark)
    tasks.run_job(job.pk)
    assert f">{EXAMPLE.title}</h2>" in text(browser_of, f"{LIST}{job.pk}/")
