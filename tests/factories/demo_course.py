"""The demo campaign played in stages, with everybody who may look at it: what pages are opened on."""

import re
from datetime import timedelta
from typing import Any
from unittest import mock

from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from campaign.fog.seat_roles import seats_in_force
from campaign.models import Battle, Campaign, Seat, UploadedScenario, User
from campaign.ops.site_cache import CacheAway
from campaign.ops.upload_checks import USUAL_REQUEST
from campaign.rules.army.organisation import Garrison
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.services.battles.table_results import battle_entry_save
from campaign.services.dispatches import letter_send
from campaign.services.forecasts.forecasts import forecast_ask
from campaign.services.notifications.channels import channel_add
from campaign.services.notifications.notifications import Kind, notices_read, notices_write
from campaign.services.notifications.reminders import rounds_go
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit
from campaign.services.press.books import book_ask
from campaign.services.press.bulletins import bulletins_publish, foreword_write
from campaign.services.seats.absences import absence_add
from campaign.services.seats.changes import seat_offer, seat_open, spectators_set
from campaign.services.seats.invitations import invitation_make
from campaign.services.setup.drafts import STEPS
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind, rewind_targets
from campaign.tasks import run_job
from campaign.web.setup.pages import LINKS
from campaign.web.shown_once import secret_keep
from tests.campaign.conftest import SECRET
from tests.factories.comparisons import compared
from tests.factories.half_made import half_made
from tests.factories.people import authenticator_shows, signed_in
from tests.factories.scenario_zips import as_sent, faulty, packed, small

PASSWORD = "The lake is wide at Crown Point"
MARCHES = {
    "crown": [
        Order("advanced_corps", ("ticonderoga",), pace="double", stance="attack"),
        Order("british_1st_brigade", ("crown_point",)),
        Order("german_1st_brigade", ("crown_point",)),
        Order("artillery_park", ("crown_point",)),
    ],
    "rebel": [Order("poors_brigade", ("crown_point",), stance="attack")],
}
LETTERS = (
    "Sir,\n\nYour wounded of the seventeenth lie in the barn at Crown Point. A surgeon of yours may pass our "
    "pickets to-morrow under a flag, with linen and wine.\n\nI am, Sir, your most humble servant",
    "Sir,\n\nI thank you. Surgeon Wood sets out at dawn with one sergeant and a cart.",
    "Gentlemen,\n\nthe table on Thursday begins at eight. Bring your own dice.",
)
HOOK = "https://club.example.org/hooks/saratoga"
WITH_MAIL = {
    "ACCOUNT_EMAIL_VERIFICATION": "mandatory",
    "ACCOUNT_SIGNUP_FIELDS": ["username*", "email*", "password1*", "password2*"],
    "MAIL_IS_SENT": True,
}


