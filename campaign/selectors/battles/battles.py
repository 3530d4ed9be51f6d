"""Battles of the viewer's side, and the forces in them."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from battles.files.reading import decode_value
from battles.files.schema import BattleGround
from battles.grammar import Subject
from battles.ground.drawing import ground_svg
from battles.ground.landscape import FIRST_LINE
from battles.ground.names import ground_caption
from battles.replay.words import troop_words
from campaign.fog.visibility import Viewer, battles_for
from campaign.models import Battle, Campaign
from campaign.rules.battles.battle_inputs import file_now, ruleset_of
from campaign.rules.contact.casualties import UnitLoss, battle_charges, points_for_battle
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World
from campaign.text.battle_measures import counts_otherwise, find_table_measures, rules_title, telling_under
from campaign.text.place_names import CampaignNames
from rosters.domain.strength import strength_points

COVER = {"soft": "soft cover", "hard": "hard cover", "fortified": "fortifications"}
#: What became of a unit, where more is to be told than its figures.
FATES = {"eliminated": "destroyed", "surrendered": "surrendered", "left_table": "left the field"}
#: How a battle that waits is to be settled, in a word.
WAYS = {"engine": "for the engine", "table": "for the table", "word": "for the umpire's word"}
SOURCES = {"engine": "the engine", "table": "the tabletop result", "umpire": "the umpire's word"}


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle in the list. `title` is its name as men would call it, `clock` the hour it opened.

    `way` says how one that waits is to be settled, "" when nobody has said. `rules` are what those are
    called by which it is fought or was, "" where none are, and `own_points` whether they count SP otherwise.
    `held_by` is the side that holds the field, "" for neither or while the battle waits.
    `unasked`: a small fight the engine settled without asking anybody (HR-CON-07).
    """

    battle: Battle
    title: str
    date: date
    attacker: str
    defender: str
    waiting: bool
    cover: str
    by: str
    clock: str = ""
    unasked: bool = False
    way: str = ""
    rules: str = ""
    own_points: bool = False
    held_by: str = ""

    @property
    def way_told(self) -> str:
        """The chosen way of resolving the battle, and its rules."""
        return f"{self.way}, by {self.rules}" if self.rules else self.way

    @property
    def watchable(self) -> bool:
        """True when the engine fought the battle, so that there are moves to replay."""
        return not self.waiting and self.battle.source == "engine"


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """A unit that fought: strength points it came with, and what became of them once settled.

    `points` are its campaign points before and after the battle; the enemy's are not told. `arrives` is the
    turn of the battle file in which it comes, `turn` the same as the rules count it.
    """

    id: str
    name: str
    kind: str
    sp: int
    arrives: int | None
    lost: int | None = None
    captured: int | None = None
    fate: str = ""
    points: int | None = None
    points_after: int | None = None
    turn: int | None = None

    @property
    def sp_left(self) -> int:
        """SP it came away with."""
        return self.sp - (self.lost or 0) - (self.captured or 0)

    @property
    def again(self) -> int:
        """SP it would fight another battle of the day with (AWI-C-BAT-04)."""
        return strength_points(points_for_battle(self.points_after or 0, self.lost or 0))


@dataclass(frozen=True, slots=True)
class Force:
    """One side of a battle."""

    side: str
    name: str
    tint: str
    role: str
    units: tuple[ForceUnit, ...]
    formations: tuple[str, ...] = field(default=())
    generals: tuple[str, ...] = ()

    @property
    def has_campaign_points(self) -> bool:
        """Whether its campaign points are told."""
        return any(unit.points_after is not None for unit in self.units)

    @property
    def sp_left(self) -> int:
        return sum(unit.sp_left for unit in self.units)

    @property
    def points(self) -> int:
        return sum(unit.points or 0 for unit in self.units)

    @property
    def points_after(self) -> int:
        return sum(unit.points_after or 0 for unit in self.units)

    @property
    def sp(self) -> int:
        return sum(unit.sp for unit in self.units)

    @property
    def sp_lost(self) -> int:
        return sum(unit.lost or 0 for unit in self.units)

    @property
    def sp_captured(self) -> int:
        return sum(unit.captured or 0 for unit in self.units)


