"""Every address that tells somebody who does not see all: the fog's crawl opens it, or it is said why not.

A new address stands in neither list, and `test_fog_addresses.py` fails until it does.
"""

from tests.permissions import Matrix

#: Those from whom something is hidden, as `permissions.yaml` calls them.
FOGGED = ("commander", "enemy", "column", "deputy", "guest", "reserve", "spectator")
#: Answers that tell something.
TELLING = ("page", "refused")

#: Opened by the crawl for one of them at least; `make prove PART=fog` fails for one that is not.
OPENED = frozenset(
    {
        "api-absences", "api-army", "api-army-table", "api-army-unit", "api-battle", "api-battle-file",
        "api-battle-plan", "api-battles", "api-bulletin", "api-bulletin-sheet", "api-bulletins",
        "api-calendar", "api-campaign", "api-campaigns", "api-comparisons", "api-days", "api-fights",
        "api-forecasts", "api-gazette", "api-jobs", "api-journal", "api-letter", "api-letter-receivers",
        "api-letters", "api-map", "api-me", "api-notices", "api-order", "api-orders", "api-orders-of",
        "api-orders-overview", "api-own-invitations", "api-pack", "api-problems",
        "api-prospects", "api-public", "api-reach", "api-receipt", "api-receipts", "api-replay", "api-result",
        "api-returns", "api-rule", "api-rules", "api-rulesets", "api-seats", "api-setups",
        "api-side-journal", "api-situation", "api-standing", "api-supply", "api-theatre", "api-ways",
        "army", "army-csv", "army-unit", "away", "battle", "battle-files", "battle-pack", "battle-replay",
        "bulletin", "bulletin-pdf", "bulletins", "calendar-feed", "calendar-feed-campaign",
        "campaign", "campaign-map", "campaign-public", "forecast", "front", "gazette", "jobs", "journal",
        "journal-day", "letters", "map-list", "notice-settings", "notices", "orders-of", "orders-overview",
        "profile", "proof", "reach", "receipt", "receipts", "replay-data", "rule", "rulebook", "side-journal",
    }
)  # fmt: skip
#: Told to everybody alike, whoever asks: nothing of a campaign is in it.
_PUBLISHED = "published, of no campaign"
_ACCOUNT = "a person's own sign-in"
#: Not opened, and why.
NOT_OPENED = {
    "api-docs": _PUBLISHED,
    "api-document": _PUBLISHED,
    "api-fight-shipped": _PUBLISHED,
    "api-fights-shipped": _PUBLISHED,
    "api-problem": _PUBLISHED,
    "api-scenario": _PUBLISHED,
    "api-scenario-armies": _PUBLISHED,
    "api-scenario-map": _PUBLISHED,
    "api-scenario-recruitment": _PUBLISHED,
    "api-scenario-sources": _PUBLISHED,
    "api-scenarios": _PUBLISHED,
    "campaign-new": _PUBLISHED,
    "health": _PUBLISHED,
    "own-scenario-template": _PUBLISHED,
    "own-scenarios": "a person's own files",
    "ready": _PUBLISHED,
    "scenario-armies": _PUBLISHED,
    "scenario-map": _PUBLISHED,
    "scenario-sources": _PUBLISHED,
    "account-close": _ACCOUNT,
    "tokens": _ACCOUNT,
    "sign-out": _ACCOUNT,
    "api-pack-file": "the file of a pack that a job printed; week six reads it as battle-pack-pdf",
    "api-photo": "a picture as it was sent in; who gets it is in services/battles/test_photos.py",
    "battle-photo": "a picture as it was sent in; who gets it is in services/battles/test_photos.py",
}

#: What is sent to and compared; of the rest `NOT_SENT` says why it tells nothing else.
SENT = frozenset({"api-order-validate", "order-preview"})
_AS_TRIED = "refuses as trying the paper does, and answers with the writer's own paper"
_OWN = "answers with what was sent, or with the sender's own"
NOT_SENT = {
    "api-draft-submit": _AS_TRIED,
    "api-drafts": _AS_TRIED,
    "api-drafts-submit": _AS_TRIED,
    "api-nothing-new": _OWN,
    "api-order": _AS_TRIED,
    "api-orders": _AS_TRIED,
    "api-orders-repeat": _AS_TRIED,
    "api-strike": _AS_TRIED,
    "choose": _AS_TRIED,
    "draft": _AS_TRIED,
    "drafts-submit": _AS_TRIED,
    "nothing-new": _OWN,
    "order-give": "the form of order-preview, and the guesses of ids (guesses.py)",
    "order-withdraw": "the guesses of numbers (guesses.py)",
    "orders-repeat": _AS_TRIED,
    "organise": "the guesses of ids (guesses.py)",
    "api-battle-plan": _OWN,
    "battle-plan": _OWN,
    "api-result": _OWN,
    "battle-result": _OWN,
    "api-photo": _OWN,
    "api-photos": _OWN,
    "battle-photo-remove": _OWN,
    "api-forecasts": "begins with the world a side may assume, which the crawl compares",
    "forecast": "begins with the world a side may assume, which the crawl compares",
    "forecast-stop": _OWN,
    "api-pack": "a job; week six reads the pack",
    "battle-pack-pdf": "a job; week six reads the pack",
    "api-replay-write": "a job; the replay is opened",
    "replay-write": "a job; the replay is opened",
    "api-letters": _OWN,
    "api-letter-withdraw": _OWN,
    "letters": _OWN,
    "letter-withdraw": _OWN,
    "api-treat": "terms and exchanges, told to both sides",
    "treat": "terms and exchanges, told to both sides",
    "api-seat-leave": "seats are public or a side's own (web/test_seat_pages.py)",
    "api-seat-take": "seats are public or a side's own (web/test_seat_pages.py)",
    "seat-leave": "seats are public or a side's own (web/test_seat_pages.py)",
    "seat-take": "seats are public or a side's own (web/test_seat_pages.py)",
    "api-absences": _OWN,
    "away": _OWN,
    "away-back": _OWN,
    "api-calendar": _OWN,
    "api-me": _OWN,
    "api-notices-read": _OWN,
    "api-own-invitations": _OWN,
    "api-ways": _OWN,
    "notice-settings": _OWN,
    "profile": _OWN,
    "tokens": _OWN,
    "account-close": _OWN,
    "api-comparisons": "battle files of a person's own (HR-BAT-12)",
    "api-fight-check": "battle files of a person's own (HR-BAT-12)",
    "api-fights": "battle files of a person's own (HR-BAT-12)",
    "battle-files": "battle files of a person's own (HR-BAT-12)",
    "api-scenarios": "a person's own files",
    "own-scenarios": "a person's own files",
    "api-setups": "a new campaign",
    "campaign-new": "a new campaign",
    "favicon": _PUBLISHED,
    "sign-in": _ACCOUNT,
    "sign-out": _ACCOUNT,
}


def list_read_addresses() -> set[str]:
    """Addresses that answer one of the fogged with something, but for those of signing in (allauth's)."""
    return _named("GET", *TELLING)


def list_sent_addresses() -> set[str]:
    """Addresses that take something from one of them."""
    return {
        name for method in ("POST", "PUT", "PATCH", "DELETE") for name in _named(method, "taken", "refused")
    }


def _named(method: str, *words: str) -> set[str]:
    return {
        name
        for name, row in Matrix.read().rows.items()
        if not name.startswith(("account_", "mfa_"))
        and any(row.get(method, {}).get(role) in words for role in FOGGED)
    }
