"""Food (HR-SUP): what formations carry, what comes in by their lines, and what hunger costs.

Optional and light: one reckoning an evening, in rations (one man one day). Nothing here looks at what
a side knows; a line that is cut tells its owner where.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.contact.casualties import counts_as_militia, march_loss, march_modifiers, with_points
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column
from campaign.rules.march.marching import MIDNIGHT
from campaign.rules.orders.labour import men_of
from campaign.rules.supply.lines import Network, SupplyLine, friendly_country, list_bases
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Magazine, Provision
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Formation, Unit, World, present_units
from rosters.domain.dice import DiceRoller
from rosters.domain.vocabulary import Nation

#: The table hunger is rolled on (HR-SUP-03): that of a march up to half over.
HUNGER_TABLE = "AWI-C-MAR-01"


def daily_need(men: int, short: bool, stretch: int = 150) -> int:
    """Rations eaten in a day; the short ration makes food last `stretch` percent as long (HR-SUP-04)."""
    return men * 100 // stretch if short else men


def days_of_food(world: World, formation: str) -> int | None:
    """Whole days a formation can eat from what it has, at its ration; None where food is not played."""
    body = world.formations[formation]
    if body.rations is None:
        return None
    known = world.provisions.get(formation)
    units = present_units(world).get(formation, [])
    return body.rations // max(
        1, daily_need(men_of(units), known.short if known else False, world.settings.short_ration_percent)
    )


def hungry_minutes(minutes: int, formation: Formation, settings: RuleSettings) -> int:
    """The day's minutes of march of a formation that had nothing to eat (HR-SUP-03)."""
    return minutes * settings.hungry_march_percent // 100 if formation.hungry_days else minutes


def carried_percent(carry: int, days: int, settings: RuleSettings) -> int:
    """Percent of a day's food that comes in by a line with `carry` yards of land (HR-SUP-02).

    Up to the set carry a day's food and a quarter; beyond it, less as carts are longer on the way.
    """
    surplus = (
        settings.carry_organised_percent
        if days >= settings.carry_organised_days
        else settings.carry_surplus_percent
    )
    least = settings.carry_miles * YARDS_PER_MILE
    return (100 + surplus) * least // max(least, carry)


def feed_formations(world: World, dice: DiceRoller, adverse: bool) -> tuple[World, list[Event]]:
    """The evening's food of all formations, and what hunger cost (HR-SUP-01 to 07)."""
    if world.settings.supply == "off":
        return world, []
    kitchen = _Kitchen(world, dice, adverse)
    kitchen.take_magazines()
    kitchen.load_trains()
    for key in sorted(kitchen.present):
        if men_of(kitchen.present[key]):
            kitchen.feed(key)
    return kitchen.close(), kitchen.events


@dataclass(frozen=True, slots=True)
class _Food:
    """A formation's food for one day: `percent` of a day's need, and the way it came."""

    provision: Provision
    line: SupplyLine | None


