"""What the umpire corrects besides troops, as acts for the journal: pools (HR-UMP-19).

Records with the JSON of `campaign.rules.acts`; what each does is in `campaign.rules.correcting`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChangePool:
    """Give a replacement `pool` ("nation/arm") points, or take them when negative (HR-UMP-19)."""

    pool: str
    points: int


Correction = ChangePool

KINDS: dict[str, type[Correction]] = {
    "pool": ChangePool,
}
