"""Print the JSON Schema of battle files."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from battles.files.json_schema import PUBLISHED, battle_schema
from battles.files.reference_lists import GUIDE, rewrite_guide


class Command(BaseCommand):
    requires_system_checks = ()  # needs no pages and no database
    help = "Print the JSON Schema of battle files, or make its copy and the lists of its document anew."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--write", action="store_true", help="write the published copy and the document's lists instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(battle_schema(), indent=2, ensure_ascii=False) + "\n"
        if options["write"]:
            PUBLISHED.write_text(text, encoding="utf-8")
            GUIDE.write_text(rewrite_guide(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
            self.stdout.write(f"Written: {PUBLISHED.name}, {GUIDE.name}")
        else:
            self.stdout.write(text)
