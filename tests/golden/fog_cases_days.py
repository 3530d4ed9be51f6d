"""More little campaigns for the goldens of the fog: sieges, food, couriers, generals, weeks, crossings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.army.organisation import Depot, Garrison, Ration
from campaign.rules.returns.places_of_arrival import Placement
from campaign.rules.returns.pools import Downgrade
from campaign.rules.returns.replacements import LoyalistFill
from campaign.rules.returns.week import RefusedChoice, WeekChoices
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.victory.victory import with_goals
from campaign.rules.world.markers import (
    Boats,
    Bridge,
    General,
    Goal,
    Magazine,
    Provision,
    Raft,
    Report,
    Siege,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, UnitStatus, World
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from tests.factories.fog import dice_of, road
from tests.factories.little_wars import battalion
from tests.golden.fog_cases import (
    Case,
    at,
    bridge,
    camp,
    changed,
    crossed,
    face_to_face,
    harbour,
    late,
    on,
    parish,
    unblocked,
)

ALBANY_ROAD = "albany--bennington--road"
GENERALS = {
    "burgoyne": General("John Burgoyne", "crown", "army commander", "burgoyne"),
    "phillips": General("William Phillips", "crown", "wing", "burgoyne", seniority=1),
    "fraser": General("Simon Fraser", "crown", "brigade", "fraser"),
    "gates": General("Horatio Gates", "rebel", "army commander", "gates"),
    "lincoln": General("Benjamin Lincoln", "rebel", "wing", "gates", seniority=2),
}


def set_to(world: World, **settings: Any) -> World:
    return replace(world, settings=replace(world.settings, **settings))


# --- before a fort ---


def fort(works: str = "fort", guns: bool = False) -> World:
    """Gates holds the fort of Castleton, with Burgoyne and Fraser a day off."""
    world = at(road(), burgoyne="bennington", gates="castleton")
    atlas = world.theatre.atlas
    strong = replace(atlas.places["castleton"], fortification=works)  # type: ignore[arg-type]
    atlas = replace(atlas, places={**atlas.places, "castleton": strong})
    holders = {**world.holders, "castleton": "rebel"}
    world = replace(world, theatre=replace(world.theatre, atlas=atlas), holders=holders)
    if guns:
        heavy = {"troop_type": TroopType.EUROPEAN_ARTILLERY, "gun_class": GunClass.HEAVY}
        world = changed(world, "burgoyne_3", **heavy)
    return world


def invested(works: str = "fort", guns: bool = False) -> World:
    world = at(fort(works, guns), burgoyne="castleton")
    dig = replace(world.formations["burgoyne"], order=Order("burgoyne", activity="siege"))
    return replace(
        world, formations={**world.formations, "burgoyne": dig}, sieges={"castleton": Siege("crown", 0)}
    )


def outnumbered() -> World:
    """One battalion is left of the garrison."""
    world = changed(invested(), "gates_2", points=0, status=UnitStatus.ELIMINATED)
    more = battalion("burgoyne_4", "crown", "burgoyne")
    return replace(world, units={**world.units, more.id: more})


def warriors(**settings: Any) -> World:
    """Fraser's men are warriors who have lost more than a tenth."""
    world = set_to(road(), **settings)
    world = changed(world, "fraser_1", nation=Nation.NATIVE, troop_type=TroopType.INDIANS)
    return replace(world, day=6, warriors={"fraser": 60})


def shut_in(**settings: Any) -> World:
    """Gates stands between two columns of the Crown's, outside any works."""
    posts = {"castleton": "crown", "easton": "crown", "albany": "crown"}
    world = at(road(holders=posts), burgoyne="castleton", gates="dorset", fraser="easton")
    for number in range(4, 9):
        unit = battalion(f"burgoyne_{number}", "crown", "burgoyne")
        world = replace(world, units={**world.units, unit.id: unit})
    more = battalion("fraser_2", "crown", "fraser")
    world = replace(world, units={**world.units, more.id: more})
    return set_to(world, **settings)


