"""Score and end of a campaign: goals, weekly points, chapters, sudden death (HR-VIC).

A campaign has its goals in its world since its first morning; one without plays to the last day and
scores nothing. All is reckoned on the whole theatre in the evening, after the day is played.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from campaign.rules.world.events import Event
from campaign.rules.world.markers import Goal, Score
from campaign.rules.world.world import Objective, Theatre, UnitStatus, World

MIDNIGHT = 24 * 60
#: What a side may still field or get back without its enemy's leave (HR-CAL-02).
LIVING = (UnitStatus.PRESENT, UnitStatus.EXPECTED, UnitStatus.ABSENT)
#: Leads, in percent of all points, up to which nobody has won and from which a victory is decisive.
DRAWN_PERCENT, DECISIVE_PERCENT = 5, 20

Margin = Literal["draw", "victory", "decisive"]
Cause = Literal["calendar", "beaten", "place", "army", "conceded", "terms", "umpire"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The cause that ends a campaign, and its winner, "" for neither."""

    cause: Cause
    winner: str = ""


def goals_of(objectives: tuple[Objective, ...], goals: Mapping[str, Goal]) -> dict[str, Goal]:
    """A scenario's goals for a world: a post for each objective, at the larger of its points (HR-VIC-01)."""
    posts: dict[str, Goal] = {}
    for each in objectives:
        known = posts.get(f"post/{each.place}")
        points = max(each.points, known.points if known is not None else 0)
        posts[f"post/{each.place}"] = Goal("post", "", each.place, points=points)
    return dict(sorted({**posts, **goals}.items()))


def with_goals(world: World, goals: Mapping[str, Goal]) -> World:
    """A first world that is played for goals, nobody having scored yet."""
    scores = {side.id: Score(0) for side in world.theatre.sides} if goals else {}
    return replace(world, goals=dict(sorted(goals.items())), scores=scores)


# --- what is held and fielded ---


def held_points(world: World) -> dict[str, int]:
    """Points of the posts each side holds now (HR-VIC-01)."""
    held = {side.id: 0 for side in world.theatre.sides}
    for goal in world.goals.values():
        holder = world.holders.get(goal.place, "")
        if goal.kind == "post" and holder in held:
            held[holder] += goal.points
    return held


def field_points(world: World) -> dict[str, int]:
    """Campaign points each side has in the field: on the map, its fixed garrisons left out (HR-VIC-03)."""
    found = {side.id: 0 for side in world.theatre.sides}
    for unit in world.units.values():
        if unit.status is UnitStatus.PRESENT and not unit.static:
            found[unit.side] += unit.points
    return found


def beaten_sides(world: World) -> list[str]:
    """Sides that had units and have none left, absent or still to come (HR-CAL-02)."""
    units = [unit for unit in world.units.values() if not unit.is_train]
    had = {unit.side for unit in units}
    have = {unit.side for unit in units if unit.status in LIVING}
    return sorted(had - have)


def is_goal_met(world: World, goal: Goal) -> bool:
    """True if a side's goal is fulfilled as things stand (HR-VIC-03)."""
    if goal.kind == "hold":
        return world.holders.get(goal.place) == goal.side
    if goal.kind == "strength":
        return field_points(world)[goal.side] >= goal.amount
    return field_points(world)[world.theatre.enemy_of(goal.side)] <= goal.amount


# --- the evening ---


def score_evening(world: World) -> tuple[World, list[Event]]:
    """Score the day just played and end the campaign if it is over; `world` is the next morning's."""
    beaten = beaten_sides(world)
    over = world.day >= world.theatre.days
    if not world.goals:
        ended = over or bool(beaten)
        events = [_end_event(world, {"beaten": beaten})] if ended else []
        return replace(world, ended=ended), events
    world, events = _score_goals(world, final=over)
    ending = _sudden_death(world)
    if beaten:
        survivors = [side.id for side in world.theatre.sides if side.id not in beaten]
        ending = Ending("beaten", survivors[0] if len(survivors) == 1 else "")
    elif ending is None and over:
        ending = Ending("calendar", find_leader(world)[0])
    if ending is None:
        return world, [*events, *_build_chapter_events(world)]
    world, end = close_campaign(world, ending, MIDNIGHT)
    return world, [*events, end]


def close_campaign(world: World, ending: Ending, minute: int = 0) -> tuple[World, Event]:
    """End the campaign, with an event that tells both sides the cause, the winner and the points."""
    _, margin = find_leader(world)
    data: dict[str, Any] = {
        "beaten": beaten_sides(world),
        "cause": ending.cause,
        "winner": ending.winner,
        "points": {side: score.points for side, score in sorted(world.scores.items())},
    }
    if ending.cause == "calendar":
        data["margin"] = margin
    return replace(world, ended=True), replace(_end_event(world, data), minute=minute)


def _end_event(world: World, data: Mapping[str, Any]) -> Event:
    return Event("campaign_ended", MIDNIGHT, "HR-CAL-02", _list_side_ids(world), data=data)


def _list_side_ids(world: World) -> tuple[str, ...]:
    return tuple(side.id for side in world.theatre.sides)


