"""A result on a battle's page: who entered it, how it is taken back, how the umpire goes on (HR-CON-12)."""

import html
import re

from campaign.models import Battle, Seat
from campaign.services.battles.settlement import (
    battle_settle_by_engine,
    battle_settle_by_word,
)
from tests.factories.table_settling import battle_settle_by_table

PAGE = "/campaigns/saratoga/battles/"


def page(client, battle) -> str:
    return html.unescape(client.get(f"{PAGE}{battle.pk}/").content.decode())


def by_table(battle, actor) -> None:
    battle_settle_by_table(battle=battle, results={}, field_held_by="crown", actor=actor)


def test_all_read_who_entered_the_result_and_when(crown, rebel, desk, battle, burgoyne):
    by_table(battle, burgoyne)
    title = Seat.objects.get(user=burgoyne).title
    at = Battle.objects.get().settled_at
    for client in (crown, rebel, desk):
        text = page(client, battle)
        by = f"entered by {title} (Crown) on {at:%-d %B %Y}, "
        assert f"the tabletop result under AWI tactical rules, {by}" in text
        assert re.search(r"\d\d:\d\d \(\S+\)\. Crown holds the field", text)


def test_the_umpire_who_entered_it_is_called_so(crown, battle, carleton):
    by_table(battle, carleton)
    assert "confirmed by the umpire on" in page(crown, battle)


def test_the_engines_fight_was_entered_by_nobody(crown, battle, carleton):
    battle_settle_by_engine(battle=battle, actor=carleton)
    text = page(crown, battle)
    assert "entered by" not in text and "Settled by the engine under AWI tactical rules. " in text


def test_an_enemys_lesser_officer_is_not_named(crown, rebel, battle, burgoyne, carleton):
    seat = Seat.objects.get(user=burgoyne)
    Seat.objects.filter(pk=seat.pk).update(role=Seat.Role.COLUMN, title="Column of Fraser")
    by_table(battle, burgoyne)
    assert "entered by Column of Fraser (Crown)" in page(crown, battle)
    assert "entered by Crown on" in page(rebel, battle) and "Column of Fraser" not in page(rebel, battle)


def test_a_result_that_stands_is_not_mended_but_taken_back_hr_con_12(desk, crown, battle, burgoyne):
    by_table(battle, burgoyne)
    text = page(desk, battle)
    assert "A result that is wrong is taken back with" in text
    assert "result/" not in text and "settle/" not in text
    assert "taken back with" not in page(crown, battle)


def test_the_page_names_the_button_that_goes_on(desk, crown, battle, saratoga):
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    button = re.search(
        r'class="chief">([^<]+)</button>', desk.get("/campaigns/saratoga/?sheet=day").content.decode()
    )
    assert f"“{button[1]}” on" in page(desk, battle)
    assert "takes the campaign on" not in page(crown, battle)
