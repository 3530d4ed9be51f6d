"""Proof: every step of a campaign checked and its days played again, from rows or archives, no models."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from battles.errors import BattleFileError
from campaign.ledger.hash_chain import (
    build_commitments,
    build_public_header,
    compute_digest,
    events_hash,
    record_hash,
    record_salt,
)
from campaign.ledger.versions import versions_now
from campaign.rules.army.organisation import organisation_from_json
from campaign.rules.day.provisional import play_day
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import act_from_json, collect_real_dice
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.partition import Apart
from campaign.rules.world.world import Theatre, World
from campaign.rules.world.world_json import order_from_json, world_hash
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.proof.battles import Decided, StoredFight, fight_fault, same_settlement
from campaign.services.proof.rows import ABSENT, NAMED, WORDS, RowCoverage, Rows, Vouched
from rosters.domain.dice import AddressedDice, hash_secret, roll_face


class Numbered(Protocol):
    """The attributes of a step of the chain that are read here."""

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
        """Describe a wrong revision or wrong dice of the next step, in a sentence; "" when there is none."""
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
        """Describe wrong dice of a battle that the course was played with; "" when there is none.

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


class NotVerified(Exception):
    """The first thing that does not match; `day` counts from 1, 0 for the start."""

    def __init__(self, day: int, message: str) -> None:
        super().__init__(message)
        self.day = day


@dataclass(frozen=True, slots=True)
class Verified:
    """`days` were verified; `replayed` of them by playing them again.

    The others were played with another version of the rules and only their chain was checked.
    `superseded` counts the steps of courses that were given up, `sealed` says that the secret of the
    dice was not at hand, so that no die could be thrown again; `world_hash` is the last day's, `head` the
    hash of the last record, and `hashes` those of all. `rows` beside the days stand as recorded; `elsewhere`
    are not at hand; of `unnamed` the author is not known here; `uncovered` days were recorded before such
    rows were covered.
    """

    days: int
    replayed: int
    superseded: int = 0
    sealed: bool = False
    world_hash: str = ""
    head: str = ""
    hashes: frozenset[str] = frozenset()
    uncovered: int = 0
    rows: int = 0
    unnamed: int = 0
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A record of the chain; `number` identifies it and is greater than its parent's.

    `entries` are the journal's, each with the campaign day it happened on. `world` reads the world
    afterwards and raises ValueError when it cannot be read. `salt` may be empty where the secret is
    known.
    """

    number: int
    parent: int | None
    kind: str
    revision: int
    day: int
    ordinal: int
    dice_revision: int
    reason: str
    inputs: Mapping[str, Any]
    versions: Mapping[str, Any]
    events_hash: str
    world_hash: str
    record_hash: str
    commitments: Mapping[str, Any]
    salt: str
    entries: Sequence[tuple[int, Event]]
    world: Callable[[], World]
    created_at: str = ""
    actor_id: int | None = None
    vouched: Sequence[Vouched] = ()

    @property
    def events(self) -> list[Event]:
        return [event for _, event in self.entries]

    @property
    def happened_on(self) -> int:
        """Campaign day of its events: a day or week that ended, the coming day for all else."""
        return self.day - 1 if self.kind in ("day", "week") else self.day


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that a verification needs of a campaign. `secret` is None while the dice are sealed.

    `rows` are those told as record beside the days, by table and key, `finished` the keys of those for which
    a record must vouch; `conducted` is how the campaign is conducted now, `absent` rows that did not come
    with the archive it was imported from: None for an archive. `imported_head` is the hash of the head that
    came with that archive, "" for a campaign never imported; that record was written elsewhere.
    """

    commitment: str
    secret: bytes | None
    theatre: Theatre
    steps: Iterable[ChainStep]
    parents: Mapping[int, int | None]
    head: int | None
    fights: Mapping[tuple[int, str], StoredFight]
    world: World
    rows: Rows = field(default_factory=dict)
    finished: Mapping[str, Collection[str]] = field(default_factory=dict)
    conducted: Mapping[str, Any] = field(default_factory=dict)
    absent: Collection[tuple[str, str]] | None = None
    imported_head: str = ""

    def dice(self, day: int, revision: int, entered: Mapping[str, int] | None = None) -> AddressedDice:
        """The dice of a day, with the real ones `entered`. Only their addresses without the secret."""
        return AddressedDice(self.secret or b"", self.commitment[:12], revision, day, entered or {})


