"""`make bench`: the server's time for every page of a campaign as large as any will be.

The median of 20 requests, beside a plain loop that tells how fast the machine is just then. The limit is
LIMIT ms; what is over it is marked. Also in var/bench-pages.json.
"""

import gc
import json
import logging
import os
import statistics
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.client import RequestFactory

from tests.campaign.web.addresses import READERS, pages, reader_of
from tests.factories.long_campaign import long_campaign
from tests.prove.test_week_prove import plain_loop

pytestmark = [pytest.mark.bench, pytest.mark.django_db]

LIMIT = 150
REQUESTS = 20


def answered(client: Client, path: str) -> Any:
    """A request as the server has it: without the client's copies of what templates were given."""
    cookies = "; ".join(f"{key}={morsel.value}" for key, morsel in client.cookies.items())
    address, _, query = path.partition("?")
    factory = RequestFactory(HTTP_COOKIE=cookies, HTTP_ACCEPT_ENCODING="gzip")
    answer = client.handler(factory._base_environ(PATH_INFO=address, QUERY_STRING=query))
    answer.close()
    return answer


def milliseconds(work: Any) -> tuple[float, float]:
    """Time by the clock on the wall and by the processor's."""
    wall, own = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - own) * 1000


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Pages that are not this reader's are no news here; code is no garbage, as for gunicorn."""
    logging.disable(logging.ERROR)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    logging.disable(logging.NOTSET)


def test_how_long_pages_take(monkeypatch):
    large = long_campaign(monkeypatch)
    every = pages(large.campaign, battle=large.battle.pk, token=large.token)
    loop = min(milliseconds(plain_loop)[0] for _ in range(5))
    rows: dict[str, dict[str, Any]] = {}
    for role in READERS:
        client = reader_of(large.people, role)
        for page in every:
            if page.url_name in ("account_logout", "sign-out"):
                continue
            first = answered(client, page.path)
            # a bench has not all that a site waits for
            assert first.status_code < 500 or page.name == "ready", page
            if first.status_code != 200:
                continue
            taken = [milliseconds(partial(answered, client, page.path)) for _ in range(REQUESTS)]
            wall, own = (statistics.median(each) for each in zip(*taken, strict=True))
            rows[f"{page.name} for {role or 'those signed out'}"] = {
                "ms": round(wall, 1),
                "processor": round(own, 1),
                "loops": round(wall / (loop or 1), 3),
            }
    after = min(milliseconds(plain_loop)[0] for _ in range(5))
    load = os.getloadavg()[0]
    print(f"\nplain loop {loop:.0f} ms before, {after:.0f} ms after; load {load:.1f}; limit {LIMIT} ms")
    for name, row in sorted(rows.items(), key=lambda each: -each[1]["ms"]):
        over = "  OVER" if row["ms"] > LIMIT else ""
        print(f"{row['ms']:>8.1f} ms  {row['processor']:>8.1f} ms of processor  {name}{over}")
    report = {"loop": round(loop, 1), "load": round(load, 2), "limit": LIMIT, "pages": rows}
    (settings.VAR_DIR / "bench-pages.json").write_text(json.dumps(report, indent=1, sort_keys=True))
    assert rows
