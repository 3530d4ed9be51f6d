"""All that people do on the site programs do too: each address of the pages beside the operations of the API.

A line says which operations do what the page does, or in a sentence why no program needs it. A new address
without a line fails, and so does a line whose page or operation is gone.
"""

from collections.abc import Iterator, Mapping

import pytest

from campaign.api.contract import Contract
from campaign.api.urls import urlpatterns as api
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
    "battle-replay": ("battles_replay",),
    "replay-data": ("battles_replay",),
    "replay-write": ("battles_replay_write",),
    "battle-pack": ("battles_pack",),
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

#: Pages of the campaign, and of people.
CAMPAIGN: Mapping[str, Line] = {
    "own-scenarios": ("scenarios_upload", "scenarios_list", "scenarios_read"),
    "own-scenario-remove": ("scenarios_remove",),
    "own-scenario-template": "A small scenario for people to begin from; programs send files of their own.",
}

#: Pages of the campaign without a line yet.
TODO_CAMPAIGN = {
    "account_login", "account_logout", "account_signup", "advance", "army", "army-csv", "army-unit",
    "away", "away-back", "bulletin", "bulletin-foreword", "bulletin-pdf", "bulletin-publish", "bulletins",
    "calendar-feed", "calendar-feed-campaign", "campaign", "campaign-book", "campaign-book-pdf",
    "campaign-map", "campaign-new", "campaign-new-discard", "campaign-new-made", "campaign-new-step",
    "campaign-public", "campaign-settings", "choose", "deadline", "demo-enter", "desk-map", "dice-enter",
    "draft", "drafts-submit", "dry-run", "forecast", "forecast-stop", "front", "gazette", "gazette-latest",
    "hand", "hand-back", "hand-dry-run", "invitation", "invitation-link", "job", "job-stop", "jobs",
    "journal", "journal-day", "letter-withdraw", "letters", "map-list", "notice-channel",
    "notice-settings", "notices", "order-give", "order-preview", "order-withdraw", "orders-of",
    "orders-overview", "orders-repeat", "organise", "paper-strike", "profile", "proof", "reach", "receipt",
    "receipts", "rerun", "rewind", "rule", "rulebook", "scenario-map", "scenario-sources", "schedule",
    "seat-leave", "seat-take", "seats", "side-journal", "sign-in", "sign-out", "token-revoke", "tokens",
    "treat", "week-desk",
}  # fmt: skip

AREAS = (BATTLES, CAMPAIGN)
VERBS = ("get", "post", "put", "patch", "delete")


def operations() -> Iterator[str]:
    """Ids of all operations of the API, as its document names them."""
    for address in api:
        view = getattr(address.callback, "cls", None)
        for verb in VERBS:
            contract = getattr(getattr(view, verb, None), "contract", None)
            if isinstance(contract, Contract):
                yield contract.name


def test_each_page_has_a_line() -> None:
    pages = {address.name for address in web}
    told = [name for area in (*AREAS, TODO_CAMPAIGN) for name in area]
    assert sorted(told) == sorted(pages), "an address without a line, with two, or a line without address"


@pytest.mark.parametrize("page", [name for area in AREAS for name in area])
def test_a_line_names_operations_there_are_or_a_reason(page: str) -> None:
    [line] = [area[page] for area in AREAS if page in area]
    if isinstance(line, str):
        assert line.endswith(".") and len(line.split()) > 4, "a reason is a sentence"
    else:
        assert line and set(line) <= set(operations())
