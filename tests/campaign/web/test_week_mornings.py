"""The desk: mornings to go back to, each named once, and of which day a trial is (HR-UMP-13, HR-UMP-14)."""

import html
import re

import pytest

from campaign.models import Campaign
from campaign.rules.umpire.corrections import PlaceFormation
from campaign.rules.umpire.settings import CONDUCT, SPECTATORS, Conduct, SettingChange
from campaign.rules.world.world import Position
from campaign.selectors.umpire.corrections import CONDUCT_WORDS
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/saratoga/desk/"


def part(client, name: str) -> str:
    """A part of the page, as it is marked up."""
    text = html.unescape(client.get(PAGE).content.decode())
    found = re.search(rf'<section id="{name}".*?</section>', text, re.DOTALL)
    assert found
    return found[0]


def test_a_morning_with_acts_is_named_once_and_each_step_of_it_can_be_gone_back_to(desk, saratoga, carleton):
    day_advance(campaign=saratoga, actor=None)
    for place in ("castleton", "hubbardton", "skenesborough"):
        moved = PlaceFormation("advanced_corps", Position(place=place))
        now = Campaign.objects.get(pk=saratoga.pk)
        act_perform(campaign=now, act=moved, reason=f"To {place}.", actor=carleton)
    shown = part(desk, "back")
    links = re.findall(r'<a href="[^"]*/back/\d+/">([^<]+)</a>', shown)
    dates = re.findall(r"(\w+day, \d+ \w+)", shown)
    assert len(links) == 4 and len(dates) == 2 == len(set(dates))
    assert sum("after day 1" in link for link in links) == 1
    assert dates[1] in links  # a morning of one step is itself the link


def test_a_change_of_how_it_is_played_is_told_in_words_hr_ump_18(desk, saratoga, carleton):
    act = Conduct(
        (SettingChange("title", saratoga.title, "The summer"), SettingChange("table_units", "30", "14"))
    )
    Campaign.objects.update(table_units=30)
    act_perform(campaign=Campaign.objects.get(), act=act, reason="So we agreed.", actor=carleton)
    day_advance(campaign=Campaign.objects.get(), actor=None)
    shown = part(desk, "back")
    assert "(the campaign's name, units a side on the table)" in shown and "table units" not in shown


def test_every_thing_that_may_be_changed_has_its_words():
    assert set(CONDUCT_WORDS) == {*CONDUCT, *SPECTATORS}


def test_where_a_turn_has_several_days_the_trial_says_of_which_it_is(desk, saratoga):
    assert "alone" not in part(desk, "trial")
    Campaign.objects.filter(pk=saratoga.pk).update(days_a_turn=7)
    shown = part(desk, "trial")
    date = re.search(r"Try (\w+day, \d+ \w+) out</button>", shown)
    assert date and f"It is of {date[1]} alone; “Advance 7 days” plays further." in shown
