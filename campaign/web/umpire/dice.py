"""The dice of the coming day as it was tried out, to be thrown by hand and entered together (HR-UMP-12)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import QueryDict

from campaign.models import DayRecord
from campaign.rules.day.dice_catalogue import THROWS
from campaign.rules.umpire.corrections import EnterDie
from campaign.selectors.umpire.corrections import DryRun
from campaign.services.turns.dice import DieRefused
from campaign.text.place_names import CampaignNames
from campaign.web.forms import parse_whole_number

PREFIX = "throw/"


@dataclass(frozen=True, slots=True)
class DieRow:
    """A die: for what it is thrown, in words; `fell` is what it showed in the trial.

    `given` is what stands in its field, `error` why that cannot be; `number` tells it from others thrown for
    the same, from 1, and is 0 for one alone.
    """

    rule: str
    subject: str
    index: int
    sides: int
    words: str
    fell: int
    entered: bool
    given: str = ""
    error: str = ""
    number: int = 0

    @property
    def field(self) -> str:
        return f"{PREFIX}{self.rule}/{self.subject}/{self.index}/{self.sides}"


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """The dice of one rule."""

    rule: str
    rows: tuple[DieRow, ...]

    @property
    def open(self) -> bool:
        """True if the group contains something to look at."""
        return any(row.error or row.given for row in self.rows)


@dataclass(frozen=True, slots=True)
class Entered:
    """A real die entered for the coming day; `unused` when the day as tried out throws no such die."""

    rule: str
    words: str
    value: int
    unused: bool


def dice_groups(
    run: DryRun | None,
    names: CampaignNames,
    given: Mapping[str, str] | None = None,
    error: tuple[str, str] = ("", ""),
) -> list[DiceGroup]:
    """The dice a trial has thrown, by rule; `error` is a field's name and what is wrong with it."""
    if run is None or run.stale:
        return []
    given = given or {}
    rows = [_build_die_row(die, names) for die in run.dice]
    alike = Counter((row.rule, row.subject) for row in rows)
    told = [
        DieRow(
            row.rule, row.subject, row.index, row.sides, row.words, row.fell, row.entered,
            given.get(row.field, ""), error[1] if row.field == error[0] else "",
            row.index + 1 if row.index or alike[row.rule, row.subject] > 1 else 0,
        )
        for row in rows
    ]  # fmt: skip
    told.sort(key=lambda row: row.rule)
    return [DiceGroup(rule, tuple(rows)) for rule, rows in groupby(told, key=lambda row: row.rule)]


def _build_die_row(die: Mapping[str, Any], names: CampaignNames) -> DieRow:
    return DieRow(
        rule=die["rule"],
        subject=die["subject"],
        index=die["index"],
        sides=die["sides"],
        words=subject_words(die["rule"], die["subject"], names),
        fell=die["value"],
        entered=die["entered"],
    )


def subject_words(rule: str, subject: str, names: CampaignNames) -> str:
    """Describe the subject of a die in plain words."""
    kind = THROWS[rule].subject if rule in THROWS else ""
    if kind.startswith("contact and "):
        contact, _, who = subject.rpartition("/")
        where = contact.partition("/")[2].rpartition("/")[0]
        return (
            f"{_describe_subject(kind.removeprefix('contact and '), who, names)}, fight at "
            f"{_find_place_name(where, names)}"
        )
    return _describe_subject(kind, subject, names)


def _describe_subject(kind: str, subject: str, names: CampaignNames) -> str:
    first, _, rest = subject.partition("/")
    match kind:
        case "unit" | "unit that appears":
            return names.unit(subject)
        case "formation":
            return names.formation(subject)
        case "side":
            return names.side(subject)
        case "theatre":
            return "the whole theatre"
        case "place":
            return names.place(subject)
        case "route":
            return names.route(subject)
        case "side and formation":
            return f"{names.formation(rest)}, as {names.side(first)} sees it"
        case "militia" | "replacements":
            return f"{first}, {rest.replace('_', ' ')}"
    return subject


def _find_place_name(where: str, names: CampaignNames) -> str:
    return names.places.get(where) or names.routes.get(where) or where


def dice_entered_rows(course: Sequence[DayRecord], run: DryRun | None, names: CampaignNames) -> list[Entered]:
    """The real dice of this morning, the latest first; `course` begins with the head."""
    thrown = None
    if run is not None and not run.stale and run.found:
        thrown = {(die["rule"], die["subject"], die["index"]) for die in run.dice}
    found = []
    for record in course:
        if record.kind != DayRecord.Kind.ACT or record.day != course[0].day:
            break
        act = record.inputs["act"]
        if act["kind"] == "die":
            key = (act["rule"], act["subject"], act["index"])
            unused = thrown is not None and key not in thrown
            found.append(
                Entered(act["rule"], subject_words(act["rule"], act["subject"], names), act["value"], unused)
            )
    return found


# --- what was sent ---


@dataclass(frozen=True, slots=True)
class Thrown:
    """The fields that were filled in, and the dice they are."""

    fields: tuple[str, ...]
    dice: tuple[EnterDie, ...]
    wrong: tuple[str, str] = ("", "")

    def error_of(self, refused: DieRefused) -> tuple[str, str]:
        """The field of a die that was refused, and why."""
        return self.fields[refused.number], f"{refused.message} ({refused.rule_id})"


def parse_dice(posted: QueryDict) -> Thrown:
    """The dice of the fields that are filled in; `wrong` is the first that is no number."""
    fields, dice = [], []
    for field, text in _list_filled_fields(posted.items()):
        die = _parse_die(field, text)
        if die is None:
            return Thrown((), (), (field, "Enter what the die shows, as a whole number."))
        fields.append(field)
        dice.append(die)
    return Thrown(tuple(fields), tuple(dice))


def _list_filled_fields(items: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    return [
        (name, str(text).strip()) for name, text in items if name.startswith(PREFIX) and str(text).strip()
    ]


def _parse_die(field: str, text: str) -> EnterDie | None:
    rule, _, rest = field.removeprefix(PREFIX).partition("/")
    rest, _, sides = rest.rpartition("/")
    subject, _, index = rest.rpartition("/")
    numbers = [parse_whole_number(each) for each in (index, text, sides)]
    if None in numbers or len(text) > 3:
        return None
    number, value, faces = (each or 0 for each in numbers)
    return EnterDie(rule, subject, number, value, faces)
