"""Viewers: a person in a seat, and how much that seat may see."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Model, OuterRef, QuerySet, Subquery
from django.http import Http404

from campaign.fog.seat_roles import UMPIRES, deputy_acts
from campaign.models import Campaign, Seat, User, Visit
from campaign.rules.army.organisation import is_in_column
from campaign.rules.day.play import may_forecast
from campaign.rules.world.settings import RuleSettings

Role = Seat.Role
Row = TypeVar("Row", bound=Model)
#: Roles that see the desk of a campaign; the others see single pages.
DESK = (*UMPIRES, Role.COMMANDER, Role.COLUMN, Role.DEPUTY)


class NotSeated(Http404):
    """The person has no seat in this campaign, so for them it does not exist."""


class OnlyPublic(NotSeated):
    """The person's seat opens the campaign's public page and not this one."""


class SeatEnded(OnlyPublic):
    """The person's command has ended; a form he had begun is told so."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person in a seat: `side` is a side's slug, empty for those who have none.

    `formations` are those a column commander orders; he sees what his side sees (HR-SET-05). A deputy
    `acts` while the holder of the seat he stands for is away (HR-SET-09). `day_limit` are the days
    completed on the last morning a spectator is shown, None after the end (HR-SET-12); `battle` is the
    key of a guest's battle (HR-SET-11).
    """

    campaign: Campaign
    user: User
    role: str
    side: str
    title: str
    formations: tuple[str, ...] = ()
    acts: bool = True
    day_limit: int | None = None
    battle: int | None = None
    seat: Seat | None = field(default=None, compare=False, repr=False)

    def commands(self, formation: str) -> bool:
        """True when the viewer may submit orders for a formation of their side."""
        if self.is_umpire:
            return True
        if self.role in (Role.COMMANDER, Role.DEPUTY) and not self.formations:
            return self.may_order
        return self.may_order and is_in_column(self.formations, formation)

    @property
    def is_umpire(self) -> bool:
        """True for the umpire and assistants (HR-SET-08)."""
        return self.role in UMPIRES

    @property
    def is_chief(self) -> bool:
        """True for the umpire in person: only they change seats and rewind (HR-SET-08)."""
        return self.role == Role.UMPIRE

    @property
    def may_order(self) -> bool:
        """True when the viewer may submit orders for their side, or for a column of it."""
        return self.role in (Role.COMMANDER, Role.COLUMN) or (self.role == Role.DEPUTY and self.acts)

    @property
    def when_written(self) -> "Viewer":
        """The viewer as they began a form: a deputy as one who acts. The services check whether the
        deputy acts yet.
        """
        return replace(self, acts=True)

    @property
    def may_speak(self) -> bool:
        """True when the viewer may treat with the enemy: a side's commander, or the umpire for the umpire
        (HR-SET-09).
        """
        return self.is_umpire or self.role == Role.COMMANDER

    @property
    def is_guest(self) -> bool:
        return self.role == Role.GUEST

    @property
    def may_plan(self) -> bool:
        """True when the viewer may choose their side's plan for a waiting battle (HR-BAT-09, HR-SET-11)."""
        return self.may_order or self.is_guest

    @property
    def looks_on(self) -> bool:
        """True for a spectator or a guest, who has no part in the campaign's orders."""
        return self.role in (Role.SPECTATOR, Role.GUEST)

    @property
    def sees_all(self) -> bool:
        """True when the fog of war hides nothing: for the umpires, and with a delay for a spectator of no
        side.
        """
        return self.is_umpire or (self.role == Role.SPECTATOR and not self.side)

    @property
    def may_forecast(self) -> bool:
        """True when the viewer may request forecasts: the umpire, and a side where that is allowed (HR-
        FRC-01).
        """
        settings = RuleSettings.from_json(self.campaign.settings)
        if self.looks_on:
            return False
        return self.is_umpire or (bool(self.side) and may_forecast(settings, self.side))


