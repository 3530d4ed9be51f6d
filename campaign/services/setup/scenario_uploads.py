"""Scenarios uploaded by people: checked like the shipped ones, and theirs to use (HR-SCN-01)."""

import hashlib
import tempfile
from pathlib import Path

from django.db import IntegrityError, transaction

from campaign.models import Campaign, UploadedScenario, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.head import read_head
from campaign.scenarios.making import SLUG
from campaign.scenarios.packing import files_write, scenario_unzip, scenario_zip
from campaign.scenarios.problems import ScenarioError, ScenarioProblem, ScenarioTables
from campaign.scenarios.reading import own_scenarios, places_verify, read_scenario, scenario_list
from campaign.scenarios.uploaded import folder_remove, folder_write, list_stray_scenarios
from campaign.services.setup.drafts import may_set_up

RULE = "HR-SCN-01"
#: Scenarios a person may have put up; days one may last.
MOST, LONGEST = 20, 3660
#: Faults that are told of one upload.
TOLD = 50


class ScenarioRefused(RuleViolation):
    """The files are no sound scenario; `problems` are all that is wrong."""

    def __init__(self, problems: list[ScenarioProblem]) -> None:
        first = str(problems[0])
        more = f" and {len(problems) - 1} faults more" if len(problems) > 1 else ""
        super().__init__(RULE, f"{first}{more}", "file")
        self.problems = problems[:TOLD]


def scenario_upload(*, data: bytes, actor: User) -> UploadedScenario:
    """Take in a scenario as a zip of its files. Refused (RuleViolation), nothing is kept."""
    if not may_set_up(actor):
        raise RuleViolation(RULE, "Campaigns are set up by the staff of this site; so are scenarios.", "file")
    try:
        files = scenario_unzip(data)
        packed = scenario_zip(files)
        scenario_unzip(packed)  # packed here, a file may shrink more than any table does
        slug, title = _check_scenario_files(files)
    except ScenarioError as error:
        raise ScenarioRefused(error.problems) from error
    digest = hashlib.sha256(packed).hexdigest()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        found = UploadedScenario.objects.filter(slug=slug).first()
        if found is not None and found.owner_id == actor.pk and found.digest == digest:
            return found  # the same once more
        if found is not None or (slug in scenario_list() and slug not in list_stray_scenarios()):
            raise _build_taken_refusal(slug)
        if UploadedScenario.objects.filter(owner=actor).count() >= MOST:
            raise RuleViolation(RULE, f"You have put up {MOST} scenarios; remove one first.", "file")
        try:
            with transaction.atomic():
                row = UploadedScenario.objects.create(
                    slug=slug, title=title, owner=actor, data=packed, digest=digest
                )
        except IntegrityError as error:
            raise _build_taken_refusal(slug) from error
        folder_write(own_scenarios() / slug.replace("-", "_"), packed, digest)
    return row


def _build_taken_refusal(slug: str) -> RuleViolation:
    words = f"There is a scenario {slug} already; give yours another id in scenario.toml."
    return RuleViolation(RULE, words, "file")


def _check_scenario_files(files: dict[str, bytes]) -> tuple[str, str]:
    """Check a scenario's files and return its id and title. Raises ScenarioError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files_write(folder, files)
        try:
            head = read_head(ScenarioTables(folder))
            if (head.end - head.start).days >= LONGEST:
                reason = f"it lasts more than {LONGEST} days; shorten it."
                raise ScenarioError([ScenarioProblem("scenario.toml", 0, reason)])
            if not SLUG.fullmatch(head.id):
                reason = "id has small letters, figures and hyphens, as “trenton-1776”, and is no digest."
                raise ScenarioError([ScenarioProblem("scenario.toml", 0, reason)])
            theatre = read_scenario(folder).theatre
            places_verify(folder, theatre)
        except (RuleViolation, RecursionError) as error:
            raise ScenarioError([ScenarioProblem("scenario.toml", 0, str(error))]) from error
    return theatre.id, theatre.title


def scenario_remove(*, scenario: UploadedScenario, actor: User) -> None:
    """Remove a scenario of one's own on which no campaign was begun. Raises RuleViolation (HR-SCN-01)."""
    with transaction.atomic():
        current = UploadedScenario.objects.select_for_update().filter(pk=scenario.pk).first()
        if current is None:
            return
        if current.owner_id != actor.pk:
            raise RuleViolation(RULE, "This is not your scenario.", "scenario")
        if Campaign.objects.filter(scenario=current.slug).exists():
            raise RuleViolation(RULE, "A campaign was begun with it; it stays.", "scenario")
        current.delete()
        folder_remove(current.slug)
