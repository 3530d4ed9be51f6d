"""Enemies seen and gone, couriers sent, taken and read, in words (HR-FOG, HR-COU)."""

from battles.grammar import Subject
from campaign.rules.world.world import Position
from campaign.text.event_facts import EventFacts, name_side
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.sightings import describe_observer


def _enemy_place(facts: EventFacts) -> str:
    if facts["place"]:
        return f"at {facts['place']}"
    names: CampaignNames = facts["names"]
    position = Position(
        route=facts["event"].route,
        origin=str(facts["origin"]),
        destination=str(facts["destination"]),
        yards=int(facts["yards"] or 0),
    )
    return position_text(position, names)


def _describe_courier_load(facts: EventFacts) -> str:
    names: CampaignNames = facts["names"]
    name = facts["name"] or names.place(str(facts["post"]))
    if facts["paper"] == "report":
        return f"with a report from {name}"
    bound = [names.place(place) for place in facts["via"] or ()]
    return f"with orders for {name}: march to {bound[-1]}" if bound else f"with orders for {name}"


def _describe_sighting(facts: EventFacts) -> str:
    by = describe_observer(str(facts["source"]), str(facts["by"]), facts["names"])
    by = f" ({by})" if by else ""
    return f"{facts['name']} of {name_side(facts, 'side')}, about {facts['sp']} SP, {_enemy_place(facts)}{by}"


def _describe_disappearance(facts: EventFacts) -> str:
    enemy = Subject(facts["name"])
    return f"{enemy} of {name_side(facts, 'side')} {enemy:+is} no longer {_enemy_place(facts)}"


def _describe_report(facts: EventFacts) -> str:
    ago = "yesterday" if facts["ago"] == 1 else f"{facts['ago']} days ago"
    return f"{facts['formation']:reports} of {ago}: {facts['said']}"


CATEGORY = EventCategory(
    "scouting",
    "The enemy, and couriers",
    (
        EventKind(
            "enemy_sighted",
            rules=("HR-FOG-04",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_sighting,
            gazette=GazettePrint("enemy", rank=1, is_latest_only=True, head="The enemy seen", head_rank=13),
        ),
        EventKind(
            "enemy_gone",
            rules=("HR-FOG-04",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_disappearance,
        ),
        EventKind(
            "report_received",
            rules=("HR-COU-04",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: f"word from {facts['formation']}: {_enemy_place(facts)}, {facts['sp']} SP",
            gazette=GazettePrint("enemy", rank=2, is_latest_only=True),
        ),
        EventKind(
            "dispatch_sent",
            rules=("HR-COU-02",),
            readers=Readers.ONE_SIDE,
            sentence="a courier rides with orders for {formation}",
        ),
        EventKind(
            "order_arrives",
            rules=("HR-COU-02",),
            readers=Readers.UMPIRE,
            sentence="the orders for {formation} arrive",
        ),
        EventKind(
            "dispatch_taken",
            rules=("HR-COU-03",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"a courier of {name_side(facts, 'side')} is taken {_describe_courier_load(facts)}"
            ),
            gazette=GazettePrint("enemy", rank=3),
        ),
        EventKind(
            "dispatch_slips_through",
            rules=("HR-COU-03",),
            readers=Readers.UMPIRE,
            sentence=lambda facts: (
                f"a courier of {name_side(facts, 'side')} slips past the enemy "
                f"{_describe_courier_load(facts)}"
            ),
        ),
        EventKind(
            "told_by_courier",
            rules=("HR-COU-04",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_report,
            gazette=GazettePrint("marches", rank=9),
        ),
        EventKind(
            "rumour",
            rules=("HR-UMP-09",),
            readers=Readers.ONE_SIDE,
            sentence="it is said: {text}",
            gazette=GazettePrint(
                "said",
                rank=1,
                manners=("It is said: {text}", "It is said, we know not upon what authority: {text}"),
            ),
        ),
    ),
)
