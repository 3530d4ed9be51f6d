"""giveseat SLUG SEAT USER: a seat of a running campaign for a person, or with --staff for the staff."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.management.lookup import campaign_or_error, refusals, user_or_error
from campaign.models import Seat
from campaign.services.seats import seat_give


class Command(BaseCommand):
    help = "Give a seat of a running campaign to somebody else."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("seat", help="umpire, or the side whose command it is: crown, rebel.")
        parser.add_argument("user", nargs="?", help="User name of who is to have it.")
        parser.add_argument("--staff", action="store_true", help="Nobody: the staff leads the side.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_error(options["slug"])
        if bool(options["user"]) == options["staff"]:
            raise CommandError("Say who is to have the seat: a user name, or --staff for nobody.")
        user = user_or_error(options["user"]) if options["user"] else None
        umpire = options["seat"] == Seat.Role.UMPIRE
        with refusals():
            seat = seat_give(
                campaign=campaign,
                role=Seat.Role.UMPIRE if umpire else Seat.Role.COMMANDER,
                side="" if umpire else options["seat"],
                user=user,
                actor=None,
            )
        self.stdout.write(f"{seat} of {campaign} is now {user.username if user else 'led by the staff'}.")
