"""Wing scale: the common core as it is, a stand being half a battalion (VBW-GEN-02)."""

from battles.rulesets.volley_bayonet.scales import RulesetScale

WING = RulesetScale("vb_wing", "Volley & Bayonet in the Americas, wing scale", "VBW")
