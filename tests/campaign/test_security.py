"""Headers and cookies of every kind of answer, secrets from the environment alone, none in logs or errors."""

import ast
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.views.debug import technical_500_response

from campaign.models import User
from campaign.ops.csv_escape import plain_cell
from rosters.domain.text import FORMULAS, unescape_cell
from tests.campaign.web.addresses import patterns
from tests.factories.people import signed_in
from tests.test_house import settings_with

ROOT = Path(__file__).resolve().parents[2]
PAGE = "/campaigns/saratoga/"
WANTED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
POLICY = (
    "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'",
    "form-action 'self'",
)  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/", "/sign-in/", PAGE, f"{PAGE}map.geojson", f"{PAGE}army.csv", "/umpire/", "/admin/", "/nowhere/",
        "/health/", "/api/v1/me/", "/api/v1/nowhere/", "/api/v1/docs/", "/rulebook/", f"{PAGE}orders/",
    ],
)  # fmt: skip
def test_every_kind_of_answer_has_the_headers(saratoga, desk, settings, path):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31536000
    answer = desk.get(path, secure=True)
    assert {name: answer.headers.get(name) for name in WANTED} == WANTED
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    told = answer.headers["Content-Security-Policy"]
    assert all(each in told for each in POLICY), told
    loose = path.startswith(("/umpire/", "/admin/"))
    assert ("unsafe" in told) == loose and "http:" not in told and "*" not in told
    assert "Server" not in answer.headers and "X-Powered-By" not in answer.headers


