"""Fixtures of the campaign's tests that a journey begins with."""

from tests.campaign.conftest import battle, burgoyne, carleton, gates, saratoga, world

__all__ = ["battle", "burgoyne", "carleton", "gates", "saratoga", "world"]
