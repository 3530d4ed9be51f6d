"""The battle pack: every copy for those it is for, and no enemy fact in a side's (HR-TAB-21, HR-TAB-23)."""

import html
import re
from copy import deepcopy
from io import BytesIO

import pytest
from pypdf import PdfReader

from battles.files.reading import decode_battle
from battles.printing.blinds import DUMMY
from battles.rulesets import registry
from campaign.models import Job, Seat, User
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.battles.hidden_setup import turned_up
from campaign.services.turns.rewind import campaign_rewind
from campaign.tasks import run_job

PAGE = "/campaigns/saratoga/battles/"


def page(client, battle, query=""):
    return client.get(f"{PAGE}{battle.pk}/pack/{query}")


def pdf(client, battle, query=""):
    """The PDF, made first where it is not there."""
    address = f"{PAGE}{battle.pk}/pack.pdf{query}"
    if client.get(address).status_code == 302:
        client.post(address)
        for job in Job.objects.filter(kind="battle_pack", state=Job.State.QUEUED):
            run_job(job.pk)
    return client.get(address)


def text_of(answer) -> str:
    pages = PdfReader(BytesIO(answer.content)).pages
    return re.sub(r"\s+", " ", " ".join(each.extract_text() for each in pages))


def units(battle, side=""):
    return [unit for unit in battle.inputs["file"]["units"] if not side or unit["side"] == side]


def late(battle, side, turn=7):
    """The battle with the second half of a side's units coming later."""
    battle.inputs = deepcopy(battle.inputs)
    for unit in units(battle, side)[1::2]:
        unit["arrives"] = turn
    battle.save()
    return battle


def test_each_side_and_the_umpire_print_their_copy_as_page_and_pdf(
    crown, rebel, desk, stranger, battle, settings
):
    settings.SITE_URL = "https://campaign.example.org"
    for client in (crown, rebel, desk):
        shown = html.unescape(page(client, battle).content.decode())
        assert all(unit["name"] in shown for unit in units(battle))
        answer = pdf(client, battle)
        assert answer["Content-Type"] == "application/pdf"
        words = text_of(answer)
        assert all(unit["name"] in words for unit in units(battle))
        assert f"{settings.SITE_URL}{PAGE}{battle.pk}/result/" in words
    for ask in (page, pdf):
        assert ask(stranger, battle).status_code == 404


def test_a_site_open_on_this_computer_alone_prints_no_code_for_phones(crown, battle, settings):
    settings.SITE_URL = "http://127.0.0.1:8000"
    shown = html.unescape(page(crown, battle).content.decode())
    assert "The pack has no QR code: this site\u2019s address opens on this computer only." in shown
    assert "Enter the result" not in shown
    settings.SITE_URL = "http://192.168.1.20:8000"
    assert "Enter the result" in html.unescape(page(crown, battle).content.decode())


def test_a_side_may_not_print_another_copy(crown, desk, battle):
    for ask in (page, pdf):
        assert ask(crown, battle, "?copy=crown").status_code == 200
        for other in ("?copy=rebel", "?copy=", "?copy=nobody"):
            assert ask(crown, battle, other).status_code == 404
        assert all(ask(desk, battle, f"?copy={side}").status_code == 200 for side in ("crown", "rebel", ""))


def test_the_umpire_prints_a_side_s_copy_as_it_would_itself(crown, desk, battle):
    assert pdf(crown, battle).content == pdf(desk, battle, "?copy=crown").content


@pytest.mark.parametrize("query", ["?figures=28mm", "?paper=a3", "?paper=letter&figures=6mm"])
def test_a_size_that_is_not_printed_is_refused(crown, battle, query):
    assert page(crown, battle, query).status_code == 404


def test_a_pack_before_contact_or_of_an_undone_battle_says_when_there_will_be_one(
    crown, desk, stranger, battle, saratoga, carleton
):
    """The same words for every number, so that nobody learns of a battle he is told nothing of."""
    saratoga.refresh_from_db()
    campaign_rewind(campaign=saratoga, record=saratoga.head, reason="A slip.", actor=carleton)
    for number in (battle.pk, battle.pk + 1000):
        for client, way in ((crown, "To the battles"), (desk, "To the battles")):
            for name in ("pack/", "pack.pdf"):
                answer = client.get(f"{PAGE}{number}/{name}")
                assert answer.status_code == 404
                said = answer.content.decode()
                assert "No such battle waits; a pack can be printed once columns have met." in said
                assert way in said and "you have no seat" not in said
        assert "No such battle waits" not in stranger.get(f"{PAGE}{number}/pack/").content.decode()
    assert crown.get("/campaigns/saratoga/?sheet=battles").status_code == 200