def find_leader(world: World) -> tuple[str, Margin]:
    """The leader by points, "" when the two are nearly level, and the margin (HR-VIC-04)."""
    points = {side: score.points for side, score in world.scores.items()}
    if not points or not any(points.values()):
        return "", "draw"
    ranked = sorted(points, key=lambda side: (-points[side], side))
    lead = points[ranked[0]] - (points[ranked[1]] if len(ranked) > 1 else 0)
    if lead * 100 <= DRAWN_PERCENT * sum(points.values()):
        return "", "draw"
    return ranked[0], "decisive" if lead * 100 >= DECISIVE_PERCENT * sum(points.values()) else "victory"


def _score_goals(world: World, *, final: bool) -> tuple[World, list[Event]]:
    """The week's points of posts and the goals due this evening (HR-VIC-02, HR-VIC-03)."""
    points = {side: score.points for side, score in world.scores.items()}
    events: list[Event] = []
    weeks = (1 if world.week_is_over else 0) + (world.settings.final_weeks if final else 0)
    if world.settings.scoring == "weekly" and weeks:
        for side, held in held_points(world).items():
            points[side] += weeks * held
            data = {"side": side, "points": weeks * held, "total": points[side]}
            events.append(_build_secret_event(world, "points_scored", "HR-VIC-02", data))
    for goal in _iter_due_goals(world):
        met = is_goal_met(world, goal)
        points[goal.side] += goal.points if met else 0
        data = {"side": goal.side, "goal": goal.kind, "points": goal.points if met else 0, "met": int(met)}
        events.append(
            replace(_build_secret_event(world, "goal_reckoned", "HR-VIC-03", data), place=goal.place)
        )
    scores = {
        side: replace(score, points=points[side], days=_count_seized_days(world, side, score.days))
        for side, score in world.scores.items()
    }
    return replace(world, scores=scores), events


def _build_secret_event(world: World, kind: str, rule: str, data: Mapping[str, Any]) -> Event:
    """An event for the umpire; the sides see it only without fog, as it shows holders of places."""
    return Event(
        kind, MIDNIGHT, rule, _list_side_ids(world) if world.settings.fog == "off" else (), data=data
    )


def _iter_due_goals(world: World) -> Iterator[Goal]:
    for key in sorted(world.goals):
        goal = world.goals[key]
        if goal.kind in ("hold", "strength", "reduce") and goal.day == world.day - 1:
            yield goal


def chapter_of(world: World) -> tuple[int, int]:
    """The number of the chapter that runs, from 1, and its last day, a campaign day (HR-VIC-05)."""
    days = 7 * world.settings.chapter_weeks or world.theatre.days
    number = min(world.day, world.theatre.days - 1) // days + 1
    return number, min(number * days, world.theatre.days) - 1


def _build_chapter_events(world: World) -> list[Event]:
    """At the end of a chapter both sides learn the points (HR-VIC-05)."""
    weeks = world.settings.chapter_weeks
    if not weeks or world.day % (7 * weeks):
        return []
    data = {
        "chapter": world.day // (7 * weeks),
        "points": {side: score.points for side, score in sorted(world.scores.items())},
        "leader": find_leader(world)[0],
    }
    return [Event("chapter_ends", MIDNIGHT, "HR-VIC-05", _list_side_ids(world), data=data)]


# --- sudden death (HR-VIC-06) ---


def _list_seize_goals(world: World, side: str) -> list[Goal]:
    return [goal for goal in world.goals.values() if goal.kind == "seize" and goal.side == side]


def _count_seized_days(world: World, side: str, before: int) -> int:
    goals = _list_seize_goals(world, side)
    held = bool(goals) and all(world.holders.get(goal.place) == side for goal in goals)
    return before + 1 if held else 0


def _sudden_death(world: World) -> Ending | None:
    """The end by a side's aim; of two sides on one evening the points decide, level ones for neither."""
    chosen, fielded = world.settings.sudden_death, field_points(world)
    reached: list[Ending] = []
    for side in _list_side_ids(world) if chosen in ("place", "both") else ():
        goals = _list_seize_goals(world, side)
        if goals and world.scores[side].days >= max(goal.amount for goal in goals):
            reached.append(Ending("place", side))
    for side in _list_side_ids(world) if chosen in ("army", "both") else ():
        enemy = world.theatre.enemy_of(side)
        for goal in world.goals.values():
            if goal.kind == "destroy" and goal.side == side and fielded[enemy] <= goal.amount:
                reached.append(Ending("army", side))
    if len({ending.winner for ending in reached}) > 1:
        return replace(reached[0], winner=find_leader(world)[0])
    return reached[0] if reached else None


def objective_points(theatre: Theatre) -> dict[str, int]:
    """The points of each objective, by place.

    Both sides may list a place, each with its own weight for its staff; it counts once, at the
    larger of the points listed.
    """
    worth: dict[str, int] = {}
    for objective in theatre.objectives:
        worth[objective.place] = max(objective.points, worth.get(objective.place, 0))
    return worth


def scenario_points(world: World) -> dict[str, int]:
    """Points of the objectives each side holds, by side; a side that holds none has 0 (HR-VIC-01)."""
    points = {side.id: 0 for side in world.theatre.sides}
    for place, worth in objective_points(world.theatre).items():
        holder = world.holders.get(place, "")
        if holder in points:
            points[holder] += worth
    return points
