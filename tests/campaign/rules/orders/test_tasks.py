"""Late starts, rest, stages, following and intercepting (HR-ORD)."""

from dataclasses import replace
from itertools import pairwise

import pytest

from campaign.rules.day.arrivals import is_enemy_within
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.order_json import VERSION, checked_form, order_to_paper, read_record
from campaign.rules.orders.orders import verify_order
from campaign.rules.orders.tasks import next_part
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.world.markers import Report
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, Stage, World
from campaign.text.order_text import order_text
from campaign.text.place_names import names_of
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import (
    MILE,
    completed,
    day_dice,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)

NAMES = ("albany", "bennington", "castleton", "dorset", "easton")


def valley(**forces: tuple[str, str | Position, int]) -> World:
    """Five places in a row, 12 miles of road apart: Burgoyne in Albany, and who else is asked for."""
    return little_world(
        [place(name) for name in NAMES],
        [way(a, b, 12) for a, b in pairwise(NAMES)],
        {"burgoyne": ("crown", "albany", 3), **forces},
        supply={"crown": ("albany",)},
        holders={"albany": "crown"},
    )


def days(world: World, order: Order, count: int) -> World:
    """The world so many days later, the order given on the first."""
    for day in range(count):
        world = completed(world, orders(order) if day == 0 else {}, day_dice(world)).world
    return world


def at(world: World, formation: str = "burgoyne") -> str:
    position = world.formations[formation].position
    assert position is not None
    return position.place


def reported(world: World, **where: Position) -> World:
    """The world with a report on the Crown's map of each enemy, numbered from 7 in order of name."""
    world = first_look(world)
    known = {
        f"crown/{key}": Report(
            key, key.title(), "rebel", where[key], 5, 50, "foot", 0, 0, "column", "", number
        )
        for number, key in enumerate(sorted(where), start=7)
    }
    return replace(world, reports={**world.reports, **known})


# --- papers ---


def read_paper(data: object) -> Order:
    return read_record(Order, checked_form(data, "HR-ORD-01", VERSION), "HR-ORD-01")


def test_hr_ord_01_orders_go_through_their_paper() -> None:
    order = Order(
        "burgoyne",
        ("bennington",),
        "double",
        "attack",
        activity="rest",
        stages=(Stage(("castleton",), wait=2, when="held", subject="albany"),),
    )
    assert read_paper(order_to_paper(order)) == order


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 9}, "version"),
        ({"pace": "triple"}, "pace"),
        ({"activity": "dance"}, "activity"),
        ({"via": "albany"}, "via"),
        ({"via": [3]}, "via.0"),
        ({"starts": True}, "starts"),
        ({"by_water": 1}, "by_water"),
        ({"stages": [{"via": ["albany"], "when": "never"}]}, "stages.0.when"),
        ({"stages": ["albany"]}, "stages.0"),
        ({"hat": "red"}, "hat"),
    ],
)
def test_hr_ord_01_a_paper_that_is_wrong_is_refused_with_its_field(
    change: dict[str, object], field: str
) -> None:
    with pytest.raises(RuleViolation) as refused:
        read_paper({**order_to_paper(Order("burgoyne")), **change})
    assert (refused.value.rule_id, refused.value.field) == ("HR-ORD-01", field)


# --- what does not go together ---


