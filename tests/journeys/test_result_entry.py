"""A result is entered with a thumb at the club's table: few taps, and nothing lost on the way (HR-TAB)."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, BattleEntry, User
from campaign.rules.battles.table_results import entry_from_json
from campaign.rules.world.world import present_units
from tests.factories.people import signed_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 780}
#: What twenty units lost: SP, "destroyed" or "captured".
CROWN = (1, 0, 2, 1, 0, 3, 1, 0, 1, "destroyed")
REBEL = (2, 1, "destroyed", 1, 0, 2, 1, "captured", 0, 1)
#: A bloody day: every unit lost two to four of its five SP.
BLED = {"crown": (2, 3, 4, 2, 3, 4, 2, 3, 4, 2), "rebel": (4, 4, 3, 3, 2, 2, 4, 3, 2, 4)}
MOST_TAPS = 40


@pytest.fixture
def twenty(battle) -> Battle:
    """Ten units a side, of 5 SP each."""
    units = [unit for rows in present_units(world_load(battle.campaign)).values() for unit in rows]
    fought = []
    for side in ("crown", "rebel"):
        for unit in [unit for unit in units if unit.side == side and not unit.is_train][:10]:
            like = {**battle.inputs["file"]["units"][0], "id": unit.id, "name": unit.name, "side": side}
            fought.append({**like, "sp": 5, "formation": unit.formation, "troop_type": str(unit.troop_type)})
    leader = {"id": "fraser", "name": "Simon Fraser", "side": "crown", "rank": "brigadier", "commands": []}
    battle.inputs["file"] |= {"units": fought, "leaders": [leader]}
    battle.save()
    return battle


@pytest.fixture
def club(live_server, browser: Browser, twenty) -> Iterator[SimpleNamespace]:
    opened: list[BrowserContext] = []

    def phone(user: User, **other: object) -> BrowserContext:
        given = {"viewport": PHONE, "has_touch": True, "locale": "en-GB"} | other
        context = browser.new_context(**given)  # type: ignore[arg-type]
        opened.append(context)
        kept: Client = signed_in(user)
        context.add_cookies(
            [{"name": one.key, "value": one.value, "url": live_server.url} for one in kept.cookies.values()]
        )
        return context

    page = f"{live_server.url}/campaigns/saratoga/battles/{twenty.pk}/"
    yield SimpleNamespace(phone=phone, page=page, result=f"{page}result/", battle=twenty)
    for context in opened:
        context.close()


@dataclass
class Thumb:
    """Taps on a phone, counted; a choice from a list is one on the list and one on the choice."""

    page: Page
    taps: int = 0

    def tap(self, target: Locator) -> None:
        self.taps += 1
        target.tap()

    def choose(self, target: Locator, label: str) -> None:
        self.tap(target)
        self.taps += 1
        target.select_option(label=label)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", lambda said: pytest.fail(said.text) if "Content Security" in said.text else None)
    page.goto(address)
    expect(page.locator("form.stepped")).to_be_visible()
    return page


def row(page: Page, battle: Battle, side: str, place: int) -> Locator:
    return page.locator(f".side[data-side={side}] .tally").nth(place)


def box(line: Locator, sp: int) -> Locator:
    """Of the last SP a unit lost."""
    return line.locator(".box").nth(sp - 1)


def enter(thumb: Thumb, battle: Battle, side: str, losses: tuple[object, ...]) -> None:
    for place, lost in enumerate(losses):
        line = row(thumb.page, battle, side, place)
        if lost == "destroyed":
            thumb.tap(line.locator(".gone"))
        elif lost == "captured":
            thumb.tap(line.locator(".toggle"))
        elif isinstance(lost, int) and lost:
            thumb.tap(box(line, lost))


def kept(page: Page) -> None:
    expect(page.locator(".saving")).to_contain_text("Kept.")


def test_twenty_units_take_at_most_forty_taps_hr_tab_02(club, burgoyne):
    page = opened(club.phone(burgoyne), club.result)
    for kind in (".box", ".toggle", ".gone", "#held label", ".closing button"):
        for thing in page.locator(f"{kind}:visible").all():
            size = thing.bounding_box()
            assert size and min(size["width"], size["height"]) >= 44, (kind, size)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    thumb = Thumb(page)
    enter(thumb, club.battle, "crown", CROWN)
    thumb.tap(page.locator(".side[data-side=rebel] summary"))
    enter(thumb, club.battle, "rebel", REBEL)
    thumb.tap(page.locator("#held label", has_text="United States"))
    expect(page.locator(".sums")).to_contain_text("14 lost of 50 SP")
    expect(page.locator(".sums")).to_contain_text("13 lost, 5 captured of 50 SP")
    kept(page)
    thumb.tap(page.get_by_role("button", name="Enter the result"))
    expect(page.locator(".notice").first).to_contain_text("The result is entered")
    assert thumb.taps <= MOST_TAPS, thumb.taps
    row_ = BattleEntry.objects.get()
    entry = entry_from_json(row_.body)
    units = [unit["id"] for unit in club.battle.inputs["file"]["units"]]
    said = [entry.units.get(key) for key in units]
    assert row_.state == "entered" and entry.held_by == "rebel"
    assert [one.lost if one else 0 for one in said] == [
        1,
        0,
        2,
        1,
        0,
        3,
        1,
        0,
        1,
        5,
        2,
        1,
        5,
        1,
        0,
        2,
        1,
        0,
        0,
        1,
    ]
    assert [key for key in units if (one := entry.units.get(key)) and one.destroyed] == [units[9], units[12]]
    assert [one.captured for one in said if one and one.captured] == [5]


def test_a_bloody_day_takes_no_more_taps_hr_tab_02(club, burgoyne):
    page = opened(club.phone(burgoyne), club.result)
    thumb = Thumb(page)
    enter(thumb, club.battle, "crown", BLED["crown"])
    thumb.choose(page.get_by_label("Simon Fraser"), "wounded")
    thumb.tap(page.locator(".side[data-side=rebel] summary"))
    enter(thumb, club.battle, "rebel", BLED["rebel"])
    thumb.tap(page.locator("#held label", has_text="Crown"))
    thumb.tap(page.get_by_text("held back", exact=True))
    kept(page)
    thumb.tap(page.get_by_role("button", name="Enter the result"))
    expect(page.locator(".notice").first).to_contain_text("The result is entered")
    assert thumb.taps <= MOST_TAPS, thumb.taps
    entry = entry_from_json(BattleEntry.objects.get().body)
    units = [unit["id"] for unit in club.battle.inputs["file"]["units"]]
    assert tuple(entry.units[key].lost for key in units) == BLED["crown"] + BLED["rebel"]
    assert (entry.held_by, entry.pursuit, entry.generals) == ("crown", "none", {"fraser": "wounded"})


def test_boxes_are_grouped_by_the_stands_of_a_unit_hr_bat_13(club, burgoyne):
    club.battle.inputs["file"]["ruleset"] = "vb_wing"
    club.battle.save()
    page = opened(club.phone(burgoyne), club.result)
    lines = page.locator(".side[data-side=crown] .tally[data-stands]")
    assert lines.count()
    for line in lines.all():
        stands = [int(one) for one in (line.get_attribute("data-stands") or "").split()]
        expect(line.locator(".who")).to_contain_text(f"stands of {' + '.join(map(str, stands))}")
        begins = line.locator(".box").evaluate_all("all => all.map(b => b.classList.contains('next-stand'))")
        assert len(begins) == sum(stands)
        assert [at for at, begun in enumerate(begins) if begun] == [
            sum(stands[:k]) for k in range(1, len(stands))
        ]
        for size in [one.bounding_box() for one in line.locator(".box").all()]:
            assert size and min(size["width"], size["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    line = page.locator(".side[data-side=crown] .tally[data-stands^='3 ']").first
    stands = [int(one) for one in (line.get_attribute("data-stands") or "").split()]
    lost, marked = line.locator("input[name^=lost-]"), line.locator(".box[aria-pressed=true]")
    for place, left in ((2, 2), (stands[0] + 1, 3), (2, 2), (stands[0] + 1, 1)):
        box(line, place).tap()  # each stand counts by itself
        expect(lost).to_have_value(str(left))
        expect(marked).to_have_count(left)
    expect(box(line, 1)).to_have_attribute("aria-pressed", "true")
    lost.fill(str(stands[0] + 1))  # a sum falls on the stands in their order
    expect(box(line, stands[0] + 1)).to_have_attribute("aria-pressed", "true")
    expect(marked).to_have_count(stands[0] + 1)
    kept(page)


def test_a_box_tapped_again_is_taken_back_and_leaves_the_rest_to_prisoners_hr_tab_02(club, burgoyne):
    page = opened(club.phone(burgoyne), club.result)
    line = row(page, club.battle, "crown", 0)
    lost, captured = line.locator("input[name^=lost-]"), line.locator("input[name^=captured-]")
    marked = line.locator(".box[aria-pressed=true]")
    for place, left in ((3, 3), (5, 5), (5, 4), (2, 2), (1, 1), (1, 0)):
        box(line, place).tap()
        expect(lost).to_have_value(str(left or ""))
        expect(marked).to_have_count(left)
    line.locator(".toggle").tap()
    expect(captured).to_have_value("5")
    box(line, 2).tap()
    expect(captured).to_have_value("3")
    line.locator(".toggle").tap()
    line.locator(".gone").tap()
    expect(marked).to_have_count(5)
    box(line, 4).tap()
    expect(line.locator("input[name^=destroyed-]")).not_to_be_checked()
    expect(lost).to_have_value("4")


def test_boxes_are_worked_with_keys_hr_tab_02(club, burgoyne):
    page = opened(club.phone(burgoyne), club.result)
    line = row(page, club.battle, "crown", 0)
    box(line, 1).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(box(line, 3)).to_be_focused()
    expect(line.locator("input[name^=lost-]")).to_have_value("3")
    page.keyboard.press("Tab")
    expect(line.locator("input[name^=lost-]")).to_be_focused()
    page.keyboard.type("4")
    expect(line.locator(".box[aria-pressed=true]")).to_have_count(4)
    page.keyboard.press("Shift+Tab")
    expect(box(line, 4)).to_be_focused()


def test_without_scripts_figures_are_typed_hr_tab_02(club, burgoyne):
    page = club.phone(burgoyne, java_script_enabled=False).new_page()
    page.goto(club.result)
    expect(page.locator(".box, .tapping:visible")).to_have_count(0)
    row(page, club.battle, "crown", 0).locator("input[name^=lost-]").fill("4")
    page.locator("#held label", has_text="Crown").tap()
    page.get_by_role("button", name="Enter the result").tap()
    expect(page.locator(".notice").first).to_contain_text("The result is entered")
    assert [one["lost"] for one in BattleEntry.objects.get().body["units"].values()] == [4]


def test_more_than_a_unit_has_is_marked_at_once_hr_tab_02(club, burgoyne):
    page = opened(club.phone(burgoyne), club.result)
    line = row(page, club.battle, "crown", 0)
    lost, said = line.locator("input[name^=lost-]"), line.locator("p.error")
    expect(said.first).to_be_empty()
    lost.fill("6")
    expect(said.first).to_have_text("Enter a whole number of SP from 0 to 5.")
    lost.fill("0")
    expect(said.first).to_be_empty()
    line.locator(".toggle").tap()
    lost.fill("2")
    name = club.battle.inputs["file"]["units"][0]["name"]
    sentence = f"{name} came with 5 SP and cannot lose 7; enter 5 at most, lost and captured together"
    expect(said.first).to_contain_text(sentence)
    page.get_by_role("button", name="Enter the result").tap()
    expect(page.locator(".notice.error").first).to_be_visible()
    line = row(page, club.battle, "crown", 0)
    expect(line.locator("p.error").first).to_contain_text(sentence)
    line.locator("input[name^=captured-]").fill("3")
    expect(line.locator("p.error").first).to_be_empty()
    kept(page)


@pytest.mark.parametrize("figure", ["99999999999999", "1.5", "-1"])
def test_a_refused_figure_is_not_counted_and_comes_back_with_a_word_hr_tab_02(club, burgoyne, figure):
    page = opened(club.phone(burgoyne), club.result)
    line = row(page, club.battle, "crown", 0)
    box(row(page, club.battle, "crown", 1), 2).tap()
    kept(page)
    line.locator("input[name^=lost-]").fill(figure)
    expect(line.locator(".left")).to_have_text("not counted")
    expect(page.locator(".side[data-side=crown] .sum")).to_have_text("2 lost of 50 SP")
    expect(page.locator(".saving")).to_contain_text("Enter a whole number of SP from 0 to 5.")
    page.reload()
    notice = page.locator(".notice", has_text="This phone had kept figures that the site has not saved.")
    expect(line.locator("input[name^=lost-]")).to_have_value(figure)
    expect(line.locator("p.error").first).to_have_text("Enter a whole number of SP from 0 to 5.")
    notice.get_by_role("button", name="Discard them").tap()
    expect(notice).to_have_count(0)
    expect(line.locator("input[name^=lost-]")).to_have_value("")
    expect(row(page, club.battle, "crown", 1).locator("input[name^=lost-]")).to_have_value("2")
    expect(line.locator("p.error").first).to_be_empty()


def test_a_half_entered_form_survives_a_closed_browser_and_a_lost_connection(club, burgoyne):
    context = club.phone(burgoyne)
    page = opened(context, club.result)
    box(row(page, club.battle, "crown", 0), 3).tap()
    kept(page)
    context.close()
    context = club.phone(burgoyne)
    page = opened(context, club.result)
    line = row(page, club.battle, "crown", 0)
    expect(line.locator("input[name^=lost-]")).to_have_value("3")
    expect(line.locator(".box[aria-pressed=true]")).to_have_count(3)
    expect(page.get_by_text("Half-entered; last kept by")).to_be_visible()

    context.set_offline(True)
    box(row(page, club.battle, "crown", 1), 2).tap()
    expect(page.locator(".saving")).to_contain_text("The site does not answer")
    page.close()  # the browser is closed, and opened again where there is a connection
    context.set_offline(False)
    page = opened(context, club.result)
    line = row(page, club.battle, "crown", 1)
    expect(line.locator("input[name^=lost-]")).to_have_value("2")
    expect(line.locator(".box[aria-pressed=true]")).to_have_count(2)
    kept(page)
    assert len(BattleEntry.objects.get().body["units"]) == 2


def test_a_result_sent_without_a_line_stays_on_the_page_and_counts_once(club, burgoyne):
    context = club.phone(burgoyne)
    page = opened(context, club.result)
    box(row(page, club.battle, "crown", 0), 3).tap()
    kept(page)
    page.locator("input[name=held_by][value=crown]").check()
    context.set_offline(True)
    page.get_by_role("button", name="Enter the result").click()
    expect(page.locator(".saving")).to_contain_text(
        "The result has not got through: the site does not answer."
    )
    expect(row(page, club.battle, "crown", 0).locator("input[name^=lost-]")).to_have_value("3")
    context.set_offline(False)
    page.get_by_role("button", name="Enter the result").click()
    expect(page.locator(".notice").first).to_be_visible()
    entry = BattleEntry.objects.get()
    assert entry.state == BattleEntry.State.ENTERED and len(entry.body["units"]) == 1


def test_a_form_closed_before_the_answer_says_that_the_site_has_it(club, burgoyne):
    context = club.phone(burgoyne)
    page = opened(context, club.result)

    def unanswered(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/result/", unanswered)
    box(row(page, club.battle, "crown", 0), 3).tap()
    expect(page.locator(".saving")).to_contain_text("The site does not answer")
    page.close()
    page = opened(context, club.result)
    expect(row(page, club.battle, "crown", 0).locator("input[name^=lost-]")).to_have_value("3")
    kept(page)


def test_two_phones_of_one_side_look_at_both_hr_tab_04(club, burgoyne):
    first, second = (opened(club.phone(burgoyne), club.result) for _ in range(2))
    box(row(first, club.battle, "crown", 0), 1).tap()
    kept(first)
    row(second, club.battle, "crown", 0).locator(".gone").tap()
    expect(second.locator(".saving")).to_contain_text("was changed by Lieutenant General Burgoyne")
    second.get_by_role("button", name="Look at both").tap()
    expect(second.locator(".notice.error")).to_contain_text("1 lost")
    expect(second.locator(".notice.error")).to_contain_text("5 lost")
    second.get_by_role("button", name="Keep what stands here").tap()
    expect(second.locator(".notice").first).to_contain_text("Your entry is kept")
    (unit,) = BattleEntry.objects.get().body["units"].values()
    assert unit["destroyed"]


def test_the_umpire_decides_and_sees_the_casualties_as_he_does_hr_tab_05(club, burgoyne, gates, carleton):
    unit = club.battle.inputs["file"]["units"][0]["id"]
    for user, lost in ((burgoyne, "1"), (gates, "2")):
        data = {f"lost-{unit}": lost, "held_by": "crown", "enter": ""}
        signed_in(user).post(f"/campaigns/saratoga/battles/{club.battle.pk}/result/", data)
    page = club.phone(carleton, viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{club.result}compare/")
    expect(page.locator("#casualties")).to_contain_text("Decide between the entries")
    page.locator(".said input[name^=lost-]").fill("3")
    page.locator(".said input[name^=lost-]").blur()
    expect(page.locator(".said input[value=own]")).to_be_checked()
    expect(page.locator("#casualties tfoot").first).to_contain_text("3")
    page.get_by_role("button", name="Confirm the result").click()
    expect(page.locator(".notice").first).to_contain_text("The result is confirmed")
    settled = Battle.objects.get()
    assert [loss["sp_lost"] for loss in settled.settlement["losses"] if loss["unit"] == unit] == [3]
