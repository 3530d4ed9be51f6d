"""Requests made up from the API's own document, and what every answer must hold to.

Used in the process (test_schema.py), and against a server that runs (tests/prove).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import hypothesis
import schemathesis
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

#: No fault, no status nobody documented, no answer of another shape.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
#: Of so many requests all but one are about something there is.
STEERED = 4

Known = Mapping[str, Sequence[Any]]


def known_path(case: Any, known: Known, number: int) -> None:
    """Put what there is into the address: of each part the choice `number` falls on."""
    if number % STEERED == 0:
        return
    for name in case.path_parameters or {}:
        if choices := known.get(name):
            case.path_parameters[name] = choices[number % len(choices)]


def requests_made(
    schema: Any,
    *,
    headers: Mapping[str, str],
    known: Known,
    each: int,
    call: Callable[..., Any] | None = None,
) -> Counter[tuple[str, int]]:
    """Make `each` requests as documented, and as many that are not, of every operation.

    Returns how often each operation answered with each status. Fails on the first answer that does not
    hold to the document, with the request that got it.
    """
    found: Counter[tuple[str, int]] = Counter()
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            try:
                cases = operation.as_strategy(generation_mode=mode)
                _operation(operation.label, cases, found, headers, known, each, call)
            except (hypothesis.errors.Unsatisfiable, schemathesis.errors.SchemathesisError):
                if mode == schemathesis.GenerationMode.POSITIVE:
                    raise  # else there is nothing an operation without parameters can be asked wrongly
    return found


def _operation(
    label: str,
    cases: Any,
    found: Counter[tuple[str, int]],
    headers: Mapping[str, str],
    known: Known,
    each: int,
    call: Callable[..., Any] | None,
) -> None:
    @hypothesis.settings(
        max_examples=each,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=cases, number=st.integers(0, 1000))
    def asked(case: Any, number: int) -> None:
        known_path(case, known, number)
        answer = call(case, headers) if call is not None else case.call(headers=dict(headers))
        found[label, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    asked()
