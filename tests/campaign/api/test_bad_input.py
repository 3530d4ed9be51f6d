"""Whatever is sent amiss to any operation of the document is the documented problem, and writes nothing.

New endpoints are covered by themselves: what is asked is made from the document.
"""

import itertools
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from battles.files.reading import find_shipped_battles
from campaign.api.framework.idempotency import compute_digest
from campaign.models import ApiToken, Campaign, Seat, User, local_date
from campaign.services.accounts.tokens import token_make, token_revoke
from campaign.services.battles.comparisons import comparison_ask
from campaign.services.battles.standalone_fights import fight_ask
from campaign.services.dispatches import letter_send
from campaign.services.jobs.idempotency import key_answer, key_claim
from campaign.services.jobs.jobs import job_request
from campaign.services.notifications.channels import channel_add
from campaign.services.seats.absences import absence_add
from campaign.services.seats.changes import seat_open
from campaign.services.seats.invitations import invitation_keep, invitation_make
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.campaign.api.operations import Operation, operations, type_of, wrong
from tests.campaign.api.program import ALL, Program, problem
from tests.campaign.services.press.test_bulletins import play
from tests.campaign.web.addresses import document, notice_failed, restoration_failed
from tests.factories.half_made import half_made

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

OPERATIONS = list(operations())
WRITE = ("INSERT", "UPDATE", "DELETE")
NONE_SUCH = {
    "slug": "none-such",
    "code": "none-such",
    "rule": "HR-XXX-99",
    "side": "nobody",
    "book": "nobody",
}
#: Numbers and ids nothing has.
NO_NUMBER, NO_ID = 10**9, "none-such"


class Club:
    """A campaign with something of each kind in it, programs of those who may ask, and what is written."""

    def __init__(self, programs: dict[str, Program], values: dict[str, Any], numbers: dict[str, int]) -> None:
        self.programs, self.values, self.numbers = programs, values, numbers

    def values_of(self, operation: Operation) -> dict[str, Any]:
        """What its address names: of each kind of thing the one that is there."""
        numbered = [number for start, number in self.numbers.items() if start in operation.template]
        return self.values | {"number": numbered[0] if numbered else self.values["number"]}

    def send(
        self, who: str, operation: Operation, body: Any = None, values: dict[str, Any] | None = None,
        query: str | None = None, kind: str = "application/json", **headers: str,
    ) -> tuple[Any, list[str]]:  # fmt: skip
        """The answer and the statements that wrote something; whatever was done is undone."""
        cache.clear()
        program = self.programs[who]
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if program.text:
            given.setdefault("Authorization", f"Bearer {program.text}")
        path = operation.path({**self.values_of(operation), **(values or {})})
        path += operation.query if query is None else query
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        sent = {"data": data, "content_type": kind} if data else {}
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            answer = program.client.generic(operation.method, path, headers=given, **sent)
            transaction.set_rollback(True)
        return answer, [each["sql"] for each in asked if each["sql"].startswith(WRITE)]

    def refused(self, status: int, code: str, who: str, operation: Operation, **sent: Any) -> dict[str, Any]:
        """The problem it must be; nothing is written."""
        answer, written = self.send(who, operation, **sent)
        assert answer.status_code == status, (
            f"{operation} {sent}: {answer.status_code} {answer.content[:300]!r}"
        )
        assert str(status) in operation.raw["responses"], f"{operation}: {status} is not documented"
        assert not written, f"{operation} {sent}: {written}"
        return problem(answer, status, code)


