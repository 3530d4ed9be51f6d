"""Shares and figures counted over many runs, with 95 % intervals. Plain Python."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

#: Standard deviations on either side of a 95 % interval.
Z95 = 1.959963984540054
_SIGN = "\N{NO-BREAK SPACE}%"
#: Whatever a battle costs in campaign points is a multiple of this (AWI-C-BAT-01 to 03).
POINTS_STEP = 5


@dataclass(frozen=True, slots=True)
class Interval:
    """A share of the runs with its 95 % interval (Wilson's, which holds near 0 and 1 too)."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2.0


def find_wilson_interval(count: int, runs: int) -> Interval:
    """The interval of a share; without runs nothing is known."""
    if runs == 0:
        return Interval(0.0, 0.0, 1.0)
    share = count / runs
    square = Z95 * Z95
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = Z95 / (1 + square / runs) * math.sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    return Interval(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def whole_shares(shares: Sequence[Interval]) -> list[int]:
    """Shares that make up a whole in whole percent that add up to 100 (largest remainder)."""
    exact = [round(share.value * 100, 4) for share in shares]
    found = [math.floor(each) for each in exact]
    short = sorted(range(len(exact)), key=lambda k: (found[k] - exact[k], k))
    for k in short[: max(0, round(sum(exact)) - sum(found))]:
        found[k] += 1
    return found


def describe_interval(found: Interval, runs: int, percent: int | None = None) -> str:
    """A share in words: with its interval, and without more certainty than so many runs can give.

    `percent` is what it is rounded to beside others, where whole percent are told.
    """
    if not runs:
        return "not known"
    if found.value == 1.0:
        return f"all of {runs:,}; at least {_format_percent(found.low, 1, math.floor)}{_SIGN}"
    if found.value == 0.0:
        return f"none of {runs:,}; at most {_format_percent(found.high, 1, math.ceil)}{_SIGN}"
    digits = 0 if found.low >= 0.01 and found.high <= 0.99 else 1
    shown = min(max(found.value, 0.001), 0.999)  # what happened once is not said to happen never
    value, low, high = (_format_percent(share, digits, round) for share in (shown, found.low, found.high))
    if percent is not None and not digits:
        value = str(percent)
    return f"{value}{_SIGN} ({low} to {high})"


def _format_percent(share: float, digits: int, cut: Callable[[float], int]) -> str:
    step = 10**digits
    # the shares are rounded once already: a hair above a step is that step
    return f"{cut(round(share * 100 * step, 4)) / step:.{digits}f}"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The frequency of each figure: `counts[k]` runs gave k. The last count is never 0."""

    counts: tuple[int, ...]

    @property
    def runs(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return sum(k * count for k, count in enumerate(self.counts)) / max(1, self.runs)

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        mean = self.mean
        square = sum((k - mean) ** 2 * count for k, count in enumerate(self.counts)) / max(1, self.runs)
        return math.sqrt(square)

    def percentile(self, percent: float) -> int:
        """The least figure that so many percent of the runs do not exceed."""
        wanted, seen = self.runs * percent / 100.0, 0
        for k, count in enumerate(self.counts):
            seen += count
            if seen >= wanted and seen > 0:
                return k
        return max(0, len(self.counts) - 1)


def interval_to_json(interval: Interval) -> dict[str, float]:
    """A share and its 95 % interval."""
    return {
        "value": round(interval.value, 6),
        "low": round(interval.low, 6),
        "high": round(interval.high, 6),
    }


def spread_to_json(found: Distribution) -> dict[str, Any]:
    """Mean, standard deviation, quantiles and counts."""
    quantiles = {f"p{percent}": found.percentile(percent) for percent in (5, 25, 50, 75, 95)}
    return {
        "mean": round(found.mean, 4),
        "deviation": round(found.deviation, 4),
        **quantiles,
        "counts": list(found.counts),
    }


def in_points(spread: dict[str, Any]) -> dict[str, Any]:
    """Figures counted in steps of campaign points as points; the k-th count is then of k steps."""
    return {key: value if key == "counts" else round(value * POINTS_STEP, 4) for key, value in spread.items()}
