"""Requests made up from the API's own document, and what every answer must hold to.

Used in the process (test_schema.py), and against a server that runs (tests/prove).
"""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import hypothesis
import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

#: No fault, no status nobody documented, no answer of another shape.
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
#: Of so many requests all but one are about something there is.
STEERED = 4
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
#: Faults that are told; one of each kind for each operation is enough to mend it.
MOST_TOLD = 20

Known = Mapping[str, Sequence[Any]]


def steered(case: Any, known: Known, number: int, together: Sequence[Mapping[str, Any]] = ()) -> None:
    """Put what there is into address, query and body, by the names there; `number` says what and where.

    Of `together` each holds what one request must have at once to do anything, as a table and its digest.
    """
    draw = Random(number)
    if draw.randrange(STEERED):
        for parts in (case.path_parameters, case.query):
            for name in parts or {}:
                if choices := known.get(name):
                    parts[name] = draw.choice(choices)
    if draw.randrange(STEERED) and isinstance(case.body, dict | list):
        files = str(case.media_type).startswith("multipart/")
        _put(case.body, known if files else without_files(known), draw)
    if draw.randrange(STEERED) and "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = "*"
    if together and draw.randrange(STEERED):
        one = draw.choice(together)
        at: dict[str, Any] = case.path_parameters or {}
        at |= {name: value for name, value in one.items() if name in at}
        if isinstance(case.body, dict):
            case.body |= {name: value for name, value in one.items() if name not in at}


def without_files(known: Known) -> Known:
    """What can be written as JSON."""
    return {
        name: left
        for name, each in known.items()
        if (left := [one for one in each if not isinstance(one, bytes)])
    }


def _put(value: Any, known: Known, draw: Random) -> None:
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in list(rows):
        choices = known.get(name) if isinstance(name, str) else None
        if isinstance(each, dict) or (isinstance(each, list) and not choices):
            _put(each, known, draw)
        elif choices and not isinstance(each, bool | None) and draw.randrange(STEERED):
            one = draw.choice(choices)
            value[name] = [one] if isinstance(each, list) else one


def id_of(operation: Any) -> str:
    """The id the document gives an operation."""
    return str(operation.definition.raw["operationId"])


@dataclass
class Found:
    """What came: how often who got which status from which operation, and what did not hold."""

    answers: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    faults: dict[tuple[str, str], str] = field(default_factory=dict)

    def count(self, role: str | None = None) -> int:
        """How many requests were made, in all or by one role."""
        return sum(times for (who, _, _), times in self.answers.items() if role in (None, who))

    def statuses(self, role: str | None = None) -> dict[int, int]:
        """How many answers had each status."""
        found: Counter[int] = Counter()
        for (who, _, status), times in self.answers.items():
            if role in (None, who):
                found[status] += times
        return dict(sorted(found.items()))

    def done(self) -> set[str]:
        """Operations that were carried out for somebody."""
        return {label for _, label, status in self.answers if status < 300}

    def verify(self) -> None:
        """Fails with every fault and the request that showed it, as a line of curl."""
        told = list(self.faults.values())
        more = f"\n\nand {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        assert not told, f"{len(told)} faults:\n\n" + "\n\n".join(told[:MOST_TOLD]) + more


class Fuzz:
    """Asks a site by its document.

    `people` are headers by role, who ask in turn; `known` tells what there is, by the names of parameters
    and fields, before each operation, which it is given by its id: under that name what belongs together
    (`steered`). `sent` goes to what sends.
    """

    def __init__(
        self,
        schema: Any,
        people: Sequence[tuple[str, Mapping[str, str]]],
        known: Callable[[str], Known],
        **sent: Any,
    ) -> None:
        self.operations = [result.ok() for result in schema.get_all_operations()]
        self.people, self.known, self.sent = itertools.cycle(people), known, sent
        self.found = Found()
        self._cases: dict[tuple[str, GenerationMode], Any] = {}

    def go(
        self, each: int, *, seed: int = 0, without: Collection[str] = (), only: Collection[str] = ()
    ) -> Found:
        """Make `each` requests as documented, and as many that are not, of every operation.

        With a seed the operations go in an order of its own; those whose ids are in `without` are left out,
        with `only` all but those.
        """
        operations = [
            one for one in self.operations if id_of(one) not in without and (not only or id_of(one) in only)
        ]
        if seed:
            Random(seed).shuffle(operations)
        for operation in operations:
            known = self.known(id_of(operation))
            for mode in MODES:
                try:
                    self._operation(operation, mode, known, each, seed)
                except (hypothesis.errors.Unsatisfiable, schemathesis.errors.SchemathesisError):
                    if mode == GenerationMode.POSITIVE:
                        raise  # else there is nothing an operation without parameters can be asked wrongly
        return self.found

    def _operation(self, operation: Any, mode: GenerationMode, known: Known, each: int, seed: int) -> None:
        key = operation.label, mode
        if key not in self._cases:  # dear to make
            self._cases[key] = operation.as_strategy(generation_mode=mode)

        together = known.get(id_of(operation), ())

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=each,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=self._cases[key], number=st.integers(0, 10**6))
        def asked(case: Any, number: int) -> None:
            steered(case, known, number, together)
            role, headers = next(self.people)
            self._ask(operation.label, case, role, dict(headers))

        asked()

    def _ask(self, label: str, case: Any, role: str, headers: dict[str, str]) -> None:
        try:
            answer = case.call(headers=headers, **self.sent)
        except requests.RequestException as fault:
            told = f"{label} as {role}: {fault}\n{case.as_curl_command(headers=headers)}"
            self.found.faults.setdefault((label, type(fault).__name__), told)
            return
        self.found.answers[role, label, answer.status_code] += 1
        try:
            case.validate_response(answer, checks=list(CHECKS))
        except FailureGroup as fault:
            what = ", ".join(sorted({type(one).__name__ for one in fault.exceptions}))
            told = f"{label} as {role}: {fault}\n{case.as_curl_command(headers=headers)}"
            self.found.faults.setdefault((label, f"{what} {answer.status_code}"), told)
