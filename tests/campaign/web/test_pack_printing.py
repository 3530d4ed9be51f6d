"""The battle pack's PDF is made by a worker: asked for, being made, kept, made anew (HR-TAB-23)."""

import html

from django.core.cache import cache

from campaign.models import Job
from campaign.tasks import run_job


def text(client, battle, query="") -> str:
    return html.unescape(client.get(f"{address(battle)}{query}").content.decode())


def address(battle) -> str:
    return f"/campaigns/saratoga/battles/{battle.pk}/pack/"


def ask(client, battle, query=""):
    return client.post(f"/campaigns/saratoga/battles/{battle.pk}/pack.pdf{query}")


def test_the_page_says_that_it_is_being_made_and_then_has_it(crown, battle):
    cache.clear()
    pdf = f"/campaigns/saratoga/battles/{battle.pk}/pack.pdf?paper=letter"
    assert "Make the PDF" in text(crown, battle, "?paper=letter")
    answer = crown.get(pdf)
    assert answer.status_code == 302 and answer["Location"] == f"{address(battle)}?paper=letter"
    assert not Job.objects.exists(), "looking at it asks for nothing"
    for _ in range(2):  # pressed twice it is one
        assert ask(crown, battle, "?paper=letter")["Location"] == f"{address(battle)}?paper=letter"
    job = Job.objects.get()
    page = text(crown, battle, "?paper=letter")
    assert "The PDF is being made." in page and "<progress" in page and "Make the PDF" not in page
    assert "Make the PDF" in text(crown, battle), "on other paper it is another"
    run_job(job.pk)
    assert "PDF to print</a>" in text(crown, battle, "?paper=letter")
    assert crown.get(pdf)["Content-Type"] == "application/pdf"
    ask(crown, battle, "?paper=letter")
    assert Job.objects.count() == 1


def test_what_is_kept_no_longer_or_has_changed_is_made_anew(desk, battle):
    cache.clear()
    ask(desk, battle)
    run_job(Job.objects.get().pk)
    battle.adjusted = [{"changes": {"rain": -2}, "reason": "A storm."}]
    battle.save()
    assert "Make the PDF" in text(desk, battle)
    battle.adjusted = []
    battle.save()
    assert "PDF to print" in text(desk, battle)
    cache.clear()
    ask(desk, battle)
    assert Job.objects.count() == 2
    cache.clear()
    second = Job.objects.order_by("pk").last()
    run_job(second.pk)
    assert "asked for too long ago" in text(desk, battle) and "Make the PDF" in text(desk, battle)


def test_the_umpire_finds_it_under_work_in_hand(desk, battle):
    cache.clear()
    ask(desk, battle, "?copy=crown")
    page = html.unescape(desk.get("/campaigns/saratoga/jobs/").content.decode())
    assert f'href="{address(battle)}?copy=crown">A battle pack for the printer' in page


def test_the_umpire_and_a_side_who_ask_for_one_copy_ask_once(crown, desk, battle):
    cache.clear()
    ask(crown, battle)
    ask(desk, battle, "?copy=crown")
    assert Job.objects.count() == 1
