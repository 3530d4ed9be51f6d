"""Verbs and pronouns agree in number with sides, formations and units, in every kind of event and order.

The events are those of the little campaigns of tests/golden/fog and of the umpire's acts; their names are
replaced by names of one and by names of several.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest

from battles.grammar import format_amount
from campaign.rules.world.events import Event
from campaign.rules.world.world import Activity, Order, Stage, Stance, World
from campaign.text.event_sentences import narrate
from campaign.text.event_table import EVENT_KINDS
from campaign.text.gazette import PRINTED, GazetteItem, compose_sentence
from campaign.text.order_text import order_text, stage_text
from campaign.text.place_names import CampaignNames, names_of
from tests.golden.fog_acts import ACTS
from tests.golden.test_fog import EVERY

#: Names of one and of several: a side's, a formation's, a unit's.
ONE = ("the Crown", "Advanced Corps", "24th Foot")
SEVERAL = ("the Americans", "Hessians", "Queen's Rangers")
PEOPLES = ("the British", "the French")
NAME = "|".join(map(re.escape, (*ONE, *SEVERAL, *PEOPLES, *(name.capitalize() for name in PEOPLES))))


class Called(dict[str, str]):
    """Everything is called the same."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, key: str, default: Any = None) -> str:
        return self.name


def rename_all(names: CampaignNames, side: str, formation: str, unit: str) -> CampaignNames:
    return replace(names, sides=Called(side), formations=Called(formation), units=Called(unit))


@cache
def events() -> tuple[tuple[Event, World], ...]:
    """Some events of every kind, with the world they are of."""
    found: dict[str, list[tuple[Event, World]]] = {}
    for case in EVERY.values():
        world, days = case.played()
        for event in (event for day in days for event in day):
            found.setdefault(event.kind, []).append((event, world))
    for act in ACTS.values():
        world, told = act()
        for event in told:
            found.setdefault(event.kind, []).append((event, world))
    return tuple(row for rows in found.values() for row in rows)


def sentences(names: tuple[str, str, str]) -> Iterator[tuple[str, str]]:
    for event, world in events():
        called = rename_all(names_of(world), *names)
        yield event.kind, narrate(event, called)
        if event.kind in PRINTED and PRINTED[event.kind].manners:
            for letter in "0123456789ab":
                yield event.kind, compose_sentence(GazetteItem(0, f"x{letter * 8}", event), called).text


def wrong_of_one(text: str) -> list[str]:
    """What is said of one as if it were several."""
    return re.findall(rf"(?<!of )(?<!and )(?:{NAME}),? (?:\w+ )?(?:are|were|have|their|themselves)\b", text)


def wrong_of_several(text: str, names: tuple[str, ...]) -> list[str]:
    """What is said of several as if they were one: the word after a name, and after an "and" behind it."""
    subject = "|".join(map(re.escape, (*names, *(name[:1].upper() + name[1:] for name in names))))
    found = re.findall(
        rf"(?<!of )(?<!for )(?:{subject}),? ((?:is|was|has|does|goes|its|itself|[a-z]+[^s\W]s))\b", text
    )
    found += re.findall(rf"^(?:{subject}) [^;:]* and ((?:is|has|[a-z]+[^s\W]s))\b", text)
    found += re.findall(rf"^(?:{subject}) [^;:]*\b(it [a-z]+s|its|itself)\b", text)
    return found


def test_every_kind_of_event_is_generated():
    assert set(EVENT_KINDS) - {event.kind for event, _ in events()} == {"campaign_begins"}


def test_what_is_told_of_one_agrees():
    told = dict.fromkeys(sentences(ONE))
    two = {"contact"}  # both sides, who are several together
    assert not [(kind, text) for kind, text in told if kind not in two and wrong_of_one(text)]
    assert any(kind == "battle" and "the Crown holds the field" in text for kind, text in told)


@pytest.mark.parametrize("side", ["the Americans", *PEOPLES])
def test_what_is_told_of_several_agrees(side: str):
    names = (side, *SEVERAL[1:])
    told = dict.fromkeys(sentences(names))
    assert not [(kind, text) for kind, text in told if wrong_of_several(text, names)]
    assert any(kind == "battle" and f"{side} hold the field" in text for kind, text in told)
    assert any(kind == "place_taken" and f"{side[:1].upper()}{side[1:]} take " in text for kind, text in told)


def test_counts_agree_with_what_is_counted():
    one = re.compile(r"\b1 (?:units|points|rations|weeks|days|miles|men)\b")
    assert not [(kind, text) for kind, text in sentences(ONE) if one.search(text)]
    assert (format_amount(1, "ration"), format_amount(2, "ration"), format_amount(0, "ration")) == (
        "1 ration", "2 rations", "0 rations",
    )  # fmt: skip


ORDERS: Mapping[str, Order] = {
    **{
        f"{activity}, {stance}": Order(
            "corps", () if activity != "march" else ("albany", "wells"), activity=activity, stance=stance
        )
        for activity in get_args(Activity)
        for stance in get_args(Stance)
    },
    "rest, then march": Order("corps", ("albany", "wells"), activity="rest"),
    "halt": Order("corps"),
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_orders_agree_with_who_is_ordered_and_leave_names_alone(order: Order):
    places = {"albany": "Albany", "wells": "Wells"}
    one = order_text(order, CampaignNames(places=places, formations=Called("Advanced Corps")))
    several = order_text(order, CampaignNames(places=places, formations=Called("Hessians")))
    assert not wrong_of_one(f"Advanced Corps {one}") and "they" not in one
    assert not wrong_of_several(f"Hessians {several}", ("Hessians",)), several
    assert one.count("Wells") == several.count("Wells")


def test_an_order_of_several_is_read():
    names = CampaignNames(places={"wells": "Wells", "york": "York"}, formations=Called("Hessians"))
    order = Order("corps", ("york", "wells"), pace="double", stance="attack")
    assert order_text(order, names) == (
        "march to Wells by York, by double marches; are to attack whatever they meet"
    )
    assert order_text(replace(order, activity="rest"), names).startswith("rest a day, then march to Wells")
    assert order_text(Order("corps", activity="obstruct", target="road"), names) == (
        "fell and break road; are to give battle"
    )
    stage = Stage(("wells",))
    assert stage_text(stage, names, "Hessians").startswith("then march on to Wells")
