"""How many wrong passwords are taken before the door stays shut for a while: settings of django-axes.

Failures are counted in the database, so all machines of a site count together and a restart forgets none.
"""

from datetime import timedelta

AXES_HANDLER = "campaign.web.accounts.sign_in_guard.SignInGuard"
#: Of one person at one address; the guard says how many of an address, of a person everywhere, and of a
#: browser that knows him.
AXES_FAILURE_LIMIT = 6
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address", "username"]
AXES_COOLOFF_TIME = timedelta(minutes=15)
#: Trying on while shut out does not lengthen it.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "campaign.web.accounts.sign_in_guard.counted_name"
AXES_CLIENT_IP_CALLABLE = "campaign.ops.callers.counted_as"
AXES_LOCKOUT_CALLABLE = "campaign.web.accounts.sign_in_guard.shut_out"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "login", "email", "code", "csrfmiddlewaretoken"]
#: Who signed in stands among the audit entries, and the lists of /admin/ are ours.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
