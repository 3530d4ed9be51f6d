"""Photographs on the pages of a battle (HR-TAB-07)."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import BattleEntry, BattlePhoto
from campaign.services.battles.settlement import battle_settle_by_word
from tests.campaign.services.battles.test_photos import picture

PAGE = "/campaigns/saratoga/battles/"


@pytest.fixture
def photo(crown, battle) -> BattlePhoto:
    files = [
        SimpleUploadedFile("table.jpg", picture((60, 40)).getvalue()),
        SimpleUploadedFile("notes.jpg", b"not a picture"),
    ]
    data = {"notes": "Half-way.", "draft": "", "photo": files, "caption": "The wood"}
    answer = crown.post(f"{PAGE}{battle.pk}/result/", data, follow=True)
    assert "notes.jpg: The site cannot read this photograph" in answer.content.decode()
    return BattlePhoto.objects.get()


def address(photo) -> str:
    return f"{PAGE}{photo.battle_id}/photos/{photo.pk}/"


def test_a_photograph_comes_with_the_form_and_nothing_entered_is_lost(crown, photo):
    assert BattleEntry.objects.get().body == {"notes": "Half-way."}
    page = crown.get(f"{PAGE}{photo.battle_id}/result/").content.decode()
    assert address(photo) in page and "The wood" in page
    answer = crown.get(address(photo))
    assert answer.headers["Content-Type"] == "image/jpeg" and answer.content.startswith(b"\xff\xd8")
    assert "private" in answer.headers["Cache-Control"]


def test_it_is_seen_by_its_side_and_the_umpire_until_the_result_is_confirmed(
    crown, rebel, desk, stranger, battle, photo
):
    shown = {name: client.get(address(photo)).status_code for name, client in (
        ("crown", crown), ("desk", desk), ("rebel", rebel), ("stranger", stranger), ("nobody", Client())
    )}  # fmt: skip
    assert shown == {"crown": 200, "desk": 200, "rebel": 404, "stranger": 404, "nobody": 302}
    assert "photos/" not in rebel.get(f"{PAGE}{battle.pk}/").content.decode()
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    assert rebel.get(address(photo)).status_code == 200 and stranger.get(address(photo)).status_code == 404
    assert address(photo) in rebel.get(f"{PAGE}{battle.pk}/").content.decode()


def test_it_is_taken_away_by_its_side(crown, rebel, photo):
    rebel.post(f"{address(photo)}remove/")
    assert BattlePhoto.objects.exists()
    crown.post(f"{address(photo)}remove/")
    assert not BattlePhoto.objects.exists()
    assert crown.get(address(photo)).status_code == 404
