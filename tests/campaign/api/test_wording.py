"""What is not as documented is told in a sentence that says what to send."""

from typing import Any

import pytest

from campaign.models import OrderPaper
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
VALIDATE = "campaigns/saratoga/orders/validate/"
MARCH: dict[str, Any] = {"formation": "advanced_corps", "via": ["valcour_island"]}


@pytest.fixture
def program(burgoyne, saratoga) -> Program:
    return Program(burgoyne)


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"order": {**MARCH, "stance": "run"}}, "order.stance", "“run” is none of: "),
        ({"order": {**MARCH, "via": "crown_point"}}, "order.via", "Send a list, in square brackets"),
        ({"order": "x"}, "order", "Send an object with named fields, in braces"),
        ({"order": {**MARCH, "formation": None}}, "order.formation", "null is none"),
        ({"order": {"via": []}}, "order.formation", "It is needed; send it."),
        ([], "", "Send an object with named fields, in braces"),
    ],
)
def test_a_body_is_refused_with_what_to_send(program, body, field, words):
    errors = problem(program.post(VALIDATE, body), 400, "invalid")["errors"]
    assert [row["field"] for row in errors] == [field]
    assert words in errors[0]["detail"]
    assert not OrderPaper.objects.exists()


def test_the_choices_there_are_are_named(program):
    answer = problem(program.post(VALIDATE, {"order": {**MARCH, "pace": "gallop"}}), 400, "invalid")
    assert "normal, plus_half, double" in answer["detail"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("page=0", "Send 1 or more."),
        ("page=x", "Send a whole number."),
        ("page_size=900", "Send 200 or less."),
    ],
)
def test_so_is_a_query(program, query, words):
    assert words in problem(program.get(f"campaigns/saratoga/battles/?{query}"), 400, "invalid")["detail"]


def test_a_body_that_is_no_json_says_where(program):
    told = problem(
        program.client.generic(
            "POST",
            f"/api/v1/{VALIDATE}",
            "{nonsense",
            "application/json",
            headers={"Authorization": f"Bearer {program.text}"},
        ),
        400,
        "invalid",
    )["detail"]
    assert told.startswith("The body is no JSON: ") and "line 1 column 2" in told
