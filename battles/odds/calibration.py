"""Quality of predictions: odds of battles against their results (HR-CAB-01). Plain Python.

A prediction gives shares for three ends: the attacker holds the field, neither does, the defender does.
With it come the ranges in which half and nine tenths of the fights ended, for each side's losses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from battles.odds.intervals import Interval, find_wilson_interval

#: The ends of a battle, as predictions name them for the attacker.
ENDS = ("win", "draw", "loss")
#: Steps of predicted shares that are counted together.
BINS = 5
#: Ranges of losses: their name, and the quantiles they lie between.
BANDS = {"50": ("p25", "p75"), "90": ("p5", "p95")}
#: Brier score of who gives each of three ends a third.
GUESSING = 2 / 3
#: Fewer battles than these tell nothing; with fewer than those only gross faults would show.
NOTHING_TOLD, LITTLE_TOLD = 10, 30
#: Standard deviations beyond which a difference is called one.
DIFFERS = 2.0


@dataclass(frozen=True, slots=True)
class SideLoss:
    """SP a side lost, captured ones too, and what was predicted of it.

    `shares` are the parts of the predicted fights that ended within each band: whole SP make bands wider
    than their names.
    """

    lost: int
    bands: Mapping[str, tuple[float, float]]
    shares: Mapping[str, float]

    def within(self, band: str) -> bool:
        low, high = self.bands[band]
        return low <= self.lost <= high


@dataclass(frozen=True, slots=True)
class Case:
    """One battle: the shares predicted for ENDS, which of them came, and the sides' losses."""

    shares: tuple[float, float, float]
    end: int
    losses: tuple[SideLoss, ...] = ()

    @property
    def brier(self) -> float:
        """The squares of what each share was off, added up: 0 is perfect, 2 as wrong as can be."""
        return sum((share - (k == self.end)) ** 2 for k, share in enumerate(self.shares))

    @property
    def expected_score(self) -> float:
        """The Brier score to be expected if the shares are right."""
        return 1 - sum(share * share for share in self.shares)

    @property
    def variance(self) -> float:
        """The variance of the score from battle to battle, if the shares are right."""
        mean = self.expected_score
        scores = [Case(self.shares, end).brier for end in range(len(ENDS))]
        return sum(share * (score - mean) ** 2 for share, score in zip(self.shares, scores, strict=True))


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of a like share: their number, their mean, and the share of them that came true."""

    low: float
    high: float
    n: int
    predicted: float
    came: Interval


@dataclass(frozen=True, slots=True)
class BandCoverage:
    """The number of losses within a band, and the share expected there."""

    band: str
    n: int
    within: int
    expected: float

    @property
    def interval(self) -> Interval:
        return find_wilson_interval(self.within, self.n)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of `n` battles: the mean Brier score, what was to be expected, and what guessing would score.

    `by_frequency` is the score of who always tells how often each end came among these very battles;
    `off` counts the standard deviations by which the score is worse than expected.
    """

    n: int
    brier: float
    expected: float
    off: float
    by_frequency: float
    bins: tuple[Bin, ...]
    bands: tuple[BandCoverage, ...]


def build_calibration(cases: Iterable[Case]) -> Calibration:
    """The calibration of these battles together."""
    known = list(cases)
    n = len(known)
    if not n:
        return Calibration(0, 0.0, 0.0, 0.0, 0.0, (), ())
    brier, expected = (
        sum(values) / n for values in zip(*((c.brier, c.expected_score) for c in known), strict=True)
    )
    spread = sqrt(sum(case.variance for case in known)) / n
    often = [sum(case.end == k for case in known) / n for k in range(len(ENDS))]
    return Calibration(
        n=n,
        brier=brier,
        expected=expected,
        off=(brier - expected) / spread if spread > 1e-9 else 0.0,
        by_frequency=1 - sum(share * share for share in often),
        bins=tuple(_iter_bins(known)),
        bands=tuple(_measure_coverage(known, band) for band in BANDS),
    )


def _iter_bins(cases: Sequence[Case]) -> Iterable[Bin]:
    """Every share of every battle, counted by its size."""
    found: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for case in cases:
        for k, share in enumerate(case.shares):
            found[min(BINS - 1, int(share * BINS))].append((share, case.end == k))
    for number, rows in enumerate(found):
        if rows:
            mean = sum(share for share, _ in rows) / len(rows)
            came = find_wilson_interval(sum(true for _, true in rows), len(rows))
            yield Bin(number / BINS, (number + 1) / BINS, len(rows), mean, came)


