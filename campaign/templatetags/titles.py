"""Campaigns of one title told apart in a list."""

from collections.abc import Iterable
from typing import Any

from django import template

from campaign.models import Campaign

register = template.Library()


@register.filter
def told_apart(campaign: Campaign, rows: Iterable[Any]) -> str:
    """The campaign's name in addresses where another of the `rows`' campaigns has its title, else ""."""
    title = campaign.title.strip().casefold()
    alike = {row.campaign.pk for row in rows if row.campaign.title.strip().casefold() == title}
    return campaign.slug if len(alike) > 1 else ""
