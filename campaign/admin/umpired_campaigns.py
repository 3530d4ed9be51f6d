"""The campaigns a person umpires, loaded once for each request."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from campaign.fog.viewers import list_chief_campaigns, list_umpire_campaigns
from campaign.models import Campaign, User


@dataclass(frozen=True, slots=True)
class UmpireCampaigns:
    """The campaigns a person works in, by key; `chief` are those he umpires himself (HR-SET-08)."""

    user: User | AnonymousUser
    campaigns: Mapping[int, Campaign]
    chief: frozenset[int]

    @property
    def person(self) -> User:
        """Return the umpire; only signed-in people reach the desk."""
        assert isinstance(self.user, User)
        return self.user

    def format_title(self, campaign: Campaign) -> str:
        """A campaign's title, with its address where another of the person's has the same."""
        namesakes = sum(each.title == campaign.title for each in self.campaigns.values())
        return f"{campaign.title} ({campaign.slug})" if namesakes > 1 else campaign.title


def get_umpire_campaigns(request: HttpRequest) -> UmpireCampaigns:
    """The work of whoever asks, read once for each request."""
    kept: UmpireCampaigns | None = getattr(request, "_umpires_work", None)
    if kept is None or kept.user != request.user:
        kept = _load_umpire_campaigns(request.user)
        request._umpires_work = kept  # type: ignore[attr-defined]
    return kept


def _load_umpire_campaigns(user: User | AnonymousUser) -> UmpireCampaigns:
    if not (user.is_authenticated and user.is_active):
        return UmpireCampaigns(user, {}, frozenset())
    chief = Exists(list_chief_campaigns(user).filter(pk=OuterRef("pk")))
    rows = list_umpire_campaigns(user).select_related("order_of_battle").annotate(umpired=chief)
    found = {each.pk: each for each in rows.order_by("-pk")}
    return UmpireCampaigns(user, found, frozenset(key for key, each in found.items() if each.umpired))