def wheels() -> World:
    """Gates, a mile before Burgoyne with a battery, has only a trail to fall back by."""
    world = face_to_face()
    key = "bennington--castleton--road"
    atlas = world.theatre.atlas
    routes = {**atlas.routes, key: replace(atlas.routes[key], kind="trail", wheeled=False)}
    world = replace(world, theatre=replace(world.theatre, atlas=replace(atlas, routes=routes)))
    gun = {"troop_type": TroopType.AMERICAN_ARTILLERY, "gun_class": GunClass.LIGHT}
    return changed(world, "gates_2", **gun)


def light_horse() -> World:
    horse = {"troop_type": TroopType.EUROPEAN_LIGHT_CAVALRY}
    return changed(face_to_face(), "burgoyne_1", **horse)


# --- food ---


def fed(world: World, **rations: int) -> World:
    formations = {
        key: replace(one, rations=rations.get(key, one.rations)) for key, one in world.formations.items()
    }
    return replace(set_to(world, supply="food"), formations=formations)


def far_from_home() -> World:
    """Fraser is deep in the enemy's country with no line, and has a day's food."""
    return fed(at(road(), fraser="fairfax", gates="castleton"), fraser=10)


def provided(world: World, food: str) -> World:
    """Fraser was fed yesterday, or was not."""
    known = Provision(0, food, "albany", ("albany", "bennington"), percent=100)  # type: ignore[arg-type]
    return replace(world, day=1, provisions={"fraser": known})


# --- couriers ---


def apart(taken_on: int = 4, **stands: Any) -> World:
    """Fraser is more than half a day's ride from Albany."""
    settings = RuleSettings(couriers=True, courier_taken_on=taken_on)
    return at(road(settings=settings), **{"fraser": "castleton", "gates": "easton", **stands})


# --- generals ---


def led(world: World, **states: Mapping[str, Any]) -> World:
    generals = {key: replace(one, **states.get(key, {})) for key, one in GENERALS.items()}
    formations = {
        key: replace(one, leader=key, commander=generals[key].name) if key in generals else one
        for key, one in world.formations.items()
    }
    return replace(world, generals=generals, formations=formations)


ATTACK = {
    0: [
        Order("burgoyne", ("castleton",), stance="attack"),
        Order("gates", ("bennington",), stance="give_battle"),
    ]
}


def cut_off() -> World:
    """As the case of the surrender, with generals."""
    posts = {"bennington": "crown", "castleton": "rebel", "albany": "rebel"}
    world = at(unblocked(road(holders=posts)), burgoyne="castleton", fraser="bennington", gates="albany")
    return led(world)


# --- weeks ---


def week(count: int, day: int = 6, points: int = 60, **facts: Any) -> World:
    """So many battalions of militia of the rebels', on the last morning of a week.

    `day` chooses the dice: on day 20 a battalion is over establishment, on 27 the militia comes back,
    on 41 there are replacements from Europe.
    """
    world = parish()
    home = {"nation": Nation.AMERICAN_MILITIA, "troop_type": TroopType.MILITIA}
    many = {
        f"county_{number}": battalion(f"county_{number}", "rebel", "gates", points, **home, **facts)
        for number in range(count)
    }
    return replace(world, day=day, units={**world.units, **many})


def thinned(world: World) -> World:
    """Units that have no men left, and pools to raise them again."""
    for key in ("burgoyne_2", "gates_2"):
        world = changed(world, key, points=0, status=UnitStatus.ELIMINATED)
    return replace(world, pools={"american/line": 320, "british/line": 230, "american/militia": 30})


def nowhere_to_muster() -> World:
    world = thinned(week(0))
    theatre = replace(world.theatre, musters={"american": ("albany",), "british": ("hubbardton",)})
    holders = {**world.holders, "hubbardton": "rebel"}
    return replace(world, theatre=theatre, holders=holders)


def last_men() -> World:
    """A double march that the weakest may not survive."""
    world = road()
    home = {"nation": Nation.AMERICAN_MILITIA, "troop_type": TroopType.MILITIA}
    for key in ("gates_1", "gates_2"):
        world = changed(world, key, points=3, **home)
    return world


def scored(**settings: Any) -> World:
    goals = {
        "post/bennington": Goal("post", "", "bennington", points=30),
        "post/dorset": Goal("post", "", "dorset", points=20),
        "hold": Goal("hold", "rebel", "dorset", day=6, points=7),
    }
    return replace(with_goals(set_to(road(), **settings), goals), day=6)


