"""Wing scale as the registry lets it fight. Importing this module loads numba."""

from battles.rulesets.volley_bayonet.fighting import VolleyBayonetEngine
from battles.rulesets.volley_bayonet.wing.scale import WING

SYSTEM = VolleyBayonetEngine(WING)
