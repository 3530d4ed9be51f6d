"""The part of a battle that a viewer may see, of those `visibility.py` shows them at all (HR-BAT-09, HR-
BAT-10).
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db.models import OuterRef, Q, QuerySet

from battles.files.schema import BattleFile, BattleUnit
from battles.printing.sheet_types import UNKNOWN
from campaign.fog.visibility import Viewer, battles_for, jobs_for
from campaign.models import Battle, BattleEntry, BattlePhoto, BattleReplay, Job, Seat
from campaign.rules.battles.plans import may_reckon_odds
from campaign.rules.world.settings import RuleSettings


def sees_whole_battle(viewer: Viewer) -> bool:
    """True when the whole battle is shown: to viewers who see all, without fog, and a day after the end
    (HR-BAT-10).
    """
    open_map = RuleSettings.from_json(viewer.campaign.settings).fog == "off"
    return viewer.sees_all or open_map or viewer.campaign.dice_told


def select_known_plans(viewer: Viewer, battle: Battle) -> dict[str, Any]:
    """The plans chosen for a battle that the viewer may know, by side: a side its own (HR-BAT-09)."""
    whole = viewer.is_umpire or viewer.campaign.dice_told
    return {side: plan for side, plan in battle.plans.items() if whole or side == viewer.side}


def battles_undone_for(viewer: Viewer) -> QuerySet[Battle]:
    """Battles of courses that were left (HR-UMP-14): the umpire's all, a side's those in which it stood."""
    kept = battles_for(viewer).values("pk")
    battles = Battle.objects.filter(campaign=viewer.campaign).exclude(pk__in=kept)
    if viewer.is_umpire:
        return battles
    if viewer.looks_on or viewer.is_guest or not viewer.side:
        return battles.none()
    return battles.filter(Q(attacker=viewer.side) | Q(defender=viewer.side))


def account_for(viewer: Viewer, battle: Battle, replay: BattleReplay | None) -> list[str]:
    """Return what the viewer's side can tell of a battle the engine fought; all of it where all is shown.

    Without a replay nobody knows what a side saw of it, until one is written.
    """
    if battle.source != "engine" or sees_whole_battle(viewer):
        return list(battle.account)
    return list(replay.accounts.get(viewer.side, ())) if replay is not None else []


def pack_copies(viewer: Viewer, battle: Battle) -> tuple[str, ...]:
    """Copies of a battle's pack the viewer may print, "" for the umpire's (HR-TAB-23): a side its own."""
    sides = (battle.attacker, battle.defender)
    if viewer.is_umpire:
        return ("", *sides)
    if viewer.looks_on and not viewer.is_guest:
        return ()
    return (viewer.side,) if viewer.side in sides else ()


def file_of_copy(file: BattleFile, side: str) -> BattleFile:
    """A battle file with no more than one side knows of it, as on the battle's page (HR-FOG-03, HR-TAB-23).

    Of the enemy's units that is who they are and how strong; no generals, no plans.
    """
    if not side:
        return file
    return replace(
        file,
        units=tuple(unit if unit.side == side else _hide_unit_details(unit) for unit in file.units),
        leaders=tuple(leader for leader in file.leaders if leader.side == side),
        plans={key: plan for key, plan in file.plans.items() if key == side},
    )


def _hide_unit_details(unit: BattleUnit) -> BattleUnit:
    return BattleUnit(
        unit.id, unit.name, unit.side, unit.troop_type, unit.sp, formation=unit.formation, arrives=UNKNOWN
    )


def entries_for(viewer: Viewer, battle: Battle | OuterRef) -> QuerySet[BattleEntry]:
    """Entries of a result the viewer may read: his own side's; the umpire's all, drafts too (HR-TAB-01)."""
    entries = BattleEntry.objects.filter(battle=battle)
    if viewer.is_umpire:
        return entries
    if viewer.role == Seat.Role.SPECTATOR or not viewer.side:
        return entries.none()
    return entries.filter(side=viewer.side)


def list_settled_photos(viewer: Viewer, battles: Collection[int]) -> QuerySet[BattlePhoto]:
    """Photographs of the battles among these that are settled and that the viewer may see (HR-TAB-07)."""
    seen = battles_for(viewer).filter(pk__in=battles, state=Battle.State.SETTLED)
    return BattlePhoto.objects.filter(battle__in=seen.order_by().values("pk"))


def photos_for(viewer: Viewer, battle: Battle) -> QuerySet[BattlePhoto]:
    """Photographs of a battle the viewer may see (HR-TAB-07).

    His own side's; all of them once the result is confirmed, for everybody who may see the battle.
    """
    photos = BattlePhoto.objects.filter(battle=battle)
    if viewer.is_umpire or battle.state == Battle.State.SETTLED:
        return photos
    if viewer.role == Seat.Role.SPECTATOR or not viewer.side:
        return photos.none()
    return photos.filter(side=viewer.side)


def may_ask_odds(viewer: Viewer) -> bool:
    """True when the viewer may request odds: the umpire, and a side where that is allowed (HR-BAT-11)."""
    if viewer.is_umpire:
        return True
    allowed = may_reckon_odds(RuleSettings.from_json(viewer.campaign.settings), viewer.side)
    return allowed and bool(viewer.side) and viewer.may_order


def odds_jobs(viewer: Viewer, battle: Battle) -> QuerySet[Job]:
    """Askings for the odds of a battle, latest first: each side its own, the umpire his."""
    if viewer.is_umpire:
        return jobs_for(viewer).filter(
            kind="battle_odds", payload__battle=battle.pk, payload__side__isnull=True
        )
    return list_watchable_jobs(viewer).filter(payload__battle=battle.pk)


def settling_job(viewer: Viewer, battle: Battle) -> Job | None:
    """The umpire's last asking that the engine fight a battle, or the rest of a split one."""
    asked = jobs_for(viewer).filter(kind__in=("battle_settle", "battle_confirm"), payload__battle=battle.pk)
    return asked.order_by("-pk").first()


def list_watchable_jobs(viewer: Viewer) -> QuerySet[Job]:
    """Jobs whose progress the viewer may watch: of a side's the odds it asked for itself.

    Once the secret of the dice is told also the archive and the book, which are everybody's then (HR-ARC-02,
    HR-REP-03).
    """
    jobs = Job.objects.filter(campaign=viewer.campaign)
    if viewer.is_umpire:
        return jobs_for(viewer)
    watched = Q(kind="battle_odds", payload__side=viewer.side) if may_ask_odds(viewer) else Q(pk__in=())
    if viewer.campaign.dice_told:
        watched |= Q(kind__in=("campaign_archive", "campaign_book"), payload__told=True)
        watched |= Q(kind="book_print", requested_by=viewer.user)
    return jobs.filter(watched)
