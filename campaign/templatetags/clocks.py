"""Moments on pages, by the clock of who reads them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.template.defaultfilters import date

from campaign.models import find_person_time_zone, find_time_zone, format_time_zone

register = template.Library()


@register.simple_tag(takes_context=True)
def at(context: Mapping[str, Any], moment: datetime | None, form: str) -> str:
    """A moment by the reader's own clock, or the club's if he has none; `clock` names which it is."""
    if moment is None:
        return ""
    return str(date(moment.astimezone(find_time_zone(context.get("user"), context["campaign"])), form))


@register.simple_tag(takes_context=True)
def clock(context: Mapping[str, Any]) -> str:
    """The zone of the clock that `at` tells moments by, as "America/New York"."""
    return format_time_zone(find_time_zone(context.get("user"), context["campaign"]))


@register.simple_tag(takes_context=True)
def own_moment(context: Mapping[str, Any], moment: datetime | None, form: str) -> str:
    """A moment of no campaign, by the reader's own clock, which `own_clock` names; UTC for who has none."""
    return (
        ""
        if moment is None
        else str(date(moment.astimezone(find_person_time_zone(context.get("user"))), form))
    )


@register.simple_tag(takes_context=True)
def own_clock(context: Mapping[str, Any]) -> str:
    """The zone of the clock that `own_moment` tells moments by."""
    return format_time_zone(find_person_time_zone(context.get("user")))
