"""The catalogues and the worked checks of Volley & Bayonet, read once."""

from pathlib import Path
from typing import Any

import yaml

from battles.rulesets.volley_bayonet.division.scale import DIVISION
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.wing.scale import WING

TESTS = Path(__file__).parents[3]
FOLDER = TESTS.parent / "battles/rulesets/volley_bayonet"
SCALES: dict[str, RulesetScale] = {scale.id: scale for scale in (WING, DIVISION)}
CATALOGUES: dict[str, dict[str, Any]] = {
    "vb_wing": yaml.safe_load((FOLDER / "wing/catalogue.yaml").read_text()),
    "vb_division": yaml.safe_load((FOLDER / "division/catalogue.yaml").read_text()),
}
RULES: dict[str, dict[str, Any]] = {
    rule["id"]: rule for catalogue in CATALOGUES.values() for rule in catalogue["rules"]
}
CHECKS: dict[str, dict[str, Any]] = {
    check["id"]: check for check in yaml.safe_load((TESTS / "checks-vb.yaml").read_text())["checks"]
}
