"""The battle pack's PDF, set by a worker: kept for a day, found again, set anew when the pack changes.

What is to be set was cut for its reader before it came here (HR-TAB-23); a PDF is found only by who has the
same contents before him.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import transaction

from battles.printing.packs import Pack
from battles.printing.sheets import TEMPLATE, typeset_pack
from battles.printing.typesetting import TypesettingError
from campaign.models import Battle, Job, User
from campaign.ops.site_cache import get_shared_cache
from campaign.rules.errors import RuleViolation
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import lock_campaign

KIND = "battle_pack"
#: Seconds for which contents and PDF are kept.
KEPT = 24 * 3600


@dataclass(frozen=True, slots=True)
class Printing:
    """A PDF as it stands: `made`, or how far the job that makes it is; `error` says why it could not be."""

    made: bytes | None = None
    job: Job | None = None
    error: str = ""

    @property
    def making(self) -> bool:
        return self.job is not None and self.job.state in (Job.State.QUEUED, Job.State.RUNNING)


def pack_printing(*, battle: Battle, contents: Pack, paper: str) -> Printing:
    """How the PDF of these contents stands."""
    mark = _hash_contents(contents, paper)
    made = cache.get(_build_pdf_cache_key(mark))
    if made is not None:
        return Printing(made)
    job = Job.objects.filter(key__startswith=_build_job_key_prefix(battle, mark)).order_by("-pk").first()
    failed = job is not None and job.state == Job.State.FAILED
    return Printing(job=job, error=job.error if job is not None and failed else "")


def pack_print_ask(*, battle: Battle, contents: Pack, paper: str, query: str, actor: User) -> Job | None:
    """Ask for the PDF; None when it is there. While it is being made, that is the one.

    `query` leads back to the page it was asked for on. Raises CacheAway when a worker could not find it.
    """
    mark = _hash_contents(contents, paper)
    if cache.get(_build_pdf_cache_key(mark)) is not None:
        return None
    get_shared_cache().set(_build_data_cache_key(mark), contents.to_json(), KEPT)  # for the worker to find
    prefix = _build_job_key_prefix(battle, mark)
    with transaction.atomic():
        campaign = lock_campaign(battle.campaign)
        asked = Job.objects.filter(key__startswith=prefix)
        busy = asked.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).first()
        if busy is not None:
            return busy
        return job_request(
            kind=KIND,
            key=f"{prefix}{asked.count() + 1}",
            payload={"battle": battle.pk, "mark": mark, "paper": paper, "query": query},
            campaign=campaign,
            actor=actor,
        )


def pack_print_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but the PDF it keeps, so it is safe to run twice."""
    report(10, "The pages are being set.")
    mark = job.payload["mark"]
    contents = get_shared_cache().get(_build_data_cache_key(mark))
    if contents is None:
        raise RuleViolation("HR-TAB-23", "The pack was asked for too long ago; ask for it again.")
    try:
        made = typeset_pack(contents, job.payload["paper"])
    except TypesettingError as error:
        raise RuleViolation("HR-TAB-23", str(error)) from error
    get_shared_cache().set(_build_pdf_cache_key(mark), made, KEPT)
    return {"bytes": len(made)}


def _build_job_key_prefix(battle: Battle, mark: str) -> str:
    return f"pack/{battle.campaign.slug}/{battle.pk}/{mark[:24]}/"


def _build_pdf_cache_key(mark: str) -> str:
    return f"pack-pdf-{mark}"


def _build_data_cache_key(mark: str) -> str:
    return f"pack-data-{mark}"


def _hash_contents(contents: Pack, paper: str) -> str:
    """What tells this PDF from any other: contents, paper, and the template that sets them."""
    data = json.dumps(contents.to_json(), sort_keys=True)
    return hashlib.sha256(f"{paper}\0{TEMPLATE.read_text()}\0{data}".encode()).hexdigest()
