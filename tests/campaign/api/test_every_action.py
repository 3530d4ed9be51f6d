"""All that people do on the site programs do too: pages and the umpire's lists beside the API's operations.

A line says which operations do what the page, its sheet or the list's action does, or in a sentence why
no program needs it. A new address or action without a line fails, and so does a line whose page or operation
is gone.
"""

from collections.abc import Iterator, Mapping

import pytest

from campaign.admin.site import umpire_site
from campaign.api.framework.contract import Contract
from campaign.api.urls import urlpatterns as api
from campaign.web.campaign_page import UMPIRE_SHEETS
from campaign.web.urls import urlpatterns as web

#: Operations of the API, or why there is none.
Line = tuple[str, ...] | str

#: Pages of battles.
BATTLES: Mapping[str, Line] = {
    "battle": ("battles_list", "battles_read", "battles_file"),
    "battle-plan": ("battles_plans", "battles_plan", "battles_plan_as_ordered"),
    "battle-settle": ("umpire_settle",),
    "battle-result": ("results_read", "results_enter", "results_photograph"),
    "battle-compare": ("results_compare", "results_casualties", "results_confirm"),
    "battle-photo": ("results_photo",),
    "battle-photo-remove": ("results_photo_remove",),
    "battle-odds": ("odds_ask", "odds_read"),
    "battle-odds-stop": ("jobs_cancel",),
    "battle-comparison": ("comparisons_of_battle",),
    "battle-files": ("fights_shipped", "fights_shipped_file", "comparisons_ask", "comparisons_list"),
    "comparison": ("comparisons_read",),
    "comparison-stop": ("comparisons_cancel",),
    "comparison-again": ("comparisons_again",),
    "battle-replay": ("battles_replay",),
    "replay-data": ("battles_replay",),
    "replay-write": ("battles_replay_write",),
    "battle-pack": ("battles_pack",),
    "archive-file": ("archives_make", "archives_read"),
    "battle-pack-pdf": ("battles_pack_print", "battles_pack_file"),
    "battle-way": (
        "battles_way",
        "battles_way_choose",
        "battles_ground_look",
        "battles_adjust",
        "battles_adjustment_take_back",
        "battles_split",
        "battles_whole",
        "battles_again",
    ),
    "calibration": ("calibration_read",),
    "calibration-csv": ("calibration_table",),
    "calibration-ask": ("calibration_ask",),
}

#: Why there is no operation for some.
SIGNING_IN = "A program comes with a token; signing in and out is done in a browser (HR-API-01)."
LEADS_ON = "An address of old that leads to the week's desk."

