"""What the commands share."""

from django.core.management.base import CommandError

from campaign.models import Campaign


def campaign_or_error(slug: str) -> Campaign:
    """The campaign of that name, or a sentence that says which there are."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no campaign {slug}. Campaigns here: {known}.")
    return campaign
