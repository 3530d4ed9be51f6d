"""A campaign posed so that every kind of paper has something to say, and how its pages are read."""

import html
import re
from dataclasses import replace
from typing import Any

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, OrderPaper
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.world.markers import Boats, Bridge, Works
from campaign.rules.world.world import Position, UnitStatus, World, present_units

PAGE = "/campaigns/posed/"
State = OrderPaper.State
BRIDGE, BROKEN = "ticonderoga--mount_independence--road", "crown_point--chimney_point--road"
SETTINGS = {"boats": "counted", "supply": "food", "auto_raise_units": False}


def posed_world(world: World) -> World:
    """Saratoga with a crown corps before Ticonderoga, works, a broken ferry, pools and a regiment lost."""
    stand = {
        "provincial_corps": "ticonderoga",
        "british_1st_brigade": "crown_point",
        "army_train": "cumberland_head",
        "german_2nd_brigade": "chambly",
    }
    formations = {
        key: replace(one, position=Position(place=stand[key])) if key in stand else one
        for key, one in world.formations.items()
    }
    formations["army_train"] = replace(formations["army_train"], rations=10_000)
    lost = present_units(world)["british_2nd_brigade"][0]
    units = world.units | {
        lost.id: replace(lost, points=0, status=UnitStatus.ELIMINATED),
        "ng_45": replace(world.units["ng_45"], points=60),
    }
    return replace(
        world,
        formations=formations,
        units=units,
        boats={"cumberland_head": Boats("crown", 6000)},
        works={**world.works, "cumberland_head": Works("crown", 1)},
        bridges={**world.bridges, BROKEN: Bridge(0)},
        pools={
            **world.pools,
            "british/grenadiers": 20,
            "british/light_infantry": 20,
            "german/line": 20,
            "british/line": 20,
        },
        holders={**world.holders, "cumberland_head": "crown"},
    )


def words(response: Any) -> str:
    """What a page says, without its marks."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def first_enemy(campaign: Campaign) -> str:
    return str(list_known_enemies(world_load(campaign), "crown")[0].number)


def posted(kind: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, **{f"{kind}-{key}": value for key, value in values.items()}}


CORPS = "british_2nd_brigade"
MARCH = {"formation": CORPS, "destination": "chambly", "stance": "attack", "pace": "plus_half"}
ORDERS: dict[str, dict[str, str]] = {
    "march": MARCH,
    "halt": {"formation": CORPS, "stance": "avoid"},
    "rest": {"formation": CORPS, "activity": "rest", "destination": "chambly"},
    "late, by boat": {
        "formation": "advanced_corps", "destination": "crown_point", "pace": "normal", "starts": "90",
        "by_water": "on", "by_1": "valcour_island",
    },
    "follow": {"formation": "provincial_corps", "activity": "follow", "target": "enemy"},
    "intercept": {"formation": "provincial_corps", "activity": "intercept", "target": "enemy"},
    "entrench": {"formation": "german_1st_brigade", "activity": "entrench"},
    "a garrison entrenches": {"formation": "garrison_montreal", "activity": "entrench"},
    "dismantle": {"formation": "advanced_corps", "activity": "dismantle"},
    "break": {"formation": "provincial_corps", "activity": "break_bridge", "target": BRIDGE},
    "repair": {"formation": "british_1st_brigade", "activity": "repair_bridge", "target": BROKEN},
    "lay a bridge": {
        "formation": "british_1st_brigade", "activity": "lay_bridge",
        "target": "crown_point--ticonderoga--track",
    },
    "fell a road": {"formation": CORPS, "activity": "obstruct", "target": "chambly--st_johns--road"},
    "gather boats": {"formation": CORPS, "activity": "gather_boats"},
    "siege": {"formation": "provincial_corps", "activity": "siege"},
    "itinerary": {
        **MARCH, "to_1": "st_johns", "wait_1": "2", "when_1": "no_enemy", "miles_1": "10",
        "to_2": "chambly", "when_2": "held", "held_2": "montreal", "stance_2": "delay",
    },
}  # fmt: skip


def order(campaign: Campaign, name: str) -> dict[str, str]:
    data = {"stance": "give_battle", **ORDERS[name]}
    return data | ({"target": first_enemy(campaign)} if data.get("target") == "enemy" else {})


def acts(world: World) -> dict[str, dict[str, Any]]:
    corps = present_units(world)[CORPS]
    german = present_units(world)["german_1st_brigade"]
    return {
        "detach": {
            "units": [corps[0].id], "name": "Baum's detachment", "commander": "Baum",
            "doing": "rest", "to": "chambly",
        },
        "join": {"formation": "german_1st_brigade", "into": "german_2nd_brigade"},
        "transfer": {"units": [german[0].id], "into": "german_2nd_brigade"},
        "escort": {"formation": "advanced_corps", "wagons": "army_train"},
        "garrison": {"formation": "advanced_corps", "on": "on"},
        "hand_over": {"formation": "advanced_corps", "leader": "balcarres"},
        "ration": {"formation": "advanced_corps", "short": "short"},
        "depot": {"formation": "army_train"},
    }  # fmt: skip


CHOICES: dict[str, dict[str, str]] = {
    "fill": {"giver": "ng_kar", "receiver": "ng_45", "points": "10"},
    "balance": {"giver": "bw_rhetz_1", "receiver": "bw_rhetz_2", "points": "5"},
    "downgrade": {"source": "british/line", "points": "5"},
    "raise": {"pool": "german/line"},
    "first": {"unit": "lost"},
}


def choice(campaign: Campaign, kind: str) -> dict[str, Any]:
    values = CHOICES[kind]
    if kind == "first":
        units = world_load(campaign).units.values()
        values = {"unit": next(unit.id for unit in units if unit.status is UnitStatus.ELIMINATED)}
    return posted(kind, values)
