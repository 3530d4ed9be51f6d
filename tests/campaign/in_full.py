"""Six people play Saratoga through the services: every kind of order, the umpire's hand, a rewind.

Each seat follows its staff's advice and, beside it, gives whatever order has been given least so far and
is allowed that morning, so that in the course of weeks every kind comes up. Nothing is thrown: the same
seed gives the same campaign.
"""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from django.conf import settings

from campaign.ai.commander import staff_orders
from campaign.ledger.world_rows import world_load
from campaign.models import DayRecord, Seat, User
from campaign.rules.army.organisation import KINDS, Escort, Transfer, is_in_column, kind_of, subject_of
from campaign.rules.orders.consistency import taken_by
from campaign.rules.orders.orders import verify_order
from campaign.rules.returns.week import WeekChoices, verify_choices
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Activity, Formation, Order, Position, World, present_units
from campaign.services.archive.export import campaign_export
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit, returns_submit
from campaign.services.proof.database import Verified, campaign_verify
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform
from tests.campaign.papers_possible import (
    BESIEGER,
    allowed,
    choices_possible,
    orders_possible,
    organisation_possible,
)
from tests.servers import own_database

SECRET = b"the dice of a campaign in full, "
#: What an order of march may say besides its places.
MARCHES = ("starts", "stages", "plus_half", "double", "by_water", "attack", "delay", "avoid")
#: What a paper of returns may choose where units raise themselves.
RETURNS = ("fills", "balancing", "downgrades", "raised", "first")
#: Every kind of paper the six may give.
EVERY_KIND = {*MARCHES, *get_args(Activity), *KINDS, *RETURNS}
#: St Leger goes before Fort Stanwix and digs there.
FORT = "fort_stanwix"
SIDES = ("crown", "rebel")


class Table:
    """The campaign, its six people, and what they have ordered so far by kind."""

    def __init__(self, slug: str = "in-full", seed: int = 1777) -> None:
        names = ("carleton", "burgoyne", "fraser", "riedesel", "gates", "arnold")
        self.people = {name: User.objects.create_user(name) for name in names}
        commander, column = Seat.Role.COMMANDER, Seat.Role.COLUMN
        seats = (
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=self.people["carleton"]),
            SeatPlan(commander, "crown", "Burgoyne", self.people["burgoyne"]),
            SeatPlan(
                column, "crown", "Fraser", self.people["fraser"], ("advanced_corps", "provincial_corps")
            ),
            SeatPlan(
                column, "crown", "Riedesel", self.people["riedesel"],
                ("german_1st_brigade", "german_2nd_brigade", "reserve_corps"),
            ),
            SeatPlan(commander, "rebel", "Gates", self.people["gates"]),
            SeatPlan(column, "rebel", "Arnold", self.people["arnold"], ("poors_brigade", "learneds_brigade")),
        )  # fmt: skip
        self.campaign = campaign_create(
            scenario="saratoga-1777",
            slug=slug,
            secret=SECRET,
            battle_policy="automatic",
            seats=seats,
            settings={"supply": "food", "auto_raise_units": False, "boats": "counted"},
            actor=self.people["carleton"],
        )
        self.commanders = {"crown": self.people["burgoyne"], "rebel": self.people["gates"]}
        self.columns = list(Seat.objects.filter(campaign=self.campaign, role=column).order_by("pk"))
        self.given: Counter[str] = Counter()
        self.draw = random.Random(seed)

    # --- the days ---

    def play(self, days: int) -> None:
        """Order and advance day by day."""
        for _ in range(days):
            self.order()
            self.advance()

    def order(self) -> None:
        """Everybody's papers for the coming day, in an order that is drawn."""
        world = world_load(self.campaign)
        papers: list[Callable[[], Any]] = []
        for side in SIDES:
            gone, organised = self._organisation(world, side)
            papers += self._orders(world, side, gone) + organised
        self.draw.shuffle(papers)
        for submit in papers:
            submit()

    def advance(self) -> DayRecord:
        """Play the coming day."""
        (record, *_) = day_advance(campaign=self.campaign, actor=self.people["carleton"]).records
        self.campaign.refresh_from_db()
        return record

    def act(self, act: corrections.Act, reason: str) -> DayRecord:
        """An act of the umpire's."""
        record = act_perform(campaign=self.campaign, act=act, reason=reason, actor=self.people["carleton"])
        self.campaign.refresh_from_db()
        return record

    def rewind(self, record: DayRecord, reason: str) -> DayRecord:
        """Back to the morning that `record` ended with."""
        done = campaign_rewind(
            campaign=self.campaign, record=record, reason=reason, actor=self.people["carleton"]
        )
        self.campaign.refresh_from_db()
        return done

    def who(self, side: str, formation: str) -> User:
        """Who orders a formation: its column's commander, else the side's."""
        for seat in self.columns:
            if seat.side == side and is_in_column(seat.formations, formation) and seat.user:
                return seat.user
        return self.commanders[side]

    # --- orders ---

    def _orders(self, world: World, side: str, gone: str) -> list[Callable[[], Any]]:
        """Orders for the day; none for the formation that is `gone` into another by then (HR-PAP-05)."""
        special = {order.formation: order for order in self._special(world, side, gone)}
        advised = [
            order for order in staff_orders(world, side) if order.formation not in (*special, BESIEGER, gone)
        ]
        return [
            lambda order=order: order_submit(
                campaign=self.campaign, side=side, order=order, actor=self.who(side, order.formation)
            )
            for order in (*advised, *special.values())
        ]

    def _special(self, world: World, side: str, gone: str) -> Iterator[Order]:
        """The besieger's own order, and two of kinds given least."""
        besieger = world.formations[BESIEGER]
        if besieger.side == side and besieger.position is not None and gone != BESIEGER:
            yield from self._siege(world, besieger)
        found = sorted(
            (self.given[kind], kind, number, order)
            for number, (kind, order) in enumerate(orders_possible(world, side))
            if order.formation != gone
        )
        used: set[str] = set()
        for count, kind, _, order in found:
            if len(used) == 2 or count > 3:
                break
            if order.formation not in used and self.given[kind] == count:
                used.add(order.formation)
                self.given[kind] += 1
                yield order

    def _siege(self, world: World, besieger: Formation) -> Iterator[Order]:
        dig = Order(BESIEGER, activity="siege")
        if besieger.order != dig and allowed(lambda: verify_order(world, dig, besieger.side)):
            self.given["siege"] += 1
            yield dig
        elif besieger.order is None and besieger.position and besieger.position.place != FORT:
            for march in (Order(BESIEGER, (FORT,)), Order(BESIEGER, (FORT,), by_water=True)):
                if allowed(lambda march=march: verify_order(world, march, besieger.side)):
                    yield march
                    break

    # --- organisation and returns ---

    def _organisation(self, world: World, side: str) -> tuple[str, list[Callable[[], Any]]]:
        """Papers of organisation and returns, and the formation that goes into another by them, if any."""
        gone = ""
        papers: list[Callable[[], Any]] = []
        possible = list(organisation_possible(world, side))
        if possible:
            chosen = min(possible, key=lambda act: self.given[kind_of(act)])
            actor = self.who(side, subject_of(chosen))
            if isinstance(chosen, Transfer | Escort):
                actor = self.commanders[side]
            if self.given[kind_of(chosen)] < 3:
                self.given[kind_of(chosen)] += 1
                gone = taken_by(chosen)
                papers.append(
                    lambda: organisation_submit(campaign=self.campaign, side=side, acts=[chosen], actor=actor)
                )
        if world.day % 7 == 6 and (choices := self._choices(world, side)) != WeekChoices():
            papers.append(
                lambda: returns_submit(
                    campaign=self.campaign, side=side, choices=choices, actor=self.commanders[side]
                )
            )
        return gone, papers

    def _choices(self, world: World, side: str) -> WeekChoices:
        """One choice of each kind that is possible."""
        choices = WeekChoices()
        for kind, choice in choices_possible(world, side):
            whole = choices.plus(choice)
            if not getattr(choices, kind) and allowed(lambda whole=whole: verify_choices(world, whole, side)):
                choices = whole
                self.given[kind] += 1
        return choices


