"""The theatre a campaign is played in, out of the files its scenario began with (HR-SET-03)."""

from functools import lru_cache
from pathlib import Path

import orjson
from django.conf import settings

from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.world.seasons import replace_published_units
from campaign.rules.world.world import Theatre
from campaign.rules.world.world_json import unit_from_json
from campaign.scenarios.armies import replace_armies, rows_from_json
from campaign.scenarios.digest import theatre_digest
from campaign.scenarios.problems import ScenarioProblem
from campaign.scenarios.reading import ScenarioError, read_scenario, scenario_digest, scenario_path
from campaign.scenarios.uploaded import renew_scenario, scenario_fetch, scenario_here


class ScenarioChanged(RuleViolation):
    """The scenario's files are not those the campaign was started with (HR-SET-03)."""


@lru_cache(maxsize=8)
def _read_theatre(slug: str) -> tuple[Theatre, str]:
    path = scenario_path(slug)
    return read_scenario(path).theatre, scenario_digest(path)


@lru_cache(maxsize=8)
def _read_kept_theatre(folder: Path) -> Theatre:
    theatre = read_scenario(folder).theatre
    if theatre_digest(theatre) != folder.name:
        raise ScenarioError([ScenarioProblem(folder.name, 0, "the files are not those that were kept.")])
    return theatre


def get_kept_scenario_path(digest: str) -> Path:
    """Return the folder for the scenario of an imported campaign, where the installed scenario is another."""
    return Path(settings.VAR_DIR) / "scenarios" / digest


def scenario_folder(campaign: Campaign) -> Path:
    """Folder of the campaign's scenario, the installed one or the one kept for it. Raises ScenarioChanged."""
    scenario_here(campaign.scenario)
    try:
        found, digest = scenario_path(campaign.scenario), _read_theatre(campaign.scenario)[1]
    except ScenarioError as error:
        fault, found, digest = error.problems[0], None, ""
    if found is not None and digest == campaign.scenario_digest:
        return found
    kept = get_kept_scenario_path(campaign.scenario_digest)
    if kept.is_dir() or scenario_fetch(campaign.scenario_digest, kept):
        return kept
    if renew_scenario(campaign.scenario):
        _read_theatre.cache_clear()
        return scenario_folder(campaign)
    if found is None:
        raise ScenarioChanged(
            "HR-SET-03",
            f"The scenario {campaign.scenario} of {campaign.title} cannot be read; put the original files "
            f"back before you go on. The first fault: {fault}",
        )
    raise ScenarioChanged(
        "HR-SET-03",
        f"The files of scenario {campaign.scenario} differ from those {campaign.title} began with; "
        "put the original files back before you go on.",
    )


def theatre_load(campaign: Campaign) -> Theatre:
    """The campaign's theatre, kept in memory. Raises ScenarioChanged when its files differ or are gone.

    Its order of battle is the campaign's own where armies took the place of the scenario's (HR-SET-18), and
    what both sides have read where it began empty or with the end of another (HR-SET-14, HR-SET-06).
    """
    theatre = _scenario_theatre(campaign)
    if campaign.published is not None:
        return _read_theatre_with_armies(scenario_folder(campaign), orjson.dumps(campaign.published))
    if not campaign.armies:
        return theatre
    return _theatre_with_armies(scenario_folder(campaign), orjson.dumps(campaign.armies))


@lru_cache(maxsize=8)
def _read_theatre_with_armies(folder: Path, units: bytes) -> Theatre:
    read = {unit.id: unit for unit in map(unit_from_json, orjson.loads(units))}
    return replace_published_units(read_scenario(folder).theatre, read)


@lru_cache(maxsize=8)
def _theatre_with_armies(folder: Path, armies: bytes) -> Theatre:
    return replace_armies(read_scenario(folder), rows_from_json(orjson.loads(armies))).theatre


def _scenario_theatre(campaign: Campaign) -> Theatre:
    """The theatre as the scenario has it."""
    if (folder := scenario_folder(campaign)) != get_kept_scenario_path(campaign.scenario_digest):
        return _read_theatre(campaign.scenario)[0]
    try:
        return _read_kept_theatre(folder)
    except ScenarioError as error:
        raise ScenarioChanged(
            "HR-SET-03",
            f"The scenario kept for {campaign.title} cannot be read by this version. Import an archive of "
            f"the campaign under another name: that renews it. The first fault: {error.problems[0]}",
        ) from error