def test_what_a_side_cannot_know_changes_nothing_in_its_copy_hr_tab_23(crown, desk, battle):
    """Late troops, guns, quality, generals and plans of the enemy; its own battle is the second world."""
    pdf(crown, battle)  # so that it is there for both pages
    before = page(crown, battle).content, pdf(crown, battle).content
    whole = pdf(desk, battle).content
    late(battle, "rebel")
    for unit in units(battle, "rebel"):
        unit["poor_militia"] = True
    battle.inputs["file"]["leaders"] = [
        one for one in battle.inputs["file"].get("leaders", []) if one["side"] != "rebel"
    ]
    battle.inputs["file"]["plans"]["rebel"] = {"kind": "withdraw"}
    battle.save()
    after = page(crown, battle).content, pdf(crown, battle).content
    assert _bare(before[0]) == _bare(after[0]) and before[1] == after[1]
    assert pdf(desk, battle).content != whole


def _bare(content: bytes) -> str:
    return re.sub(
        r'"X-CSRFToken": "[^"]*"|csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"', "", content.decode()
    )


def test_a_side_reads_when_its_own_come(crown, desk, battle):
    late(battle, "crown", 9)
    name = units(battle, "crown")[1]["name"]
    for client in (crown, desk):
        words = text_of(pdf(client, battle))
        assert "Turn 9" in words and name in words and "comes in turn 9" in words


def key_of(client, battle, query=""):
    shown = html.unescape(page(client, battle, query).content.decode())
    found = re.search(r'<ol class="key">(.*?)</ol>', shown, re.S)
    return re.findall(r"<li><strong>(\w+)</strong> (?:<em>)?([^<]+)", found.group(1)) if found else []


def test_the_key_to_the_blinds_is_in_its_side_s_copy_alone_hr_tab_21(crown, rebel, desk, battle):
    keys = {"crown": key_of(crown, battle), "rebel": key_of(rebel, battle)}
    for side, key in keys.items():
        names = sorted(unit["name"] for unit in units(battle, side) if not unit["arrives"])
        assert sorted(under for _, under in key if under != DUMMY) == names
        assert key == key_of(desk, battle, f"?copy={side}"), "it can be printed again"
    both = html.unescape(page(desk, battle).content.decode())
    assert both.count('<ol class="key">') == 2
    assert not key_of(crown, battle, "?blinds=no")


@pytest.mark.parametrize(
    ("ruleset", "query", "told"),
    [
        ("awi", "", "close order foot in column. |within 12 inches"),
        ("awi", "?figures=15mm", "close order foot in column. |within 8 inches"),
        ("vb_wing", "", "slow infantry. |within 8 inches"),
    ],
)
def test_the_key_says_when_a_blind_is_turned_up_hr_tab_22(crown, battle, ruleset, query, told):
    """In inches of the table it is laid on: 200 yards."""
    battle.ruleset = ruleset
    battle.save()
    file = decode_battle(file_now(battle))
    figures = "15mm" if query else "25mm"
    words = turned_up(registry.get_rules(ruleset).sheets.table(file, figures))
    assert all(part in words for part in told.split("|")) and "15 mm" not in words
    assert words in html.unescape(page(crown, battle, query).content.decode())
    without = f"{query}&blinds=no" if query else "?blinds=no"
    assert words in text_of(pdf(crown, battle, query)) and words not in text_of(pdf(crown, battle, without))


def test_the_size_of_figures_is_asked_where_it_matters_vbw_std_12(crown, battle):
    assert 'name="figures"' in page(crown, battle).content.decode()
    battle.ruleset = "vb_wing"
    battle.save()
    shown = page(crown, battle).content.decode()
    assert 'name="figures"' not in shown and "as large as a stand of infantry" in shown


def test_a_guest_prints_the_copy_of_his_side(saratoga, stranger, battle):
    Seat.objects.create(
        campaign=saratoga,
        user=User.objects.get(username="clinton"),
        role=Seat.Role.GUEST,
        side="crown",
        battle=battle,
    )
    assert page(stranger, battle).status_code == 200
    assert page(stranger, battle, "?copy=rebel").status_code == 404
    other = stranger.get(f"{PAGE}{battle.pk + 1}/pack/").content.decode()
    assert "No such battle waits" in other and "To your campaigns" in other


