"""Follows every link a person is shown, and keeps all that comes back, PDFs as the words in them."""

import html
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from itertools import chain, zip_longest
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.test import Client
from django.urls import Resolver404, resolve
from pypdf import PdfReader

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
#: Attributes that hold an address the page or its scripts may open.
LINKS = re.compile(r'\b(?:href|src|hx-get|data-[a-z-]+)="(/[^"]*|\?[^"]*)"')
#: Doors out of the campaign: other people's code, ends of the session, the scenarios as they are published.
NOT_OPENED = (
    "/admin/", "/static/", "/account/email", "/account/password", "/account/confirm-email", "/account/close",
    "/account/two-factor", "/account/log", "/account/re", "/account/inactive", "/account/tokens", "/sign-",
    "/demo/", "/health/", "/favicon", "/campaigns/new/",
)  # fmt: skip
#: What every request draws anew.
DRAWN_ANEW = (
    r'name="(?:csrfmiddlewaretoken|opened)" value="[^"]*"',
    r'"X-CSRFToken": "[^"]*"',
    r"""(?:hx-headers|nonce)=(['"]).*?\1""",
    r"'nonce-[^']*'",
    r"(?m)^(?:Content-Length|Expires|Date): .*$",
    r"\b[0-9a-f]{64}\b",  # hashes of the chain cover all that is hidden, salted
)


@dataclass
class Crawl:
    """What one person was answered, by address; at most `most` addresses of one kind are opened."""

    client: Client
    most: int
    answers: dict[str, str] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    sent: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def follow(self, *begin: str) -> "Crawl":
        """Open these addresses and all that they lead to."""
        waiting = list(begin)
        while waiting:
            address = waiting.pop(0)
            if address not in self.answers and self._wanted(address):
                answer, self.answers[address] = self._open(address)
                if answer.status_code in (301, 302):
                    waiting.append(urljoin(address, answer["Location"]))
                elif answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                    links = LINKS.findall(answer.content.decode())
                    found = (urljoin(address, html.unescape(link)) for link in links)
                    waiting += [each.partition("#")[0] for each in found]
        return self

    def read(self, *addresses: str) -> "Crawl":
        """Open these addresses and nothing that they lead to."""
        self.answers |= {address: self._open(address)[1] for address in addresses}
        return self

    def ask(self, address: str, *bodies: Any, kind: str = JSON) -> "Crawl":
        """Send these bodies, as JSON or as a form's fields, to an address that answers and writes nothing."""
        for body in bodies:
            asked = (address, json.dumps(body) if kind == JSON else urlencode(body), kind)
            self.sent[asked] = self._send(*asked)
        return self

    @property
    def names(self) -> set[str]:
        """Names of the addresses that answered with something, or to which something was sent."""
        read = {address for address, text in self.answers.items() if text.startswith("200")}
        asked = {urlsplit(address).path for address in read | {address for address, _, _ in self.sent}}
        return {str(resolve(path).url_name) for path in asked}

    def differing(self) -> list[str]:
        """The first line in which an answer is another now, of each address whose answer is."""
        got = ((address, before, self._open(address)[1]) for address, before in self.answers.items())
        sent = ((f"{key[0]} {key[1]}", before, self._send(*key)) for key, before in self.sent.items())
        found = []
        for asked, before, now in chain(got, sent):
            lines = zip_longest(before.splitlines(), now.splitlines(), fillvalue="")
            other = next((f"{was} / {is_} " for was, is_ in lines if was != is_), "")
            if other:
                found.append(f"{asked}: {other}")
        return found

    def _send(self, address: str, body: str, kind: str) -> str:
        answer = self.client.post(address, body, content_type=kind)
        return plain(f"{answer.status_code}\n{headers_of(answer)}\n{body_of(answer)}")

    def _open(self, address: str) -> tuple[Any, str]:
        answer = self.client.get(address)
        return answer, plain(f"{answer.status_code}\n{headers_of(answer)}\n{body_of(answer)}")

    def _wanted(self, address: str) -> bool:
        parts = urlsplit(address)
        if parts.netloc or parts.path.startswith(NOT_OPENED):
            return False
        try:
            name = resolve(parts.path).url_name
        except Resolver404:
            return False
        asked = parse_qsl(parts.query)
        kind = f"{name} {' '.join(f'{key}={value}' if key == 'sheet' else key for key, value in asked)}"
        self.kinds[kind] += 1
        return self.kinds[kind] <= self.most


def body_of(answer: Any) -> str:
    """An answer's body; of a PDF its words and what it says of itself."""
    if answer.streaming:
        return b"".join(answer.streaming_content).decode(errors="replace")
    if answer.headers.get("Content-Type") != "application/pdf":
        return str(answer.content.decode(errors="replace"))
    return words_of(answer.content)


@lru_cache(maxsize=2000)
def words_of(pdf: bytes) -> str:
    """A PDF's title and words; the same file is read once, since it takes longest of all."""
    read = PdfReader(BytesIO(pdf))
    pages = [" ".join(page.extract_text().split()) for page in read.pages]  # names are broken at a line's end
    return "\n".join([repr(read.metadata and read.metadata.title), *pages])


def headers_of(answer: Any) -> str:
    """An answer's headers; of an ETag, which is a hash of what is told, so much that it is kept."""
    heads = {**answer.headers, "ETag": answer.headers.get("ETag", "")[:33]}
    heads.pop("X-Request-ID", None)  # a number made anew each time
    return "\n".join(f"{name}: {value}" for name, value in sorted(heads.items()))


def plain(text: str) -> str:
    for each in DRAWN_ANEW:
        text = re.sub(each, "", text)
    return text