@pytest.mark.parametrize(
    ("order", "rule", "field"),
    [
        (Order("burgoyne", activity="dance"), "HR-ORD-01", "activity"),  # type: ignore[arg-type]
        (Order("burgoyne", ("bennington",), starts=-1), "HR-ORD-05", "starts"),
        (Order("burgoyne", ("bennington",), starts=1200), "HR-ORD-05", "starts"),
        (Order("burgoyne", activity="entrench", starts=60), "HR-ORD-05", "starts"),
        (Order("burgoyne", ("bennington",), activity="entrench"), "HR-ORD-06", "via"),
        (Order("burgoyne", ("bennington",), activity="follow", target="crown/gates"), "HR-ORD-06", "via"),
        (Order("burgoyne", activity="follow", target="crown/gates"), "HR-ORD-03", "target"),
        (Order("burgoyne", activity="intercept", target="gates"), "HR-ORD-04", "target"),
        (
            Order("burgoyne", activity="intercept", target="crown/gates", stance="avoid"),
            "HR-ORD-04",
            "stance",
        ),
        (
            Order("burgoyne", activity="follow", target="crown/gates", stages=(Stage(("easton",)),)),
            "HR-ORD-02",
            "stages",
        ),
        (Order("burgoyne", stages=(Stage(()),)), "HR-ORD-02", "stages"),
        (Order("burgoyne", stages=(Stage(("easton",), wait=61),)), "HR-ORD-02", "stages"),
        (Order("burgoyne", stages=(Stage(("easton",), miles=-1),)), "HR-ORD-02", "stages"),
        (Order("burgoyne", stages=(Stage(("easton",), when="held", subject="x"),)), "HR-ORD-02", "stages"),
        (Order("burgoyne", stages=(Stage(("atlantis",)),)), "HR-MAR-08", "stages"),
        (Order("burgoyne", stages=(Stage(("easton",)),) * 13), "HR-ORD-02", "stages"),
        (Order("burgoyne", stages=(Stage(("easton",), pace="x"),)), "AWI-C-MAR-02", "pace"),  # type: ignore[arg-type]
    ],
)
def test_an_order_that_cannot_be_is_refused(order: Order, rule: str, field: str) -> None:
    world = valley(gates=("rebel", "easton", 1))
    with pytest.raises(RuleViolation) as refused:
        verify_order(world, order, "crown")
    assert (refused.value.rule_id, refused.value.field) == (rule, field)


# --- hours and days ---


def test_hr_ord_05_a_late_start_ends_the_day_short_and_counts_on_the_first_day_only() -> None:
    world = valley()
    order = Order("burgoyne", ("castleton",), starts=15 * 60)
    evening = days(world, order, 1)
    position = evening.formations["burgoyne"].position
    assert position is not None and position.yards == 6 * MILE  # five hours of ten
    assert evening.formations["burgoyne"].order == replace(order, starts=0)
    assert at(days(world, replace(order, starts=0), 2)) == "castleton"


def test_hr_ord_05_who_has_not_started_is_met_where_he_stands() -> None:
    world = valley(gates=("rebel", "bennington", 1))
    late = Order("burgoyne", ("bennington",), starts=16 * 60)
    contact = pending(world, orders(late, Order("gates", ("albany",), stance="attack")), day_dice(world))
    assert contact.place == "albany"
    assert contact.attacker == "rebel"


def test_hr_ord_06_a_rest_is_followed_by_the_march() -> None:
    world = valley()
    tired = replace(world.formations["burgoyne"], marched=4)
    world = replace(world, formations={**world.formations, "burgoyne": tired})
    order = Order("burgoyne", ("bennington",), activity="rest")
    rested = days(world, order, 1)
    assert (at(rested), rested.formations["burgoyne"].marched) == ("albany", 0)
    assert at(days(rested, Order("burgoyne"), 0)) == "albany"
    assert at(completed(rested, {}, day_dice(rested)).world) == "bennington"


def test_hr_ord_02_stages_follow_with_their_days_of_waiting() -> None:
    order = Order(
        "burgoyne",
        ("bennington",),
        stages=(Stage(("castleton",), wait=2), Stage(("bennington",), pace="plus_half", stance="avoid")),
    )
    where = [at(days(valley(), order, count)) for count in (1, 2, 3, 4, 5, 6)]
    assert where == ["bennington", "bennington", "bennington", "castleton", "bennington", "bennington"]
    done = days(valley(), order, 5).formations["burgoyne"]
    assert done.order == Order("burgoyne", stance="avoid")