def _measure_coverage(cases: Sequence[Case], band: str) -> BandCoverage:
    losses = [loss for case in cases for loss in case.losses]
    expected = sum(loss.shares[band] for loss in losses) / len(losses) if losses else 0.0
    return BandCoverage(band, len(losses), sum(loss.within(band) for loss in losses), expected)


# --- predictions as they are kept ---


def prediction_of(odds: Mapping[str, Any], when: str) -> dict[str, Any]:
    """The part of JSON odds that is kept; `when` is "before" the battle was settled, or "after"."""
    return {
        "when": when,
        "ruleset": odds["ruleset"],
        "engine_version": odds["engine_version"],
        "runs": odds["runs"],
        **{end: odds[end]["value"] for end in ENDS},
        "sides": [
            {
                "id": side["id"],
                "sp": side["sp"],
                "mean": side["gone"]["mean"],
                **{name: side["gone"][name] for names in BANDS.values() for name in names},
                **{f"in{band}": _share_within(side["gone"], *names) for band, names in BANDS.items()},
            }
            for side in odds["sides"]
        ],
    }


def _share_within(spread: Mapping[str, Any], low: str, high: str) -> float:
    counts = spread["counts"]
    inside = sum(count for k, count in enumerate(counts) if spread[low] <= k <= spread[high])
    return round(inside / max(1, sum(counts)), 6)


def case_of(prediction: Mapping[str, Any], end: str, lost: Mapping[str, int]) -> Case:
    """A kept prediction with what came of the battle: one of ENDS, and SP lost by side."""
    return Case(
        shares=(prediction["win"], prediction["draw"], prediction["loss"]),
        end=ENDS.index(end),
        losses=tuple(
            SideLoss(
                lost=lost[side["id"]],
                bands={band: (side[low], side[high]) for band, (low, high) in BANDS.items()},
                shares={band: side[f"in{band}"] for band in BANDS},
            )
            for side in prediction["sides"]
            if side["id"] in lost
        ),
    )


# --- in words ---


def describe_calibration(found: Calibration) -> list[str]:
    """Sentences on the figures, with no more certainty than they have."""
    if not found.n:
        return ["There is no battle yet that has both odds and a result."]
    battles = f"{found.n} battle{'' if found.n == 1 else 's'}"
    if found.n < NOTHING_TOLD:
        return [
            f"{battles[:1].upper()}{battles[1:]} {'is' if found.n == 1 else 'are'} too few to tell whether "
            "the odds are right: a run of luck would look like a fault, and a fault like luck."
        ]
    return [*_of_ends(found, battles), *(_of_band(band) for band in found.bands if band.n)]


def _of_ends(found: Calibration, battles: str) -> list[str]:
    told = []
    if found.n < LITTLE_TOLD:
        told.append(f"{battles} show gross faults only; read what follows with that in mind.")
    if found.off > DIFFERS:
        told.append(
            "The odds have done worse than they should if they were right: more came that they held for "
            "unlikely than chance explains."
        )
    elif found.off < -DIFFERS:
        told.append(
            "The odds have done better than they claim: what they held for likely came more often than "
            "they said. They are too cautious, or it was luck."
        )
    else:
        told.append("Who held the field agrees with the odds, as far as so many battles can show.")
    if found.brier < min(GUESSING, found.by_frequency):
        told.append("They were of more use than a guess.")
    elif found.brier < GUESSING:
        told.append(
            "They beat a third for each end, but not the knowledge of how such battles usually end here."
        )
    else:
        told.append("A third for each end would have scored better than they did.")
    return told


def _of_band(band: BandCoverage) -> str:
    expected, found = f"{100 * band.expected:.0f}", f"{band.within} of {band.n}"
    middle = {"50": "middle half", "90": "middle nine tenths"}.get(band.band, f"middle {band.band} %")
    told = f"Of the losses {found} lay within the {middle} of those predicted; about {expected} % should"
    if band.interval.low > band.expected:
        return f"{told}: the ranges are wider than they need be."
    if band.interval.high < band.expected:
        return f"{told}: real losses stray further than the odds allow for."
    return f"{told}, which agrees."