def battle_rows(viewer: Viewer, world: World, names: CampaignNames) -> list[BattleRow]:
    """The viewer's battles, newest first."""
    return [
        battle_row(battle, world, names) for battle in battles_for(viewer).order_by("-day", "-minute", "-id")
    ]


def battle_row(battle: Battle, world: World, names: CampaignNames) -> BattleRow:
    """One battle with its names."""
    waits, rules = battle.state == Battle.State.WAITING, ruleset_of(battle)
    fought = (battle.way if waits else battle.source) in ("engine", "table")
    return BattleRow(
        battle=battle,
        title=battle.inputs["file"]["title"],
        date=world.theatre.start + timedelta(days=battle.day),
        attacker=names.side(battle.attacker),
        defender=names.side(battle.defender),
        waiting=waits,
        cover=COVER.get(battle.inputs["contact"].get("cover") or battle.inputs["file"]["cover"], ""),
        by=SOURCES.get(battle.source, ""),
        clock=f"{battle.minute // 60}:{battle.minute % 60:02d}",
        unasked=_is_automatic_small_fight(battle),
        way=WAYS.get(battle.way, "") if waits else "",
        rules=rules_title(rules) if fought else "",
        own_points=counts_otherwise(rules),
        held_by=names.side(held) if (held := (battle.settlement or {}).get("field_held_by")) else "",
    )


def losses_by_side(
    settlement: Mapping[str, Any], units: Iterable[Mapping[str, Any]], sides: Iterable[str]
) -> dict[str, int]:
    """SP killed and captured of each side, by a battle's settlement and the units of its contact."""
    side_of = {unit["unit"]: unit["side"] for unit in units}
    lost = dict.fromkeys(sides, 0)
    for loss in settlement["losses"]:
        side = side_of.get(loss["unit"])
        if side in lost:
            lost[side] += loss["sp_lost"] + loss["sp_captured"]
    return lost


@dataclass(frozen=True, slots=True)
class BattleResult:
    """A battle of the last turn and what came of it; `losses` names each side with its SP."""

    row: BattleRow
    losses: tuple[str, ...]


def battle_results(
    rows: Iterable[BattleRow], fought: Iterable[tuple[int, str]], names: CampaignNames
) -> list[BattleResult]:
    """The settled ones among the viewer's battles that were `fought`, by day and contact, in that order."""
    settled: dict[tuple[int, str], BattleRow] = {}
    for row in rows:
        if row.battle.settlement:
            settled.setdefault((row.battle.day, row.battle.contact), row)  # the newest comes first
    found = [settled[key] for key in fought if key in settled]
    return [BattleResult(row, _list_side_losses(row.battle, names)) for row in found]


def _list_side_losses(battle: Battle, names: CampaignNames) -> tuple[str, ...]:
    units = battle.inputs["contact"].get("units") or ()
    lost = losses_by_side(battle.settlement or {}, units, (battle.attacker, battle.defender))
    return tuple(f"{names.side(side)} {sp} SP" for side, sp in lost.items())


@dataclass(frozen=True, slots=True)
class BattlefieldDrawing:
    """The ground of a battle: a drawing and what lies on it, the same for both sides (HR-BAT-06).

    Its inches are the table's under the battle's rules, as are those of `zone`, within which troops are set
    out; `measured` says of what rules and figures they are.
    """

    drawing: SafeString
    words: str
    zone: str
    measured: str


def find_battlefield_drawing(battle: Battle, names: CampaignNames) -> BattlefieldDrawing | None:
    """The ground of a battle the viewer may see; None for one from before grounds were made."""
    file = file_now(battle)
    return (
        build_battlefield_drawing(decode_value(BattleGround, file["ground"]), battle, names)
        if file.get("ground")
        else None
    )


