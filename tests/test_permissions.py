"""Every address and every role: what comes is what `permissions.yaml` says, and who may not writes nothing.

    AWI_GOLDEN=write python -m pytest -n 0 tests/test_permissions.py

measures addresses that have no line (AWI_GOLDEN=anew all of them); the difference is read before it is kept.
"""

import os
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from tests.campaign.web.addresses import url_names
from tests.permissions import FILE, NOTHING, ROLES, WRITES, Matrix, Site, cells, methods, methods_of, site

Found = dict[str, dict[str, dict[str, str]]]
OTHERS = ("PUT", "PATCH", "DELETE")


def test_every_address_has_its_line_and_no_line_is_of_an_address_that_is_gone():
    known = methods_of()
    wanted = {name: set(methods(name, known)) for name in url_names()}
    told = {name: set(row) for name, row in Matrix.read().rows.items()}
    assert told == wanted, "AWI_GOLDEN=write, then read the difference"


def test_the_file_is_as_it_is_written():
    """Or a hand's slip in it would be taken for a permission."""
    assert Matrix.read().text() == FILE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.django_db
def test_everybody_gets_at_each_address_what_the_file_says_and_no_more(settings, tmp_path):
    settings.VAR_DIR = tmp_path  # where a scenario that was put up is written
    club = site()
    found: Found = {}
    faults = []
    mode = os.environ.get("AWI_GOLDEN")
    expected = Matrix.read().rows
    for page, method in cells(club):
        if mode == "write" and method in expected.get(page.name, {}):
            continue
        row = found.setdefault(page.name, {}).setdefault(method, {})
        for role in ROLES:
            row[role], written = club.ask(role, page, method)
            if row[role] in NOTHING and (told := changes(written)):
                faults.append(f"{role} {method} {page.path}: {row[role]}, and yet {told[0][:120]}")
    if mode in ("write", "anew"):
        there = {page.name: methods(page.name, club.methods) for page in club.pages}
        kept = merged({} if mode == "anew" else expected, found, there)
        FILE.write_text(Matrix(kept).text(), encoding="utf-8")
        expected = kept
    faults += [
        f"{role} {method} {name}: {word}, and not as its line says"
        for name, row in found.items()
        for method, cell in row.items()
        for role, word in cell.items()
        if expected.get(name, {}).get(method, {}).get(role) != word
    ]
    assert not faults, "\n".join(faults[:40])
    faults = [*other_methods(club), *without_a_token(club)]
    assert not faults, "\n".join(faults[:40])


def merged(old: Found, new: Found, there: Mapping[str, tuple[str, ...]]) -> Found:
    """The lines of addresses that are there, measured now or before."""
    return {
        name: {each: new.get(name, {}).get(each) or old[name][each] for each in taken}
        for name, taken in there.items()
    }


def changes(written: list[str]) -> list[str]:
    """What was written, but for sessions, and tries to sign in."""
    bookkeeping = ('"django_session"', '"axes_', '"campaign_auditentry"')
    return [each for each in written if not any(table in each.partition("WHERE")[0] for table in bookkeeping)]


def other_methods(club: Site) -> list[str]:
    """What an address does not take writes nothing, whoever sends it."""
    faults = []
    for page in club.pages:
        for method in OTHERS:
            if method in methods(page.name, club.methods):
                continue
            for role in ("anonymous", "umpire"):
                word, written = club.ask(role, page, method)
                if changes(written):
                    faults.append(f"{role} {method} {page.path}: {word} {written[:1]}")
    return faults


def without_a_token(club: Site) -> list[str]:
    """Another site's form, which has the session's cookie and no token, is refused everywhere."""
    client = Client(enforce_csrf_checks=True)
    user = club.people["umpire"]
    assert user is not None
    client.force_login(user)
    faults = []
    for page in club.pages:
        kind: dict[str, Any] = {"content_type": "application/json"} if page.name.startswith("api-") else {}
        for method in set(methods(page.name, club.methods)) & set(WRITES):
            status = getattr(client, method.lower())(page.path, "{}" if kind else {}, **kind).status_code
            if status not in (403, 404, 405, 415):
                faults.append(f"{method} {page.path} without a token: {status}")
    return faults
