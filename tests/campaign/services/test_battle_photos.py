"""Photographs of a fight on the table: made anew, counted, seen by who may (HR-TAB-07)."""

from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from campaign.models import Battle, BattlePhoto
from campaign.rules.errors import RuleViolation
from campaign.services import battle_photos
from campaign.services.battle_photos import battle_photo_add, battle_photo_remove
from campaign.services.battles import battle_settle_by_word
from campaign.visibility import viewer_of
from campaign.visible_battles import photos_for


def picture(size=(2000, 1000), form="JPEG", turned: int = 0) -> BytesIO:
    """A picture as a phone sends it, with where it was taken, and turned if it was held upright."""
    exif = Image.Exif()
    exif[0x010F] = "A telephone"
    if turned:
        exif[0x0112] = turned
    made = BytesIO()
    Image.new("RGB", size, "olive").save(made, form, exif=exif)
    made.seek(0)
    return made


def add(battle, actor, side="crown", file=None, caption="The redoubt") -> BattlePhoto:
    return battle_photo_add(battle=battle, side=side, file=file or picture(), caption=caption, actor=actor)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_photograph_is_made_anew_smaller_and_without_what_the_phone_added(battle, burgoyne, form):
    kept = add(battle, burgoyne, file=picture(form=form))
    with Image.open(BytesIO(bytes(kept.image))) as shown:
        assert (shown.format, shown.size) == ("JPEG", (1600, 800))
        assert not shown.getexif() and "exif" not in shown.info
    assert b"A telephone" not in bytes(kept.image) and kept.caption == "The redoubt"


def test_neither_comment_nor_place_goes_with_it(battle, burgoyne):
    sent, text = BytesIO(), PngInfo()
    Image.new("RGB", (40, 20)).save(sent, "JPEG", comment=b"At Ann's", xmp=b"<x>At Ann's</x>")
    text.add_text("comment", "At Ann's")
    other = BytesIO()
    Image.new("RGB", (40, 20)).save(other, "PNG", pnginfo=text)
    for file in (sent, other):
        assert b"At Ann's" in file.getvalue()
        file.seek(0)
        assert b"At Ann's" not in bytes(add(battle, burgoyne, file=file).image)


def test_one_held_upright_stands_upright(battle, burgoyne):
    kept = add(battle, burgoyne, file=picture((400, 200), turned=6))
    with Image.open(BytesIO(bytes(kept.image))) as shown:
        assert shown.size == (200, 400)


def test_what_is_no_photograph_is_refused_in_words(battle, burgoyne, monkeypatch):
    gif = BytesIO()
    Image.new("RGB", (8, 8)).save(gif, "GIF")
    cut = BytesIO(picture().getvalue()[:900])
    for wrong in (BytesIO(b"not a picture"), BytesIO(), BytesIO(gif.getvalue()), cut):
        with pytest.raises(RuleViolation, match="JPEG, PNG or WebP"):
            add(battle, burgoyne, file=wrong)
    monkeypatch.setattr(battle_photos, "LARGEST", 500)
    with pytest.raises(RuleViolation, match="smaller"):
        add(battle, burgoyne)
    monkeypatch.undo()
    monkeypatch.setattr(battle_photos, "MOST_PIXELS", 1000)
    with pytest.raises(RuleViolation, match="million points"):
        add(battle, burgoyne)
    with pytest.raises(RuleViolation, match="caption"):
        add(battle, burgoyne, caption="x" * 201)
    assert not BattlePhoto.objects.exists()


def test_so_many_and_no_more(battle, burgoyne, gates, monkeypatch):
    monkeypatch.setattr(battle_photos, "MOST", 1)
    first = add(battle, burgoyne)
    with pytest.raises(RuleViolation, match="here already"):
        add(battle, burgoyne)
    add(battle, gates, side="rebel")
    battle_photo_remove(battle=battle, photo=first.pk, actor=burgoyne)
    battle_photo_remove(battle=battle, photo=first.pk, actor=burgoyne)
    add(battle, burgoyne)


def test_the_enemys_photographs_are_seen_once_the_result_is_confirmed(battle, burgoyne, gates, carleton):
    own, other = add(battle, burgoyne), add(battle, gates, side="rebel")

    def seen(person) -> set[int]:
        current = Battle.objects.get(pk=battle.pk)
        return {photo.pk for photo in photos_for(viewer_of(person, current.campaign), current)}

    assert (seen(burgoyne), seen(gates), seen(carleton)) == ({own.pk}, {other.pk}, {own.pk, other.pk})
    battle_photo_remove(battle=battle, photo=other.pk, actor=burgoyne)
    assert seen(gates) == {other.pk}
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    assert seen(burgoyne) == seen(gates) == {own.pk, other.pk}
    with pytest.raises(RuleViolation, match="is settled"):
        add(battle, burgoyne)
    with pytest.raises(RuleViolation, match="is settled"):
        battle_photo_remove(battle=battle, photo=own.pk, actor=burgoyne)


def test_who_enters_nothing_there_sends_no_photograph(battle, burgoyne):
    with pytest.raises(RuleViolation) as refused:
        add(battle, burgoyne, side="rebel")
    assert refused.value.rule_id == "HR-TAB-01"
