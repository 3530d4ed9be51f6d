"""Creating a campaign from a scenario."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from battles.errors import BattleFileError
from battles.rulesets.registry import get_ruleset
from campaign.ledger.dice import dice_for, seed_secret
from campaign.ledger.journal import record_append
from campaign.ledger.versions import versions_now
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Campaign, DayRecord, User, new_secret
from campaign.models.campaigns import TAKEN
from campaign.rules.battles.ruleset_options import Kept, merge_options
from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.events import Event
from campaign.rules.world.scenario_variation import first_morning
from campaign.rules.world.seasons import build_season_order_of_battle, next_season, replace_published_units
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world_json import unit_to_json
from campaign.scenarios.armies import armies_digest, replace_armies, rows_to_json
from campaign.scenarios.forces import ScenarioLeader
from campaign.scenarios.making import scenario_later
from campaign.scenarios.reading import Scenario, read_scenario, scenario_digest, scenario_path
from campaign.scenarios.uploaded import scenario_hold, scenario_ready
from campaign.services.seats.assignment import SeatPlan, seats_create
from rosters.domain.dice import hash_secret
from rosters.importing import RosterRow
from rosters.models import Leader, OrderOfBattle, Side

__all__ = ["SeatPlan", "campaign_create", "slug_verify"]


def campaign_create(
    *,
    scenario: str,
    slug: str,
    title: str = "",
    seats: tuple[SeatPlan, ...] = (),
    secret: bytes | None = None,
    seed: int | None = None,
    battle_policy: str = "ask",
    table_units: int = 20,
    ruleset: str = "awi",
    ruleset_options: Kept | None = None,
    bare: bool = False,
    armies: tuple[RosterRow, ...] = (),
    settings: Mapping[str, Any] | None = None,
    demo: bool = False,
    actor: User | None = None,
    after: Campaign | None = None,
) -> Campaign:
    """Start a campaign on the morning of the scenario's first day.

    `secret` (32 bytes) fixes all dice; left out, it is drawn from the system. With a public `seed` instead
    the campaign is the same each time, and nobody can be given a seat (HR-SET-17). `settings` are laid
    over those of the scenario, or of the campaign `after` with whose end this one begins. `bare` leaves its
    troops and generals out: map, calendar, posts and goals alone (HR-SET-14). `armies` are the
    units of a table that take the place of the scenario's (HR-SET-18). Raises RuleViolation when the slug is
    taken, a choice is none or a person has two seats, ScenarioError when the scenario's files are not sound,
    RosterErrors when the armies do not fit it.
    """
    if secret is None:
        secret = new_secret() if seed is None else seed_secret(seed)
    _verify_setup(slug, battle_policy, ruleset, secret)
    chosen = merge_options({}, ruleset_options or {})
    if after is not None:
        scenario = _season_of(after, scenario)
    scenario_ready(scenario)
    path = scenario_path(scenario)
    loaded = read_scenario(path, settings)
    begun_with: dict[str, Any] = {"scenario": scenario, **({"bare": True} if bare else {})}
    if seed is not None:
        begun_with["seed"] = seed
    if after is not None:
        loaded = _build_next_season(after, loaded, settings)
        begun_with["after"] = {"campaign": after.slug, "record": after.head.record_hash if after.head else ""}
    if bare:
        loaded = _strip_troops(loaded)
    elif armies:
        loaded = replace_armies(loaded, armies)
        begun_with["armies"] = armies_digest(armies)
    with transaction.atomic():
        scenario_hold(scenario)
        campaign = Campaign.objects.create(
            slug=slug,
            title=title or loaded.theatre.title,
            scenario=scenario,
            scenario_digest=scenario_digest(path),
            order_of_battle=_create_order_of_battle(loaded, title or loaded.theatre.title),
            armies=rows_to_json(armies) if armies and not bare else [],
            published=_list_published_units(loaded) if bare or (after is not None and not armies) else None,
            ruleset=ruleset,
            ruleset_options=chosen,
            battle_policy=battle_policy,
            table_units=table_units,
            secret=secret,
            commitment=hash_secret(secret),
            demo=demo,
        )
        dice = dice_for(campaign, 0)
        settled = first_morning(loaded.world, loaded.alternatives, dice)
        world = first_look(settled.world, dice)
        world_save(campaign, None, world)
        record_append(
            campaign=campaign,
            kind=DayRecord.Kind.START,
            happened_on=0,
            inputs={**begun_with, "scenario_digest": campaign.scenario_digest},
            versions=versions_now(ruleset),
            events=[_build_opening_event(campaign, loaded), *settled.events],
            world=world,
            actor=actor,
        )
        campaign.save()
        seats_create(campaign, seats)
    return campaign


def slug_verify(slug: str) -> None:
    """Refuses an address that will not do, or is taken (HR-SET-02)."""
    try:
        validate_slug(slug)
    except ValidationError as error:
        raise RuleViolation(
            "HR-SET-02", f"“{slug}” is no address; use letters, figures and hyphens only.", "slug"
        ) from error
    if len(slug) > (most := Campaign._meta.get_field("slug").max_length or 0):
        raise RuleViolation("HR-SET-02", f"An address has at most {most} letters.", "slug")
    if slug in TAKEN:
        raise RuleViolation("HR-SET-02", f"{slug} is an address of the site's own; choose another.", "slug")
    if Campaign.objects.filter(slug=slug).exists():
        raise RuleViolation("HR-SET-02", f"There is a campaign {slug} already; choose another name.", "slug")


def _verify_setup(slug: str, battle_policy: str, ruleset: str, secret: bytes) -> None:
    slug_verify(slug)
    policies = Campaign._meta.get_field("battle_policy").choices or ()
    if battle_policy not in dict(policies):
        raise RuleViolation(
            "HR-SET-01",
            f"The battle policy is ask, automatic or table, not {battle_policy}.",
            "battle_policy",
        )
    if len(secret) != 32:
        raise RuleViolation("HR-SET-01", "The secret of the dice has 32 bytes.", "secret")
    try:
        get_ruleset(ruleset)
    except BattleFileError as error:
        raise RuleViolation("HR-SET-01", str(error), "ruleset") from error


def _strip_troops(loaded: Scenario) -> Scenario:
    """Remove a scenario's troops and generals; its map, calendar, posts and objectives stay (HR-SET-14)."""
    theatre = replace_published_units(loaded.theatre, {})
    world = replace(loaded.world, theatre=theatre, units={}, formations={}, generals={})
    return replace(loaded, theatre=theatre, world=world, leaders=(), alternatives=())


