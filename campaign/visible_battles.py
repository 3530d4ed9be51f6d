"""What of a battle a viewer may see, of those `visibility.py` lets him see at all (HR-BAT-09, HR-BAT-10)."""

from typing import Any

from campaign.models import Battle, BattleReplay, Campaign
from campaign.rules.settings import RuleSettings
from campaign.visibility import Viewer


def sees_whole_battle(viewer: Viewer) -> bool:
    """Whether all of a battle is shown: to who sees all, without fog, and after the end (HR-BAT-10)."""
    open_map = RuleSettings.from_json(viewer.campaign.settings).fog == "off"
    return viewer.sees_all or open_map or viewer.campaign.state == Campaign.State.ENDED


def plans_known(viewer: Viewer, battle: Battle) -> dict[str, Any]:
    """The plans chosen for a battle that the viewer may know, by side: a side its own (HR-BAT-09)."""
    whole = viewer.is_umpire or viewer.campaign.state == Campaign.State.ENDED
    return {side: plan for side, plan in battle.plans.items() if whole or side == viewer.side}


def account_for(viewer: Viewer, battle: Battle, replay: BattleReplay | None) -> list[str]:
    """What the viewer's side can tell of a battle the engine fought; all of it where all is shown."""
    if replay is None or sees_whole_battle(viewer):
        return list(battle.account)
    return list(replay.accounts.get(viewer.side, ()))
