"""Hostile forms, for `make prove`: each page answers them in little time, and never with its own fault."""

from time import process_time

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.permissions import GIVEN, SIGN_OUT, site
from tests.prove.conftest import Figure
from tests.prove.hostile_forms import hostile, names_of

pytestmark = [pytest.mark.prove, pytest.mark.django_db]

#: Seconds of CPU that a request may take.
MOST_SECONDS = 1.0


def test_hostile_forms_are_answered_within_a_second(figure: Figure, settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path
    club = site()
    took: dict[str, float] = {}
    for page in club.pages:
        if page.url_name.startswith("api-") or page.url_name in SIGN_OUT:
            continue
        for role in ("umpire", "commander"):
            client = club.client(role, page.url_name)
            cache.clear()
            answer = client.get(page.path)
            if answer.status_code != 200 or "html" not in answer.get("Content-Type", ""):
                names = []
            else:
                names = names_of(answer.content.decode())
            for name, form in hostile(names, GIVEN.get(page.url_name, {})):
                cache.clear()  # limits of requests a minute are no matter here
                with transaction.atomic():
                    begun = process_time()
                    answer = client.post(page.path, form)
                    took[f"{page.name} {role} {name}"] = process_time() - begun
                    transaction.set_rollback(True)
                assert answer.status_code < 500, f"{page.name} {role} {name}"
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile forms: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    slow = {name: round(taken, 2) for name, taken in took.items() if taken > MOST_SECONDS}
    assert not slow, slow
