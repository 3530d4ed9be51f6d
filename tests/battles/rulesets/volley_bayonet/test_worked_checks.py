"""The worked checks of checks-vb.yaml, each at every scale it holds for; the players are in `checks/`."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from tests.battles.read_whole import play
from tests.battles.rulesets.volley_bayonet.books import CHECKS
from tests.battles.rulesets.volley_bayonet.checks.cards import check_card
from tests.battles.rulesets.volley_bayonet.checks.fire import check_destruction, check_fire, check_save
from tests.battles.rulesets.volley_bayonet.checks.forced import (
    check_advance,
    check_friend,
    check_muster,
    check_retreat,
    check_return_fire,
)
from tests.battles.rulesets.volley_bayonet.checks.melees import check_decided, check_melee, check_tie
from tests.battles.rulesets.volley_bayonet.checks.morale import (
    check_collapse,
    check_collapse_effect,
    check_exhaustion,
    check_fence,
    check_morale,
    check_morale_chain,
    check_morale_table,
    check_state,
)
from tests.battles.rulesets.volley_bayonet.checks.movement import (
    check_command,
    check_geometry,
    check_marsh,
    check_movement,
)

#: Words of checks that only tell a reader what others say.
WORDS = {"brigade": "its stands, one by one in `stands`"}
PLAYERS: dict[str, Callable[..., None]] = {
    "fire": check_fire,
    "destruction": check_destruction,
    "save": check_save,
    "morale": check_morale,
    "morale_table": check_morale_table,
    "morale_chain": check_morale_chain,
    "fence_test": check_fence,
    "tie_rolloff": check_tie,
    "melee": check_melee,
    "melee_decided": check_decided,
    "collapse": check_collapse,
    "collapse_effect": check_collapse_effect,
    "exhaustion": check_exhaustion,
    "state": check_state,
    "movement": check_movement,
    "marsh": check_marsh,
    "command": check_command,
    "geometry": check_geometry,
    "card": check_card,
    "return_fire": check_return_fire,
    "retreat": check_retreat,
    "friend_in_path": check_friend,
    "winner_advance": check_advance,
    "campaign_mapping": check_muster,
}
CASES = [(key, scale) for key, check in CHECKS.items() for scale in check["rulesets"]]


@pytest.mark.parametrize(("key", "scale"), CASES)
def test_worked_check(key: str, scale: str) -> None:
    check: dict[str, Any] = CHECKS[key]
    player = PLAYERS[check["kind"]]
    named = {"key": key} if "key" in signature(player).parameters else {}
    play(player, check, scale, words=WORDS, **named)


def test_every_check_is_played() -> None:
    assert {check["kind"] for check in CHECKS.values()} == set(PLAYERS)
    assert len(CASES) == sum(len(check["rulesets"]) for check in CHECKS.values())
