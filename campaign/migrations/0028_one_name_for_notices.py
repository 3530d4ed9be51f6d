from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0027_archives_brought_in"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="notice",
            options={
                "ordering": ["id"],
                "verbose_name": "notice",
                "verbose_name_plural": "notices sent",
            },
        ),
    ]
