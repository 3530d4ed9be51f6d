"""Hostile maps, for `make prove`: importatlas takes or refuses each with few sentences, in little time."""

from time import process_time

import pytest

from campaign.rules.map.atlas_files import MOST_TOLD, AtlasError, atlas_from_geojson, atlas_from_graphml
from campaign.scenarios.atlas_import import LARGEST
from tests.prove.conftest import Figure
from tests.prove.hostile_maps import hostile

pytestmark = pytest.mark.prove

#: Seconds of CPU that one file may take: a command reads it, no request.
MOST_SECONDS = 2.0


def test_hostile_maps_are_answered_within_two_seconds(figure: Figure) -> None:
    took: dict[str, float] = {}
    for name, text in hostile():
        assert len(text) <= LARGEST, f"{name}: {len(text)} bytes"
        begun = process_time()
        try:
            (atlas_from_graphml if text.startswith("<") else atlas_from_geojson)(text)
        except AtlasError as refused:
            assert len(refused.problems) <= MOST_TOLD + 1 and len(str(refused)) < 100_000, name
        took[name] = process_time() - begun
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile maps: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"
