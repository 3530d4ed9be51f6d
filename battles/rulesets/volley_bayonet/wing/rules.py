"""Wing scale as the registry names it. No numba here."""

from battles.rulesets.volley_bayonet.rules import rules_of
from battles.rulesets.volley_bayonet.wing.scale import WING

RULES = rules_of(WING)
