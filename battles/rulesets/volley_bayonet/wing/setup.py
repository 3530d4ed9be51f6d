"""Wing scale drawn up for the check of a battle file. No numba here."""

from battles.files.schema import BattleFile
from battles.rulesets.volley_bayonet import setup
from battles.rulesets.volley_bayonet.wing.scale import WING


def posts_verify(battle: BattleFile) -> None:
    """Raise BattleFileError when the battle cannot be drawn up: no room for somebody."""
    setup.posts_verify(battle, WING)
