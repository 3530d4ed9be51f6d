"""A small client for the API of an AWI campaign site: read it, copy it, make it yours.

It needs Python 3.11 or later and `requests` (pip install requests). It shows what a good program does: it
sends its token, tells the site what it has read (ETag), names what it does (Idempotency-Key) so that a cut
line does nothing twice, waits when it is asked to, and shows the site's own sentence when it is refused.
"""

import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import requests

#: Seconds for a connection and for an answer; tries before it gives up; seconds between two of them.
PATIENCE, TRIES, PAUSE = (10, 90), 6, 2.0
#: Too many requests, and a site that is just being restarted: wait and try again.
PASSING = (429, 502, 503, 504)
NOT_MODIFIED, FIRST_ELSEWHERE, NOT_FOUND = 304, 300, 404


class Problem(Exception):
    """An error of the site (application/problem+json): what is wrong and what to do, in its own words."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        self.status = status
        self.kind = str(told.get("type", "")).rstrip("/").rpartition("/")[2]  # as "stale" or "rule"
        self.detail = str(told.get("detail", f"The site answered {status}."))
        self.rule = str(told.get("rule", ""))  # the rule that refuses: look it up at rules/{rule}/
        self.field = str(told.get("field", ""))  # the field it speaks of
        self.errors = list(told.get("errors", ()))  # of a body or query that is not as documented
        super().__init__(f"{self.detail} ({self.rule})" if self.rule else self.detail)


class Token(requests.auth.AuthBase):
    """Your token, in each request."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.text}"
        return request


class Client:
    """One site, as the holder of a token sees it. Paths are those below /api/v1/, which is not named with it.

    >>> club = Client("https://club.example.org", "awi_…")
    >>> club.get("me/")["username"]
    """

    def __init__(self, site: str, token: str) -> None:
        if not token.isascii() or not token.isprintable():
            raise Problem(0, {"detail": "That is no token; copy yours whole, awi_ and what follows."})
        self.site = site.strip().rstrip("/").removesuffix("/api/v1")  # given with it, it is meant the same
        self.base = self.site + "/api/v1/"
        self.session = requests.Session()
        self.session.auth = Token(token)
        self.read: dict[str, tuple[str, Any]] = {}  # ETag and answer by address

    # --- reading ---

    def get(self, path: str, **query: Any) -> Any:
        """What is there. What has not changed since the last time is not sent again."""
        asked = urlencode({name: value for name, value in query.items() if value is not None}, doseq=True)
        address = self.base + path + (f"?{asked}" if asked else "")
        etag, before = self.read.get(address, ("", None))
        answer = self._send("GET", address, {"If-None-Match": etag} if etag else {})
        if answer.status_code == NOT_MODIFIED:
            return before
        found = _json(answer)
        self.read[address] = (answer.headers["ETag"], found)
        return found

    def rows(self, path: str, **query: Any) -> Iterator[Any]:
        """All rows of a list, page by page."""
        page, told = 1, 0
        while True:
            found = self.get(path, **query, page=page)
            yield from found["results"]
            told += len(found["results"])
            if not found["results"] or told >= found["count"]:
                return
            page += 1

    def journal(self, campaign: str, cursor: str = "") -> tuple[list[Any], str]:
        """What has happened since a cursor, and the next cursor: keep it, and go on there next week.

        When the umpire has gone back, the cursor is refused (409): begin again without one.
        """
        entries: list[Any] = []
        while True:
            query = {"cursor": cursor} if cursor else {}
            found = self.get(f"campaigns/{campaign}/journal/", **query)
            entries += found["entries"]
            cursor = found["cursor"]
            if not found["more"]:
                return entries, cursor

    # --- doing ---

    def post(self, path: str, body: Any = None, key: str = "") -> Any:
        """Do something, once: sent again under a key of your own it gives the first answer, no more."""
        answer = self._send("POST", self.base + path, {"Idempotency-Key": key or uuid.uuid4().hex}, body)
        return _json(answer) if answer.content else None

    def put(self, path: str, body: Any, read: str = "") -> Any:
        """Put something in the place of what you have read there, or at `read`; Problem 412 if it changed."""
        return _json(self._send("PUT", self.base + path, self._seen(read or path), body))

    def delete(self, path: str, read: str = "") -> None:
        """Take away what you have read there, or at `read`; Problem 412 if it changed meanwhile."""
        self._send("DELETE", self.base + path, self._seen(read or path))

    def _seen(self, path: str) -> dict[str, str]:
        if self.base + path not in self.read:
            self.get(path)
        return {"If-Match": self.read[self.base + path][0]}

    def wait_for(self, campaign: str, job: int, every: float = 1.0) -> Any:
        """The piece of work when it is over; it failed if its `state` is not "done"."""
        while True:
            found = self.get(f"campaigns/{campaign}/jobs/{job}/")
            if found["state"] not in ("queued", "running"):
                return found
            time.sleep(every)

    # --- underneath ---

    def _send(
        self, method: str, address: str, headers: dict[str, str], body: Any = None
    ) -> requests.Response:
        for left in reversed(range(TRIES)):
            try:
                answer = self.session.request(
                    method,
                    address,
                    headers=headers,
                    json=body,
                    timeout=PATIENCE,
                    allow_redirects=method == "GET",  # led on, a POST may become a GET, and do nothing
                )
            except (requests.ConnectionError, requests.Timeout) as error:
                if not left:
                    told = f"{self.site} does not answer: is the address right, and is the site up?"
                    raise Problem(0, {"detail": told}) from error
                time.sleep(PAUSE)
                continue
            except (requests.RequestException, ValueError) as error:  # it could not even be asked
                told = f"“{self.site}” is no address of a site; give one as https://club.example.org."
                raise Problem(0, {"detail": told}) from error
            if left and answer.status_code in PASSING:
                told = answer.headers.get("Retry-After", "")
                time.sleep(float(told) if told.isdecimal() else PAUSE)
                continue
            if answer.status_code >= FIRST_ELSEWHERE and answer.status_code != NOT_MODIFIED:
                raise Problem(answer.status_code, _told(answer))
            return answer
        raise AssertionError("the last try gave an answer or raised")


def _json(answer: requests.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        told = f"At {answer.url} is not a site of this kind; give the site as https://club.example.org."
        raise Problem(answer.status_code, {"detail": told}) from error


def _told(answer: requests.Response) -> dict[str, Any]:
    if "problem+json" not in answer.headers.get("Content-Type", ""):
        if answer.status_code == NOT_FOUND:  # the API's own say what is not there
            told = f"At {answer.url} is not a site of this kind; give the site as https://club.example.org."
            return {"detail": told}
        return {}  # of a proxy before the site
    found: dict[str, Any] = answer.json()
    return found
