"""Fills a site for the tests of load and faults; run as a program with its settings, JSON in and out.

`campaigns` of Saratoga with ten players and an umpire each, all armies on the march by the staff's orders of
the first morning, battles settled by the engine; and beside them one campaign in which a battle waits for its
table. Everybody has a token and a signed-in session; with `webhook` everybody's notices go there. An
administrator has no seat; `empty` seats for spectators wait in the first campaign.
"""

import json
import sys
from typing import Any

import django

#: Column commanders of a side, beside its commander.
COLUMNS = 4
SIDES = ("crown", "rebel")
TABLE = "table"
#: With these dice the two meet at Hubbardton on the first day.
SECRET = b"the dice of these tests, 32 byte"


def main(wanted: dict[str, Any]) -> dict[str, Any]:
    """What was made: players, umpires and the people of the table, each with a key."""
    found: dict[str, Any] = {"players": [], "umpires": []}
    for number in range(wanted["campaigns"]):
        slug = f"saratoga-{number + 1}"
        _campaign(slug, wanted, found)
    found["table"] = _table(wanted)
    found["keeper"] = _told(_person("keeper", wanted, is_staff=True, is_superuser=True), "", "")
    found["empty"] = _empty_seats("saratoga-1", wanted.get("empty", 0))
    return found


def _campaign(slug: str, wanted: dict[str, Any], found: dict[str, Any]) -> None:
    from campaign.ai.commander import staff_orders
    from campaign.ledger.world_rows import world_load
    from campaign.models import Seat
    from campaign.services.orders.march_orders import staff_orders_submit
    from campaign.services.seats.changes import seat_open
    from campaign.services.setup.campaigns import SeatPlan, campaign_create

    umpire = _person(f"{slug}-umpire", wanted)
    chiefs = {side: _person(f"{slug}-{side}-0", wanted) for side in SIDES}
    seats = [SeatPlan("umpire", user=umpire)]
    seats += [SeatPlan("commander", side, user=user) for side, user in chiefs.items()]
    campaign = campaign_create(
        scenario="saratoga-1777", slug=slug, title=slug, seats=tuple(seats), battle_policy="automatic"
    )
    world = world_load(campaign)
    for side, chief in chiefs.items():
        staff_orders_submit(campaign=campaign, side=side, orders=staff_orders(world, side), world=world)
        free = [
            each.id for each in world.formations.values()
            if each.side == side and each.position is not None and not each.garrison and not each.parent
        ]  # fmt: skip
        shares = [free[number :: COLUMNS + 1] for number in range(COLUMNS + 1)]
        found["players"].append(_told(chief, slug, side))
        for number, formations in enumerate(shares[1:], 1):
            user = _person(f"{slug}-{side}-{number}", wanted)
            seat_open(
                campaign=campaign, role=Seat.Role.COLUMN, side=side, user=user, formations=formations,
                actor=umpire,
            )  # fmt: skip
            found["players"].append(_told(user, slug, side))
    found["umpires"].append(_told(umpire, slug, ""))


def _table(wanted: dict[str, Any]) -> dict[str, Any]:
    """Fraser has attacked Poor at Hubbardton, and the battle waits."""
    from campaign.models import Battle
    from campaign.rules.umpire import corrections
    from campaign.rules.world.world import Order, Position
    from campaign.services.battles.methods import battle_way_choose
    from campaign.services.orders.march_orders import order_submit
    from campaign.services.setup.campaigns import SeatPlan, campaign_create
    from campaign.services.turns.days import day_advance
    from campaign.services.umpire.corrections import act_perform

    umpire, *chiefs = (_person(f"{TABLE}-{name}", wanted) for name in ("umpire", *SIDES))
    seats = [SeatPlan("umpire", user=umpire)]
    seats += [SeatPlan("commander", side, user=user) for side, user in zip(SIDES, chiefs, strict=True)]
    campaign = campaign_create(
        scenario="saratoga-1777", slug=TABLE, title="Thursday's table", seats=tuple(seats), secret=SECRET,
        settings={"battle_odds": "sides"},
    )  # fmt: skip
    for name, place in (("advanced_corps", "castleton"), ("poors_brigade", "hubbardton")):
        act = corrections.PlaceFormation(name, Position(place=place))
        act_perform(campaign=campaign, act=act, reason="The story begins here.", actor=umpire)
    order = Order("advanced_corps", ("hubbardton",), stance="attack")
    order_submit(campaign=campaign, side="crown", order=order, actor=chiefs[0])
    day_advance(campaign=campaign, actor=None)
    battle = Battle.objects.get(campaign=campaign)
    battle_way_choose(battle=battle, way=Battle.Way.TABLE, actor=umpire)
    units = {
        side: [row["id"] for row in battle.inputs["file"]["units"] if row["side"] == side] for side in SIDES
    }
    people = {side: _told(user, TABLE, side) for side, user in zip(SIDES, chiefs, strict=True)}
    return {"battle": battle.pk, "units": units, "umpire": _told(umpire, TABLE, ""), **people}


def _empty_seats(slug: str, number: int) -> list[int]:
    """Numbers of new seats that nobody holds."""
    from campaign.models import Campaign, Seat
    from campaign.services.seats.changes import seat_open

    campaign = Campaign.objects.get(slug=slug)
    return [
        seat_open(campaign=campaign, role=Seat.Role.SPECTATOR, title=f"Spectator {count}", actor=None).pk
        for count in range(1, number + 1)
    ]


def _person(name: str, wanted: dict[str, Any], **rights: Any) -> Any:
    from django.utils import timezone

    from campaign.models import User
    from campaign.services.notifications.channels import channel_add

    user = User.objects.create_user(name, **rights)
    if address := wanted.get("webhook"):
        channel, _ = channel_add(user=user, kind="webhook", address=f"{address}/{name}")
        channel.verified_at = timezone.now()
        channel.save()
    return user


def _told(user: Any, slug: str, side: str) -> dict[str, str]:
    from django.conf import settings
    from django.test import Client

    from campaign.services.accounts.tokens import token_make

    browser = Client()
    browser.force_login(user)
    token = token_make(user=user, name="load", scopes=("read", "order", "umpire"))[1]
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    return {"name": user.username, "slug": slug, "side": side, "token": token, "session": session}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(main(json.load(sys.stdin))))
