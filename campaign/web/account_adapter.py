"""How the site's accounts differ from allauth's own."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaign.config.callers import counted_as
from campaign.models import User
from campaign.sealing import seal
from campaign.services.invitations import invitation_keep, invitations_for
from campaign.services.people import person_name_fault
from campaign.services.second_factors import factor_open
from campaign.web.invitations import invitation_waiting
from campaign.web.known_browsers import browser_remember

logger = logging.getLogger(__name__)

LONGEST_USERNAME = 150  # as Django's column holds it


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as a club has them: some are made by its administrator, at the desk or the command line."""

    def get_login_stages(self) -> list[str]:
        stages = super().get_login_stages()
        own = f"{ConfirmedOrGiven.__module__}.{ConfirmedOrGiven.__qualname__}"
        usual = f"{EmailVerificationStage.__module__}.{EmailVerificationStage.__qualname__}"
        return [own if stage == usual else stage for stage in stages]

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong passwords are counted by django-axes alone (`campaign.web.sign_in_guard`), not here too."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name nobody mistakes for another person or for the site."""
        fault = person_name_fault(username, longest=LONGEST_USERNAME)
        if fault and not shallow:
            raise ValidationError(fault)
        cleaned: str = super().clean_username(username, shallow=shallow)
        return cleaned

    def get_client_ip(self, request: HttpRequest) -> str:
        """What allauth counts by, and names in letters: as every other limit of the site."""
        return counted_as(request) or "unknown"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is down is told to the person, who loses nothing by it."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # smtplib's errors are OSErrors
            logger.warning("A letter (%s) could not be sent: %s", template_prefix, error)
            messages.error(
                self.request,
                "The letter could not be sent: the mail server does not answer. Try again in a while; what "
                "you entered is kept.",
            )

    def post_login(self, request: HttpRequest, user: User, **given: Any) -> HttpResponse:
        """Who has signed in, second factor and all, is known in this browser."""
        response: HttpResponse = super().post_login(request, user, **given)
        browser_remember(request, response, user)
        return response

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Whoever signs up with an invitation open finds it again after confirming, in any browser."""
        saved: User = super().save_user(request, user, form, commit)
        invitation = invitation_waiting(request)
        if commit and invitation is not None:
            invitation_keep(invitation=invitation, user=saved)
        return saved

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """To the invitation that waits, or home."""
        return self._invited(request) or super().get_login_redirect_url(request)

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self._invited(request) or super().get_signup_redirect_url(request)

    def _invited(self, request: HttpRequest) -> str:
        waiting = invitation_waiting(request)
        if waiting is not None and isinstance(request.user, User):
            invitation_keep(invitation=waiting, user=request.user)
        if waiting is None and isinstance(request.user, User):
            waiting = next(iter(invitations_for(request.user)), None)
        return reverse("invitation", args=[waiting.pk]) if waiting is not None else ""


class FactorAdapter(DefaultMFAAdapter):
    """Secrets of authenticators and recovery codes lie sealed in the database."""

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return factor_open(encrypted_text)


class ConfirmedOrGiven(EmailVerificationStage):
    """Who signs up confirms his address; an account given by the administrator needs none."""

    def handle(self) -> Any:
        user = self.login.user
        if user is not None and not EmailAddress.objects.filter(user=user).exists():
            return None, True
        return super().handle()
