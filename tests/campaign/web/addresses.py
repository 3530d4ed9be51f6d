"""Every address of the site with what is asked of it: the list for counts of queries and for times."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, reverse

from battles.files.reading import find_shipped_battles
from campaign.admin.site import umpire_site
from campaign.config import urls
from campaign.models import (
    Absence,
    ApiToken,
    BattlePhoto,
    Campaign,
    CampaignDraft,
    Job,
    Notice,
    Restoration,
    UploadedScenario,
    User,
)
from campaign.services.battles.comparisons import comparison_ask
from campaign.services.battles.standalone_fights import fight_ask
from campaign.services.notifications.calendars import calendar_make
from campaign.services.notifications.channels import channel_own
from campaign.web.campaign_page import SHEETS, UMPIRE_SHEETS

#: Who opens pages: signed out, an umpire, a side's commander, a spectator.
READERS = ("", "umpire", "crown", "spectator")
#: The admin's pages of each kind of row that hold rows of a campaign.
ADMIN_PAGES = ("changelist", "change", "import")
#: Sites of lists, by the name their addresses begin with.
SITES = {"admin": admin.site, "umpire": umpire_site}


@dataclass(frozen=True)
class Page:
    """A page: its name, with what is asked of it, and its address."""

    name: str
    path: str

    @property
    def url_name(self) -> str:
        return self.name.partition("?")[0]


def patterns(among: Any = urls.urlpatterns) -> Iterator[URLPattern]:
    """Every address of the site but those of lists, which `admin_pages` lists."""
    for each in among:
        if isinstance(each, URLPattern):
            yield each
        else:
            assert isinstance(each, URLResolver)
            if each.namespace is None:
                yield from patterns(each.url_patterns)
            else:
                assert each.namespace in SITES, f"Nobody counts the pages of {each.namespace}."


def url_names() -> set[str]:
    """Names of all addresses."""
    return {str(each.name) for each in patterns()} | {name for name, _ in admin_names()}


def admin_names() -> Iterator[tuple[str, Any]]:
    """The pages of lists with the model each is of."""
    yield "umpire:search", None
    for space, site in SITES.items():
        yield f"{space}:index", None
        for model, desk in site._registry.items():
            start = f"{model._meta.app_label}_{model._meta.model_name}_"
            known = {str(each.name) for each in desk.get_urls() if isinstance(each, URLPattern)}
            for page in ADMIN_PAGES:
                if f"{start}{page}" in known:
                    yield f"{space}:{start}{page}", model


def pages(campaign: Campaign, *, battle: int, token: str, formation: str = "advanced_corps") -> list[Page]:
    """All of them for one campaign; a number an address needs and nobody gives is 1."""
    values: dict[str, Any] = {
        "slug": campaign.slug,
        "code": getattr(campaign.letters.order_by("pk").first(), "code", "unknown"),
        "number": getattr(_submitted(campaign), "number", 1),
        "side": "crown",
        "book": "crown",
        "token": token,
        "by": "engine",
        "step": "rules",
        "pk": 1,
        "day": 1,
        "week": 1,
        "photo": _first(BattlePhoto.objects.filter(battle=battle)),
        "formation": formation,
        "unit": campaign.order_of_battle.units.order_by("pk").values_list("slug", flat=True)[0],
        "uidb36": "1",
        "job": _first(campaign.jobs),
        "rule": "HR-FOG-01",
    }
    papers = campaign.order_papers.filter(side="crown").order_by("pk")
    paper, draft = papers.filter(state="standing").first(), papers.filter(state="draft").first()
    assert paper is not None and draft is not None
    keys: dict[str, Any] = {
        "rule": "HR-FOG-01",
        "account_reset_password_from_key": "set-password",
    }
    values |= {"battle": battle, "name": next(iter(find_shipped_battles()))}
    umpire = campaign.seats.filter(role="umpire", user__isnull=False).order_by("pk")[0].user
    assert umpire is not None
    calendar = calendar_make(user=umpire)
    values["fight"] = fight_ask(data=document(), runs=1, seed=1, actor=umpire).pk
    values["comparison"] = comparison_ask(data=document(), runs=1, actor=umpire).pk
    keeper = User.objects.filter(is_superuser=True).order_by("pk").last()
    values |= {"restoration": restoration_failed(keeper or umpire).pk, "table": "units"}
    values["notice"] = _first(campaign.notices.order_by("pk"))
    numbers = {
        "restoration": values["restoration"],
        "battle": battle,
        **dict.fromkeys(("comparison", "comparison-stop", "comparison-again"), values["comparison"]),
        "invitation": _first(campaign.invitations),
        "job": _first(campaign.jobs),
        "rewind": _first(campaign.records.order_by("pk")),
        "notice-channel": channel_own(user=umpire).pk,
        "campaign-new-step": _first(CampaignDraft.objects.order_by("pk")),
        "hand-back": _first(campaign.records.order_by("pk")),
        "job-stop": _first(campaign.jobs),
        "job-again": _first(campaign.jobs),
        "seat-take": _first(campaign.seats.order_by("-offered", "pk")),
        "seat-leave": _first(campaign.seats.filter(role="spectator", user__isnull=False)),
        "away-back": _first(Absence.objects.order_by("pk")),
        "campaign-new-discard": _first(CampaignDraft.objects.order_by("pk")),
        "token-revoke": _first(ApiToken.objects.order_by("pk")),
    }
    found = []
    for pattern in patterns():
        name = str(pattern.name)
        kind = "battle" if name.startswith(("battle", "replay")) else name
        kind = "restoration" if name.startswith("restoration-") else kind
        parts = [*pattern.pattern.converters, *pattern.pattern.regex.groupindex]
        given = {key: values[key] for key in dict.fromkeys(parts) if key in values}
        if name == "api-problem":
            given["code"] = "rule"
        if "key" in parts:
            given["key"] = keys.get(name, "unknown")
        if "number" in parts:
            given["number"] = (draft if name == "draft" else paper).number
        if name.startswith("calendar-"):
            given["token"] = calendar
        if name.startswith("api-"):
            given |= {key: value for key, value in _of_program(name, numbers).items() if key in parts}
        if name.startswith(("scenario-", "api-scenario-")):
            given["slug"] = campaign.scenario
        if name == "own-scenario-remove":
            given["slug"] = getattr(UploadedScenario.objects.first(), "slug", "unknown")
        if "pk" in given:
            given["pk"] = numbers.get(kind, 1)
        found.append(Page(name, reverse(name, kwargs=given)))
    return [*found, *_asked(campaign, formation, values["code"]), *_admin_pages(campaign)]


def restoration_failed(user: User) -> Restoration:
    """An archive a keeper of the site has brought in, which was refused."""
    job = Job.objects.create(
        kind="campaign_restore", key="restore/pages", requested_by=user, state="failed", error="It was cut."
    )
    facts = {"title": "Saratoga 1777", "slug": "again", "data": b"x", "size": 1, "digest": "0" * 64}
    return Restoration.objects.create(owner=user, job=job, **facts)


def notice_failed(campaign: Campaign, user: User) -> Notice:
    """A letter that could not be sent."""
    facts = {"kind": "due", "subject": "1777-06-20T18:00:00+00:00", "state": "failed", "attempts": 5}
    return Notice.objects.get_or_create(campaign=campaign, user=user, **facts)[0]


def document() -> dict[str, Any]:
    """A battle file to fight."""
    found: dict[str, Any] = json.loads(
        next(iter(find_shipped_battles().values())).read_text(encoding="utf-8")
    )
    return found


def _of_program(name: str, numbers: dict[str, int]) -> dict[str, int]:
    """What addresses of the API need that their keys do not tell apart."""
    found = {"seat": numbers["seat-leave" if name == "api-seat-leave" else "seat-take"]}
    for start, kind in (("api-setup", "campaign-new-step"), ("api-way", "notice-channel")):
        if name.startswith(start):
            found["number"] = numbers[kind]
    if name == "api-absence":
        found["number"] = 0  # nobody's: absences are ended at another address
    if name == "api-own-invitation-accept":
        found["number"] = numbers["invitation"]
    return found


def _submitted(campaign: Campaign) -> Any:
    return campaign.order_papers.filter(side="crown", state="standing").first()


def _first(rows: Any) -> int:
    row = rows.first()
    return int(row.pk) if row else 1


def _admin_pages(campaign: Campaign) -> Iterator[Page]:
    for name, model in admin_names():
        try:
            yield Page(name, reverse(name))
        except NoReverseMatch:
            # a job may be nobody's but a person's: the umpire sees those of his campaign
            rows = campaign.jobs if model is Job else model.objects
            yield Page(name, reverse(name, args=[_first(rows.order_by("pk"))]))


def _asked(campaign: Campaign, formation: str, letter: str) -> Iterator[Page]:
    """The pages that are another when asked for something."""
    asked = {"campaign": [f"sheet={sheet}" for sheet in (UMPIRE_SHEETS | SHEETS)]}
    asked["campaign"] += ["day=3", "sheet=journal&page=2", f"sheet=orders&formation={formation}"]
    asked["campaign-map"] = asked["map-list"] = ["day=3"]
    asked["letters"] = ["letter=CODE", "box=sent"]
    asked["campaign"] += [f"sheet=letters&{query}" for query in asked["letters"]]
    asked["army"] = ["week=2"]
    asked["week-desk"] = [f"act=place&formation={formation}"]
    asked["journal"] = ["q=march", f"formation={formation}", "week=2"]
    asked["reach"] = [f"formation={formation}"]
    for name, each in asked.items():
        address = reverse(name, args=[campaign.slug])
        for query in each:
            yield Page(f"{name}?{query}", f"{address}?{query.replace('CODE', letter)}")


def reader_of(people: dict[str, User], role: str) -> Client:
    """A browser, signed in as somebody."""
    client = Client()
    if role:
        client.force_login(people[role])
    return client
