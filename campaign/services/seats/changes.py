"""Seats opened, filled, dated, offered and closed during a campaign (HR-SET-04, HR-SET-07 to HR-SET-12)."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from campaign.fog.seat_roles import DEPUTISED
from campaign.ledger.dice import verify_secret
from campaign.models import Battle, Campaign, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import SPECTATORS, Conduct, SettingChange, conduct_text
from campaign.scenarios.theatres import theatre_load
from campaign.services.notifications.notifications import (
    notices_write,
    seat_empty_tell,
    seat_lost_tell,
    seat_taken_tell,
)
from campaign.services.seats.assignment import (
    RULE,
    SINGLE,
    Role,
    has_overlapping_dates,
    lock_campaign,
    seat_put,
    seats_note,
    sides_of,
    tenure_end,
    verify_actor,
    verify_column,
)
from campaign.services.umpire.corrections import act_perform, find_act_since
from rosters.domain.text import name_fault, normalize_name

TITLES = {
    Role.UMPIRE: "Umpire",
    Role.ASSISTANT: "Assistant umpire",
    Role.RESERVE: "Reserve",
    Role.SPECTATOR: "Spectator",
}


def seat_open(
    *,
    campaign: Campaign,
    role: str,
    side: str = "",
    title: str = "",
    formations: Iterable[str] = (),
    stands_for: Seat | None = None,
    battle: Battle | None = None,
    from_day: int = 0,
    until_day: int | None = None,
    user: User | None = None,
    actor: User | None,
) -> Seat:
    """Make a seat, empty or with its holder. `actor` is the umpire, or None for the machine.

    A deputy's side is that of the seat he stands for; a guest has a battle and one of its sides. Raises
    RuleViolation with the field that is wrong.
    """
    if user is not None:
        verify_secret(campaign)
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        verify_actor(campaign, actor)
        if role not in Role.values:
            raise RuleViolation(RULE, f"There is no seat of a {role}; choose a role of the list.", "role")
        seat = Seat(
            campaign=campaign,
            role=role,
            side=stands_for.side if role == Role.DEPUTY and stands_for is not None else side,
            formations=list(dict.fromkeys(formations)) if role == Role.COLUMN else [],
            stands_for=stands_for if role == Role.DEPUTY else None,
            battle=battle if role == Role.GUEST else None,
            from_day=from_day,
            until_day=until_day,
        )
        _verify_seat(seat)
        seat.title = _one_line(title) or _build_title(seat)
        if user is None and role != Role.UMPIRE:
            seat.save()
        else:
            seat_put(seat, user)
        seats_note(actor, f"{seat} opened{_describe_recipient(user)}", campaign)
    return seat


def seat_fill(*, seat: Seat, user: User | None, actor: User | None) -> Seat:
    """Give any seat to a person, or with None leave it empty. Orders already submitted stand.

    `actor` is the umpire, or None for the machine, as when an invitation is taken up. Raises RuleViolation.
    """
    if user is not None:
        verify_secret(seat.campaign)
    with transaction.atomic():
        seat = _lock_seat(seat)
        verify_actor(seat.campaign, actor)
        before = seat.user
        seat_put(seat, user)
        if before not in (user, actor):
            seat_lost_tell(seat=seat, user=before)
        if user is None:
            seat_empty_tell(seat=seat, why="emptied", actor=actor, before=before)
        seats_note(actor, f"{seat} given{_describe_recipient(user)}", seat.campaign)
    return seat


def seat_close(*, seat: Seat, actor: User | None) -> None:
    """Take a seat away, and its deputies'; the umpire's and a side's command stay and are emptied instead."""
    with transaction.atomic():
        seat = _lock_seat(seat)
        verify_actor(seat.campaign, actor)
        if seat.role in SINGLE and seat.holds(seat.campaign.day):
            raise RuleViolation(
                RULE, f"{seat} cannot be closed while it is held; give it to somebody else or end it.", "seat"
            )
        for gone in (*seat.deputies.select_related("user"), seat):
            tenure_end(gone)
            if gone.user != actor:
                seat_lost_tell(seat=gone, user=gone.user)
        seats_note(actor, f"{seat} closed", seat.campaign)
        seat.deputies.all().delete()
        seat.delete()


def seat_leave(*, seat: Seat, user: User) -> None:
    """A person gives up his own seat: one that only looks on or waits goes, a command is left empty.

    Raises RuleViolation for the umpire, who hands his seat on first.
    """
    with transaction.atomic():
        seat = _lock_seat(seat)
        if seat.user_id != user.pk:
            raise RuleViolation(RULE, "That seat is not yours.", "seat")
        if seat.role in (Role.RESERVE, Role.SPECTATOR, Role.GUEST):
            seat_empty_tell(seat=seat, why="left", actor=user, before=user)
            tenure_end(seat)
            seat.delete()
        else:
            seat_put(seat, None)
            seat_empty_tell(seat=seat, why="left", actor=user, before=user)


