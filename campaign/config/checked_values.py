"""Reading of settings from the environment, with one sentence for a value that cannot be meant.

A sentence never repeats an address, which may hold a password.
"""

import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

YES = environ.Env.BOOLEAN_TRUE_STRINGS
NO = ("false", "off", "n", "no", "0")

#: What ends or divides an address, so that a password must have it percent-encoded.
ENCODED = "@ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25"


class CheckedEnv(environ.Env):
    """Environment variables as django-environ reads them; a number or a switch left empty is not set."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        text = str(self.ENVIRON.get(var, "")).strip()
        if cast not in (int, float, bool) or text.startswith("$"):
            return super().get_value(var, cast, default, parse_default)
        if not text and default is not self.NOTSET:
            return default
        if cast is bool:
            if text.lower() not in (*YES, *NO):
                raise ImproperlyConfigured(f"{var} is “{text}”; write true or false.")
            return text.lower() in YES
        try:
            number = cast(text)
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf:
            kind = "a whole number" if cast is int else "a number"
            raise ImproperlyConfigured(f"{var} is “{text}”; write {kind} of 0 or more, such as {default}.")
        return number


def read_url(name: str, url: str, parse: Callable[[str], dict[str, Any]], part: str) -> dict[str, Any]:
    """Return the result of `parse` for the server address in the variable `name`; `part` must be in it."""
    if "#" in url:
        raise ImproperlyConfigured(
            f"{name} holds a “#”, which ends an address. Percent-encode it in the password, as %23; "
            f"likewise {ENCODED}."
        )
    try:
        found = parse(url)
        if "://" not in url or not found.get(part):
            raise ValueError(name)
        return found
    except Exception:  # django-environ raises whatever its parts do, with the password in some messages
        raise ImproperlyConfigured(
            f"{name} is no address that can be used. Write it as in “Settings by environment” in "
            f"docs/commands.md, and in a name or password write {ENCODED}."
        ) from None


def redis_address(url: str) -> dict[str, Any]:
    """The parts of an address of Redis; ValueError if it is none."""
    parts = urlsplit(url)
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise ValueError(parts.scheme)
    return {"SCHEME": parts.scheme, "PORT": parts.port}


def host_names(given: list[str]) -> list[str]:
    """Names of hosts as Django compares them: without scheme, port and path, which people copy along."""
    names = (re.sub(r"^[a-z]+://", "", name.strip(), flags=re.IGNORECASE).split("/")[0] for name in given)
    return [re.sub(r":\d*$", "", name) if name.count(":") == 1 or "]" in name else name for name in names]


def site_address(given: str, https: bool) -> str:
    """The address of the site with its scheme, and no slash at its end."""
    address = given.strip()
    if "://" not in address:
        address = f"{'https' if https else 'http'}://{address}"
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", address):
        raise ImproperlyConfigured(
            f"SITE_URL is “{given}”; write the address of the site, such as https://campaign.example.org"
        )
    return address.rstrip("/")
