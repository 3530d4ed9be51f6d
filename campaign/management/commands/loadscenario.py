"""loadscenario SCENARIO: start a campaign; with --demo one umpire and two players to try it with."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from campaign.management.lookup import report_refusals, user_or_error
from campaign.models import Campaign, User
from campaign.rules.world.options import RECRUITMENT, option_of
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.setup.recruitment import recruitment_of
from campaign.selectors.setup.scenarios import scenario_card
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from rosters.importing import RosterErrors, RosterRow, roster_rows
from rosters.models import OrderOfBattle
from rosters.services import order_of_battle_rows

#: Figures of the longest number a setting takes.
FIGURES = 9


class Command(BaseCommand):
    help = "Start a campaign from a scenario."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario")
        parser.add_argument("--slug", help="Address of the campaign; the scenario's name if left out.")
        parser.add_argument("--title", default="")
        parser.add_argument("--umpire", help="User name of the umpire.")
        parser.add_argument(
            "--commander",
            action="append",
            default=[],
            metavar="SIDE=USER",
            help="Who commands a side, as red=anna; a side left out is commanded by the staff.",
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="A rule setting other than the scenario's, as recruitment=draft; docs/rules.md lists them.",
        )
        parser.add_argument(
            "--recruitment",
            choices=tuple(option_of(RECRUITMENT).choices),
            help="Recruitment and attrition: draft (as in the published draft), damped (balanced for this "
            "site) or off; as the scenario has it if left out.",
        )
        armies = parser.add_mutually_exclusive_group()
        armies.add_argument(
            "--armies",
            type=Path,
            metavar="FILE",
            help="An order of battle (CSV, XLSX) in place of the scenario's; exportarmies writes that.",
        )
        armies.add_argument(
            "--order-of-battle",
            type=int,
            metavar="NUMBER",
            help="The same with what importorderofbattle has made, by its number.",
        )
        parser.add_argument(
            "--demo", action="store_true", help="Make demo users; do nothing if the campaign is there."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"] or options["scenario"]
        if options["demo"] and Campaign.objects.filter(slug=slug).exists():
            self.stdout.write(f"Campaign {slug} is there already.")
            return
        notes: list[str] = []
        armies = _read_armies(options, notes)
        for note in notes:
            self.stderr.write(note)
        with report_refusals(), transaction.atomic():
            seats = self._demo_seats(options["scenario"]) if options["demo"] else self._seats(options)
            campaign = campaign_create(
                scenario=options["scenario"],
                slug=slug,
                title=options["title"],
                seats=seats,
                settings=_parse_setting_pairs(options["set"])
                | ({RECRUITMENT: options["recruitment"]} if options["recruitment"] else {}),
                armies=armies,
                demo=options["demo"],
            )
        self.stdout.write(f"Campaign {campaign.slug} ({campaign.title}) is on the morning of its first day.")
        self._tell_recruitment(campaign)

    def _tell_recruitment(self, campaign: Campaign) -> None:
        """Print the chosen tables of recruitment and attrition, with their effect (HR-REC-04)."""
        card = scenario_card(campaign.scenario)
        if card is not None and not card.fault:
            found, value = recruitment_of(card, armies=campaign.armies), campaign.settings[RECRUITMENT]
            self.stdout.write(
                f"Recruitment and attrition: {found.get_choice(value).title}. {found.describe_choice(value)}"
            )

    def _seats(self, options: dict[str, Any]) -> tuple[SeatPlan, ...]:
        sides = {side.id: side for side in read_scenario(scenario_path(options["scenario"])).theatre.sides}
        commanders: dict[str, User] = {}
        for pair in options["commander"]:
            side, _, name = pair.partition("=")
            if side not in sides or not name:
                raise CommandError(f"--commander {pair} is not SIDE=USER; the sides are {', '.join(sides)}.")
            if side in commanders:
                raise CommandError(f"--commander names {side} twice; a side has one commander.")
            commanders[side] = user_or_error(name)
        umpire = user_or_error(options["umpire"]) if options["umpire"] else None
        return (
            SeatPlan(role="umpire", title="Umpire", user=umpire),
            *(
                SeatPlan(role="commander", side=side.id, title=side.name, user=commanders.get(side.id))
                for side in sides.values()
            ),
        )

    def _demo_seats(self, scenario: str) -> tuple[SeatPlan, ...]:
        """The seats the scenario names for trying it out; users made for them have no usable password."""
        seats = []
        for seat in read_scenario(scenario_path(scenario)).demo_seats:
            user, new = User.objects.get_or_create(
                username=seat.username,
                defaults={"first_name": seat.title},
            )
            if new:
                user.set_unusable_password()
                user.save()
            seats.append(SeatPlan(role=seat.role, side=seat.side, title=seat.title, user=user))
        return tuple(seats)


def _parse_setting_pairs(pairs: list[str]) -> dict[str, Any]:
    """NAME=VALUE pairs with the values true, false, null and whole numbers read as such."""
    words = {"true": True, "false": False, "null": None}
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        if value.isdecimal() and len(value) > FIGURES:
            raise CommandError(f"--set {name} has {len(value)} figures; write {FIGURES} at most.")
        settings[name] = words[value] if value in words else int(value) if value.isdecimal() else value
    return settings


def _read_armies(options: dict[str, Any], notes: list[str]) -> tuple[RosterRow, ...]:
    """The units of --armies or --order-of-battle, () for the scenario's own; `notes` as in `roster_rows`."""
    if (file := options["armies"]) is not None:
        try:
            return roster_rows(file.read_bytes(), notes=notes)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except RosterErrors as refused:
            raise CommandError(f"{file} is refused, nothing is written:\n{refused}") from refused
    if (number := options["order_of_battle"]) is None:
        return ()
    found = OrderOfBattle.objects.filter(pk=number).first()
    if found is None:
        raise CommandError(f"There is no order of battle {number}; importorderofbattle prints its number.")
    return order_of_battle_rows(found)