@pytest.fixture
def club(waiting: Campaign, carleton: User, burgoyne: User, gates: User) -> Club:
    """The umpire keeps the site too, so that every operation is there for somebody."""
    carleton.is_superuser = True
    carleton.save()
    battle = waiting.battles.get()
    job = job_request(
        kind="battle_odds", key="odds", payload={"battle": battle.pk}, campaign=waiting, actor=carleton
    )
    seat = waiting.seats.get(user=burgoyne)
    letter = letter_send(campaign=waiting, author=carleton, to=[seat.pk], text="How do you do?")
    walpole, howe = (User.objects.create_user(name) for name in ("walpole", "howe"))
    Seat.objects.create(campaign=waiting, user=walpole, role=Seat.Role.SPECTATOR)
    people = {"umpire": carleton, "crown": burgoyne, "rebel": gates, "spectator": walpole, "stranger": howe}
    programs = {role: Program(user) for role, user in people.items()} | {"": Program(None)}
    programs["narrow"] = Program(carleton, ("read",))
    # their use is noted now and then, which is no matter here, however long it takes
    ApiToken.objects.update(last_used_at=timezone.now() + timedelta(days=1))
    values = {
        "slug": waiting.slug, "job": job.pk, "battle": battle.pk, "code": letter.code, "rule": "HR-FOG-01",
        "day": 1, "week": 1, "side": "crown", "book": "crown", "formation": "advanced_corps", "photo": 1,
        "unit": waiting.order_of_battle.units.values_list("slug", flat=True)[0], "seat": seat.pk,
        "number": waiting.order_papers.filter(side="crown")[0].number,
    }  # fmt: skip
    today = local_date(carleton)
    seat = seat_open(campaign=waiting, role=Seat.Role.SPECTATOR, actor=carleton)
    invitation, _ = invitation_make(campaign=waiting, seat=seat, actor=carleton)
    invitation_keep(invitation=invitation, user=carleton)
    way, _ = channel_add(user=carleton, kind="webhook", address="https://club.example.org/hooks/mine")
    numbers = {
        "/me/ways/": way.pk,
        "/me/absences/": absence_add(user=carleton, first=today, last=today + timedelta(days=3)).pk,
        "/invitations/": invitation.pk,
        "/setups/": half_made(carleton).pk,
    }
    values["fight"] = fight_ask(data=document(), runs=1, seed=1, actor=carleton).pk
    values["comparison"] = comparison_ask(data=document(), runs=1, actor=carleton).pk
    values |= {"restoration": restoration_failed(carleton).pk, "notice": notice_failed(waiting, carleton).pk}
    values |= {"table": "units", "name": next(iter(find_shipped_battles()))}
    return Club(programs, values | unknown_names(values), numbers)


def unknown_names(values: dict[str, Any]) -> dict[str, Any]:
    """What new operations name in their addresses and nobody has put above: a 1."""
    return {name: 1 for each in OPERATIONS for name in each.names if name not in values}


def test_what_is_no_json_and_what_is_no_object_are_400(club):
    for operation in OPERATIONS:
        if operation.body is None:
            continue
        for body in (b"{", b'{"a": NaN}', b"\xff", b'"text"', b"1", b"null", b"[]"):
            if body == b"[]" and type_of(operation.body) == "array":
                continue
            club.refused(400, "invalid", "umpire", operation, body=body, If_Match="*")


def test_a_post_that_asks_for_nothing_takes_no_body(club):
    asked = [each for each in OPERATIONS if each.method == "POST" and not each.raw.get("requestBody")]
    assert len(asked) > 20
    for operation in asked:
        told = club.refused(400, "invalid", "umpire", operation, body=b'{"none_such": 1}')
        assert told["errors"] == [{"field": "none_such", "detail": "There is no such field."}]
        for body in (b"null", b"[]", b"[1]", b'"text"', b"0", b"false"):
            told = club.refused(400, "invalid", "umpire", operation, body=body)
            assert "Nothing is asked for here; send no body" in told["errors"][0]["detail"]
        club.refused(415, "media-type", "umpire", operation, body=b"a: 1", kind="text/yaml")
        plain, empty = (club.send("umpire", operation, body=body)[0] for body in (None, b"{}"))
        assert plain.status_code == empty.status_code not in (400, 415)


def test_a_field_of_another_type_is_named(club):
    asked = 0
    for operation in OPERATIONS:
        for name, schema in (operation.body or {}).get("properties", {}).items():
            if schema.get("readOnly") or not type_of(schema):
                continue
            body = {**operation.least(), name: wrong(schema)}
            told = club.refused(400, "invalid", "umpire", operation, body=body, If_Match="*")
            assert name in {each["field"].partition(".")[0] for each in told["errors"]}, f"{operation} {name}"
            asked += 1
    assert asked > 50


def test_a_parameter_of_another_type_is_named(club):
    for operation in OPERATIONS:
        for parameter in operation.raw.get("parameters", ()):
            kind = type_of(parameter["schema"])
            if parameter["in"] != "query" or (kind == "string" and "enum" not in parameter["schema"]):
                continue
            query = f"?{parameter['name']}=none%20such"
            told = club.refused(400, "invalid", "umpire", operation, query=query)
            assert parameter["name"] in {each["field"] for each in told["errors"]}


