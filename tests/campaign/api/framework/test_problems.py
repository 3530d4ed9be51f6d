"""Whatever goes wrong under /api/ is a problem with a sentence, and gives nothing away."""

import io

import pytest
from django.db import connection
from django.test import Client, override_settings

from campaign.api.framework.parsing import DEEPEST
from campaign.api.framework.problems import KINDS
from campaign.services.setup.campaigns import campaign_create
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db


def test_an_address_nobody_knows_is_a_problem():
    problem(Client().get("/api/v1/nothing/"), 404, "not-found")
    problem(Client().get("/api/v2/me/"), 404, "not-found")


def test_a_foreign_campaign_and_none_are_the_same_answer(stranger_program, saratoga):
    foreign = stranger_program.get("campaigns/saratoga/")
    missing = stranger_program.get("campaigns/nowhere/")
    problem(foreign, 404, "not-found")
    assert foreign.content == missing.content
    headers = [{**answer.headers, "X-Request-ID": ""} for answer in (foreign, missing)]
    assert headers[0] == headers[1]


def test_nothing_is_locked_while_a_body_comes_in_hr_api_02(crown_program):
    """A slow line would hold the database's lock of writing for as long as it likes."""
    depths: list[int] = []

    class Line(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            depths.append(len(connection.savepoint_ids))
            return super().read(size)

    body = b'{"odd": 1}'
    at_rest = len(connection.savepoint_ids)
    answer = crown_program.client.generic(
        "POST",
        "/api/v1/campaigns/saratoga/orders/",
        headers={"Authorization": f"Bearer {crown_program.text}", "Idempotency-Key": "k"},
        **{"wsgi.input": Line(body), "CONTENT_LENGTH": len(body), "CONTENT_TYPE": "application/json"},
    )
    problem(answer, 400, "invalid")
    assert depths and set(depths) == {at_rest}


def test_a_method_an_address_has_not_is_405(crown_program):
    answer = crown_program.delete("me/")
    problem(answer, 405, "method")
    assert "GET" in answer["Allow"]
    problem(crown_program.call("OPTIONS", "me/"), 405, "method")


def test_a_media_type_not_to_be_had_is_406(crown_program):
    problem(crown_program.get("me/", Accept="text/html"), 406, "not-acceptable")


def test_a_host_nobody_answers_to_is_a_problem():
    with override_settings(ALLOWED_HOSTS=["campaign.example.org"]):
        problem(Client().get("/api/v1/me/", headers={"Host": "elsewhere.example"}), 400, "invalid")


def test_a_fault_is_a_problem_without_a_word_of_it(crown_program, monkeypatch):
    def broken(person):
        raise KeyError("the secret of the dice")

    monkeypatch.setattr("campaign.api.me.may_set_up", broken)
    answer = crown_program.get("me/")
    problem(answer, 500, "fault")
    assert b"secret" not in answer.content


def test_unknown_fields_of_an_address_are_refused_by_name(crown_program):
    body = problem(crown_program.get("campaigns/?page=2&side=rebel"), 400, "invalid")
    assert body["errors"] == [{"field": "side", "detail": "There is no such field."}]
    assert problem(crown_program.get("campaigns/?page=x"), 400, "invalid")["errors"][0]["field"] == "page"
    problem(crown_program.get("me/?a=%00"), 400, "invalid")


def test_keys_no_database_has_are_not_found(crown_program, saratoga):
    problem(crown_program.get(f"campaigns/saratoga/jobs/{10**30}/"), 404, "not-found")


def test_kinds_of_problems_are_documented_at_their_addresses():
    client = Client()
    listed = client.get("/api/v1/problems/").json()
    assert len(listed) == len(KINDS)
    for kind in listed:
        assert client.get(kind["type"]).json() == kind
    problem(client.get("/api/v1/problems/unknown/"), 404, "not-found")


def test_a_list_longer_than_a_page_has_more_of_them(burgoyne, saratoga, carleton):
    for number in range(2):
        again = campaign_create(scenario="saratoga-1777", slug=f"more-{number}")
        again.seats.create(user=burgoyne, role="spectator")
    program = Program(burgoyne)
    first = program.get("campaigns/?page_size=2").json()
    assert (first["count"], first["pages"], len(first["results"])) == (3, 2, 2)
    second = program.get("campaigns/?page_size=2&page=2").json()
    assert [row["slug"] for row in second["results"]] == ["saratoga"]
    assert program.get("campaigns/?page=9").json()["results"] == []


def test_too_many_requests_are_429_with_the_time_to_wait(crown_program, settings, one_minute):
    settings.API_PERSON_A_MINUTE = 2
    assert [crown_program.get("me/").status_code for _ in range(2)] == [200, 200]
    answer = crown_program.get("me/")
    problem(answer, 429, "too-often")
    assert answer["Retry-After"] == "30"


def test_addresses_and_unknown_callers_are_counted_too(crown_program, settings, one_minute):
    settings.API_UNKNOWN_A_MINUTE = 1
    problem(Client().get("/api/v1/me/"), 401, "signed-out")
    problem(Client().get("/api/v1/me/"), 429, "too-often")
    assert crown_program.get("me/").status_code == 200  # who is known is not shut out with them
    settings.API_ADDRESS_A_MINUTE = 1
    problem(crown_program.get("me/"), 429, "too-often")


def test_behind_a_proxy_the_address_is_the_one_it_saw(crown_program, settings, one_minute):
    settings.TRUSTED_PROXY, settings.API_ADDRESS_A_MINUTE = True, 1
    seen = [crown_program.get("me/", X_Forwarded_For=f"1.2.3.4, 10.0.0.{n}").status_code for n in (1, 2, 2)]
    assert seen == [200, 200, 429]


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    "text",
    ["{", '{"a": NaN}', '{"a": 1e999}', '{"a": "\\u0000"}', '{"a": "\\ud800"}', nested(DEEPEST + 2),
     nested(100_000), '{"a": 9223372036854775808}', "\xff", '{"a": ' + "1" * 5000 + "}"],
)  # fmt: skip
def test_a_body_nobody_can_keep_is_400(text):
    from io import BytesIO

    from rest_framework.exceptions import ParseError, ValidationError

    from campaign.api.framework.parsing import CheckedJSONParser

    with pytest.raises((ParseError, ValidationError)):
        CheckedJSONParser().parse(BytesIO(text.encode("latin-1")))
