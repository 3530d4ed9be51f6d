"""Score as a viewer may know it: points, goals, chapters, terms offered, and the generals (HR-VIC, HR-
LDR).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from campaign.fog.visibility import MapView, Viewer, journal_for, list_known_scores, may_know_general
from campaign.ledger.journal import event_from_entry
from campaign.rules.army.leaders import seniority_key
from campaign.rules.returns.scenario_strength import Drift, list_drifts
from campaign.rules.victory.victory import chapter_of
from campaign.rules.world.markers import General, Goal
from campaign.rules.world.world import World
from campaign.text.event_sentences import narrate
from campaign.text.place_names import CampaignNames, position_text


@dataclass(frozen=True, slots=True)
class PointsRow:
    """A side's points: of the posts it holds as far as the viewer knows, and scored; None is not known."""

    side: str
    tint: str
    held: int
    scored: int | None


@dataclass(frozen=True, slots=True)
class PostRow:
    """A post, its points a week, and who is known to hold it."""

    place: str
    points: int
    holder: str
    tint: str


@dataclass(frozen=True, slots=True)
class GoalRow:
    """A side's goal in words."""

    side: str
    tint: str
    text: str
    points: int
    over: bool


@dataclass(frozen=True, slots=True)
class OfferRow:
    """Terms that are offered; `mine` are the viewer's own, `ours` those he may answer."""

    side: str
    winner: str
    text: str
    date: date
    mine: bool
    ours: bool


@dataclass(frozen=True, slots=True)
class GeneralRow:
    """A general; `here` when he is with the army or a prisoner."""

    id: str
    name: str
    side: str
    tint: str
    rank: str
    state: str
    where: str
    here: bool


@dataclass(frozen=True, slots=True)
class CampaignScore:
    """The page of the campaign's standing; `ended` and `reckoned` are sentences of the journal or ""."""

    points: tuple[PointsRow, ...]
    posts: tuple[PostRow, ...]
    goals: tuple[GoalRow, ...]
    chapter: int
    chapter_ends: date
    ended: str
    reckoned: tuple[tuple[date, str], ...]
    offers: tuple[OfferRow, ...]
    generals: tuple[GeneralRow, ...]
    drifts: tuple[tuple[str, Drift], ...]


def load_campaign_score(viewer: Viewer, world: World, view: MapView, names: CampaignNames) -> CampaignScore:
    """Load the campaign's score, in two queries."""
    told = list(journal_for(viewer).filter(kind__in=("chapter_ends", "campaign_ended")))
    lines = [
        (world.theatre.start + timedelta(days=entry.day), entry.kind, narrate(event_from_entry(entry), names))
        for entry in told
    ]
    number, last = chapter_of(world)
    return CampaignScore(
        points=tuple(_iter_points_rows(viewer, world, view, names)),
        posts=tuple(_list_post_rows(world, view, names)),
        goals=tuple(_list_goal_rows(world, names)),
        chapter=number,
        chapter_ends=world.theatre.start + timedelta(days=last),
        ended=next((text for _, kind, text in lines if kind == "campaign_ended"), "") if world.ended else "",
        reckoned=tuple((day, text) for day, kind, text in lines if kind == "chapter_ends"),
        offers=tuple(_iter_offer_rows(viewer, world, names)),
        generals=tuple(_list_general_rows(viewer, world, names)),
        drifts=tuple(
            (names.side(each.side), each)
            for each in list_drifts(world)
            if viewer.sees_all or each.side == viewer.side
        ),
    )


def _iter_points_rows(
    viewer: Viewer, world: World, view: MapView, names: CampaignNames
) -> Iterable[PointsRow]:
    scores = list_known_scores(viewer, world)
    for side in world.theatre.sides:
        held = sum(
            goal.points
            for goal in world.goals.values()
            if goal.kind == "post" and view.holders.get(goal.place) == side.id
        )
        yield PointsRow(side.name, names.tint(side.id), held, scores.get(side.id))


