"""Division level as the registry names it. No numba here."""

from battles.rulesets.volley_bayonet.division.scale import DIVISION
from battles.rulesets.volley_bayonet.rules import rules_of

RULES = rules_of(DIVISION)
