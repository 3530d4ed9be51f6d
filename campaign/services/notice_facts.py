"""Facts of notifications, read for many at once so that a list costs no query for each.

Of battles and days they are what the reader's side knows (`selectors/notifications/facts.py`).
"""

from collections.abc import Iterable, Mapping

from campaign.fog.seat_roles import deputies_acting, describe_absences, load_held_seats, umpires_of
from campaign.ledger.provisional_days import coming_day, coming_days
from campaign.models import Bulletin, Campaign, Job, Notice, Seat, User
from campaign.selectors.notifications.facts import facts_add
from campaign.selectors.turns.deadlines import drafts_unsent
from campaign.text.place_names import format_id, join_names
from rosters.models import Formation

Kind = Notice.Kind
POLICIES = {
    Campaign.MissedOrders.CARRY_ON: "Your formations carry on with what they were told before.",
    Campaign.MissedOrders.HALT: "Columns that follow or intercept halt.",
    Campaign.MissedOrders.STAFF: "Your staff writes the orders.",
}


def complete_notices(notices: Iterable[Notice]) -> list[Notice]:
    """Write on notices the facts they carry, in a few queries for each campaign, and return them."""
    rows = list(notices)
    played = {row.campaign_id: row.campaign for row in rows if row.kind == Kind.PUBLISHED}
    rows = facts_add(rows, coming_days(played.values()) if played else {})
    campaigns = {row.campaign_id: row.campaign for row in rows}
    groups: dict[str, list[Notice]] = {}
    for row in rows:
        row.campaign = campaigns[row.campaign_id]
        groups.setdefault(row.kind, []).append(row)
    _add_policies(groups.get(Kind.LATE, []))
    _add_absences(groups.get(Kind.AWAY, []))
    _add_drafts(groups.get(Kind.DUE, []))
    _add_hashes(groups.get(Kind.BULLETIN, []))
    _add_takers([row for row in groups.get(Kind.VACANT, []) if row.subject.startswith("taken ")])
    _add_refusals([row for row in groups.get(Kind.OVERDUE, []) if row.subject.startswith("failed refused ")])
    return rows


def _add_policies(notices: list[Notice]) -> None:
    """Add the consequence of giving no orders; a column's holder is shown that of their column."""
    asked = [row for row in notices if row.campaign.missed_orders != Campaign.MissedOrders.CARRY_ON]
    columns = Seat.objects.filter(
        role=Seat.Role.COLUMN,
        campaign__in={row.campaign_id for row in asked},
        user__in={row.user_id for row in asked},
    )
    with_column = set(columns.values_list("campaign", "user")) if asked else set()
    for row in notices:
        row.facts = POLICIES[Campaign.MissedOrders(row.campaign.missed_orders)]
        if (row.campaign_id, row.user_id) in with_column:
            own = POLICIES[Campaign.MissedOrders.CARRY_ON]
            row.facts = f"{own} If nobody of your side gave any: {row.facts}"


def _add_absences(notices: list[Notice]) -> None:
    """Which commanders are away and who stands for them, for those who are umpires now."""
    seats_by_campaign = load_held_seats({row.campaign for row in notices}) if notices else {}
    absences = {key: _list_absences(seats) for key, seats in seats_by_campaign.items()}
    umpires = {key: {user.pk for user in umpires_of(seats)} for key, seats in seats_by_campaign.items()}
    for row in notices:
        row.facts = absences[row.campaign_id] if row.user_id in umpires[row.campaign_id] else ""


def _list_absences(seats: list[Seat]) -> str:
    commanders = [seat for seat in seats if seat.role == Seat.Role.COMMANDER and seat.user is not None]
    acting, absent = deputies_acting(seats), describe_absences(commanders)
    lines = []
    for seat in commanders:
        if seat.pk in absent:
            names = " and ".join(str(deputy.user) for deputy in acting.get(seat.pk, []))
            lines.append(f"{seat}: {absent[seat.pk]}; {f'{names} may act' if names else 'no deputy'}.")
    return " ".join(lines) or "Everybody is back."


def _add_drafts(notices: list[Notice]) -> None:
    """Which drafts of the reader's are not submitted. Of a deadline that is over nothing: its day is over."""
    for row in notices:
        deadline = row.campaign.deadline
        row.facts = ""
        if deadline is not None and deadline.isoformat() == row.subject:
            row.facts = _list_drafts(row)


def _list_drafts(notice: Notice) -> str:
    """The drafts by the names of their formations."""
    campaign = notice.campaign
    drafts = drafts_unsent(campaign, coming_day(campaign)).filter(submitted_by=notice.user)
    subjects = list(drafts.order_by("formation").values_list("formation", flat=True).distinct())
    if not subjects:
        return ""
    known = dict(
        Formation.objects.filter(order_of_battle=campaign.order_of_battle_id, slug__in=subjects).values_list(
            "slug", "name"
        )
    )
    names = join_names(known.get(subject, format_id(subject)) for subject in subjects)
    if len(subjects) == 1:
        return f"Your draft for {names} is not submitted, so it does not count."
    return f"Your drafts for {names} are not submitted, so they do not count."


def _add_hashes(notices: list[Notice]) -> None:
    """The hash that a bulletin prints, for whoever keeps the notice to compare (HR-PRF-03)."""
    keys = {row.pk: _bulletin_key(row) for row in notices}
    asked = {key for key in keys.values() if key}
    bulletins: Mapping[int, Bulletin] = Bulletin.objects.in_bulk(asked) if asked else {}
    for row in notices:
        bulletin = bulletins.get(keys[row.pk])
        printed = str(bulletin.body.get("record_hash", "")) if bulletin is not None else ""
        row.facts = f"Last hash of the chain: {printed}." if printed else ""


def _add_refusals(notices: list[Notice]) -> None:
    """Why a day was refused (HR-DUE-14); nothing once it has been asked for again."""
    keys = {row.pk: int(row.subject.rpartition(" ")[2]) for row in notices}
    said = dict(Job.objects.filter(pk__in=keys.values()).values_list("pk", "error")) if keys else {}
    for row in notices:
        row.facts = said.get(keys[row.pk], "")


def _add_takers(notices: list[Notice]) -> None:
    """A seat that somebody took (HR-SET-10, HR-SET-13)."""
    keys = {row.pk: int(row.subject.split(" ")[2]) for row in notices}
    users = User.objects.in_bulk(set(keys.values())) if keys else {}
    for row in notices:
        user = users.get(keys[row.pk])
        row.facts = (user.get_full_name() or user.get_username()) if user is not None else "Somebody"


def _bulletin_key(notice: Notice) -> int:
    """The key of the bulletin a notice is about, 0 for none."""
    what, _, key = notice.subject.partition(" ")
    return int(key) if what == "out" and key.isdecimal() else 0
