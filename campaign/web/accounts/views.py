"""allauth's views where a page of ours shows more."""

from typing import Any

from allauth.account.internal.stagekit import unstash_login
from allauth.account.views import EmailVerificationSentView, PasswordResetDoneView, SignupView
from django.http import HttpResponse

from campaign.models import User
from campaign.services.notifications.email import MailFailed
from campaign.web.accounts.adapter import UNSENT
from campaign.web.seats.invitations import invitation_waiting


class SignUpView(SignupView):
    """Signing up, with the invitation it is for."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "invitation": invitation_waiting(self.request)}

    def form_valid(self, form: Any) -> HttpResponse:
        """An address the mail server refuses is corrected here: nobody could confirm it, or sign up again
        under the same username (HR-DUE-13)."""
        answer: HttpResponse = super().form_valid(form)
        failure = getattr(self.request, "mail_failed", None)
        if not (isinstance(failure, MailFailed) and failure.final):
            return answer
        unstash_login(self.request)
        self.request.session.pop(UNSENT, None)
        if isinstance(self.user, User):
            self.user.delete()
        form.add_error("email", str(failure))
        refused: HttpResponse = self.form_invalid(form)
        return refused


class Unsent:
    """Pages that say an e-mail was sent: unless it was not."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        unsent = self.request.session.pop(UNSENT, "")  # type: ignore[attr-defined]
        return {**super().get_context_data(**kwargs), "unsent": unsent}  # type: ignore[misc]


class LetterSentView(Unsent, EmailVerificationSentView):
    """The state of the confirmation e-mail just sent; the invitation waits meanwhile."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "invitation": invitation_waiting(self.request)}


class ResetSentView(Unsent, PasswordResetDoneView):
    """The state of the e-mail with the link to a new password."""


sign_up = SignUpView.as_view()
letter_sent = LetterSentView.as_view()
reset_sent = ResetSentView.as_view()
