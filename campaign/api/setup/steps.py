"""Setting a campaign up, step by step, and making it (HR-SET-15)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import USUAL_BODY, Scope, endpoint
from campaign.api.framework.problems import KINDS, problem_response
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.api.umpire.settings import MANY, RhythmShape, ruleset_options_field
from campaign.models import Campaign, CampaignDraft
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire.settings import LONGEST_DELAY, LONGEST_TITLE, POLICIES
from campaign.selectors.setup.drafts import draft_card, draft_title, review_of
from campaign.selectors.setup.scenarios import ScenarioCard, find_scenario_card
from campaign.services.seats.invitations import invitation_link
from campaign.services.setup import steps
from campaign.services.setup.drafts import (
    CHOSEN,
    RULE,
    InvitationLink,
    draft_begin,
    draft_discard,
    draft_make,
    links_send,
    list_setup_drafts,
    may_set_up,
    setup_draft_keep,
)
from campaign.services.setup.steps import MOST_TABLE
from rosters.importing import RosterErrors


class SetupShape(Shape):
    """A campaign half set up."""

    number = serializers.IntegerField(source="pk")
    title = serializers.SerializerMethodField()
    chosen = serializers.SerializerMethodField(help_text="What was kept, by step.")
    missing = serializers.SerializerMethodField(help_text="Steps that have not been kept yet.")
    stale = serializers.SerializerMethodField(
        help_text="Whether the scenario is gone or its files have changed: choose it again."
    )
    campaign = serializers.SerializerMethodField(help_text="Made: the campaign's address; empty: it is not.")

    def get_title(self, draft: CampaignDraft) -> str:
        return draft_title(draft)

    def get_chosen(self, draft: CampaignDraft) -> dict[str, Any]:
        told = {step: draft.body[step] for step in CHOSEN if step in draft.body}
        if armies := told["scenario"].get("armies"):
            short = {name: armies[name] for name in ("name", "units", "digest")}
            told["scenario"] = {**told["scenario"], "armies": short}
        return told

    def get_missing(self, draft: CampaignDraft) -> list[str]:
        return [step for step in CHOSEN if step not in draft.body]

    def get_stale(self, draft: CampaignDraft) -> bool:
        return scenario_sound(draft) is None

    def get_campaign(self, draft: CampaignDraft) -> str:
        made = Campaign.objects.filter(pk=draft.body.get("made", 0)).first()
        return made.slug if made is not None else ""


class CountryStepShape(Shape):
    """The country, and whether its troops stand on it."""

    scenario = serializers.CharField(max_length=80)
    bare = serializers.BooleanField(default=False, help_text="Nobody stands on the map.")
    armies = serializers.CharField(
        required=False,
        allow_blank=True,  # an empty file is refused as the table it is, with its sentence
        trim_whitespace=False,
        max_length=MOST_TABLE,
        help_text="An order of battle (CSV) in place of the scenario's, which `scenarios_armies` gives.",
    )


class NameStepShape(Shape):
    """Title and address of the campaign."""

    title = serializers.CharField(max_length=LONGEST_TITLE)
    slug = serializers.CharField(max_length=80)


class SetupInvitedShape(Shape):
    """An invitation to a seat."""

    way = serializers.ChoiceField([*steps.WAYS], default="", allow_blank=True, help_text="Empty: nobody yet.")
    whom = serializers.CharField(max_length=254, allow_blank=True, default="", help_text="Mail or user name.")


class SetupSeatShape(SetupInvitedShape):
    """A seat to begin with."""

    role = serializers.ChoiceField([str(role) for role in steps.ROLES])
    side = serializers.CharField(max_length=40, allow_blank=True, default="")
    title = serializers.CharField(max_length=100, allow_blank=True, default="")
    formations = serializers.ListField(
        child=serializers.CharField(max_length=100), default=list, max_length=200, help_text="Of a column."
    )
    deputy = SetupInvitedShape(required=False, help_text="Of a commander.")


class SeatsStepShape(Shape):
    """The seats and their holders; the commander's seat of a side left out is empty."""

    seats = SetupSeatShape(many=True, max_length=60)  # type: ignore[call-arg]
    days = serializers.IntegerField(
        min_value=0, max_value=LONGEST_DELAY, allow_null=True, help_text="Spectators' delay; null: nothing."
    )
    spectator_side = serializers.CharField(max_length=40, allow_blank=True, default="")


