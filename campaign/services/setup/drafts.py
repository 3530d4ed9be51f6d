"""Setting up a campaign page by page, and creating it when all is confirmed (HR-SET-15)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from campaign.models import Campaign, CampaignDraft, Invitation, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm, verify_rhythm
from campaign.rules.turns.local_time import moment_at, verify_wall
from campaign.rules.umpire.settings import SPECTATORS, conduct_text, verify_conduct, verify_spectators
from campaign.rules.world.options import option_of, verify_hours
from campaign.rules.world.settings import RuleSettings
from campaign.scenarios.armies import rows_from_json
from campaign.scenarios.uploaded import scenario_verify
from campaign.services.seats.assignment import sides_of
from campaign.services.seats.changes import seat_open
from campaign.services.seats.invitations import invitation_keep, invitation_make, invitations_send
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.deadlines import deadline_set
from rosters.importing import RosterErrors, RosterRow

RULE = "HR-SET-15"
STEPS = ("scenario", "name", "seats", "rules", "clock", "battles", "review")
#: Steps that are chosen something in; the last only shows it all.
CHOSEN = STEPS[:-1]
#: Half-made campaigns, and running ones they umpire, that a person may have; columns of a side.
MOST_DRAFTS, MOST_CAMPAIGNS, MOST_COLUMNS = 10, 20, 12


@dataclass(frozen=True, slots=True)
class InvitationLink:
    """A new invitation: its seat, its recipient, and its token, which cannot be shown again later."""

    seat: str
    email: str
    token: str
    person: str = ""
    pk: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """A campaign that has been set up; `links` is empty when it was made by an earlier click."""

    campaign: Campaign
    links: tuple[InvitationLink, ...] = ()


def may_set_up(user: Any) -> bool:
    """True when a person may set up campaigns: everybody, or the site's staff alone (NEW_CAMPAIGNS)."""
    return bool(user.is_authenticated) and (settings.NEW_CAMPAIGNS == "all" or user.is_staff)


def list_setup_drafts(user: User) -> list[CampaignDraft]:
    """List a person's unfinished set-ups, newest first; uploaded units are not loaded."""
    drafts = CampaignDraft.objects.filter(user=user).defer("armies")
    return [draft for draft in drafts if "made" not in draft.body]


# --- page by page ---


def draft_begin(*, user: User, chosen: Mapping[str, Any]) -> CampaignDraft:
    """Begin to set a campaign up with the scenario chosen. Raises RuleViolation (HR-SET-15)."""
    with transaction.atomic():
        _verify_may_set_up(user)
        scenario_verify(str(chosen.get("slug", "")), user)
        CampaignDraft.objects.filter(user=user, body__has_key="made").delete()
        if CampaignDraft.objects.filter(user=user).count() >= MOST_DRAFTS:
            raise RuleViolation(
                RULE, f"You have {MOST_DRAFTS} campaigns half set up; go on with one or throw one away.", ""
            )
        scenario, rows = _split_rows(chosen)
        return CampaignDraft.objects.create(
            user=user, body={"scenario": scenario, "kept": {"scenario": 1}}, armies=rows
        )


def setup_draft_keep(
    *, draft: CampaignDraft, user: User, step: str, chosen: Mapping[str, Any], seen: int
) -> CampaignDraft:
    """Save the choices of one page. `seen` is how often it had been saved when it was opened.

    Raises RuleViolation when another window has kept the page since, or the campaign has been made.
    """
    with transaction.atomic():
        current = _lock_draft(draft, user)
        if step == "scenario":
            chosen, rows = _split_rows(chosen)
        kept = dict(current.body.get("kept", {}))
        if kept.get(step, 0) != seen and current.body.get(step) != chosen:
            raise RuleViolation(
                RULE,
                "Another window has kept this page since you opened it. What you see is yours: go on once "
                "more and it stands instead.",
                "",
            )
        if step == "scenario":
            scenario_verify(str(chosen.get("slug", "")), user)
            current.armies = rows
        body = {**current.body, step: dict(chosen), "kept": {**kept, step: kept.get(step, 0) + 1}}
        was = current.body.get("scenario", {})
        if step == "scenario" and any(was.get(key) != chosen.get(key) for key in ("slug", "bare", "armies")):
            for other in ("seats", "rules"):  # of another country: its sides, columns and settings
                body.pop(other, None)
        current.body = body
        current.save()
    return current


