"""The week's bulletins: written, published once, frozen, overtaken, and sent to their readers alone."""

import json
from typing import Any

import pytest
from django.core import mail

from campaign.fog.visibility import viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Bulletin, Campaign, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.map.situations import build_map_situation
from campaign.selectors.press.bulletin_page import SheetError, sheet_of
from campaign.selectors.press.bulletins import find_bulletin_copy, week_rows
from campaign.services.notifications.delivery import notices_send
from campaign.services.press.bulletins import LENGTH, bulletins_publish, foreword_write, public_announce
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.text.place_names import names_of

pytestmark = pytest.mark.django_db


def play(campaign: Campaign, days: int) -> None:
    for _ in range(days):
        day_advance(campaign=campaign, actor=None)
        campaign.refresh_from_db()


@pytest.fixture
def week_over(saratoga, burgoyne, gates) -> Campaign:
    """The morning after the first week, with addresses to write to."""
    for user in (burgoyne, gates):
        user.email = f"{user.username}@example.org"
        user.save()
    play(saratoga, 7)
    return saratoga


def write(campaign: Campaign, actor: User, text: str, side: str = "crown", **more: Any) -> Bulletin:
    given = {"week": 1, "before": "", **more}
    return foreword_write(campaign=campaign, side=side, foreword=text, actor=actor, **given)


def shown(campaign: Campaign, user: User, side: str, **more: Any) -> Any:
    viewer = viewer_of(user, campaign, also=(Seat.Role.SPECTATOR,))
    return find_bulletin_copy(viewer, theatre_load(campaign), 1, side, **more)


def test_hr_rep_01_each_side_reads_its_own_copy_once_it_is_out(week_over, burgoyne, gates, carleton) -> None:
    assert shown(week_over, burgoyne, "crown") is None
    draft = shown(week_over, carleton, "crown")
    assert draft.body["title"] == "The Crown Gazette" and not draft.is_published
    assert not Bulletin.objects.exists(), "looking writes nothing"
    assert bulletins_publish(campaign=week_over, week=1, actor=carleton) == 3
    assert {row.side for row in Bulletin.objects.all()} == {"crown", "rebel", ""}
    assert shown(week_over, burgoyne, "crown").is_published
    assert shown(week_over, burgoyne, "rebel") is None and shown(week_over, burgoyne, "") is None
    assert shown(week_over, gates, "rebel").is_published and shown(week_over, gates, "crown") is None
    own = {side["id"] for side in shown(week_over, gates, "rebel").body["sides"]}
    assert own == {"rebel"}


def test_hr_rep_01_published_twice_is_once_and_what_is_out_stands(week_over, carleton) -> None:
    write(week_over, carleton, "Gentlemen, a hard week.")
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    before = list(Bulletin.objects.values("pk", "body", "foreword", "published_at"))
    assert bulletins_publish(campaign=week_over, week=1, actor=carleton) == 0
    with pytest.raises(RuleViolation, match="what was printed stands") as refused:
        write(week_over, carleton, "Otherwise.", before="Gentlemen, a hard week.")
    assert (refused.value.rule_id, refused.value.field) == ("HR-REP-01", "foreword")
    play(week_over, 1)
    assert list(Bulletin.objects.values("pk", "body", "foreword", "published_at")) == before


def test_a_week_that_runs_has_no_bulletin(saratoga, carleton) -> None:
    play(saratoga, 6)
    for week in (0, 1, 2, 99):
        with pytest.raises(RuleViolation, match=f"Week {week} is not over"):
            bulletins_publish(campaign=saratoga, week=week, actor=carleton)
        with pytest.raises(RuleViolation, match="is not over"):
            write(saratoga, carleton, "Early.", week=week)
    assert not Bulletin.objects.exists()


def test_only_the_umpire_writes_and_publishes(week_over, burgoyne) -> None:
    with pytest.raises(RuleViolation, match="Only the umpire"):
        bulletins_publish(campaign=week_over, week=1, actor=burgoyne)
    with pytest.raises(RuleViolation, match="Only the umpire"):
        write(week_over, burgoyne, "We have won.")
    stranger = User.objects.create_user("stranger")
    with pytest.raises(RuleViolation, match="Only the umpire"):
        bulletins_publish(campaign=week_over, week=1, actor=stranger)
    assert not Bulletin.objects.exists()


def test_a_foreword_that_is_too_long_or_overwrites_anothers_is_refused(week_over, carleton) -> None:
    with pytest.raises(RuleViolation, match="shorten it to 4,000"):
        write(week_over, carleton, "x" * (LENGTH + 1))
    write(week_over, carleton, "First.")
    assert write(week_over, carleton, "First.").foreword == "First.", "sent twice"
    with pytest.raises(RuleViolation, match="Somebody has changed this foreword"):
        write(week_over, carleton, "Second.", before="")
    assert write(week_over, carleton, "Second.", before="First.").foreword == "Second."
    with pytest.raises(RuleViolation, match="no copy of the bulletin for france"):
        write(week_over, carleton, "Mes amis", side="france")


