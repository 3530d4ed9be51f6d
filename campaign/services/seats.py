"""Who sits where: seats given when a campaign begins, and changed while it runs (HR-SET-04)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation

RULE = "HR-SET-04"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat to be made: `side` is empty for the umpire, `user` None for a seat the staff fills."""

    role: str
    side: str = ""
    title: str = ""
    user: User | None = None


def seats_create(campaign: Campaign, seats: Iterable[SeatPlan]) -> None:
    """The seats a campaign begins with. Raises RuleViolation for a seat or a person named twice."""
    plans = tuple(seats)
    taken: set[tuple[str, str]] = set()
    seated: set[int] = set()
    for plan in plans:
        if (plan.role, plan.side) in taken:
            raise RuleViolation(
                RULE, f"The seat {plan.side or plan.role} is named twice; give it once.", "seats"
            )
        taken.add((plan.role, plan.side))
        if plan.user is not None:
            if plan.user.pk in seated:
                raise _two_seats(plan.user)
            seated.add(plan.user.pk)
    Seat.objects.bulk_create(
        Seat(campaign=campaign, role=plan.role, side=plan.side, title=plan.title, user=plan.user)
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
