"""What persons settle for themselves: nobody is mistaken for somebody else, or for the site (HR-SET-04)."""

import pytest

from campaign.models import User
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.profile import name_look, person_name_fault, profile_save

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", first_name="Anna Seward")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


def test_a_name_is_kept_composed_and_on_one_line(ben: User) -> None:
    profile_save(actor=ben, name="  Benoi\u0302t   de Kalb ", time_zone="Europe/Paris")
    ben.refresh_from_db()
    assert (ben.first_name, ben.last_name, ben.time_zone) == ("Beno\u00eet de Kalb", "", "Europe/Paris")
    profile_save(actor=ben, name="Benoît de Kalb", time_zone="")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Umpire", "“Umpire” is a title on this site and cannot be a name; choose another."),
        ("the  UMPIRE", "“the UMPIRE” is a title on this site and cannot be a name; choose another."),
        # Cyrillic U, m, p, i, r, e that look like Latin ones
        (
            "Um\u0440ir\u0435",
            "“Um\u0440ir\u0435” is a title on this site and cannot be a name; choose another.",
        ),
        (
            "\u0410nna Seward",
            "Somebody here has a name that looks like “\u0410nna Seward”; choose another, or add an initial.",
        ),
        ("ANNA", "Somebody here has a name that looks like “ANNA”; choose another, or add an initial."),
        # letters of Latin's own, and marks, that hardly show
        ("Ump\u0131re", "“Ump\u0131re” is a title on this site and cannot be a name; choose another."),
        ("\u0251dmin", "“\u0251dmin” is a title on this site and cannot be a name; choose another."),
        ("Ump\u00edre", "“Ump\u00edre” is a title on this site and cannot be a name; choose another."),
        (
            "Ann\u1ea1",
            "Somebody here has a name that looks like “Ann\u1ea1”; choose another, or add an initial.",
        ),
        ("Ben\nthe Umpire", "This takes one line of text; remove the line break or tab."),
        (
            "Ben\u202e",
            "Character 4 is an invisible character that turns the direction of writing (U+202E); remove it.",
        ),
        ("x" * 61, "The name has 61 characters; shorten it to 60 or fewer."),
    ],
)
def test_a_name_that_misleads_is_refused(anna: User, ben: User, name: str, sentence: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        profile_save(actor=ben, name=name, time_zone="")
    assert (refused.value.rule_id, refused.value.message) == ("HR-SET-04", sentence)
    ben.refresh_from_db()
    assert ben.first_name == ""


def test_one_keeps_ones_own_name_and_others_are_free(anna: User) -> None:
    assert person_name_fault("Anna", longest=60, user=anna) == ""
    assert person_name_fault("Annabel", longest=60) == ""
    assert person_name_fault("Анастасия", longest=60) == ""
    assert name_look("\u0420\u0430u1") == name_look("paul")


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ("Jose Garcia", "José Garcia"),
        ("José Garcia", "Jose Garcia"),
        ("José Garcia", "Josè Garcia"),
        ("Muller", "Müller"),
        ("Martin", "Martín"),
        ("Pena", "Peña"),
        ("Francois", "François"),
        ("Dvorak", "Dvořák"),
        ("Ozil", "Özil"),
        ("Angstrom", "Ångström"),
        ("Erdos", "Erdős"),
        ("Soren", "Søren"),
        ("Zelazny", "Żelazny"),
    ],
)
def test_an_accent_tells_two_people_apart(anna: User, ben: User, there: str, name: str) -> None:
    User.objects.filter(pk=anna.pk).update(first_name=there)
    profile_save(actor=ben, name=name, time_zone="")
    ben.refresh_from_db()
    assert ben.first_name == name


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ("José", "JOSÉ"),
        ("José", "Jose\u0301"),
        ("José", "J\u043esé"),  # with a Cyrillic o
        ("José", "Jos\u0435\u0301"),  # with a Cyrillic e under the accent
        ("José", "Jos\u0435"),  # with a Cyrillic e and no accent
        ("Jos\u0435", "José"),  # as an older release let it be
        ("José", "\uff2aosé"),  # a J of full width
        ("Jose", "Jos\u1eb9"),  # a dot below, which hardly shows
        ("Jim", "Jị\u006d"),
        ("Jim", "Ji\u0307m"),
    ],
)
def test_an_accent_hides_no_letters_of_other_scripts(anna: User, ben: User, there: str, name: str) -> None:
    User.objects.filter(pk=anna.pk).update(first_name=there)
    with pytest.raises(RuleViolation, match="Somebody here has a name that looks like"):
        profile_save(actor=ben, name=name, time_zone="")


def test_a_name_of_before_stays_while_the_clock_is_set(anna: User, ben: User) -> None:
    User.objects.filter(pk=ben.pk).update(first_name="Anna Seward")  # as an older release let it be
    ben.refresh_from_db()
    profile_save(actor=ben, name="Anna Seward", time_zone="Europe/Paris")
    ben.refresh_from_db()
    assert ben.time_zone == "Europe/Paris"