def test_hr_rep_01_a_letter_has_the_readers_own_copy_as_text_and_html(week_over, carleton) -> None:
    write(week_over, carleton, "To the Crown alone.")
    write(week_over, carleton, "To the Congress alone.", side="rebel")
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    mail.outbox.clear()
    notices_send()
    notices_send()
    by_reader = {message.to[0]: message for message in mail.outbox}
    assert set(by_reader) == {"burgoyne@example.org", "gates@example.org"} and len(mail.outbox) == 2
    crown = by_reader["burgoyne@example.org"]
    ((html, kind),) = crown.alternatives
    assert kind == "text/html"
    for text in (crown.body, html):
        assert "To the Crown alone." in text and "Congress alone" not in text
        assert "The Crown Gazette" in text and "/bulletins/1/?copy=crown" in text
    assert "To the Congress alone." in by_reader["gates@example.org"].body


def test_a_reader_who_has_lost_his_seat_gets_no_copy(week_over, carleton, burgoyne) -> None:
    write(week_over, carleton, "To the Crown alone.")
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    Seat.objects.filter(user=burgoyne).update(user=None)
    mail.outbox.clear()
    notices_send()
    (message,) = [each for each in mail.outbox if each.to == ["burgoyne@example.org"]]
    assert "Crown alone" not in message.body and not message.alternatives


def test_hr_set_12_spectators_read_the_public_copy_when_its_week_is_shown_to_them(
    week_over, carleton
) -> None:
    press = User.objects.create_user("press", email="press@example.org")
    seat_open(campaign=week_over, role="spectator", user=press, actor=carleton)
    spectators_set(campaign=week_over, days=2, side="", reason="Late enough.", actor=carleton)
    week_over.refresh_from_db()
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    assert shown(week_over, press, "") is None and public_announce(week_over) == 0
    play(week_over, 2)
    assert shown(week_over, press, "").is_published and shown(week_over, press, "crown") is None
    assert public_announce(week_over) == 1 and public_announce(week_over) == 0
    assert Notice.objects.filter(user=press, kind="bulletin").count() == 1


def test_hr_rep_02_a_week_undone_leaves_its_bulletin_marked_and_its_readers_told(
    week_over, carleton, burgoyne
) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    first = Bulletin.objects.get(side="crown")
    start = week_over.records.get(kind="start")
    campaign_rewind(campaign=week_over, record=start, reason="A slip.", actor=carleton)
    week_over.refresh_from_db()
    old = shown(week_over, burgoyne, "crown")
    assert old.overtaken and old.body == first.body
    mail.outbox.clear()
    notices_send()
    told = [each.body for each in mail.outbox if "overtaken" in each.subject]
    assert len(told) == 2 and all("played anew" in body for body in told)
    play(week_over, 7)
    assert shown(week_over, carleton, "crown").is_published is False
    assert bulletins_publish(campaign=week_over, week=1, actor=carleton) == 3
    new = shown(week_over, burgoyne, "crown")
    assert not new.overtaken and new.bulletin.revision > first.revision
    assert shown(week_over, burgoyne, "crown", revision=first.revision).overtaken
    (row,) = week_rows(viewer_of(burgoyne, week_over), theatre_load(week_over))
    assert row.published and [each.pk for each in row.overtaken] == [first.pk]


def test_a_body_is_plain_and_one_that_is_damaged_is_refused_whole(week_over, carleton) -> None:
    body = shown(week_over, carleton, "").body
    assert json.loads(json.dumps(body)) == body
    theatre = theatre_load(week_over)
    sheet = sheet_of(body, theatre)
    assert sheet.drawing.startswith("<svg") and len(sheet.charts) == 2
    assert {side.name for side in sheet.strength} == {"Crown", "United States"}
    for damaged in ({}, *({**body, key: 7.5} for key in ("edition", "map", "sides", "first", "battles"))):
        with pytest.raises(SheetError):
            sheet_of(damaged, theatre)
    nasty = {**body, "map": {**body["map"], "base_map": "../../etc/passwd"}}
    nasty["map"]["bodies"] = [{**nasty["map"]["bodies"][0], "name": "<script>alert(1)</script>"}]
    assert "<script>" not in sheet_of(nasty, theatre).drawing


@pytest.mark.parametrize("place", ["bouquet_river", "ticonderoga"])
def test_the_larger_map_shows_what_the_head_tells(saratoga, carleton, place) -> None:
    world = world_load(saratoga)
    told = Event("place_taken", 0, "HR-MAR-09", place=place)
    shown_there = build_map_situation(viewer_of(carleton, saratoga), world, names_of(world), (), told)
    at = world.theatre.atlas.places[place]
    west, south, east, north = shown_there.near or ()
    assert west <= at.lon <= east and south <= at.lat <= north
