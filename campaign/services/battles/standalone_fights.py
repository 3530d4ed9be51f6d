"""Fights from a battle file without a campaign, as background tasks of any signed-in person (HR-BAT-12)."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from battles.engine.fighting import ENGINE_VERSION, EngineError
from battles.errors import BattleFileError
from battles.files.armies import apply_roster
from battles.files.document_checks import size_faults
from battles.files.other_rulesets import document_under
from battles.files.reading import battle_from_json, battle_to_json, parse_document
from battles.files.schema import BattleFile
from battles.files.warnings import battle_warnings
from battles.ground.features import table_size
from battles.odds.odds import odds_of_one
from battles.odds.odds_json import odds_to_json
from battles.replay.account import compose_account
from battles.rulesets import registry
from campaign.fog.visibility import fights_of
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Job, User
from campaign.ops.upload_checks import Readable, bytes_of
from campaign.rules.errors import RuleViolation
from campaign.services.battles.odds import odds_reckon
from campaign.services.jobs.jobs import GOES_ON, job_request
from rosters.importing import roster_rows

KIND, RULE = "fight", "HR-BAT-12"
#: Kinds of jobs that are a person's own, and end with his account.
OWN = (KIND, "comparison")
#: Units and pieces of ground of a file, fights of one asking, askings under way and kept of one person.
MOST_UNITS, MOST_FEATURES, MOST_RUNS, MOST_WAITING, KEPT = 120, 200, 2400, 2, 20
#: Units, pieces of ground and square inches up to which a check draws the battle up as well.
DRAWN_UNITS, DRAWN_FEATURES, DRAWN_INCHES = 50, 20, 120 * 120
NOT_DRAWN_UP = (
    "The battle is too large to be drawn up by this check. If some ground is closed to a unit, "
    "the fight says so."
)
SEEDS = 2**48
#: Letters of a battle file; those that come with the program have a sixteenth of it.
MOST_BYTES = 256 * 1024


class FightRefused(RuleViolation):
    """The file cannot be fought; `faults` are all that is wrong, as the file's places and sentences."""

    def __init__(self, error: BattleFileError) -> None:
        more = len(error.every) - 1
        words = f"{error.message} And {more} more fault{'s' * (more > 1)}." if more else error.message
        super().__init__(error.rule_id, words, error.field)
        self.faults = [(fault.field, fault.message) for fault in error.every]


def read_uploaded_document(file: Readable) -> dict[str, Any]:
    """Read an uploaded battle file into a document. Raises FightRefused for anything else."""
    data = bytes_of(file, MOST_BYTES)
    if data is None:
        raise RuleViolation(
            RULE, f"The file is larger than {MOST_BYTES // 1024} KB; leave out notes.", "file"
        )
    try:
        found = parse_document(data)
        if not isinstance(found, dict):
            battle_from_json(found)  # says what a battle file is
    except BattleFileError as error:
        raise FightRefused(error) from error
    assert isinstance(found, dict)
    return found


def document_with_armies(data: Mapping[str, Any], file: Readable) -> tuple[dict[str, Any], list[str]]:
    """A battle file's document with the units of an order of battle, and sentences on what fell away.

    Raises FightRefused for a battle file that is none, RosterErrors with every fault of the table.
    """
    table = bytes_of(file, MOST_BYTES)
    if table is None:
        raise RuleViolation(RULE, f"The table is larger than {MOST_BYTES // 1024} KB; cut it.", "armies")
    check_fight_document(data)
    notes: list[str] = []
    document, fell_away = apply_roster(data, roster_rows(table, most=MOST_UNITS, notes=notes))
    return document, [*notes, *fell_away]


def check_fight_document(data: Mapping[str, Any], *, ruleset: str = "") -> tuple[BattleFile, list[str]]:
    """Check a document and build its battle, with warnings for its designer.

    `ruleset` takes the place of the file's own; what of the file it does not know is left out with a
    warning. Raises FightRefused with every fault, and RuleViolation for one too large to be fought here.
    """
    if found := list(size_faults(data)):
        raise FightRefused(found[0])
    ground = data.get("ground")
    features = ground.get("features") if isinstance(ground, dict) else None
    for field, rows, most, what in (
        ("units", data.get("units"), MOST_UNITS, "units"),
        ("ground.features", features, MOST_FEATURES, "pieces of ground"),
    ):
        if isinstance(rows, list) and len(rows) > most:
            raise RuleViolation(RULE, f"At most {most} {what} are taken here, not {len(rows)}.", field)
    try:
        document, left_out = document_under(dict(data), ruleset)
        battle = battle_from_json(document)
        if small := _is_small(battle):
            registry.posts_verify(battle)
    except BattleFileError as error:
        raise FightRefused(error) from error
    return battle, [*left_out, *battle_warnings(battle), *(() if small else (NOT_DRAWN_UP,))]


