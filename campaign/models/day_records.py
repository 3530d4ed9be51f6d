"""The course of a campaign: its days chained, those that run on, the journal, the battles."""

from django.db import models
from django.utils import timezone

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import ChainKeyField, CountedKeyField, JSONField
from campaign.text.place_names import format_id


class DayRecord(models.Model):
    """One step of a campaign, chained to its parent.

    `inputs` holds all that went in besides the world (orders, settlements, week's choices, entered
    dice); `snapshot` the world afterwards as compressed canonical JSON. `record_hash` is SHA-256
    over the parent's hash, the versions and salted `commitments` of all the rest
    (`campaign.ledger.hash_chain`).
    """

    id = ChainKeyField(primary_key=True)

    class Kind(models.TextChoices):
        START = "start", "start"
        DAY = "day", "day"
        WEEK = "week", "week's end"
        ACT = "act", "umpire's act"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="records")
    revision = models.PositiveIntegerField()
    day = models.PositiveIntegerField(help_text="Days completed after this step.")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    ordinal = models.PositiveIntegerField(default=0, help_text="Counts the umpire's acts on one morning.")
    dice_revision = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=300, blank=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    inputs = JSONField(default=dict)
    versions = JSONField(default=dict)
    events_hash = models.CharField(max_length=64)
    world_hash = models.CharField(max_length=64)
    record_hash = models.CharField(max_length=64)
    commitments = JSONField(default=dict, help_text="Empty for records of before they were salted.")
    snapshot = models.BinaryField()
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            # A day exists once: whoever comes second fails here and writes nothing.
            models.UniqueConstraint(
                fields=["campaign", "revision", "day", "kind", "ordinal"], name="day_exists_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug} {self.kind} {self.day}"


class RowDigest(models.Model):
    """Digests of a row's fields, by name, for which the record written next vouches (HR-PRF-03).

    `row` is the row's key in its table, `key` what it is called in an archive. The table "record" is the
    record itself, with how the campaign is conducted.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="row_digests")
    record = models.ForeignKey(DayRecord, on_delete=models.CASCADE, related_name="row_digests")
    table = models.CharField(max_length=20)
    row = models.PositiveBigIntegerField(null=True)
    key = models.CharField(max_length=260, blank=True)
    digests = JSONField(default=dict)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["record", "table", "key"], name="row_vouched_for_once"),
        ]
        indexes = [models.Index(fields=["campaign", "table", "row"])]

    def __str__(self) -> str:
        return f"{self.table} {self.key}".strip()


class ProvisionalDay(models.Model):
    """A day the rest of the theatre has played while a battle waits (HR-CAL-11); no part of the chain.

    `parts` are the formations locked, with the contacts they wait for and their ground; `halted` those
    of them that do not march that day. `inputs` are its papers, `events` what the rest did, `snapshot`
    the next morning with the locked where they stood. `follows` is the provisional day before it.
    `record` is the definitive day, once the outcome is in.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="provisional_days")
    revision = models.PositiveIntegerField()
    day = models.PositiveIntegerField(help_text="Campaign day that was played, 0 for the first.")
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    record = models.ForeignKey(DayRecord, on_delete=models.SET_NULL, null=True, related_name="provisional")
    inputs = JSONField(default=dict)
    parts = JSONField(default=list)
    halted = JSONField(default=list)
    events = JSONField(default=list)
    snapshot = models.BinaryField()
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["day"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "revision", "day"], name="provisional_day_once")
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug} day {self.day}, provisional"


class JournalEntry(models.Model):
    """One event as it happened; append-only. `sides` is "|red|blue|" of those who may read it."""

    id = CountedKeyField(primary_key=True)
    record = models.ForeignKey(DayRecord, on_delete=models.CASCADE, related_name="entries")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="journal")
    day = models.PositiveIntegerField(help_text="Campaign day it happened on, 0 for the first.")
    ordinal = models.PositiveIntegerField()
    minute = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=40)
    rule = models.CharField(max_length=30)
    sides = models.CharField(max_length=120, blank=True)
    unit = models.CharField(max_length=120, blank=True)
    formation = models.CharField(max_length=120, blank=True)
    pool = models.CharField(max_length=40, blank=True)
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    contact = models.CharField(max_length=200, blank=True)
    before = models.IntegerField(null=True, blank=True)
    after = models.IntegerField(null=True, blank=True)
    rolls = JSONField(default=list)
    modifiers = JSONField(default=list)
    data = JSONField(default=dict)

    class Meta:
        ordering = ["record_id", "ordinal"]
        verbose_name_plural = "journal entries"
        constraints = [models.UniqueConstraint(fields=["record", "ordinal"], name="entry_once")]
        indexes = [models.Index(fields=["campaign", "day"])]

    def __str__(self) -> str:
        return f"Day {self.day + 1}, {format_id(self.kind)}"


class Battle(models.Model):
    """A contact that stops a day until it is settled by engine, tabletop or umpire's word."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SETTLED = "settled", "settled"

    class Way(models.TextChoices):
        UNDECIDED = "", "not said yet"
        ENGINE = "engine", "by the engine"
        TABLE = "table", "on the table"
        WORD = "word", "by the umpire's word"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="battles")
    revision = models.PositiveIntegerField(default=1)
    dice_revision = models.PositiveIntegerField(default=1)
    day = models.PositiveIntegerField()
    contact = models.CharField(max_length=200)
    minute = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    attacker = models.CharField(max_length=40)
    defender = models.CharField(max_length=40)
    inputs = JSONField(help_text="The contact and battle file, frozen when the battle opened.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    source = models.CharField(max_length=10, blank=True)
    way = models.CharField(
        max_length=10,
        choices=Way.choices,
        default=Way.UNDECIDED,
        blank=True,
        help_text="How the umpire wants it settled.",
    )
    ruleset = models.CharField(
        max_length=30, blank=True, help_text="Tactical rules it is fought under; empty: the campaign's."
    )
    adjusted = JSONField(
        default=list, blank=True, help_text="What the umpire changed of the frozen inputs, with the reasons."
    )
    sector = JSONField(
        default=list, blank=True, help_text="Units fought with on the table when it is split; empty: all."
    )
    prediction = JSONField(
        null=True, blank=True, help_text="The odds as they stood when it was settled, if any were worked out."
    )
    settlement = JSONField(null=True, blank=True)
    account = JSONField(default=list, blank=True)
    plans = JSONField(
        default=dict, blank=True, help_text="By side, the plan its commander chose (HR-BAT-09)."
    )
    settled_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["day", "minute", "id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "revision", "contact"], name="battle_exists_once")
        ]

    def __str__(self) -> str:
        return f"{self.inputs['file']['title']}, day {self.day + 1}"


class BattleReplay(models.Model):
    """The engine's replay of a battle, event by event; it can be made again from the battle's inputs.

    `data` is the packed replay. By side, `seen` are the enemy's units with the number of the event in
    which they came into sight, and `accounts` what the side can tell of the fight. No part of the chain.
    """

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="replay")
    data = models.BinaryField()
    seen = JSONField(default=dict)
    accounts = JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"Replay of {self.battle}"
