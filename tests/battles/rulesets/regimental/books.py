"""The catalogue and the worked checks of the Regimental rules, read once."""

from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
CATALOGUE: dict[str, Any] = yaml.safe_load(
    (ROOT / "battles/rulesets/regimental/catalogue.yaml").read_text(encoding="utf-8")
)
RULES: dict[str, dict[str, Any]] = {rule["id"]: rule for rule in CATALOGUE["rules"]}
CHECKS: dict[str, dict[str, Any]] = {
    check["id"]: check
    for check in yaml.safe_load((HERE / "worked-checks.yaml").read_text(encoding="utf-8"))["checks"]
}
