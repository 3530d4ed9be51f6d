"""Names one after another, so that each can be told from the next."""

from django import template

from campaign.text.place_names import join_names

register = template.Library()
register.filter("listed", join_names)
