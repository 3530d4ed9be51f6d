"""What holds up no other notice, and loses none: workers that die, what cannot be written (HR-DUE-08)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Delivery, Notice
from campaign.services.notifications import delivery as sending
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.transports import message_send
from tests.factories.notices import addressed, tell

pytestmark = pytest.mark.django_db


def test_a_worker_that_died_with_a_letter_has_it_sent_under_the_same_name_hr_due_08(
    saratoga, burgoyne, post, monkeypatch
):
    """At least once: it went out, and nobody wrote that down; the receiver knows it by its name."""
    tell(saratoga, addressed(burgoyne))

    def dies(message, channel):
        message_send(message, channel)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sending, "message_send", dies)
        with pytest.raises(KeyboardInterrupt):
            notices_send()
    assert notices_send() == 0  # its lease still runs
    Delivery.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert notices_send() == 1
    first, second = (letter["Message-ID"] for _, letter in post.letters)
    assert first == second and Notice.objects.get().state == "sent"


def test_a_worker_that_died_while_it_wrote_down_a_letter_leaves_no_half_hr_due_08(
    saratoga, burgoyne, post, monkeypatch
):
    """Between the letter's state and its notice's, as a proof of kills found it: being sent for ever."""
    tell(saratoga, addressed(burgoyne))

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sending, "notices_sum_up", dies)
        with pytest.raises(KeyboardInterrupt):
            notices_send()
    assert Delivery.objects.get().state == "sending"
    Delivery.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert notices_send() == 1
    first, second = (letter["Message-ID"] for _, letter in post.letters)
    assert first == second and Notice.objects.get().state == "sent"


def test_a_notice_that_cannot_be_written_holds_up_no_other_hr_due_08(
    saratoga, burgoyne, gates, post, monkeypatch
):
    tell(saratoga, addressed(burgoyne), subject="broken")
    tell(saratoga, addressed(gates, "gates@example.org"))
    letter = sending.format_email

    def broken(notice):
        if notice.subject == "broken":
            raise ZeroDivisionError
        return letter(notice)

    monkeypatch.setattr(sending, "format_email", broken)
    assert notices_send() == 1
    assert Notice.objects.get(user=burgoyne).error == "It could not be written; the log says why."
    assert Notice.objects.get(user=gates).state == "sent"


def test_a_stroke_of_the_clock_ends_and_leaves_the_rest_for_the_next(saratoga, burgoyne, gates, post):
    tell(saratoga, addressed(burgoyne), addressed(gates, "gates@example.org"))
    assert notices_send(seconds=-1) == 0 and Notice.objects.filter(state="sending").count() == 2
    assert notices_send() == 2
