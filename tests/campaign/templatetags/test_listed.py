"""Names one after another on the pages."""

from django.template import Context, Template


def test_names_with_commas_are_told_apart():
    shown = Template("{% load listed %}{{ names|listed }}")
    plain, with_commas = ["1st Brigade", "2nd Brigade"], ["47th Foot, right wing", "Army Train"]
    assert shown.render(Context({"names": plain})) == "1st Brigade, 2nd Brigade"
    assert shown.render(Context({"names": with_commas})) == "47th Foot, right wing; Army Train"
