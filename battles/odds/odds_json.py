"""Odds as plain data, for programs and for jobs."""

from dataclasses import asdict
from typing import Any

from battles.files.reading import encode_value
from battles.odds.intervals import in_points, interval_to_json, spread_to_json
from battles.odds.odds import FightOdds


def odds_to_json(found: FightOdds) -> dict[str, Any]:
    """Odds as plain data; distributions with their mean, quantiles and counts."""
    return {
        "ruleset": found.ruleset,
        "options": encode_value(found.options),
        "engine_version": found.engine_version,
        "seed": found.seed,
        "asked": found.asked,
        "runs": found.runs,
        "stopped": found.stopped,
        "seconds": round(found.seconds, 3),
        "win": interval_to_json(found.win),
        "draw": interval_to_json(found.draw),
        "loss": interval_to_json(found.loss),
        "choices": [asdict(choice) for choice in found.choices],
        "turns": spread_to_json(found.turns),
        "sides": [
            {
                "id": side.id,
                "name": side.name,
                "sp": side.sp,
                "lost": spread_to_json(side.lost),
                "captured": spread_to_json(side.captured),
                "gone": spread_to_json(side.gone),
                "points_gone": in_points(spread_to_json(side.points)),
            }
            for side in found.sides
        ],
        "units": [
            {
                "id": unit.id,
                "name": unit.name,
                "side": unit.side,
                "sp": unit.sp,
                "lost": spread_to_json(unit.lost),
                "captured": spread_to_json(unit.captured),
                "gone": spread_to_json(unit.gone),
                "points_gone": in_points(spread_to_json(unit.points)),
                "destroyed": interval_to_json(unit.destroyed),
                "surrendered": interval_to_json(unit.surrendered),
                "left_table": interval_to_json(unit.left_table),
            }
            for unit in found.units
        ],
        "generals": [
            {"id": one.id, "name": one.name, "side": one.side}
            | {
                key: interval_to_json(getattr(one, key))
                for key in ("lost", "killed", "captured", "disabled", "wounded")
            }
            for one in found.generals
        ],
    }