class _Kitchen:
    """One evening's supply, changed as formations eat in order of id."""

    def __init__(self, world: World, dice: DiceRoller, adverse: bool) -> None:
        self.world, self.dice, self.adverse = world, dice, adverse
        self.settings = world.settings
        self.units = dict(world.units)
        self.formations = dict(world.formations)
        self.magazines = dict(world.magazines)
        self.warriors = dict(world.warriors)
        self.provisions: dict[str, Provision] = {}
        self.present = present_units(world)
        self.events: list[Event] = []
        self._networks: dict[str, Network] = {}

    def close(self) -> World:
        return replace(
            self.world,
            units=self.units,
            formations=self.formations,
            magazines=dict(sorted(self.magazines.items())),
            provisions=self.provisions,
            warriors=dict(sorted(self.warriors.items())),
        )

    # --- magazines and trains (HR-SUP-05, HR-SUP-06) ---

    def take_magazines(self) -> None:
        """Give stores to the holder of their place; a captured base yields its stores once."""
        for side in self.world.theatre.sides:
            enemy = self.world.theatre.enemy_of(side.id)
            for place in self.world.theatre.supply.get(enemy, ()):
                if self.world.holders.get(place) == side.id and place not in self.magazines:
                    self.magazines[place] = Magazine(enemy, self.settings.captured_base_rations)
        for place, store in sorted(self.magazines.items()):
            holder = self.world.holders.get(place, "")
            if holder in ("", store.side):
                continue
            self.magazines[place] = replace(store, side=holder)
            if store.rations:
                both = tuple(each.id for each in self.world.theatre.sides)
                data = {"side": holder, "from": store.side, "rations": store.rations}
                self._tell("magazine_taken", "HR-SUP-06", both, place=place, data=data)
        self.world = replace(self.world, magazines=self.magazines)

    def load_trains(self) -> None:
        """Trains that stand at a base of their side are filled."""
        for key, units in self.present.items():
            body = self.formations[key]
            wagons = sum(unit.is_train for unit in units)
            if men_of(units) or not wagons or body.position is None:
                continue
            load = body.rations or 0
            if body.position.place in list_bases(self.world, body.side):
                load = max(load, wagons * self.settings.train_rations)
            self.formations[key] = replace(body, rations=load, hungry_days=0)

    def _from_trains(self, body: Formation, wanted: int) -> int:
        """Rations handed over by trains at the same spot."""
        got = 0
        for key in sorted(self.present):
            train = self.formations[key]
            if wanted <= got or train.side != body.side or train.position != body.position:
                continue
            if men_of(self.present[key]) or not train.rations:
                continue
            part = min(train.rations, wanted - got)
            self.formations[key] = replace(train, rations=train.rations - part)
            got += part
        return got

    # --- eating ---

    def feed(self, key: str) -> None:
        body, units = self.formations[key], self.present[key]
        men = men_of(units)
        before = self.world.provisions.get(key)
        food = self._food(body, before)
        need = daily_need(men, food.provision.short, self.world.settings.short_ration_percent)
        stock = men * self._first_days(body) if body.rations is None else body.rations
        room = max(0, men * self.settings.stock_days - stock) + need
        stock += self._draw_rations(food, min(room, men * food.provision.percent // 100))
        if stock < need:
            stock += self._from_trains(body, need - stock)
        hungry = stock < need
        self.formations[key] = replace(
            body, rations=max(0, stock - need), hungry_days=body.hungry_days + 1 if hungry else 0
        )
        self.provisions[key] = food.provision
        self._tell_line(key, before, food.provision)
        if hungry:
            self._hunger(key, units, need - stock, food.provision)

    def _first_days(self, body: Formation) -> int:
        return self.settings.garrison_start_days if body.garrison else self.settings.start_days

    def _food(self, body: Formation, before: Provision | None) -> _Food:
        """The line of a formation, or its own country where that feeds better (HR-SUP-02, HR-SUP-07)."""
        assert body.position is not None
        short = before.short if before is not None else False
        network = self._network(body.side)
        line = network.line_to(body.position)
        percent = days = 0
        if line is not None:
            same = before is not None and before.source == line.source and before.food == "line"
            days = before.days + 1 if same and before is not None else 1
            percent = carried_percent(line.carry, days, self.settings)
        if percent < 100 and friendly_country(self.world, body.position, body.side):
            return _Food(Provision(self.world.day, "country", percent=100, short=short), None)
        if line is None:
            broken = network.broken_at(body.position)
            return _Food(Provision(self.world.day, broken=broken, short=short), None)
        carry, source = line.carry, line.source
        return _Food(
            Provision(self.world.day, "line", source, line.way, carry, percent, days, short=short), line
        )

    def _network(self, side: str) -> Network:
        if side not in self._networks:
            self._networks[side] = Network(self.world, side)
        return self._networks[side]

    def _draw_rations(self, food: _Food, wanted: int) -> int:
        """Rations that come in; a base has all that is asked for, a depot what it has."""
        if food.line is None or food.line.source in list_bases(self.world, self._side_of(food)):
            return wanted
        store = self.magazines[food.line.source]
        given = min(store.rations, wanted)
        self.magazines[food.line.source] = replace(store, rations=store.rations - given)
        return given

    def _side_of(self, food: _Food) -> str:
        assert food.line is not None
        return self.world.holders[food.line.source]

    # --- hunger (HR-SUP-03) ---

    def _hunger(self, key: str, units: Sequence[Unit], missing: int, provision: Provision) -> None:
        body = self.formations[key]
        data = {"missing": missing, "days": body.hungry_days, **_build_line_data(provision)}
        self._tell("hungry", "HR-SUP-03", (body.side,), formation=key, data=data)
        for unit in units:
            if unit.points == 0:
                continue
            roll = self.dice.roll("HR-SUP-03", unit.id)
            modifiers = march_modifiers(counts_as_militia(unit), self.adverse)
            loss = march_loss(HUNGER_TABLE, roll.value, sum(value for _, value in modifiers))
            after = max(0, unit.points - loss)
            if unit.nation is Nation.NATIVE and after < unit.points:  # HR-NAT-01
                self.warriors[key] = self.warriors.get(key, 0) + unit.points - after
            self.units[unit.id] = with_points(unit, after, self.world.day)
            self._tell(
                "hunger_loss",
                "HR-SUP-03",
                (unit.side,),
                unit=unit.id,
                formation=key,
                before=unit.points,
                after=after,
                rolls=(roll,),
                modifiers=modifiers,
                data=_build_line_data(provision),
            )

    def _tell_line(self, key: str, before: Provision | None, now: Provision) -> None:
        """Tell a side when a line is cut, or food comes again."""
        had = before is not None and before.food != "none"
        if before is None or had == (now.food != "none"):
            return
        kind = "line_broken" if had else "line_open"
        sides = (self.formations[key].side,)
        self._tell(kind, "HR-SUP-02", sides, formation=key, data=_build_line_data(now))

    def _tell(self, kind: str, rule: str, sides: tuple[str, ...], **facts: Any) -> None:
        self.events.append(Event(kind, MIDNIGHT, rule, sides, **facts))


def _build_line_data(provision: Provision) -> Mapping[str, Any]:
    """The line, or where it broke, for the journal."""
    return {"source": provision.source, "way": list(provision.way), "broken": provision.broken}


def count_days_of_food(field: DayState, columns: Sequence[Column]) -> int | None:
    """Whole days that the food of these columns lasts them after this evening's meal.

    None where one of them counts no food.
    """
    rations = [column.formation.rations for column in columns]
    if not columns or any(each is None for each in rations):
        return None
    need = max(1, sum(_count_daily_rations(field, column) for column in columns))
    return max(0, sum(each or 0 for each in rations) - need) // need


def _count_daily_rations(field: DayState, column: Column) -> int:
    known = field.world.provisions.get(column.id)
    return daily_need(
        men_of(field.units_of(column)), known.short if known else False, field.settings.short_ration_percent
    )
