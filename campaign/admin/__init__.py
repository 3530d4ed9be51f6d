"""The umpire's desk of rows at /umpire/, and the administrators' pages at /admin/.

The desk is limited to the campaigns a person umpires or assists in; every change on it is made by the
services the site's pages call. /admin/ holds people and jobs, and nothing of what happens in a campaign.
"""

from campaign.admin import accounts as accounts
from campaign.admin import armies as armies
from campaign.admin import campaigns as campaigns
from campaign.admin import seats as seats
from campaign.admin import sign_in_audit as sign_in_audit
from campaign.admin import turns as turns
