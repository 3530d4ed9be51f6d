"""Names of the kinds of background task. Pure."""

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


def left_words(seconds: int | None) -> str:
    """Describe the remaining time: seconds by fives, then minutes and hours; "" when not known."""
    if seconds is None:
        return ""
    if seconds < 5:
        return "a few seconds left"
    if seconds < 58:
        return f"about {5 * round(seconds / 5)} seconds left"
    if seconds < 3570:
        minutes = max(1, round(seconds / 60))
        return f"about {minutes} minute{'s' if minutes > 1 else ''} left"
    hours = round(seconds / 3600)
    return f"about {hours} hour{'s' if hours > 1 else ''} left"
