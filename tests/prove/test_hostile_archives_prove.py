"""Hostile archives, for `make prove`: the first look at each is over in little time, with a sentence."""

from time import process_time

import pytest

from campaign.ops.upload_checks import TAKE_FILES
from campaign.rules.errors import RuleViolation
from campaign.services.archive.restorations import _read_manifest
from tests.prove.conftest import Figure
from tests.prove.hostile_archives import hostile

pytestmark = pytest.mark.prove

#: Seconds of CPU that the look at one file may take in a request.
MOST_SECONDS = 1.0


def test_hostile_archives_are_looked_at_within_a_second(figure: Figure) -> None:
    took: dict[str, float] = {}
    for name, data in hostile():
        assert len(data) <= TAKE_FILES["restorations"], f"{name}: {len(data)} bytes"
        begun = process_time()
        with pytest.raises(RuleViolation) as refused:
            _read_manifest(data)
        took[name] = process_time() - begun
        assert refused.value.message.endswith(".") and len(refused.value.message) < 2_000, name
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile archives: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"
