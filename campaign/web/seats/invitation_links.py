"""An invitation's link as pages show it: to copy, as a QR code, and whether others can open it."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from battles.printing.sheets import qr_svg
from campaign.services.seats.invitations import invitation_link, only_here


@dataclass(frozen=True, slots=True)
class LinkShown:
    """A link to pass on; `only_here` when it leads everybody to their own computer."""

    seat: str
    link: str
    email: str = ""

    @property
    def only_here(self) -> bool:
        return only_here(self.link)

    @property
    def qr(self) -> SafeString:
        return mark_safe(qr_svg(self.link))


def link_of(request: HttpRequest, token: str) -> str:
    """The address of a token's link, as the site is open to who asks."""
    return invitation_link(token, request.build_absolute_uri("/"))


def links_only_here(request: HttpRequest) -> bool:
    """True if links made now would lead everybody to their own computer."""
    return only_here(settings.SITE_URL) and only_here(request.build_absolute_uri("/"))