def verify_dossier(dossier: Dossier) -> Verified:
    """Check secret, chain, journal, dice, battles and state. Raises NotVerified.

    Every journaled die is thrown again from its address. Days and engine battles of the installed
    versions are played again; the others, and those of courses given up, are compared with what was
    recorded. Without the secret all but the dice is checked, and nothing can be played again.
    """
    if dossier.secret is not None and hash_secret(dossier.secret) != dossier.commitment:
        raise NotVerified(0, "The secret of the dice is not the one whose hash was published.")
    course = _collect_course(dossier)
    hashes: dict[int | None, str] = {None: dossier.commitment}
    revisions = Revisions()
    world: World | None = None
    days = replayed = superseded = uncovered = 0
    acts: list[Mapping[str, Any]] = []
    decided = Decided()
    coverage = RowCoverage(absent=dossier.absent or ())
    played = False
    for step in dossier.steps:
        if step.parent not in hashes:
            raise NotVerified(step.day, f"The step before day {step.day} is missing from the chain.")
        after = _load_world(step)
        _check_chain(dossier, step, hashes[step.parent])
        _check_journal(dossier, step)
        _check_rows(dossier, step, coverage, on_course=step.number in course)
        hashes[step.number] = step.record_hash
        if fault := revisions.fault(step):
            raise NotVerified(step.day, f"Day {step.day}: {fault}")
        if step.kind == "act":
            decided.note(step.inputs["act"])
        if step.number not in course:
            superseded += 1
            continue
        installed = dossier.secret is not None and _is_installed(step)
        if played and step.kind != "week":  # a week's end has the morning of its seventh day
            acts, played = [], False
        if step.kind == "act":
            acts.append(step.inputs["act"])
        elif step.kind in ("day", "week"):
            _check_real_dice(dossier, step, acts)
            played = True
        _check_battles(dossier, step, decided, revisions, installed)
        if world is not None and installed:
            _replay_step(dossier, step, world, after)
            replayed += step.kind == "day"
        days += step.kind == "day"
        uncovered += step.kind == "day" and not _has_row_commitments(step)
        world = after
    if world is None or dossier.head not in hashes or world_hash(dossier.world) != world_hash(world):
        raise NotVerified(
            dossier.world.day,
            "The strengths or positions now stored are not those the last day ended with.",
        )
    _check_finished_rows(dossier, coverage)
    _check_bulletins(dossier, set(hashes.values()))
    return Verified(
        days=days,
        replayed=replayed,
        superseded=superseded,
        sealed=dossier.secret is None,
        world_hash=world_hash(world),
        head=hashes[dossier.head],
        hashes=frozenset(hashes.values()),
        uncovered=uncovered,
        rows=coverage.rows,
        unnamed=coverage.unnamed,
        elsewhere=coverage.elsewhere,
    )


def _is_installed(step: ChainStep) -> bool:
    """True when the versions a step was played with are installed; a campaign may change its ruleset."""
    try:
        return step.versions == versions_now(str(step.versions.get("ruleset", "")))
    except BattleFileError:
        return False


def _collect_course(dossier: Dossier) -> frozenset[int]:
    """Collect the numbers of the steps from the start to the head, through their parents."""
    course: set[int] = set()
    number = dossier.head
    while number is not None:
        if number not in dossier.parents or number in course:
            raise NotVerified(0, "A day record is missing from the chain.")
        course.add(number)
        number = dossier.parents[number]
    return frozenset(course)


