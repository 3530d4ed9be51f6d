"""Seats: assigned when a campaign begins and changed while it runs (HR-SET-04).

Seats are no part of the chained course: a change is told where the seats are told, and kept as a tenure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from battles.grammar import Subject
from campaign.fog.seat_roles import UMPIRES, deputy_acts
from campaign.ledger.audit import Kind, umpire_note
from campaign.ledger.dice import verify_secret
from campaign.models import Battle, Campaign, Invitation, Seat, Tenure, User
from campaign.rules.army.organisation import is_in_column
from campaign.rules.errors import RuleViolation
from campaign.services.notifications.notifications import seat_empty_tell, seat_lost_tell
from rosters.models import Formation

RULE = "HR-SET-04"
Role = Seat.Role
#: Roles of which a campaign, or a side, has one at a time.
SINGLE = (Role.UMPIRE, Role.COMMANDER)
#: Roles whose holders are remembered (HR-SET-07).
REMEMBERED = (Role.UMPIRE, Role.ASSISTANT, Role.COMMANDER, Role.COLUMN, Role.DEPUTY, Role.GUEST)


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat to be made: `side` is empty for the umpire, `user` None for a seat the staff fills.

    `formations` are those a column commander orders (HR-SET-05), `deputies` stand for the seat.
    """

    role: str
    side: str = ""
    title: str = ""
    user: User | None = None
    formations: tuple[str, ...] = ()
    deputies: tuple["SeatPlan", ...] = ()


def seats_create(campaign: Campaign, seats: Iterable[SeatPlan]) -> None:
    """The seats a campaign begins with. Raises RuleViolation for a seat or a person named twice."""
    plans = tuple(seats)
    taken: set[tuple[str, str]] = set()
    seated: set[int] = set()
    columns: set[str] = set()
    for plan in plans:
        if plan.role == Seat.Role.COLUMN:
            verify_column(campaign, plan.side, plan.formations, set(columns))
            columns.update(plan.formations)
        elif plan.role in SINGLE and (plan.role, plan.side) in taken:
            raise RuleViolation(
                RULE, f"The seat {plan.side or plan.role} is named twice; give it once.", "seats"
            )
        taken.add((plan.role, plan.side))
        for user in (plan.user, *(deputy.user for deputy in plan.deputies)):
            if user is not None:
                if user.pk in seated:
                    raise two_seats(user)
                verify_account(user)
                seated.add(user.pk)
    if seated:
        verify_secret(campaign)
    made = Seat.objects.bulk_create(_build_seat(campaign, plan) for plan in plans)
    made += Seat.objects.bulk_create(
        _build_seat(campaign, deputy, seat)
        for plan, seat in zip(plans, made, strict=True)
        for deputy in plan.deputies
    )
    for seat in made:
        tenure_begin(seat)


def _build_seat(campaign: Campaign, plan: SeatPlan, stands_for: Seat | None = None) -> Seat:
    return Seat(
        campaign=campaign,
        role=plan.role,
        side=plan.side,
        title=plan.title,
        user=plan.user,
        formations=list(plan.formations),
        stands_for=stands_for,
    )


def list_seat_plans(campaign: Campaign) -> tuple[SeatPlan, ...]:
    """List the seats held at a campaign's end as plans for its next season; guests are left out.

    Those of deactivated accounts are empty (HR-SET-16).
    """
    seats = list(campaign.seats.in_force().select_related("user").order_by("pk"))
    plans: dict[int, list[SeatPlan]] = {}
    for seat in seats:
        if seat.role == Role.DEPUTY:
            plans.setdefault(seat.stands_for_id or 0, []).append(_build_seat_plan(seat))
    return tuple(
        _build_seat_plan(seat, tuple(plans.get(seat.pk, ())))
        for seat in seats
        if seat.role not in (Role.DEPUTY, Role.GUEST)
    )


def _build_seat_plan(seat: Seat, deputies: tuple[SeatPlan, ...] = ()) -> SeatPlan:
    user = seat.user if seat.user is not None and seat.user.is_active else None
    return SeatPlan(seat.role, seat.side, seat.title, user, tuple(seat.formations), deputies)


