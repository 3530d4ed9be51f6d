from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0028_one_name_for_notices"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="notice",
            options={
                "ordering": ["id"],
                "verbose_name": "notice",
                "verbose_name_plural": "notices",
            },
        ),
    ]
