"""The players of the worked checks of Volley & Bayonet, by kind."""

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
from tests.worked_checks.registry import CheckFamily, Player

#: Words of checks that only tell a reader what others say.
WORDS = {"brigade": "its stands, one by one in `stands`"}
PLAYERS: tuple[Player, ...] = (
    Player(check_fire, kind="fire"),
    Player(check_destruction, kind="destruction"),
    Player(check_save, kind="save"),
    Player(check_morale, kind="morale"),
    Player(check_morale_table, kind="morale_table"),
    Player(check_morale_chain, kind="morale_chain"),
    Player(check_fence, kind="fence_test"),
    Player(check_tie, kind="tie_rolloff"),
    Player(check_melee, kind="melee"),
    Player(check_decided, kind="melee_decided"),
    Player(check_collapse, kind="collapse"),
    Player(check_collapse_effect, kind="collapse_effect"),
    Player(check_exhaustion, kind="exhaustion"),
    Player(check_state, kind="state"),
    Player(check_movement, kind="movement"),
    Player(check_marsh, kind="marsh"),
    Player(check_command, kind="command"),
    Player(check_geometry, kind="geometry"),
    Player(check_card, kind="card"),
    Player(check_return_fire, kind="return_fire"),
    Player(check_retreat, kind="retreat"),
    Player(check_friend, kind="friend_in_path"),
    Player(check_advance, kind="winner_advance"),
    Player(check_muster, kind="campaign_mapping"),
)
FAMILY = CheckFamily("Volley & Bayonet", ("VBW-", "VBD-"), PLAYERS, tuple(CHECKS.values()), WORDS)
