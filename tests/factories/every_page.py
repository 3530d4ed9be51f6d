"""Every page a person can open, by the name of its address, and who opens it at which stage of the demo.

The pages are photographed (`make screenshots`), searched for faults of access, and their answers for what
the Content-Security-Policy forbids. A new address belongs here, or into NO_PAGES with its reason.
"""

from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse

from campaign.services.setup.drafts import STEPS
from tests.factories.demo_course import DemoCourse

SLUG = ("slug",)
BATTLE = ("slug", "battle")
#: The umpire's lists, by the kind of their rows: the beginning of the names of their addresses.
LISTS = {
    "unit": "rosters_unit",
    "formation": "rosters_formation",
    "pool": "rosters_pool",
    "leader": "rosters_leader",
    "campaign": "campaign_campaign",
    "notice": "campaign_notice",
    "job": "campaign_job",
    "battle": "campaign_battle",
    "paper": "campaign_orderpaper",
    "entry": "campaign_journalentry",
    "seat": "campaign_seat",
}


@dataclass(frozen=True)
class Page:
    """A page: the name of its photograph and of its address; who opens it; facts its address is made of.

    `query` may name facts. `address` is a fact that is the whole path, as from a letter. `by` names what of
    the course answers when no address alone does. `opened` unfolds what is folded; `media` is "print" for
    how it is printed. `drawn` is what a script draws of the page, to be waited for.
    `chief` pages are what people see first: looked at on every run of the tests, and in the dark too.
    """

    name: str
    url: str
    who: str = ""
    args: tuple[str, ...] = ()
    query: str = ""
    status: int = 200
    address: str = ""
    by: str = ""
    opened: bool = False
    media: str = "screen"
    chief: bool = False
    dark: bool = False
    drawn: str = ""

    @property
    def schemes(self) -> tuple[str, ...]:
        return ("light", "dark") if self.chief or self.dark else ("light",)

    def path(self, course: DemoCourse) -> str:
        if self.address:
            return str(course.facts[self.address])
        query = self.query.format(**course.facts)
        return reverse(self.url, args=[course.facts[name] for name in self.args]) + query

    def answer(self, course: DemoCourse) -> HttpResponse:
        """What Django answers whoever opens it."""
        found = getattr(course, self.by)() if self.by else course.people[self.who].get(self.path(course))
        assert found.status_code == self.status, f"{self.name}: {found.status_code}"
        return found


def sheet(name: str, who: str, which: str, **more: bool) -> Page:
    """A sheet of the desk beside the map."""
    return Page(name, "campaign", who, SLUG, f"?sheet={which}", **more)


