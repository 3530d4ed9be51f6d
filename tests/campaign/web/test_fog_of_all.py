"""All pages a side can reach, crawled: nothing of the enemy it has not learned (HR-FOG-01). `make prove` has
the sixth week."""

import pytest

from campaign.models import Campaign, User
from campaign.state import world_load
from tests.campaign.web.fog_of_all import SIDES, betrayed, crawled, otherwise, played, put, unknown
from tests.factories.people import signed_in


def people_make() -> dict[str, User]:
    return {name: User.objects.create_user(name) for name in ("umpire", "spectator", *SIDES)}


def judge(campaign: Campaign, people: dict[str, User], most: int) -> dict[str, int]:
    """Crawl as each side and as a spectator; the number of answers read, by reader."""
    read = {}
    true = world_load(campaign)
    for side in SIDES:
        client = signed_in(people[side])
        crawl = crawled(campaign, client, most)
        facts = unknown(campaign, true, side)
        assert facts, "the enemy has no secrets; the crawl would show nothing"
        assert list(betrayed(crawl.answers, facts)) == []
        other = otherwise(true, side)
        put(campaign, true, other)
        differ = crawl.differing()
        put(campaign, other, true)
        assert differ == [], "\n".join(differ)
        read[side] = len(crawl.answers)
    client = signed_in(people["spectator"])
    crawl = crawled(campaign, client, most)
    other = otherwise(otherwise(true, "crown"), "rebel")
    put(campaign, true, other)
    assert crawl.differing() == []
    read["spectator"] = len(crawl.answers)
    umpire = crawled(campaign, signed_in(people["umpire"]), 3)
    assert list(betrayed(umpire.answers, unknown(campaign, other, "crown")))  # the eye that looks can see
    return read


@pytest.mark.slow
@pytest.mark.django_db
def test_hr_fog_01_no_answer_tells_a_side_of_what_it_has_not_learned():
    people = people_make()
    read = judge(played(people, 2), people, 2)
    assert all(count > 20 for count in read.values()), read
