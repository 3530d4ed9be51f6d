"""Encounters: escape, capture of what cannot fight, stand-off and battle (HR-CON)."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from campaign.rules.contact.contact import AT_HAND_YARDS, EAGERNESS, LEAST_DAYLIGHT, escapes_on, is_tiny
from campaign.rules.contact.march_to_the_guns import call_help
from campaign.rules.contact.retreat import halt_order, retreat_column, surrender_column, way_back
from campaign.rules.contact.siege import is_investing, lay_siege, works_sp
from campaign.rules.contact.surrender_talks import is_negotiating
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column, Exact, OpenBattle


class Encounter:
    """Hostile columns that have come together at minute `now`, at a place or on a route.

    `movers` are those whose march brought it about; none at dawn.
    """

    def __init__(
        self,
        field: DayState,
        now: Exact,
        columns: Sequence[Column],
        movers: Sequence[Column],
        yard: Exact = 0,
    ) -> None:
        self.field = field
        self.now = now
        self.columns = list(columns)
        self.movers = [column.id for column in movers]
        first = self.columns[0]
        self.place = first.place
        self.route = first.route.id if first.route is not None else ""
        self.yard = yard
        number = field.meetings.get(self.where, 0) + 1
        field.meetings[self.where] = number
        self.key = f"d{field.world.day}/{self.where}/{number}"
        self.attacker, self.defender = self._roles()
        self._tried: set[str] = set()

    @property
    def where(self) -> str:
        return self.place or self.route

    def of(self, side: str) -> list[Column]:
        return [column for column in self.columns if column.side == side]

    def sp(self, side: str) -> int:
        return sum(column.sp for column in self.of(side))

    def eagerness(self, side: str) -> int:
        """The most eager stance on a side; what avoids battle but may not leave gives it."""
        return max(
            EAGERNESS["give_battle" if column.formation.garrison else column.stance]
            for column in self.of(side)
        )

    def _roles(self) -> tuple[str, str]:
        """Attacker and defender (HR-CON-04): the marcher attacks, else the non-holder, else the eager."""
        one, other = sorted({column.side for column in self.columns})
        moved = {column.side for column in self.columns if column.id in self.movers}
        holder = self.field.holders.get(self.place, "") if self.place else ""
        if len(moved) == 1:
            attacker = moved.pop()
        elif holder in (one, other):
            attacker = other if holder == one else one
        else:
            keys = {side: (self.eagerness(side), self.sp(side)) for side in (one, other)}
            attacker = one if keys[one] >= keys[other] else other
        return attacker, other if attacker == one else one

    # --- the course of an encounter ---

    def resolve(self) -> None:
        """Let it come to what it must; afterwards the columns march on, wait, fight or are gone."""
        if self.now > self.field.settings.dark - LEAST_DAYLIGHT:
            self._wait("contact_at_dusk", "HR-CON-05")
        elif not all(self.sp(side) for side in (self.attacker, self.defender)):
            self._defenceless()
        elif max(self.eagerness(self.attacker), self.eagerness(self.defender)) < EAGERNESS["give_battle"]:
            self._nobody_wants_battle()
        elif is_negotiating(self.field, self.columns):
            self._wait("truce", "HR-SUR-02")
        elif self._put_off():
            self._wait("put_off_by_rain", "HR-CON-14")
        elif self._try_escape() or self._try_evasion():
            return
        elif self._invests():
            laid = lay_siege(self.field, self.place, self.attacker)
            self._wait("siege_laid" if laid else "", "HR-SIE-01")
        else:
            self._open()

    def break_away(self, side: str) -> None:
        """A side marches off from an enemy who means to attack: caught if its die fails (HR-CON-04)."""
        if not self._escapes("escape", side, "HR-CON-04"):
            self.resolve()

    def _wait(self, kind: str, rule: str) -> None:
        """Stop all face to face until dawn; arrivals lose their march, the others keep their orders."""
        field = self.field
        for column in self.columns:
            came_up = column.speed or column.id in self.movers
            field.stand(column, self.now)
            column.waits = True
            column.path = []
            if came_up:
                halt_order(column)
                column.via = ()
        if kind:
            field.log(kind, self.now, rule, field.both, place=self.place, route=self.route, contact=self.key)

    def _put_off(self) -> bool:
        """In heavy rain a side without orders to attack puts the battle off until dawn (HR-CON-14)."""
        weather, setting = self.field.conditions.weather, self.field.settings.put_off_in
        if weather != "storm" and (weather, setting) != ("rain", "rain"):
            return False
        eager = min(self.eagerness(side) for side in (self.attacker, self.defender))
        return setting != "off" and eager < EAGERNESS["attack"]

    def _invests(self) -> bool:
        """Before closed works of the enemy's, without orders to storm them (HR-SIE-01)."""
        if not self.place or self.field.holders.get(self.place) != self.defender:
            return False
        return is_investing(self.field, self.place, self.of(self.attacker), self.of(self.defender))

    def _defenceless(self) -> None:
        """Let a force without SP flee on the escape die, or capture it (HR-CON-06)."""
        weak = [side for side in (self.attacker, self.defender) if not self.sp(side)]
        if len(weak) == 2:
            self._wait("stand_off", "HR-CON-06")
            return
        side = weak[0]
        if self._escapes("flight", side, "HR-CON-06") and self._fall_back(side, "HR-CON-06"):
            return
        for column in self.of(side):
            surrender_column(self.field, column, self.now, self.key)

    def _nobody_wants_battle(self) -> None:
        """Two sides that only delay or avoid: the weaker gives way, or both stop (HR-CON-03)."""
        weaker = min((self.attacker, self.defender), key=lambda side: (self.sp(side), side != self.attacker))
        if any(column.formation.garrison for column in self.of(weaker)) or not self._fall_back(
            weaker, "HR-CON-03"
        ):
            self._wait("stand_off", "HR-CON-03")

    def _try_escape(self) -> bool:
        """A side that avoids battle rolls to get away (HR-CON-02)."""
        for side in (self.attacker, self.defender):
            avoids = all(column.avoids for column in self.of(side))
            if avoids and self._escapes("escape", side, "HR-CON-02") and self._fall_back(side, "HR-CON-02"):
                return True
        return False

    def _try_evasion(self) -> bool:
        """By the setting `evade`, the smaller side of a tiny fight gives way (HR-CON-07)."""
        settings = self.field.settings
        attack, defend = self.sp(self.attacker), self.sp(self.defender)
        if settings.tiny_fights != "evade" or not is_tiny(attack, defend, self._works(), settings):
            return False
        side = self.attacker if attack <= defend else self.defender
        if any(column.formation.garrison for column in self.of(side)):
            return False
        return self._fall_back(side, "HR-CON-07")

    def _works(self) -> bool:
        if not self.place or self.field.holders.get(self.place) != self.defender:
            return False
        return works_sp(self.field.world, self.place, self.defender) > 0

    def _escapes(self, kind: str, side: str, rule: str) -> bool:
        """One die to get away for a side and contact: who has failed is not asked again (HR-CON-02)."""
        if side in self._tried:
            return False
        self._tried.add(side)
        field = self.field
        own = [unit for column in self.of(side) for unit in field.units_of(column)]
        enemy = [unit for column in self.columns if column.side != side for unit in field.units_of(column)]
        roll = field.dice.roll(rule, f"{self.key}/{side}")
        escaped = roll.value >= escapes_on(own, enemy, field.settings)
        field.log(
            kind,
            self.now,
            rule,
            field.both,
            place=self.place,
            route=self.route,
            contact=self.key,
            rolls=(roll,),
            data={"side": side, "escaped": escaped},
        )
        return escaped

    def _fall_back(self, side: str, rule: str) -> bool:
        """All columns of a side fall back, if each has a way and strength to; else none."""
        ways = []
        for column in self.of(side):
            tired = column.retreated >= self.field.settings.march_minutes
            way = None if tired else way_back(self.field, column, self.now, self.sp(side))
            if way is None:
                return False
            ways.append((column, way))
        aside: set[str] = set()  # who has given way to one column does not give way to the next again
        for column, way in ways:
            self.field.stand(column, self.now)
            brushed = tuple(each for each in way.brushed if each[0] not in aside)
            aside.update(key for key, _ in brushed)
            retreat_column(self.field, column, replace(way, brushed=brushed), self.now, rule, self.key)
        return True

    def _open(self) -> None:
        """Open a battle with all at hand; they are held until its window closes (HR-CON-01)."""
        field = self.field
        opened = ceil(self.now)
        ends = min(opened + max(1, field.settings.battle_minutes), field.settings.dark)
        battle = OpenBattle(
            self.key, opened, ends, self.place, self.route, int(self.yard), self.attacker, self.defender
        )
        field.battles[self.key] = battle
        field.battle_ends(battle)
        field.log(
            "contact",
            self.now,
            "HR-CON-01",
            field.both,
            place=self.place,
            route=self.route,
            contact=self.key,
            data={"attacker": self.attacker, "defender": self.defender, "yards": int(self.yard)},
        )
        for column in self.columns:
            join_battle(field, battle, column, self.now)
        call_help(field, battle, self.now)


def join_battle(field: DayState, battle: OpenBattle, column: Column, now: Exact) -> None:
    """Bring a column into a battle that is being fought where it is (HR-CON-09)."""
    field.stand(column, now)
    column.battle = battle
    battle.joined[column.id] = max(battle.opened, ceil(now))
    if column.helping:
        column.path, column.helping = [], ""
    if battle.joined[column.id] > battle.opened:
        field.log(
            "joins_battle",
            now,
            "HR-CON-09",
            field.both,
            formation=column.id,
            place=battle.place,
            route=battle.route,
            contact=battle.key,
        )
    column.version += 1
    field.expect_meetings(column, now)


def at_hand(field: DayState, route: str, yard: Exact, now: Exact) -> list[Column]:
    """Columns within a quarter of a mile of a point on a route (HR-CON-01).

    One that is only just setting off at the route's end is not; it marches on and comes up.
    """
    length = field.atlas.routes[route].yards
    near = [
        each
        for each in field.along(route)
        if abs(Fraction(each.yard(now) - yard)) <= AT_HAND_YARDS and 0 < each.yard(now) < length
    ]
    return sorted(near, key=lambda each: (Fraction(each.yard(now)), each.side, each.id))