DOOR = (
    Page("front", "front", chief=True),
    Page("sign-in", "sign-in"),
    Page("sign-up", "account_signup", dark=True),
    Page("sign-up-refused", "account_signup", by="refused_sign_up"),
    Page("letter-sent", "account_email_verification_sent", by="letter_sent"),
    Page("confirm-email", "account_confirm_email", "stark", address="confirm"),
    Page("forgotten", "account_reset_password"),
    Page("forgotten-sent", "account_reset_password_done"),
    Page("new-password", "account_reset_password_from_key", "forgetful", address="reset"),
    Page("new-password-set", "account_reset_password_from_key_done"),
    Page("second-factor", "mfa_authenticate", "between"),
    Page("inactive", "account_inactive"),
    Page("sign-out", "sign-out", "newcomer"),
    Page("home-newcomer", "front", "newcomer"),
    Page("profile", "profile", "newcomer", dark=True),
    Page("tokens", "tokens", "newcomer"),
    Page("account-close", "account-close", "newcomer"),
    Page("api-docs", "api-docs", drawn=".opblock"),
    Page("email", "account_email", "newcomer"),
    Page("password", "account_change_password", "newcomer"),
    Page("reauthenticate", "account_reauthenticate", "newcomer"),
    Page("two-factor", "mfa_index", "newcomer"),
    Page("authenticator", "mfa_activate_totp", "newcomer"),
    Page("two-factor-on", "mfa_index", "guarded"),
    Page("authenticator-off", "mfa_deactivate_totp", "guarded"),
    Page("recovery-codes", "mfa_view_recovery_codes", "guarded"),
    Page("recovery-codes-new", "mfa_generate_recovery_codes", "guarded"),
    Page("reauthenticate-code", "mfa_reauthenticate", "guarded"),
    Page("away", "away", "newcomer"),
    Page("notice-settings", "notice-settings", "newcomer", dark=True),
    Page("notice-channel", "notice-channel", "newcomer", ("way",)),
    Page("battle-files", "battle-files", "newcomer"),
    Page("battle-files-refused", "battle-files", "newcomer", by="refused_battle_file", status=422),
    Page("comparison", "comparison", "newcomer", ("comparison",), dark=True),
    Page("setup-scenario", "campaign-new", "newcomer", dark=True),
    Page("own-scenarios-none", "own-scenarios", "newcomer"),
    Page("own-scenarios", "own-scenarios", "newcomer", by="own_scenarios"),
    Page("restorations", "restorations", "keeper"),
    Page("restorations-refused", "restorations", "keeper", by="refused_archive", status=422),
    Page("own-scenarios-refused", "own-scenarios", "newcomer", by="refused_scenario", status=422),
    *(
        Page(f"setup-{step}", "campaign-new-step", "newcomer", ("setup", f"setup-{step}"))
        for step in STEPS[1:]
    ),
    Page("setup-seats-open", "campaign-new-step", "newcomer", ("setup", "setup-seats"), opened=True),
    Page(
        "setup-rules-open", "campaign-new-step", "newcomer", ("setup", "setup-rules"), opened=True, dark=True
    ),
    Page(
        "setup-refused",
        "campaign-new-step",
        "newcomer",
        ("setup", "setup-rules"),
        by="refused_set_up",
        status=422,
    ),
    Page("setup-begun", "campaign-new-made", "umpire", SLUG, by="begun"),
    Page("rulebook", "rulebook", dark=True),
    Page("rulebook-chapter", "rulebook", query="?chapter=HR-MAR"),
    Page("rule", "rule", args=("rule",)),
    Page("rule-unknown", "rule", args=("unknown",), status=404),
    Page("error-400", "front", query="?q=%00", status=400),
    Page("error-403", "admin:login", by="no_admin", status=403),
    Page("error-404", "campaign", "newcomer", SLUG, status=404),
    Page("error-413", "notice-settings", by="too_large", status=413),
    Page("error-429", "account_signup", by="too_often", status=429),
    Page("error-500", "jobs", args=SLUG, by="crashed", status=500),
    Page("error-503", "jobs", args=SLUG, by="cache_away", status=503),
    Page("refused", "jobs", args=SLUG, by="refused", status=409),
    Page("old-form", "order-give", args=SLUG, by="old_form", status=403),
    Page("invitation-unknown", "invitation-link", args=("unknown",), status=404),
)
ORDERED = (
    sheet("orders", "crown", "orders", chief=True),
    Page("orders-one", "campaign", "crown", SLUG, "?sheet=orders&formation=advanced_corps"),
    Page("orders-forms", "campaign", "crown", SLUG, "?sheet=orders", opened=True),
    Page("order-refused", "order-give", "crown", args=SLUG, by="refused_order", status=422),
    Page("order-tried", "order-give", "crown", args=SLUG, by="tried_order", dark=True),
    Page("orders-overview", "orders-overview", "crown", SLUG),
    Page("orders-of", "orders-of", "crown", ("slug", "formation")),
    Page("receipts", "receipts", "crown", SLUG),
    Page("receipt", "receipt", "crown", ("slug", "book", "receipt")),
    sheet("umpire-day", "umpire", "day", chief=True),
    sheet("umpire-orders", "umpire", "orders"),
    Page("gazette-first", "gazette", "crown", ("slug", "week")),
)
WAITING = (
    Page("notices", "notices", "crown", dark=True),
    Page("home-notices", "front", "rebel"),
    sheet("umpire-day-waiting", "umpire", "day", dark=True),
    Page("desk-waiting", "week-desk", "umpire", SLUG),
    Page("battle-waiting", "battle", "crown", BATTLE, chief=True),
    Page("battle-waiting-rebel", "battle", "rebel", BATTLE),
    Page("battle-guest", "battle", "guest", BATTLE),
    Page("battle-odds", "battle", "umpire", BATTLE, opened=True),
    Page("pack", "battle-pack", "umpire", BATTLE, dark=True),
    Page("pack-side", "battle-pack", "crown", BATTLE),
    Page("pack-print", "battle-pack", "rebel", BATTLE, "?figures=15mm", media="print"),
    Page("battle-way", "battle-way", "umpire", BATTLE),
    Page("battle-way-forms", "battle-way", "umpire", BATTLE, opened=True),
    Page("battle-result", "battle-result", "crown", BATTLE, opened=True, dark=True),
    Page("battle-result-umpire", "battle-result", "umpire", BATTLE),
    Page("battle-compare", "battle-compare", "umpire", BATTLE, opened=True, dark=True),
    Page("forecast", "forecast", "umpire", SLUG, dark=True),
    Page("forecast-side", "forecast", "crown", SLUG),
    Page("jobs", "jobs", "umpire", SLUG),
)
FOUGHT = (
    Page("battle-settled", "battle", "crown", BATTLE),
    Page("battle-settled-umpire", "battle", "umpire", BATTLE, opened=True),
    Page("replay", "battle-replay", "crown", BATTLE, chief=True),
    Page("replay-rebel", "battle-replay", "rebel", BATTLE),
)
RETURNED = (
    Page("map-past", "campaign", "crown", SLUG, "?day=3"),
    Page("map-list", "map-list", "crown", SLUG),
    sheet("returns", "crown", "returns"),
    sheet("supply", "crown", "supply"),
    sheet("journal", "crown", "journal", dark=True),
    sheet("battles", "crown", "battles"),
    sheet("standing", "crown", "standing"),
    sheet("umpire-returns", "umpire", "returns"),
    sheet("umpire-supply", "umpire", "supply"),
    sheet("umpire-journal", "umpire", "journal"),
    sheet("umpire-battles", "umpire", "battles"),
    sheet("umpire-standing", "umpire", "standing"),
    sheet("rebel-orders", "rebel", "orders"),
    Page("army", "army", "crown", SLUG, dark=True),
    Page("army-folded", "army", "umpire", SLUG, "?fold"),
    Page("army-print", "army", "crown", SLUG, media="print"),
    Page("army-unit", "army-unit", "crown", ("slug", "unit")),
    Page("journal-page", "journal", "crown", SLUG),
    Page("journal-search", "journal", "crown", SLUG, "?kind=battles"),
    Page("journal-day", "journal-day", "crown", ("slug", "day")),
    Page("gazette", "gazette", "crown", ("slug", "week"), dark=True),
    Page("gazette-umpire", "gazette", "umpire", ("slug", "week")),
    Page("book", "campaign-book", "umpire", SLUG),
    Page("calibration", "calibration", "umpire", SLUG, "?all"),
    Page("bulletins-umpire", "bulletins", "umpire", SLUG),
    Page("bulletin-draft", "bulletin", "umpire", ("slug", "week"), "?copy=", dark=True),
    Page("rule-applied", "rule", "crown", ("rule",), "?campaign=saratoga-1777"),
    Page("settings", "campaign-settings", "umpire", SLUG),
    Page("settings-open", "campaign-settings", "umpire", SLUG, opened=True, dark=True),
    Page("desk", "week-desk", "umpire", SLUG, "?act=place&formation=advanced_corps#acts", chief=True),
    Page("desk-unfolded", "week-desk", "umpire", SLUG, "?part=week", opened=True),
    Page("rewind", "rewind", "umpire", ("slug", "start")),
    Page("proof", "proof", "crown", SLUG),
    Page("proof-umpire", "proof", "umpire", SLUG),
    sheet("letters", "crown", "letters", dark=True),
    sheet("letters-sent", "crown", "letters&box=sent"),
    sheet("letters-thread", "crown", "letters&letter={letter}"),
    sheet("letters-umpire", "umpire", "letters&box=others"),
    Page("home", "front", "crown", dark=True),
    Page("home-umpire", "front", "umpire"),
    Page("umpire-board", "umpire:index", "umpire", dark=True),
    Page("umpire-search", "umpire:search", "umpire", query="?q=Ticonderoga"),
    Page("umpire-units", "umpire:rosters_unit_changelist", "umpire", chief=True),
    Page("umpire-question", "umpire:rosters_unit_changelist", by="asked_about_units"),
    Page("umpire-import", "umpire:rosters_unit_import", "umpire"),
    *(
        Page(f"umpire-list-{kind}", f"umpire:{name}_changelist", "umpire")
        for kind, name in LISTS.items()
        if kind != "unit"
    ),
    *(
        Page(f"umpire-row-{kind}", f"umpire:{name}_change", "umpire", (f"{kind}_row",))
        for kind, name in LISTS.items()
        if kind != "pool"
    ),
)
SEATED = (
    Page("seats", "seats", "umpire", SLUG, dark=True),
    Page("seats-forms", "seats", "umpire", SLUG, opened=True),
    Page("invitation", "invitation", "invited", address="invitation"),
    Page("sign-up-invited", "account_signup", "invited"),
    Page("absence", "away", "crown"),
    Page("public-reserve", "campaign-public", "reserve", SLUG),
    Page("letters-reserve", "letters", "reserve", SLUG),
    Page("public-spectator", "campaign-public", "spectator", SLUG),
    Page("bulletins", "bulletins", "crown", SLUG),
    Page("bulletin", "bulletin", "crown", ("slug", "week")),
    Page("bulletin-public", "bulletin", "spectator", ("slug", "week")),
    Page("spectator", "campaign", "spectator", SLUG),
    sheet("spectator-standing", "spectator", "standing"),
    sheet("standing-away", "crown", "standing"),
    sheet("column", "column", "orders"),
    sheet("deputy", "deputy", "orders"),
    Page("home-deputy", "front", "deputy"),
    Page("home-reserve", "front", "reserve"),
)
UNDONE = (
    Page("battle-undone", "battle", "crown", BATTLE),
    sheet("journal-undone", "umpire", "journal"),
    Page("desk-undone", "week-desk", "umpire", SLUG),
)

