"""The week's bulletins: written, published, and sent as e-mail (HR-REP-01, HR-REP-02).

They are no part of the chain: the bulletin itself says who published it and when. Each reader gets the
copy of their side and no other.
"""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaign.fog.press import PUBLIC, bulletins_for, closing_record, copies_of, public_weeks
from campaign.fog.seat_roles import seats_in_force
from campaign.fog.viewers import DESK, NotSeated, viewer_of
from campaign.ledger.audit import umpire_note
from campaign.models import (
    Bulletin,
    Campaign,
    DayRecord,
    Notice,
    Seat,
    User,
    clock_time,
    find_time_zone,
    format_time_zone,
)
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.press.bulletin_body import bulletin_body
from campaign.selectors.press.bulletin_page import SheetError, sheet_of
from campaign.selectors.press.bulletins import side_ids
from campaign.services.notifications.notifications import notices_write
from campaign.services.seats.assignment import lock_campaign
from campaign.text.gazette import DAYS_A_WEEK

RULE, UNDONE = "HR-REP-01", "HR-REP-02"
#: Letters of a foreword at the most.
LENGTH = 4000
PUBLISHED = Bulletin.State.PUBLISHED


def foreword_write(
    *, campaign: Campaign, week: int, side: str, foreword: str, before: str, actor: User
) -> Bulletin:
    """Keep the umpire's words before a copy; `before` is what stood there when he began to write.

    Raises RuleViolation when the week is not over, the copy is out, or somebody else has written meanwhile.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        _verify_umpire(campaign, actor)
        record = _get_closing_record(campaign, week)
        if side not in _list_copies(campaign):
            raise RuleViolation(RULE, f"There is no copy of the bulletin for {side or 'the public'}.", "copy")
        text = foreword.replace("\r\n", "\n").strip()
        if len(text) > LENGTH:
            raise RuleViolation(
                RULE, f"The foreword has {len(text):,} letters; shorten it to {LENGTH:,}.", "foreword"
            )
        row, _ = Bulletin.objects.get_or_create(
            campaign=campaign, revision=record.revision, week=week, side=side
        )
        if row.foreword == text:
            return row
        if row.state == PUBLISHED:
            raise RuleViolation(RULE, "The bulletin is out; what was printed stands.", "foreword")
        if row.foreword != before.replace("\r\n", "\n").strip():
            raise RuleViolation(
                RULE,
                "Somebody has changed this foreword since you opened it. It now reads as below your text; "
                "put the two together and keep it again.",
                "foreword",
            )
        row.foreword = text
        row.save()
    return row


def bulletins_publish(*, campaign: Campaign, week: int, actor: User | None) -> int:
    """Publish all copies of a week at once and tell their readers; returns how many are new.

    Published copies stand as they are, so publishing twice is once. `actor` is None for the machine's
    administrator at the command line. Raises RuleViolation while the week runs.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        _verify_umpire(campaign, actor)
        record = _get_closing_record(campaign, week)
        rows = {
            row.side: row
            for row in Bulletin.objects.filter(campaign=campaign, week=week, revision=record.revision)
        }
        new = []
        for side in _list_copies(campaign):
            row = rows.get(side) or Bulletin(
                campaign=campaign, week=week, revision=record.revision, side=side
            )
            if row.state == PUBLISHED:
                continue
            row.body = {
                **bulletin_body(campaign, record, week, side),
                "record_hash": campaign.head.record_hash if campaign.head else "",
            }
            row.state, row.published_at, row.published_by = PUBLISHED, timezone.now(), actor
            row.save()
            new.append(row)
        _notify_readers(campaign, [row for row in new if row.side != PUBLIC], "out")
        public_announce(campaign)
        if new:
            umpire_note(actor, f"the bulletin of week {week} published", campaign)
    return len(new)


def public_announce(campaign: Campaign) -> int:
    """Tell spectators of the public copies they may read by now, each once (HR-SET-12)."""
    weeks = public_weeks(campaign)
    if not weeks:
        return 0
    rows = Bulletin.objects.filter(campaign=campaign, side=PUBLIC, state=PUBLISHED, week__lte=weeks)
    latest = rows.order_by("-week", "-revision").first()
    return _notify_readers(campaign, [latest] if latest is not None else [], "out")


