"""The umpire compares what was entered, sees what it costs, and confirms (HR-TAB-05)."""

import html
import re

import pytest

from campaign.models import Battle, BattleEntry
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.battles.table_results import battle_entry_save

PAGE = "/campaigns/saratoga/battles/"


def address(battle) -> str:
    return f"{PAGE}{battle.pk}/result/compare/"


def text(answer) -> str:
    return html.unescape(answer.content.decode())


@pytest.fixture
def hit(battle) -> str:
    """A unit of the Crown; its points are known, as of a battle the day has opened."""
    units = battle.inputs["file"]["units"]
    battle.inputs["contact"]["units"] = [
        {"unit": unit["id"], "side": unit["side"], "points": 80, "sp": 4, "arrives": 0} for unit in units
    ]
    battle.save()
    return next(unit["id"] for unit in units if unit["side"] == "crown")


@pytest.fixture
def both(battle, hit, burgoyne, gates) -> Battle:
    """They differ in one unit."""
    for side, lost, actor in (("crown", 1, burgoyne), ("rebel", 2, gates)):
        said = Entry({hit: UnitResult(lost)}, held_by="crown", notes=f"By {side}.")
        battle_entry_save(entered=True, battle=battle, side=side, entry=said, version=0, actor=actor)
    return battle


def looked(page: str) -> str:
    found = re.search(r'name="looked" value="(\w+)"', page)
    assert found, page
    return found[1]


def lost(battle) -> dict[str, int]:
    battle.refresh_from_db()
    return {one.unit: one.sp_lost for one in settlement_from_json(battle.settlement).losses}


def test_the_umpire_alone_compares(crown, stranger, desk, both):
    assert crown.get(address(both)).status_code == stranger.get(address(both)).status_code == 404
    assert crown.post(address(both), {"held_by": "crown"}).status_code == 404
    page = text(desk.get(address(both)))
    assert "Two entries; they differ in 1 unit." in page and "“By crown.”" in page
    assert "Crown: 1 lost" in page and "United States: 2 lost" in page and 'name="looked"' not in page
    assert "Decide between the entries" in page


def test_he_is_told_on_the_battles_page_the_days_and_his_own(desk, crown, both):
    for place in (f"{PAGE}{both.pk}/", "/campaigns/saratoga/?sheet=day", "/"):
        page = text(desk.get(place))
        assert "Two entries; they differ in 1 unit" in page and address(both) in page, place
        assert "differ in 1 unit" not in text(crown.get(place))


def test_the_engine_is_not_pressed_by_mistake_over_what_was_entered(desk, both):
    page = text(desk.get(f"{PAGE}{both.pk}/"))
    folded = page.index("Let the engine fight it all the same")
    assert folded < page.index("from the table counts for nothing") < page.index("Fight it here")
    BattleEntry.objects.all().delete()
    assert "all the same" not in text(desk.get(f"{PAGE}{both.pk}/"))


def test_what_is_to_be_decided_stands_before_what_all_say(desk, battle, hit, burgoyne, gates):
    leads = {"id": "burgoyne", "name": "John Burgoyne", "side": "crown", "commands": [hit]}
    battle.inputs["file"]["leaders"] = [leads]
    battle.save()
    for side, holder, actor in (("crown", "crown", burgoyne), ("rebel", "rebel", gates)):
        said = Entry({hit: UnitResult(1)}, held_by=holder)
        battle_entry_save(entered=True, battle=battle, side=side, entry=said, version=0, actor=actor)
    page = text(desk.get(address(battle)))
    folded = page.index("Generals of whom nobody reports harm: 1</summary>")
    assert page.index('name="held_by"') < folded < page.index('name="general-')


def test_a_figure_beside_what_was_not_chosen_counts_for_nothing(desk, both, hit):
    decided = {f"pick-{hit}": "rebel", f"lost-{hit}": "99", "held_by": "crown", "pursuit": "rules"}
    piece = text(desk.post(address(both), decided, HTTP_HX_REQUEST="true"))
    assert "Enter a whole number" not in piece and 'name="looked"' in piece
    wrong = text(desk.post(address(both), decided | {f"pick-{hit}": "own"}, HTTP_HX_REQUEST="true"))
    assert 'name="looked"' not in wrong


