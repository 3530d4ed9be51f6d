"""The umpire's desk of rows at /umpire/, and the administrators' pages at /admin/.

The desk is limited to the campaigns a person umpires or assists in; every change on it is made by the
services the site's pages call. /admin/ holds people and jobs, and nothing of what happens in a campaign.
"""

from campaign.admin import armies as armies
from campaign.admin import campaigns as campaigns
from campaign.admin import course as course
from campaign.admin import door as door
from campaign.admin import people as people
from campaign.admin import seats as seats
