"""playseat URL CAMPAIGN: the staff in a seat of a site that may be anywhere, over its API."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.ai.http_player import Site, SiteRefused, StaffSeat, seat_play


class Command(BaseCommand):
    help = "Command a side through the API of a site, as its staff would; no database is needed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="The site, as https://club.example.org.")
        parser.add_argument("campaign", help="The campaign's name in its address.")
        parser.add_argument(
            "--token", help="With the scope “order”; AWI_TOKEN of the environment if left out."
        )
        parser.add_argument("--weeks", type=int, help="Weeks to play; to the campaign's end if left out.")
        parser.add_argument("--every", type=float, default=60.0, help="Seconds between looks at the clock.")

    def handle(self, *args: Any, **options: Any) -> None:
        token = options["token"] or os.environ.get("AWI_TOKEN", "")
        if not token:
            raise CommandError("Give the token of the seat's holder: --token, or AWI_TOKEN.")
        if options["weeks"] is not None and options["weeks"] < 1:
            raise CommandError("--weeks must be 1 or more.")
        if options["every"] <= 0:
            raise CommandError("--every must be more than 0.")
        try:
            seat = StaffSeat(Site(options["url"], token), options["campaign"])
            days = seat_play(seat, weeks=options["weeks"], every=options["every"], say=self._say)
        except SiteRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{days} days were played.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
