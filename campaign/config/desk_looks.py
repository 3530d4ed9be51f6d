"""Appearance of the umpire's desk and the administrators' pages: settings of their package."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse_lazy

#: Paper and ink of the site's own pages (static/css/base.css), from light to dark, and its accent.
_PAPER = ("#faf5e9", "#f1e8d4", "#e2d5b8", "#c9b794", "#bfb196", "#5d4f43", "#463a31", "#4a4134", "#312b22",
          "#25211b", "#1c1915")  # fmt: skip
_ACCENT = ("#f0f5ef", "#dfeae0", "#c3d8ca", "#9ac7ae", "#6f9d84", "#9ac7ae", "#2c5744", "#254a3a", "#1f3d30",
           "#183026", "#14201a")  # fmt: skip
_WEIGHTS = ("50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950")

UNFOLD = {
    "SITE_TITLE": "Campaign manager",
    "SITE_HEADER": "Administration",
    "SITE_SYMBOL": "history_edu",
    "SITE_URL": "/",
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda request: static("img/favicon.svg"),
        }
    ],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "3px",
    "STYLES": [lambda request: static("css/umpire.css")],
    "COLORS": {
        "base": dict(zip(_WEIGHTS, _PAPER, strict=True)),
        "primary": dict(zip(_WEIGHTS, _ACCENT, strict=True)),
        "font": {
            "subtle-light": "#5d4f43",
            "subtle-dark": "#bfb196",
            "default-light": "#2a211c",
            "default-dark": "#eee3cd",
            "important-light": "#2a211c",
            "important-dark": "#fdf8ee",
        },
    },
}


def _build_menu_item(title: str, icon: str, name: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(f"umpire:{name}_changelist")}


#: The umpire's desk of rows: the same looks, and its lists in the order of a week's work.
UMPIRE_DESK = {
    **UNFOLD,
    "SITE_HEADER": "Umpire's lists",
    "SITE_SYMBOL": "history_edu",
    "SIDEBAR": {
        "show_search": False,
        "navigation": [
            {
                "title": "The week",
                "items": [
                    {"title": "Board", "icon": "flag", "link": reverse_lazy("umpire:index")},
                    _build_menu_item("Campaigns", "map", "campaign_campaign"),
                    _build_menu_item("Papers", "description", "campaign_orderpaper"),
                    _build_menu_item("Battles", "swords", "campaign_battle"),
                    _build_menu_item("Journal", "menu_book", "campaign_journalentry"),
                ],
            },
            {
                "title": "The armies",
                "items": [
                    _build_menu_item("Formations", "groups", "rosters_formation"),
                    _build_menu_item("Units", "military_tech", "rosters_unit"),
                    _build_menu_item("Pools", "inventory_2", "rosters_pool"),
                    _build_menu_item("Leaders", "person", "rosters_leader"),
                ],
            },
            {
                "title": "People and work",
                "items": [
                    _build_menu_item("Seats", "chair", "campaign_seat"),
                    _build_menu_item("Notices", "mail", "campaign_notice"),
                    _build_menu_item("Jobs", "pending_actions", "campaign_job"),
                ],
            },
        ],
    },
}