# --- the umpire's hand ---


@dataclass(frozen=True)
class Shown:
    """What a campaign came to: its last hash, what was verified here, and what another database says."""

    final: str
    verified: Verified
    elsewhere: str


def umpired(table: Table, days: int, archive: Path) -> Shown:
    """Play `days` days with three corrections, a real die and a rewind; verify, export, import elsewhere."""
    campaign, half = table.campaign, days // 2
    table.play(half - 4)
    _correct(table)
    table.play(1)
    morning = campaign.head
    assert morning is not None
    table.play(2)
    done = {record.pk for record in campaign.records.all()}
    table.rewind(morning, "An order was misread.")
    table.act(corrections.SetWeather(campaign.day, "storm"), "It stormed on the evening we played.")
    real = table.act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 6), "Thrown on the club's table.")
    assert {record.pk for record in campaign.records.all()} >= done
    (entered,) = [table.advance()]
    assert list(entered.inputs["entered"].values()) == [6]
    assert real.day == entered.day - 1
    table.play(days - campaign.day)
    assert campaign.day == days
    verified = campaign_verify(campaign=campaign)
    assert campaign.head is not None
    final = campaign.head.world_hash
    campaign_export(campaign=campaign, path=archive, with_secret=True)
    told = elsewhere(archive)
    return Shown(final, verified, told)


def elsewhere(archive: Path) -> str:
    """Take an archive in and verify it with a new database and processes of their own."""
    told = ""
    with own_database(archive.parent) as database:
        for command in (
            ("importcampaign", str(archive)),
            ("verifycampaign", "in-full"),
        ):
            done = subprocess.run(
                [sys.executable, "manage.py", *command],
                env={**os.environ, "DATABASE_URL": database},
                cwd=settings.BASE_DIR,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            told += done.stdout
    return told


def _correct(table: Table) -> None:
    """Three corrections of the umpire's."""
    world = world_load(table.campaign)
    present = [unit for units in present_units(world).values() for unit in units if unit.points]
    weak = min(present, key=lambda unit: (unit.points, unit.id))
    table.act(corrections.Reinforce(weak.id, 15), "A company was left off the roll.")
    table.act(
        corrections.Rename("formation", weak.formation, "Those left off the roll"), "As the player calls it."
    )
    routes = sorted(world.theatre.atlas.routes.values(), key=lambda route: route.id)
    key, there = next(
        (each.id, route.b)
        for each in sorted(world.formations.values(), key=lambda each: each.id)
        for route in routes
        if each.position == Position(place=route.a)
        and not each.garrison
        and world.holders.get(route.a) == world.holders.get(route.b) == each.side
    )
    table.act(corrections.PlaceFormation(key, Position(place=there)), "The column was forgotten on the map.")
