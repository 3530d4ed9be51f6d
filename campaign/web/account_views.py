"""allauth's views where a page of ours shows more."""

from typing import Any

from allauth.account.views import EmailVerificationSentView, SignupView

from campaign.web.invitations import invitation_waiting


class SignUpView(SignupView):
    """Signing up, with the invitation it is for."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "invitation": invitation_waiting(self.request)}


class LetterSentView(EmailVerificationSentView):
    """A letter is on its way; the invitation waits."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "invitation": invitation_waiting(self.request)}


sign_up = SignUpView.as_view()
letter_sent = LetterSentView.as_view()
