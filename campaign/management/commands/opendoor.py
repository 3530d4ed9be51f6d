"""opendoor USER: whoever is shut out after wrong passwords comes in at once, if he knows the right one."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from campaign.ledger.audit import audit_note
from campaign.management.lookup import user_or_error
from campaign.models import AuditEntry
from campaign.web.accounts.sign_in_guard import door_open


class Command(BaseCommand):
    help = "Forget the wrong passwords of a person, from wherever they came; they may try again at once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", help="The name the person signs in with.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = user_or_error(options["user"])
        with transaction.atomic():
            door_open(person)
            audit_note(
                AuditEntry.Kind.ACCOUNT, None, f"the door opened for {person.get_username()} by command"
            )
        self.stdout.write(f"{person.get_username()} may sign in again, unless the whole address is shut out.")
