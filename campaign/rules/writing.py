"""What the campaign allows of letters to the enemy (HR-LET-01)."""

from campaign.rules.settings import RuleSettings


def may_write_to_enemy(settings: RuleSettings) -> bool:
    return settings.letters_to_enemy != "off"


def may_seal_to_enemy(settings: RuleSettings) -> bool:
    """Whether letters to the enemy may be sealed, and go not only under a flag of truce."""
    return settings.letters_to_enemy == "free"
