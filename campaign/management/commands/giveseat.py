"""giveseat SLUG SEAT USER: a seat of a running campaign for a person, or with --staff for the staff.

With --column FORMATION ... the person commands these formations of the side (HR-SET-05).
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.ledger.world_rows import world_load
from campaign.management.lookup import campaign_or_error, report_refusals, user_or_error
from campaign.models import Campaign, Seat, User
from campaign.services.seats.assignment import column_give, seat_give


class Command(BaseCommand):
    help = "Give a seat of a running campaign to somebody else."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("seat", help="umpire, or the id of the side whose command it is.")
        parser.add_argument("user", nargs="?", help="User name of who is to have it.")
        parser.add_argument("--staff", action="store_true", help="Nobody: the staff leads the side.")

        parser.add_argument(
            "--column", nargs="+", default=[], help="The formations of a column: its command only."
        )
        parser.add_argument("--title", default="", help="What the commander of the column is called.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        if bool(options["user"]) == options["staff"]:
            raise CommandError("Say who is to have the seat: a user name, or --staff for nobody.")
        user = user_or_error(options["user"]) if options["user"] else None
        if options["column"]:
            self._column(campaign, user, options)
            return
        umpire = options["seat"] == Seat.Role.UMPIRE
        with report_refusals():
            seat = seat_give(
                campaign=campaign,
                role=Seat.Role.UMPIRE if umpire else Seat.Role.COMMANDER,
                side="" if umpire else options["seat"],
                user=user,
                actor=None,
            )
        self.stdout.write(f"{seat} of {campaign} is now {user.username if user else 'led by the staff'}.")

    def _column(self, campaign: Campaign, user: User | None, options: dict[str, Any]) -> None:
        if user is None:
            raise CommandError("The staff follows its side's commander; name a person for the column.")
        title = options["title"] or f"Column of {user.get_full_name() or user.username}"
        with report_refusals():
            column_give(
                campaign=campaign,
                side=options["seat"],
                formations=options["column"],
                user=user,
                title=title,
                actor=None,
            )
        formations = world_load(campaign).formations
        column = ", ".join(formations[key].name for key in options["column"])
        self.stdout.write(f"{user.username} now commands {column} of {campaign}.")
