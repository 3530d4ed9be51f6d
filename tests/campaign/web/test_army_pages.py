"""The army's page, a unit's page and the file: changes add up, nothing is shown that is not the viewer's."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from campaign.ledger.journal import record_append
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Campaign, DayRecord, JournalEntry, Seat, User
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General
from campaign.rules.world.world import UnitStatus, World, present_units
from campaign.selectors.army.order_of_battle import ArmyUnitRow, FormationRow
from campaign.services.turns.rewind import campaign_rewind
from rosters.domain.dice import Roll
from tests.campaign.web.posed import words
from tests.factories.people import signed_in
from tests.factories.records import head_renew

PAGE = "/campaigns/saratoga/"
CORPS = "advanced_corps"
MINUS = "\N{MINUS SIGN}"


def loss(unit: str, before: int, after: int, **more: Any) -> Event:
    facts = {"kind": "battle_loss", "minute": 600, "rule": "AWI-C-BAT-01", "sides": ("crown",)}
    return Event(**{**facts, "unit": unit, "formation": CORPS, "before": before, "after": after, **more})


def close_week(campaign: Campaign, world: World, events: list[Event]) -> World:
    """The week's end with these events: the world as given is the next morning's."""
    before = world_load(campaign)
    record_append(
        campaign=campaign, kind="week", happened_on=world.day - 1, inputs={}, versions={}, events=events,
        world=world, actor=None,
    )  # fmt: skip
    world_save(campaign, before, world)
    campaign.save()
    return world


@pytest.fixture
def week(saratoga: Campaign, world: World) -> tuple[str, str, str]:
    """A week gone by: one unit lost in battle, militia went home, a reinforcement came."""
    cache.clear()
    hurt, *_ = present_units(world)[CORPS]
    home = next(u for u in world.units.values() if u.is_militia and u.side == "crown" and u.points)
    home = replace(home, status=UnitStatus.PRESENT)
    due = next(
        u
        for u in world.units.values()
        if u.status is UnitStatus.EXPECTED and u.side == "crown" and u.points and not u.is_train
    )
    units = {
        **world.units,
        hurt.id: replace(hurt, points=hurt.points - 20),
        due.id: replace(due, status=UnitStatus.PRESENT, arrives=3),
    }
    die = Roll("saratoga/1/6/AWI-C-MIL-02", 1)
    events = [
        loss(
            hurt.id, hurt.points, hurt.points - 20, modifiers=(("AWI-C-BAT-01", -10), ("AWI-C-BAT-02", -10))
        ),
        Event("arrived", 0, "HR-ARR-01", ("crown",), unit=due.id),
        Event("forced_march", 700, "AWI-C-MAR-01", ("crown",), unit=hurt.id, before=9, after=9, rolls=(die,)),
    ]
    close_week(saratoga, replace(world, day=7, units=units), events)
    return hurt.id, home.id, due.id


def rows(bodies: tuple[FormationRow, ...]) -> dict[str, ArmyUnitRow]:
    return {unit.id: unit for body in bodies for unit in body.units}


def sheet(client: Client, page: str = "army/") -> Any:
    answer = client.get(PAGE + page)
    assert answer.status_code == 200
    return answer.context


def test_a_change_stands_with_its_rule_and_every_line_adds_up(crown, week):
    hurt, _, due = week
    (side,) = sheet(crown, "army/?week=1")["sides"]
    units = rows(side.formations)
    assert [(each.rule, each.points) for each in units[hurt].changes] == [("AWI-C-BAT-01", -20)]
    assert units[due].start == 0
    assert [each.rule for each in units[due].changes] == ["HR-ARR-01"]
    for unit in units.values():
        assert unit.start + sum(change.points for change in unit.changes) == unit.now
    assert side.points == sum(unit.points for unit in units.values() if unit.counts)
    assert side.change.points == units[due].points - 20


def test_a_change_opens_its_entries_with_rules_and_dice(crown, week):
    hurt, _, _ = week
    told = words(crown.get(f"{PAGE}army/{hurt}/?week=1"))
    assert "2 lost" in told or "came into battle" in told
    assert "AWI-C-BAT-01" in told and "AWI-C-MAR-01" in told and "Dice: 1 (d6)" in told
    fragment = crown.get(f"{PAGE}army/{hurt}/?week=1", headers={"HX-Request": "true"})
    assert b"<html" not in fragment.content and b"AWI-C-MAR-01" in fragment.content
    nothing = words(crown.get(f"{PAGE}army/{hurt}/?week=2"))
    assert "Nothing of it stands in your journal" in nothing
    page = crown.get(f"{PAGE}army/?week=1").content.decode()
    assert re.search(r'<a class="rule" href="/rulebook/AWI-C-BAT-01/.*<summary>Why', page)
    assert f'hx-get="{PAGE}army/{hurt}/?week=1"' in page and f'href="{PAGE}army/{hurt}/?week=1"' in page


def test_militia_that_goes_home_and_captives_say_under_which_rule(crown, saratoga, week):
    world = world_load(saratoga)
    militia, captive = [
        unit
        for unit in world.units.values()
        if unit.side == "crown" and unit.status is UnitStatus.PRESENT and unit.points
    ][:2]
    units = {
        **world.units,
        militia.id: replace(militia, status=UnitStatus.ABSENT, since=14),
        captive.id: replace(captive, status=UnitStatus.SURRENDERED, points=0, since=12),
    }
    taken = loss(captive.id, captive.points, 0, kind="unit_surrendered", rule="HR-SUR-01")
    close_week(saratoga, replace(world, day=14, units=units), [taken])
    (side,) = sheet(crown, "army/?week=2")["sides"]
    found = rows(side.formations)
    assert [(c.rule, c.points) for c in found[militia.id].changes] == [("AWI-C-MIL-02", -militia.points)]
    assert [(c.rule, c.points) for c in found[captive.id].changes] == [("HR-SUR-01", -captive.points)]
    assert found[militia.id].state == "gone home since 29 June"
    assert not found[captive.id].counts


def test_the_course_of_the_campaign_adds_up_week_by_week(crown, saratoga, week):
    _, _, due = week
    (figures,) = sheet(crown)["figures"]
    first, second = figures.weeks[:2]
    assert second.causes["battle"].losses == -20
    assert second.causes["came"].gains == world_load(saratoga).units[due].points
    for before, after in zip(figures.weeks, figures.weeks[1:], strict=False):
        change = sum(tally.gains + tally.losses for tally in after.causes.values())
        assert after.points == before.points + change
    assert (first.week, second.week) == (0, 1)
    page = words(crown.get(f"{PAGE}army/"))
    assert f"{MINUS}20" in page and "Arrived and left" in page


def test_a_past_week_is_as_it_was(crown, saratoga, week):
    hurt, _, _ = week
    world = world_load(saratoga)
    worse = replace(world.units[hurt], points=5)
    close_week(
        saratoga,
        replace(world, day=14, units={**world.units, hurt: worse}),
        [loss(hurt, world.units[hurt].points, 5)],
    )
    (side,) = sheet(crown, "army/?week=1")["sides"]
    assert rows(side.formations)[hurt].points == world.units[hurt].points
    (side,) = sheet(crown, "army/?week=2")["sides"]
    assert rows(side.formations)[hurt].points == 5
    assert sheet(crown, "army/?week=999")["week"] == 3


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "x", "0"])
def test_a_wild_number_in_the_address_is_no_crash(crown, number):
    assert crown.get(f"{PAGE}army/?week={number}").status_code == 200
    assert crown.get(f"{PAGE}army.csv?week={number}").status_code == 200


def test_hr_fog_01_a_side_reads_of_its_own_army_alone(crown, rebel, desk, world, week):
    enemy = next(unit for unit in world.units.values() if unit.side == "rebel" and unit.points)
    assert crown.get(f"{PAGE}army/{enemy.id}/").status_code == 404
    assert rebel.get(f"{PAGE}army/{enemy.id}/").status_code == 200
    assert crown.get(f"{PAGE}army/nobody/").status_code == 404
    for page in ("army/", "army.csv"):
        told = crown.get(PAGE + page).content.decode()
        assert enemy.name not in told and enemy.id not in told
        assert enemy.name in desk.get(PAGE + page).content.decode().replace("&#x27;", "'")
    assert [side.id for side in sheet(desk)["sides"]] == ["crown", "rebel"]
    assert [side.id for side in sheet(rebel)["figures"]] == ["rebel"]


def test_generals_say_what_they_command_and_how_they_are(crown, saratoga, world, week):
    before = world_load(saratoga)
    taken = next(key for key, one in before.generals.items() if one.side == "crown" and one.state == "well")
    held = General("Captain Nobody", "rebel", "brigade", state="captured", held_by="crown")
    generals = {
        **before.generals,
        taken: replace(before.generals[taken], state="wounded", until=21, formation=""),
        "nobody": held,
        "elsewhere": replace(held, name="Free Man", state="well", held_by=""),
    }
    world_save(saratoga, before, replace(before, generals=generals))
    saratoga.save()
    head_renew(saratoga)
    found = {row.name: row for row in sheet(crown)["prospects"].leaders}
    assert found[before.generals[taken].name].state == "wounded, back on 6 July"
    assert found["Captain Nobody"].state == "a prisoner of Crown"
    assert "Free Man" not in found
    fraser = next(row for row in found.values() if row.command == world.formations[CORPS].name)
    assert fraser.where.startswith("at ") and fraser.span > 0


def test_pools_say_what_they_will_raise_and_who_waits(crown, saratoga, week):
    before = world_load(saratoga)
    lost = next(unit for unit in present_units(before)["german_1st_brigade"] if unit.pool == "german/line")
    gone = replace(lost, points=0, status=UnitStatus.ELIMINATED, since=5)
    after = replace(before, units={**before.units, lost.id: gone}, pools={**before.pools, "german/line": 230})
    world_save(saratoga, before, after)
    saratoga.save()
    head_renew(saratoga)
    prospects = sheet(crown)["prospects"]
    row = next(row for row in prospects.pools if row.name == "German line pool")
    assert (row.points, row.raises, row.missing) == (230, 2, 70)
    assert row.waiting == (lost.name,)
    assert row.becomes == f"{lost.name} again and 1 new unit"
    assert prospects.days_left == 7
    assert not any("american" in row.name.lower() for row in prospects.pools)


def test_no_cell_of_the_file_is_a_formula(crown, saratoga, week):
    hurt, _, _ = week
    before = world_load(saratoga)
    named = replace(before.units[hurt], name='=HYPERLINK("http://elsewhere")')
    world_save(saratoga, before, replace(before, units={**before.units, hurt: named}))
    saratoga.save()
    head_renew(saratoga)
    answer = crown.get(f"{PAGE}army.csv?week=2")
    assert "saratoga-army-week-2.csv" in answer.headers["Content-Disposition"]
    head, *lines = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert head[0] == "side" and all(len(line) == len(head) for line in lines)
    assert any(line[6] == '\'=HYPERLINK("http://elsewhere")' for line in lines)
    numbers = {"points", "SP", "points at the week's start", "change"}
    for line in lines:
        for name, cell in zip(head, line, strict=True):
            assert name in numbers or not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert sum(int(line[head.index("points")]) for line in lines if line[head.index("points")]) > 0


def test_who_looks_on_is_not_shown_it(saratoga, week):
    watcher = User.objects.create_user("press")
    Seat.objects.create(campaign=saratoga, role=Seat.Role.SPECTATOR, title="The press", user=watcher)
    Campaign.objects.filter(pk=saratoga.pk).update(spectator_days=0)
    assert signed_in(watcher).get(f"{PAGE}army/").status_code == 404


def test_the_page_takes_a_fixed_number_of_queries(crown, saratoga, week, django_assert_max_num_queries):
    """With 5,000 entries of many units, weeks and kinds; the first time and again."""
    record = DayRecord.objects.filter(campaign=saratoga).latest("pk")
    keys = [key for key, unit in world_load(saratoga).units.items() if unit.side == "crown"]
    JournalEntry.objects.bulk_create(
        JournalEntry(
            campaign=saratoga, record=record, day=number % 7, ordinal=100 + number, minute=0,
            kind=("enlistments", "forced_march", "militia")[number % 3], rule="AWI-C-ATT-01",
            sides="|crown|", unit=keys[number % len(keys)], before=50, after=50 + number % 3 - 1,
        )
        for number in range(5000)
    )  # fmt: skip
    cache.clear()
    crown.get("/account/")  # the session is in the cache again
    for page in ("army/", "army/?week=1", "army.csv", f"army/{keys[0]}/"):
        with django_assert_max_num_queries(15):
            assert crown.get(PAGE + page).status_code == 200


def test_after_a_rewind_the_course_given_up_is_not_counted(
    crown, saratoga, carleton, week, django_assert_max_num_queries
):
    hurt, _, _ = week
    assert len(sheet(crown)["figures"][0].weeks) == 2
    start = DayRecord.objects.get(campaign=saratoga, kind="start")
    saratoga = Campaign.objects.get(pk=saratoga.pk)
    campaign_rewind(campaign=saratoga, record=start, reason="An order was misread.", actor=carleton)
    with django_assert_max_num_queries(15):
        context = sheet(crown)
    (figures,), (side,) = context["figures"], context["sides"]
    assert [row.week for row in figures.weeks] == [0]
    assert rows(side.formations)[hurt].changes == ()
    assert "Nothing of it stands" in words(crown.get(f"{PAGE}army/{hurt}/?week=1"))