def test_fields_and_parameters_nobody_documented_are_named(club):
    for operation in OPERATIONS:
        if operation.open and operation.id == "document_read":
            continue
        told = club.refused(
            400, "invalid", "umpire", operation, query="?none_such=1", body=operation.least(), If_Match="*"
        )
        assert told["errors"] == [{"field": "none_such", "detail": "There is no such field."}]
        if operation.body is None or type_of(operation.body) != "object":
            continue
        body = {**operation.least(), "none_such": 1}
        told = club.refused(400, "invalid", "umpire", operation, body=body, If_Match="*")
        assert "none_such" in {each["field"] for each in told["errors"]}


def test_more_than_an_endpoint_takes_is_413_and_another_media_type_415(club):
    for operation in OPERATIONS:
        if operation.body is None and not operation.multipart:
            continue
        largest = operation.contract(club.values).largest
        body = b'{"a": "' + b"a" * largest + b'"}'
        club.refused(413, "too-large", "umpire", operation, body=body, If_Match="*")
        club.refused(415, "media-type", "umpire", operation, body=b"a: 1", kind="text/yaml", If_Match="*")
        if operation.multipart:
            club.refused(415, "media-type", "umpire", operation, body=b"{}", If_Match="*")


@pytest.fixture
def week_over(club, carleton, burgoyne, gates) -> Campaign:
    """A second campaign of the same people whose first week is over."""
    campaign = campaign_create(
        scenario="saratoga-1777", slug="over", secret=b"o" * 32,
        seats=(SeatPlan(Seat.Role.UMPIRE, user=carleton),
               SeatPlan(Seat.Role.COMMANDER, "crown", user=burgoyne),
               SeatPlan(Seat.Role.COMMANDER, "rebel", user=gates)),
    )  # fmt: skip
    play(campaign, 7)
    return campaign


def test_a_change_of_what_one_has_not_seen_is_428_and_of_what_has_changed_412(club, week_over):
    """Whoever may make it: of all who ask at least one is told that what he saw is old, and none does it."""
    for operation in OPERATIONS:
        if not operation.conditional:
            continue
        body = operation.least()
        club.refused(428, "unconditional", "umpire", operation, body=body)
        came = []
        for who in ("umpire", "crown", "rebel"):
            for values in several(operation):
                answer, written = club.send(who, operation, body=body, values=values, If_Match='"old"')
                came.append(answer.status_code)
                assert answer.status_code in (412, 404, 403, 422), f"{operation} {who}: {answer.content!r}"
                assert not written
        assert 412 in came, f"{operation} has nothing here that it could change: {came}"


def several(operation: Operation) -> Iterator[dict[str, Any]]:
    """The usual address, that of a campaign whose week is over, and those of papers where it is of one."""
    yield {}
    yield {"slug": "over"}
    if operation.names[-1:] == ["number"]:
        for number in range(1, 5):
            yield {"number": number}


def test_a_key_that_came_with_another_body_is_409(club):
    user = User.objects.get(username="carleton")
    keys = itertools.count()
    for operation in OPERATIONS:
        if operation.method != "POST" or operation.open or operation.multipart:
            continue
        key = f"key-{next(keys)}"
        path = operation.path(club.values_of(operation))
        row = key_claim(user=user, key=key, method="POST", path=path, digest="of another body")
        key_answer(row=row, status=200, answer={}, headers={})
        club.refused(
            409, "key-reused", "umpire", operation, body=operation.least(), Idempotency_Key=key, If_Match="*"
        )
        club.refused(400, "invalid", "umpire", operation, body=operation.least(), Idempotency_Key="é" * 9,
                     If_Match="*")  # fmt: skip


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.multipart], ids=str)
def test_a_key_that_came_with_another_form_is_409(club, operation):
    """Another file, the same under another name, another field: each is another body; the same is none."""
    user = User.objects.get(username="carleton")
    at, kind = operation.path(club.values_of(operation)), "multipart/form-data; boundary=x"
    first = form(operation, b"first", "a.csv")
    request = Request(RequestFactory().post(at, first, content_type=kind), parsers=[MultiPartParser()])
    row = key_claim(user=user, key="key", method="POST", path=at, digest=compute_digest(request))
    key_answer(row=row, status=200, answer={}, headers={})
    for other in (
        form(operation, b"second", "a.csv"),
        form(operation, b"first", "a.xlsx"),
        form(operation, b"first", "a.csv", reason="another"),
    ):
        club.refused(409, "key-reused", "umpire", operation, body=other, kind=kind, Idempotency_Key="key")
    again, written = club.send("umpire", operation, body=first, kind=kind, Idempotency_Key="key")
    assert again.headers["Idempotency-Replayed"] == "true" and not written


def test_five_operations_take_forms():
    assert sum(each.multipart for each in OPERATIONS) == 5


