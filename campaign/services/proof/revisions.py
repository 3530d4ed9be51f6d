"""Proof of revisions: the course and its dice change only when the campaign goes back (HR-UMP-14)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from campaign.services.proof.battles import StoredFight, same_settlement


class Numbered(Protocol):
    """What is read of a step of the chain."""

    @property
    def number(self) -> int: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def revision(self) -> int: ...
    @property
    def dice_revision(self) -> int: ...
    @property
    def inputs(self) -> Mapping[str, Any]: ...


@dataclass
class Revisions:
    """Revisions of the steps read so far, by number; by revision its dice, and the rewind that began it."""

    steps: dict[int, int] = field(default_factory=dict)
    dice: dict[int, int] = field(default_factory=dict)
    rewinds: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def fault(self, step: Numbered) -> str:
        """What is wrong with the revision or the dice of the next step, as a sentence; "" when nothing is."""
        revision = 1 if step.parent is None else self.steps[step.parent]
        dice = self.dice.get(revision, 1)
        act = step.inputs.get("act", {}) if step.kind == "act" else {}
        if act.get("kind") == "rewind":
            revision = max(self.dice, default=0) + 1
            dice = max(self.dice.values(), default=0) + 1 if act.get("new_dice") else dice
            self.rewinds[revision] = act
        if step.revision != revision:
            return f"It is of revision {step.revision}, but its course is of {revision}."
        if step.dice_revision != dice:
            return (
                f"The dice are of revision {step.dice_revision}, but those of its course are of {dice}: "
                "other dice are thrown only when the umpire goes back with new ones."
            )
        self.steps[step.number] = revision
        self.dice[revision] = dice
        return ""

    def fight_fault(self, fight: StoredFight, fights: Iterable[StoredFight]) -> str:
        """What is wrong with the dice of a battle the course was played with; "" when nothing is.

        They are those of its revision, or of the one it kept its result of when the campaign went back.
        """
        act = self.rewinds.get(fight.revision, {})
        sources = {fight.revision}
        if act.get("keep") and fight.contact not in act.get("anew", ()):
            sources |= {
                other.revision
                for other in fights
                if other.contact == fight.contact
                and other.revision < fight.revision
                and other.settlement is not None
                and fight.settlement is not None
                and same_settlement(other.settlement, fight.settlement)
            }
        if fight.dice_revision in {self.dice.get(revision) for revision in sources}:
            return ""
        return f"The {fight.title} was fought with other dice than those of its day."
