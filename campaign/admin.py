"""The umpire's desk: campaigns, units, pools and battles to look at, and two things to do.

Nothing is edited here. Rows are limited to the campaigns the person umpires; an administrator sees
the others too, but may not act in them. Both actions call the services the pages call.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from campaign.models import Battle, Campaign, User
from campaign.rules.errors import RuleViolation
from campaign.services.battles import battle_settle_ask
from campaign.services.turns import day_advance
from campaign.visibility import campaigns_overseen, campaigns_umpired
from rosters.models import Pool, Unit


def _umpire(request: HttpRequest) -> User:
    """The person at the desk; the admin lets nobody in who has not signed in."""
    assert isinstance(request.user, User)
    return request.user


class ReadOnlyAdmin(ModelAdmin):
    """Rows of the campaigns overseen, to look at. `campaign_lookup` leads from a row to its campaign."""

    campaign_lookup = ""
    list_fullwidth = True
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        seen = campaigns_overseen(request.user).values("pk")
        return super().get_queryset(request).filter(**{f"{self.campaign_lookup}__in": seen})

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """The actions are the umpire's; who umpires nothing is offered none."""
        return super().get_actions(request) if campaigns_umpired(request.user).exists() else {}

    def own_rows(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Those of the rows chosen that the person may act on, as umpire; the others are told."""
        mine = campaigns_umpired(request.user).values("pk")
        own = rows.filter(**{f"{self.campaign_lookup}__in": mine})
        if others := rows.count() - own.count():
            text = f"{others} of those chosen belong to a campaign you do not umpire; they were left alone."
            self.message_user(request, text, messages.WARNING)
        return own

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    campaign_lookup = "pk"
    list_display = ["title", "state", "days_played", "battles_waiting", "deadline"]
    # The secret of the dice is nobody's to read before the end, the umpire's included.
    fields = [
        "title",
        "slug",
        "scenario",
        "ruleset",
        "battle_policy",
        "state",
        "day",
        "revision",
        "commitment",
        "deadline",
    ]
    actions = ["advance_a_day"]

    @admin.display(description="days played", ordering="day")
    def days_played(self, campaign: Campaign) -> int:
        return campaign.day

    @admin.display(description="battles waiting")
    def battles_waiting(self, campaign: Campaign) -> int:
        return campaign.battles.filter(state=Battle.State.WAITING, revision=campaign.revision).count()

    @admin.action(description="Advance a day", permissions=["view"])
    def advance_a_day(self, request: HttpRequest, campaigns: QuerySet[Campaign]) -> HttpResponse | None:
        """Play the coming day of each campaign chosen, after asking which day is meant.

        The answer names the day, so that a second click or an old page plays nothing.
        """
        campaigns = self.own_rows(request, campaigns)
        if not campaigns:
            return None
        if "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": "Advance a day",
                "campaigns": campaigns,
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "campaign/admin_advance.html", context)
        for campaign in campaigns:
            if request.POST.get(f"day_{campaign.pk}") != str(campaign.day):
                text = f"{campaign.title} has been advanced since you asked; nothing was played. (HR-CAL-09)"
                self.message_user(request, text, messages.WARNING)
                continue
            try:
                result = day_advance(campaign=campaign, actor=_umpire(request), day=campaign.day)
            except RuleViolation as violation:
                self.message_user(request, f"{violation.message} ({violation.rule_id})", messages.ERROR)
                continue
            if result.battles_waiting:
                names = ", ".join(battle.inputs["file"]["title"] for battle in result.battles_waiting)
                text = f"Day {campaign.day + 1} of {campaign.title} waits for the {names}; settle it first."
                self.message_user(request, text, messages.WARNING)
            else:
                self.message_user(request, f"Day {campaign.day + 1} of {campaign.title} has been played.")
        return None


@admin.register(Battle)
class BattleAdmin(ReadOnlyAdmin):
    campaign_lookup = "campaign"
    list_display = ["name", "campaign", "day", "attacker", "defender", "state", "source"]
    list_filter = ["state", "source"]
    list_select_related = ["campaign"]
    fields = [
        "campaign",
        "day",
        "minute",
        "place",
        "route",
        "attacker",
        "defender",
        "state",
        "source",
        "settled_by",
        "settled_at",
    ]
    actions = ["settle_by_the_engine"]

    @admin.display(description="battle")
    def name(self, battle: Battle) -> str:
        return str(battle.inputs["file"]["title"])

    @admin.action(description="Settle a battle by the engine", permissions=["view"])
    def settle_by_the_engine(self, request: HttpRequest, battles: QuerySet[Battle]) -> None:
        """Ask that the battles chosen be fought under their campaigns' rules; a worker does it."""
        for battle in self.own_rows(request, battles).select_related("campaign"):
            name = battle.inputs["file"]["title"]
            if battle.state == Battle.State.SETTLED:
                self.message_user(request, f"The {name} is settled already.", messages.WARNING)
                continue
            try:
                battle_settle_ask(battle=battle, actor=_umpire(request))
            except RuleViolation as violation:
                self.message_user(request, f"{violation.message} ({violation.rule_id})", messages.ERROR)
            else:
                self.message_user(request, f"The engine fights the {name}; its page tells when it is over.")


@admin.register(Unit)
class UnitAdmin(ReadOnlyAdmin):
    campaign_lookup = "order_of_battle__campaign"
    list_display = ["name", "side", "formation", "troop_type", "points", "strength_points", "status"]
    list_filter = ["side", "status", "troop_type"]
    list_select_related = ["side", "formation"]
    search_fields = ["name", "regiment", "formation__name"]

    @admin.display(description="SP", ordering="points")
    def strength_points(self, unit: Unit) -> int:
        return unit.strength_points


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    campaign_lookup = "order_of_battle__campaign"
    list_display = ["__str__", "points", "order_of_battle"]
    list_select_related = ["order_of_battle"]


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    """People and their passwords; administrators only, by Django's own permissions."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
