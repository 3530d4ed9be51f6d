"""Filter that keeps secrets out of error pages with DEBUG and out of mailed reports."""

import re

from django.views.debug import SafeExceptionReporterFilter


class ErrorReports(SafeExceptionReporterFilter):
    """Django's own list, with what programs sign in with and addresses that hold passwords."""

    hidden_settings = re.compile(
        "API|AUTHORIZATION|TOKEN|KEY|SECRET|PASS|SIGNATURE|COOKIE|_URL|DATABASES|CACHES|BROKER", re.IGNORECASE
    )
