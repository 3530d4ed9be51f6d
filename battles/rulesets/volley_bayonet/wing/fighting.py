"""Wing scale as the registry lets it fight. Importing this module loads numba."""

from battles.rulesets.volley_bayonet.fighting import System
from battles.rulesets.volley_bayonet.wing.scale import WING

SYSTEM = System(WING)