class RulesStepShape(Shape):
    """Options otherwise than the scenario has them."""

    settings = serializers.DictField(child=serializers.CharField(max_length=60), help_text="All, by name.")


class ClockStepShape(RhythmShape):
    """The rhythm, and when the first orders are due."""

    until = serializers.DateTimeField(allow_null=True, default=None, help_text="null: not said yet.")


class BattlesStepShape(Shape):
    """Default method and rules for resolving battles."""

    battle_policy = serializers.ChoiceField([*POLICIES])
    table_units = serializers.IntegerField(min_value=0, max_value=MANY)
    ruleset = serializers.CharField(max_length=60)
    ruleset_options = ruleset_options_field("What is left out has its default.", default=dict)


class ReviewOptionShape(Shape):
    """An option chosen otherwise."""

    label = serializers.CharField()  # type: ignore[assignment]
    now = serializers.CharField()
    was = serializers.CharField()


class ReviewSeatShape(Shape):
    """A seat to be made, in words."""

    name = serializers.CharField()
    side = serializers.CharField(allow_blank=True)
    invited = serializers.CharField(allow_blank=True)
    formations = serializers.ListField(child=serializers.CharField())


class ReviewShape(Shape):
    """All that has been chosen, and what to think of."""

    fog = serializers.CharField()
    recruitment = serializers.CharField()
    recruitment_line = serializers.CharField(help_text="Its meaning, and the strength it leads to.")
    options = ReviewOptionShape(many=True)
    seats = ReviewSeatShape(many=True)
    spectators = serializers.CharField()
    rhythm = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())


class SetupLinkShape(Shape):
    """An invitation to a seat just made."""

    seat = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    person = serializers.CharField(allow_blank=True, help_text="Who finds it on their own page.")
    link = serializers.CharField(
        allow_blank=True, help_text="To be passed on; `invitations_read` shows it again."
    )
    sent = serializers.BooleanField(help_text="Whether an e-mail with the link has gone out.")


class SetupMadeShape(Shape):
    """The campaign that was made."""

    campaign = serializers.CharField(help_text="Its address.")
    links = SetupLinkShape(many=True)


def scenario_sound(draft: CampaignDraft) -> ScenarioCard | None:
    """The draft's scenario, None when it is gone or no longer as it was chosen."""
    chosen, card = draft.body["scenario"], draft_card(draft)
    return card if card is not None and not card.fault and card.digest == chosen["digest"] else None


#: Faults of a table that are listed.
MOST_FAULTS = 50
SEEN = "For people who may set up campaigns here, their own alone; for others there is nothing here."
STEP = f"If-Match is of the set-up. {SEEN}"


def armies_problem(refused: RosterErrors) -> HttpResponse:
    """A table of armies that does not fit, with every fault by row and column."""
    errors = [{"field": fault.place, "detail": fault.message} for fault in refused.groups[:MOST_FAULTS]]
    count = len(refused.errors)
    sentence = f"The table has {count} error{'' if count == 1 else 's'}; nothing was kept."
    return problem_response(KINDS["rule"], sentence, rule="HR-SET-18", field="armies", errors=errors)


