"""Lists are drawn by `campaign.templatetags.choices` as Django's own templates draw them, only sooner."""

from html.parser import HTMLParser

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from campaign.web.forms import MarkedSelect


class Tags(HTMLParser):
    """What a browser makes of it: tags with their attributes, and words between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[object] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, sorted(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append(data.strip())


ODD = [
    ("", "any"),
    (3, gettext_lazy("Yes")),
    ('"><script>', "Ticonderoga & <b>Crown Point</b>"),
    ("safe", mark_safe("Fort&nbsp;Edward")),
    ("Up the 'river'", [("a", "Albany"), ("b", 'the "Flats"')]),
]


@pytest.mark.parametrize("chosen", ["", "3", "b", '"><script>', "none of them", ["a", "3"]])
@pytest.mark.parametrize("kind", [forms.Select, forms.SelectMultiple, MarkedSelect])
def test_a_list_says_what_djangos_own_template_says(kind, chosen):
    widget = kind(attrs={"class": "wide", "required": True, "disabled": False}, choices=ODD)
    if kind is MarkedSelect:
        widget.marks = {"a": {"data-lat": "42.6", "hidden": True, "title": 'north & "south"'}}
    drawn = widget.render("place", chosen)
    usual = widget.render("place", chosen, renderer=DjangoTemplates())
    assert Tags(drawn).found == Tags(usual).found
    assert "<script>" not in drawn and "<b>" not in drawn
