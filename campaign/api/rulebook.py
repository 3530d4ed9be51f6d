"""The rulebook: the published rules, our rulings on them, and the house rules."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from battles.files.suggestions import suggest_names
from campaign.api.framework.contract import endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView
from campaign.rulebook.book import Rule, load_rule_books, load_rulebook
from campaign.rulebook.search import find_rule_book, search_rules


class RulesQuery(PageQuery):
    """The words to look for, and the page."""

    q = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        help_text="Words of the rule or their beginnings, or its id; found there first, then in the title.",
    )
    book = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="The beginning of a book's ids, as VBW."
    )

    def validate_book(self, value: str) -> str:
        """Raises ValidationError for a book there is not."""
        known = [book.id for book in load_rule_books()]
        if value and value not in known:
            raise serializers.ValidationError(f"There is no book “{value}”; {suggest_names(value, known)}.")
        return value


class ChoiceShape(Shape):
    """A choice the rule leaves."""

    id = serializers.CharField()
    default = serializers.CharField(allow_blank=True)
    choices = serializers.CharField(allow_blank=True)
    setting = serializers.BooleanField(help_text="Whether each campaign chooses for itself.")


class RuleShape(Shape):
    """A rule."""

    id = serializers.CharField()
    title = serializers.CharField()
    chapter = serializers.CharField()
    text = serializers.CharField()
    same_as = serializers.CharField(allow_blank=True, help_text="A rule of another book that says the same.")
    differs = serializers.CharField(allow_blank=True, help_text="What that rule has otherwise.")
    author = serializers.CharField(allow_blank=True, help_text="What the rules' author said of it.")
    unclear = serializers.CharField(allow_blank=True)
    ruling = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    default = serializers.CharField(allow_blank=True)
    choices = ChoiceShape(many=True)


class RuleList(ApiView):
    """The rulebook."""

    @endpoint("rules_list", "The rules", answer=build_page_shape(RuleShape), query=RulesQuery, open=True)
    def get(self, request: Request) -> dict[str, Any]:
        """Every rule, or those that have all words asked for."""
        asked, book = (self.asked.get(name, "").strip() for name in ("q", "book"))
        if asked:
            return build_page([rule for part in search_rules(asked, book) for rule in part.rules], self.asked)
        return build_page(
            [rule for key, rule in load_rulebook().items() if book in ("", find_rule_book(key).id)],
            self.asked,
        )


class RuleDetail(ApiView):
    """One rule."""

    @endpoint("rules_read", "A rule", answer=RuleShape, open=True)
    def get(self, request: Request, rule: str) -> Rule:
        """The rule a refusal or an entry of the journal names."""
        found = load_rulebook().get(rule)
        if found is None:
            raise Http404
        return found
