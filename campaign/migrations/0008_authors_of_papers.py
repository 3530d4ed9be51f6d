"""Who wrote a paper is a field of its own: a person's account may be gone, or never have been here."""

from django.db import migrations, models


def tell_authors(apps, schema_editor):
    papers = apps.get_model("campaign", "OrderPaper").objects
    seats = apps.get_model("campaign", "Seat").objects
    papers.filter(submitted_by=None).update(author="staff")
    for seat in seats.filter(role="umpire").exclude(user=None):
        papers.filter(campaign=seat.campaign_id, submitted_by=seat.user_id).update(author="umpire")


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0007_commanders_of_columns"),
    ]

    operations = [
        migrations.AddField(
            model_name="orderpaper",
            name="author",
            field=models.CharField(
                choices=[("commander", "commander"), ("staff", "staff"), ("umpire", "umpire")],
                default="commander",
                max_length=10,
            ),
        ),
        migrations.RunPython(tell_authors, migrations.RunPython.noop),
    ]