def test_a_spectator_has_no_pack(saratoga, stranger, battle):
    saratoga.spectator_days = 0
    saratoga.save()
    Seat.objects.create(
        campaign=saratoga, user=User.objects.get(username="clinton"), role=Seat.Role.SPECTATOR
    )
    assert page(stranger, battle).status_code == pdf(stranger, battle).status_code == 404
    for number in (battle.pk, battle.pk + 1):
        told = stranger.get(f"{PAGE}{number}/pack/").content.decode()
        assert "A pack is for those who command at its battle" in told and "you have no seat" not in told


def test_the_battle_leads_to_its_pack_and_back(crown, battle):
    assert f'href="{PAGE}{battle.pk}/pack/"' in crown.get(f"{PAGE}{battle.pk}/").content.decode()
    assert f'href="{PAGE}{battle.pk}/"' in page(crown, battle).content.decode()


def test_of_a_split_fight_the_pack_has_the_sector_hr_tab_14(crown, desk, battle):
    away = {side: units(battle, side)[-1] for side in ("crown", "rebel")}
    left = {unit["id"] for unit in away.values()}
    battle.sector = [unit["id"] for unit in units(battle) if unit["id"] not in left]
    battle.save()
    whole, own = (html.unescape(page(client, battle).content.decode()) for client in (desk, crown))
    cards = re.findall(r'<li class="card"><h4>([^<]+)', whole)
    assert all(unit["name"] in whole and unit["name"] not in cards for unit in away.values())
    assert away["crown"]["name"] in own and away["rebel"]["name"] not in own
    assert "sector of a larger fight" in own and "sector of a larger fight" in whole


def test_the_pack_has_what_the_umpire_adjusted_hr_tab_12(desk, battle):
    unit = units(battle, "crown")[0]
    battle.adjusted = [{"changes": {"arrives": {unit["id"]: 11}, "rain": -2}, "reason": "Mud."}]
    battle.save()
    words = text_of(pdf(desk, battle))
    assert "Turn 11" in words and "rain on muskets" in words


@pytest.mark.parametrize(("rain", "told"), [(-1, "rain, muskets -1; "), (-2, "heavy rain, muskets -2; ")])
def test_the_pack_tells_the_weather_as_adjusted_hr_wea_04(desk, crown, battle, rain, told):
    battle.adjusted = [{"changes": {"rain": rain}, "reason": "A storm."}]
    battle.save()
    for client in (desk, crown):
        for words in (html.unescape(page(client, battle).content.decode()), text_of(pdf(client, battle))):
            assert told in words
            assert "muskets and rifles, in this rain" in words


def test_a_taken_back_or_dried_sky_costs_muskets_nothing_hr_wea_04(desk, battle):
    battle.adjusted = [{"changes": {"rain": -1}, "reason": "", "back": "No."}]
    battle.save()
    shown = html.unescape(page(desk, battle).content.decode())
    assert "muskets -1" not in shown and "in this rain" not in shown
    battle.adjusted = [{"changes": {"rain": rain}, "reason": ""} for rain in (-1, 0)]
    battle.save()
    shown = html.unescape(page(desk, battle).content.decode())
    assert "dry, " in shown and "muskets -1" not in shown and "in this rain" not in shown


@pytest.mark.parametrize("ruleset", ["vb_wing", "vb_division"])
def test_a_battle_under_other_rules_is_printed_in_their_terms_vbw_crd_10(crown, desk, battle, ruleset):
    """Turns, strength, maps and the deck are the ruleset's own, and a side's copy tells no more for it."""
    battle.inputs = deepcopy(battle.inputs)
    battle.inputs["file"] |= {"ruleset": ruleset, "options": {"cards": "on"}}
    battle.save()
    for client in (crown, desk):
        shown = html.unescape(page(client, battle).content.decode())
        assert "game turns of 15 minutes" in shown and "Sharpshooters" in shown
        assert 'href="/rulebook/VBW-CRD-16/?campaign=saratoga"' in shown
        words = text_of(pdf(client, battle))
        assert all(unit["name"] in words for unit in units(battle)) and words.count("VBW-CRD-11") == 2
    before = pdf(crown, battle).content
    late(battle, "rebel")
    for unit in units(battle, "rebel"):
        unit["poor_militia"] = True
    battle.save()
    assert pdf(crown, battle).content == before