@pytest.mark.django_db
def test_plain_http_is_led_to_https_and_what_is_a_persons_is_kept_by_no_proxy(saratoga, crown, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = crown.get(PAGE)
    assert (answer.status_code, answer["Location"]) == (301, f"https://testserver{PAGE}")
    told = crown.get(PAGE, secure=True).headers
    assert "private" in told.get("Cache-Control", "") or "no-store" in told.get("Cache-Control", "")
    assert "Cookie" in told["Vary"]


@pytest.mark.django_db
def test_cookies_are_for_https_this_site_and_no_script(burgoyne, settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client = Client()
    client.get("/sign-in/", secure=True)
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"}, secure=True)
    session, csrf = client.cookies["sessionid"], client.cookies["csrftoken"]
    assert session["secure"] and session["httponly"] and session["samesite"] == "Lax"
    assert csrf["secure"] and csrf["samesite"] == "Lax"


@pytest.mark.django_db
def test_signing_in_changes_the_session_and_signing_out_ends_it(burgoyne):
    client = Client()
    client.get("/join/nothing/")
    session = client.session
    session["before"] = 1
    session.save()
    before = client.cookies["sessionid"].value
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
    after = client.cookies["sessionid"].value
    assert before != after
    client.post("/sign-out/")
    stolen = Client()
    stolen.cookies["sessionid"] = after
    assert stolen.get("/account/").status_code == 302


# --- existence ---


#: Values of addresses' parts, for asking; the slug and the numbers are what is asked about.
PARTS = {
    "side": "crown", "by": "engine", "step": "rules", "formation": "advanced_corps", "unit": "br_24_1",
    "code": "unknown", "key": "x", "token": "x", "rule": "HR-FOG-01",
}  # fmt: skip


@pytest.mark.django_db
def test_a_foreign_campaign_is_answered_as_one_that_is_not_there_in_as_many_queries(saratoga, stranger):
    """Neither the answer nor what it takes tells who asks whether a campaign exists (404 for both)."""
    faults = []
    for pattern in patterns():
        parts = pattern.pattern.converters
        if "slug" not in parts or str(pattern.name).startswith(("scenario-", "campaign-new")):
            continue
        for method in ("get", "post"):
            told = []
            for slug in ("saratoga", "valcours"):
                path = _address(pattern, slug)
                stranger.get("/account/")  # the session and the person are read alike for both
                with CaptureQueriesContext(connection) as asked:
                    answer = getattr(stranger, method)(path)
                body = re.sub(
                    rb'csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"', b"", answer.content
                )
                told.append((answer.status_code, body.replace(slug.encode(), b""), len(asked)))
            if told[0] != told[1]:
                faults.append(f"{method} {path}: {[(each[0], each[2]) for each in told]}")
    assert not faults, "\n".join(faults)


def _address(pattern, slug: str) -> str:
    from django.urls import reverse

    given = {name: PARTS.get(name, 1) for name in pattern.pattern.converters}
    return reverse(str(pattern.name), kwargs={**given, "slug": slug})


@pytest.mark.django_db
def test_a_number_of_the_enemys_is_answered_as_one_nobody_has(saratoga, burgoyne, gates, crown):
    from campaign.rules.world.world import Order
    from campaign.services.dispatches import letter_send
    from campaign.services.orders.march_orders import order_submit

    paper = order_submit(campaign=saratoga, side="rebel", order=Order("poors_brigade"), actor=gates)
    umpire = saratoga.seats.get(role="umpire")
    letter = letter_send(
        campaign=saratoga, author=gates, to=[umpire.pk], subject="S", text="A secret of ours."
    )
    asked_for = {
        "receipts": (f"{PAGE}receipts/rebel/{paper.number}/", f"{PAGE}receipts/rebel/99/"),
        "letters": (f"{PAGE}?sheet=letters&letter={letter.code}", f"{PAGE}?sheet=letters&letter=zzzzzzzzzz"),
        "letter": (f"/api/v1{PAGE}letters/{letter.code}/", f"/api/v1{PAGE}letters/zzzzzzzzzz/"),
    }
    for what, (there, missing) in asked_for.items():
        told = []
        for path in (there, missing):
            crown.get(path)  # what is kept in memory for all is kept now
            with CaptureQueriesContext(connection) as asked:
                answer = crown.get(path)
            told.append((answer.status_code, len(asked)))
        assert told[0] == told[1], what


# --- secrets ---

SECRET = re.compile(r"(?i)(secret|password|passwd|api_?key|private_?key|token)s?$")


def test_no_secret_stands_in_the_settings_or_the_code():
    """A name that is a secret's is given a value from the environment or made, never a text."""
    found = []
    for folder in ("campaign", "battles", "rosters", "tools"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(
                    node.value, ast.Constant
                ):
                    continue
                if (
                    not isinstance(node.value.value, str)
                    or len(node.value.value) < 8
                    or " " in node.value.value
                ):
                    continue
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found += [
                    f"{file.relative_to(ROOT)}:{node.lineno}"
                    for target in targets
                    if SECRET.search(getattr(target, "id", getattr(target, "attr", "")))
                ]
    assert found == []


def test_no_file_of_the_project_holds_a_key():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    keys = re.compile(
        rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bawi_[A-Za-z0-9_-]{43}\b|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{36}\b"
        rb"|(?:postgres|redis|smtp\+?\w*)://[^\s:/@'\"{}]+:(?!password\b)[^\s@'\"{}]{8,}@(?!localhost|127\.|db\b)"
    )
    holding = [
        name
        for name in listed.decode().split("\0")
        if name and (ROOT / name).is_file() and keys.search((ROOT / name).read_bytes())
    ]
    assert holding == []


def test_secrets_come_from_the_environment(tmp_path):
    shown = settings_with(
        tmp_path, DATABASE_URL="postgres://gates:bemis@db/campaign", SECRET_KEY="saratoga-key"
    )
    assert "bemis" not in json.dumps(shown)


def crashed(request) -> str:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        return technical_500_response(request, *sys.exc_info()).content.decode()


@pytest.mark.django_db
def test_error_pages_tell_no_secret_even_with_debug(settings, burgoyne):
    settings.DEBUG = True
    token = "".join(["awi_", "x1", "y2"])
    request = RequestFactory().post(
        "/sign-in/", {"password": "Gentleman Johnny"}, HTTP_AUTHORIZATION=f"Bearer {token}"
    )
    page = crashed(request)
    assert settings.SECRET_KEY not in page
    assert token not in page


@pytest.mark.django_db
def test_logs_tell_no_password_no_token_and_no_link(burgoyne, carleton, saratoga, caplog):
    from campaign.services.accounts.tokens import token_make
    from campaign.services.seats.changes import seat_open
    from campaign.services.seats.invitations import invitation_make

    with caplog.at_level(logging.DEBUG):
        client = Client()
        client.post("/sign-in/", {"login": "burgoyne", "password": "A wrong one"})
        client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
        _, text = token_make(user=burgoyne, name="a program", scopes=["read"])
        Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {text}"})
        Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {text}x"})
        seat = seat_open(campaign=saratoga, role="spectator", actor=carleton)
        _, link = invitation_make(campaign=saratoga, seat=seat, actor=carleton)
        Client().get(f"/join/{link}/")
    told = "\n".join(record.getMessage() for record in caplog.records if record.name != "django.db.backends")
    for secret in ("A wrong one", "Gentleman Johnny", text, link):
        assert secret not in told


# --- tables ---


@pytest.mark.parametrize("start", FORMULAS)
def test_no_cell_that_leaves_begins_as_a_formula_and_comes_back_as_it_was(start):
    text = f"{start}HYPERLINK(1)"
    assert not str(plain_cell(text)).startswith(FORMULAS)
    assert unescape_cell(str(plain_cell(text))) == text
    assert plain_cell(-3) == -3


def test_every_table_that_leaves_is_written_of_plain_cells():
    """Who writes CSV or workbooks goes by campaign.ops.csv_escape; degrees west of a scenario keep their
    minus.
    """
    writes = re.compile(r"csv\.(writer|DictWriter)\(|export_data\(|Workbook\(")
    loose = [
        str(file.relative_to(ROOT))
        for folder in ("campaign", "battles", "rosters")
        for file in (ROOT / folder).rglob("*.py")
        if writes.search(file.read_text()) and "campaign.ops.csv_escape import" not in file.read_text()
    ]
    assert loose == ["campaign/scenarios/atlas_import.py"]


@pytest.mark.django_db
def test_a_unit_called_a_formula_leaves_as_text(saratoga, carleton, crown):
    from campaign.rules.umpire.corrections import Rename
    from campaign.services.umpire.corrections import act_perform

    name = '=HYPERLINK("http://example.org","24th")'
    act_perform(campaign=saratoga, act=Rename("unit", "br_24_1", name), reason="A jest.", actor=carleton)
    for client, path in (
        (crown, f"{PAGE}army.csv"),
        (signed_in(carleton), "/umpire/rosters/unit/?export=csv"),
    ):
        for line in client.get(path).content.decode().splitlines():
            assert not any(cell.strip('"').startswith(("=", "+", "@")) for cell in line.split(",")), line
    assert User.objects.count() > 0