def form(operation: Operation, data: bytes, name: str, **given: str) -> bytes:
    """A form with a file in the field that takes one."""
    parts = [f'name="{operation.file}"; filename="{name}"'.encode() + b"\r\n\r\n" + data]
    parts += [f'name="{field}"\r\n\r\n{text}'.encode() for field, text in given.items()]
    head = b"--x\r\nContent-Disposition: form-data; "
    return b"".join(head + part + b"\r\n" for part in parts) + b"--x--\r\n"


@pytest.fixture
def bad_tokens(club) -> list[str]:
    """Tokens that open nothing: run out, revoked, of somebody shut out, of another site, and no token."""
    carleton, howe = User.objects.get(username="carleton"), User.objects.get(username="howe")
    old, revoked = (token_make(user=carleton, name=name, scopes=ALL) for name in ("old", "revoked"))
    ApiToken.objects.filter(pk=old[0].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    token_revoke(token=revoked[0], user=carleton)
    _, gone = token_make(user=howe, name="gone", scopes=ALL)
    User.objects.filter(pk=howe.pk).update(is_active=False)
    return [
        f"Bearer {old[1]}",
        f"Bearer {revoked[1]}",
        f"Bearer {gone}",
        "Bearer awi_" + "x" * 43,
        "Basic eDp4",
    ]


def test_a_token_that_is_not_good_is_401_whatever_is_asked(club, bad_tokens):
    for operation in OPERATIONS:
        if operation.open:
            continue
        for text in bad_tokens:
            club.refused(401, "signed-out", "", operation, body=operation.least(), Authorization=text,
                         If_Match="*")  # fmt: skip
        club.refused(401, "signed-out", "", operation, body=operation.least(), If_Match="*")


def test_a_token_with_too_small_a_scope_is_403_before_anything_is_looked_up(club):
    for operation in OPERATIONS:
        scope = operation.contract(club.values).scope
        if scope != "read":
            for slug in (club.values["slug"], "none-such"):
                club.refused(
                    403,
                    "scope",
                    "narrow",
                    operation,
                    body=operation.least(),
                    values={"slug": slug},
                    If_Match="*",
                )


def test_what_one_may_not_see_is_the_same_as_what_is_not_there(club):
    """A stranger and a campaign; and whoever gets a 404 for something that is there."""
    for operation in OPERATIONS:
        sent = {"If_Match": "*", **(files(operation) if operation.multipart else {"body": operation.least()})}
        if "campaigns/{slug}" in operation.template:
            club.refused(404, "not-found", "stranger", operation, **sent)
        missing = {name: NONE_SUCH.get(name, NO_NUMBER if isinstance(value, int) else NO_ID)
                   for name, value in club.values.items() if name in operation.names}  # fmt: skip
        for who in ("stranger", "spectator", "rebel") if missing else ():
            there, written = club.send(who, operation, **sent)
            if there.status_code != 404:
                continue
            assert not written
            for name, value in missing.items():
                assert_same(operation, there, club.send(who, operation, values={name: value}, **sent))
            if not {"slug", "battle"}.issuperset(operation.names):
                continue  # it is the paper, or the seat, that is not there for him
            for amiss in (
                {"body": {"odd": 1}, "If_Match": "*"},
                {"body": b"{", "If_Match": "*"},
                {key: value for key, value in sent.items() if key != "If_Match"},
                {**sent, "query": "?odd=1"},
                {**sent, "Idempotency_Key": "a" * 101},
            ):
                if not (operation.method in ("GET", "DELETE") and "body" in amiss):
                    assert_same(operation, there, club.send(who, operation, **amiss))


def assert_same(operation: Operation, there: Any, found: tuple[Any, list[str]]) -> None:
    missing, written = found
    assert not written
    assert missing.status_code == 404, f"{operation}: {missing.status_code}"
    assert missing.content == there.content
    heads = [{**each.headers, "X-Request-ID": ""} for each in (there, missing)]
    assert heads[0] == heads[1]


def files(operation: Operation) -> dict[str, Any]:
    """A body with a file in the field that takes one."""
    head = (
        f'--x\r\nContent-Disposition: form-data; name="{operation.file}"; filename="a"\r\n\r\na\r\n--x--\r\n'
    )
    return {"body": head.encode(), "kind": "multipart/form-data; boundary=x"}


def test_every_operation_is_asked():
    """The document names what the addresses have; nothing is left out of these tests unseen."""
    assert len(OPERATIONS) > 80
    assert len({each.id for each in OPERATIONS}) == len(OPERATIONS)
