"""Names with quotes, ampersands, commas, tags and other letters on every output of a campaign."""

import csv
import html
import json
from io import StringIO

import pytest
from django.urls import reverse

from campaign.models import Battle
from campaign.rules.umpire.corrections import Rename
from campaign.services.umpire.corrections import act_perform
from tests.battles.test_any_name import GENERAL, SIDE, TITLE, UNIT

pytestmark = pytest.mark.django_db
COLUMN = """O'Neil's "Corps", Söhne & <b>Полк</b>"""
#: What would be seen were a name a tag, or escaped twice.
BROKEN = ("<b>Полк", "<i>Союз", "<script>alert", "&amp;amp;", "&amp;lt;", "&amp;#x27;", "&amp;quot;")
SHEETS = ("forces", "orders", "journal", "battles", "standing")


@pytest.fixture
def odd_battle(saratoga, carleton, world, request) -> Battle:
    """The campaign's column and its battle with such names."""
    unit = next(unit.id for unit in world.units.values() if unit.formation == "advanced_corps")
    for of, key, name in (("formation", "advanced_corps", COLUMN), ("unit", unit, UNIT[:60])):
        act_perform(campaign=saratoga, act=Rename(of, key, name), reason="A name.", actor=carleton)
    saratoga.refresh_from_db()
    battle = request.getfixturevalue("battle")
    file = battle.inputs["file"]
    file["units"][0]["name"] = UNIT
    file |= {"title": TITLE, "side_names": {"crown": SIDE, "rebel": f"{SIDE} II"}}
    file["leaders"] = [{"id": "x", "name": GENERAL, "side": "crown", "rank": "brigadier", "commands": []}]
    battle.save()
    return battle


def test_pages_show_names_as_they_are_written(odd_battle, desk, crown, rebel):
    pages = [f"/campaigns/saratoga/?sheet={sheet}" for sheet in SHEETS]
    at = f"/campaigns/saratoga/battles/{odd_battle.pk}/"
    pages += [at, f"{at}pack/", f"{at}way/", f"{at}result/", "/campaigns/saratoga/armies/", "/", "/notices/"]
    seen = dict.fromkeys((COLUMN, UNIT, TITLE, GENERAL, UNIT[:60]), 0)
    for client in (desk, crown, rebel):
        for page in pages:
            answer = client.get(page)
            if answer.status_code != 200:
                assert answer.status_code in (302, 403, 404), page
                continue
            raw = answer.content.decode()
            assert not [mark for mark in BROKEN if mark in raw], page
            shown = html.unescape(raw)
            for name in seen:
                seen[name] += name in shown
    assert all(seen.values()), seen


def test_tables_and_data_have_names_whole(odd_battle, crown, desk):
    answer = crown.get(reverse("army-csv", args=["saratoga"]))
    rows = list(csv.reader(StringIO(answer.content.decode("utf-8-sig"))))
    assert any(COLUMN in row for row in rows) and any(UNIT[:60] in row for row in rows)
    assert len({len(row) for row in rows}) == 1, "no comma of a name parts a row"
    answer = crown.get(reverse("campaign-map", args=["saratoga"]))
    assert json.dumps(COLUMN)[1:-1] in json.dumps(json.loads(answer.content))
    file = desk.get(f"/api/v1/campaigns/saratoga/battles/{odd_battle.pk}/file/").json()["file"]
    assert file["units"][0]["name"] == UNIT and file["title"] == TITLE
    assert file["leaders"][0]["name"] == GENERAL