def seat_give(*, campaign: Campaign, role: str, side: str, user: User | None, actor: User | None) -> Seat:
    """Give the umpire's or a side's seat of a running campaign to `user`, or with None to the staff.

    `side` is empty for the umpire. `actor` is who gives it, None for the machine's administrator at
    the command line. Orders already submitted stand. Raises RuleViolation for a seat that does not
    exist, a person who has another seat of the campaign, and an actor who may not give seats.
    """
    if user is not None:
        verify_secret(campaign)
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        verify_actor(campaign, actor)
        sides = sides_of(campaign)
        if not (side in sides if role == Role.COMMANDER else role == Role.UMPIRE and not side):
            raise RuleViolation(
                RULE,
                f"There is no seat {side or role} in {campaign}; the seats are umpire, {', '.join(sides)}.",
                "side",
            )
        found = Seat.objects.filter(campaign=campaign, role=role, side=side).in_force().first()
        seat = found or Seat(campaign=campaign, role=role, side=side, title=sides.get(side, "Umpire"))
        if found is None:
            later = Seat.objects.filter(campaign=campaign, role=role, side=side)
            following = later.filter(from_day__gt=campaign.day).order_by("from_day").first()
            seat.from_day = campaign.day if later.exists() else 0
            seat.until_day = following.from_day if following is not None else None
        before = seat.user
        seat_put(seat, user)
        if before not in (user, actor):
            seat_lost_tell(seat=seat, user=before)
        if user is None:
            seat_empty_tell(seat=seat, why="emptied", actor=actor, before=before)
        seats_note(actor, f"{seat} given to {user or 'the staff'}", campaign)
    return seat


def seat_put(seat: Seat, user: User | None) -> None:
    """Assign or empty a seat, with its tenure; the campaign must be locked. Raises RuleViolation."""
    if user is None and seat.role == Role.UMPIRE:
        raise RuleViolation(RULE, "The staff cannot be umpire; name a person.", "user")
    if user is not None:
        verify_account(user)
        verify_secret(seat.campaign)
        verify_one_seat(seat, user)
    if seat.pk is not None and seat.user_id != (user.pk if user else None):
        tenure_end(seat)
    begins = seat.pk is None or Seat.objects.filter(pk=seat.pk).exclude(user=user).exists()
    seat.user = user
    if begins:
        seat.missed_at = seat.nothing_new = None
    seat.offered = seat.offered and user is None
    seat.save()
    if begins:
        tenure_begin(seat)
        if user is None:  # an invitation the holder outlived does not open again
            open_ones = Invitation.objects.filter(seat=seat, used_at=None, taken_back_at=None)
            open_ones.update(taken_back_at=timezone.now(), sealed="")
    if user is not None and seat.role != Role.RESERVE:
        Seat.objects.filter(campaign=seat.campaign_id, user=user, role=Role.RESERVE).delete()


def column_give(
    *, campaign: Campaign, side: str, formations: Iterable[str], user: User, title: str, actor: User | None
) -> Seat:
    """Give a person the command of a column, or another column instead of the present one (HR-SET-05).

    `formations` are its slugs. Raises RuleViolation for formations that are not the side's or are
    another column's, a person with another seat, and an actor who may not give seats.
    """
    verify_secret(campaign)
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        verify_actor(campaign, actor)
        columns = Seat.objects.filter(campaign=campaign, role=Role.COLUMN)
        wanted = tuple(dict.fromkeys(formations))
        present = columns.filter(user=user, side=side).in_force().first()
        seat = present or Seat(campaign=campaign, role=Role.COLUMN, side=side)
        others = columns.exclude(pk=seat.pk).exclude(until_day__lte=campaign.day)
        verify_column(campaign, side, wanted, {key for other in others for key in other.formations})
        seat.title, seat.formations = title, list(wanted)
        seat_put(seat, user)
        seats_note(actor, f"{seat} given to {user}", campaign)
    return seat


def verify_command(*, campaign: Campaign, side: str, actor: User | None, formations: Iterable[str]) -> None:
    """Refuses papers of somebody who does not command these formations (HR-SET-05, HR-SET-09).

    None is the staff or the machine. The umpires and the side's commander order all of the side, a
    column's commander his column, a deputy what the seat he stands for may, while its holder is away.
    """
    if actor is None:
        return
    verify_account(actor)
    columns: list[Seat] = []
    waits = None
    seats = Seat.objects.filter(campaign=campaign, user=actor).in_force()
    for seat in seats.select_related("campaign", "stands_for__campaign", "stands_for__user"):
        held = seat
        if seat.role == Role.DEPUTY and seat.stands_for is not None:
            if not deputy_acts(seat):
                waits = seat.stands_for
                continue
            held = seat.stands_for
        if held.role in UMPIRES or (held.role, held.side) == (Role.COMMANDER, side):
            return
        if (held.role, held.side) == (Role.COLUMN, side):
            columns.append(held)
    for formation in formations:
        if any(is_in_column(seat.formations, formation) for seat in columns):
            continue
        if waits is not None:
            raise RuleViolation(
                "HR-SET-09",
                f"{waits} is not away; you act as deputy only while the holder is. Nothing has been put in; "
                "tell them what you meant.",
                "formation",
            )
        raise RuleViolation(
            "HR-SET-05",
            "You do not command this formation; ask your side's commander to order it.",
            "formation",
        )


