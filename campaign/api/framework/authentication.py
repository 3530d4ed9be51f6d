"""Authentication: by API token, or by the browser session of a signed-in person."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from campaign.models import ApiToken, User
from campaign.services.accounts.tokens import token_find


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer awi_...`; `request.auth` is the token."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, text = get_authorization_header(request).decode("latin-1").strip().partition(" ")
        if not kind:
            return None  # no header at all: perhaps a browser
        token = token_find(text.strip()) if kind.lower() == "bearer" else None
        if token is None:
            raise AuthenticationFailed
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BrowserAuthentication(SessionAuthentication):
    """The session of the site; whatever writes sends the CSRF token."""


class TokenScheme(OpenApiAuthenticationExtension):
    """Description of API tokens for the OpenAPI document."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "awi_…"}


class BrowserScheme(OpenApiAuthenticationExtension):
    """Description of the browser session for the OpenAPI document."""

    target_class = BrowserAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The site's own session; writing asks for the header X-CSRFToken too.",
        }
