"""allauth's forms in the site's words: labels instead of placeholders, sentences instead of lists."""

from typing import Any

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY, generate_totp_secret
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest

from campaign.models import User
from campaign.ops.encryption import decrypt_text, encrypt_text, is_probably_encrypted
from campaign.ops.site_cache import CacheAway, shared_verify
from campaign.selectors.accounts import LONGEST_NAME
from campaign.services.accounts.credentials import credentials_end, has_credentials
from campaign.services.accounts.profile import normalize_time_zone
from campaign.web.form_errors import set_error_sentences

GOOD_PASSWORD = "At least eight characters; not only figures, not a common word, and not your name."
#: Characters of a password; a name or code has no more than `LONGEST_NAME`.
LONGEST_PASSWORD = 4096
LABELS = {
    "login": "Username or e-mail",
    "email": "E-mail",
    "password2": "Password again",
    "oldpassword": "Present password",
    "code": "Code",
}
HELP = {"password1": GOOD_PASSWORD, "password": "", "oldpassword": ""}


class PlainForm(forms.Form):
    """Labels and help in the site's words, no placeholders, no cursor seized."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name, field in self.fields.items():
            field.label = LABELS.get(name, str(field.label).capitalize())
            field.help_text = HELP.get(name, field.help_text)
            for attribute in ("placeholder", "autofocus"):
                field.widget.attrs.pop(attribute, None)
            if isinstance(field, forms.CharField) and field.max_length is None:
                field.max_length = LONGEST_PASSWORD if "password" in name else LONGEST_NAME
                field.validators.append(MaxLengthValidator(field.max_length))
        if "code" in self.fields:
            self.fields["code"].widget.attrs["inputmode"] = "numeric"

    def full_clean(self) -> None:
        set_error_sentences(self)
        super().full_clean()


class SignInForm(PlainForm, account.LoginForm):
    """Name or e-mail, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignUpForm(PlainForm, account.SignupForm):
    """A new account. A script fills in the browser's time zone."""

    time_zone = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = "The others see it, until you give a name in your profile."
        email = self.fields["email"]
        email.help_text = "Where letters go: orders due, a day played. Nobody else sees it."
        if not email.required:
            email.label = "E-mail, if you want letters"

    def save(self, request: HttpRequest) -> User:
        user = super().save(request)
        assert isinstance(user, User)
        user.time_zone = normalize_time_zone(self.cleaned_data["time_zone"])
        user.save(update_fields=["time_zone"])
        return user


class EmailForm(PlainForm, account.AddEmailForm):
    """Another address; it counts once it is confirmed, or at once where no letters are sent."""

    @property
    def by_letter(self) -> bool:
        return bool(settings.MAIL_IS_SENT)

    def save(self, request: HttpRequest) -> EmailAddress:
        if self.by_letter:
            return super().save(request)
        assert isinstance(self.user, User)
        with transaction.atomic():  # never without the address he had and without the new one
            EmailAddress.objects.filter(user=self.user).delete()
            address = EmailAddress.objects.create(
                user=self.user, email=self.cleaned_data["email"], primary=True
            )
            self.user.email = address.email
            self.user.save(update_fields=["email"])
        return address


class PasswordForm(PlainForm, account.ChangePasswordForm):
    """Another password. Other windows end with the old one; programs go on unless one says otherwise."""

    ends = forms.MultipleChoiceField(
        label="End as well",
        choices=[("all", "the tokens of my programs and the address of my calendar")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="If somebody may have known the password. Other windows are signed out in any case.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self.user, User)
        if not has_credentials(self.user):
            del self.fields["ends"]

    def save(self) -> None:
        with transaction.atomic():
            super().save()
            if self.cleaned_data.get("ends"):
                credentials_end(user=self.user)


class FirstPasswordForm(PlainForm, account.SetPasswordForm):
    """A password for an account that has none."""


class ForgottenForm(PlainForm, account.ResetPasswordForm):
    """The address to which the link for a new password is sent."""


class NewPasswordForm(PlainForm, account.ResetPasswordKeyForm):
    """A password instead of the forgotten one: nothing else that opened the account does so any more."""

    def save(self) -> None:
        with transaction.atomic():
            super().save()
            credentials_end(user=self.user)


class ConfirmForm(PlainForm, account.ReauthenticateForm):
    """The password once more, before something that matters."""


class CodeOnce(forms.Form):
    """A code is good once: taken only where every process can be told that it was used."""

    def clean_code(self) -> str:
        try:
            shared_verify()
        except CacheAway as away:
            raise forms.ValidationError(
                "Codes cannot be checked just now: a part of the site does not answer. Try again in a minute."
            ) from away
        return str(super().clean_code())  # type: ignore[misc]


class CodeForm(PlainForm, CodeOnce, mfa.AuthenticateForm):
    """The second factor: a code of the authenticator, or a recovery code."""


class CodeAgainForm(PlainForm, CodeOnce, mfa.ReauthenticateForm):
    """A code once more, before something that matters."""


class AuthenticatorForm(PlainForm, ActivateTOTPForm):
    """The first code of a new authenticator, whose secret lies sealed in the session until then."""

    secret: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kept = self.secret  # of the session, or if that had none made this moment
        self.secret = decrypt_text(kept) or generate_totp_secret() if is_probably_encrypted(kept) else kept
        context.request.session[SECRET_SESSION_KEY] = encrypt_text(self.secret)
