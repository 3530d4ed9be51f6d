"""Generals lost in battle: told to both sides, gone from their command, back when healed (HR-GEN-01)."""

from dataclasses import replace

import pytest

from campaign.rules.army.generals import WEEKS_AWAY, GeneralFate, GeneralLoss, generals_apply
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.text.event_sentences import names_of, narrate
from rosters.domain.dice import AddressedDice
from tests.factories.small_war import small_world

DICE = AddressedDice(secret=b"s" * 32, campaign="small", revision=1, day=0)


def loss(fate: GeneralFate, general: str = "fraser", side: str = "crown") -> GeneralLoss:
    return GeneralLoss(general, "Simon Fraser", side, fate)


@pytest.fixture
def world() -> World:
    """Fraser's corps at Crown Point marches on Ticonderoga; another of his formations stays behind."""
    made = small_world(
        {
            "corps": ("crown", "crown_point", 3),
            "rear": ("crown", "montreal", 1),
            "garrison": ("rebel", "ticonderoga", 2),
        }
    )
    led = {
        key: replace(one, commander="Simon Fraser" if one.side == "crown" else "Arthur St. Clair")
        for key, one in made.formations.items()
    }
    return replace(made, formations=led)


def day_fought(world: World, *losses: GeneralLoss) -> Completed:
    """The attack on Ticonderoga, settled without loss but of generals."""
    orders = {"corps": Order("corps", ("ticonderoga",), stance="attack")}
    pending = advance_day(world, orders, DICE, {})
    assert isinstance(pending, Pending)
    settled = {one.key: Settlement(one.key, "rebel", generals=losses) for one in pending.contacts}
    result = advance_day(world, orders, DICE, settled)
    assert isinstance(result, Completed)
    return result


def told(result: Completed) -> list[Event]:
    return [event for event in result.events if event.kind == "general_lost"]


@pytest.mark.parametrize("fate", ["killed", "captured"])
def test_who_is_killed_or_captured_commands_no_more(world: World, fate: GeneralFate) -> None:
    result = day_fought(world, loss(fate))
    assert [one.commander for one in result.world.formations.values()] == ["", "", "Arthur St. Clair"]
    assert result.world.away == {}
    (event,) = told(result)
    assert (event.rule, event.sides, bool(event.contact)) == ("HR-GEN-01", ("crown", "rebel"), True)


@pytest.mark.parametrize("fate", ["wounded", "disabled"])
def test_a_wounded_general_is_away_some_weeks_and_comes_back(world: World, fate: GeneralFate) -> None:
    result = day_fought(world, loss(fate))
    back = 7 * WEEKS_AWAY[fate]
    assert result.world.away == {"fraser": back}
    assert result.world.formations["corps"].commander == "Simon Fraser"
    last = replace(result.world, day=back - 2)
    assert generals_apply(last, ()).away == {"fraser": back}
    assert generals_apply(replace(last, day=back - 1), ()).away == {}


@pytest.mark.parametrize(
    ("fate", "words"),
    [
        ("killed", "Simon Fraser, a general of Crown, is killed."),
        ("captured", "Simon Fraser, a general of Crown, is taken prisoner."),
        ("wounded", "Simon Fraser, a general of Crown, is wounded."),
        ("disabled", "Simon Fraser, a general of Crown, is wounded."),
    ],
)
def test_the_journal_tells_his_fate(world: World, fate: GeneralFate, words: str) -> None:
    (event,) = told(day_fought(world, loss(fate)))
    assert narrate(event, names_of(world)) == words


@pytest.mark.parametrize(
    ("fate", "words"),
    [
        ("wounded", "Simon Fraser's wound is not grave: he will be away for 2 weeks."),
        ("disabled", "Simon Fraser's wound is grave: he will be away for 6 weeks."),
    ],
)
def test_how_bad_a_wound_is_his_own_side_alone_hears_hr_gen_01(
    world: World, fate: GeneralFate, words: str
) -> None:
    events = day_fought(world, loss(fate)).events
    (away,) = [event for event in events if event.kind == "general_away"]
    assert (away.rule, away.sides, narrate(away, names_of(world))) == ("HR-GEN-01", ("crown",), words)


def test_the_enemy_is_told_the_same_of_every_wound_hr_gen_01_hr_ldr_02_hr_fog_01(world: World) -> None:
    light, grave = (
        [event for event in day_fought(world, loss(fate)).events if "rebel" in event.sides]
        for fate in ("wounded", "disabled")
    )
    assert light == grave and "general_lost" in {event.kind for event in light}


def test_a_day_of_older_rules_is_told_without_the_weeks_hr_gen_01(world: World) -> None:
    (event,) = told(day_fought(world, loss("wounded")))
    old = replace(event, data={**event.data, "fate": "disabled", "weeks": 6})
    assert narrate(old, names_of(world)) == narrate(event, names_of(world))


def test_a_general_of_neither_side_or_of_an_unknown_fate_is_refused(world: World) -> None:
    for wrong in (loss("killed", side="french"), replace(loss("killed"), fate="promoted")):  # type: ignore[arg-type]
        with pytest.raises(RuleViolation, match=r"Simon Fraser of .* cannot be"):
            day_fought(world, wrong)


def test_a_world_with_all_generals_well_hashes_as_before_there_were_any(world: World) -> None:
    assert "away" not in world_to_json(world)
    hurt = replace(world, away={"fraser": 14})
    assert world_hash(hurt) != world_hash(world)
    assert world_from_json(world_to_json(hurt), world.theatre) == hurt
