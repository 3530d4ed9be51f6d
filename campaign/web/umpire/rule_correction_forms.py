"""The umpire's forms that correct what is no troops (HR-UMP-19 to HR-UMP-22)."""

from django import forms

from campaign.rules.army.leaders import LIVING
from campaign.rules.returns.pools import NEW_UNIT_TYPES
from campaign.rules.returns.returns import pool_owners
from campaign.rules.umpire.correction_effects import MOST_POINTS, MOST_RATIONS, MOST_WEEKS
from campaign.rules.umpire.corrections import Act, ChangePool, SetFood, SetGeneral, SetHolder
from campaign.rules.world.markers import General
from campaign.web.orders.organisation_forms import Choices
from campaign.web.umpire.correction_forms import UmpireForm, group_choices
from rosters.domain.vocabulary import PoolArm, PoolNation


class PoolForm(UmpireForm):
    kind, title = "pool", "Give or take a pool's points"

    def build(self) -> None:
        self.fields["pool"] = self._pick("Pool", self._every_pool())
        self.fields["points"] = forms.IntegerField(
            label="Points, with a minus to take them", min_value=-MOST_POINTS, max_value=MOST_POINTS
        )

    def _every_pool(self) -> Choices:
        """Pools that raise units here, begun or not, and any that holds points, by the side of each."""
        pools = self.world.pools
        rows = [
            (key, f"{self.names.pool(key)} ({pools.get(key, 0)})", self.names.side(side))
            for nation, side in pool_owners(self.world).items()
            for key in (f"{nation}/{arm}" for arm in PoolArm)
            if PoolNation(nation) in NEW_UNIT_TYPES or pools.get(key)
        ]
        return group_choices(rows)

    def act(self) -> Act:
        return ChangePool(self.cleaned_data["pool"], self.cleaned_data["points"])


#: The choice of a general with no formation; an empty one leaves him where he is.
ALONE = "-"
#: The choice of no side; nothing chosen is a field forgotten.
NOBODY = "-"
STATES = [("well", "well"), ("wounded", "wounded"), ("captured", "a prisoner"), ("dead", "dead")]


class GeneralForm(UmpireForm):
    kind, title = "general", "Say how a general is, and with whom"

    def build(self) -> None:
        self.fields["general"] = self._pick("General", self._generals())
        self.fields["state"] = self._pick("State", STATES)
        self.fields["weeks"] = forms.IntegerField(
            label="Weeks away with a wound", min_value=1, max_value=MOST_WEEKS, required=False
        )
        self.fields["formation"] = self._pick(
            "With", [(ALONE, "no formation"), *self._formations()], none="as now"
        )

    def _generals(self) -> Choices:
        rows = [
            (key, f"{each.name} ({self._now(each)})", self.names.side(each.side))
            for key, each in self.world.generals.items()
        ]
        return group_choices(rows, by_key=True)  # which in the scenarios at hand begins with the surname

    def _now(self, general: General) -> str:
        if not general.formation:
            return general.state
        return f"{general.state}, with {self.names.formation(general.formation)}"

    def act(self) -> Act:
        data = self.cleaned_data
        company = data["formation"]
        if not company and data["state"] in LIVING:
            company = self.world.generals[data["general"]].formation
        return SetGeneral(
            data["general"], data["state"], "" if company == ALONE else company, data["weeks"] or 0
        )


class HolderForm(UmpireForm):
    kind, title = "holder", "Say who holds a place"

    def build(self) -> None:
        holders = self.world.holders
        held = [
            (key, f"{name} ({self.names.side(holders[key]) if holders.get(key) else 'nobody'})")
            for key, name in self._places()
        ]
        self.fields["place"] = self._pick("Place", held)
        self.fields["side"] = self._pick("It is held by", [*self._sides(), (NOBODY, "nobody")])

    def act(self) -> Act:
        side = self.cleaned_data["side"]
        return SetHolder(self.cleaned_data["place"], "" if side == NOBODY else side)


#: What a formation has that has not eaten here yet: what it begins with (HR-SUP-01).
NOT_YET = "not eaten yet"


class FoodForm(UmpireForm):
    """Nothing can be chosen where food is not played."""

    kind, title = "food", "Change rations"

    def build(self) -> None:
        groups = [("Stores", self._stores()), ("Formations", self._build_ration_choices())]
        played = self.world.settings.supply != "off"
        self.fields["id"] = self._pick("Whose food", groups if played else [])
        self.fields["rations"] = forms.IntegerField(
            label="Rations from now on", min_value=0, max_value=MOST_RATIONS
        )

    def _stores(self) -> Choices:
        stores, holders = self.world.magazines, self.world.holders
        supplied = {place for places in self.world.theatre.supply.values() for place in places}
        return [
            (f"store/{key}", f"{name} ({stores[key].rations if key in stores else 0})")
            for key, name in self._places()
            if key in stores or (holders.get(key) and key not in supplied)
        ]

    def _build_ration_choices(self) -> Choices:
        bodies = sorted(self.world.formations.values(), key=lambda body: (body.name, body.id))
        return [
            (f"formation/{body.id}", f"{body.name} ({body.rations if body.rations is not None else NOT_YET})")
            for body in bodies
            if body.position is not None
        ]

    def act(self) -> Act:
        of, _, key = self.cleaned_data["id"].partition("/")
        return SetFood(of, key, self.cleaned_data["rations"])
