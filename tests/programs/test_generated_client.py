"""A client generated from the OpenAPI document plays a week, both sides and the umpire."""

import importlib
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import requests

from tests.programs.club import CAMPAIGN, PATIENCE, Club
from tests.programs.conftest import EXAMPLES

pytestmark = pytest.mark.slow
NAME = "generated_from_the_document"


@pytest.fixture
def generated(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The package, made of the document the site serves; one warning of the generator and it fails."""
    served = requests.get(f"{club.url}/api/v1/schema/", timeout=PATIENCE)
    document = tmp_path / "schema.json"
    document.write_bytes(served.content)
    made = subprocess.run(
        [
            sys.executable, "-m", "openapi_python_client", "generate", "--path", document,
            "--config", EXAMPLES / "generator.yaml", "--fail-on-warning", "--meta", "none",
            "--output-path", tmp_path / NAME,
        ],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert made.returncode == 0 and "warning" not in made.stdout.lower(), made.stdout + made.stderr
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module(NAME)


class Player:
    """Somebody with a token; `do` calls a generated function by its operation's id; it must be done."""

    def __init__(self, package: ModuleType, club: Club, token: str) -> None:
        self.models = importlib.import_module(f"{package.__name__}.models")
        self.package = package.__name__
        self.client = package.AuthenticatedClient(
            base_url=club.url, token=token, timeout=None, raise_on_unexpected_status=True
        )

    def answer(self, operation: str, *place: Any, **given: Any) -> Any:
        tag = {"map": "map_"}.get(operation.partition("_")[0], operation.partition("_")[0])
        module = importlib.import_module(f"{self.package}.api.{tag}.{operation}")
        return module.sync_detailed(CAMPAIGN, *place, client=self.client, **given)

    def do(self, operation: str, *place: Any, **given: Any) -> Any:
        answer = self.answer(operation, *place, **given)
        assert not isinstance(answer.parsed, self.models.Problem), answer.parsed
        assert answer.status_code < 300 and answer.parsed is not None
        return answer.parsed

    def orders(self, formation: str, *via: str, stance: str = "give_battle") -> Any:
        order = self.models.OrderRequest(
            formation=formation, via=list(via), stance=self.models.OrderRequestStance(stance)
        )
        desk = self.do("orders_list")
        body = self.models.WriteRequest(order=order, days_completed=desk.days_completed)
        key = f"{formation}-{desk.days_completed}"
        paper = self.do("orders_submit", body=body, idempotency_key=key)
        assert paper.receipt and paper.order.via == list(via)
        return paper

    def plays_the_day(self) -> list[int]:
        """The umpire's: asks for the day, waits for the job; the battles it waits for."""
        day = self.do("umpire_desk").turn_from
        job = self.do("umpire_advance", body=self.models.AdvanceRequest(day=day))
        deadline = time.monotonic() + PATIENCE
        while job.state.value in ("queued", "running"):
            assert time.monotonic() < deadline
            time.sleep(0.3)
            job = self.do("jobs_read", job.number)
        assert job.state.value == "done", job
        return list(self.do("campaigns_read").waiting_battles)

    def places(self, formation: str, place: str) -> None:
        """The umpire's: puts a formation somewhere."""
        act = self.models.UmpireActRequestAct.from_dict(
            {"version": 1, "kind": "place", "formation": formation, "position": {"place": place}}
        )
        head = self.do("umpire_desk").head
        body = self.models.UmpireActRequest(reason="The story begins here.", act=act, head=head)
        self.do("umpire_act", body=body)

    def settles(self, number: int) -> None:
        """The umpire's word: both lose a tenth, and who was attacked stays."""
        battle = self.do("battles_read", number)
        lost = self.models.WordRequestPercentLost.from_dict({battle.attacker: 10, battle.defender: 10})
        word = self.models.WordRequest(
            by=self.models.WordRequestBy("word"), held_by=battle.defender, percent_lost=lost
        )
        assert self.do("umpire_settle", number, body=word).battle is not None

    def plans(self, number: int, kind: str) -> None:
        """Chooses how its side fights, as it read the plans."""
        read = self.answer("battles_plans", number)
        body = self.models.PlanRequest(kind=self.models.PlanRequestKind(kind), reserve_percent=25)
        chosen = self.do("battles_plan", number, body=body, if_match=read.headers["ETag"])
        assert [plan.plan.kind for plan in chosen.plans if plan.chosen] == [kind]
        stale = self.answer("battles_plan", number, body=body, if_match=read.headers["ETag"])
        assert stale.status_code == 412 and isinstance(stale.parsed, self.models.Problem)

    def reads_on(self, cursor: str) -> tuple[list[Any], str]:
        """The journal from a cursor on, a few entries at a time."""
        found: list[Any] = []
        while True:
            stream = self.do("journal_list", most=20, **({"cursor": cursor} if cursor else {}))
            found, cursor = [*found, *stream.entries], stream.cursor
            if not stream.more:
                return found, cursor


def test_a_generated_client_plays_a_week(club: Club, generated: ModuleType) -> None:
    scopes = {"umpire": ("read", "order", "umpire"), "crown": ("read", "order"), "rebel": ("read", "order")}
    umpire, crown, rebel = (Player(generated, club, club.token(seat, *may)) for seat, may in scopes.items())
    umpire.places("advanced_corps", "castleton")
    umpire.places("poors_brigade", "hubbardton")
    crown.orders("advanced_corps", "hubbardton", stance="attack")
    crown.orders("british_2nd_brigade", "montreal")
    rebel.orders("poors_brigade", stance="give_battle")
    fought, read, cursors = 0, {crown: 0, rebel: 0}, {crown: "", rebel: ""}
    for day in range(7):
        while waiting := umpire.plays_the_day():
            for number in waiting:
                crown.plans(number, "assault")
                rebel.plans(number, "hold")
                umpire.settles(number)
                fought += 1
        assert umpire.do("campaigns_read").calendar.day == day + 2
        for player in (crown, rebel):
            entries, cursors[player] = player.reads_on(cursors[player])
            assert entries and entries[0].number == read[player] + 1  # on where it stopped, nothing twice
            read[player] = entries[-1].number
        crown.orders("british_1st_brigade", "chambly" if day % 2 else "montreal")
    assert fought
    assert crown.do("army_read").sides and crown.do("situation_read").side == "crown"
    assert "Traceback" not in club.said(), club.said()
