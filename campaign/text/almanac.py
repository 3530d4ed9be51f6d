"""Sun and moon of a day, for the calendar: words only, no rule hangs on them. Pure."""

import math
from dataclasses import dataclass
from datetime import date

#: Degrees the sun's middle stands below the horizon when its edge rises.
DIP = -0.833
#: A new moon, in days of `date.toordinal` by Greenwich, and the mean days from one to the next.
NEW_MOON, LUNATION = date(2000, 1, 6).toordinal() + 0.76, 29.530588853
#: Days by which noon in the eastern colonies is later than midnight at Greenwich.
NOON = 0.71

PHASES = ("new", "young", "first quarter", "waxing", "full", "waning", "last quarter", "old")


@dataclass(frozen=True, slots=True)
class Sky:
    """Sunrise and sunset in minutes from midnight by the sun's own time, and the moon's phase."""

    sunrise: int
    sunset: int
    moon: str

    @property
    def sun(self) -> str:
        """Both hours in words."""
        return f"{_format_clock(self.sunrise)} to {_format_clock(self.sunset)}"


def compute_sky(when: date, latitude: float) -> Sky:
    """Sun and moon at a latitude (degrees), to a few minutes and half a day."""
    rises = round(720 - _half_day(when, latitude))
    return Sky(rises, 1440 - rises, PHASES[round(moon_age(when) / LUNATION * 8) % 8])


def moon_age(when: date) -> float:
    """Days since the last mean new moon, at noon."""
    return (when.toordinal() + NOON - NEW_MOON) % LUNATION


def _half_day(when: date, latitude: float) -> float:
    """Minutes from noon to sunset; 0 or 720 where the sun does not rise or set."""
    turn = 2 * math.pi * (when.timetuple().tm_yday + 10) / 365.25
    tilt = -math.radians(23.44) * math.cos(turn)
    north = math.radians(latitude)
    share = (math.sin(math.radians(DIP)) - math.sin(north) * math.sin(tilt)) / (
        math.cos(north) * math.cos(tilt)
    )
    return math.degrees(math.acos(max(-1.0, min(1.0, share)))) * 4


def _format_clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02d}"
