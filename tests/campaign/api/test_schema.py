"""What programs may send is tried out of the document itself, for every role: it answers as documented."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from battles.files.reading import find_shipped_battles
from campaign.config.wsgi import application
from campaign.models import Campaign, Restoration, Seat, User, local_date
from campaign.services.accounts.tokens import token_make
from campaign.services.battles.comparisons import comparison_ask
from campaign.services.battles.standalone_fights import fight_ask
from campaign.services.dispatches import letter_send
from campaign.services.forecasts.forecasts import MOST_RUNS, MOST_WEEKS
from campaign.services.jobs.jobs import job_request
from campaign.services.notifications.channels import channel_add
from campaign.services.seats.absences import absence_add
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.umpire.unit_tables import build_unit_plan, read_unit_table
from tests.campaign.api.fuzz import Fuzz, id_of
from tests.campaign.api.operations import operations
from tests.campaign.api.program import ALL
from tests.campaign.web.addresses import document, notice_failed, restoration_failed
from tests.factories.api_club import archives_brought, tables_of
from tests.factories.half_made import half_made

#: By role, requests of every operation: as documented, and as many that are not.
#: `make prove PART=api` asks 20,000.
EACH = {"umpire": 3, "commander": 2, "spectator": 1, "stranger": 1, "signed out": 1}
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
        "comparison": [comparison_ask(data=document(), runs=1, actor=carleton).pk],
        "name": [next(iter(find_shipped_battles()))],
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


#: What takes files of its own and does something for the umpire or the site's keeper alone.
WITH_FILES = (
    "restorations_list", "restorations_ask", "restorations_read", "restorations_remove",
    "restorations_cancel", "restorations_again",
    "tables_read", "tables_units_preview", "tables_units_bring",
)  # fmt: skip


@pytest.fixture
def files(known: dict[str, list[Any]], waiting: Campaign, carleton: User) -> Callable[[str], Any]:
    """The same with an archive, and tables of units with the digest of what each would do now.

    The units are a second campaign's: while a battle waits nothing is done by hand.
    """
    seats = (SeatPlan(Seat.Role.UMPIRE, user=carleton),)
    quiet = campaign_create(scenario="saratoga-1777", slug="quiet", seats=seats)
    archive = archives_brought(carleton, waiting.slug)
    asked = [{"file": archive, "slug": f"brought-{number}"} for number in range(20)]

    def now(operation: str) -> Any:
        campaign = Campaign.objects.get(pk=quiet.pk)
        sent = [{"slug": campaign.slug, "file": one.encode()} for one in tables_of(campaign.slug)]
        plans = [build_unit_plan(campaign, read_unit_table(table["file"])) for table in sent]
        done = [
            {**table, "digest": plan.digest, "reason": "The club's own returns."}
            for table, plan in zip(sent, plans, strict=True)
        ]
        more = {"tables_units_preview": sent, "tables_units_bring": done, "restorations_ask": asked}
        rows = list(Restoration.objects.order_by("-pk").values_list("pk", flat=True)[:2])
        return {**known, **more, "restoration": rows}

    return now


@pytest.mark.django_db
@pytest.mark.slow
def test_what_takes_files_of_its_own_is_carried_out(files, headers_of):
    """Or the answers of archives and tables would be refusals alone, and none compared with its shape."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    fuzz = Fuzz(schema, [("umpire", headers_of("umpire"))], files)
    asked = {one.label for one in fuzz.operations if id_of(one) in WITH_FILES}
    for seed in (1, 2, 3):  # in orders of their own: stopped, then asked for again
        found = fuzz.go(6, seed=seed, only=WITH_FILES)
    found.verify()
    assert len(asked) == len(WITH_FILES)
    assert found.done() == asked, sorted(found.answers.items())


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


def test_the_document_says_what_the_rules_take():
    """Else a client made from it is refused what it was told it may send, or leaves out what is asked for."""
    shape = next(each for each in operations() if each.id == "forecasts_ask").body or {}
    assert shape["properties"]["weeks"]["maximum"] == MOST_WEEKS
    assert shape["properties"]["runs"]["maximum"] == MOST_RUNS
    may = {each.id for each in operations() if each.body and not each.raw["requestBody"].get("required")}
    assert may == {
        "battles_pack_print", "forecasts_ask", "orders_draft_submit", "orders_drafts_submit",
        "orders_nothing_new", "orders_repeat", "results_enter", "seats_date",
    }  # fmt: skip
