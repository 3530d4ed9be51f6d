"""Rule ids on the pages, each a link to its rule."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from campaign.rulebook.book import RULE_ID
from campaign.rulebook.book import load_rulebook as every_rule

register = template.Library()

#: Titles that begin with a name keep their capital within a sentence.
PROPER = ("Continental", "European", "Loyalist")


@register.simple_tag(takes_context=True)
def rule(context: Mapping[str, Any], text: object) -> str:
    """One or more ids, set apart as ids are; within a campaign the rule tells what that has chosen."""
    return _render_rule_ids(str(text), _find_campaign_slug(context)) if text else ""


@register.simple_tag
def rule_title(key: object) -> str:
    """Return the title of a rule for use within a sentence; "" if there is no such rule."""
    found = every_rule().get(str(key))
    title = found.title if found else ""
    return title if title.startswith(PROPER) else title[:1].lower() + title[1:]


@register.simple_tag(takes_context=True, name="ruled")
def link_rule_names(context: Mapping[str, Any], text: object) -> str:
    """A sentence with every rule it names a link."""
    return _link_rules(conditional_escape(str(text)), _find_campaign_slug(context))


@lru_cache(maxsize=1024)
def _render_rule_ids(text: str, slug: str) -> str:
    return format_html('<span class="rule-id">{}</span>', _link_rules(conditional_escape(text), slug))


def _find_campaign_slug(context: Mapping[str, Any]) -> str:
    campaign = context.get("campaign")
    return str(getattr(campaign, "slug", ""))


def _link_rules(escaped: SafeString, slug: str) -> SafeString:
    """The text with its ids as links; it has been escaped, and an id holds nothing to escape."""

    return mark_safe(RULE_ID.sub(lambda found: _render_rule_link(found.group(), slug), escaped))


@lru_cache(maxsize=4096)
def _render_rule_link(key: str, slug: str) -> str:
    """An id as a link to its rule; the id alone where there is no such rule."""
    if key not in every_rule():
        return key
    asked = "?" + urlencode({"campaign": slug}) if slug else ""
    return format_html('<a class="rule" href="{}{}">{}</a>', reverse("rule", args=[key]), asked, key)
