"""The client and the bot of docs/client as a player runs them, over a week of a running site."""

import importlib
import re
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from tests.programs.club import CAMPAIGN, Club, until
from tests.programs.umpiring import PATH, day_of, day_played, meeting, settled_by_word

pytestmark = pytest.mark.slow


@pytest.fixture
def awi(examples: Path) -> Any:
    return importlib.import_module("awi_client")


def test_a_bot_plays_its_seat_for_a_week(club: Club, awi: Any, examples: Path) -> None:
    umpire = awi.Client(club.url, club.token("umpire", "read", "order", "umpire"))
    meeting(umpire)
    token = club.token("crown", "read", "order")
    bot = (str(examples / "bot.py"), club.url, CAMPAIGN, "--weeks", "1", "--every", "0.5")
    planned = []
    with club.started("-u", *bot, AWI_TOKEN=token) as process:
        for _ in range(7):
            before = umpire.get(PATH)["calendar"]["date"]
            until("orders for the day", lambda day=before: f"{day}: " in club.said(), club)
            while waiting := day_played(umpire):
                for number in waiting:
                    plan = f"{PATH}battles/{number}/plan/"
                    until(
                        "a plan for the battle",
                        lambda at=plan: any(row["chosen"] for row in umpire.get(at)["plans"]),
                        club,
                    )
                    planned += [row["plan"]["kind"] for row in umpire.get(plan)["plans"] if row["chosen"]]
                    settled_by_word(umpire, number)
        assert process.wait(120) == 0, club.said()
    assert day_of(umpire) == 7
    said = club.said()
    assert "orders in all." in said and "Traceback" not in said, said
    assert planned, said
    player = awi.Client(club.url, token)
    papers = [paper for paper in player.rows(f"{PATH}receipts/", page_size=5) if paper["state"] != "draft"]
    assert len(papers) > 7 and {paper["book"] for paper in papers} == {"crown"}


def five_minutes(examples: Path, club: Club, token: str, umpire: str) -> dict[str, Any]:
    """What the page's lines of Python leave behind, run one after another as one types them."""
    page = (examples / "README.md").read_text(encoding="utf-8")
    lines = "\n".join(textwrap.dedent(each) for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    for there, here in (("http://127.0.0.1:8000", club.url), ("saratoga-1777", CAMPAIGN)):
        lines = lines.replace(there, here)
    mine, his = "awi_…", 'umpire = Client("' + club.url + '", "'
    lines = lines.replace(his + mine, his + umpire).replace(mine, token)
    left: dict[str, Any] = {}
    exec(compile(lines, str(examples / "README.md"), "exec"), left)
    return left


def test_the_client_does_what_a_good_program_does(club: Club, awi: Any, examples: Path) -> None:
    token = club.token("crown", "read", "order")
    player = awi.Client(club.url, token)
    assert player.get("me/")["username"] == "burgoyne"
    assert player.get(PATH) is player.get(PATH)  # the second time it was not sent again

    order = {"order": {"formation": "advanced_corps", "via": ["valcour_island"], "stance": "attack"}}
    paper = player.post(f"{PATH}orders/", order, key="first order")
    assert player.post(f"{PATH}orders/", order, key="first order") == paper  # done once
    with pytest.raises(awi.Problem) as refused:
        player.post(f"{PATH}orders/", {"order": {"formation": "poors_brigade", "via": []}})
    assert (refused.value.status, refused.value.kind, refused.value.rule) == (422, "rule", "HR-FOR-04")
    assert refused.value.field == "formation" and "choose one of your own" in str(refused.value)
    with pytest.raises(awi.Problem) as invalid:
        player.post(f"{PATH}orders/", {"order": {"formation": "advanced_corps", "colour": "red"}})
    assert invalid.value.status == 400 and invalid.value.errors

    other = awi.Client(club.url, token)  # a second program of the same player changes it meanwhile
    here = f"{PATH}orders/{paper['number']}/"
    assert player.get(here)["state"] == "standing"
    other.put(here, {"order": {**order["order"], "stance": "avoid"}})
    with pytest.raises(awi.Problem) as stale:
        player.delete(here)
    assert (stale.value.status, stale.value.kind) == (412, "stale")

    umpire_token = club.token("umpire", "read", "order", "umpire")
    umpire = awi.Client(club.url, umpire_token)
    first, cursor = player.journal(CAMPAIGN)
    assert day_played(umpire) == []
    more, end = player.journal(CAMPAIGN, cursor)
    assert more and not {row["number"] for row in first} & {row["number"] for row in more}
    assert player.journal(CAMPAIGN, end) == ([], end)

    left = five_minutes(examples, club, token, umpire_token)
    assert left["day"] == 1 and day_of(umpire) == 2

    for number in range(60):  # dear requests, until the site asks to wait
        asked = time.monotonic()
        answer = umpire.session.post(f"{umpire.base}scenarios/", data=b"", timeout=60)
        if answer.status_code == 429:
            break
        assert answer.status_code < 500, number
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) <= 15
    seconds = int(answer.headers["Retry-After"])
    assert umpire.get("me/")["username"] == "carleton"
    waited = time.monotonic() - asked
    assert waited >= seconds - 1, (waited, seconds)
