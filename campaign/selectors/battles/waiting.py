"""A battle that waits as its umpire reads it, on the page and by a program (HR-TAB-11 to 14)."""

from dataclasses import dataclass

from battles.table_pieces import has_pooled_pieces
from campaign.fog.battles import settling_job
from campaign.models import Battle, Job
from campaign.rules.battles.battle_inputs import file_now, pieces_on_table
from campaign.rules.umpire.battle_corrections import DrawGround
from campaign.rules.world.world import World
from campaign.selectors.battles.adjustments import drawing_now, morning_of
from campaign.selectors.battles.methods import (
    AdjustmentRow,
    SectorSide,
    list_adjustments,
    number_next,
    sector_sides,
)
from campaign.selectors.battles.sectors import propose_sector, rest_file, too_big
from campaign.selectors.campaign_context import Reading


@dataclass(frozen=True, slots=True)
class WayStands:
    """State of a waiting battle: the changes still possible, and those made.

    `frozen`: nothing of it is adjusted any more. `pooled`: units stand as brigades under its rules, and
    these are counted. `sides` are the units with those for the table marked, or
    those proposed for it while it is whole; `beside` says whether the engine has anything to fight there.
    """

    drawing: DrawGround
    fight: Job | None
    fighting: bool
    frozen: bool
    big: bool
    pooled: bool
    split: bool
    beside: bool
    adjustments: list[AdjustmentRow]
    number: int
    sides: tuple[SectorSide, ...]


def battle_morning(reading: Reading, battle: Battle) -> World:
    """The morning of the battle's day, which may have run on (HR-CAL-11)."""
    return morning_of(battle) if reading.outlook.days else reading.world


def way_stands(reading: Reading, battle: Battle) -> WayStands:
    """Return the state of a waiting battle for its umpire."""
    fight = settling_job(reading.viewer, battle)
    fighting = fight is not None and fight.state in (Job.State.QUEUED, Job.State.RUNNING)
    split = bool(battle.sector)
    return WayStands(
        drawing=drawing_now(battle, battle_morning(reading, battle)),
        fight=fight,
        fighting=fighting,
        frozen=fighting or split or battle.entries.filter(state="entered").exists(),
        big=too_big(battle),
        pooled=has_pooled_pieces(pieces_on_table(file_now(battle))),
        split=split,
        beside=bool(rest_file(battle)),
        adjustments=list_adjustments(battle, reading.names),
        number=number_next(battle),
        sides=sector_sides(battle, reading.names, battle.sector or propose_sector(battle)),
    )