class SetupView(ApiView):
    """A view of campaigns half set up."""

    def admit(self) -> None:
        if not may_set_up(self.person):
            raise Http404
        if "number" in self.kwargs:
            self.draft(self.kwargs["number"])

    def draft(self, number: int, *, lock: bool = False) -> CampaignDraft:
        """A set-up of the person's own. Raises Http404."""
        rows = CampaignDraft.objects.select_for_update() if lock else CampaignDraft.objects.all()
        return get_object_or_404(rows, pk=number, user=self.person)

    def sound(self, draft: CampaignDraft) -> ScenarioCard:
        """Its scenario. Raises RuleViolation when that is to be chosen again."""
        card = scenario_sound(draft)
        if card is None:
            raise RuleViolation(
                "HR-SET-03", "The scenario is gone or its files have changed; choose it again.", "scenario"
            )
        return card

    def country(self) -> dict[str, Any]:
        """The scenario that was sent, as it is kept."""
        card = find_scenario_card(self.person, self.given["scenario"])
        if card is None or card.fault:
            raise RuleViolation(RULE, "There is no such scenario to play; choose another.", "scenario")
        chosen = {"slug": card.slug, "digest": card.digest, "bare": self.given["bare"]}
        if "armies" not in self.given:
            return chosen
        if self.given["bare"]:
            sentence = "The map is empty or has armies of your own; choose one of the two."
            raise RuleViolation("HR-SET-18", sentence, "armies")
        data = self.given["armies"].encode()
        return chosen | {"armies": steps.clean_armies_step(card.slug, "armies.csv", data)}

    def keep(
        self, request: Request, number: int, step: str, chosen: Callable[[CampaignDraft], dict[str, Any]]
    ) -> CampaignDraft:
        """Keep a step of what the caller saw."""
        with transaction.atomic():
            draft = self.draft(number, lock=True)
            demand_match(request, SetupShape(draft).data)
            seen = draft.body.get("kept", {}).get(step, 0)
            return setup_draft_keep(draft=draft, user=self.person, step=step, chosen=chosen(draft), seen=seen)


class Setups(SetupView):
    """Campaigns half set up."""

    @endpoint("setups_list", "My set-ups", answer=SetupShape(many=True), seen=SEEN)
    def get(self, request: Request) -> list[CampaignDraft]:
        """Campaigns you have left half set up, the last touched first."""
        return list_setup_drafts(self.person)

    @endpoint(
        "setups_begin",
        "Begin a set-up",
        body=CountryStepShape,
        answer=SetupShape,
        status=201,
        scope=Scope.UMPIRE,
        largest=2 * MOST_TABLE,
        seen=SEEN,
    )
    def post(self, request: Request) -> CampaignDraft | HttpResponse:
        """Begins with a scenario. Rules: HR-SET-15, HR-SET-18."""
        try:
            return draft_begin(user=self.person, chosen=self.country())
        except RosterErrors as refused:
            return armies_problem(refused)


class SetupDetail(SetupView):
    """One set-up."""

    @endpoint("setups_read", "A set-up", answer=SetupShape, seen=SEEN)
    def get(self, request: Request, number: int) -> CampaignDraft:
        """The choices made so far, and the ones still missing."""
        return self.draft(number)

    @endpoint("setups_discard", "Throw a set-up away", scope=Scope.UMPIRE, seen=SEEN, refuses=())
    def delete(self, request: Request, number: int) -> None:
        """A campaign made of it stays."""
        draft_discard(draft=self.draft(number), user=self.person)


def _build_step_endpoint(name: str, summary: str, body: type[Shape]) -> Any:
    return endpoint(
        name,
        summary,
        body=body,
        answer=SetupShape,
        scope=Scope.UMPIRE,
        match=True,
        refuses=(422,),
        largest=2 * MOST_TABLE if body is CountryStepShape else USUAL_BODY,
        seen=STEP,
    )


