"""The dice service: every campaign die is a function of its address, never of call order.

An address names the campaign, the revision, the day, the rule, the subject and an index. The die
is HMAC-SHA256 of the address under the campaign's secret, read with rejection sampling so that no
face is favoured. The secret's hash is published at the start and the secret at the end: anyone
with Python's standard library can check every die.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Roll:
    """One die as it fell. `address` is enough to throw it again, unless a person `entered` it."""

    address: str
    value: int
    sides: int = 6
    entered: bool = False


class WrongDie(ValueError):
    """A real die shows more than the die it stands for has faces."""


class DiceRoller(Protocol):
    """The interface through which the rules ask for dice."""

    def roll(self, rule: str, subject: str, index: int = 0, sides: int = 6) -> Roll:
        """One die of `sides` for `subject` under `rule`; `index` counts dice of one roll from 0."""
        ...


@dataclass(frozen=True, slots=True)
class AddressedDice:
    """Dice of one day of one campaign.

    `entered` holds real dice typed in by the umpire, by address; they stand in for the computed.
    """

    secret: bytes
    campaign: str
    revision: int
    day: int
    entered: Mapping[str, int] = field(default_factory=dict)

    def address(self, rule: str, subject: str, index: int = 0) -> str:
        return f"{self.campaign}/{self.revision}/{self.day}/{rule}/{subject}/{index}"

    def roll(self, rule: str, subject: str, index: int = 0, sides: int = 6) -> Roll:
        address = self.address(rule, subject, index)
        if (real := self.entered.get(address)) is not None:
            if not 1 <= real <= sides:
                raise WrongDie(f"The die entered for {address} is {real}; it must be 1 to {sides}.")
            return Roll(address, real, sides, entered=True)
        return Roll(address, roll_face(self.secret, address, sides), sides)

    def seed(self, rule: str, subject: str) -> int:
        """A 64-bit seed for a battle, from one address."""
        digest = hmac.digest(self.secret, self.address(rule, subject).encode(), "sha256")
        return int.from_bytes(digest[:8], "big")


def roll_face(secret: bytes, address: str, sides: int) -> int:
    """The face, 1 to `sides`, that `address` shows under `secret`.

    Bytes above the largest multiple of `sides` are rejected; a spent digest is followed by the
    digest of the address with a counter.
    """
    if not 2 <= sides <= 256:
        raise ValueError(f"A die has 2 to 256 sides, not {sides}.")
    limit = 256 - 256 % sides
    counter = 0
    while True:
        message = address if counter == 0 else f"{address}#{counter}"
        for byte in hmac.digest(secret, message.encode(), "sha256"):
            if byte < limit:
                return byte % sides + 1
        counter += 1


def draw_fraction(secret: bytes, address: str) -> float:
    """The number from 0 up to, not including, 1 that `address` gives under `secret`, to 53 bits."""
    digest = hmac.digest(secret, address.encode(), "sha256")
    return (int.from_bytes(digest[:8], "big") >> 11) / 2.0**53


def hash_secret(secret: bytes) -> str:
    """SHA-256 of the secret in hexadecimal, published when the campaign starts."""
    return hashlib.sha256(secret).hexdigest()