def test_a_general_whom_one_entry_alone_reports_killed_is_not_folded_away(desk, battle, hit, burgoyne):
    leads = {"id": "burgoyne", "name": "John Burgoyne", "side": "crown", "commands": [hit]}
    battle.inputs["file"]["leaders"] = [leads]
    battle.save()
    said = Entry({hit: UnitResult(1)}, generals={"burgoyne": "killed"}, held_by="crown")
    battle_entry_save(entered=True, battle=battle, side="crown", entry=said, version=0, actor=burgoyne)
    page = text(desk.get(address(battle)))
    assert "Generals of whom nobody reports harm" not in page and 'name="general-burgoyne"' in page


def test_casualties_are_seen_before_they_are_confirmed_awi_c_bat_01_to_04(desk, both, hit):
    decided = {f"pick-{hit}": "rebel", "held_by": "crown", "pursuit": "rules"}
    piece = text(desk.post(address(both), decided, HTTP_HX_REQUEST="true"))
    assert "80 → 70" in piece and "<html" not in piece
    assert re.search(r"80 → 70</td><td class=\"figure wide-only\">3 SP", piece), (
        "60 points for another battle of the day"
    )
    unseen = desk.post(address(both), decided)
    assert unseen.status_code == 200 and "confirm once more" in text(unseen)
    both.refresh_from_db()
    assert both.state == Battle.State.WAITING
    other = desk.post(address(both), decided | {f"pick-{hit}": "crown", "looked": looked(piece)})
    assert "confirm once more" in text(other)
    done = desk.post(address(both), decided | {"looked": looked(text(unseen))}, follow=True)
    assert "The result is confirmed" in text(done) and "The umpire put down 2 SP lost." in text(done)
    assert lost(both)[hit] == 2 and both.source == "table"


def test_he_decides_every_difference_or_nothing_is_confirmed(desk, both, hit):
    answer = desk.post(address(both), {"held_by": "crown", "pursuit": "rules"})
    assert answer.status_code == 422 and "1 thing to mend" in text(answer)
    assert f'href="#id_pick-{hit}_0"' in text(answer)
    wrong = {f"pick-{hit}": "own", f"lost-{hit}": "9", "held_by": "crown", "pursuit": "rules"}
    assert "0 to 4" in text(desk.post(address(both), wrong))
    both.refresh_from_db()
    assert both.state == Battle.State.WAITING


def test_his_own_figure_and_one_both_agreed_on(desk, both, hit):
    other = next(unit["id"] for unit in both.inputs["file"]["units"] if unit["side"] == "rebel")
    decided = {
        f"pick-{hit}": "own", f"lost-{hit}": "1", f"captured-{hit}": "3", f"lost-{other}": "4",
        "held_by": "neither", "pursuit": "rules",
    }  # fmt: skip
    seen = looked(text(desk.post(address(both), decided)))
    desk.post(address(both), decided | {"looked": seen})
    assert (lost(both)[hit], lost(both)[other]) == (1, 4)
    assert both.settlement["field_held_by"] == ""


def test_an_entry_amended_while_he_looked_is_looked_at_again(desk, both, hit, gates):
    decided = {f"pick-{hit}": "rebel", "held_by": "crown", "pursuit": "rules"}
    seen = looked(text(desk.post(address(both), decided)))
    said = Entry({hit: UnitResult(3)}, held_by="crown")
    battle_entry_save(entered=True, battle=both, side="rebel", entry=said, version=1, actor=gates)
    again = desk.post(address(both), decided | {"looked": seen})
    assert "confirm once more" in text(again) and "United States: 3 lost" in text(again)
    both.refresh_from_db()
    assert both.state == Battle.State.WAITING


def test_a_page_opened_before_other_rules_were_chosen_says_so_hr_bat_13(desk, both, hit):
    both.inputs["contact"]["weather"] = "fair"
    both.save()
    page = text(desk.get(address(both)))
    assert 'name="rules" value="awi"' in page
    decided = {f"pick-{hit}": "crown", "held_by": "crown", "pursuit": "rules", "rules": "awi"}
    decided["looked"] = looked(text(desk.post(address(both), decided)))
    battle_way_choose(battle=both, way="table", ruleset="vb_wing", reason="With stands.", actor=None)
    entry = Entry(held_by="crown")
    for again in (False, True):
        if again:  # entered anew in the points of the other rules: the old page is behind all the same
            battle_entry_save(
                entered=True, battle=both, side="", entry=entry, version=0, actor=None, ruleset="vb_wing"
            )
        piece = text(desk.post(address(both), decided, HTTP_HX_REQUEST="true"))
        assert "Other rules were chosen for this battle" in piece and 'name="looked"' not in piece
        answer = desk.post(address(both), decided, follow=True)
        assert "Nothing was confirmed. Other rules were chosen" in text(answer)
        both.refresh_from_db()
        assert both.state == Battle.State.WAITING


