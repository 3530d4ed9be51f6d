"""Division level as the registry lets it fight. Importing this module loads numba."""

from battles.rulesets.volley_bayonet.division.scale import DIVISION
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetEngine

SYSTEM = VolleyBayonetEngine(DIVISION)