@pytest.mark.parametrize(
    ("stage", "goes"),
    [
        (Stage(("bennington",), when="enemy", miles=12), True),
        (Stage(("bennington",), when="no_enemy", miles=12), False),
        (Stage(("albany",), when="enemy", miles=5), False),
        (Stage(("bennington",), when="held", subject="albany"), True),
        (Stage(("bennington",), when="held", subject="castleton"), False),
    ],
)
def test_hr_ord_02_a_stage_whose_condition_fails_is_passed_over(stage: Stage, goes: bool) -> None:
    world = valley(gates=("rebel", "bennington", 0), schuyler=("rebel", Position("", *half_way()), 1))
    order = Order("burgoyne", stance="avoid", stages=(stage,))
    verify_order(world, order, "crown")
    begun = next_part(world, world.formations["burgoyne"], order)
    assert begun == (replace(order, via=stage.via, stance=stage.stance, stages=()) if goes else halted())


def halted() -> Order:
    return Order("burgoyne", stance="avoid")


def half_way() -> tuple[str, str, str, int]:
    route = way("albany", "bennington", 12)
    return route.id, "bennington", "albany", 6 * MILE


@pytest.mark.parametrize(("age", "counts"), [(1, True), (7, True), (8, False)])
def test_hr_ord_02_an_enemy_out_of_sight_counts_for_a_week_after_his_report(age: int, counts: bool) -> None:
    world = reported(valley(gates=("rebel", "easton", 1)), gates=Position(place="castleton"))
    world = replace(world, day=age)
    stages = {when: Stage(("bennington",), when=when, miles=12) for when in ("enemy", "no_enemy")}
    for when, stage in stages.items():
        begun = next_part(world, world.formations["burgoyne"], Order("burgoyne", stages=(stage,)))
        goes = begun is not None and begun.via == ("bennington",)
        assert goes == (counts == (when == "enemy"))
    assert not is_enemy_within(world, Position(place="bennington"), "crown", 12), "levies ask for sight"


def test_hr_ord_02_a_condition_asks_only_what_the_side_knows() -> None:
    """Whether a hidden enemy stands at Easton or Dorset changes nothing for the Crown."""
    order = Order("burgoyne", stages=(Stage(("bennington",), when="no_enemy", miles=60),))
    results = []
    for where in ("castleton", "easton"):
        world = valley(gates=("rebel", where, 2))
        results.append(at(completed(world, orders(order), day_dice(world)).world))
    assert results == ["bennington", "bennington"]


# --- after the enemy ---


def chase(activity: str, target: str = "7", **facts: object) -> Order:
    return Order("burgoyne", activity=activity, target=target, **facts)  # type: ignore[arg-type]


def test_hr_ord_03_an_enemy_in_sight_is_followed_from_place_to_place() -> None:
    world = valley(gates=("rebel", "bennington", 1))
    world = first_look(replace(world, settings=RuleSettings(fog="off")))
    (gates,) = list_known_enemies(world, "crown")
    order = chase("follow", str(gates.number), stance="avoid")
    assert is_allowed(verify_order, world, order, "crown")
    done = completed(world, orders(order, Order("gates", ("easton",))), day_dice(world)).world
    assert at(done) == "bennington"
    assert done.formations["burgoyne"].order == order
    assert at(completed(done, {}, day_dice(done)).world) == "castleton"


def test_hr_ord_03_a_follower_turns_when_scouts_report_that_the_enemy_has() -> None:
    """Gates marches up the side road at four; at eight the scouts tell, and Burgoyne goes after him."""
    world = little_world(
        [place(name) for name in ("albany", "bennington", "castleton")],
        [way("albany", "bennington", 5), way("bennington", "castleton", 40)],
        {"burgoyne": ("crown", "albany", 3), "gates": ("rebel", "bennington", 1)},
        settings=RuleSettings(fog="off"),
    )
    world = first_look(world)
    order = chase("follow", "1", pace="double", stance="avoid")
    contact = pending(world, orders(order, Order("gates", ("castleton",))), day_dice(world))
    assert (contact.route, contact.attacker) == ("bennington--castleton--road", "crown")
    assert contact.minute > 12 * 60