def _split_rows(chosen: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The choices of the first page without the units of its table, and these units."""
    armies = dict(chosen.get("armies") or {})
    rows = armies.pop("rows", [])
    return {**chosen, **({"armies": armies} if armies else {})}, rows


def draft_discard(*, draft: CampaignDraft, user: User) -> None:
    """Throw a half-made campaign away."""
    CampaignDraft.objects.filter(pk=draft.pk, user=user).delete()


def _lock_draft(draft: CampaignDraft, user: User) -> CampaignDraft:
    """Lock and return the draft. Raises RuleViolation when it was discarded or created meanwhile."""
    _verify_may_set_up(user)
    current = CampaignDraft.objects.select_for_update().filter(pk=draft.pk, user=user).first()
    if current is None:
        raise RuleViolation(RULE, "This has been thrown away in another window; begin anew.", "")
    if "made" in current.body:
        raise RuleViolation(RULE, "This campaign has been made already; look among your campaigns.", "")
    return current


def _verify_may_set_up(user: User) -> None:
    if not may_set_up(user):
        raise RuleViolation(RULE, "Campaigns are set up by the staff of this site; ask them for one.", "")


# --- what each page may hold ---


def title_verify(title: str) -> None:
    """Refuses a name that will not do. Raises RuleViolation."""
    verify_conduct("title", title)


def build_settings(base: RuleSettings, texts: Mapping[str, str], *, hours: bool = True) -> RuleSettings:
    """Build settings with the chosen ones; `hours` asks whether a day's times must be in order too.

    Raises RuleViolation with the setting as field.
    """
    values = {name: option_of(name).read(text) for name, text in texts.items()}
    found = RuleSettings.from_json({**base.to_json(), **values})
    if hours:
        verify_hours(found)
    return found


def parse_clock_step(chosen: Mapping[str, Any]) -> tuple[Rhythm, datetime | None]:
    """Parse a page's deadline schedule and first deadline. Raises RuleViolation."""
    rhythm = Rhythm(**{name: chosen[name] for name in Rhythm.__dataclass_fields__ if name in chosen})
    verify_rhythm(rhythm)
    if not chosen.get("until"):
        return rhythm, None
    wall, zone = datetime.fromisoformat(chosen["until"]), ZoneInfo(rhythm.time_zone)
    verify_wall(wall, zone)
    return rhythm, moment_at(wall, zone)


# --- made ---


def draft_make(*, draft: CampaignDraft, user: User, digest: str) -> Made:
    """Make the campaign: itself, its seats, invitations, rhythm and first deadline, or nothing.

    `digest` is the scenario's as its files are now. Made twice it is one campaign. Raises RuleViolation; the
    field is the step to mend.
    """
    with transaction.atomic():
        row = CampaignDraft.objects.select_for_update().filter(pk=draft.pk, user=user).first()
        if row is not None and "made" in row.body:
            made = Campaign.objects.filter(pk=row.body["made"]).first()
            if made is not None:
                return Made(made)
        current = _lock_draft(draft, user)
        missing = next((step for step in CHOSEN if step not in current.body), None)
        if missing is not None:
            raise RuleViolation(RULE, "This page has not been filled in yet.", missing)
        if current.body["scenario"]["digest"] != digest:
            raise RuleViolation(
                "HR-SET-03",
                "The scenario's files have changed since you chose it; look at what is there now and choose "
                "again.",
                "scenario",
            )
        running = Campaign.objects.filter(
            seats__user=user, seats__role=Seat.Role.UMPIRE, state=Campaign.State.RUNNING
        )
        if running.distinct().count() >= MOST_CAMPAIGNS:
            raise RuleViolation(
                RULE, f"You umpire {MOST_CAMPAIGNS} running campaigns already; end one first.", "review"
            )
        made_now = _make_campaign(current.body, rows_from_json(current.armies), user)
        current.body = {**current.body, "made": made_now.campaign.pk}
        current.save()
    return made_now


def _make_campaign(body: Mapping[str, Any], armies: tuple[RosterRow, ...], user: User) -> Made:
    with _mended_at("rules"):
        texts = body["rules"]["settings"]
        values = {name: option_of(name).read(text) for name, text in texts.items()}
    battles = body["battles"]
    with _mended_at("name"):
        campaign = campaign_create(
            scenario=body["scenario"]["slug"],
            bare=body["scenario"]["bare"],
            armies=armies,
            slug=body["name"]["slug"],
            title=body["name"]["title"],
            seats=(SeatPlan(role=Seat.Role.UMPIRE, title="Umpire", user=user),),
            settings=values,
            battle_policy=battles["battle_policy"],
            table_units=int(battles["table_units"]),
            ruleset=battles["ruleset"],
            ruleset_options=battles.get("ruleset_options", {}),
            actor=user,
        )
    with _mended_at("clock"):
        rhythm, until = parse_clock_step(body["clock"])
        for name in Rhythm.__dataclass_fields__:
            setattr(campaign, name, getattr(rhythm, name))
        if until is not None:
            deadline_set(campaign, until, earlier=False)
        campaign.save()
    with _mended_at("seats"):
        links = _open_seats(campaign, body["seats"], user)
    campaign.refresh_from_db()
    return Made(campaign, tuple(links))


def _open_seats(campaign: Campaign, chosen: Mapping[str, Any], user: User) -> list[InvitationLink]:
    """Open the chosen seats, each with its invitation if a person was named; returns the invitations."""
    links: list[InvitationLink] = []
    for row in chosen["seats"]:
        seat = seat_open(
            campaign=campaign,
            role=row["role"],
            side=row.get("side", ""),
            title=row.get("title", ""),
            formations=row.get("formations", ()),
            actor=user,
        )
        links += _invite_to_seat(campaign, seat, row, user)
        if deputy := row.get("deputy"):
            second = seat_open(campaign=campaign, role=Seat.Role.DEPUTY, stands_for=seat, actor=user)
            links += _invite_to_seat(campaign, second, deputy, user)
    _set_spectators(campaign, chosen.get("days"), chosen.get("spectator_side", ""))
    return links


def _set_spectators(campaign: Campaign, days: int | None, side: str) -> None:
    """Set what spectators see from the first morning on (HR-SET-12); later it is changed by a correction."""
    for name, value in zip(SPECTATORS, (days, side), strict=True):
        verify_spectators(name, conduct_text(value), sides_of(campaign))
        setattr(campaign, name, value)
    campaign.save(update_fields=SPECTATORS)


def _invite_to_seat(
    campaign: Campaign, seat: Seat, row: Mapping[str, Any], user: User
) -> list[InvitationLink]:
    """Invite a person to a seat: by e-mail, by a link, or on the page of an existing account."""
    way, whom = row.get("way", ""), row.get("whom", "").strip()
    if not way:
        return []
    person = person_verify(whom) if way == "account" else None
    email = whom if way == "mail" else ""
    invitation, token = invitation_make(campaign=campaign, seat=seat, email=email, actor=user)
    if person is not None:
        invitation_keep(invitation=invitation, user=person)
    return [InvitationLink(str(seat), email, token, person.get_username() if person else "", invitation.pk)]


def person_verify(name: str) -> User:
    """The person of a user name. Raises RuleViolation for one nobody has."""
    found = User.objects.filter(username=name.strip(), is_active=True).first()
    if found is None:
        raise RuleViolation(
            "HR-SET-04", f"Nobody here is called “{name}”; look at the spelling, or invite by a link.", "whom"
        )
    return found


@contextmanager
def _mended_at(step: str) -> Iterator[None]:
    """Attribute every refusal inside the block to this page, where it can be fixed."""
    try:
        yield
    except RuleViolation as error:
        raise RuleViolation(error.rule_id, error.message, step) from error
    except RosterErrors as refused:  # the scenario's files have changed since the table was laid on it
        first = refused.groups[0]
        words = f"Your table no longer fits the scenario: {first.place}: {first.message} Upload it again."
        raise RuleViolation("HR-SET-18", words, "scenario") from refused


def links_send(links: Sequence[InvitationLink]) -> set[int]:
    """Send the links that go by e-mail, in the time of one; gives the keys of the invitations sent."""
    tokens = {link.pk: link.token for link in links if link.email and settings.MAIL_IS_SENT}
    rows = Invitation.objects.select_related("campaign", "seat").filter(pk__in=tokens).order_by("pk")
    return invitations_send([(row, tokens[row.pk]) for row in rows]) if tokens else set()
