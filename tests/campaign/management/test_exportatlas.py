"""exportatlas: what is written is the map, and can be read back."""

import pytest
from django.core.management import CommandError, call_command

from campaign.rules.map.atlas_files import atlas_from_geojson, atlas_from_graphml
from campaign.scenarios.reading import read_scenario, scenario_path


@pytest.mark.parametrize(
    ("name", "read"), [("map.graphml", atlas_from_graphml), ("map.geojson", atlas_from_geojson)]
)
def test_the_map_of_saratoga_there_and_back(tmp_path, name, read):
    call_command("exportatlas", "saratoga-1777", str(tmp_path / name))
    atlas = read_scenario(scenario_path("saratoga-1777")).theatre.atlas
    again = read((tmp_path / name).read_text(encoding="utf-8"))
    assert (again.places, again.routes) == (atlas.places, atlas.routes)


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(CommandError, match="neither"):
        call_command("exportatlas", "saratoga-1777", str(tmp_path / "map.png"))
    assert not list(tmp_path.iterdir())
