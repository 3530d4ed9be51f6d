"""Forms made to keep a page busy: endless fields, long values in the fields it has, many values of each."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

MB = 2**20
#: Fields a form of Django's may have, and bytes of all of them.
FIELDS, SIZE = 999, 2 * MB
_NAMED = re.compile(r'<(?:input|select|textarea|button)\b[^>]*?\bname="([^"]{1,200})"')

Form = dict[str, Any]


def names_of(page: str) -> list[str]:
    """Names of the fields on a page, in its order."""
    found = dict.fromkeys(_NAMED.findall(page))
    return [name for name in found if name != "csrfmiddlewaretoken"]


def hostile(names: list[str], given: Mapping[str, Any]) -> Iterator[tuple[str, Form]]:
    """Forms for a page with fields of these names, each with its own name; `given` is a sound one."""
    yield "10,000 fields", {f"field{n}": "1" for n in range(10_000)}
    yield "names in names", {f"a{'[b]' * 300}{n}": "1" for n in range(900)} | {"a." * 20_000: "1"}
    named = names[:FIELDS] or ["name"]
    each = SIZE // len(named)
    for kind, letter in (("letters", "ab "), ("figures", "9"), ("marks", "a\u0301\u0323"), ("lines", "\n")):
        share = each // len(letter.encode() * (3 if letter == "\n" or not letter.isascii() else 1))
        yield f"long {kind}", {**given, **dict.fromkeys(named, letter * share)}
    many = FIELDS // len(named)
    yield "many formations", {**given, **{name: [f"advanced_corp{n}" for n in range(many)] for name in named}}