def test_hr_ord_03_a_report_is_followed_to_where_he_was_and_then_the_order_lapses() -> None:
    world = reported(valley(gates=("rebel", "easton", 1)), gates=Position(place="bennington"))
    done = completed(world, orders(chase("follow")), day_dice(world))
    assert at(done.world) == "bennington"
    after = completed(done.world, {}, day_dice(done.world))
    assert at(after.world) == "bennington"
    assert after.world.formations["burgoyne"].order is None
    (lost,) = told(after.events, "order_refused")
    assert (lost.rule, lost.sides) == ("HR-ORD-03", ("crown",))


def test_hr_ord_03_who_stands_where_the_enemy_was_last_known_waits_there() -> None:
    world = reported(valley(gates=("rebel", "easton", 1)), gates=Position(place="albany"))
    done = completed(world, orders(chase("follow")), day_dice(world))
    (lost,) = told(done.events, "no_trace")
    assert (lost.place, lost.sides) == ("albany", ("crown",))


def test_hr_ord_03_who_is_on_a_route_is_followed_along_it() -> None:
    route = way("bennington", "castleton", 12)
    spot = Position("", route.id, "bennington", "castleton", 6 * MILE)
    world = reported(valley(gates=("rebel", "easton", 1)), gates=spot)
    assert at(completed(world, orders(chase("follow", pace="double")), day_dice(world)).world) == "castleton"


def test_hr_ord_03_nothing_hidden_tells_in_where_a_follower_goes() -> None:
    """The march and the refusals are the same wherever the unseen enemy really is."""
    seen = []
    for where in ("dorset", "easton"):
        world = valley(gates=("rebel", where, 2), schuyler=("rebel", where, 1))
        world = reported(world, gates=Position(place="bennington"))
        evening = completed(world, orders(chase("follow")), day_dice(world)).world
        seen.append(evening.formations["burgoyne"])
        assert not any(
            is_allowed(verify_order, world, chase("follow", str(number)), "crown") for number in range(7)
        )
    assert seen[0] == seen[1]


def test_hr_ord_04_an_enemy_on_the_road_is_headed_off() -> None:
    """Gates comes down a long trail to Castleton; Burgoyne is there first and marches up to meet him."""
    trail = way("castleton", "fort", 40, "trail")
    base = valley()
    world = little_world(
        [*base.theatre.atlas.places.values(), place("fort")],
        [*base.theatre.atlas.routes.values(), trail],
        {"burgoyne": ("crown", "bennington", 3), "gates": ("rebel", "easton", 1)},
        holders={"bennington": "crown"},
        supply={"crown": ("albany",)},
    )
    world = reported(world, gates=Position("", trail.id, "fort", "castleton", 10 * MILE))
    order = chase("intercept", stance="attack", pace="double")
    verify_order(world, order, "crown")
    after = days(world, order, 1).formations["burgoyne"].position
    assert after is not None and (after.route, after.origin) == (trail.id, "castleton")


def test_hr_ord_04_who_is_too_near_his_goal_is_met_further_on() -> None:
    """He will be in Castleton before anybody; bound for Albany he can be met at Bennington."""
    route = way("castleton", "dorset", 12)
    spot = Position("", route.id, "dorset", "castleton", 11 * MILE)
    world = reported(valley(gates=("rebel", "easton", 1)), gates=spot)
    assert at(completed(world, orders(chase("intercept")), day_dice(world)).world) == "bennington"


def test_orders_of_every_activity_are_told_in_words() -> None:
    names = names_of(valley())
    assert order_text(Order("burgoyne", activity="entrench"), names) == "digs in; is to give battle"
    late = Order("burgoyne", ("castleton",), starts=90, by_water=True, stages=(Stage(("easton",)),))
    assert order_text(late, names) == (
        "marches to Castleton, at the normal pace, in boats, starting 1 h 30 min late; is to give battle; "
        "then on to Easton"
    )
    assert order_text(Order("burgoyne", activity="rest"), names) == "rests and is to give battle"
    bridge = Order("burgoyne", activity="break_bridge", target="albany--bennington--road")
    assert order_text(bridge, names).startswith(
        "breaks the crossing of the road between Albany and Bennington"
    )
