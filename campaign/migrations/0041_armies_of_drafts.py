"""The units of a table that was chosen at set-up go into a column of their own, so that lists leave them."""

import json
from hashlib import sha256
from typing import Any

from django.db import migrations, models


def rows_move_apart(apps: Any, editor: Any) -> None:
    """Move the units out of `body`, where their count and digest stay."""
    for draft in list(apps.get_model("campaign", "CampaignDraft").objects.all()):
        armies = draft.body.get("scenario", {}).get("armies")
        if armies and "rows" in armies:
            draft.armies = armies.pop("rows")
            text = json.dumps(draft.armies, sort_keys=True, ensure_ascii=False)
            armies.setdefault("digest", sha256(text.encode()).hexdigest())
            armies["units"] = len(draft.armies)
            draft.save(update_fields=["body", "armies"])


def rows_move_back(apps: Any, editor: Any) -> None:
    """The way back."""
    for draft in list(apps.get_model("campaign", "CampaignDraft").objects.all()):
        armies = draft.body.get("scenario", {}).get("armies")
        if armies and draft.armies:
            armies["rows"] = draft.armies
            draft.save(update_fields=["body"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0040_published_orders"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaigndraft",
            name="armies",
            field=models.JSONField(
                blank=True, default=list, help_text="Units of the table chosen in place of the scenario's."
            ),
        ),
        migrations.RunPython(rows_move_apart, rows_move_back),
    ]
