"""Who entered the result of a battle, and how the umpire goes on with it."""

from campaign.fog.seat_roles import UMPIRES
from campaign.fog.visibility import Viewer, battles_for, may_know_seat
from campaign.models import Battle, Seat
from campaign.selectors.turns.provisional_days import turn_words
from campaign.text.place_names import CampaignNames


def describe_result_author(viewer: Viewer, battle: Battle, names: CampaignNames) -> str:
    """Who entered a result, as the viewer may know him: a side's lesser officers are its own affair.

    "" for a battle that waits or that the engine fought, and where nobody is on record.
    """
    if battle.source in ("", "engine") or battle.settled_by_id is None:
        return ""
    seats = list(Seat.objects.filter(campaign=viewer.campaign, user=battle.settled_by_id).order_by("pk"))
    fought = [seat for seat in seats if seat.side in (battle.attacker, battle.defender)]
    if not fought or any(seat.role in UMPIRES for seat in seats):
        return "the umpire" if any(seat.role in UMPIRES for seat in seats) else ""
    known = next((seat for seat in fought if may_know_seat(viewer, seat)), None)
    if known is None or not known.title:
        return names.side(fought[0].side)
    return f"{known.title} ({names.side(known.side)})"


def going_on(viewer: Viewer, battle: Battle, days: int) -> str:
    """The umpire's button that plays the day of a settled battle; `days` have run on beside it.

    "" while another battle waits, and when the day has been played.
    """
    campaign = viewer.campaign
    if not viewer.is_umpire or battle.state != Battle.State.SETTLED:
        return ""
    played = battle.revision != campaign.revision or battle.day < campaign.day
    if played or battles_for(viewer).filter(state=Battle.State.WAITING).exists():
        return ""
    return turn_words(campaign, days, waits=False)