def seat_dates_set(*, seat: Seat, from_day: int, until_day: int | None, actor: User | None) -> Seat:
    """Set the campaign days on whose mornings a seat begins and ends (HR-SET-07). Raises RuleViolation."""
    with transaction.atomic():
        seat = _lock_seat(seat)
        verify_actor(seat.campaign, actor)
        seat.from_day, seat.until_day = from_day, until_day
        _verify_dates(seat)
        if seat.user is not None:
            seat_put(seat, seat.user)
        else:
            seat.save()
        until = "" if until_day is None else f" until day {until_day}"
        seats_note(actor, f"{seat} held from day {from_day}{until}", seat.campaign)
    return seat


def seat_pass(
    *, seat: Seat, day: int, user: User | None, title: str = "", actor: User | None
) -> tuple[Seat, Seat]:
    """Command passes on the morning of a campaign day: the seat ends there and another begins (HR-SET-07).

    Returns both. The other keeps side, formations and deputies; it may be empty for now.
    """
    if user is not None:
        verify_secret(seat.campaign)
    with transaction.atomic():
        seat = _lock_seat(seat)
        verify_actor(seat.campaign, actor)
        if not (seat.campaign.day < day and seat.from_day < day and (seat.until_day or day + 1) > day):
            raise RuleViolation(
                "HR-SET-07", "Command passes on a morning to come on which the seat is still held.", "day"
            )
        deputies = list(seat.deputies.exclude(until_day__lte=day).select_related("user"))
        following, later = _split_seat(seat, day), [_split_seat(deputy, day) for deputy in deputies]
        following.title = _one_line(title) or seat.title
        seat_put(following, user)
        for deputy, split in zip(deputies, later, strict=True):
            split.stands_for = following
            stays = deputy.user is not None and deputy.user.is_active and deputy.user != user
            seat_put(split, deputy.user if stays else None)
        if seat.user not in (user, actor):
            morning = theatre_load(seat.campaign).start + timedelta(days=day)
            seat_lost_tell(seat=seat, user=seat.user, morning=morning)
        seats_note(actor, f"{seat} passes on day {day}{_describe_recipient(user)}", seat.campaign)
    return seat, following


def _split_seat(seat: Seat, day: int) -> Seat:
    """End a seat on a morning and return its unsaved continuation from then on."""
    following = Seat(
        campaign=seat.campaign,
        role=seat.role,
        side=seat.side,
        title=seat.title,
        formations=list(seat.formations),
        stands_for=seat.stands_for,
        battle=seat.battle,
        from_day=max(day, seat.from_day),
        until_day=seat.until_day,
    )
    if seat.from_day >= day:  # it had not begun: it only changes whom it stands for
        tenure_end(seat)
        seat.delete()
    else:
        seat.until_day = day
        seat.save(update_fields=["until_day"])
    return following


# --- the reserve ---


def seat_offer(*, seat: Seat, offered: bool, actor: User | None) -> Seat:
    """Offer an empty seat to the reserve, or take the offer back (HR-SET-10)."""
    if offered:
        verify_secret(seat.campaign)
    with transaction.atomic():
        seat = _lock_seat(seat)
        verify_actor(seat.campaign, actor)
        if offered and seat.user is not None:
            raise RuleViolation("HR-SET-10", f"{seat} is not empty; only an empty seat is offered.", "seat")
        if offered and seat.role in (Role.UMPIRE, Role.RESERVE):
            raise RuleViolation("HR-SET-10", f"{seat} cannot be offered; give it to a person.", "seat")
        seat.offered = offered
        seat.save(update_fields=["offered"])
        if offered:
            _offer_tell(seat)
        seats_note(actor, f"{seat} {'offered' if offered else 'no longer offered'}", seat.campaign)
    return seat


def _offer_tell(seat: Seat) -> None:
    reserve = Seat.objects.filter(campaign=seat.campaign, role=Role.RESERVE).select_related("user")
    notices_write(
        campaign=seat.campaign,
        kind=Notice.Kind.OFFERED,
        subject=f"seat {seat.pk}, {timezone.now():%Y-%m-%d}",
        users=[one.user for one in reserve if one.user is not None],
    )


def seat_take(*, seat: Seat, user: User) -> Seat:
    """A person on the reserve takes a seat that is offered; of two at once the second is refused."""
    verify_secret(seat.campaign)
    with transaction.atomic():
        seat = _lock_seat(seat)
        if not Seat.objects.filter(campaign=seat.campaign, user=user, role=Role.RESERVE).exists():
            raise RuleViolation("HR-SET-10", "Only the reserve takes seats that are offered.", "seat")
        if seat.user is not None or not seat.offered:
            # without its title: who asks by number is told of no seat he has not been offered
            raise RuleViolation(
                "HR-SET-10", "That seat is no longer to be had; you stay on the reserve.", "seat"
            )
        seat_put(seat, user)
        seat_taken_tell(seat=seat, how="reserve")
    return seat


