"""What is told outside the days: the umpire's acts, treaties, battles that fall away, the first morning."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Settlement
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire import corrections
from campaign.rules.umpire.battle_corrections import (
    Annul,
    Annulled,
    BattleAdjust,
    BattleReference,
    BattleSplit,
    BattleTakeBack,
    BattleWay,
    DrawGround,
    PlanLaidDown,
    UnitArrival,
)
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import ChangePool, SetFood, SetGeneral, SetHolder
from campaign.rules.umpire.settings import ChangeRules, Conduct, SettingChange
from campaign.rules.victory.treaties import AnswerTerms, Concede, EndCampaign, Exchange, OfferTerms
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Position
from campaign.rules.world.scenario_variation import AlternativeChange as Alternative
from campaign.rules.world.scenario_variation import first_morning
from campaign.rules.world.world import Order, UnitStatus, World
from tests.factories.fog import dice_of, road
from tests.factories.little_wars import battalion
from tests.golden.fog_cases_days import led, scored, set_to

#: A reason, which only what holds for all tells the sides.
WHY = "A slip of the umpire's."
LINE = {"nation": "continental", "troop_type": "continental_line"}
FOUGHT = Settlement(
    "bennington@0/600",
    "crown",
    (UnitLoss("gates_1", 5, 2), UnitLoss("fraser_1", 5, 1, 0, "routed")),
    "table",
    60,
    (GeneralLoss("gates", "Horatio Gates", "rebel", "wounded"),),
)
BATTLE = Annulled(FOUGHT.contact, 0, 600, "crown", "rebel", "bennington")
FIELD = BattleReference(FOUGHT.contact, "crown", "rebel", "bennington")
ADJUSTED = BattleAdjust(FIELD, 1, "0" * 64)


def prisoners() -> World:
    held = {"state": "captured", "formation": ""}
    return led(
        road(),
        phillips={**held, "held_by": "rebel"},
        lincoln={**held, "held_by": "crown"},
    )


def in_turn(world: World, *deeds: Any) -> Callable[[], tuple[World, Sequence[Event]]]:
    """Acts one after the other."""

    def done() -> tuple[World, Sequence[Event]]:
        now, events = world, list[Event]()
        for deed in deeds:
            result = act_apply(now, deed, WHY)
            now, events = result.world, [*events, *result.events]
        return now, events

    return done


def hindsight() -> tuple[World, Sequence[Event]]:
    """Alternatives, and the date on which a battalion comes, are thrown for before the first morning."""
    world = set_to(road(), alternatives=True, arrivals="diced")
    late = battalion("jessup", "crown", "burgoyne", 48, status=UnitStatus.EXPECTED, arrives=30, home="albany")
    world = replace(world, units={**world.units, late.id: late})
    changes = (
        Alternative("Washington sends Morgan", 5, "gates_2", points=110),
        Alternative("Howe comes", 1, "jessup"),
    )
    result = first_morning(world, changes, dice_of(world))
    return result.world, result.events


TERMS = OfferTerms("crown", "", "The army marches out with the honours of war.")
POOLED = replace(road(), pools={"american/line": 60})

#: What is done, by name; each gives the world after it and what is told.
ACTS: dict[str, Callable[[], tuple[World, Sequence[Event]]]] = {
    "place": in_turn(
        road(),
        corrections.PlaceFormation("gates", Position(place="castleton")),
        corrections.PlaceFormation("gates", Position("", "dorset--easton--road", "dorset", "easton", 9000)),
    ),
    "add": in_turn(
        POOLED,
        corrections.Add(
            "poor", "Poor's", "rebel", points=30, formation="gates", pool="american/line", **LINE
        ),
        corrections.Add(
            "new", "New", "rebel", points=8, formation="n", formation_name="N", place="dorset", **LINE
        ),
    ),
    "split": in_turn(
        road(), corrections.Split("gates", ("gates_1",), "gates-d1", "Arnold's column", "Arnold")
    ),
    "reinforce": in_turn(
        POOLED,
        corrections.Reinforce("gates_1", -100),
        corrections.Reinforce("gates_2", 20, "american/line"),
    ),
    "pool": in_turn(POOLED, ChangePool("american/line", -20), ChangePool("british/rifles", 40)),
    "general": in_turn(
        led(road()),
        SetGeneral("burgoyne", "wounded", "burgoyne", 2),
        SetGeneral("phillips", "well", "fraser"),
        SetGeneral("fraser", "dead", ""),
        SetGeneral("lincoln", "captured", ""),
        SetGeneral("lincoln", "well", "gates"),
        SetGeneral("lincoln", "captured", ""),
        SetGeneral("lincoln", "dead", ""),
    ),
    "holder": in_turn(
        road(),
        SetHolder("granville", ""),
        SetHolder("hubbardton", "rebel"),
        SetHolder("castleton", "rebel"),
        SetHolder("castleton", "crown"),
        SetHolder("castleton", ""),
    ),
    "food": in_turn(
        set_to(road(), supply="food"),
        SetFood("formation", "gates", 900),
        SetFood("store", "granville", 4000),
        SetFood("store", "bennington", 50),
    ),
    "rename": in_turn(
        road(),
        corrections.Rename("unit", "gates_1", "Poor's first"),
        corrections.Rename("formation", "gates", "The Northern Army"),
    ),
    "weather": in_turn(road(), corrections.SetWeather(3, "storm"), corrections.SetWeather(3, "")),
    "command": in_turn(
        road(),
        corrections.CommandFormation("gates", Order("gates", ("easton",))),
        corrections.CommandFormation("gates"),
    ),
    "strike": in_turn(
        road(),
        corrections.CancelOrder("activity", "gates", "rebel"),
        corrections.CancelOrder("organise", "gates", "rebel"),
        corrections.CancelOrder("returns", "rebel", "rebel"),
    ),
    "rumour": in_turn(road(), corrections.Rumour("rebel", "Burgoyne is at Castleton.")),
    "pause": in_turn(road(), corrections.Pause(True), corrections.Pause(False)),
    "deadline": in_turn(
        road(),
        corrections.Deadline("1777-09-18T20:00+00:00"),
        corrections.Deadline("1777-09-17T20:00+00:00", earlier=True),
        corrections.Deadline(""),
    ),
    "rules": in_turn(
        road(),
        ChangeRules((SettingChange("road_miles", "12", "14"), SettingChange("recruitment", "draft", "off"))),
    ),
    "conduct": in_turn(
        road(),
        Conduct((SettingChange("battle_policy", "ask", "table"), SettingChange("table_units", "20", "12"))),
    ),
    "rhythm": in_turn(road(), Rhythm("Europe/London", 7)),
    "die": in_turn(road(), corrections.EnterDie("HR-CON-04", "bennington/gates", 0, 5)),
    "rewind": in_turn(
        road(),
        corrections.RewindCampaign(1, 4, 1),
        corrections.RewindCampaign(1, 4, 2, new_dice=True, keep=False),
    ),
    "annul": in_turn(led(road()), Annul((BATTLE, replace(BATTLE, settlement=FOUGHT)))),
    "concede": in_turn(scored(), Concede("crown")),
    "offer_terms": in_turn(
        road(), TERMS, AnswerTerms("rebel", "refuse"), TERMS, AnswerTerms("crown", "withdraw")
    ),
    "answer_terms": in_turn(scored(), TERMS, AnswerTerms("rebel", "accept")),
    "exchange": in_turn(
        prisoners(), Exchange("crown", "phillips", "lincoln"), Exchange("rebel", "lincoln", "phillips")
    ),
    "exchange by the umpire": in_turn(prisoners(), Exchange("", "phillips", "lincoln")),
    "end": in_turn(scored(), EndCampaign("rebel")),
    "battle_way": in_turn(road(), BattleWay(FIELD, "table"), BattleWay(FIELD, "engine", "awi", "3")),
    "battle_adjust": in_turn(
        road(),
        replace(ADJUSTED, ground=DrawGround(2, "winter", True, 4, 96, 60)),
        replace(ADJUSTED, arrivals=(UnitArrival("gates_1", 6), UnitArrival("fraser_1", 0))),
        replace(ADJUSTED, rain="storm"),
        replace(ADJUSTED, side="rebel", plan=PlanLaidDown("withdraw")),
    ),
    "battle_take_back": in_turn(
        road(),
        BattleTakeBack(FIELD, 1, "ground", ("crown", "rebel")),
        BattleTakeBack(FIELD, 4, "plan", ("rebel",)),
    ),
    "battle_split": in_turn(road(), BattleSplit(FIELD, ("gates_1", "fraser_1")), BattleSplit(FIELD, ())),
    "before the first morning": hindsight,
}