#: Pages by the stage of the course at which they are opened; those at the door need it begun only.
STAGES: dict[str, tuple[Page, ...]] = {
    "ordered": DOOR + ORDERED,
    "waiting": WAITING,
    "fought": FOUGHT,
    "returned": RETURNED,
    "seated": SEATED,
    "undone": UNDONE,
}
PAGES = tuple(page for pages in STAGES.values() for page in pages)

FORM = "takes a form and leads back to the page that holds it"
DATA = "data for a script or a file to keep, no page"
SAME = "another name of an address in the list"
#: Addresses that are no pages, or the same as one in the list, each with the reason.
NO_PAGES = {
    "health": DATA,
    "ready": DATA,
    "metrics": DATA,
    "favicon": DATA,
    "token-revoke": FORM,
    "campaign-map": DATA,
    "desk-map": DATA,
    "reach": DATA,
    "army-csv": DATA,
    "archive-file": DATA,
    "battle-pack-pdf": DATA,
    "side-journal": DATA,
    "replay-data": DATA,
    "bulletin-pdf": DATA,
    "battle-photo": DATA,
    "battle-photo-remove": FORM,
    "calibration-csv": DATA,
    "campaign-book-pdf": DATA,
    "calendar-feed": DATA,
    "calendar-feed-campaign": DATA,
    "mfa_download_recovery_codes": DATA,
    "gazette-latest": "leads to the newest gazette",
    "job": "a fragment of the day's sheet while a job runs",
    "account_login": SAME,
    "account_logout": SAME,
    "account_set_password": "only for accounts without a password, which this site does not make",
    "account_confirm_login_code": "signing in by a code in a letter is off",
    "demo-enter": FORM,
    "campaign-new-discard": FORM,
    "comparison-stop": FORM,
    "comparison-again": FORM,
    "battle-comparison": FORM,
    "own-scenario-remove": FORM,
    "own-scenario-template": DATA,
    "scenario-map": DATA,
    "scenario-armies": DATA,
    "scenario-sources": DATA,
    "away-back": FORM,
    "seat-take": FORM,
    "seat-leave": FORM,
    "order-preview": FORM,
    "order-withdraw": FORM,
    "nothing-new": FORM,
    "orders-repeat": FORM,
    "drafts-submit": FORM,
    "organise": FORM,
    "choose": FORM,
    "paper-strike": FORM,
    "draft": FORM,
    "letter-withdraw": FORM,
    "bulletin-foreword": FORM,
    "bulletin-publish": FORM,
    "calibration-ask": FORM,
    "schedule": FORM,
    "treat": FORM,
    "advance": FORM,
    "deadline": FORM,
    "forecast-stop": FORM,
    "dry-run": FORM,
    "dice-enter": FORM,
    "rerun": FORM,
    "hand": "the old address of the week's desk, leads there",
    "hand-dry-run": "an old address, leads to the new one",
    "hand-back": "an old address, leads to the new one",
    "job-stop": FORM,
    "job-again": FORM,
    "restoration-stop": FORM,
    "restoration-again": FORM,
    "restoration-remove": FORM,
    "replay-write": FORM,
    "battle-plan": FORM,
    "battle-settle": FORM,
    "battle-odds": FORM,
    "battle-odds-stop": FORM,
}