def lake() -> World:
    """Albany and Bennington lie on a lake, and Burgoyne has boats for all his men."""
    world = harbour()
    atlas = world.theatre.atlas
    port = replace(atlas.places["bennington"], port="lake")
    way = replace(atlas.routes[ALBANY_ROAD], kind="lake")
    atlas = replace(
        atlas, places={**atlas.places, "bennington": port}, routes={**atlas.routes, ALBANY_ROAD: way}
    )
    theatre = replace(world.theatre, atlas=type(atlas).of(atlas.places.values(), atlas.routes.values()))
    return replace(world, theatre=theatre, boats={"albany": Boats("crown", 1000)})


def last_known(place: str) -> World:
    """Gates is out of sight, and the Crown has an old report that he is at `place`."""
    world = first_look(road(), dice_of(road()))
    report = Report(
        "gates", "Gates", "rebel", Position(place=place), 10, 20, "foot", 0, 0, "scouts", "fraser", 1
    )
    return replace(world, reports={**world.reports, "crown/gates": report})


def march(formation: str, *via: str, **facts: Any) -> dict[int, list[Order]]:
    return {0: [Order(formation, via, **facts)]}


CASES: dict[str, Case] = {
    "invest": Case(fort(), march("burgoyne", "castleton")),
    "assault a fort": Case(fort(), march("burgoyne", "castleton", stance="attack")),
    "siege, battery and summons": Case(invested(guns=True), days=5),
    "summons accepted": Case(set_to(invested("stockade"), summons_on=0)),
    "summons refused": Case(set_to(invested(), summons_on=20)),
    "summons of a hungry garrison": Case(fed(set_to(invested(), summons_on=20), gates=600)),
    "summons at four to one": Case(set_to(outnumbered(), summons_on=20)),
    "blockade": Case(
        replace(invested(), sieges={"castleton": Siege("crown", 0, summoned=0)}),
        {0: [Order("burgoyne")]},
    ),
    "the garrison marches out": Case(invested(), march("gates", "dorset")),
    "siege raised": Case(invested(), march("burgoyne", "bennington")),
    "warriors leave": Case(warriors(natives_leave_on=1)),
    "warriors stay": Case(warriors(natives_leave_on=7)),
    "terms": Case(shut_in(), days=5),
    "terms broken": Case(shut_in(), {1: [Order("fraser", ("fairfax",)), Order("burgoyne", ("albany",))]}, 3),
    "attack upon terms": Case(shut_in(), {1: [Order("burgoyne", ("dorset",), stance="attack")]}, 3),
    "wheels left behind": Case(wheels(), ATTACK),
    "pursuit": Case(light_horse(), ATTACK),
    "put off by the storm": Case(
        at(road(weather="storm"), burgoyne="bennington", gates=on("castleton", "bennington", 9)), ATTACK
    ),
    "hungry": Case(far_from_home(), days=2),
    "line broken": Case(provided(far_from_home(), "line")),
    "line open": Case(provided(fed(road(), fraser=10), "none")),
    "magazine taken": Case(
        fed(replace(road(holders={"castleton": "crown"}), magazines={"castleton": Magazine("crown", 5000)})),
        march("gates", "castleton"),
    ),
    "short ration": Case(fed(camp()), organisation=(Ration("burgoyne"),)),
    "full ration": Case(
        replace(fed(camp()), provisions={"burgoyne": Provision(0, short=True)}),
        organisation=(Ration("burgoyne", False),),
    ),
    "depot": Case(fed(camp(), train=20000), organisation=(Depot("train"),)),
    "order taken": Case(apart(1, fraser="dorset", gates="bennington"), march("fraser", "easton")),
    "order slips through": Case(apart(7, fraser="dorset", gates="bennington"), march("fraser", "easton"), 3),
    "letter taken": Case(apart(1, fraser="dorset", gates="bennington"), organisation=(Garrison("fraser"),)),
    "told by courier": Case(apart(), march("fraser", "dorset"), 4),
    "battle lost, generals lost": Case(
        led(face_to_face()),
        ATTACK,
        generals=(
            GeneralLoss("gates", "Horatio Gates", "rebel", "killed"),
            GeneralLoss("phillips", "William Phillips", "crown", "wounded"),
        ),
    ),
    "general taken in battle": Case(
        led(face_to_face()), ATTACK, generals=(GeneralLoss("gates", "Horatio Gates", "rebel", "captured"),)
    ),
    "generals captured": Case(cut_off(), {0: [Order("gates", ("bennington",), stance="attack")]}, 2, "rebel"),
    "generals come and go": Case(
        led(
            road(),
            gates={"departs": 1},
            lincoln={"state": "wounded", "until": 1},
            fraser={"departs": 1},
            phillips={"state": "expected", "until": 1, "home": "albany", "formation": ""},
        )
    ),
    "militia come and go": Case(week(16)),
    "militia stay away": Case(week(1, status=UnitStatus.ABSENT)),
    "attrition and recruits apart": Case(set_to(week(0), weekly_net_before_cap=False)),
    "units raised again": Case(thinned(week(0))),
    "nowhere to muster": Case(nowhere_to_muster()),
    "what is raised by order": Case(
        set_to(thinned(week(0)), auto_raise_units=False),
        choices=WeekChoices(
            raised=("american/line", "british/line"),
            first=("gates_2",),
            downgrades=(Downgrade("american/line", "american/militia", 15),),
            refused=(RefusedChoice("rebel", "AWI-C-POL-03", "Name no more pools than have points."),),
        ),
    ),
    "the umpire musters them": Case(
        set_to(thinned(week(0)), location_choice="umpire_places"),
        choices=WeekChoices(placements=(Placement("american/line", "granville"),)),
    ),
    "over establishment": Case(week(0, 20)),
    "militia back": Case(week(7, 27, status=UnitStatus.ABSENT)),
    "replacements, and a choice that lapses": Case(
        changed(week(0, 41), "burgoyne_2", points=110),
        choices=WeekChoices(fills=(LoyalistFill("peters", "burgoyne_2", 10),)),
    ),
    "the last of the militia": Case(week(12, points=5)),
    "no men left": Case(last_men(), march("gates", "granville", pace="double")),
    "the week's points": Case(scored()),
    "the week's points, open": Case(scored(fog="off")),
    "a chapter ends": Case(scored(chapter_weeks=1)),
    "mend a bridge for days": Case(
        set_to(replace(bridge(), bridges={ALBANY_ROAD: Bridge(0)}), bridge_men_days=5000),
        {0: [Order("burgoyne", activity="repair_bridge", target=ALBANY_ROAD)]},
        2,
    ),
    "a crossing found broken": Case(
        replace(bridge(), bridges={ALBANY_ROAD: Bridge(0, known_by="rebel")}), march("burgoyne", "bennington")
    ),
    "a bridge of rafts takes days": Case(
        set_to(crossed("ford"), bridge_men_days=5000),
        {0: [Order("burgoyne", activity="lay_bridge", target=ALBANY_ROAD)]},
        2,
    ),
    "march by water": Case(lake(), march("burgoyne", "bennington", by_water=True), 2),
    "march by water refused": Case(harbour(), march("burgoyne", "bennington", by_water=True)),
    "no trace of the enemy": Case(
        last_known("bennington"), {0: [Order("fraser", activity="follow", target="1")]}, 2
    ),
    "where the enemy was last known": Case(
        last_known("castleton"), {0: [Order("fraser", activity="follow", target="1")]}, 2
    ),
    "a bridge of rafts holds": Case(
        replace(
            set_to(crossed("ford", weather="rain"), raft_breaks_on=1), rafts={ALBANY_ROAD: Raft(0)}, day=2
        )
    ),
    "bridges of rafts out of sight": Case(
        replace(
            set_to(crossed("ford", "granville--hubbardton--road", weather="rain"), raft_breaks_on=6),
            rafts={"granville--hubbardton--road": Raft(0, known_by="rebel")},
            day=2,
        )
    ),
    "arrival out of sight": Case(late("rebel", "hubbardton")),
    "march out of sight": Case(at(road(), gates="hubbardton"), march("gates", "granville", "easton"), 2),
}
