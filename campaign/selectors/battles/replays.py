"""Replays of battles as a viewer may watch them (HR-BAT-10)."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe

from battles.files.schema import BattleGround
from battles.grammar import Subject
from battles.ground.drawing import ground_svg
from battles.ground.landscape import FIRST_LINE
from battles.replay.frames import ReplayFrame, Show, build_show
from battles.replay.replay import Replay, unpack_replay
from campaign.fog.battles import sees_whole_battle
from campaign.fog.viewers import NotSeated
from campaign.fog.visibility import Viewer
from campaign.models import Battle, BattleReplay
from campaign.rules.battles.battle_inputs import file_now
from campaign.text.battle_measures import find_table_measures
from campaign.text.place_names import CampaignNames

#: Frames on one page of the list for those without a script.
FRAMES_A_PAGE = 60


@dataclass(frozen=True, slots=True)
class FramePage:
    """Some frames of a replay with their numbers from 1."""

    frames: tuple[tuple[int, ReplayFrame], ...]
    page: int
    pages: int

    @property
    def later(self) -> int:
        return self.page + 1 if self.page < self.pages else 0

    @property
    def earlier(self) -> int:
        return self.page - 1


def replay_of(battle: Battle) -> BattleReplay | None:
    """The replay kept of a battle, if there is one."""
    return BattleReplay.objects.filter(battle=battle).first()


def build_visible_replay(viewer: Viewer, replay: BattleReplay) -> Show:
    """The replay cut to what the viewer may see."""
    side = "" if sees_whole_battle(viewer) else viewer.side
    if side not in ("", *replay.seen) or not (side or sees_whole_battle(viewer)):
        raise NotSeated("Only who stood in a battle can watch it.")
    return _cut_replay(bytes(replay.data), side, tuple(sorted(replay.seen.get(side, {}).items())))


# pure of bytes that never change, so that several requests for one replay unpack it once
@lru_cache(maxsize=8)
def _unpack_replay(data: bytes) -> Replay:
    return unpack_replay(data)


@lru_cache(maxsize=16)
def _cut_replay(data: bytes, side: str, seen: tuple[tuple[str, int], ...]) -> Show:
    return build_show(_unpack_replay(data), side, dict(seen))


def replay_table(replay: BattleReplay, battle: Battle, names: CampaignNames) -> SafeString:
    """The table a replay moves on: the ground both sides knew, or an open field, in the page's inches."""
    kept = _unpack_replay(bytes(replay.data))
    ground = kept.battle.ground or BattleGround(kept.standing.width, kept.standing.depth)
    drawing = ground_svg(
        ground,
        near=f"{Subject(names.side(battle.attacker)):sets} out here",
        far=f"{Subject(names.side(battle.defender)):sets} out here",
        zone=FIRST_LINE,
        explained=False,
        inch=find_table_measures(file_now(battle)).inch,
    )
    # every name in it is escaped where it is drawn
    return mark_safe(drawing)


def frame_page(shown: Show, page: int) -> FramePage:
    """One page of the list; a number beyond the last is the last."""
    pages = max(1, -(-len(shown.frames) // FRAMES_A_PAGE))
    page = min(max(1, page), pages)
    first = (page - 1) * FRAMES_A_PAGE
    some = shown.frames[first : first + FRAMES_A_PAGE]
    return FramePage(tuple(enumerate(some, start=first + 1)), page, pages)
