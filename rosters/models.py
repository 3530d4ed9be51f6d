"""Orders of battle: sides, formations, units, leaders and pools, with their strengths.

Rows mirror the pure `World` of a campaign by slug; services write them, nothing else does.
"""

from django.core.validators import MaxValueValidator
from django.db import models

from rosters.domain.strength import MAXIMUM_POINTS, strength_points
from rosters.domain.vocabulary import GunClass, Nation, PoolArm, PoolNation, TroopType


def _list_choices(enum: type) -> list[tuple[str, str]]:
    return [(member.value, member.value.replace("_", " ")) for member in enum]  # type: ignore[attr-defined]


class OrderOfBattle(models.Model):
    title = models.CharField(max_length=200)

    class Meta:
        verbose_name_plural = "orders of battle"

    def __str__(self) -> str:
        return self.title


class Side(models.Model):
    order_of_battle = models.ForeignKey(OrderOfBattle, on_delete=models.CASCADE, related_name="sides")
    slug = models.SlugField(max_length=40)
    name = models.CharField(max_length=100)
    colour = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["order_of_battle", "slug"], name="side_slug")]

    def __str__(self) -> str:
        return self.name


class Leader(models.Model):
    order_of_battle = models.ForeignKey(OrderOfBattle, on_delete=models.CASCADE, related_name="leaders")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="leaders")
    rank = models.CharField(max_length=40)
    command = models.CharField(max_length=200, blank=True)
    rating = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["order_of_battle", "slug"], name="leader_slug")]

    def __str__(self) -> str:
        return self.name


class Formation(models.Model):
    order_of_battle = models.ForeignKey(OrderOfBattle, on_delete=models.CASCADE, related_name="formations")
    slug = models.SlugField(max_length=120)
    name = models.CharField(max_length=200)
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="formations")
    commander = models.CharField(max_length=120, blank=True)
    parent = models.CharField(max_length=120, blank=True, help_text="Slug of the formation it rejoins.")
    garrison = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["order_of_battle", "slug"], name="formation_slug")]

    def __str__(self) -> str:
        return self.name


class Unit(models.Model):
    """A battalion, wing, battery or train of 0 to 120 campaign points (AWI-C-STR-01)."""

    STATUSES = ("present", "expected", "absent", "eliminated", "departed", "surrendered")

    order_of_battle = models.ForeignKey(OrderOfBattle, on_delete=models.CASCADE, related_name="units")
    slug = models.SlugField(max_length=120)
    name = models.CharField(max_length=200)
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="units")
    formation = models.ForeignKey(Formation, on_delete=models.PROTECT, related_name="units")
    nation = models.CharField(max_length=30, choices=_list_choices(Nation))
    troop_type = models.CharField(max_length=40, choices=_list_choices(TroopType))
    gun_class = models.CharField(max_length=20, choices=_list_choices(GunClass), default=GunClass.NONE)
    regiment = models.CharField(max_length=200, blank=True)
    points = models.PositiveSmallIntegerField(validators=[MaxValueValidator(MAXIMUM_POINTS)])
    status = models.CharField(max_length=20, choices=[(s, s) for s in STATUSES], default="present")
    since = models.PositiveIntegerField(default=0, help_text="Campaign day on which the status began.")
    arrives = models.PositiveIntegerField(default=0)
    departs = models.PositiveIntegerField(null=True, blank=True)
    home = models.CharField(max_length=60, blank=True, help_text="Place of arrival.")
    poor_militia = models.BooleanField(default=False)
    static = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["order_of_battle", "slug"], name="unit_slug"),
            models.CheckConstraint(condition=models.Q(points__lte=MAXIMUM_POINTS), name="unit_points_cap"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def strength_points(self) -> int:
        return strength_points(self.points)


class Pool(models.Model):
    """Replacement points of one nation and arm (AWI-C-POL-01)."""

    order_of_battle = models.ForeignKey(OrderOfBattle, on_delete=models.CASCADE, related_name="pools")
    nation = models.CharField(max_length=20, choices=_list_choices(PoolNation))
    arm = models.CharField(max_length=20, choices=_list_choices(PoolArm))
    points = models.IntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["order_of_battle", "nation", "arm"], name="pool_key")]

    def __str__(self) -> str:
        return f"{self.get_nation_display().title()} {self.get_arm_display()} pool"

    @property
    def key(self) -> str:
        return f"{self.nation}/{self.arm}"
