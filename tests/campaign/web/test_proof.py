"""The page of proof and a side's journal: open to every seat, checked with plain Python (HR-PRF)."""

import copy
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Campaign, DayRecord, JournalEntry, Seat, User
from campaign.rules.world.world import Order
from campaign.selectors.proof import CHECK, CHECK_DICE, side_paper
from campaign.services.archive.zip_files import ArchiveRefused
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.side_journal import side_journal_verify
from campaign.services.proof.verifier import NotVerified
from campaign.services.setup.campaigns import campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.conftest import SECRET

PAGE = "/campaigns/saratoga/proof/"


def play(campaign: Campaign, days: int) -> None:
    for _ in range(days):
        day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()


def text(client: Client, address: str = PAGE) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def fetched(client: Client, side: str) -> dict[str, Any]:
    response = client.get(f"{PAGE}{side}.json")
    assert response.status_code == 200 and "attachment" in response["Content-Disposition"]
    return response.json()


def kept(tmp_path: Path, paper: Any) -> Path:
    path = tmp_path / "journal.json"
    path.write_text(json.dumps(paper, ensure_ascii=False), encoding="utf-8")
    return path


def run(lines: str, path: Path) -> subprocess.CompletedProcess[str]:
    """The lines of the page as a reader would run them, apart from this project."""
    script = path.with_name("check.py")
    script.write_text(lines, encoding="utf-8")
    return subprocess.run([sys.executable, "-I", script, path], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("who", ["crown", "rebel", "desk"])
def test_every_seat_sees_the_chain_and_how_to_check_it(saratoga, who, request):
    play(saratoga, 2)
    page = text(request.getfixturevalue(who))
    for record in saratoga.records.all():
        assert record.record_hash in page
    assert saratoga.commitment in page and saratoga.head.record_hash in page
    assert "check.py" in page and "known.add(record" in page
    assert SECRET.hex() not in page and "dice.py" not in page
    assert "Proof" in text(request.getfixturevalue(who), "/campaigns/saratoga/?sheet=journal")


def test_strangers_and_visitors_see_nothing(saratoga, stranger):
    for address in (PAGE, f"{PAGE}crown.json"):
        assert stranger.get(address).status_code == 404
        assert Client().get(address)["Location"].startswith("/sign-in/")


def test_each_side_fetches_its_own_journal_and_the_umpire_both(saratoga, crown, rebel, desk):
    assert fetched(crown, "crown")["side"] == "crown"
    assert crown.get(f"{PAGE}rebel.json").status_code == 404
    assert rebel.get(f"{PAGE}crown.json").status_code == 404
    assert crown.get(f"{PAGE}french.json").status_code == 404
    assert {fetched(desk, side)["side"] for side in ("crown", "rebel")} == {"crown", "rebel"}
    assert "crown.json" in text(crown) and "rebel.json" not in text(crown)


def test_hr_prf_02_the_secret_is_told_at_the_end(saratoga, crown, tmp_path):
    play(saratoga, 1)
    assert fetched(crown, "crown")["secret"] is None
    Campaign.objects.update(state=Campaign.State.ENDED)
    assert fetched(crown, "crown")["secret"] is None, "the end can still be undone"
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert SECRET.hex() in text(crown) and "dice.py" in text(crown)
    path = kept(tmp_path, fetched(crown, "crown"))
    assert run(CHECK_DICE, path).stdout.startswith("Every die fell")
    assert "dice thrown again" in side_journal_verify(path)
    paper = json.loads(path.read_text())
    rolls = next(
        entry["event"]["rolls"]
        for record in paper["records"]
        for entry in record["entries"]
        if entry["event"]["rolls"]
    )
    rolls[0]["value"] = rolls[0]["value"] % 6 + 1
    assert run(CHECK_DICE, kept(tmp_path, paper)).returncode


@pytest.mark.parametrize("side", ["crown", "rebel"])
def test_hr_prf_01_the_lines_of_the_page_check_a_sides_journal(saratoga, carleton, side, tmp_path):
    play(saratoga, 2)
    start = saratoga.records.get(kind="start")
    campaign_rewind(campaign=saratoga, record=start, reason="Misread.", actor=carleton)
    play(saratoga, 1)
    paper = side_paper(saratoga, side)
    path = kept(tmp_path, paper)
    checked = run(CHECK, path)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.strip().endswith(saratoga.head.record_hash)
    count = JournalEntry.objects.filter(sides__contains=f"|{side}|").count()
    assert side_journal_verify(path).startswith(f"{count} entries of {side} stand in the chain; the dice are")
    for part in ("head", "hash"):
        broken = copy.deepcopy(paper)
        (broken if part == "head" else broken["records"][1])[part] = "0" * 64
        assert run(CHECK, kept(tmp_path, broken)).returncode, part
    numbers = [entry["number"] for record in paper["records"] for entry in record["entries"]]
    assert numbers == list(range(1, count + 1))


def test_hr_prf_01_a_side_is_given_no_salt_but_its_own(saratoga, rebel):
    """The other side's commitments are there, and what opens them is not."""
    play(saratoga, 1)
    papers = {side: side_paper(saratoga, side) for side in ("crown", "rebel")}
    for crown, rebels in zip(papers["crown"]["records"], papers["rebel"]["records"], strict=True):
        assert crown["header"] == rebels["header"] and crown["salt"] != rebels["salt"]
        mine = {entry["salt"]: entry["event"] for entry in crown["entries"]}
        theirs = {entry["salt"]: entry["event"] for entry in rebels["entries"]}
        assert all(mine[salt] == theirs[salt] for salt in mine.keys() & theirs.keys())
        assert not any("sides" in event for event in (*mine.values(), *theirs.values()))
        whole = len({*mine, *theirs})
        assert whole == saratoga.records.get(record_hash=crown["hash"]).entries.exclude(sides="").count()


TAMPERED = {
    "an event": lambda paper: paper["records"][1]["entries"][0]["event"].update(minute=9),
    "an entry less": lambda paper: paper["records"][1]["entries"].pop(),
    "a number": lambda paper: paper["records"][1]["entries"][0].update(number=9),
    "a salt": lambda paper: paper["records"][1].update(salt="00" * 32),
    "a header": lambda paper: paper["records"][1]["header"].update(day=9),
    "a hash": lambda paper: paper["records"][1].update(hash="0" * 64),
    "a record less": lambda paper: paper["records"].pop(1),
    "the last record less": lambda paper: paper["records"].pop(),
    "no records": lambda paper: paper.pop("records"),
    "a record that is none": lambda paper: paper["records"].append(3),
    "another secret": lambda paper: paper.update(secret="00" * 32),
    "a secret that is none": lambda paper: paper.update(secret="x"),
    "another form": lambda paper: paper.update(schema=2),
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_an_altered_side_journal_is_found(saratoga, change, tmp_path):
    play(saratoga, 2)
    paper = side_paper(saratoga, "crown")
    change(paper)
    with pytest.raises((NotVerified, ArchiveRefused)):
        side_journal_verify(kept(tmp_path, paper))


def test_no_side_journal_at_all(tmp_path):
    for content in ("", "{", "[" * 100_000, "[]", "3", '{"format": "x"}'):
        (tmp_path / "a.json").write_text(content)
        with pytest.raises(ArchiveRefused):
            side_journal_verify(tmp_path / "a.json")
    with pytest.raises(ArchiveRefused, match="cannot be read"):
        side_journal_verify(tmp_path / "b.json")


def shape(value: Any) -> Any:
    """What can be told of a file whose hashes are taken for noise."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "noise" if isinstance(value, str) and len(value) == 64 else value


def test_hr_fog_01_what_the_enemy_does_out_of_sight_leaves_no_trace(saratoga, burgoyne, gates):
    """Poor marches and Clinton marches, or nobody does: the Crown's file is the same but for its noise."""
    others = User.objects.create_user("others")
    more = User.objects.create_user("more")
    still = campaign_create(scenario="saratoga-1777", slug="still", title="Saratoga 1777", secret=SECRET)
    Seat.objects.create(campaign=still, role="commander", side="crown", user=others)
    Seat.objects.create(campaign=still, role="commander", side="rebel", user=more)
    for formation, to in (("mcdougalls_brigade", "fishkill"), ("poors_brigade", "mount_independence")):
        order_submit(campaign=saratoga, side="rebel", order=Order(formation, (to,)), actor=gates)
    for campaign in (saratoga, still):
        play(campaign, 3)
    there, here = side_paper(saratoga, "crown"), side_paper(still, "crown")
    assert saratoga.head.world_hash != still.head.world_hash
    assert there["head"] != here["head"]
    assert shape(there) | {"campaign": ""} == shape(here) | {"campaign": ""}


def test_a_chain_of_before_the_salts_says_how_it_can_be_checked(saratoga, crown):
    play(saratoga, 1)
    saratoga.records.filter(kind="start").update(commitments={})
    page = text(crown)
    assert "start (older)" in page and "verifycampaign --archive" in page and "check.py" not in page


def test_steps_given_up_are_shown_as_such(saratoga, carleton, crown):
    play(saratoga, 1)
    undone = saratoga.head.record_hash
    campaign_rewind(
        campaign=saratoga, record=saratoga.records.get(kind="start"), reason="Misread.", actor=carleton
    )
    page = text(crown)
    assert page.count('class="given-up"') == 1 and undone in page
    assert "a course the umpire went back from" in page


def test_the_page_asks_as_much_of_a_long_campaign_as_of_a_short_one(
    saratoga, crown, django_assert_max_num_queries
):
    play(saratoga, 1)
    with django_assert_max_num_queries(14):
        text(crown)
    play(saratoga, 4)
    with django_assert_max_num_queries(14):
        text(crown)
