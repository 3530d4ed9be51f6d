"""The map and its list: mornings gone by, what a browser may keep, what the pages cost."""

import html
import re
from typing import Any

import pytest

from campaign.ai.commander import staff_orders
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign
from campaign.rules.umpire.corrections import Rumour
from campaign.rules.world.world import Order
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform
from tests.campaign.web.posed import PAGE, words

MAP, LIST = f"{PAGE}map.geojson", f"{PAGE}map/list/"
#: What may be ordered from a map, and who waits, are matters of the present.
PRESENT = {"orders", "organise", "march", "waits", "locked", "past"}


def features(client: Any, day: int | None = None) -> dict[str, Any]:
    answer = client.get(MAP, {"day": day} if day else {})
    assert answer.status_code == 200
    return answer.json()


def lasting(found: dict[str, Any]) -> list[Any]:
    """A map without what only the present has."""
    kept = [
        (row["geometry"], {key: value for key, value in row["properties"].items() if key not in PRESENT})
        for row in found["features"]
    ]
    return [*kept, {key: value for key, value in found["morning"].items() if key not in PRESENT}]


def advance(campaign: Campaign) -> None:
    """Both staffs march; a battle is the attacker's."""
    world = world_load(campaign)
    for side in ("crown", "rebel"):
        for order in staff_orders(world, side):
            order_submit(campaign=campaign, side=side, order=order, actor=None)
    bold = Order("provincial_corps", ("mount_independence",), stance="attack")
    if campaign.day == 0:
        order_submit(campaign=campaign, side="crown", order=bold, actor=None)
    while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
        for battle in waiting:
            battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost={}, actor=None)
    campaign.refresh_from_db()


@pytest.fixture
def played(posed: Campaign) -> Campaign:
    """The posed campaign on its third morning, after a battle."""
    for _ in range(2):
        advance(posed)
    assert Battle.objects.exists()
    return posed


@pytest.mark.parametrize("name", ["player", "opponent", "umpire"])
def test_hr_fog_01_an_earlier_morning_shows_what_was_known_then(posed, name, request):
    client = request.getfixturevalue(name)
    then = []
    for _ in range(3):
        then.append(lasting(features(client)))
        advance(posed)
    for day, shown in enumerate(then, 1):
        looked_back = features(client, day)
        assert looked_back["morning"]["past"] is True
        without = [row for row in lasting(looked_back) if not marches(row)]
        assert without == [row for row in shown if not marches(row)], day
        links = {key for row in looked_back["features"] for key in row["properties"]} & {"orders", "march"}
        assert not links
    # when the first morning was read no papers were in; they were that day's orders
    assert not feature(then[0], "march")
    assert feature(lasting(features(client, 1)), "march")
    assert then[0] != then[2]


def marches(row: Any) -> bool:
    """Whether a row is a march, or a formation, whose orders came in after the morning was read."""
    if isinstance(row, tuple):
        row[1].pop("doing", None)
    return isinstance(row, tuple) and row[1]["feature"] == "march"


def feature(rows: list[Any], kind: str) -> list[Any]:
    return [row for row in rows if isinstance(row, tuple) and row[1]["feature"] == kind]


def test_hr_fog_01_what_was_learned_later_is_not_shown_of_then(played, player):
    """Enemies before the corps on the first morning, gone on the third; a battle fought between."""
    seen = {
        day: {one["name"] for one in formations(features(player, day)) if not one.get("own")}
        for day in (1, 2, 3)
    }
    assert seen[1]
    assert not seen[3]
    fought = [row for row in features(player, 1)["features"] if row["properties"]["feature"] == "battle"]
    assert not fought
    assert any(row["properties"]["feature"] == "battle" for row in features(player, 2)["features"])