def _load_world(step: ChainStep) -> World:
    try:
        after = step.world()
    except (ValueError, RuleViolation) as error:
        raise NotVerified(step.day, f"Day {step.day}: {error}") from error
    if world_hash(after) != step.world_hash:
        raise NotVerified(step.day, f"The stored world of day {step.day} does not match its hash.")
    return after


def _check_chain(dossier: Dossier, step: ChainStep, parent_hash: str) -> None:
    """A step's hash covers its parent's and what the step says of itself."""
    if step.commitments:
        promised = promised_by(dossier, step)
        shown = build_public_header(
            parent=parent_hash,
            kind=step.kind,
            revision=step.revision,
            day=step.day,
            ordinal=step.ordinal,
            dice_revision=step.dice_revision,
            versions=step.versions,
            commitments=step.commitments,
        )
        sound = compute_digest(shown) == step.record_hash and all(
            promised[part] == step.commitments.get(part) for part in ("inputs", "world")
        )
    else:
        sound = step.record_hash == record_hash(
            parent=parent_hash,
            kind=step.kind,
            revision=step.revision,
            day=step.day,
            inputs=step.inputs,
            events=step.events_hash,
            world=step.world_hash,
            versions=step.versions,
        )
    if not sound:
        raise NotVerified(step.day, f"Day {step.day} does not follow from the day before it in the chain.")


def salt_of(dossier: Dossier, step: ChainStep) -> str:
    """A step's salt, from the secret where it is known."""
    if dossier.secret is None:
        return step.salt
    derived = record_salt(
        dossier.secret, dossier.commitment, step.revision, step.day, step.kind, step.ordinal
    )
    if step.salt and step.salt != derived:
        raise NotVerified(step.day, f"The salt of day {step.day} is not the one the secret gives.")
    return derived


def promised_by(dossier: Dossier, step: ChainStep) -> dict[str, Any]:
    """The commitments a step should hold by what is stored of it."""
    return build_commitments(
        salt_of(dossier, step),
        inputs=step.inputs,
        reason=step.reason,
        events=step.events,
        world=step.world_hash,
        sides=[side.id for side in dossier.theatre.sides],
    )


def _check_journal(dossier: Dossier, step: ChainStep) -> None:
    """A step's events against their hash, their day and their dice."""
    day = step.day
    if step.commitments:
        journal = promised_by(dossier, step)["journal"]
        sound = journal == step.commitments["journal"] and journal[""] == step.events_hash
    else:
        sound = events_hash(step.events) == step.events_hash
    if not sound or any(happened_on != step.happened_on for happened_on, _ in step.entries):
        raise NotVerified(day, f"The journal of day {day} is not what was hashed when it was written.")
    if dossier.secret is None:
        return
    dice = dossier.dice(step.happened_on, step.dice_revision)
    prefix = f"{dice.campaign}/{dice.revision}/{dice.day}/"
    entered = step.inputs.get("entered", {})
    for roll in (roll for event in step.events for roll in event.rolls):
        real = entered.get(roll.address)
        value = roll_face(dice.secret, roll.address, roll.sides) if real is None else real
        if not roll.address.startswith(prefix) or roll.value != value or roll.entered != (real is not None):
            raise NotVerified(day, f"A die of day {day} did not fall as journaled: {roll.address}.")


def _check_real_dice(dossier: Dossier, step: ChainStep, acts: Iterable[Mapping[str, Any]]) -> None:
    """Check that a day's real dice are those the umpire entered on its morning (HR-UMP-12)."""
    if step.inputs.get("entered", {}) != collect_real_dice(
        acts, dossier.dice(step.day - 1, step.dice_revision)
    ):
        raise NotVerified(step.day, f"The real dice of day {step.day} are not those entered on its morning.")


def _has_row_commitments(step: ChainStep) -> bool:
    """True when a step vouches for other rows; steps of older versions do not."""
    return "rows" in step.commitments


