"""A formation's page: names and points of its units mended in place for one reason."""

import pytest
from django.urls import reverse

from campaign.models import DayRecord
from campaign.services.proof.database import campaign_verify
from rosters.models import Formation, Unit

WHY = "The returns of the morning."


@pytest.fixture
def corps(saratoga):
    return Formation.objects.get(order_of_battle=saratoga.order_of_battle, slug="advanced_corps")


def sent(campaign, corps, changes, **more):
    """The roll as its page sends it, with some fields changed: {(unit, "points"): "60"}."""
    campaign.refresh_from_db()
    data = {"head": campaign.head_id, "reason": WHY, **more}
    for unit in corps.units.order_by("name", "pk")[:100]:
        for name in ("name", "points"):
            data[f"was-{name}-{unit.pk}"] = getattr(unit, name)
            data[f"{name}-{unit.pk}"] = changes.get((unit.pk, name), getattr(unit, name))
    return data


def address(corps):
    return reverse("umpire:rosters_formation_roll", args=[corps.pk])


def test_the_roll_shows_every_unit_without_a_list_to_choose_from(desk, corps):
    text = desk.get(reverse("umpire:rosters_formation_change", args=[corps.pk])).content.decode()
    assert all(f'name="points-{unit.pk}"' in text for unit in corps.units.all())
    assert "<select" not in text and "Garrison" in text


def test_names_and_points_are_mended_together(desk, saratoga, corps):
    """HR-UMP-31."""
    first, second = corps.units.order_by("name")[:2]
    changes = {(first.pk, "name"): "The Marksmen", (first.pk, "points"): "60", (second.pk, "points"): "61"}
    data = sent(saratoga, corps, changes)
    text = desk.post(address(corps), data, follow=True).content.decode()
    assert "3 acts" in text and "Undo" in text
    assert Unit.objects.get(pk=first.pk).name == "The Marksmen"
    assert [Unit.objects.get(pk=unit.pk).points for unit in (first, second)] == [60, 61]
    assert DayRecord.objects.filter(kind="act", reason=WHY).count() == 3
    desk.post(address(corps), data)  # the second click
    assert DayRecord.objects.filter(kind="act").count() == 3
    saratoga.refresh_from_db()
    assert campaign_verify(campaign=saratoga)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("points", "121", "HR-UMP-05"),
        ("points", "many", "whole number from 0 to 120"),
        ("points", "-5", "whole number from 0 to 120"),
        ("name", " ", "HR-UMP-06"),
    ],
)
def test_what_is_wrong_is_told_at_its_unit_and_nothing_is_done(desk, saratoga, corps, name, value, sentence):
    first, second = corps.units.order_by("name")[:2]
    data = sent(saratoga, corps, {(first.pk, "points"): "60", (second.pk, name): value})
    answer = desk.post(address(corps), data)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text[text.index(f'id="wrong-{second.pk}"') :].partition("</p>")[0]
    assert f'name="points-{first.pk}" value="60"' in text  # what was written stands there still
    assert not DayRecord.objects.filter(kind="act").exists()


def test_without_a_reason_or_a_change_nothing_is_done(desk, saratoga, corps):
    unit = corps.units.first()
    wanting = desk.post(address(corps), sent(saratoga, corps, {(unit.pk, "points"): "60"}, reason=" "))
    assert wanting.status_code == 422 and "Say why" in wanting.content.decode()
    nothing = desk.post(address(corps), sent(saratoga, corps, {}))
    assert nothing.status_code == 422 and "There is nothing to do" in nothing.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_formation_of_three_hundred_units_is_paged(desk, saratoga, corps):
    facts = Unit.objects.filter(formation=corps).values().first()
    made = [Unit(**{**facts, "id": None, "slug": f"more_{n}", "name": f"More {n:03}"}) for n in range(300)]
    Unit.objects.bulk_create(made)
    page = reverse("umpire:rosters_formation_change", args=[corps.pk])
    first, fourth = (desk.get(f"{page}?units={n}").content.decode() for n in (1, 4))
    assert first.count('name="was-points-') == 100
    assert "More 299" in fourth and "More 000" not in fourth
