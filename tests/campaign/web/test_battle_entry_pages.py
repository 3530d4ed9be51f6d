"""The page on which a result is entered: who, what, kept half-way, entered, amended (HR-TAB-01 to 04)."""

import html
import re

import pytest

from campaign.models import Battle, BattleEntry, Seat, User
from campaign.rules.battles import battle_inputs
from campaign.services.battles.settlement import battle_settle_by_word
from tests.factories.people import signed_in

State = BattleEntry.State
SCRIPT = {"HTTP_HX_REQUEST": "true"}


def address(battle) -> str:
    return f"/campaigns/saratoga/battles/{battle.pk}/result/"


def units(battle, side) -> list[dict[str, str]]:
    return [unit for unit in battle.inputs["file"]["units"] if unit["side"] == side]


@pytest.fixture
def hit(battle) -> str:
    return units(battle, "crown")[0]["id"]


def text(answer) -> str:
    return html.unescape(answer.content.decode())


def test_the_form_has_both_sides_the_writers_own_first_and_open(crown, rebel, desk, battle):
    for client, own in ((crown, "crown"), (rebel, "rebel"), (desk, "crown")):
        answer = client.get(address(battle))
        assert answer.status_code == 200
        shown = re.findall(r'data-side="(\w+)"( open)?', text(answer))
        assert next(side for side, _ in shown) == own and len(shown) == 2
        assert [bool(opened) for _, opened in shown] == [True, False]
        assert text(answer).count('class="tally"') == 5


@pytest.mark.parametrize(("ruleset", "parsed"), [("awi", 0), ("vb_wing", 1)])
def test_the_battle_file_is_parsed_once_for_a_page_hr_bat_13(crown, battle, ruleset, parsed, monkeypatch):
    Battle.objects.filter(pk=battle.pk).update(way="table", ruleset="" if ruleset == "awi" else ruleset)
    read = []
    for kept in (battle_inputs.battle_of, battle_inputs._muster_battle, battle_inputs._build_pieces):
        kept.cache_clear()
    thaw = battle_inputs.decode_battle
    monkeypatch.setattr(battle_inputs, "decode_battle", lambda file: read.append(file) or thaw(file))
    assert crown.get(address(battle)).status_code == 200
    assert len(read) == parsed


def test_the_boxes_of_a_unit_are_grouped_by_its_stands_hr_bat_13(crown, battle):
    assert "stands of" not in text(crown.get(address(battle)))
    assert "Where a unit has several stands" not in text(crown.get(address(battle)))
    Battle.objects.filter(pk=battle.pk).update(way="table", ruleset="vb_wing")
    battle.refresh_from_db()
    shown = text(crown.get(address(battle)))
    mustered = battle_inputs.muster_units(battle_inputs.file_now(battle))
    several = [one.stands for one in mustered.values() if len(one.stands) > 1]
    assert several
    assert sorted(re.findall(r'data-stands="([\d ]+)"', shown)) == sorted(
        " ".join(map(str, stands)) for stands in several
    )
    assert f"stands of {' + '.join(map(str, several[0]))}<" in shown
    assert "Where a unit has several stands, tap in each the last SP that stand lost" in shown


def test_who_commands_nothing_there_has_no_such_page(battle, saratoga, stranger):
    assert stranger.get(address(battle)).status_code == 404
    for role, more in (
        (Seat.Role.COLUMN, {"formations": ["british_2nd_brigade"]}),
        (Seat.Role.SPECTATOR, {}),
        (Seat.Role.RESERVE, {}),
    ):
        person = User.objects.create_user(f"one-{role}")
        side = "crown" if role == Seat.Role.COLUMN else ""
        Seat.objects.create(campaign=saratoga, role=role, side=side, user=person, **more)
        client = signed_in(person)
        assert client.get(address(battle)).status_code == 404
        assert client.post(address(battle), {"held_by": "crown", "enter": ""}).status_code == 404
    assert not BattleEntry.objects.exists()


def test_a_side_is_told_of_its_own_generals_only(crown, rebel, desk, battle):
    battle.inputs["file"]["leaders"] = [
        {"id": "fraser", "name": "Simon Fraser", "side": "crown", "with_unit": ""},
        {"id": "poor", "name": "Enoch Poor", "side": "rebel", "with_unit": ""},
    ]
    battle.save()
    for client, known in (
        (crown, {"Simon Fraser"}),
        (rebel, {"Enoch Poor"}),
        (desk, {"Simon Fraser", "Enoch Poor"}),
    ):
        page = text(client.get(address(battle)))
        assert {name for name in ("Simon Fraser", "Enoch Poor") if name in page} == known
    answer = crown.post(address(battle), {"held_by": "crown", "general-poor": "killed", "enter": ""})
    assert answer.status_code == 422 and "poor was not in this battle" in text(answer)
    crown.post(address(battle), {"held_by": "crown", "general-fraser": "wounded", "enter": ""})
    assert BattleEntry.objects.get().body["generals"] == {"fraser": "wounded"}


def test_entered_it_waits_for_the_umpire_and_can_be_amended(crown, rebel, battle, hit):
    data = {f"lost-{hit}": "2", "held_by": "crown", "notes": "Hot.", "enter": "", "version": "0"}
    answer = crown.post(address(battle), data, follow=True)
    assert "The result is entered. The umpire confirms it." in text(answer)
    assert "result is in, entered by Lieutenant General Burgoyne" in text(answer)
    row = BattleEntry.objects.get()
    assert (row.side, row.state, row.body["units"]) == ("crown", State.ENTERED, {hit: {"lost": 2}})
    page = text(crown.get(address(battle)))
    assert "you can amend it here" in page
    assert re.search(rf'name="lost-{hit}"[^>]*value="2"|value="2"[^>]*name="lost-{hit}"', page)
    crown.post(address(battle), data | {f"lost-{hit}": "3", "version": "1"})
    row.refresh_from_db()
    assert (row.state, row.version, row.body["units"]) == (State.ENTERED, 2, {hit: {"lost": 3}})
    for place in (address(battle), f"/campaigns/saratoga/battles/{battle.pk}/"):
        seen = text(rebel.get(place))
        assert "Hot." not in seen and "Burgoyne" not in seen and "entered by" not in seen
    assert Battle.objects.get().state == Battle.State.WAITING


