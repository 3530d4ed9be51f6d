"""Every field of our forms says in a sentence of its own what to do."""

from datetime import datetime
from typing import Any

import pytest
from django import forms

from campaign.web.forms import SentenceForm
from campaign.web.umpire.correction_forms import HAND_FORMS
from tests.campaign.web.posed import PAGE, posted, words

#: Beginnings of the framework's own sentences.
FRAMEWORK = (
    "This field is required",
    "Select a valid choice",
    "Enter a valid",
    "Enter a list",
    "Enter a whole number.",
    "Ensure this value",
    "Please enter a correct",
)


class EveryField(SentenceForm):
    formation = forms.ChoiceField(label="Formation", choices=[("fraser", "Advanced Corps")])
    units = forms.MultipleChoiceField(label="Units", choices=[("br_24", "24th Foot")])
    points = forms.IntegerField(label="Points", min_value=1, max_value=9)
    days = forms.IntegerField(label="Days")
    name = forms.CharField(label="Name", max_length=5)
    until = forms.DateTimeField(label="Until")
    own = forms.CharField(label="Own", error_messages={"required": "Say why."})


def told(data: dict[str, Any]) -> dict[str, str]:
    form = EveryField(data)
    return {name: str(errors[0]) for name, errors in form.errors.items()}


def test_what_is_missing_is_asked_for():
    assert told({}) == {
        "formation": "Formation: nothing is chosen yet; choose from the list.",
        "units": "Units: nothing is chosen yet; choose from the list.",
        "points": "Points: enter a whole number from 1 to 9.",
        "days": "Days: enter a whole number.",
        "name": "Name: this is empty; write it here.",
        "until": "Until: give a day and an hour, as 2026-12-24 20:00.",
        "own": "Say why.",
    }


def test_what_is_wrong_says_what_to_do():
    wrong = {"formation": "x", "units": ["x"], "points": "10", "days": "x", "name": "x" * 6, "until": "x"}
    found = told(wrong | {"own": "x"})
    assert set(found) == {"formation", "units", "points", "days", "name", "until"}
    assert not [text for text in found.values() if text.startswith(FRAMEWORK)]


def test_nothing_is_said_of_what_is_right():
    right = {"formation": "fraser", "units": ["br_24"], "points": "1", "days": "3", "name": "x", "own": "x"}
    assert not told(right | {"until": datetime(1777, 7, 1).isoformat()})


def test_an_empty_sign_in_is_refused_in_our_words(client, db):
    page = words(client.post("/sign-in/", {}))
    assert "Username or e-mail: this is empty; write it here." in page
    assert not [text for text in FRAMEWORK if text in page]


@pytest.mark.parametrize("kind", sorted(HAND_FORMS))
def test_the_umpires_empty_forms_are_refused_in_our_words(posed, umpire, kind):
    data = {"kind": kind, "head": posed.head_id}
    page = words(umpire.post(f"{PAGE}desk/", data))
    assert not [text for text in FRAMEWORK if text in page]


@pytest.mark.parametrize("data", [{"formation": "x", "destination": "x", "stance": "x"}, {"stance": ""}])
def test_a_wrong_order_is_refused_in_our_words(posed, player, data):
    page = words(player.post(f"{PAGE}orders/", data))
    assert not [text for text in FRAMEWORK if text in page]


def test_a_wrong_rhythm_is_refused_in_our_words(posed, umpire):
    page = words(umpire.post(f"{PAGE}schedule/", {"late_orders": "x"}))
    assert not [text for text in FRAMEWORK if text in page]


def test_a_wrong_choice_is_refused_in_our_words(posed, player):
    page = words(player.post(f"{PAGE}choices/", posted("fill", {})))
    assert not [text for text in FRAMEWORK if text in page]
