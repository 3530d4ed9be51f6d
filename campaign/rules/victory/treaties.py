"""Agreements of sides and umpire off the field: conceding, peace terms, prisoners.

Records with the JSON of `campaign.rules.umpire.corrections`. A side's treaty is chained like an act of
the umpire's,
but needs no reason: both sides are told of it at once (HR-VIC-07, HR-VIC-08, HR-LDR-05).
"""

from dataclasses import dataclass, replace
from typing import Literal

from campaign.rules.army.leaders import exchange_generals, exchange_offer
from campaign.rules.errors import RuleViolation
from campaign.rules.victory.victory import Ending, close_campaign
from campaign.rules.world.events import Event
from campaign.rules.world.markers import PeaceOffer
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import World


@dataclass(frozen=True, slots=True)
class Concede:
    """`side` gives the campaign up (HR-VIC-07)."""

    side: str


@dataclass(frozen=True, slots=True)
class OfferTerms:
    """`side` offers to end the campaign, won by `winner` or, with "", by neither; `text` says how."""

    side: str
    winner: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerTerms:
    """`side` accepts or refuses the enemy's terms, or withdraws its own (HR-VIC-08)."""

    side: str
    answer: Literal["accept", "refuse", "withdraw"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prisoner `theirs` for the general `ours`: offered by `side`, or by the umpire with "" done."""

    side: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class EndCampaign:
    """The umpire ends the campaign (HR-VIC-09); `winner` is "" for neither."""

    winner: str = ""


Treaty = Concede | OfferTerms | AnswerTerms | Exchange | EndCampaign

KINDS: dict[str, type[Treaty]] = {
    "concede": Concede,
    "offer_terms": OfferTerms,
    "answer_terms": AnswerTerms,
    "exchange": Exchange,
    "end": EndCampaign,
}

#: Those a side makes itself.
OF_A_SIDE = (Concede, OfferTerms, AnswerTerms, Exchange)


def side_of(treaty: object) -> str:
    """The side that makes a treaty, "" for the umpire's and for all else."""
    return treaty.side if isinstance(treaty, OF_A_SIDE) else ""


def treaty_apply(world: World, treaty: Treaty) -> Completed:
    """Apply a treaty; returns the world and the events for both sides. Raises RuleViolation."""
    if world.ended:
        raise RuleViolation("HR-CAL-02", "The campaign has ended; nothing is settled any more.")
    sides = [side.id for side in world.theatre.sides]
    side = side_of(treaty)
    if side not in (*sides, "") or (side == "" and isinstance(treaty, Concede | OfferTerms | AnswerTerms)):
        raise RuleViolation(
            "HR-VIC-07", f"There is no side {side!r}; choose one of {', '.join(sides)}.", "side"
        )
    match treaty:
        case Concede():
            return _end_campaign(world, Ending("conceded", world.theatre.enemy_of(side)))
        case OfferTerms():
            return _offer_terms(world, treaty)
        case AnswerTerms():
            return _answer_terms(world, treaty)
        case Exchange():
            after, events = (
                exchange_offer(world, side, treaty.ours, treaty.theirs)
                if side
                else exchange_generals(world, treaty.ours, treaty.theirs)
            )
            return Completed(after, tuple(replace(event, minute=0) for event in events))
        case EndCampaign():
            _verify_winner(world, treaty.winner, "HR-VIC-09")
            return _end_campaign(world, Ending("umpire", treaty.winner))


def _end_campaign(world: World, ending: Ending) -> Completed:
    world, event = close_campaign(replace(world, offers={}), ending)
    return Completed(world, (event,))


def _verify_winner(world: World, winner: str, rule: str) -> None:
    sides = [side.id for side in world.theatre.sides]
    if winner not in ("", *sides):
        raise RuleViolation(
            rule, f"There is no side {winner!r}; choose one of {', '.join(sides)}, or neither.", "winner"
        )


def _offer_terms(world: World, terms: OfferTerms) -> Completed:
    rule = "HR-VIC-08"
    _verify_winner(world, terms.winner, rule)
    text = " ".join(terms.text.split())
    if not text:
        raise RuleViolation(rule, "Write what you offer, in a sentence or two.", "text")
    offer = PeaceOffer(terms.winner, text, world.day)
    data = {"side": terms.side, "winner": terms.winner, "text": text}
    return Completed(
        replace(world, offers={**world.offers, terms.side: offer}),
        (Event("terms_offered", 0, rule, _list_side_ids(world), data=data),),
    )


def _answer_terms(world: World, answer: AnswerTerms) -> Completed:
    rule = "HR-VIC-08"
    offerer = answer.side if answer.answer == "withdraw" else world.theatre.enemy_of(answer.side)
    offer = world.offers.get(offerer)
    if offer is None:
        raise RuleViolation(rule, "No such terms are offered; look at the page again.", "answer")
    if answer.answer == "accept":
        return _end_campaign(world, Ending("terms", offer.winner))
    kind = "terms_withdrawn" if answer.answer == "withdraw" else "terms_refused"
    left = {side: each for side, each in world.offers.items() if side != offerer}
    event = Event(kind, 0, rule, _list_side_ids(world), data={"side": answer.side})
    return Completed(replace(world, offers=left), (event,))


def _list_side_ids(world: World) -> tuple[str, ...]:
    return tuple(side.id for side in world.theatre.sides)