def formations(found: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [row["properties"] for row in found["features"]]
    return [row for row in rows if row["feature"] == "formation"]


@pytest.mark.parametrize("day", ["0", "4", "-1", "x", "1e3", "999999999"])
def test_a_morning_there_is_not_is_refused(played, player, day):
    for address in (MAP, LIST):
        assert player.get(address, {"day": day}).status_code == 404


def test_the_campaigns_page_passes_over_a_morning_there_is_not(played, player):
    assert "data-day" not in player.get(PAGE, {"day": "77"}).content.decode()
    assert 'data-day="2"' in player.get(PAGE, {"day": "2"}).content.decode()
    assert 'data-latest="3"' in player.get(PAGE).content.decode()


def test_the_latest_morning_may_be_asked_for_by_number(played, player):
    assert features(player, 3) == features(player)


def test_a_browser_keeps_a_morning_and_asks_again(played, player, opponent, umpire):
    for address in (MAP, f"{MAP}?day=2"):
        first = player.get(address)
        assert first["Cache-Control"] == "private, no-cache"
        assert "Cookie" in first["Vary"]
        again = player.get(address, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["Cache-Control"] == "private, no-cache"
        for other in (opponent, umpire):
            assert other.get(address, headers={"if-none-match": first["ETag"]}).status_code == 200
        assert player.get(address, headers={"accept-encoding": "gzip"})["Content-Encoding"] == "gzip"


def test_hr_ump_14_a_day_undone_is_no_morning_and_played_anew_it_is_another(played, player, carleton):
    tag = player.get(f"{MAP}?day=2")["ETag"]
    goal = played.records.get(kind="day", day=1)
    campaign_rewind(campaign=played, record=goal, actor=carleton, reason="Once more")
    played.refresh_from_db()
    assert player.get(f"{MAP}?day=3").status_code == 404
    assert features(player, 1)["morning"]["day"] == 1
    advance(played)
    again = player.get(f"{MAP}?day=2", headers={"if-none-match": tag})
    assert again.status_code == 200


def test_a_stranger_is_shown_nothing(played, stranger):
    for address in (MAP, f"{MAP}?day=1", LIST):
        assert stranger.get(address).status_code == 404


@pytest.mark.parametrize("address", [MAP, f"{MAP}?day=2", LIST, f"{LIST}?day=2"])
def test_no_map_takes_more_than_fifteen_queries(
    played, player, umpire, address, django_assert_max_num_queries
):
    for client in (player, umpire):
        with django_assert_max_num_queries(15):
            assert client.get(address).status_code == 200


def test_the_list_tells_what_the_map_shows(played, player):
    told = words(player.get(LIST))
    found = features(player)
    for row in formations(found):
        assert row["name"] in told and row["where"] in told and row["strength"].removesuffix(" SP") in told
    for row in found["features"]:
        if row["properties"]["feature"] == "battle":
            for battle in row["properties"]["battles"]:
                assert battle["name"] in told and battle["state"] in told
        if row["properties"]["feature"] == "sign":
            assert row["properties"]["name"] in told
    for section in ("Your columns and garrisons", "The enemy, as reported", "Battles", "Places"):
        assert section in told
    assert found["morning"]["date"] in told


def test_the_list_tells_which_places_join_and_how(played, player):
    """Every way under both of its ends, with what the map's card of it says; every place there is."""
    page = player.get(LIST)
    found = [row["properties"] for row in features(player)["features"]]
    told = words(page)
    for row in found:
        if row["feature"] == "place":
            assert row["name"] in told and row["facts"] in told
    table = [
        tuple(html.unescape(cell) for cell in (start, *re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)))
        for start, rows in re.findall(
            r'<tr><th scope="rowgroup"[^>]*>From (.*?)</th></tr>(.*?)</tbody>', page.content.decode(), re.S
        )
        for line in re.findall(r"<tr>(.*?)</tr>", rows, re.S)
    ]
    ways = [row for row in found if row["feature"] == "route"]
    assert len(table) == 2 * len(ways)
    for row in ways:
        ends = row["name"].split(" to ")
        for start, end in (ends, ends[::-1]):
            facts = [
                f"{kind.capitalize()}, {miles} miles, {country} country"
                for _, to, kind, miles, country, *_ in (line for line in table if line[0] == start)
                if to == end
            ]
            assert any(row["facts"].startswith(told) for told in facts), row
    assert ("Crown Point", "Chimney Point", "road", "1.0", "open", "yes", "ferry, ferry broken") in table
    assert ("Crown Point", "Ticonderoga", "lake", "15", "wooded", "by boat", "") in table


def test_hr_mar_02_the_list_and_the_map_tell_where_no_wheel_passes(played, player):
    barred = [
        row["properties"]
        for row in features(player)["features"]
        if row["properties"]["feature"] == "route" and "no guns or wagons" in row["properties"]["facts"]
    ]
    table = player.get(LIST).content.decode().partition('id="ways"')[2]
    assert table.count("<td>no</td>") == 2 * len(barred)


def test_the_list_says_that_rumours_have_no_place_on_the_map(posed, carleton, player):
    heard = Rumour(side="crown", text="The whole country rises, it is said.")
    act_perform(campaign=posed, act=heard, reason="To try it", actor=carleton)
    told = words(player.get(LIST))
    assert "The whole country rises, it is said." in told
    assert "names no place of the map, and is not drawn on it" in told


def test_the_list_of_an_earlier_morning_says_so(played, player, umpire):
    told = words(player.get(f"{LIST}?day=1"))
    assert "You look back: this is what your side knew that morning." in told
    assert "None in the last fortnight." in told
    assert "this is what was true that morning" in words(umpire.get(f"{LIST}?day=1"))


def test_the_umpire_is_shown_the_truth_of_then(played, player, umpire):
    own = [row for row in formations(features(umpire, 1)) if row.get("own")]
    assert {row["side"] for row in own} == {"crown", "rebel"}
    assert {row["side"] for row in formations(features(player, 1)) if row.get("own")} == {"crown"}


def test_an_estimate_has_its_bounds_and_age(played, player):
    enemies = [row for row in formations(features(player, 1)) if not row.get("own")]
    assert enemies
    for row in enemies:
        assert row.get("low", 0) <= row.get("sp", 0) <= row.get("high", row.get("sp", 0))
        assert row["sighted"]
        assert bool(row.get("ghost")) != bool(row.get("in_sight"))
