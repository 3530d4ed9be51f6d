"""The weather in words."""

from campaign.text.event_facts import EventFacts
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _describe_weather(facts: EventFacts) -> str:
    sky = {"fair": "fair weather", "rain": "rain", "storm": "storms", "fog": "fog"}
    wind = ", and a foul wind on the lakes" if facts["foul_wind"] else ""
    return f"{sky.get(str(facts['weather']), 'weather unknown')}{wind}"


def _describe_weather_decision(facts: EventFacts) -> str:
    sky = f"is to be {facts['weather']}" if facts["weather"] else "falls as its dice say"
    return f"the weather of day {facts['day']} {sky}"


CATEGORY = EventCategory(
    "weather",
    "Weather",
    (
        EventKind(
            "weather",
            rules=("HR-WEA-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_weather,
            gazette=GazettePrint("weather", rank=1),
        ),
        EventKind(
            "weather_decided",
            rules=("HR-UMP-07",),
            readers=Readers.UMPIRE,
            sentence=_describe_weather_decision,
        ),
    ),
)