#: Pages of the campaign, and of people.
CAMPAIGN: Mapping[str, Line] = {
    "own-scenarios": ("scenarios_upload", "scenarios_list", "scenarios_read"),
    "own-scenario-remove": ("scenarios_remove",),
    "own-scenario-template": "A small scenario for people to begin from; programs send files of their own.",
    "restorations": ("restorations_ask", "restorations_list", "restorations_read"),
    "restoration-stop": ("restorations_cancel",),
    "restoration-again": ("restorations_again",),
    "restoration-remove": ("restorations_remove",),
    "account_login": SIGNING_IN,
    "account_logout": SIGNING_IN,
    "account_signup": SIGNING_IN,
    "sign-in": SIGNING_IN,
    "sign-out": SIGNING_IN,
    "demo-enter": "A demo's seat is entered in a browser, where it signs in.",
    "tokens": "Tokens are made on the site alone, so that no token makes others (HR-API-01).",
    "account-close": "An account is closed on the site alone, with the password (HR-SET-16).",
    "token-revoke": "Tokens are revoked on the site alone, by their person (HR-API-01).",
    "front": ("campaigns_list", "me_invitations", "setups_list", "me_notices"),
    "profile": ("me_read", "me_save"),
    "away": ("me_absences", "me_absent"),
    "away-back": ("me_back",),
    "notices": ("me_notices", "me_notices_read"),
    "notice-settings": ("me_ways", "me_way_add", "me_calendar", "me_calendar_make", "me_calendar_end"),
    "notice-channel": (
        "me_way",
        "me_way_set",
        "me_way_remove",
        "me_way_test",
        "me_way_confirm",
        "me_way_secret",
    ),
    "calendar-feed": "The calendar is iCalendar at an address of its own, made by me_calendar_make.",
    "calendar-feed-campaign": "The calendar is iCalendar at an address of its own, made by me_calendar_make.",
    "invitation-link": ("me_invitation_open",),
    "invitation": ("me_invitations", "me_invitation_accept"),
    "rulebook": ("rules_list",),
    "rule": ("rules_read",),
    "campaign-new": ("setups_list", "setups_begin", "scenarios_list"),
    "campaign-new-step": (
        "setups_read",
        "setups_scenario",
        "setups_name",
        "setups_seats",
        "scenarios_recruitment",
        "setups_rules",
        "setups_clock",
        "setups_battles",
        "setups_check",
        "setups_make",
    ),
    "campaign-new-discard": ("setups_discard",),
    "campaign-new-made": ("setups_make",),
    "scenario-map": ("scenarios_map",),
    "scenario-sources": ("scenarios_sources",),
    "scenario-armies": ("scenarios_armies",),
    "campaign": ("campaigns_read", "standing_read", "jobs_list"),
    "campaign-public": ("campaigns_public",),
    "campaign-settings": (
        "settings_read",
        "settings_conduct",
        "settings_rules",
        "settings_rhythm",
        "settings_spectators",
    ),
    "campaign-map": ("map_read",),
    "map-list": ("map_read",),
    "desk-map": ("map_read",),
    "reach": ("map_reach",),
    "army": ("army_read", "army_prospects"),
    "army-csv": ("army_table",),
    "army-unit": ("army_unit",),
    "seats": (
        "seats_all",
        "seats_open",
        "seats_read",
        "seats_give",
        "seats_date",
        "seats_offer",
        "seats_pass",
        "seats_close",
        "invitations_list",
        "invitations_make",
        "invitations_read",
        "invitations_replace",
        "invitations_take_back",
        "settings_spectators",
    ),
    "seat-take": ("seats_take",),
    "seat-leave": ("seats_leave",),
    "order-give": ("orders_list", "orders_submit", "orders_draft"),
    "order-preview": ("orders_validate",),
    "order-withdraw": ("orders_withdraw",),
    "orders-overview": ("orders_overview",),
    "nothing-new": ("orders_nothing_new",),
    "orders-repeat": ("orders_repeat",),
    "orders-of": ("orders_history",),
    "drafts-submit": ("orders_drafts_submit",),
    "draft": ("orders_read", "orders_replace", "orders_withdraw", "orders_draft_submit"),
    "organise": ("orders_submit", "orders_draft"),
    "choose": ("orders_submit", "orders_draft"),
    "paper-strike": ("orders_strike",),
    "receipts": ("receipts_list",),
    "receipt": ("receipts_read",),
    "treat": ("standing_treat",),
    "journal": ("journal_list",),
    "journal-day": ("journal_list",),
    "gazette": ("gazette_read",),
    "gazette-latest": ("gazette_read",),
    "bulletins": ("bulletins_list",),
    "bulletin": ("bulletins_read",),
    "bulletin-pdf": ("bulletins_sheet",),
    "bulletin-foreword": ("bulletins_foreword",),
    "bulletin-publish": ("bulletins_publish",),
    "campaign-book": ("book_read", "book_make"),
    "campaign-book-pdf": ("book_sheet", "book_print"),
    "letters": ("letters_list", "letters_read", "letters_receivers", "letters_send"),
    "letter-withdraw": ("letters_withdraw",),
    "proof": ("days_list",),
    "side-journal": ("days_side_journal",),
    "forecast": ("forecasts_read", "forecasts_ask"),
    "forecast-stop": ("jobs_cancel",),
    "jobs": ("jobs_list",),
    "job": ("jobs_read",),
    "job-stop": ("jobs_cancel",),
    "job-again": ("jobs_again",),
    "week-desk": ("umpire_desk", "umpire_act", "umpire_trial", "umpire_unreached"),
    "advance": ("umpire_advance",),
    "deadline": ("settings_deadline",),
    "schedule": ("settings_rhythm",),
    "dry-run": ("umpire_try",),
    "dice-enter": ("umpire_dice",),
    "rerun": ("umpire_advance",),
    "rewind": ("umpire_desk", "umpire_rewind"),
    "hand": LEADS_ON,
    "hand-back": LEADS_ON,
    "hand-dry-run": LEADS_ON,
}