class DemoCourse:
    """One demo campaign. `stages` names the steps in their order, each a method; `go` takes one.

    `facts` are what addresses are made of; `people` are the browsers of those who look. Odds are worked
    out from `runs` fights.
    """

    stages = ("ordered", "waiting", "fought", "returned", "seated", "undone")

    def __init__(self, runs: int = 4) -> None:
        self.runs = runs
        self.facts: dict[str, Any] = {
            "slug": "saratoga-1777",
            "week": 1,
            "day": 1,
            "formation": "advanced_corps",
        }
        self.facts |= {"unit": "br_24_1", "rule": "HR-MAR-01", "unknown": "HR-XXX-99", "side": "crown"}
        self.people: dict[str, Client] = {"": Client()}

    def go(self, stage: str) -> None:
        getattr(self, f"_{stage}")()

    @property
    def campaign(self) -> Campaign:
        return Campaign.objects.get(slug=self.facts["slug"])

    def seat(self, side: str) -> Seat:
        return self.campaign.seats.get(side=side, role__in=(Seat.Role.COMMANDER, Seat.Role.UMPIRE))

    def user(self, side: str) -> User:
        user = self.seat(side).user
        assert user is not None
        return user

    # --- the stages ---

    def _ordered(self) -> None:
        """The first morning: marches ordered, a garrison named, a draft begun; people at the site's door."""
        # the same dice every time: what a page asks of the database must not hang on a throw
        with mock.patch("campaign.services.setup.campaigns.new_secret", lambda: SECRET):
            call_command("loadscenario", "saratoga-1777", demo=True, set=["supply=food", "forecasts=sides"])
        self.facts["slug"] = Campaign.objects.get().slug
        for side, orders in MARCHES.items():
            for order in orders:
                order_submit(campaign=self.campaign, side=side, order=order, actor=None)
        own: dict[str, Any] = {"campaign": self.campaign, "side": "crown", "actor": self.user("crown")}
        order_draft(**own, order=Order("german_2nd_brigade", ("chimney_point",)))
        organisation_submit(add=True, **own, acts=[Garrison("british_2nd_brigade")])
        paper = self.campaign.order_papers.get(formation="advanced_corps")
        self.facts |= {"book": paper.book, "receipt": paper.number}
        for name, side in (("crown", "crown"), ("rebel", "rebel"), ("umpire", "")):
            self.people[name] = signed_in(self.user(side))
        self._accounts()
        newcomer = User.objects.get(username="newcomer")
        self.facts["setup"] = half_made(newcomer).pk
        self.facts["comparison"] = compared(newcomer, runs=self.runs).pk
        self.facts |= {f"setup-{step}": step for step in STEPS}

    def _told(self) -> None:
        """What the clock would tell the commanders by now."""
        told = {"campaign": self.campaign, "users": [self.user("crown"), self.user("rebel")]}
        notices_write(kind=Kind.LATE, subject=(timezone.now() - timedelta(days=2)).isoformat(), **told)
        notices_write(kind=Kind.PUBLISHED, subject="record 1", **told)
        notices_read(user=self.user("crown"))
        notices_write(kind=Kind.DUE, subject=(timezone.now() + timedelta(days=1)).isoformat(), **told)
        rounds_go(self.campaign, seats_in_force(self.campaign), timezone.now() - timedelta(days=1))

    def _accounts(self) -> None:
        """Somebody new; somebody with two factors, or the first of them; a keeper; links from letters."""
        cache.clear()  # the same people in another test of these minutes would be sent no letters again
        for name in ("newcomer", "guarded", "keeper"):
            user = User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD)
            self.people[name] = Client()
            self.people[name].post("/sign-in/", {"login": name, "password": PASSWORD})
            self.people[name].post("/account/reauthenticate/", {"password": PASSWORD})
            self.facts[name] = user.pk
        User.objects.filter(username="keeper").update(is_superuser=True)
        newcomer = User.objects.get(username="newcomer")
        way, _ = channel_add(user=newcomer, kind="webhook", address=HOOK, label="The club's bot")
        self.facts["way"] = way.pk
        self.people["between"] = Client()  # before the second factor is set up, this would sign him in
        guarded, page = self.people["guarded"], "/account/two-factor/totp/activate/"
        (secret,) = re.findall(r'<code class="letters">(\w+)</code>', guarded.get(page).content.decode())
        guarded.post(page, {"code": authenticator_shows(secret)}, follow=True)
        self.people["between"].post("/sign-in/", {"login": "guarded", "password": PASSWORD})
        mail.outbox.clear()
        Client().post("/account/password/reset/", {"email": "newcomer@example.org"})
        self.people["forgetful"] = Client()
        answer = self.people["forgetful"].get(self._link())
        self.facts["reset"] = answer["Location"]
        with override_settings(**WITH_MAIL):
            mail.outbox.clear()
            given = {"username": "stark", "email": "stark@example.org", "password1": PASSWORD}
            self.people["stark"] = Client()
            self.people["stark"].post("/sign-up/", {**given, "password2": PASSWORD})
            self.facts["confirm"] = self._link()

    @staticmethod
    def _link() -> str:
        (found,) = re.findall(r"http://testserver(/\S+)", mail.outbox[-1].body)
        return str(found)

    def _waiting(self) -> None:
        """Marched until a battle waits; its odds are worked out, a forecast and a dry run too."""
        forecast = forecast_ask(campaign=self.campaign, actor=self.user(""), weeks=1, runs=4)
        with mock.patch("os.cpu_count", return_value=1):  # in this process, which has the database
            run_job(forecast.pk)
        while not (waiting := day_advance(campaign=self.campaign, actor=None).battles_waiting):
            pass
        self.battle = waiting[0]
        self.facts["battle"] = self.battle.pk
        self._told()
        run_job(odds_ask(battle=self.battle, actor=self.user(""), runs=self.runs).pk)
        role = {"campaign": self.campaign, "actor": self.user("")}
        guest = User.objects.create_user("guest", first_name="Guest")
        seat_open(role="guest", side="crown", battle=self.battle, user=guest, **role)
        self.people["guest"] = signed_in(guest)
        self._entered()

    def _entered(self) -> None:
        """Both sides have entered what came of it on their table; they differ in one unit."""
        for side, lost in (("crown", (1, 0, 2)), ("rebel", (1, 1, 2))):
            units = [unit for unit in self.battle.inputs["file"]["units"] if unit["sp"] > 1]
            hurt = zip((units[0], units[1], units[-1]), lost, strict=True)
            said = Entry(
                {unit["id"]: UnitResult(min(sp, unit["sp"])) for unit, sp in hurt},
                held_by=self.battle.defender,
                notes="The guns had the range from the first turn." if side == "crown" else "",
            )
            battle_entry_save(
                entered=True, battle=self.battle, side=side, entry=said, version=0, actor=self.user(side)
            )

    def _fought(self) -> None:
        self.battle.refresh_from_db()
        battle_settle_by_engine(battle=self.battle, actor=None)

    def _returned(self) -> None:
        """Played past the first week's returns."""
        while self.campaign.day < 8:
            for battle in day_advance(campaign=self.campaign, actor=None).battles_waiting:
                battle_settle_by_engine(battle=battle, actor=None)
        run_job(dry_run_ask(campaign=self.campaign, actor=self.user("")).pk)
        run_job(book_ask(campaign=self.campaign, actor=self.user("")).pk)
        self.facts["start"] = self.campaign.records.get(kind="start").pk
        self._letters()
        self._rows()

    def _rows(self) -> None:
        """A row of each of the umpire's lists."""
        campaign, army = self.campaign, self.campaign.order_of_battle
        corps = army.formations.filter(slug=self.facts["formation"])
        for kind, rows in {
            "unit": army.units, "formation": corps, "leader": army.leaders,
            "notice": campaign.notices, "job": campaign.jobs, "battle": campaign.battles,
            "paper": campaign.order_papers, "entry": campaign.journal, "seat": campaign.seats,
        }.items():  # fmt: skip
            self.facts[f"{kind}_row"] = rows.earliest("pk").pk
        self.facts["campaign_row"] = campaign.pk

    def _letters(self) -> None:
        """The wounded are written about, and the umpire writes to both."""
        crown, rebel = self.seat("crown").pk, self.seat("rebel").pk
        about = {"campaign": self.campaign, "subject": "The wounded at Crown Point"}
        first = letter_send(author=self.user("rebel"), to=[crown], text=LETTERS[0], **about)
        letter_send(author=self.user("crown"), to=[rebel], text=LETTERS[1], answers=first.code, **about)
        club = {"campaign": self.campaign, "author": self.user(""), "sealed": False}
        letter_send(to=[crown, rebel], text=LETTERS[2], **club)
        self.facts["letter"] = first.code

    def _seated(self) -> None:
        """Those who have no desk, and those who are away."""
        today = timezone.now().date()
        given: dict[str, Any] = {"campaign": self.campaign, "actor": self.user("")}
        press = seat_open(role="spectator", title="The press", **given)
        _, self.facts["token"] = invitation_make(seat=press, **given)
        self.people["invited"] = Client()
        answer = self.people["invited"].get(reverse("invitation-link", args=[self.facts["token"]]))
        self.facts["invitation"] = answer["Location"]
        for name, role in (("reserve", "reserve"), ("spectator", "spectator"), ("deputy", "deputy")):
            person = User.objects.create_user(name, first_name=name.title())
            stands = {"stands_for": self.seat("crown")} if role == "deputy" else {}
            seat_open(role=role, user=person, **stands, **given)
            self.people[name] = signed_in(person)
        fraser = User.objects.create_user("fraser", first_name="Simon")
        column = {"role": "column", "side": "crown", "formations": ["advanced_corps"], "title": "Fraser"}
        seat_open(user=fraser, **column, **given)
        self.people["column"] = signed_in(fraser)
        offered = {
            "role": "column",
            "side": "crown",
            "formations": ["german_1st_brigade"],
            "title": "Riedesel",
        }
        seat_offer(seat=seat_open(**offered, **given), offered=True, actor=self.user(""))
        first, last = today - timedelta(1), today + timedelta(9)
        absence_add(user=self.user("crown"), first=first, last=last, word="hiking")
        spectators_set(campaign=self.campaign, days=1, side="", reason="Late enough.", actor=self.user(""))
        words = "Gentlemen,\n\nthe lake is ours as far as Ticonderoga; the roads beyond it are nobody's."
        week = {"campaign": self.campaign, "week": 1, "actor": self.user("")}
        foreword_write(side="crown", foreword=words, before="", **week)
        bulletins_publish(**week)

    def _undone(self) -> None:
        """Back to the first morning: the battle has not been fought."""
        record = next(each for each in rewind_targets(self.campaign) if each.kind == "start")
        campaign_rewind(campaign=self.campaign, record=record, reason="A slip.", actor=self.user(""))
        assert Battle.objects.filter(pk=self.battle.pk).exists()

    # --- answers that no address alone brings ---

    def old_form(self) -> HttpResponse:
        """A form whose token is no longer good."""
        client = Client(enforce_csrf_checks=True)
        client.cookies = self.people["crown"].cookies
        return client.post(reverse("order-give", args=[self.facts["slug"]]), {})

    def refused(self) -> HttpResponse:
        return self._failing(RuleViolation("HR-UMP-10", "Saratoga 1777 rests: holidays. Let it go on first."))

    def crashed(self) -> HttpResponse:
        return self._failing(ZeroDivisionError("nothing to divide by"))

    def _failing(self, error: Exception) -> HttpResponse:
        client = Client(raise_request_exception=False)
        client.cookies = self.people["umpire"].cookies
        with mock.patch("campaign.web.jobs.job_rows", side_effect=error):
            return client.get(reverse("jobs", args=[self.facts["slug"]]))

    def cache_away(self) -> HttpResponse:
        return self._failing(CacheAway())

    def too_large(self) -> HttpResponse:
        """More than a form takes."""
        return self.people["newcomer"].post(reverse("notice-settings"), {"address": "x" * USUAL_REQUEST})

    def too_often(self) -> HttpResponse:
        """Signing up again and again from one address."""
        client = Client(REMOTE_ADDR="192.0.2.9")
        while (answer := client.post("/sign-up/", {})).status_code != 429:
            pass
        return answer

    def asked_about_units(self) -> HttpResponse:
        """The question of the umpire's desk before points are given to units."""
        units = [unit.pk for unit in self.campaign.order_of_battle.units.order_by("name")[:3]]
        data = {"action": "points", "_selected_action": units}
        return self.people["umpire"].post(reverse("umpire:rosters_unit_changelist"), data)

    def no_admin(self) -> HttpResponse:
        return self.people["crown"].get("/admin/login/")

    def refused_order(self) -> HttpResponse:
        data = {"formation": "artillery_park", "destination": "unadilla", "pace": "usual", "stance": "attack"}
        return self.people["crown"].post(
            reverse("order-give", args=[self.facts["slug"]]), {**data, "submit": ""}
        )

    def tried_order(self) -> HttpResponse:
        data = {"formation": "german_2nd_brigade", "destination": "ticonderoga", "pace": "double"}
        data |= {"stance": "attack", "try": ""}
        return self.people["crown"].post(reverse("order-give", args=[self.facts["slug"]]), data)

    def refused_set_up(self) -> HttpResponse:
        """The rules of a new campaign with something to mend."""
        page = reverse("campaign-new-step", args=[self.facts["setup"], "rules"])
        asked = self.people["newcomer"].get(page).context["form"]
        given = {field.html_name: field.value() for field in asked}
        return self.people["newcomer"].post(page, {**given, "road_miles": "0", "dark": "100", "seen": 1})

    def own_scenarios(self) -> HttpResponse:
        """A scenario put up, as its owner is shown it."""
        given = {"file": as_sent(packed(small()))}
        return self.people["newcomer"].post(reverse("own-scenarios"), given, follow=True)

    def refused_scenario(self) -> HttpResponse:
        """Another with faults; the first, whose files lie on this machine, is removed before."""
        for own in UploadedScenario.objects.filter(owner__username="newcomer"):
            self.people["newcomer"].post(reverse("own-scenario-remove", args=[own.slug]))
        given = {"file": as_sent(packed(faulty()))}
        return self.people["newcomer"].post(reverse("own-scenarios"), given)

    def refused_battle_file(self) -> HttpResponse:
        """A battle file with faults."""
        given = {"file": as_sent(b'{"format": "awi-battle", "version": 1}'), "runs": "1000"}
        return self.people["newcomer"].post(reverse("battle-files"), given)

    def refused_archive(self) -> HttpResponse:
        """What is no archive, brought in as one."""
        return self.people["keeper"].post(reverse("restorations"), {"file": as_sent(packed(small()))})

    def begun(self) -> HttpResponse:
        """A campaign just made, with links to pass on."""
        umpire = self.people["umpire"]
        session = umpire.session
        link = "http://testserver/join/" + 43 * "x" + "/"
        links = [
            {"seat": f"General {name}", "email": "", "person": "", "link": link}
            for name in ("Gates", "Fraser")
        ]
        links += [{"seat": "Deputy", "email": "", "person": "phillips", "link": ""}]
        secret_keep(session, LINKS, {"campaign": self.campaign.pk, "links": links})
        session.save()
        return umpire.get(reverse("campaign-new-made", args=[self.facts["slug"]]))

    def refused_sign_up(self) -> HttpResponse:
        return Client().post("/sign-up/", {"username": "x", "password1": "1", "password2": "2"})

    def letter_sent(self) -> HttpResponse:
        with override_settings(**WITH_MAIL):
            return Client().get("/account/confirm-email/")
