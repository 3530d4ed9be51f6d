"""A bulletin as a letter, text and HTML: each reader gets his own copy and no other (HR-REP-01)."""

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from campaign.fog.press import bulletins_for
from campaign.fog.viewers import NotSeated, viewer_of
from campaign.models import Bulletin, Notice, Seat, clock_time, find_time_zone, format_time_zone
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.press.bulletin_page import SheetError, sheet_of
from campaign.selectors.press.bulletins import side_ids


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
