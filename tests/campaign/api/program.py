"""A program that speaks to the API with a token."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from campaign.models import User
from campaign.services.accounts.tokens import token_make

ALL = ("read", "order", "umpire")


class Program:
    """Calls by address below /api/v1/; `last` is the last answer."""

    def __init__(self, user: User | None, scopes: tuple[str, ...] = ALL) -> None:
        self.client = Client(raise_request_exception=False)
        self.text = token_make(user=user, name="test", scopes=scopes)[1] if user is not None else ""

    def call(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """An answer; headers are named as `If_Match`."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.text:
            given.setdefault("Authorization", f"Bearer {self.text}")
        sent = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        return self.client.generic(method, f"/api/v1/{address}", headers=given, **sent)

    def get(self, address: str, **headers: str) -> Any:
        return self.call("GET", address, **headers)

    def post(self, address: str, body: Any = None, **headers: str) -> Any:
        return self.call("POST", address, body, **headers)

    def put(self, address: str, body: Any = None, **headers: str) -> Any:
        return self.call("PUT", address, body, **headers)

    def delete(self, address: str, **headers: str) -> Any:
        return self.call("DELETE", address, **headers)


def problem(answer: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """The problem an answer is, which it must be."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(answer.content)
    assert body["status"] == status
    assert body["type"] == f"/api/v1/problems/{code}/"
    assert body["title"] and body["detail"]
    return body