#: Sheets of the campaign's page: `campaign sheet`.
SHEETS: Mapping[str, Line] = {
    "campaign day": ("umpire_desk", "umpire_advance", "orders_overview", "seats_list", "settings_deadline"),
    "campaign orders": ("orders_list", "orders_overview"),
    "campaign returns": ("returns_read", "army_prospects", "orders_list", "orders_submit"),
    "campaign supply": ("supply_read",),
    "campaign journal": ("journal_list", "map_read"),
    "campaign battles": ("battles_list",),
    "campaign standing": ("standing_read", "standing_treat", "seats_list"),
    "campaign letters": ("letters_list", "letters_send"),
}

#: What the umpire's lists do with the rows chosen, and what they are read by: `umpire:list action`.
LISTS: Mapping[str, Line] = {
    "umpire:campaign": ("campaigns_list", "campaigns_read"),
    "umpire:campaign advance": ("umpire_advance",),
    "umpire:campaign pause": ("umpire_act",),
    "umpire:campaign resume": ("umpire_act",),
    "umpire:campaign deadline": ("settings_deadline",),
    "umpire:notice": ("umpire_notices",),
    "umpire:notice send_again": ("umpire_notice_again",),
    "umpire:job": ("jobs_list", "jobs_read"),
    "umpire:job stop": ("jobs_cancel",),
    "umpire:job try_again": ("jobs_again",),
    "umpire:unit": ("army_read", "army_unit", "tables_units_preview", "tables_units_bring"),
    "umpire:unit points": ("umpire_act",),
    "umpire:unit rename": ("umpire_act",),
    "umpire:unit split": ("umpire_act",),
    "umpire:formation": ("army_read", "map_read"),
    "umpire:formation place": ("umpire_act",),
    "umpire:formation halt": ("umpire_act",),
    "umpire:formation rename": ("umpire_act",),
    "umpire:pool": ("army_prospects", "tables_read"),
    "umpire:leader": ("army_prospects", "tables_read"),
    "umpire:battle": ("battles_list", "battles_read"),
    "umpire:battle way": ("battles_way_choose",),
    "umpire:battle settle": ("umpire_settle",),
    "umpire:orderpaper": ("orders_overview", "receipts_list"),
    "umpire:orderpaper strike": ("umpire_act",),
    "umpire:journalentry": ("journal_list",),
    "umpire:seat": ("seats_all",),
    "umpire:seat invite": ("invitations_make",),
    "umpire:seat take_back": ("invitations_take_back",),
    "umpire:seat dates": ("seats_date",),
    "umpire:seat offer": ("seats_offer",),
    "umpire:seat keep": ("seats_offer",),
    "umpire:seat empty": ("seats_give",),
    "umpire:seat close": ("seats_close",),
    **{
        f"umpire:{name} table_{form}": ("tables_read",)
        for name in ("unit", "formation", "pool", "leader", "journalentry")
        for form in ("csv", "xlsx")
    },
}

AREAS = (BATTLES, CAMPAIGN, SHEETS, LISTS)
VERBS = ("get", "post", "put", "patch", "delete")


def operations() -> Iterator[str]:
    """Ids of all operations of the API, as its document names them."""
    for address in api:
        view = getattr(address.callback, "cls", None)
        for verb in VERBS:
            contract = getattr(getattr(view, verb, None), "contract", None)
            if isinstance(contract, Contract):
                yield contract.name


def actions() -> Iterator[str]:
    """The umpire's lists, and what each does."""
    for model, desk in umpire_site._registry.items():
        yield f"umpire:{model._meta.model_name}"
        for action in desk.actions or ():
            name = action if isinstance(action, str) else action.__name__
            yield f"umpire:{model._meta.model_name} {name}"


def test_each_page_and_each_action_of_a_list_has_a_line() -> None:
    sheets = {f"campaign {sheet}" for sheet in UMPIRE_SHEETS}
    pages = {*(address.name for address in web), *sheets, *actions()}
    told = [name for area in AREAS for name in area]
    assert sorted(told) == sorted(pages), "an address without a line, with two, or a line without address"


@pytest.mark.parametrize("page", [name for area in AREAS for name in area])
def test_a_line_names_operations_there_are_or_a_reason(page: str) -> None:
    [line] = [area[page] for area in AREAS if page in area]
    if isinstance(line, str):
        assert line.endswith(".") and len(line.split()) > 4, "a reason is a sentence"
    else:
        assert line and set(line) <= set(operations())