def test_an_entered_result_is_taken_back(crown, battle, hit):
    crown.post(address(battle), {"held_by": "crown", "enter": ""})
    crown.post(address(battle), {"held_by": "crown", "draft": "back", "version": "1"})
    assert BattleEntry.objects.get().state == State.DRAFT


@pytest.mark.parametrize(
    ("wrong", "anchor", "sentence"),
    [
        ({"lost-{hit}": "5"}, "id_lost-{hit}", "whole number of SP from 0 to 4"),
        ({"lost-{hit}": "3", "captured-{hit}": "3"}, "id_lost-{hit}", "came with 4 SP and cannot lose 6"),
        ({"lost-{hit}": "some"}, "id_lost-{hit}", "whole number"),
        ({"lost-morgan": "2"}, "main", "morgan was not in this battle"),
        ({"held_by": ""}, "id_held_by_0", "Say who holds the field"),
        ({"held_by": ["crown", "rebel"]}, "id_held_by_0", "Both sides cannot hold the field"),
        ({"held_by": "neither", "pursuit": "pressed"}, "id_pursuit_0", "nobody pursues"),
        ({"notes": "x" * 2001}, "id_notes", "Shorten the notes"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_kept(crown, battle, hit, wrong, anchor, sentence):
    data = {"held_by": "crown", "enter": ""} | {key.format(hit=hit): value for key, value in wrong.items()}
    answer = crown.post(address(battle), data)
    page = text(answer)
    assert answer.status_code == 422
    place = anchor.format(hit=hit)
    assert f'href="#{place}"' in page and f'id="{place}"' in page and sentence in page
    assert not BattleEntry.objects.exists()


def test_a_script_keeps_a_draft_and_is_told_its_version(crown, battle, hit):
    answer = crown.post(address(battle), {f"lost-{hit}": "1", "version": "0", "draft": ""}, **SCRIPT)
    assert answer.json() == {"version": 1}
    again = crown.post(address(battle), {f"lost-{hit}": "2", "version": "1", "draft": ""}, **SCRIPT)
    assert again.json() == {"version": 2}
    wrong = crown.post(address(battle), {f"lost-{hit}": "9", "version": "2", "draft": ""}, **SCRIPT)
    assert wrong.status_code == 422 and "0 to 4" in wrong.content.decode()
    assert 'value="2"' in text(crown.get(address(battle)))


def test_two_phones_look_at_both_hr_tab_04(crown, battle, hit):
    crown.post(address(battle), {f"lost-{hit}": "1", "version": "0", "draft": ""})
    told = crown.post(address(battle), {f"lost-{hit}": "3", "version": "0", "draft": ""}, **SCRIPT)
    assert (
        told.status_code == 409 and "was changed by Lieutenant General Burgoyne at" in told.content.decode()
    )
    both = crown.post(address(battle), {f"lost-{hit}": "3", "version": "0", "draft": ""})
    page = text(both)
    assert both.status_code == 409
    assert re.search(r"<td>1 lost</td><td>3 lost</td>", page) and 'name="version" value="1"' in page
    assert BattleEntry.objects.get().body["units"][hit] == {"lost": 1}
    crown.post(address(battle), {f"lost-{hit}": "3", "version": "1", "draft": ""})
    assert BattleEntry.objects.get().body["units"][hit] == {"lost": 3}


def test_a_battle_settled_meanwhile_is_told_hr_con_12(crown, battle, hit):
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    data = {f"lost-{hit}": "1", "held_by": "crown", "enter": ""}
    assert "its result is confirmed" in text(crown.post(address(battle), data, follow=True))
    told = crown.post(address(battle), data | {"draft": ""}, **SCRIPT)
    assert told.status_code == 409 and "settled meanwhile" in told.content.decode()
    assert not BattleEntry.objects.exists()


def test_a_guest_enters_for_his_side_hr_tab_01(battle, saratoga, hit):
    guest = User.objects.create_user("guest")
    Seat.objects.create(campaign=saratoga, role=Seat.Role.GUEST, side="rebel", user=guest, battle=battle)
    client = signed_in(guest)
    page = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert "s result</a>" in text(client.get(page))
    client.post(address(battle), {f"lost-{hit}": "1", "held_by": "rebel", "enter": ""})
    assert BattleEntry.objects.get().side == "rebel"
    assert "result is in, entered by" in text(client.get(page))


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ("engine", "The umpire lets the engine fight this battle"),
        ("word", "The umpire decides this battle"),
    ],
)
def test_a_battle_that_is_not_for_the_table_says_so_and_links_to_it_hr_tab_11(crown, battle, way, sentence):
    """A result can still be entered: the umpire may yet choose otherwise."""
    assert "need not be" not in text(crown.get(address(battle)))
    Battle.objects.filter(pk=battle.pk).update(way=way)
    page = text(crown.get(address(battle)))
    assert sentence in page and "need not be entered" in page
    assert f'<a href="/campaigns/saratoga/battles/{battle.pk}/">the battle</a>' in page
    before = text(crown.get(f"/campaigns/saratoga/battles/{battle.pk}/"))
    assert sentence in before and "Fight it on your table" not in before
