"""What kinds of long work are called. Pure."""

#: What kinds of work are called; others are told by the campaign's own pages only.
KINDS = {
    "advance_day": "The day",
    "battle_settle": "A battle fought here",
    "battle_confirm": "The rest of a split battle fought here",
    "battle_odds": "Odds of a battle",
    "forecast": "Forecast",
    "dry_run": "The day tried out",
    "battle_replay": "Replay of a battle",
    "battle_pack": "A battle pack for the printer",
    "campaign_archive": "The campaign's archive",
    "campaign_book": "The campaign's book",
    "book_print": "The campaign's book for the printer",
    "battle_prediction": "Odds of a battle that was fought",
}