def _check_rows(dossier: Dossier, step: ChainStep, coverage: RowCoverage, *, on_course: bool) -> None:
    """The rows a step vouches for, its author and moment, and at the head how the campaign is conducted."""
    if not _has_row_commitments(step):
        if step.vouched or coverage.began:
            raise NotVerified(step.day, f"Day {step.day} does not vouch for what was recorded with it.")
        return
    coverage.began = True
    salt = salt_of(dossier, step)
    own: dict[str, Any] = {"created_at": step.created_at, "actor_id": step.actor_id}
    if step.number == dossier.head:
        own |= dossier.conducted
        if dossier.absent is not None and step.record_hash != dossier.imported_head:
            own[ABSENT] = [list(key) for key in sorted(dossier.absent)]
            own["imported_head"] = dossier.imported_head
    promised = step.commitments["rows"]
    fault = coverage.fault(salt, promised, step.vouched, dossier.rows, own, on_course=on_course)
    if fault:
        raise NotVerified(step.day, f"Day {step.day}: {fault}")


def _check_finished_rows(dossier: Dossier, coverage: RowCoverage) -> None:
    """Check that no row was added afterwards: a record vouches for each finished one."""
    for table in dossier.finished if coverage.began else ():
        asked = dossier.finished[table] if coverage.named or table not in NAMED else ()
        for key in sorted(asked):
            if (table, key) not in coverage.keys:
                raise NotVerified(
                    dossier.world.day, f"The {WORDS[table]} {key} was put in after its day was recorded."
                )


def _check_bulletins(dossier: Dossier, hashes: Collection[str]) -> None:
    """The hashes that were printed are in the chain, so its end was not cut off."""
    for key, bulletin in sorted(dossier.rows.get("bulletins", {}).items()):
        printed = (bulletin["body"] or {}).get("record_hash", "")
        if printed and printed not in hashes:
            raise NotVerified(
                dossier.world.day,
                f"The bulletin {key} prints the hash {printed}, which is not in the chain: days were cut off "
                "or replaced. Compare it with the page and notification of that week, and restore a backup.",
            )


def _check_battles(
    dossier: Dossier, step: ChainStep, decided: Decided, revisions: Revisions, installed: bool
) -> None:
    """The battles of a day as stored are those the day was played with, and what was decided of them."""
    for settlement in step.inputs.get("settlements", []):
        fight = dossier.fights.get((step.revision, settlement["contact"]))
        dice = dossier.dice(fight.day, fight.dice_revision) if fight is not None and installed else None
        try:
            fault = fight_fault(fight, settlement, decided, dice)
            if fight is not None and not fault:
                fault = revisions.fight_fault(fight, dossier.fights.values())
        except (KeyError, TypeError, ValueError, AttributeError):
            fault = f"What is stored of the battle {settlement['contact']} cannot be read."
        if fault:
            raise NotVerified(step.day, f"Day {step.day}: {fault}")


def _replay_step(dossier: Dossier, step: ChainStep, before: World, after: World) -> None:
    """Play a step again from the world before it."""
    inputs, day = step.inputs, step.day
    dice = dossier.dice(step.happened_on, step.dice_revision, inputs.get("entered"))
    result: Completed | Pending
    if step.kind == "act":
        result = act_apply(before, act_from_json(inputs["act"]), inputs["reason"])
    elif step.kind == "day":
        result = play_day(
            before,
            {row["formation"]: order_from_json(row) for row in inputs["orders"]},
            dice,
            {row["contact"]: settlement_from_json(row) for row in inputs["settlements"]},
            [organisation_from_json(row) for row in inputs.get("organisation", ())],
            Apart.from_json(inputs["apart"]) if "apart" in inputs else None,
        )
    else:
        result = close_week(before, WeekChoices.from_json(inputs["choices"]), dice)
    if not isinstance(result, Completed) or world_hash(result.world) != world_hash(after):
        raise NotVerified(day, f"Day {day} played again with the same orders and dice ends otherwise.")
    if events_hash(result.events) != events_hash(step.events):
        raise NotVerified(day, f"Day {day} played again with the same dice tells another story.")
