"""What is not as documented is told in a sentence that says what to send."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.validators import ProhibitNullCharactersValidator
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from campaign.api.framework.serializers import set_error_messages
from campaign.models import OrderPaper
from tests.campaign.api.operations import operations
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


def raw(program: Program, text: str) -> list[dict[str, str]]:
    """The errors of a body that is sent as it stands."""
    headers = {"Authorization": f"Bearer {program.text}"}
    answer = program.client.generic("POST", f"/api/v1/{VALIDATE}", text, "application/json", headers=headers)
    errors: list[dict[str, str]] = problem(answer, 400, "invalid")["errors"]
    return errors


def test_a_body_that_is_null_is_refused_with_what_to_send(program):
    words = "Send an object with named fields, in braces; null is none."
    assert raw(program, "null") == [{"field": "", "detail": words}]


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ('{"days_completed": 9223372036854775808}', "days_completed", "The number is too large; send a"),
        ('{"order": {"stages": [{"day": 0}, {"day": 1e999}]}}', "order.stages.1.day", "The number is too"),
        ("9223372036854775808", "", "The number is too large; send a smaller one."),
        ('{"order": {"formation": "\\u0000"}}', "order.formation", "invisible control character (U+0000)"),
        ('{"order": {"\\ud800": 1}}', "order", "invisible broken character (U+D800)"),
    ],
)
def test_what_nobody_can_keep_is_told_at_its_field(program, text, field, words):
    [error] = raw(program, text)
    assert error["field"] == field and words in error["detail"]


def test_a_long_name_is_not_repeated_and_costs_nothing_for_each_value(program):
    name = "x" * 10_000
    [error] = raw(program, f'{{"{name}": [{"0, " * 1_000}1e999]}}')
    assert error["field"] == f"{'x' * 100}.1000"
    [error] = raw(program, f'{{"{name}": 0}}')
    assert error["field"] == "x" * 100


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


# --- none of the framework's own words are left ---


def shapes() -> Iterator[tuple[str, Any]]:
    """The body and the query of every operation."""
    for operation in operations():
        values = dict.fromkeys(operation.names, 1) | {"side": "crown"}
        contract = operation.contract(values)
        for shape in (contract.body, contract.query):
            if shape is not None:
                yield operation.id, shape() if isinstance(shape, type) else type(shape.child)(many=True)


def fields(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    """A shape and each field in it, with its name."""
    yield name, field
    for key, inner in getattr(field, "fields", {}).items():
        yield from fields(f"{name}.{key}", inner)
    if getattr(field, "child", None) is not None:
        yield from fields(f"{name}[]", field.child)


def said(field: Any) -> list[str]:
    """All that a field may say."""
    return [*map(str, field.error_messages.values()), *(str(each.message) for each in field.validators)]


def theirs() -> list[re.Pattern[str]]:
    """All that the framework says by itself, whatever the figures in it."""
    words = {ProhibitNullCharactersValidator.message, ProhibitSurrogateCharactersValidator.message}
    for kind in vars(serializers).values():
        if isinstance(kind, type) and issubclass(kind, serializers.Field):
            words |= set(getattr(kind, "default_error_messages", {}).values())
    places = re.compile(r"\{\w+\}")
    return [re.compile(".*".join(map(re.escape, places.split(str(each))))) for each in words]


def test_no_shape_of_a_request_says_anything_in_the_frameworks_words():
    framework, told, asked = theirs(), [], 0
    for name, shape in shapes():
        set_error_messages(shape)
        for at, field in fields(name, shape):
            for sentence in said(field):
                asked += 1
                if any(each.fullmatch(sentence) for each in framework):
                    told.append(f"{at}: {sentence}")
    assert asked > 1000
    assert not told, "\n".join(told)


@pytest.mark.parametrize(
    ("address", "body", "words"),
    [
        ("me/absences/", {"first": "x", "last": "1777-06-20"}, "Send a day as 1777-06-20."),
        ("me/ways/", {"kind": "mail", "address": "a" * 3000}, "or fewer characters."),
        ("campaigns/saratoga/orders/validate/", {"acts": []}, "Send a list of 1 or more."),
        (VALIDATE, {"order": {**MARCH, "via": ["a"] * 101}}, "Send a list of 100 or fewer."),
        (VALIDATE, {"order": MARCH, "last_paper": "1" * 1001}, "too long for a number"),
    ],
)
def test_lengths_days_and_numbers_are_told_in_our_words(program, address, body, words):
    assert words in problem(program.post(address, body), 400, "invalid")["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"a", "multipart/form-data", "whole form"),
        (b"--x\r\n\r\n", "multipart/form-data; boundary=x", "Send the file as multipart/form-data."),
        (
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
            "Send the file as multipart/form-data.",
        ),
    ],
)
def test_a_form_that_is_none_is_told_in_our_words(program, body, kind, words):
    headers = {"Authorization": f"Bearer {program.text}"}
    answer = program.client.generic("POST", "/api/v1/scenarios/", body, kind, headers=headers)
    assert words in problem(answer, 400, "invalid")["detail"]
