"""Odds against results: the umpire's page alone, honest in words, a table without formulas (HR-CAB-01)."""

import csv
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Battle, Campaign, Job
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.campaign.conftest import SECRET
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
SPREAD = {"mean": 3.2, "p5": 0, "p25": 2, "p75": 4, "p95": 7, "in50": 0.6, "in90": 0.92}


def unit(key: str, side: str) -> dict[str, Any]:
    return {"id": key, "name": key, "side": side, "sp": 10}


def fought(campaign: Campaign, number: int, *, source: str = "table", **more: Any) -> Battle:
    """A settled battle at Bennington: the attacker loses 2 SP and holds the field, the defender 9."""
    losses = [("stark", 2, 0), ("baum", 6, 3)]
    prediction = {
        "when": "before", "ruleset": "awi", "engine_version": "5", "runs": 100,
        "win": 0.7, "draw": 0.1, "loss": 0.2,
        "sides": [{"id": side, "sp": 10, **SPREAD} for side in ("rebel", "crown")],
    }  # fmt: skip
    given = {
        "title": "=Battle of Bennington",
        "units": [unit("stark", "rebel"), unit("baum", "crown")],
    }
    return Battle.objects.create(
        campaign=campaign, day=0, contact=f"d0/bennington/{number}", minute=900, place="bennington",
        attacker="rebel", defender="crown", inputs={"contact": {}, "file": given}, state="settled",
        source=source, prediction=more.get("prediction", prediction),
        settlement={
            "field_held_by": "rebel",
            "losses": [
                {"unit": key, "sp_start": 10, "sp_lost": lost, "sp_captured": taken, "fate": "present"}
                for key, lost, taken in losses
            ],
        },
    )  # fmt: skip


@pytest.fixture
def umpire(carleton, saratoga) -> Client:
    return signed_in(carleton)


def page(client: Client, **asked: str) -> str:
    answer = client.get(reverse("calibration", args=["saratoga"]), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_hr_cab_01_it_says_what_so_few_battles_can_tell(saratoga, umpire) -> None:
    assert "no battle yet that has both odds and a result" in page(umpire)
    for number in range(3):
        fought(saratoga, number)
    told = page(umpire)
    assert "3 battles are too few to tell" in told
    assert "0.14" in told, "0.09 + 0.01 + 0.04"
    assert "3 of 6 (60 % expected)" in told and "Fought on the table" in told


def test_hr_cab_01_by_way_and_over_all_campaigns(saratoga, umpire, carleton) -> None:
    fought(saratoga, 0, source="table")
    fought(saratoga, 1, source="umpire")
    other = campaign_create(
        scenario="saratoga-1777",
        slug="other",
        secret=SECRET,
        seats=(SeatPlan("umpire", title="The umpire", user=carleton),),
    )
    fought(other, 0, source="engine")
    campaign_create(scenario="saratoga-1777", slug="strange", secret=SECRET)
    fought(Campaign.objects.get(slug="strange"), 0)
    assert "2 battles are" in page(umpire) and "1 battle is" in page(umpire, way="table")
    assert "3 battles are" in page(umpire, all="")
    assert "prove its dice" in page(umpire, all="", way="engine")


def test_battles_undone_and_damaged_predictions_do_not_count(saratoga, umpire) -> None:
    fought(saratoga, 0)
    fought(saratoga, 1, prediction={"win": "0.5"})
    Battle.objects.filter(contact="d0/bennington/0").update(revision=7)
    told = page(umpire)
    assert "no battle yet" in told


def test_hr_cab_01_the_button_asks_once_for_each_that_has_none(saratoga, umpire) -> None:
    fought(saratoga, 0)
    fought(saratoga, 1, prediction=None)
    fought(saratoga, 2, prediction=None)
    Battle.objects.filter(contact="d0/bennington/2").update(revision=7)  # of a course that was left
    assert "Work out the odds of 1 battle" in page(umpire)
    address = reverse("calibration-ask", args=["saratoga"])
    for _ in range(2):
        assert "odds of 1 battle are being" in umpire.post(address, follow=True).content.decode()
    assert Job.objects.filter(kind="battle_prediction").count() == 1


def test_the_figures_are_told_in_plain_words(saratoga, umpire) -> None:
    for number in range(30):
        fought(saratoga, number)
    text = page(umpire)
    for words in ("The odds said, %", "It came", "How far the odds were from what came", "the middle half"):
        assert words in text, words
    (diagram,) = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert ">the odds said</text>" in diagram and ">it came</text>" in diagram
    assert "Predicted shares" not in text and "Due if" not in text


def test_the_table_of_figures_has_two_lines_a_battle_and_no_formula(saratoga, umpire) -> None:
    fought(saratoga, 0)
    text = umpire.get(reverse("calibration-csv", args=["saratoga"])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["side"] for row in rows] == ["rebel", "crown"]
    assert [row["SP lost"] for row in rows] == ["2", "9"]
    assert rows[0]["battle"] == "'=Battle of Bennington" and rows[0]["who held the field"] == "the attacker"


def test_nobody_but_the_umpire_reads_it(saratoga, crown) -> None:
    fought(saratoga, 0)
    for name in ("calibration", "calibration-csv"):
        assert crown.get(reverse(name, args=["saratoga"])).status_code == 404
        assert Client().get(reverse(name, args=["saratoga"])).status_code == 302
    assert crown.post(reverse("calibration-ask", args=["saratoga"])).status_code == 404
    assert not Job.objects.exists()
