"""Victory, points and terms in words."""

from battles.grammar import Subject, format_amount
from campaign.text.event_facts import EventFacts, find_side_subject
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _format_side_points(facts: EventFacts) -> str:
    points = facts["points"] or {}
    return ", ".join(f"{facts['names'].side(side)} {points[side]}" for side in sorted(points))


def describe_campaign_end(facts: EventFacts) -> str:
    """Describe the end of a campaign: its cause, the winner, and the points."""
    winner = find_side_subject(facts, "winner") if facts["winner"] else Subject()
    sides = facts["points"] or facts["names"].sides  # without goals nobody scores
    loser = Subject(
        next((facts["names"].side(side) for side in sides if side != facts["winner"]), "one side")
    )
    how = {
        "beaten": f"{loser:has} nothing left",
        "place": f"{winner:holds} what {winner:+it was} to seize",
        "army": f"the army of {loser} is destroyed",
        "conceded": f"{loser:concedes}",
        "terms": "terms are agreed",
        "umpire": "the umpire closes it",
    }.get(str(facts["cause"]), "")
    clear = "clearly " if facts["margin"] == "decisive" else ""
    won = f"{winner:has} {clear}won" if winner else "neither side has won" if facts["cause"] else ""
    told = "; ".join(part for part in (how, won) if part)
    points = f" ({_format_side_points(facts)} points)" if facts["points"] else ""
    return f"the campaign is over{': ' if told else ''}{told}{points}"


def _describe_chapter_end(facts: EventFacts) -> str:
    leads = f"{find_side_subject(facts, 'leader'):leads}" if facts["leader"] else "neither side leads"
    return f"chapter {facts['chapter']} ends: {_format_side_points(facts)} points; {leads}"


def _describe_goal(facts: EventFacts) -> str:
    side = find_side_subject(facts)
    what = {
        "hold": f"to hold {facts['place']} today",
        "strength": f"to have {side:+its} strength in the field",
        "reduce": "to reduce the enemy's army",
    }.get(str(facts["goal"]), f"to reach {side:+its} goal")
    done = f"reached, {format_amount(facts['points'] or 0, 'point')}" if facts["met"] else "missed"
    return f"{side:was} {what}: {done}"


def _describe_score(facts: EventFacts) -> str:
    side, points = find_side_subject(facts), format_amount(facts["points"] or 0, "point")
    return f"{side:scores} {points} for the posts {side:+it holds}, {facts['total']} in all"


def _describe_terms_offer(facts: EventFacts) -> str:
    winner = (
        f"{find_side_subject(facts, 'winner')} to have won" if facts["winner"] else "neither side to have won"
    )
    return f"{find_side_subject(facts):offers} terms, {winner}: {str(facts['text']).rstrip('.')}"


CATEGORY = EventCategory(
    "standing",
    "Victory and terms",
    (
        EventKind(
            "campaign_begins",
            rules=("HR-CAL-01",),
            readers=Readers.BOTH_SIDES,
            sentence="{title} begins; the fingerprint of the secret behind its dice is {commitment}",
            gazette=GazettePrint("notices", rank=2, manners=("{title} begins.",)),
        ),
        EventKind(
            "campaign_ended",
            rules=("HR-CAL-02",),
            readers=Readers.BOTH_SIDES,
            sentence=describe_campaign_end,
            gazette=GazettePrint("war", rank=1, head="The campaign is over", head_rank=1),
        ),
        EventKind(
            "chapter_ends",
            rules=("HR-VIC-05",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_chapter_end,
            gazette=GazettePrint("notices", rank=1),
        ),
        EventKind(
            "points_scored",
            rules=("HR-VIC-02",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_score,
        ),
        EventKind(
            "goal_reckoned",
            rules=("HR-VIC-03",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_goal,
        ),
        EventKind(
            "terms_offered",
            rules=("HR-VIC-08",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_terms_offer,
            gazette=GazettePrint("notices", rank=9),
        ),
        EventKind(
            "terms_refused",
            rules=("HR-VIC-08",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: f"{find_side_subject(facts):refuses} the terms",
            gazette=GazettePrint("notices", rank=10),
        ),
        EventKind(
            "terms_withdrawn",
            rules=("HR-VIC-08",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: f"{find_side_subject(facts):withdraws its} terms",
        ),
    ),
)
