"""The battle pack as a viewer may print it, and its PDF from a worker (HR-TAB-21, HR-TAB-23).

A PDF is kept for a day and made anew when the pack changes. Only a reader of the same contents finds it.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from battles.files.reading import decode_battle
from battles.files.schema import BattleFile
from battles.ground.names import join_names
from battles.printing.blinds import blinds_of, under_blinds
from battles.printing.packs import Hidden, Occasion, Pack
from battles.printing.sheet_types import FIGURES, Figures, figure_size
from battles.printing.sheets import TEMPLATE, build_pack, typeset_pack
from battles.printing.typesetting import TypesettingError
from battles.rulesets import registry
from battles.table_pieces import has_pooled_pieces, standing_file
from campaign.fog.battles import file_of_copy, pack_copies
from campaign.fog.visibility import Viewer
from campaign.ledger.dice import dice_for
from campaign.models import Battle, Job, User
from campaign.ops.site_cache import get_shared_cache
from campaign.rules.battles.battle_inputs import (
    RAIN,
    file_mustering,
    file_now,
    file_of_sector,
    pieces_on_table,
)
from campaign.rules.battles.hidden_setup import SetUp, hidden_setup, turned_up
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World
from campaign.selectors.battles.battle_files import season_of
from campaign.selectors.battles.battles import COVER
from campaign.selectors.battles.landings import landing_text
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import lock_campaign
from campaign.services.seats.invitations import only_here
from campaign.text.place_names import CampaignNames

#: The key to a side's blinds comes from this address, so that a pack can be printed again.
BLINDS_DICE = "HR-TAB-21"
#: To everybody with a seat alike, whatever the number: who is told nothing of a battle learns nothing here.
NO_BATTLE = "No such battle waits; a pack can be printed once columns have met."
WEATHER = {"fair": "fair", "rain": "rain", "storm": "storm and heavy rain", "fog": "fog", "snow": "snow"}
#: The sky over a field by what the umpire has rain cost the fire of muskets (HR-TAB-12).
ADJUSTED: Mapping[int, str] = {0: "dry", -1: "rain", -2: "heavy rain"}


@dataclass(frozen=True, slots=True)
class PackChoice:
    """Options for printing a pack: whose copy ("" the umpire's), which figures, blinds or none."""

    copy: str
    figures: Figures
    blinds: bool


def choice_of(
    viewer: Viewer, battle: Battle, *, copy: str | None = None, figures: str = "", blinds: bool | None = None
) -> PackChoice | None:
    """The options for printing; None for a copy the viewer may not have or unknown figures.

    Left out: the viewer's own copy, the figures the battle is for, blinds while it waits.
    """
    copies = pack_copies(viewer, battle)
    copy = copies[0] if copy is None and copies else copy
    asked = figures or figure_size(battle.inputs["file"].get("options", {}))
    known = next((one for one in FIGURES if one == asked), None)
    if copy is None or copy not in copies or known is None:
        return None
    return PackChoice(copy, known, battle.state == Battle.State.WAITING if blinds is None else blinds)


def result_address(battle: Battle) -> str:
    """Address of the page for entering a battle's result; "" when phones cannot reach this site."""
    page = reverse("battle-result", args=[battle.campaign.slug, battle.pk])
    return "" if only_here(settings.SITE_URL) else settings.SITE_URL.rstrip("/") + page


def list_named_copies(viewer: Viewer, battle: Battle, names: CampaignNames) -> list[tuple[str, str]]:
    """List the copies a viewer may print, each with its name."""
    return [(side, copy_name(side, names)) for side in pack_copies(viewer, battle)]


def copy_name(side: str, names: CampaignNames) -> str:
    return f"Copy of {names.side(side)}" if side else "The umpire\u2019s copy"


def pack_for(
    viewer: Viewer, battle: Battle, world: World, names: CampaignNames, choice: PackChoice, address: str = ""
) -> Pack:
    """The pack of one of the copies the viewer may print; `address` is where the result is entered."""
    address = address or result_address(battle)
    now = file_now(battle)
    file = decode_battle(file_mustering(now, battle.sector))
    known = file_of_copy(decode_battle(file_of_sector(now, battle.sector)), choice.copy)
    own = (choice.copy,) if choice.copy else (battle.attacker, battle.defender)
    settings = RuleSettings.from_json(viewer.campaign.settings)
    terrain = str(battle.inputs["contact"].get("terrain", ""))
    rules = registry.get_rules(file.ruleset)
    standing = standing_file(known, file, rules)
    what = "brigades" if has_pooled_pieces(pieces_on_table(now, battle.sector)) else "units"
    setups = hidden_setup(known.units, battle.attacker, battle.defender, settings, terrain, what)
    return build_pack(
        known,
        _build_occasion(battle, world, names, choice, address, {unit.formation for unit in known.units}),
        own=own,
        figures=choice.figures,
        hidden={
            side: _build_blinds(viewer, battle, standing, side, setups[side], choice.figures) for side in own
        }
        if choice.blinds
        else None,
        whole=file,
    )


def _build_occasion(
    battle: Battle,
    world: World,
    names: CampaignNames,
    choice: PackChoice,
    address: str,
    columns: Collection[str],
) -> Occasion:
    """Build the pack's heading: date, weather, notes, and names of formations present (HR-FOG-01)."""
    date = world.theatre.start + timedelta(days=battle.day)
    contact: Mapping[str, Any] = battle.inputs["contact"]
    redrawn = any("cover" in one.get("changes", {}) for one in battle.adjusted if "back" not in one)
    cover = "" if redrawn else contact.get("cover")
    return Occasion(
        campaign=battle.campaign.title,
        copy=copy_name(choice.copy, names),
        date=f"{date:%A}, {date.day} {date:%B %Y}",
        minute=battle.minute,
        weather=_describe_weather(battle, season_of(date)),
        address=address,
        footing=COVER.get(cover or file_now(battle)["cover"], ""),
        notes=tuple(_iter_notes(battle, choice, world, names)),
        formations={key: name for key, name in names.formations.items() if key in columns},
    )


def _describe_weather(battle: Battle, season: str) -> str:
    """Describe the weather, adjusted by the umpire or of the day, and its cost to muskets (HR-WEA-04)."""
    told = str(battle.inputs["contact"].get("weather", ""))
    sky = WEATHER.get(told, told)
    for one in battle.adjusted:
        if "back" not in one and "rain" in one["changes"]:
            sky = ADJUSTED[one["changes"]["rain"]]
    if not sky:
        return ""
    factor = file_now(battle).get("options", {}).get(RAIN, 0)
    words = sky.replace(" and ", ", ")
    return f"{words}, muskets {factor}; {season}" if factor else f"{words}, {season}"


def _iter_notes(battle: Battle, choice: PackChoice, world: World, names: CampaignNames) -> Iterable[str]:
    """Iterate over notes on boat landings and on own troops that fight beside the table (HR-TAB-14)."""
    if landing := landing_text(battle, world.theatre.atlas, names):
        yield f"{landing} (HR-BAT-06)"
    if not battle.sector:
        return
    away = [
        unit["name"]
        for unit in battle.inputs["file"]["units"]
        if unit["id"] not in battle.sector and choice.copy in ("", unit["side"])
    ]
    told = f": there are {join_names(away)}" if away else ""
    yield (
        f"This is a sector of a larger fight. The engine fights the rest beside the table{told}. Nobody "
        "learns how before the table\u2019s result is confirmed; who holds the table\u2019s field holds "
        "it all (HR-TAB-14 to 16)."
    )


def _build_blinds(
    viewer: Viewer, battle: Battle, file: BattleFile, side: str, setup: SetUp, figures: Figures
) -> Hidden:
    """Build a side's blinds, shuffled by a seed no other die uses; `file` says who is on the field."""
    here = len(under_blinds(file, side))
    dice = dice_for(viewer.campaign, battle.day, battle.dice_revision)
    seed = dice.seed(BLINDS_DICE, f"{battle.contact}/{side}")
    table = registry.get_rules(file.ruleset).sheets.table(file, figures)
    return Hidden(blinds_of(file, side, setup.dummies(here), seed), setup.told, turned_up(table))


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
    """State of the PDF of these contents on this paper size."""
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
    """Identifier of a PDF: a hash of contents, paper size and template."""
    data = json.dumps(contents.to_json(), sort_keys=True)
    return hashlib.sha256(f"{paper}\0{TEMPLATE.read_text()}\0{data}".encode()).hexdigest()