# --- spectators ---


def spectators_set(
    *,
    campaign: Campaign,
    days: int | None,
    side: str,
    reason: str,
    actor: User | None,
    seen: int | None = None,
) -> Campaign:
    """Set spectators' delay in campaign days and whose knowledge they see; a correction (HR-SET-12).

    `days` None shows them nothing, `side` "" all there is. `seen` is as in `act_perform`; the same click
    twice is one act. Raises RuleViolation.
    """
    chosen = zip(SPECTATORS, (conduct_text(days), side), strict=True)
    present = {name: conduct_text(getattr(campaign, name)) for name in SPECTATORS}
    changes = tuple(
        SettingChange(name, present[name], value) for name, value in chosen if value != present[name]
    )
    done = find_act_since(campaign, seen)
    if changes or done is None or not isinstance(done.act, Conduct):
        act_perform(campaign=campaign, act=Conduct(changes), reason=reason, actor=actor, seen=seen)
    return Campaign.objects.get(pk=campaign.pk)


# --- what is asked of a seat ---


def _describe_recipient(user: User | None) -> str:
    return f" to {user}" if user is not None else ", empty"


def _lock_seat(seat: Seat) -> Seat:
    """Lock the campaign and return the current seat. Raises RuleViolation when it is gone."""
    campaign = lock_campaign(seat.campaign)
    found = Seat.objects.filter(pk=seat.pk).select_related("user", "stands_for", "battle").first()
    if found is None:
        raise RuleViolation(RULE, f"The seat {seat} has been closed meanwhile; load the page again.", "seat")
    found.campaign = campaign
    return found


def _one_line(title: str) -> str:
    """A seat's title as it is kept. Raises RuleViolation for one nobody could read."""
    title = normalize_name(title)
    if fault := name_fault(title):
        raise RuleViolation(RULE, fault, "title")
    return title


def _build_title(seat: Seat) -> str:
    side = sides_of(seat.campaign).get(seat.side, "")
    if seat.role == Role.DEPUTY:
        return f"Deputy of {seat.stands_for}"[:100]
    # a guest's battle is not told here: the list of seats is read by people who may not know of it
    words = {Role.COLUMN: f"Column, {side}", Role.GUEST: f"Guest, {side}"}
    return words.get(Role(seat.role)) or TITLES.get(Role(seat.role)) or side


def _verify_seat(seat: Seat) -> None:
    sides = sides_of(seat.campaign)
    needs_side = seat.role in (Role.COMMANDER, Role.COLUMN, Role.DEPUTY, Role.GUEST)
    if seat.role == Role.DEPUTY:
        held = seat.stands_for
        if held is None or held.campaign_id != seat.campaign_id or held.role not in DEPUTISED:
            raise RuleViolation(
                "HR-SET-09", "A deputy stands for a commander of this campaign; name the seat.", "stands_for"
            )
    if seat.role == Role.GUEST:
        _verify_battle(seat)
    if needs_side and seat.side not in sides:
        raise RuleViolation(RULE, f"Name the side of the seat: {', '.join(sides)}.", "side")
    if not needs_side and seat.side:
        raise RuleViolation(RULE, f"The seat of {seat.get_role_display()} belongs to no side.", "side")
    if seat.role == Role.COLUMN:
        others = Seat.objects.filter(campaign=seat.campaign, role=Role.COLUMN)
        taken = {key for other in others if has_overlapping_dates(seat, other) for key in other.formations}
        verify_column(seat.campaign, seat.side, seat.formations, taken)
    _verify_dates(seat)


def _verify_battle(seat: Seat) -> None:
    battle = seat.battle
    if battle is None or battle.campaign_id != seat.campaign_id or battle.state != Battle.State.WAITING:
        raise RuleViolation("HR-SET-11", "A guest fights a battle that waits; name it.", "battle")
    if seat.side not in (battle.attacker, battle.defender):
        raise RuleViolation("HR-SET-11", "A guest fights for one of the battle's sides; name it.", "side")


def _verify_dates(seat: Seat) -> None:
    rule = "HR-SET-07"
    if seat.from_day < 0 or (seat.until_day is not None and seat.until_day <= seat.from_day):
        raise RuleViolation(
            rule, "A seat ends on a later morning than it begins; mend its dates.", "until_day"
        )
    if seat.role not in SINGLE:
        return
    if seat.role == Role.UMPIRE and seat.pk is not None and not seat.holds(seat.campaign.day):
        raise RuleViolation(
            rule, "A campaign always has an umpire; give the seat to another first.", "from_day"
        )
    others = Seat.objects.filter(campaign=seat.campaign, role=seat.role, side=seat.side).exclude(pk=seat.pk)
    for other in others:
        if has_overlapping_dates(seat, other):
            raise RuleViolation(
                rule, f"{other} holds the same command on some of these days; set other dates.", "from_day"
            )
