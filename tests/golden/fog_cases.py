"""Little campaigns, one for each kind of order or event, whose views are kept in tests/golden/fog."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.army.organisation import Detach, Escort, Garrison, HandOver, Join, Organisation, Transfer
from campaign.rules.returns.replacements import BalancingMove, LoyalistFill
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Bridge, Felled, General, Raft, Works
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Order, Position, Stage, Stance, UnitStatus, World
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.fog import ROW, played, road
from tests.factories.little_wars import battalion

MILE = 1760


@dataclass(frozen=True, slots=True)
class Case:
    """A world, what is ordered by day, and for how many days it is played."""

    world: World
    orders: Mapping[int, Sequence[Order]] = field(default_factory=dict)
    days: int = 1
    winner: str = "crown"
    organisation: tuple[Organisation, ...] = ()
    choices: WeekChoices | None = None
    generals: tuple[GeneralLoss, ...] = ()

    def played(self) -> tuple[World, list[tuple[Event, ...]]]:
        return played(
            self.world, self.orders, self.days, self.winner, self.organisation, self.choices, self.generals
        )


def on(a: str, b: str, miles: int) -> Position:
    """So many miles from `a` on the road to its neighbour `b`."""
    first, second = sorted((a, b), key=ROW.index)
    return Position("", f"{first}--{second}--road", a, b, miles * MILE)


def at(world: World, **stands: str | Position) -> World:
    moved = {
        key: replace(
            world.formations[key], position=spot if isinstance(spot, Position) else Position(place=spot)
        )
        for key, spot in stands.items()
    }
    return replace(world, formations={**world.formations, **moved})


def unblocked(world: World) -> World:
    """Without HR-RET-03: an empty post of the enemy bars a way back."""
    return replace(world, settings=RuleSettings(block_retreat_parts=0))


def changed(world: World, unit: str, **facts: Any) -> World:
    return replace(world, units={**world.units, unit: replace(world.units[unit], **facts)})


def face_to_face() -> World:
    """Burgoyne and Fraser a mile from Gates, who is on the road."""
    return at(road(), burgoyne="bennington", gates=on("castleton", "bennington", 9))


def meet(crown: Stance, rebel: Stance, **facts: Any) -> Case:
    ordered = [
        Order("burgoyne", ("castleton",), stance=crown),
        Order("gates", ("bennington",), stance=rebel),
    ]
    return Case(face_to_face(), {0: ordered}, **facts)


def late(side: str, home: str) -> World:
    world = road()
    unit = battalion("jessup", side, "burgoyne", 48, status=UnitStatus.EXPECTED, home=home)
    return replace(world, units={**world.units, unit.id: unit})


def camp() -> World:
    """Fraser stands with Burgoyne; a train is with them, and two generals."""
    world = at(road(), fraser="albany")
    formations = {
        **world.formations,
        "train": Formation("train", "Train", "crown", Position(place="albany")),
    }
    wagon = battalion("train_1", "crown", "train", 0, troop_type=TroopType.WAGON)
    generals = {"phillips": General("William Phillips", "crown", "wing", "burgoyne")}
    return replace(world, formations=formations, units={**world.units, wagon.id: wagon}, generals=generals)


def detached() -> World:
    return replace(
        at(road(), fraser="albany"),
        formations={
            **at(road(), fraser="albany").formations,
            "fraser": replace(at(road(), fraser="albany").formations["fraser"], parent="burgoyne"),
        },
    )


def parish(weakest: int = 60) -> World:
    """A week of returns: line, militia and Loyalists of both sides, some below, some above establishment."""
    world = road()
    loyal = {"nation": Nation.LOYALIST, "troop_type": TroopType.LOYALIST_LINE}
    home = {"nation": Nation.AMERICAN_MILITIA, "troop_type": TroopType.MILITIA}
    units = {
        **world.units,
        "jessup": battalion("jessup", "crown", "burgoyne", 40, **loyal),
        "peters": battalion("peters", "crown", "burgoyne", 115, **loyal),
        "brickett": battalion("brickett", "rebel", "gates", weakest, **home),
        "whipple": battalion("whipple", "rebel", "gates", 100, **home),
        "poor": battalion("poor", "rebel", "gates", 120),
        "gone": battalion("gone", "rebel", "gates", 80, status=UnitStatus.ABSENT, **home),
    }
    for key in ("burgoyne_1", "burgoyne_2"):
        units[key] = replace(units[key], regiment="62nd Foot", points=70 if key[-1] == "1" else 100)
    theatre = replace(
        world.theatre,
        musters={"american": ("hubbardton",), "loyalist": ("albany",), "british": ("albany",)},
    )
    pools = {"american/line": 250, "american/militia": 130, "loyalist/line": 40, "british/line": 60}
    return replace(world, units=units, theatre=theatre, pools=pools)


def levies() -> World:
    world = replace(road(), day=3)
    for unit in list(world.units):
        world = changed(world, unit, departs=0)
    return world


def two_trains() -> World:
    """A train of the rebels' marches towards one of the Crown's."""
    world = at(camp(), train=on("bennington", "castleton", 6), gates=on("castleton", "bennington", 1))
    for unit in ("gates_1", "gates_2"):
        world = changed(world, unit, troop_type=TroopType.WAGON, points=0)
    return world


def dug_in() -> World:
    return replace(road(), works={"albany": Works("crown", 2)})


def bridge(route: str = "albany--bennington--road") -> World:
    return crossed("bridge", route)


def crossed(crossing: Any, route: str = "albany--bennington--road", **facts: Any) -> World:
    world = road(**facts)
    atlas = world.theatre.atlas
    routes = {**atlas.routes, route: replace(atlas.routes[route], crossing=crossing)}
    return replace(world, theatre=replace(world.theatre, atlas=replace(atlas, routes=routes)))


def harbour() -> World:
    """Albany lies on a lake, and boats are counted."""
    world = road(settings=RuleSettings(boats="counted"))
    atlas = world.theatre.atlas
    atlas = replace(atlas, places={**atlas.places, "albany": replace(atlas.places["albany"], port="lake")})
    return replace(world, theatre=replace(world.theatre, atlas=atlas))


def wet_ford() -> World:
    world = road(weather="rain")
    atlas = world.theatre.atlas
    route = replace(atlas.routes["albany--bennington--road"], crossing="ford")
    atlas = replace(atlas, routes={**atlas.routes, route.id: route})
    return replace(world, theatre=replace(world.theatre, atlas=atlas), wet_days=3)


CASES: dict[str, Case] = {
    "halt": Case(road()),
    "march": Case(road(), {0: [Order("burgoyne", ("bennington",))]}),
    "march of two days": Case(
        road(), {0: [Order("burgoyne", ("castleton",), pace="plus_half", stance="avoid")]}, 2
    ),
    "forced march": Case(road(), {0: [Order("gates", ("castleton",), pace="double")]}, 2),
    "light order": Case(road(), {0: [Order("fraser", ("castleton",), light_order=True)]}),
    "march begun later": Case(road(), {0: [Order("fraser", ("castleton",), starts=180)]}),
    "march refused": Case(road(), {0: [Order("fraser", ("nowhere",))]}),
    "march held up by a ford": Case(wet_ford(), {0: [Order("burgoyne", ("bennington",))]}),
    "march past a post": Case(
        at(road(holders={"castleton": "crown"}), gates="dorset", fraser="albany"),
        {0: [Order("gates", ("bennington",), pace="double", stance="avoid")]},
        2,
    ),
    "march in fog": Case(road(weather="fog"), {0: [Order("gates", ("castleton",))]}),
    "a place taken out of sight": Case(road(), {0: [Order("gates", ("easton",))]}),
    "a place taken in sight": Case(
        at(road(), gates=on("castleton", "bennington", 1), fraser=on("bennington", "castleton", 9)),
        {0: [Order("gates", ("castleton",))]},
    ),
    "a place lost": Case(
        road(holders={"castleton": "crown", "dorset": "rebel"}), {0: [Order("gates", ("castleton",))]}
    ),
    "attack": meet("attack", "give_battle"),
    "attack repulsed": meet("attack", "give_battle", winner="rebel", days=2),
    "battle drawn": meet("attack", "give_battle", winner="", days=2),
    "avoid": meet("attack", "avoid"),
    "delay": meet("delay", "delay"),
    "contact at dusk": Case(
        at(road(), fraser="castleton", gates=on("easton", "dorset", 5)),
        {0: [Order("gates", ("castleton",), pace="double")]},
    ),
    "stand off": Case(two_trains(), {0: [Order("gates", ("bennington",))]}),
    "to the sound of the guns": Case(
        at(face_to_face(), fraser=on("bennington", "albany", 3), burgoyne="bennington"),
        {0: [Order("gates", ("bennington",), stance="attack")]},
    ),
    "joins a battle": Case(
        at(face_to_face(), fraser=on("bennington", "albany", 4)),
        {
            0: [
                Order("gates", ("bennington",), stance="attack"),
                Order("fraser", ("bennington",), stance="give_battle"),
            ]
        },
    ),
    "surrender": Case(
        at(
            unblocked(road(holders={"bennington": "crown", "castleton": "rebel", "albany": "rebel"})),
            burgoyne="castleton",
            fraser="bennington",
            gates="albany",
        ),
        {0: [Order("gates", ("bennington",), stance="attack")], 1: []},
        2,
        "rebel",
    ),
    "wagons taken": Case(
        at(camp(), train=on("bennington", "castleton", 6), gates=on("castleton", "bennington", 1)),
        {0: [Order("gates", ("bennington",))]},
    ),
    "arrival": Case(late("crown", "albany")),
    "arrival at a lost place": Case(late("crown", "dorset")),
    "arrival that waits": Case(
        replace(late("crown", "dorset"), holders={"dorset": "rebel", "albany": "rebel"})
    ),
    "levies stay or go": Case(levies(), days=2),
    "rejoined": Case(detached()),
    "detach": Case(
        camp(),
        organisation=(
            Detach(
                "burgoyne",
                ("burgoyne_1",),
                "burgoyne-d1",
                "Baum's detachment",
                "Baum",
                Order("burgoyne-d1", ("bennington",)),
            ),
        ),
    ),
    "transfer": Case(camp(), organisation=(Transfer(("burgoyne_2",), "fraser"),)),
    "escort": Case(camp(), organisation=(Escort("fraser", "train"),)),
    "join": Case(camp(), organisation=(Join("fraser", "burgoyne"),)),
    "garrison": Case(camp(), organisation=(Garrison("fraser"),)),
    "hand over command": Case(camp(), organisation=(HandOver("fraser", "phillips"),)),
    "organisation refused": Case(camp(), organisation=(Join("fraser", "gates"),)),
    "week's returns": Case(parish(), days=7),
    "week's returns, a unit gone": Case(parish(5), days=14),
    "loyalist fill and balance": Case(
        parish(),
        days=7,
        choices=WeekChoices(
            fills=(LoyalistFill("peters", "burgoyne_1", 10),),
            balancing=(BalancingMove("burgoyne_2", "burgoyne_1", 5),),
        ),
    ),
    "rest": Case(road(), {0: [Order("burgoyne", activity="rest")]}),
    "entrench": Case(road(), {0: [Order("burgoyne", activity="entrench")]}, 2),
    "entrench out of sight": Case(road(), {0: [Order("gates", activity="entrench")]}, 2),
    "dismantle": Case(dug_in(), {0: [Order("burgoyne", activity="dismantle")]}, 2),
    "break a bridge": Case(
        bridge(), {0: [Order("burgoyne", activity="break_bridge", target="albany--bennington--road")]}, 2
    ),
    "break a bridge out of sight": Case(
        bridge("dorset--easton--road"),
        {0: [Order("gates", activity="break_bridge", target="dorset--easton--road")]},
        2,
    ),
    "repair a bridge": Case(
        replace(bridge(), bridges={"albany--bennington--road": Bridge(0)}),
        {0: [Order("burgoyne", activity="repair_bridge", target="albany--bennington--road")]},
        2,
    ),
    "fell a road": Case(
        road(), {0: [Order("burgoyne", activity="obstruct", target="albany--bennington--road")]}, 2
    ),
    "fell a road out of sight": Case(
        road(), {0: [Order("gates", activity="obstruct", target="dorset--easton--road")]}, 2
    ),
    "march on a felled road": Case(
        replace(road(), felled={"bennington--castleton--road": Felled(3 * MILE, 4 * MILE, "rebel")}),
        {0: [Order("fraser", ("castleton",))]},
        2,
    ),
    "lay a bridge of rafts": Case(
        crossed("ford"), {0: [Order("burgoyne", activity="lay_bridge", target="albany--bennington--road")]}, 2
    ),
    "rafts in the rain": Case(
        replace(
            crossed("ford", weather="rain", settings=RuleSettings(raft_breaks_on=6)),
            rafts={"albany--bennington--road": Raft(0)},
            day=1,
        ),
    ),
    "gather boats": Case(harbour(), {0: [Order("burgoyne", activity="gather_boats")]}, 2),
    "follow": Case(
        at(road(), gates=on("castleton", "bennington", 10)),
        {0: [Order("gates", ("castleton",), stance="avoid"), Order("fraser", activity="follow", target="1")]},
    ),
    "intercept": Case(
        at(road(), gates=on("castleton", "bennington", 10)),
        {0: [Order("fraser", activity="intercept", target="1", stance="attack")]},
    ),
    "itinerary": Case(
        road(),
        {0: [Order("fraser", ("castleton",), stages=(Stage(("bennington",), wait=1),))]},
        3,
    ),
    "march by courier": Case(
        at(road(settings=RuleSettings(couriers=True)), fraser="castleton", gates="easton"),
        {0: [Order("fraser", ("bennington",))]},
        2,
    ),
    "open map": Case(road(settings=RuleSettings(fog="off")), {0: [Order("gates", ("easton",))]}),
    "the last day": Case(road(days=2), days=2),
}