def _list_post_rows(world: World, view: MapView, names: CampaignNames) -> list[PostRow]:
    rows = []
    for goal in world.goals.values():
        if goal.kind == "post":
            holder = view.holders.get(goal.place, "")
            name = names.side(holder) if holder else "nobody known"
            rows.append(PostRow(names.place(goal.place), goal.points, name, names.tint(holder)))
    return sorted(rows, key=lambda row: (-row.points, row.place))


def _list_goal_rows(world: World, names: CampaignNames) -> list[GoalRow]:
    chosen = world.settings.sudden_death
    rows = []
    for _, goal in sorted(world.goals.items()):
        wanted = {"seize": ("place", "both"), "destroy": ("army", "both")}.get(goal.kind)
        if goal.kind == "post" or (wanted is not None and chosen not in wanted):
            continue
        over = goal.day < world.day and wanted is None
        text = _goal_text(goal, world, names)
        rows.append(GoalRow(names.side(goal.side), names.tint(goal.side), text, goal.points, over))
    return rows


def _goal_text(goal: Goal, world: World, names: CampaignNames) -> str:
    day = world.theatre.start + timedelta(days=goal.day)
    on = f"on {day.day} {day:%B}"
    return {
        "hold": f"holds {names.place(goal.place)} {on}",
        "strength": f"has {goal.amount} points or more in the field {on}",
        "reduce": f"has left the enemy {goal.amount} points or fewer in the field {on}",
        "seize": f"wins at once with {names.place(goal.place)} held {goal.amount} evenings in a row",
        "destroy": f"wins at once when the enemy has {goal.amount} points or fewer in the field",
    }[goal.kind]


def _iter_offer_rows(viewer: Viewer, world: World, names: CampaignNames) -> Iterable[OfferRow]:
    for side, offer in sorted(world.offers.items()):
        yield OfferRow(
            side=names.side(side),
            winner=names.side(offer.winner) if offer.winner else "neither side",
            text=offer.text,
            date=world.theatre.start + timedelta(days=offer.day),
            mine=side == viewer.side,
            ours=viewer.may_speak and not viewer.is_umpire and side != viewer.side,
        )


def _list_general_rows(viewer: Viewer, world: World, names: CampaignNames) -> list[GeneralRow]:
    keys = [key for key, general in world.generals.items() if may_know_general(viewer, general)]
    keys.sort(key=lambda key: (world.generals[key].side != viewer.side, *seniority_key(world, key)))
    return [
        GeneralRow(
            id=key,
            name=general.name,
            side=names.side(general.side),
            tint=names.tint(general.side),
            rank=general.rank,
            state=_describe_general_state(general, world, names),
            where=_describe_general_position(general, world, names)
            if general.state in ("well", "wounded")
            else "",
            here=general.state in ("well", "wounded", "captured"),
        )
        for key, general in ((key, world.generals[key]) for key in keys)
    ]


def _describe_general_state(general: General, world: World, names: CampaignNames) -> str:
    until = ""
    if general.until is not None:
        day = world.theatre.start + timedelta(days=general.until)
        until = f" until {day.day} {day:%B}" if general.state == "wounded" else f" on {day.day} {day:%B}"
    if general.state == "captured":
        offered = world.generals.get(general.exchange_for)
        asked = f", offered for {offered.name}" if offered is not None else ""
        return f"a prisoner of {names.side(general.held_by)}{asked}"
    words = {"well": "", "resigned": "gone", "expected": "expected"}
    return words.get(general.state, general.state) + until


def _describe_general_position(general: General, world: World, names: CampaignNames) -> str:
    body = world.formations.get(general.formation)
    if body is None:
        return "without a command"
    leads = "leads" if world.generals.get(body.leader) is general else "rides with"
    return f"{leads} {body.name}" + (f", {position_text(body.position, names)}" if body.position else "")