def _list_published_units(loaded: Scenario) -> list[dict[str, Any]]:
    """List the units of the order of battle that both sides have read, as it is stored."""
    units = loaded.theatre.order_of_battle.values()
    return list(orjson.loads(orjson.dumps([unit_to_json(unit) for unit in units])))


def _season_of(after: Campaign, scenario: str) -> str:
    """The scenario, or one like it of a later year when its first day is over already (HR-SET-06)."""
    old = world_load(after)
    return scenario_later(scenario, old.theatre.start + timedelta(days=old.day)) if old.ended else scenario


def _build_next_season(after: Campaign, loaded: Scenario, settings: Mapping[str, Any] | None) -> Scenario:
    """Build the scenario of a next season from another campaign's end and people (HR-SET-06)."""
    old = world_load(after)
    world = next_season(old, loaded.world)
    chosen = RuleSettings.from_json({**world.settings.to_json(), **(settings or {})})
    theatre = replace_published_units(loaded.theatre, build_season_order_of_battle(old, loaded.world))
    world = replace(world, theatre=theatre, settings=chosen)
    rows = Leader.objects.filter(order_of_battle=after.order_of_battle_id).select_related("side")
    known = {
        row.slug: ScenarioLeader(row.slug, row.name, row.side.slug, row.rank, "", row.command, "", row.rating)
        for row in rows.order_by("slug")
    }
    leaders = {leader.id: leader for leader in loaded.leaders} | known
    return replace(loaded, theatre=theatre, world=world, leaders=tuple(leaders.values()))


def _build_opening_event(campaign: Campaign, loaded: Scenario) -> Event:
    return Event(
        kind="campaign_begins",
        minute=0,
        rule="HR-CAL-01",
        sides=tuple(side.id for side in loaded.theatre.sides),
        data={"title": campaign.title, "commitment": campaign.commitment},
    )


def _create_order_of_battle(loaded: Scenario, title: str) -> OrderOfBattle:
    order_of_battle = OrderOfBattle.objects.create(title=title)
    sides = {
        side.id: Side.objects.create(
            order_of_battle=order_of_battle, slug=side.id, name=side.name, colour=side.colour
        )
        for side in loaded.theatre.sides
    }
    Leader.objects.bulk_create(
        [
            Leader(
                order_of_battle=order_of_battle,
                slug=leader.id,
                name=leader.name,
                side=sides[leader.side],
                rank=leader.rank,
                command=leader.command,
                rating=leader.rating,
            )
            for leader in loaded.leaders
        ]
    )
    return order_of_battle
