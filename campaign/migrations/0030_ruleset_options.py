from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0029_notices_are_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="ruleset_options",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Options of tactical rules by ruleset; what is left out has its default.",
            ),
        ),
    ]
