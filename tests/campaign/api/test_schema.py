"""What programs may send is tried out of the document itself, for every role: it answers as documented."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from battles.files import shipped
from campaign.config.wsgi import application
from campaign.models import Campaign, Seat, User, local_date
from campaign.services.absences import absence_add
from campaign.services.fights import fight_ask
from campaign.services.jobs import job_request
from campaign.services.letters import letter_send
from campaign.services.notice_channels import channel_add
from campaign.services.tokens import token_make
from tests.campaign.api.fuzz import Fuzz
from tests.campaign.api.program import ALL
from tests.campaign.web.addresses import document, notice_failed, restoration_failed
from tests.factories.half_made import half_made

#: By role, requests of every operation: as documented, and as many that are not.
EACH = {"umpire": 5, "commander": 4, "spectator": 3, "stranger": 2, "signed out": 2}
#: What is open to anybody, by the first part of its address.
OPEN = {"schema", "problems", "rules"}


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Requests end on the test's own connection, in its transaction; they must not close it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path) -> None:
    """What is put up lies in a folder of the test's."""
    settings.VAR_DIR = tmp_path


@pytest.fixture
def known(waiting: Campaign, carleton: User, burgoyne: User) -> dict[str, list[Any]]:
    """What there is, by the names of the document's path parameters; the umpire keeps the site too."""
    carleton.is_superuser = True
    carleton.save()
    battle = waiting.battles.get()
    job = job_request(
        kind="battle_odds", key="odds", payload={"battle": battle.pk}, campaign=waiting, actor=carleton
    )
    seat = waiting.seats.get(user=burgoyne)
    letter = letter_send(campaign=waiting, author=carleton, to=[seat.pk], text="How do you do?")
    today = local_date(carleton)
    own = [
        half_made(carleton).pk,
        channel_add(user=carleton, kind="webhook", address="https://club.example.org/hooks/mine")[0].pk,
        absence_add(user=carleton, first=today, last=today + timedelta(days=3)).pk,
    ]
    return {
        "slug": [waiting.slug],
        "job": [job.pk],
        "battle": [battle.pk],
        "code": [letter.code],
        "rule": ["HR-FOG-01"],
        "day": [1],
        "fight": [fight_ask(data=document(), runs=1, seed=1, actor=carleton).pk],
        "name": [next(iter(shipped()))],
        "week": [1],
        "side": ["crown", "rebel"],
        "formation": ["advanced_corps"],
        "seat": [seat.pk],
        "number": [*own, *(paper.number for paper in waiting.order_papers.all()[:2])],
        "restoration": [restoration_failed(carleton).pk],
        "notice": [notice_failed(waiting, carleton).pk],
        "table": ["units", "formations", "pools", "leaders", "journal"],
        "unit": [waiting.order_of_battle.units.values_list("slug", flat=True)[0]],
    }


@pytest.fixture
def headers_of(waiting: Campaign, carleton: User, burgoyne: User) -> Iterator[Any]:
    walpole = User.objects.create_user("walpole")
    Seat.objects.create(campaign=waiting, user=walpole, role=Seat.Role.SPECTATOR)
    Campaign.objects.filter(pk=waiting.pk).update(spectator_days=0)
    people = {"umpire": carleton, "commander": burgoyne, "spectator": walpole}
    people["stranger"] = User.objects.create_user("howe")

    def headers(role: str) -> dict[str, str]:
        if role not in people:
            return {}
        return {"Authorization": f"Bearer {token_make(user=people[role], name='x', scopes=ALL)[1]}"}

    yield headers


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("role", EACH)
def test_every_answer_is_as_documented(role, known, headers_of):
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    found = Fuzz(schema, [(role, headers_of(role))], lambda operation: known).go(EACH[role])
    found.verify()
    assert not found.statuses().get(429)
    good = {label for _, label, status in found.answers if status < 300}
    if role == "umpire":
        # or it would all be refusals: most of what is read is there, and bodies made at random do something
        for reads, share in ((True, 2 / 3), (False, 1 / 5)):
            asked = {label for _, label, _ in found.answers if label.startswith("GET ") is reads}
            assert len(good & asked) > share * len(asked), sorted(asked - good)
    if role == "signed out":
        assert {label.partition("/v1/")[2].partition("/")[0] for label in good} <= OPEN