def campaigns_for(user: User | AnonymousUser) -> QuerySet[Campaign]:
    """Campaigns in which the person has a seat, now or at another time, newest first."""
    if not (user.is_authenticated and user.is_active):
        return Campaign.objects.none()
    return Campaign.objects.filter(seats__user=user).distinct().order_by("-created_at")


def list_chief_campaigns(user: User | AnonymousUser) -> QuerySet[Campaign]:
    """Campaigns in which the person is umpire."""
    if not (user.is_authenticated and user.is_active):
        return Campaign.objects.none()
    seats = Seat.objects.filter(user=user, role=Role.UMPIRE).in_force()
    return Campaign.objects.filter(pk__in=seats.values("campaign"))


def list_umpire_campaigns(user: User | AnonymousUser) -> QuerySet[Campaign]:
    """Campaigns in which the person does the umpire's work today, as umpire or assistant (HR-SET-08)."""
    if not (user.is_authenticated and user.is_active):
        return Campaign.objects.none()
    seats = Seat.objects.filter(user=user, role__in=UMPIRES).in_force()
    return Campaign.objects.filter(pk__in=seats.values("campaign"))


def campaigns_overseen(user: User | AnonymousUser) -> QuerySet[Campaign]:
    """Campaigns whose rows the person may look at in the admin.

    The umpire's own; for an administrator also every other in which they have no seat that must not
    see them.
    """
    if not (user.is_authenticated and user.is_active and user.is_superuser):
        return list_chief_campaigns(user)
    seated = Seat.objects.filter(user=user).exclude(role__in=UMPIRES)
    return Campaign.objects.exclude(pk__in=seated.values("campaign"))


def campaign_of(user: User | AnonymousUser, slug: str, rows: QuerySet[Campaign] | None = None) -> Campaign:
    """The campaign of this name, for who has a seat in it; `rows` says how much is read of it.

    One question finds both out: what it takes tells nobody else whether there is such a campaign. Raises
    NotSeated.
    """
    seats = Seat.objects.filter(campaign=OuterRef("pk"), user_id=user.pk if user.is_active else 0)
    among = Campaign.objects.all() if rows is None else rows
    found = next(iter(among.filter(Exists(seats), slug=slug)), None)
    if found is None:
        raise NotSeated(f"You have no seat in {slug}; ask its umpire for one.")
    return found


def viewer_of(user: User | AnonymousUser, campaign: Campaign, *, also: Container[str] = ()) -> Viewer:
    """The person's seat in the campaign today; the umpire's goes before others.

    `also` are the roles let in besides those that have the desk. Raises NotSeated, and OnlyPublic for a
    person whose seat does not open this page, or not today.
    """
    return viewer_by(user, campaign, list_person_seats(user, campaign), also=also)


def viewer_by(
    user: User | AnonymousUser,
    campaign: Campaign,
    seats: Sequence[Seat],
    *,
    also: Container[str] = (),
    absent: Container[int] | None = None,
) -> Viewer:
    """The same by the person's seats, as `list_person_seats` has them, where they have been read already.

    `absent` are the seats whose holders are away, as `away` has them; None to ask.
    """
    seat = seat_today(seats, campaign, also=also)
    assert isinstance(user, User)
    viewer = Viewer(campaign, user, seat.role, seat.side, str(seat), tuple(seat.formations), seat=seat)
    if seat.role == Role.DEPUTY and seat.stands_for is not None:
        return replace(viewer, formations=tuple(seat.stands_for.formations), acts=deputy_acts(seat, absent))
    if seat.role == Role.SPECTATOR:
        return _build_spectator(viewer)
    if seat.role == Role.GUEST:
        return Viewer(campaign, user, seat.role, seat.side, str(seat), battle=seat.battle_id, seat=seat)
    return viewer