def _is_small(battle: BattleFile) -> bool:
    """True when a battle is set up quickly enough to check at once; larger ones are checked by the worker."""
    features = battle.ground.features if battle.ground else ()
    width, depth = table_size(battle)
    told = len(battle.units) <= DRAWN_UNITS and len(features) <= DRAWN_FEATURES
    return told and width * depth <= DRAWN_INCHES


def runs_verify(runs: int) -> None:
    """Raises RuleViolation for more or fewer fights than are fought here."""
    if not 1 <= runs <= MOST_RUNS:
        raise RuleViolation(RULE, f"A battle is fought 1 to {MOST_RUNS} times, not {runs}.", "runs")


def fight_ask(*, data: Mapping[str, Any], runs: int, seed: int | None, actor: User, ruleset: str = "") -> Job:
    """Ask that a battle be fought once, or `runs` times for its odds; without a `seed` one is drawn.

    The same battle with the same seed is the same job. Raises RuleViolation for a file that cannot be
    fought, too many fights, and a person who waits for others already; nothing is written then.
    """
    runs_verify(runs)
    if seed is not None and not 0 <= seed < SEEDS:
        raise RuleViolation(RULE, f"A seed is 0 to {SEEDS - 1}.", "seed")
    battle, _ = check_fight_document(data, ruleset=ruleset)
    document = battle_to_json(battle)
    question = {"file": document, "runs": runs, "seed": secrets.randbelow(SEEDS) if seed is None else seed}
    version = registry.get_ruleset(battle.ruleset).version
    mark = compute_digest(question)[:24]
    key = f"fight/{actor.pk}/{battle.ruleset}-{version}-{ENGINE_VERSION}/{mark}"
    return fight_request(kind=KIND, key=key, payload=question, actor=actor)


def fight_request(*, kind: str, key: str, payload: dict[str, Any], actor: User) -> Job:
    """The job called `key` for a person who has room for one more; his oldest are forgotten.

    Raises RuleViolation for one who waits for as many others as there may be.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        own = fights_of(actor, *OWN)
        waiting = own.filter(state__in=GOES_ON).exclude(key=key)
        if waiting.count() >= MOST_WAITING:
            raise RuleViolation(
                RULE, f"{MOST_WAITING} fights of yours are under way; wait for one, or stop it."
            )
        job = job_request(kind=kind, key=key, payload=payload, actor=actor)
        ended = own.exclude(pk=job.pk).exclude(state__in=GOES_ON)
        old = list(ended.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 :])
        Job.objects.filter(pk__in=old).delete()
    return job


def fights_clean_up() -> int:
    """Forget fights that have ended, of people whose accounts are gone: nobody reads them. How many."""
    nobodys = Job.objects.filter(kind__in=OWN, campaign=None, parent=None, requested_by=None)
    ended = nobodys.exclude(state__in=GOES_ON)
    return ended.delete()[0]


def fight_question(job: Job) -> tuple[BattleFile, int]:
    """The battle and seed of such a job. Raises RuleViolation for a file this version cannot fight."""
    try:
        return battle_from_json(job.payload["file"]), job.payload["seed"]
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error


def fight_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    battle, seed = fight_question(job)
    if job.payload["runs"] > 1:
        return odds_reckon(job=job, file=battle, seed=seed, report=report)
    report(0, "The engine is being made ready.")
    started = time.perf_counter()
    try:
        result = registry.fight_battle(battle, seed, record=True)
    except (BattleFileError, EngineError) as error:
        raise RuleViolation(RULE, str(error)) from error
    found = odds_to_json(odds_of_one(battle, result.outcome, time.perf_counter() - started))
    told = {"outcome": asdict(result.outcome), "account": compose_account(battle, result)}
    return {**found, **told, "choices": [asdict(choice) for choice in result.choices]}
