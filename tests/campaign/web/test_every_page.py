"""The list of pages has them all, and every answer of a page keeps to the strict policy."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.campaign.web.addresses import admin_names
from tests.factories.demo_course import DemoCourse
from tests.factories.every_page import NO_PAGES, PAGES, STAGES

TEMPLATES = Path(__file__).parents[3] / "templates"
#: What the policy forbids, in any form; `hx-on` would be evaluated.
INLINE = {
    "a script without an address": re.compile(r"<script(?![^>]*\bsrc=)[^>]*>"),
    "a style element": re.compile(r"<style\b"),
    "a style attribute": re.compile(r"<[^>]*\sstyle="),
    "a handler in an attribute": re.compile(r"<[^>]*\s(?:on[a-z]+|hx-on[^=]*)="),
    "a javascript: address": re.compile(r"""=["']javascript:"""),
}
STRICT = ("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'")


def names(patterns: Any) -> set[str]:
    """Names of all addresses of the site; the admin's are left out, and the API's, which are data."""
    found: set[str] = set()
    for each in patterns:
        if isinstance(each, URLResolver) and str(each.pattern) == "api/v1/":
            found.add("api-docs")
        elif isinstance(each, URLResolver):
            found |= set() if each.app_name == "admin" else names(each.url_patterns)
        elif isinstance(each, URLPattern):
            found.add(str(each.name))
    return found


def test_every_address_is_a_page_of_the_list_or_named_with_a_reason():
    listed = {page.url for page in PAGES}
    site = names(get_resolver().url_patterns)
    assert site - listed - set(NO_PAGES) == set()
    assert set(NO_PAGES) - site == set()
    assert listed & set(NO_PAGES) == set()


def test_every_one_of_the_umpires_lists_is_a_page_of_the_list():
    listed = {page.url for page in PAGES}
    lists = {name for name, _ in admin_names() if name.startswith("umpire:")}
    assert len(lists) > 20
    assert lists - listed == {"umpire:rosters_pool_change"}  # points need not have come back by then


def test_every_page_of_a_fault_is_a_page_of_the_list():
    """Their templates are named by the status they are sent with."""
    shown = {page.status for page in PAGES if page.name == f"error-{page.status}"}
    assert shown == {int(each.stem) for each in TEMPLATES.glob("[45]??.html")}


def test_no_two_photographs_have_one_name():
    taken = [page.name for page in PAGES]
    assert len(taken) == len(set(taken))


@pytest.mark.django_db
@pytest.mark.slow
def test_every_page_keeps_to_the_strict_policy():
    cache.clear()
    course, faults = DemoCourse(), []
    for stage, pages in STAGES.items():
        course.go(stage)
        for page in pages:
            answer = page.answer(course)
            if not page.by and not page.address:
                assert resolve(page.path(course).partition("?")[0]).url_name in page.url
            assert answer["Content-Type"].startswith("text/html"), page.name
            if page.url.startswith("umpire:"):
                continue
            policy = answer["Content-Security-Policy"]
            if page.url.startswith("admin:"):  # the site's own page at an address of the admin
                policy = policy.replace(" 'unsafe-eval'", "").replace(" 'unsafe-inline'", "")
            faults += [f"{page.name}: the policy lacks {each}" for each in STRICT if each not in policy]
            faults += [
                f"{page.name}: the policy allows {each}" for each in ("unsafe", "http", "*") if each in policy
            ]
            text = answer.content.decode()
            faults += [
                f"{page.name}: {what}: {hit[0][:80]}"
                for what, each in INLINE.items()
                if (hit := each.search(text))
            ]
    assert not faults, "\n".join(faults)
