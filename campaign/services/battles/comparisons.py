"""A battle file fought under every ruleset there is, side by side, for whoever is signed in (HR-BAT-12).

One job, in parts that workers share: each part is the battle under one ruleset, so that its figures can be
read while others are still fought.
"""

from collections.abc import Callable, Mapping
from typing import Any

from battles.engine.fighting import ENGINE_VERSION
from battles.errors import BattleFileError
from battles.files.reading import battle_to_json
from battles.odds.ruleset_comparison import file_under
from battles.rulesets import registry
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Job, User
from campaign.rules.battles.battle_inputs import options_under
from campaign.rules.battles.ruleset_options import list_chosen_options
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.adjustments import facts_of_battle
from campaign.selectors.battles.odds import build_odds_battle, select_odds_plans
from campaign.services.battles.odds import READY, odds_alone, odds_verify
from campaign.services.battles.standalone_fights import check_fight_document, fight_request, runs_verify
from campaign.services.jobs.jobs import GOES_ON
from campaign.services.jobs.parts import Report, parts_ask, parts_work

KIND, PART = "comparison", "comparison_part"
#: Fights under each ruleset: a share of a half is then known to three points.
USUAL = 1000


def comparison_ask(
    *,
    data: Mapping[str, Any],
    actor: User,
    runs: int = USUAL,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    battle: Battle | None = None,
) -> Job:
    """Ask that a battle be fought `runs` times under every ruleset; the same asked twice is one job.

    `options` by ruleset take the place of the file's; `battle` is the one of a campaign that the file was
    taken from. Raises RuleViolation for a file that cannot be fought under its own rules, too many fights,
    and a person who waits for others already; nothing is written then.
    """
    runs_verify(runs)
    file, _ = check_fight_document(data)
    document = battle_to_json(file)
    question = {
        "file": document,
        "runs": runs,
        "seed": int(
            compute_digest(document)[:12], 16
        ),  # of its own: the dice of a battle have another address
        "options": dict(options or {}),
        "systems": [
            {"id": one.id, "title": one.title, "version": one.version, "minutes": minutes_of(one.id)}
            for one in registry.RULESETS
        ],
        **({"taken_from": [battle.campaign.slug, battle.pk]} if battle else {}),
    }
    key = f"{KIND}/{actor.pk}/{ENGINE_VERSION}/{compute_digest(question)[:32]}"
    return fight_request(kind=KIND, key=key, payload=question, actor=actor)


def minutes_of(ruleset: str) -> int:
    """Minutes of a ruleset's turn."""
    return registry.get_rules(ruleset).telling.minutes


def comparison_of_battle(*, battle: Battle, actor: User, side: str = "", runs: int = USUAL) -> Job:
    """The same of a campaign's battle that waits: all of it, or with what a side knows (HR-BAT-11).

    Raises RuleViolation as its odds do, too.
    """
    odds_verify(battle, side)
    file = build_odds_battle(battle, side, select_odds_plans(battle, side))
    facts = facts_of_battle(battle)
    kept = battle.campaign.ruleset_options
    options = {
        one.id: options_under(battle, one.id, facts, list_chosen_options(kept, one.id))
        for one in registry.RULESETS
    }
    return comparison_ask(data=battle_to_json(file), actor=actor, runs=runs, options=options, battle=battle)


def comparison_again(*, job: Job, actor: User) -> Job:
    """Ask once more for one that failed or was stopped: what was done of it stays done, HR-BAT-12 holds.

    Under other versions of the rules than then it is another. Raises RuleViolation.
    """
    if job.state not in (Job.State.FAILED, Job.State.CANCELLED):
        raise RuleViolation("HR-JOB-02", "This work has not failed; look how far it is instead.")
    asked = job.payload
    slug, pk = asked.get("taken_from", ("", 0))
    battle = Battle.objects.select_related("campaign").filter(pk=pk, campaign__slug=slug).first()
    return comparison_ask(
        data=asked["file"], actor=actor, runs=asked["runs"], options=asked["options"], battle=battle
    )


def comparison_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work: one part for each ruleset. It writes nothing but its result."""
    report(0, READY)
    asked, systems = job.payload, job.payload["systems"]
    keys = parts_ask(
        job=job,
        kind=PART,
        mark="systems",
        payloads=[{"ruleset": system["id"], "runs": asked["runs"]} for system in systems],
    )
    fights = asked["runs"] * len(systems)

    def report_progress(percent: int) -> None:
        report(percent, f"{fights * percent // 100:,} of {fights:,} fights.")

    return {
        "systems": parts_work(
            job=job, keys=keys, work=lambda part, tell: fight_part(job, part, tell), told=report_progress
        )
    }


def comparison_part_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """A part taken up by another worker. It writes nothing but its result."""
    assert job.parent_id is not None
    whole = Job.objects.get(pk=job.parent_id)
    if whole.state not in GOES_ON:
        raise RuleViolation("HR-JOB-03", "The comparison this is a part of has ended; ask for it anew.")
    return fight_part(whole, job, lambda percent: report(percent, ""))


def fight_part(whole: Job, part: Job, tell: Report) -> dict[str, Any]:
    """The odds under one ruleset, or why it cannot take the battle. Raises JobLost when it is stopped."""
    asked = whole.payload
    try:
        ruleset = part.payload["ruleset"]
        file, left_out = file_under(asked["file"], ruleset, asked["options"].get(ruleset))
        found = odds_alone(
            job=part, file=file, seed=asked["seed"], report=lambda percent, note: tell(percent)
        )
    except (BattleFileError, RuleViolation) as error:
        return {"refused": f"{error.message} ({error.rule_id})"}
    return {**found, "left_out": left_out}
