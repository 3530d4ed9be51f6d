"""A club's site to be asked through its API by everybody, and what each sends to say who he is.

Run as a program with DATABASE_URL set, it makes the database and prints as JSON whom it seated.
"""

import base64
import csv
import hashlib
import io
import json
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

#: Who asks beside those of tests/permissions.py.
EXPIRED, NARROW, BROWSER = "expired", "narrow", "browser"
#: The campaign in which a battle waits for its table.
WAITING = "waiting"
#: Archives the site's keeper has brought in, which failed; and units of each campaign that are renamed.
ARCHIVES, RENAMED = 4, 4
#: Who meets where, so that a battle waits: (formation, place, order).
MEETING = (("advanced_corps", "castleton", "hubbardton"), ("poors_brigade", "hubbardton", ""))


def club() -> dict[str, Any]:
    """Makes the site. `headers` by role, the `slug`, what addresses and bodies name, and files to send.

    `archive` is one of a campaign on its first morning, in base64; `tables` are units as CSV, by campaign.
    """
    from campaign.models import ApiToken, Campaign
    from campaign.scenarios.theatres import theatre_load
    from campaign.services.accounts.tokens import token_make
    from tests.factories.people import signed_in
    from tests.permissions import site

    people = site().people
    campaign = Campaign.objects.exclude(slug="elsewhere").get()
    # a row put in there to have a page is none of the world's, and nothing could be done on this head
    campaign.order_of_battle.pools.filter(nation="british", arm="line", points=0).delete()
    people["guest"] = _battle_waits(people)
    every = ApiToken.Scope.values
    tokens = {
        role: token_make(user=user, name="made up", scopes=every)[1]
        for role, user in people.items()
        if user is not None
    }
    umpire = people["umpire"]
    tokens[NARROW] = token_make(user=umpire, name="reads only", scopes=["read"])[1]
    old, tokens[EXPIRED] = token_make(user=umpire, name="of last year", scopes=every)
    old.expires_at -= timedelta(days=400)
    old.save()
    headers: dict[str, dict[str, str]] = {
        role: {"Authorization": f"Bearer {token}"} for role, token in tokens.items()
    }
    session, token = signed_in(people["commander"]).cookies["sessionid"].value, "x" * 32
    headers[BROWSER] = {"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token}
    book = campaign.order_of_battle
    atlas = theatre_load(campaign).atlas
    return {
        "slug": campaign.slug,
        "headers": headers | {"anonymous": {}},
        "sides": list(book.sides.values_list("slug", flat=True)),
        "formations": list(book.formations.values_list("slug", flat=True)),
        "units": list(book.units.values_list("slug", flat=True)),
        "places": list(atlas.places),
        "routes": list(atlas.routes),
        "archive": base64.b64encode(archives_brought(people["administrator"], "elsewhere")).decode(),
        "tables": {slug: tables_of(slug) for slug in (campaign.slug, WAITING)},
    }


def archives_brought(keeper: Any, slug: str) -> bytes:
    """Archives of a campaign that failed, as the site's keeper brought them; gives the file."""
    from django.utils import timezone

    from campaign.models import Campaign, Job, Restoration
    from campaign.services.archive.export import campaign_export

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.zip"
        campaign_export(campaign=Campaign.objects.get(slug=slug), path=path, with_secret=True)
        data = path.read_bytes()
    failed = {"kind": "campaign_restore", "requested_by": keeper, "state": "failed", "error": "It was cut."}
    file = {"title": "Quite another war", "data": data, "size": len(data), "digest": _sha256(data)}
    Restoration.objects.filter(owner=keeper).delete()  # made to have a page, and no archive
    for number in range(ARCHIVES):
        job = Job.objects.create(key=f"restore/club-{number}", **failed)
        row = Restoration.objects.create(owner=keeper, job=job, slug=f"failed-{number}", **file)
        job.payload = {"restoration": row.pk}
        job.save()
    long_ago = timezone.now() - timedelta(days=30)  # so that they do not count among those of this week
    Job.objects.filter(requested_by=keeper, kind="campaign_restore").update(created_at=long_ago)
    return data


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tables_of(slug: str) -> list[str]:
    """Tables of one unit each, which give it another name."""
    from campaign.models import Campaign

    found = []
    for unit in Campaign.objects.get(slug=slug).order_of_battle.units.order_by("slug")[:RENAMED]:
        table = csv.writer(stream := io.StringIO())
        table.writerows([("id", "name", "points"), (unit.slug, f"{unit.name} anew", unit.points)])
        found.append(stream.getvalue())
    return found


def _battle_waits(people: Mapping[str, Any]) -> Any:
    """A second campaign of the same people, where a battle waits for its table; who is its guest."""
    from campaign.models import Campaign, Seat, User
    from campaign.rules.umpire import corrections
    from campaign.rules.world.world import Order, Position
    from campaign.services.seats.changes import seat_open
    from campaign.services.setup.campaigns import SeatPlan, campaign_create
    from campaign.services.turns.days import day_advance
    from campaign.services.umpire.corrections import act_perform

    seats = (
        SeatPlan(Seat.Role.UMPIRE, user=people["umpire"]),
        SeatPlan(Seat.Role.COMMANDER, "crown", user=people["commander"]),
        SeatPlan(Seat.Role.COMMANDER, "rebel", user=people["enemy"]),
    )
    campaign = campaign_create(scenario="saratoga-1777", slug=WAITING, title="Hubbardton", seats=seats)
    for formation, place, goal in MEETING:
        order = Order(formation, (goal,) if goal else (), stance="attack" if goal else "give_battle")
        for act in (
            corrections.PlaceFormation(formation, Position(place=place)),
            corrections.CommandFormation(formation, order),
        ):
            campaign = Campaign.objects.get(slug=WAITING)
            act_perform(campaign=campaign, act=act, reason="Here they meet.", actor=None)
    campaign = Campaign.objects.get(slug=WAITING)
    waiting = day_advance(campaign=campaign, actor=None).battles_waiting
    for role in ("assistant", "spectator"):
        Seat.objects.create(campaign=campaign, user=people[role], role=role)
    gunner = User.objects.create_user("gunner")
    given = {"campaign": Campaign.objects.get(slug=WAITING), "actor": people["umpire"]}
    seat_open(role="guest", side="crown", battle=waiting[0], user=gunner, **given)
    return gunner


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    setup_test_environment()  # letters stay in this process
    call_command("migrate", verbosity=0)
    print("\n" + json.dumps(club()))  # the last line: what is called says things too


if __name__ == "__main__":
    main()
