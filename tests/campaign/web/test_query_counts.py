"""How many queries each page asks of a campaign as large as any will be: tests/query_counts.json.

At most 15 for each page and reader. After a change that is meant, write them anew and read the difference:

    AWI_GOLDEN=write python -m pytest tests/campaign/web/test_query_counts.py
"""

import json
import os
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.campaign.web.addresses import READERS, pages, reader_of, url_names
from tests.factories.long_campaign import ENTRIES, PLACES, UNITS, long_campaign

FILE = Path(__file__).parents[2] / "query_counts.json"
MOST = 15
#: For the bearer of a token alone; counted in tests/campaign/config/test_metrics.py.
CLOSED = {"metrics"}


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_of_a_long_campaign_ask_the_queries_that_are_recorded(monkeypatch):
    large = long_campaign(monkeypatch)
    assert large.campaign.journal.count() >= ENTRIES
    assert large.campaign.order_of_battle.units.count() >= UNITS
    assert large.places >= PLACES
    every = pages(large.campaign, battle=large.battle.pk, token=large.token)
    found: dict[str, dict[str, int]] = {}
    for role in READERS:
        client = reader_of(large.people, role)
        for page in every:
            client.get(page.path)  # what is kept in memory for all is kept now
            with CaptureQueriesContext(connection) as asked:
                answer = client.get(page.path)
            assert answer.status_code < 500, page
            if answer.status_code != 404:
                found.setdefault(page.name, {})[role or "signed out"] = len(asked)
            if page.url_name in ("account_logout", "sign-out"):
                client = reader_of(large.people, role)
    if os.environ.get("AWI_GOLDEN") == "write":
        FILE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert found == json.loads(FILE.read_text(encoding="utf-8"))


def test_every_page_is_recorded_and_none_asks_more_than_fifteen():
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    assert url_names() - CLOSED <= {name.partition("?")[0] for name in recorded}
    many = {
        f"{name} for {reader}": count
        for name, by_reader in recorded.items()
        for reader, count in by_reader.items()
        if count > MOST
    }
    assert many == {}
