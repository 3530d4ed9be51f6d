"""Who sits where: seats given when a campaign begins, and changed while it runs (HR-SET-04)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.organisation import in_column
from rosters.models import Formation

RULE = "HR-SET-04"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat to be made: `side` is empty for the umpire, `user` None for a seat the staff fills.

    `formations` are those a column commander orders (HR-SET-05).
    """

    role: str
    side: str = ""
    title: str = ""
    user: User | None = None
    formations: tuple[str, ...] = ()


def seats_create(campaign: Campaign, seats: Iterable[SeatPlan]) -> None:
    """The seats a campaign begins with. Raises RuleViolation for a seat or a person named twice."""
    plans = tuple(seats)
    taken: set[tuple[str, str]] = set()
    seated: set[int] = set()
    columns: set[str] = set()
    for plan in plans:
        if plan.role == Seat.Role.COLUMN:
            _verify_column(campaign, plan.side, plan.formations, set(columns))
            columns.update(plan.formations)
        elif (plan.role, plan.side) in taken:
            raise RuleViolation(
                RULE, f"The seat {plan.side or plan.role} is named twice; give it once.", "seats"
            )
        taken.add((plan.role, plan.side))
        if plan.user is not None:
            if plan.user.pk in seated:
                raise _two_seats(plan.user)
            seated.add(plan.user.pk)
    Seat.objects.bulk_create(
        Seat(
            campaign=campaign,
            role=plan.role,
            side=plan.side,
            title=plan.title,
            user=plan.user,
            formations=list(plan.formations),
        )
        for plan in plans
    )
    for plan in plans:
        if plan.role == Seat.Role.UMPIRE:
            _open_desk(plan.user)


def seat_give(*, campaign: Campaign, role: str, side: str, user: User | None, actor: User | None) -> Seat:
    """Give a seat of a running campaign to `user`, or with None a side's command to the staff.

    `side` is empty for the umpire. `actor` is who gives it, None for the machine's administrator at
    the command line. Orders already submitted stand. Raises RuleViolation for a seat that does not
    exist, a person who has another seat of the campaign, and an actor who may not give seats.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        _verify_actor(campaign, actor)
        sides = dict(campaign.order_of_battle.sides.order_by("pk").values_list("slug", "name"))
        if not (side in sides if role == Seat.Role.COMMANDER else role == Seat.Role.UMPIRE and not side):
            raise RuleViolation(
                RULE,
                f"There is no seat {side or role} in {campaign}; the seats are umpire, {', '.join(sides)}.",
                "side",
            )
        if user is None and role == Seat.Role.UMPIRE:
            raise RuleViolation(RULE, "The staff cannot be umpire; name a person.", "user")
        others = Seat.objects.filter(campaign=campaign, user=user).exclude(role=role, side=side)
        if user is not None and others.exists():
            raise _two_seats(user)
        title = sides.get(side, "Umpire")
        seat, _ = Seat.objects.get_or_create(
            campaign=campaign, role=role, side=side, defaults={"title": title}
        )
        seat.user = user
        seat.save(update_fields=["user"])
        if role == Seat.Role.UMPIRE:
            _open_desk(user)
    return seat


def column_give(
    *, campaign: Campaign, side: str, formations: Iterable[str], user: User, title: str, actor: User | None
) -> Seat:
    """Give a person the command of a column, or another column instead of the present one (HR-SET-05).

    `formations` are its slugs. Raises RuleViolation for formations that are not the side's or are
    another column's, a person with another seat, and an actor who may not give seats.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        _verify_actor(campaign, actor)
        columns = Seat.objects.filter(campaign=campaign, role=Seat.Role.COLUMN)
        if (
            Seat.objects.filter(campaign=campaign, user=user)
            .exclude(role=Seat.Role.COLUMN, side=side)
            .exists()
        ):
            raise _two_seats(user)
        wanted = tuple(dict.fromkeys(formations))
        taken = {key for seat in columns.exclude(user=user) for key in seat.formations}
        _verify_column(campaign, side, wanted, taken)
        seat, _ = columns.update_or_create(
            campaign=campaign,
            user=user,
            defaults={"role": Seat.Role.COLUMN, "side": side, "title": title, "formations": list(wanted)},
        )
    return seat


def column_end(*, seat: Seat, actor: User | None) -> None:
    """A column has no commander of its own any longer; papers already submitted stand (HR-SET-05)."""
    with transaction.atomic():
        _verify_actor(seat.campaign, actor)
        seat.delete()


def verify_command(*, campaign: Campaign, side: str, actor: User | None, formations: Iterable[str]) -> None:
    """Refuses papers of somebody who does not command these formations (HR-SET-05).

    None is the staff or the machine. The umpire and the side's commander order all of the side.
    """
    if actor is None:
        return
    seats = Seat.objects.filter(campaign=campaign, user=actor)
    if any(seat.role == Seat.Role.UMPIRE or (seat.role, seat.side) == ("commander", side) for seat in seats):
        return
    columns = [seat for seat in seats if (seat.role, seat.side) == (Seat.Role.COLUMN, side)]
    for formation in formations:
        if not any(in_column(seat.formations, formation) for seat in columns):
            raise RuleViolation(
                "HR-SET-05",
                "You do not command this formation; ask your side's commander to order it.",
                "formation",
            )


def _verify_column(campaign: Campaign, side: str, formations: Iterable[str], taken: set[str]) -> None:
    rule = "HR-SET-05"
    wanted = tuple(formations)
    known = set(
        Formation.objects.filter(
            order_of_battle=campaign.order_of_battle, side__slug=side, slug__in=wanted
        ).values_list("slug", flat=True)
    )
    for key in wanted:
        if key not in known:
            raise RuleViolation(rule, f"{side} has no formation {key}; name one of its own.", "formations")
        if key in taken:
            raise RuleViolation(rule, f"{key} has a column commander already; name another.", "formations")
    if not wanted:
        raise RuleViolation(rule, "A column has formations; name at least one.", "formations")


def _verify_actor(campaign: Campaign, actor: User | None) -> None:
    if actor is None or actor.is_superuser:
        return
    if not Seat.objects.filter(campaign=campaign, user=actor, role=Seat.Role.UMPIRE).exists():
        raise RuleViolation(RULE, f"Only the umpire of {campaign} gives seats; ask them.", "actor")


def _two_seats(user: User) -> RuleViolation:
    return RuleViolation(
        RULE,
        f"{user.username} would have two seats of one campaign; a person has one, so name somebody else "
        "or give the other seat away first.",
        "user",
    )


def _open_desk(user: User | None) -> None:
    """An umpire works in the admin, which lets only staff users in."""
    if user is not None and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
