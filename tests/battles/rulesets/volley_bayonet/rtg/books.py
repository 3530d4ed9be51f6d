"""The catalogue and the worked checks of Road to Glory, read once."""

from pathlib import Path
from typing import Any

import yaml

from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY as ROAD_TO_GLORY

HERE = Path(__file__).parent
FOLDER = HERE.parents[4] / "battles/rulesets/volley_bayonet"
CATALOGUE: dict[str, Any] = yaml.safe_load((FOLDER / "rtg/catalogue.yaml").read_text())
RULES: dict[str, dict[str, Any]] = {rule["id"]: rule for rule in CATALOGUE["rules"]}
WING_RULES: dict[str, dict[str, Any]] = {
    rule["id"]: rule for rule in yaml.safe_load((FOLDER / "wing/catalogue.yaml").read_text())["rules"]
}
CHECKS: dict[str, dict[str, Any]] = {
    check["id"]: check for check in yaml.safe_load((HERE / "checks-rtg.yaml").read_text())["checks"]
}


def table(rule: str) -> Any:
    """The figures of a rule."""
    return RULES[rule]["table"]