def is_battle_guest(battle: Battle, side: str, actor: User | None) -> bool:
    """True when a person is a side's guest for a battle (HR-SET-11)."""
    return (
        actor is not None
        and Seat.objects.filter(user=actor, role=Role.GUEST, battle=battle, side=side).in_force().exists()
    )


# --- what every change asks ---


def lock_campaign(campaign: Campaign) -> Campaign:
    """Lock the campaign and return it, so that of two people who want one seat the second is refused."""
    return Campaign.objects.select_for_update().get(pk=campaign.pk)


def sides_of(campaign: Campaign) -> dict[str, str]:
    """Names of a campaign's sides by their slugs."""
    return dict(campaign.order_of_battle.sides.order_by("pk").values_list("slug", "name"))


def verify_column(campaign: Campaign, side: str, formations: Iterable[str], taken: set[str]) -> None:
    """Refuses formations that are not the side's, or are another column's (HR-SET-05)."""
    rule = "HR-SET-05"
    wanted = tuple(formations)
    known = set(
        Formation.objects.filter(
            order_of_battle=campaign.order_of_battle, side__slug=side, slug__in=wanted
        ).values_list("slug", flat=True)
    )
    for key in wanted:
        if key not in known:
            raise RuleViolation(
                rule, f"{Subject(side):has} no formation {key}; name one of its own.", "formations"
            )
        if any(is_in_column([key], other) or is_in_column([other], key) for other in taken):
            raise RuleViolation(
                rule,
                f"{key}, or what is detached from it, has a column commander already; name another.",
                "formations",
            )
    if not wanted:
        raise RuleViolation(rule, "A column has formations; name at least one.", "formations")


def verify_actor(campaign: Campaign, actor: User | None) -> None:
    """Refuses seats given by anybody but the umpire or an administrator."""
    if actor is None:
        return
    verify_account(actor)
    if actor.is_superuser:
        return
    if not Seat.objects.filter(campaign=campaign, user=actor, role=Role.UMPIRE).in_force().exists():
        raise RuleViolation(RULE, f"Only the umpire of {campaign} can give seats; ask the umpire.", "actor")


def seats_note(actor: User | None, what: str, campaign: Campaign) -> None:
    """Record a change of seats in the audit log."""
    umpire_note(actor, what, campaign, Kind.SEATS)


def verify_account(user: User) -> None:
    """Refuses a deactivated or closed account: it commands nothing and is given nothing (HR-SET-16)."""
    if not user.is_active:
        how = "deactivated" if user.closed_at is None else "closed"
        raise RuleViolation(
            "HR-SET-16",
            f"The account {user.username} is {how}; it cannot act or be given a seat. Name somebody else.",
            "user",
        )


def verify_one_seat(seat: Seat, user: User) -> None:
    """Refuses a person two seats at one time; a place on the reserve is none."""
    others = Seat.objects.filter(campaign=seat.campaign, user=user).exclude(pk=seat.pk)
    if seat.role != Role.RESERVE:
        others = others.exclude(role=Role.RESERVE)
    if any(has_overlapping_dates(seat, other) for other in others):
        raise two_seats(user)


def has_overlapping_dates(one: Seat, other: Seat) -> bool:
    """True when the dates of two seats overlap."""
    return (one.until_day is None or other.from_day < one.until_day) and (
        other.until_day is None or one.from_day < other.until_day
    )


def two_seats(user: User) -> RuleViolation:
    return RuleViolation(
        RULE,
        f"{user.username} would have two seats of one campaign; a person has one, so name somebody else "
        "or give the other seat away first.",
        "user",
    )


# --- who sat there ---


def tenure_begin(seat: Seat) -> None:
    """Somebody takes a seat; what is seen only is not remembered."""
    if seat.user is None or seat.role not in REMEMBERED:
        return
    Tenure.objects.create(
        campaign=seat.campaign,
        seat=seat,
        user=seat.user,
        role=seat.role,
        side=seat.side,
        title=str(seat),
        name=seat.user.get_full_name() or seat.user.get_username(),
        from_day=max(seat.from_day, seat.campaign.day),
    )


def tenure_end(seat: Seat) -> None:
    """The holder of a seat leaves it on the coming morning; one who never sat there is not remembered."""
    day = seat.campaign.day if seat.until_day is None else min(seat.until_day, seat.campaign.day)
    open_ones = Tenure.objects.filter(seat=seat, until_day=None)
    open_ones.filter(from_day__gte=day).delete()
    open_ones.update(until_day=day)