def build_battlefield_drawing(
    ground: BattleGround, battle: Battle, names: CampaignNames
) -> BattlefieldDrawing:
    """A ground drawn for a battle."""
    scale = find_table_measures(file_now(battle))
    drawing = ground_svg(
        ground,
        near=f"{Subject(names.side(battle.attacker)):sets} out here",
        far=f"{Subject(names.side(battle.defender)):sets} out here",
        zone=FIRST_LINE,
        inch=scale.inch,
    )
    words, zone = ground_caption(ground, scale.inch), f"{FIRST_LINE * scale.inch:g}"
    # every name in it is escaped where it is drawn
    return BattlefieldDrawing(mark_safe(drawing), words, zone, scale.told)


def _is_automatic_small_fight(battle: Battle) -> bool:
    nobody = battle.source == "engine" and battle.settled_by_id is None
    return nobody and bool(battle.inputs["contact"].get("tiny"))


def small_fights(rows: Iterable[BattleRow], campaign: Campaign) -> list[BattleRow]:
    """Small fights settled without asking on the last day played or so far on the coming one (HR-CON-07)."""
    return [row for row in rows if row.unasked and row.battle.day >= campaign.day - 1]


def list_forces(viewer: Viewer, battle: Battle, names: CampaignNames) -> tuple[Force, ...]:
    """Both sides of a battle, the attacker first (HR-FOG-03).

    When reinforcements come is each side's own affair: `arrives` of the enemy's is None.
    """
    settlement = battle.settlement or {}
    losses = {loss["unit"]: loss for loss in settlement.get("losses", [])}
    points = {fighter["unit"]: fighter["points"] for fighter in battle.inputs["contact"].get("units", ())}
    settings = RuleSettings.from_json(viewer.campaign.settings)
    turns = telling_under(ruleset_of(battle)).turns

    def build_unit(unit: Mapping[str, Any], told: bool) -> ForceUnit:
        loss = losses.get(unit["id"])
        made = _force_unit(unit, loss, turns, told=told)
        return _with_points(made, loss, points.get(unit["id"]), settings) if told else made

    rows: Mapping[str, list[dict[str, Any]]] = defaultdict(list)
    for unit in file_now(battle)["units"]:
        rows[unit["side"]].append(unit)
    return tuple(
        Force(
            side=side,
            name=names.side(side),
            tint=names.tint(side),
            role=role,
            units=tuple(build_unit(unit, viewer.sees_all or side == viewer.side) for unit in rows[side]),
            generals=tuple(
                f"{one['name']} was {one['fate']}"
                for one in settlement.get("generals", [])
                if one["side"] == side
                and (viewer.sees_all or viewer.side == side or one["fate"] == "captured")
            ),
            formations=tuple(dict.fromkeys(names.formation(unit["formation"]) for unit in rows[side])),
        )
        for side, role in ((battle.attacker, "attacks"), (battle.defender, "defends"))
    )


def casualties_as_if(
    viewer: Viewer, battle: Battle, settlement: dict[str, Any], names: CampaignNames, units: Container[str]
) -> list[Force]:
    """Both sides' `units` as they would be told were the battle settled so; nothing is written."""
    as_if = copy(battle)
    as_if.settlement, as_if.state = settlement, Battle.State.SETTLED
    return [
        replace(force, units=tuple(unit for unit in force.units if unit.id in units))
        for force in list_forces(viewer, as_if, names)
    ]


def _force_unit(
    unit: Mapping[str, Any], loss: Mapping[str, Any] | None, turns: Callable[[int], int], *, told: bool
) -> ForceUnit:
    return ForceUnit(
        id=unit["id"],
        name=unit["name"],
        kind=troop_words(unit["troop_type"]),
        sp=unit["sp"],
        arrives=unit["arrives"] if told else None,
        turn=turns(unit["arrives"]) if told else None,
        lost=loss["sp_lost"] if loss else None,
        captured=loss["sp_captured"] if loss else None,
        fate=FATES.get(loss["fate"], "") if loss else "",
    )


def _with_points(
    unit: ForceUnit, loss: Mapping[str, Any] | None, points: int | None, settings: RuleSettings
) -> ForceUnit:
    """The unit with its campaign points before and after (AWI-C-BAT-01 to 03), once it is settled."""
    if points is None or loss is None:
        return unit
    cost = sum(change for _, change in battle_charges(UnitLoss(**loss), settings))
    return replace(unit, points=points, points_after=max(0, points + cost))
