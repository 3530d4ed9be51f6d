"""Middleware of the site."""

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

# unfold runs on Alpine.js, which evaluates attributes, and its widgets write style attributes.
ADMIN_POLICY = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The strict policy of the settings everywhere, loosened for the admin's pages only."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(reverse("admin:index")):
            parts.replace = {**ADMIN_POLICY, **(parts.replace or {})}
        return parts