def bulletins_notify_undone(campaign: Campaign, undone: Iterable[DayRecord]) -> int:
    """Notify readers that the bulletins of undone steps are void; returns the notifications' number."""
    rows: list[Bulletin] = []
    for record in undone:
        week = -(-record.day // DAYS_A_WEEK)
        if record.kind == DayRecord.Kind.WEEK or record.day % DAYS_A_WEEK:
            rows += Bulletin.objects.filter(
                campaign=campaign, week=week, revision=record.revision, state=PUBLISHED
            )
    once = {row.pk: row for row in rows}
    told = [row for row in once.values() if row.side != PUBLIC or row.week <= public_weeks(campaign)]
    return _notify_readers(campaign, told, "undone")


def _notify_readers(campaign: Campaign, rows: Iterable[Bulletin], what: str) -> int:
    """Notify everybody who may read each bulletin; returns the number of notifications."""
    seats, count = seats_in_force(campaign), 0
    for row in rows:
        readers = [seat.user for seat in seats if seat.user is not None and _may_read_copy(seat, row.side)]
        count += notices_write(
            campaign=campaign, kind=Notice.Kind.BULLETIN, subject=f"{what} {row.pk}", users=readers
        )
    return count


def _may_read_copy(seat: Seat, side: str) -> bool:
    if side == PUBLIC:
        return seat.role == Seat.Role.SPECTATOR
    return seat.side == side and seat.role in DESK


def _list_copies(campaign: Campaign) -> tuple[str, ...]:
    return copies_of(campaign, tuple(side.id for side in theatre_load(campaign).sides))


def _get_closing_record(campaign: Campaign, week: int) -> DayRecord:
    record = closing_record(campaign, week) if week > 0 else None
    if record is None:
        raise RuleViolation(
            RULE, f"Week {week} is not over; its bulletin can be written when its last day is played.", "week"
        )
    return record


def _verify_umpire(campaign: Campaign, actor: User | None) -> None:
    if actor is None:
        return
    try:
        umpire = viewer_of(actor, campaign).is_umpire
    except NotSeated:
        umpire = False
    if not umpire:
        raise RuleViolation(RULE, f"Only the umpire of {campaign} publishes its bulletins.", "actor")


def bulletin_letter(notice: Notice) -> tuple[str, str, str]:
    """Subject, text and HTML of the letter a notice of a bulletin stands for; HTML is "" for a mere link.

    A reader who has lost the seat meanwhile, or whose copy is gone, gets the link alone.
    """
    campaign = notice.campaign
    what, _, key = notice.subject.partition(" ")
    bulletin = _find_readable_bulletin(notice, int(key)) if key.isdecimal() else None
    site = settings.SITE_URL.rstrip("/")
    if bulletin is None:
        said = "A bulletin is out." if what == "out" else "A bulletin no longer holds."
        return (
            f"{campaign.title}: the week's bulletin",
            f"{said}\n\n{site}{campaign.get_absolute_url()}\n",
            "",
        )
    link = f"{site}{reverse('bulletin', args=[campaign.slug, bulletin.week])}?copy={bulletin.side}"
    title = f"{campaign.title}: the bulletin of week {bulletin.week}"
    if what == "undone":
        text = (
            f"The campaign has gone back before the end of week {bulletin.week}. Its bulletin no longer "
            f"holds; the week is played anew and gets another.\n\n{link}\n"
        )
        return f"{title} is overtaken", text, ""
    try:
        sheet = sheet_of(bulletin.body, theatre_load(campaign))
    except SheetError:
        return title, f"The bulletin is out.\n\n{link}\n", ""
    zone = find_time_zone(notice.user, campaign)
    facts = {
        "campaign": campaign,
        "bulletin": bulletin,
        "sheet": sheet,
        "link": link,
        "deadline": clock_time(sheet.deadline, zone) if sheet.deadline else None,
        "zone": format_time_zone(zone),
    }
    lines = render_to_string("campaign/email/bulletin.txt", facts).splitlines()
    text = "\n".join(line.rstrip() for line in lines).strip() + "\n"
    return title, text, render_to_string("campaign/email/bulletin.html", facts)


def _find_readable_bulletin(notice: Notice, key: int) -> Bulletin | None:
    try:
        viewer = viewer_of(notice.user, notice.campaign, also=(Seat.Role.SPECTATOR,))
    except NotSeated:
        return None
    sides = side_ids(theatre_load(notice.campaign))
    return bulletins_for(viewer, sides).filter(pk=key, state=Bulletin.State.PUBLISHED).first()