def seat_today(seats: Sequence[Seat], campaign: Campaign, *, also: Container[str] = ()) -> Seat:
    """Of a person's seats in a campaign the one by which he looks today; the umpire's goes before others.

    Raises NotSeated and OnlyPublic as `viewer_of` does.
    """
    if not seats:
        raise NotSeated(f"You have no seat in {campaign.slug}; ask its umpire for one.")
    held = [seat for seat in seats if seat_holds(seat, campaign.day)]
    seat = min(held, key=lambda each: each.role != Role.UMPIRE, default=None)
    ended = next((one for one in seats if one.role in DESK and _is_seat_over(one, campaign.day)), None)
    if seat is None and ended is not None:
        raise SeatEnded(f"Your seat in {campaign.title}, {ended}, has ended.")
    if seat is None or not (seat.role in DESK or seat.role in also):
        raise OnlyPublic(f"Your seat in {campaign.slug} does not open this page.")
    return seat


def seat_holds(seat: Seat, day: int) -> bool:
    """True when a seat is held on a day; a deputy's only while the seat they stand for is held."""
    return seat.holds(day) and (seat.stands_for is None or seat.stands_for.holds(day))


def _is_seat_over(seat: Seat, day: int) -> bool:
    """True when a seat's last day is past, or for a deputy that of the seat they stand for."""
    last = [one.until_day for one in (seat, seat.stands_for) if one is not None and one.until_day is not None]
    return bool(last) and min(last) <= day


def list_person_seats(user: User | AnonymousUser, campaign: Campaign) -> list[Seat]:
    """All seats a person has in a campaign, those of other days too."""
    if not (user.is_authenticated and user.is_active):
        return []
    found = Seat.objects.filter(campaign=campaign, user=user).prefetch_related("stands_for__user")
    for seat in found:  # each page asks this: what is known is not read again
        seat.campaign, seat.user = campaign, user
        if seat.stands_for is not None:
            seat.stands_for.campaign = campaign
    return sorted(found, key=lambda seat: (seat.from_day, seat.pk))


def seats_by_campaign(user: User) -> dict[int, list[Seat]]:
    """The same of all their campaigns, by key, the newest first, with heads and last visit; in one query.

    `visit_of` reads the visit.
    """
    rows = Seat.objects.filter(user=user).select_related("campaign__head", "stands_for__user")
    rows = rows.defer("campaign__head__snapshot", "campaign__head__inputs")
    visits = Visit.objects.filter(user=user, campaign=OuterRef("campaign"))
    rows = rows.annotate(
        visit_record=Subquery(visits.values("record")), visit_at=Subquery(visits.values("seen_at"))
    )
    found: dict[int, list[Seat]] = {}
    for seat in rows.order_by("-campaign__created_at", "-campaign_id", "from_day", "pk"):
        seats = found.setdefault(seat.campaign_id, [])
        seat.campaign, seat.user = (seats[0] if seats else seat).campaign, user
        if seat.stands_for is not None:
            seat.stands_for.campaign = seat.campaign
        seats.append(seat)
    return found


def visit_of(seat: Seat) -> Visit | None:
    """Return the last visit to the campaign by the holder of a seat from `seats_by_campaign`; None for
    never.
    """
    record, at = (seat.__dict__[name] for name in ("visit_record", "visit_at"))
    return None if at is None else Visit(record=record, seen_at=at)


def combine_rows(rows: Iterable[QuerySet[Row]], none: QuerySet[Row]) -> QuerySet[Row]:
    """Combine the rows that several viewers may see into one query: `rows` are each viewer's, `none` has
    no rows.
    """
    return reduce(or_, rows, none)


def _build_spectator(viewer: Viewer) -> Viewer:
    campaign, limit = viewer.campaign, spectators_limit(viewer.campaign)
    side = campaign.spectator_side if limit is not None else ""
    return Viewer(campaign, viewer.user, viewer.role, side, viewer.title, day_limit=limit, seat=viewer.seat)


def spectators_limit(campaign: Campaign) -> int | None:
    """Days completed on the last morning spectators are shown, None when they see all (HR-SET-12).

    Raises OnlyPublic where they are shown nothing, or nothing yet.
    """
    if campaign.spectator_days is None:
        raise OnlyPublic(f"Spectators are shown nothing of {campaign.slug}.")
    limit = None if campaign.dice_told else campaign.day - campaign.spectator_days
    if limit is not None and limit < 0:
        raise OnlyPublic(f"There is nothing of {campaign.slug} to be seen yet.")
    return limit
