"""How the site's accounts differ from allauth's own."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as a club has them: some are made by its administrator, at the desk or the command line."""

    def get_login_stages(self) -> list[str]:
        stages = super().get_login_stages()
        own = f"{ConfirmedOrGiven.__module__}.{ConfirmedOrGiven.__qualname__}"
        usual = f"{EmailVerificationStage.__module__}.{EmailVerificationStage.__qualname__}"
        return [own if stage == usual else stage for stage in stages]


class ConfirmedOrGiven(EmailVerificationStage):
    """Who signs up confirms his address; an account given by the administrator needs none."""

    def handle(self) -> Any:
        user = self.login.user
        if user is not None and not EmailAddress.objects.filter(user=user).exists():
            return None, True
        return super().handle()
