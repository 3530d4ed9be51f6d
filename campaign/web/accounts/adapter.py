"""The site's own accounts: the differences from allauth's defaults."""

import re
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core.ratelimit import clear
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaign.models import User
from campaign.ops.callers import counted_as
from campaign.ops.encryption import encrypt_text
from campaign.services.accounts.profile import person_name_fault
from campaign.services.accounts.second_factors import factor_open
from campaign.services.notifications.email import MailFailed, mail_send_or_keep
from campaign.services.seats.invitations import invitation_keep, invitations_for
from campaign.web.accounts.known_browsers import browser_remember
from campaign.web.seats.invitations import invitation_waiting

#: Where the session keeps why the last e-mail to the person is not sent, for the page that follows.
UNSENT = "mail_unsent"
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"

LONGEST_USERNAME = 150  # as Django's column holds it


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as a club has them: some are made by its administrator, at the desk or the command line."""

    def get_login_stages(self) -> list[str]:
        stages = super().get_login_stages()
        own = f"{ConfirmedOrGiven.__module__}.{ConfirmedOrGiven.__qualname__}"
        usual = f"{EmailVerificationStage.__module__}.{EmailVerificationStage.__qualname__}"
        return [own if stage == usual else stage for stage in stages]

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong passwords are counted by django-axes alone (`campaign.web.accounts.sign_in_guard`), not
        here too.
        """

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name nobody mistakes for another person or for the site."""
        fault = person_name_fault(username, longest=LONGEST_USERNAME)
        if fault and not shallow:
            raise ValidationError(fault)
        if wrong := re.search(r"[^\w.@+-]", username):
            sign = "a space" if wrong[0].isspace() else wrong[0]
            raise ValidationError(
                f"A username cannot hold {sign}; use letters, digits and the signs . @ + - _ only."
            )
        cleaned: str = super().clean_username(username, shallow=shallow)
        return cleaned

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that allauth counts by and names in e-mails: the same as for every other
        limit of the site.
        """
        return counted_as(request) or "unknown"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Tells the pages that follow why an e-mail is not sent (HR-DUE-13)."""
        given = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        mail = self.render_mail(template_prefix, email, {**given, **context})
        try:
            mail_send_or_keep(mail)
        except MailFailed as failure:
            self.request.session[UNSENT] = str(failure)
            self.request.mail_failed = failure
            if failure.final:  # the next attempt is no second e-mail to that address
                clear(self.request, action="confirm_email", key=email.lower())
        else:
            self.request.session.pop(UNSENT, None)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **given: Any
    ) -> None:
        """allauth says that an e-mail is on its way whatever became of it."""
        failure = getattr(request, "mail_failed", None)
        if failure is not None and message_template == CONFIRMATION_SENT:
            messages.error(request, str(failure))
            return
        super().add_message(request, level, message_template, *args, **given)

    def post_login(self, request: HttpRequest, user: User, **given: Any) -> HttpResponse:
        """Remember the person in this browser once they have signed in, including the second factor."""
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
        return self._find_invitation_url(request) or super().get_login_redirect_url(request)

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self._find_invitation_url(request) or super().get_signup_redirect_url(request)

    def _find_invitation_url(self, request: HttpRequest) -> str:
        waiting = invitation_waiting(request)
        if waiting is not None and isinstance(request.user, User):
            invitation_keep(invitation=waiting, user=request.user)
        if waiting is None and isinstance(request.user, User):
            waiting = next(iter(invitations_for(request.user)), None)
        return reverse("invitation", args=[waiting.pk]) if waiting is not None else ""


class FactorAdapter(DefaultMFAAdapter):
    """Secrets of authenticators and recovery codes lie sealed in the database."""

    def encrypt(self, text: str) -> str:
        return encrypt_text(text)

    def decrypt(self, encrypted_text: str) -> str:
        return factor_open(encrypted_text)


class ConfirmedOrGiven(EmailVerificationStage):
    """Sign-up stage: new people confirm their e-mail address; accounts made by the administrator need no
    confirmation.
    """

    def handle(self) -> Any:
        user = self.login.user
        if user is not None and not EmailAddress.objects.filter(user=user).exists():
            return None, True
        return super().handle()
