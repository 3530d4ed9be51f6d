"""The umpire's forms that correct what is no troops: pools (HR-UMP-19)."""

from django import forms

from campaign.rules.acts import Act
from campaign.rules.correcting import MOST_POINTS
from campaign.rules.corrections import ChangePool
from campaign.rules.returns import pool_owners
from campaign.web.paper_forms import Choices
from campaign.web.umpire_form import UmpireForm, grouped
from rosters.domain.vocabulary import PoolArm


class PoolForm(UmpireForm):
    kind, title = "pool", "Give or take a pool's points"

    def build(self) -> None:
        self.fields["pool"] = self._pick("Pool", self._every_pool())
        self.fields["points"] = forms.IntegerField(
            label="Points, with a minus to take them", min_value=-MOST_POINTS, max_value=MOST_POINTS
        )

    def _every_pool(self) -> Choices:
        """Every pool of nations with troops here, by the side that draws on it; one not begun holds 0."""
        pools = self.world.pools
        rows = [
            (key, f"{self.names.pool(key)} ({pools.get(key, 0)})", self.names.side(side))
            for nation, side in pool_owners(self.world).items()
            for key in (f"{nation}/{arm}" for arm in PoolArm)
        ]
        return grouped(rows)

    def act(self) -> Act:
        return ChangePool(self.cleaned_data["pool"], self.cleaned_data["points"])
