"""Letters have codes in addresses instead of their row's number, which told how many others write."""

from django.db import migrations, models

import campaign.models.dispatches


def name(apps, schema_editor):
    for letter in apps.get_model("campaign", "Letter").objects.all():
        letter.code = campaign.models.dispatches.new_code()
        letter.save(update_fields=["code"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0016_numbers_of_papers"),
    ]

    operations = [
        migrations.AddField(
            model_name="letter",
            name="code",
            field=models.CharField(default="", editable=False, max_length=12),
        ),
        migrations.RunPython(name, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="letter",
            name="code",
            field=models.CharField(
                default=campaign.models.dispatches.new_code, editable=False, max_length=12, unique=True
            ),
        ),
    ]
