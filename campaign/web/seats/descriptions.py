"""What a seat lets a person do, in words for somebody who is to take it."""

from campaign.models import Seat

Role = Seat.Role
DUTIES = {
    Role.UMPIRE: "You lead the campaign: you see both sides, set the deadlines and play the days.",
    Role.ASSISTANT: "You help the umpire: you see both sides and play the days with them.",
    Role.COMMANDER: "You command the side: you see what it sees, write its orders and settle its battles.",
    Role.COLUMN: "You command a column: you see what your side sees, and write the orders of the column.",
    Role.DEPUTY: "You see what the side sees, and act for its commander while they are away.",
    Role.GUEST: "You fight one battle for the side, and see nothing else of the campaign.",
    Role.RESERVE: "You wait for a seat to fall empty, and are told when one is offered.",
    Role.SPECTATOR: "You watch, some days behind the players.",
}


def describe_duties(seat: Seat) -> str:
    """One sentence about the seat's role."""
    return DUTIES[Role(seat.role)]
