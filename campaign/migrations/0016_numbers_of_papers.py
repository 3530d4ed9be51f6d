"""Papers are numbered within their side. Old ones keep the number their receipts have, which was the row's."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def number(apps, schema_editor):
    apps.get_model("campaign", "OrderPaper").objects.update(number=F("pk"))


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0015_letters_by_courier"),
    ]

    operations = [
        migrations.AddField(
            model_name="orderpaper",
            name="number",
            field=models.PositiveIntegerField(
                default=0, help_text="Counted within the side's papers of this campaign."
            ),
            preserve_default=False,
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="orderpaper",
            constraint=models.UniqueConstraint(fields=("campaign", "side", "number"), name="paper_number"),
        ),
        migrations.CreateModel(
            name="PaperCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=40)),
                ("last", models.PositiveIntegerField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.campaign",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="papercount",
            constraint=models.UniqueConstraint(fields=("campaign", "side"), name="paper_count"),
        ),
    ]
