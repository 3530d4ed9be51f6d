"""The worked checks of checks-rtg.yaml, played against the kernels; the players are in `checks/`."""

import re
from collections.abc import Callable
from inspect import signature

import pytest

from tests.battles.read_whole import play
from tests.battles.rulesets.volley_bayonet.rtg.books import CHECKS, RULES
from tests.battles.rulesets.volley_bayonet.rtg.checks import combat, rest

#: Players by what the ids of their checks look like.
PLAYERS: dict[str, Callable[..., None]] = {
    r"RTG-MOR-\d": rest.check_morale,
    r"RTG-MOR-[A-Z]+": rest.check_modified,
    r"RTG-CBT-[A-Z]+-\w+": combat.check_dice,
    r"RTG-CBT-DEDGUN2?": combat.check_dedicated,
    r"RTG-SAV-EX-\d\d": combat.check_save,
    r"RTG-MEL-EX-\d\d": combat.check_melee,
    r"RTG-MEL-TIE-\w+": combat.check_tie,
    r"RTG-EXH-\d": rest.check_collapse,
    r"RTG-EXH-LV": rest.check_level,
    r"RTG-MIS-AC": rest.check_chief,
    r"RTG-TER-MARSH2": rest.check_marsh,
    r"RTG-TER-OUT2?": rest.check_fire_out,
    r"RTG-TER-TOWN": rest.check_town,
    r"RTG-MOV-EX-\d\d": rest.check_move,
    r"RTG-CHG-01[BC]": rest.check_charge,
    r"RTG-CHG-02": rest.check_skirmisher,
}


def player_of(key: str) -> Callable[..., None]:
    (player,) = [player for form, player in PLAYERS.items() if re.fullmatch(form, key)]
    return player


@pytest.mark.parametrize("key", CHECKS)
def test_worked_check(key: str) -> None:
    check, player = CHECKS[key], player_of(key)
    named = {"key": key} if "key" in signature(player).parameters else {}
    play(player, check, **named)


def test_every_check_is_of_a_rule_and_there_are_59() -> None:
    assert {check["rule"] for check in CHECKS.values()} <= set(RULES)
    assert len(CHECKS) == 59
