"""A campaign whose dice come from a public seed is given to nobody (HR-SET-17)."""

import hashlib
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from campaign.ledger.dice import secret_is_public
from campaign.models import Campaign, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.zip_files import ArchiveRefused
from campaign.services.seats.assignment import column_give, seat_give
from campaign.services.seats.changes import seat_fill, seat_offer, seat_open
from campaign.services.seats.invitations import invitation_make
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
Role = Seat.Role
SAID = "anybody can work them out"


def older(campaign: Campaign) -> Campaign:
    """The campaign as a version began it that told no seed in its first record."""
    start = campaign.records.get(kind="start")
    start.commitments.pop("rows")
    start.save()
    return campaign


@pytest.fixture(params=["of this version", "of an older version", "of an older version, another seed"])
def seeded(request) -> Campaign:
    """A campaign as playcampaign makes it, and as it made it before this was told in its first record."""
    new = request.param == "of this version"
    seed = 987_654_321 if "another" in request.param or new else 1777
    known = hashlib.sha256(f"playcampaign {seed}".encode()).digest()
    dice = {"seed": seed} if new else {"secret": known}
    slug = "war" if new else f"saratoga-1777-seed-{seed}"
    campaign = campaign_create(scenario="saratoga-1777", slug=slug, **dice)
    assert bytes(campaign.secret) == known
    return campaign


@pytest.mark.parametrize("seed", [0, 1777, 9_999, 10_000, 999_999, 20261127, 27111777, 7041776])
def test_an_older_campaign_is_recognised_by_the_seeds_people_choose_hr_set_17(db, seed):
    """Its address and title do not hold the seed."""
    secret = hashlib.sha256(f"playcampaign {seed}".encode()).digest()
    campaign = older(campaign_create(scenario="saratoga-1777", slug="war", title="War", secret=secret))
    assert secret_is_public(campaign)


def test_an_older_campaign_with_a_secret_of_its_own_is_given_away_hr_set_17(db):
    assert not secret_is_public(older(campaign_create(scenario="saratoga-1777", slug="war", title="War")))


@pytest.fixture
def anna(db) -> User:
    return User.objects.create_user("anna")


def test_no_person_is_given_a_seat_of_it_hr_set_17(seeded, anna):
    assert secret_is_public(seeded)
    for give in (
        lambda: seat_give(campaign=seeded, role="umpire", side="", user=anna, actor=None),
        lambda: seat_give(campaign=seeded, role="commander", side="crown", user=anna, actor=None),
        lambda: seat_open(campaign=seeded, role=Role.SPECTATOR, user=anna, actor=None),
        lambda: column_give(
            campaign=seeded, side="crown", formations=["advanced_corps"], user=anna, title="", actor=None
        ),
    ):
        with pytest.raises(RuleViolation, match=SAID) as refused:
            give()
        assert refused.value.rule_id == "HR-SET-17"
    assert not Seat.objects.filter(user=anna).exists()


def test_nobody_is_invited_to_it_hr_set_17(seeded, anna):
    seat = seat_open(campaign=seeded, role=Role.COMMANDER, side="crown", actor=None)
    for act in (
        lambda: invitation_make(campaign=seeded, seat=seat, actor=None),
        lambda: seat_offer(seat=seat, offered=True, actor=None),
        lambda: seat_fill(seat=seat, user=anna, actor=None),
    ):
        with pytest.raises(RuleViolation, match=SAID):
            act()


def test_giveseat_says_why_hr_set_17(seeded, anna):
    with pytest.raises(CommandError, match=SAID):
        call_command("giveseat", seeded.slug, "umpire", "anna")
    call_command("giveseat", seeded.slug, "crown", "--staff", stdout=StringIO())


def test_it_begins_with_nobody_hr_set_17(anna):
    with pytest.raises(RuleViolation, match=SAID):
        campaign_create(scenario="saratoga-1777", slug="war", seed=1, seats=(SeatPlan("umpire", user=anna),))
    assert not Campaign.objects.exists()


def test_an_umpire_it_was_given_to_before_is_told_on_the_page_of_seats_hr_set_17(seeded, anna):
    Seat.objects.create(campaign=seeded, user=anna, role=Role.UMPIRE, title="Umpire")
    shown = signed_in(anna).get(f"/campaigns/{seeded.slug}/seats/").content.decode()
    assert SAID in shown


def test_an_archive_of_it_is_refused_whatever_it_is_called_hr_set_17(seeded, tmp_path):
    campaign_export(campaign=seeded, path=tmp_path / "a.zip", with_secret=True)
    with pytest.raises(ArchiveRefused, match=SAID):
        campaign_import(path=tmp_path / "a.zip", slug="again")
    with pytest.raises(CommandError, match=SAID):
        call_command("importcampaign", str(tmp_path / "a.zip"), slug="again")
    assert not Campaign.objects.filter(slug="again").exists()


def test_any_other_campaign_is_given_away_hr_set_17(saratoga, tmp_path):
    assert not secret_is_public(saratoga)
    campaign_export(campaign=saratoga, path=tmp_path / "a.zip", with_secret=True)
    out = StringIO()
    call_command("importcampaign", str(tmp_path / "a.zip"), slug="again", stdout=out)
    assert "giveseat fills them" in out.getvalue()
    assert not secret_is_public(campaign_import(path=tmp_path / "a.zip", slug="third").campaign)