class ScenarioStep(SetupView):
    """The scenario."""

    @_build_step_endpoint("setups_scenario", "Choose the scenario", CountryStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft | HttpResponse:
        """The country; with another one seats and rules are chosen anew. Rules: HR-SET-15, HR-SET-18."""
        try:
            return self.keep(request, number, "scenario", lambda draft: self.country())
        except RosterErrors as refused:
            return armies_problem(refused)


class NameStep(SetupView):
    """The name."""

    @_build_step_endpoint("setups_name", "Choose the name", NameStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft:
        """Name and address. Rules: HR-SET-02, HR-UMP-18."""
        given = self.given
        return self.keep(
            request, number, "name", lambda draft: steps.clean_name_step(given["title"], given["slug"])
        )


class SeatsStep(SetupView):
    """The seats."""

    @_build_step_endpoint("setups_seats", "Choose the seats", SeatsStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft:
        """Sets the holders of seats, the invitations, and the spectators' view. Rules: HR-SET-04, 05, 12,
        13.
        """

        def clean_seats(draft: CampaignDraft) -> dict[str, Any]:
            sides, bare = self.sound(draft).sides, bool(draft.body["scenario"]["bare"])
            known = {side.id: () if bare else tuple(key for key, _ in side.formations) for side in sides}
            return steps.clean_seats_step(self.person, known, **self.given)

        return self.keep(request, number, "seats", clean_seats)


class RulesStep(SetupView):
    """The rules."""

    @_build_step_endpoint("setups_rules", "Choose the rules", RulesStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft:
        """Options that differ from the scenario's; what is left out is as there.

        `recruitment` chooses the weekly tables: `draft` as in the published draft, `damped` balanced for this
        site, `off` none; `scenarios_recruitment` says what each does. Rules: HR-SET-01, HR-REC-04."""
        texts = self.given["settings"]
        return self.keep(
            request,
            number,
            "rules",
            lambda draft: steps.clean_rules_step(self.sound(draft).settings, texts),
        )


class ClockStep(SetupView):
    """The deadlines."""

    @_build_step_endpoint("setups_clock", "Choose the deadlines", ClockStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft:
        """The rhythm of deadlines and turns, and the first. Rules: HR-DUE-01, HR-UMP-11."""
        given = dict(self.given)
        until: datetime | None = given.pop("until")
        return self.keep(
            request, number, "clock", lambda draft: steps.clean_clock_step(Rhythm(**given), until)
        )


class BattlesStep(SetupView):
    """The battles."""

    @_build_step_endpoint("setups_battles", "Choose how battles are settled", BattlesStepShape)
    def put(self, request: Request, number: int) -> CampaignDraft:
        """Sets the default method and rules for resolving battles. Rules: HR-UMP-18."""
        return self.keep(request, number, "battles", lambda draft: steps.clean_battles_step(self.given))


class SetupReview(SetupView):
    """All of it at once."""

    @endpoint("setups_check", "Look a set-up over", answer=ReviewShape, refuses=(422,), seen=SEEN)
    def get(self, request: Request, number: int) -> Any:
        """All that has been chosen, in words, and what to think of before it is made. Rules: HR-SET-15."""
        draft = self.draft(number)
        missing = next((step for step in CHOSEN if step not in draft.body), None)
        if missing is not None:
            raise RuleViolation(RULE, "This step has not been kept yet.", missing)
        return review_of(draft, self.sound(draft))


class Make(SetupView):
    """The campaign is made."""

    @endpoint(
        "setups_make",
        "Make the campaign",
        answer=SetupMadeShape,
        status=201,
        scope=Scope.UMPIRE,
        together=False,
        once=("links",),
        cost=20,
        seen=SEEN,
    )
    def post(self, request: Request, number: int) -> dict[str, Any]:
        """Makes the campaign with all its seats, or nothing; `field` of a refusal is the step to mend.

        Made twice it is one campaign. Rules: HR-SET-15."""
        draft = self.draft(number)
        digest = draft.body["scenario"]["digest"] if "made" in draft.body else self.sound(draft).digest
        made = draft_make(draft=draft, user=self.person, digest=digest)
        sent = links_send(made.links)
        links = [self._link(link, sent=link.pk in sent) for link in made.links]
        return {"campaign": made.campaign.slug, "links": links}

    def _link(self, link: InvitationLink, *, sent: bool) -> dict[str, Any]:
        address = invitation_link(link.token, self.request.build_absolute_uri("/"))
        told = {"seat": link.seat, "email": link.email, "person": link.person, "sent": sent}
        return told | {"link": "" if sent or link.person else address}
