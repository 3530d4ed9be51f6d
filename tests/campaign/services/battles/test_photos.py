"""Photographs of a fight on the table: made anew, counted, seen by who may (HR-TAB-07)."""

import os
import subprocess
import sys
from io import BytesIO
from threading import BoundedSemaphore

import pytest
from django.conf import settings
from filelock import FileLock
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from campaign.fog.battles import photos_for
from campaign.fog.visibility import viewer_of
from campaign.models import Battle, BattlePhoto
from campaign.rules.errors import RuleViolation
from campaign.services.battles import photos
from campaign.services.battles.photos import battle_photo_add, battle_photo_remove
from campaign.services.battles.settlement import battle_settle_by_word


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
    monkeypatch.setattr(photos, "LARGEST", 500)
    with pytest.raises(RuleViolation, match="smaller"):
        add(battle, burgoyne)
    monkeypatch.undo()
    monkeypatch.setitem(photos.MOST_PIXELS, "JPEG", 1000)
    with pytest.raises(RuleViolation, match="too many pixels"):
        add(battle, burgoyne)
    with pytest.raises(RuleViolation, match="caption"):
        add(battle, burgoyne, caption="x" * 201)
    assert not BattlePhoto.objects.exists()


@pytest.mark.parametrize(
    ("form", "size", "says"),
    [
        ("PNG", (4001, 4000), "At most are taken: 60 million as JPEG, 16 million as PNG, 8 million as WebP."),
        ("WEBP", (2829, 2829), "The photograph has too many pixels."),
        ("JPEG", (7750, 7750), "Make it smaller."),
        ("WEBP", (7700, 7700), "with at most 8 million pixels it is certainly small enough."),
    ],
)
def test_what_unpacks_to_hundreds_of_megabytes_is_refused(battle, burgoyne, form, size, says):
    with pytest.raises(RuleViolation) as refused:
        add(battle, burgoyne, file=picture(size, form))
    assert says in refused.value.message and refused.value.field == "photo"
    assert not BattlePhoto.objects.exists()


def test_this_process_never_decodes_a_photograph(battle, burgoyne, monkeypatch):
    file = picture()
    monkeypatch.setattr(Image, "open", None)
    add(battle, burgoyne, file=file)


def test_one_that_wants_more_memory_than_it_may_have_is_refused(battle, burgoyne, monkeypatch):
    monkeypatch.setattr(photos, "MEMORY", 60 * 2**20)
    file = BytesIO()
    Image.new("RGB", (5000, 4000)).save(file, "JPEG", progressive=True, subsampling=0)
    file.seek(0)
    with pytest.raises(RuleViolation, match="cannot read this photograph"):
        add(battle, burgoyne, file=file)


def test_while_another_is_decoded_one_waits_and_is_told(battle, burgoyne, monkeypatch):
    monkeypatch.setattr(photos, "LONGEST_WAIT", 0)
    with (
        FileLock(settings.VAR_DIR / "photographs.lock"),
        pytest.raises(RuleViolation, match=r"being read just now\. Send this one again\."),
    ):
        add(battle, burgoyne)


#: Another process of the site: it holds the lock until its input ends.
HOLDER = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_several_web_processes_decode_one_at_a_time_and_none_is_forked(
    battle, burgoyne, monkeypatch, settings, tmp_path
):
    """While another process decodes none is started here; when that one is killed the next is taken.

    The system starts the program afresh (vfork): nothing of the server's threads and memory is copied.
    """
    settings.VAR_DIR = tmp_path
    started = []
    run = subprocess.run

    def counted(*args, **more):
        started.append(more)
        return run(*args, **more)

    monkeypatch.setattr(photos.subprocess, "run", counted)
    monkeypatch.setattr(photos, "LONGEST_WAIT", 0)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("the server was forked"))
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "photographs.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(RuleViolation, match="Other photographs are being read just now"):
            add(battle, burgoyne)
        assert started == []
        other.kill()
    add(battle, burgoyne)
    assert len(started) == 1 and "preexec_fn" not in started[0] and subprocess._USE_VFORK


def test_one_that_waits_for_others_holds_no_bytes_and_few_wait(battle, burgoyne, monkeypatch):
    """Half the threads of a process go on serving pages while photographs wait."""
    monkeypatch.setattr(photos, "WAITING", BoundedSemaphore(1))
    assert photos.WAITING.acquire(blocking=False)
    read = []
    monkeypatch.setattr(photos, "bytes_of", lambda *args: read.append(args))
    with pytest.raises(RuleViolation, match="Other photographs are being read just now"):
        add(battle, burgoyne)
    assert read == []


def test_one_of_several_pictures_is_its_first(battle, burgoyne):
    file = BytesIO()
    Image.new("RGB", (400, 300)).save(file, "MPO", save_all=True, append_images=[Image.new("RGB", (90, 90))])
    file.seek(0)
    with Image.open(BytesIO(bytes(add(battle, burgoyne, file=file).image))) as shown:
        assert (shown.format, shown.size) == ("JPEG", (400, 300))


def test_so_many_and_no_more(battle, burgoyne, gates, monkeypatch):
    monkeypatch.setattr(photos, "MOST", 1)
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