def test_a_page_whose_entries_were_all_taken_back_says_so_hr_tab_05(desk, both, hit):
    decided = {f"pick-{hit}": "crown", "held_by": "crown", "pursuit": "rules"}
    decided["looked"] = looked(text(desk.post(address(both), decided)))
    BattleEntry.objects.update(state=BattleEntry.State.DRAFT)
    assert "What was entered has been taken back" in text(
        desk.post(address(both), decided, HTTP_HX_REQUEST="true")
    )
    answer = desk.post(address(both), decided, follow=True)
    assert "Nothing was confirmed. What was entered has been taken back" in text(answer)
    both.refresh_from_db()
    assert both.state == Battle.State.WAITING


def test_one_entry_alone_is_told_and_can_be_confirmed(desk, battle, hit, burgoyne):
    assert "Nobody has entered a result yet" in text(desk.get(address(battle)))
    said = Entry({hit: UnitResult(1)}, held_by="crown", pursuit="none")
    battle_entry_save(battle=battle, side="crown", entry=said, version=0, actor=burgoyne)
    assert "Crown is entering a result" in text(desk.get(address(battle)))
    battle_entry_save(entered=True, battle=battle, side="crown", entry=said, version=1, actor=burgoyne)
    page = text(desk.get(address(battle)))
    assert "United States has entered nothing" in page and "80 → 75" in page
    decided = {"held_by": "crown", "pursuit": "none", "looked": looked(page)}
    assert "The result is confirmed" in text(desk.post(address(battle), decided, follow=True))
    assert battle_settled(battle)["pursuit"] == "none"


def battle_settled(battle) -> dict[str, object]:
    battle.refresh_from_db()
    return dict(battle.settlement)


def test_the_umpires_own_entry_is_picked_at_first(desk, both, hit, carleton):
    desk.post(f"{PAGE}{both.pk}/result/", {f"lost-{hit}": "3", "held_by": "rebel", "enter": ""})
    assert BattleEntry.objects.get(side="").user == carleton
    page = text(desk.get(address(both)))
    assert "Three entries; they differ in 1 unit and who holds the field." in page
    decided = {f"pick-{hit}": "umpire", "held_by": "rebel", "pursuit": "rules", "looked": looked(page)}
    desk.post(address(both), decided)
    assert lost(both)[hit] == 3 and both.settlement["field_held_by"] == "rebel"


def test_a_settled_battle_has_nothing_to_compare(desk, both, hit):
    decided = {f"pick-{hit}": "crown", "held_by": "crown", "pursuit": "rules"}
    seen = looked(text(desk.post(address(both), decided)))
    desk.post(address(both), decided | {"looked": seen})
    assert desk.get(address(both)).status_code == 302
    assert desk.post(address(both), decided, HTTP_HX_REQUEST="true").headers["HX-Refresh"] == "true"


def test_the_pages_ask_few_queries(desk, crown, both, django_assert_max_num_queries):
    for client, place in (
        (desk, address(both)),
        (desk, f"{PAGE}{both.pk}/result/"),
        (crown, f"{PAGE}{both.pk}/result/"),
    ):
        client.get(place)
        with django_assert_max_num_queries(15):
            assert client.get(place).status_code == 200


def test_of_a_split_fight_the_rest_is_fought_by_a_worker_and_the_page_shows_it_hr_tab_16(desk, both, hit):
    others = next(unit["id"] for unit in both.inputs["file"]["units"] if unit["side"] == "rebel")
    both.sector = [hit, others]
    both.save()
    decided = {f"pick-{hit}": "rebel", "held_by": "crown", "pursuit": "rules"}
    seen = looked(text(desk.post(address(both), decided)))
    answer = desk.post(address(both), decided | {"looked": seen})
    assert answer.status_code == 302 and Battle.objects.get(pk=both.pk).state == Battle.State.WAITING
    page = text(desk.get(answer.headers["Location"]))
    assert "The engine fights the rest of the field; then the battle is settled." in page
    assert "The engine is to fight the rest of the battle." in page
    assert "The rest of a split battle fought here" in text(desk.get("/campaigns/saratoga/jobs/"))
