"""Lists to choose from: drawn with a template of ours, which says what Django's own says."""

from django import forms
from django.forms.renderers import DjangoTemplates

CHOICES = [("", "none"), ("a&b", "<Albany>"), ("Lakes", [("champlain", "Champlain"), (3, "George")])]


class Choice(forms.Form):
    place = forms.ChoiceField(choices=CHOICES, initial="champlain", required=False)
    places = forms.MultipleChoiceField(choices=CHOICES, initial=["a&b", 3])
    dry = forms.NullBooleanField()


class Barred(forms.Select):
    """One choice that cannot be taken."""

    def create_option(self, *args, **kwargs):
        option = super().create_option(*args, **kwargs)
        option["attrs"] |= {"disabled": option["value"] == 3, "data-name": 'say "when"'}
        return option


def words(page: str) -> list[str]:
    return page.replace(">", "> ").replace("<", " <").split()


def test_a_list_is_drawn_as_django_draws_it():
    ours, theirs = str(Choice()["place"]), str(Choice(renderer=DjangoTemplates())["place"])
    assert words(ours) == words(theirs)
    assert '<option value="champlain" selected>Champlain</option>' in ours
    assert '<option value="a&amp;b">&lt;Albany&gt;</option>' in ours
    for name in ("places", "dry"):
        assert words(str(Choice()[name])) == words(str(Choice(renderer=DjangoTemplates())[name]))


def test_what_a_choice_says_of_itself_is_drawn_too():
    field = Barred(choices=CHOICES)
    ours = field.render("place", "3")
    assert words(ours) == words(field.render("place", "3", renderer=DjangoTemplates()))
    assert '<option value="3" selected disabled data-name="say &quot;when&quot;">George</option>' in ours
