"""The options of the rules as a form: by groups, each with its line, and what it is otherwise."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from campaign.rulebook.book import rules_of_setting
from campaign.rules.errors import RuleViolation
from campaign.rules.world.options import (
    LEVELLED,
    LEVELS,
    RECRUITMENT,
    SettingGroup,
    SettingOption,
    format_setting,
    get_level,
    list_setting_groups,
)
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.setup.recruitment import RecruitmentChoice, recruitment_choices
from campaign.services.setup.drafts import build_settings
from campaign.web.forms import SentenceForm

LEVEL = "level"
#: Settings chosen at the head of the page and in no group.
AT_THE_HEAD = (*LEVELLED, RECRUITMENT)


@dataclass(frozen=True, slots=True)
class OptionChange:
    """An option on the page. `field` is None where it cannot change any more."""

    option: SettingOption
    field: BoundField | None
    now: str
    otherwise: str
    differs: bool
    rules: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Options chosen together; `open` when one of them is to be mended."""

    group: SettingGroup
    rows: tuple[OptionChange, ...]
    open: bool

    @property
    def differing(self) -> list[OptionChange]:
        return [row for row in self.rows if row.differs]


class OptionsForm(SentenceForm):
    """Settings to choose. `base` are those it is compared with, `settings` those that hold.

    With `running` what is settled since the first morning is told and not asked.
    """

    def __init__(
        self, *args: Any, base: RuleSettings, settings: RuleSettings, running: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.base, self.settings, self.running = base, settings, running
        self.chosen = settings
        self.fields[LEVEL] = forms.ChoiceField(
            label="Level of fog",
            choices=[(level.id, level.title) for level in self.levels],
            initial=get_level(settings).id,
            required=False,
            widget=forms.RadioSelect,
            error_messages={"invalid_choice": "Choose one of the levels."},
        )
        for option in self._list_options():
            self.fields[option.name] = _build_option_field(option, getattr(settings, option.name))

    @property
    def levels(self) -> list[Any]:
        """The levels there are; while a campaign runs, those that leave couriers as they are."""
        same = [level for level in LEVELS if level.settings["couriers"] == self.settings.couriers]
        return same if self.running else list(LEVELS)

    @property
    def level_rows(self) -> list[tuple[Any, Any]]:
        """Each level with its radio button."""
        buttons = {str(button.data["value"]): button for button in self[LEVEL]}
        return [(level, buttons[level.id]) for level in self.levels]

    @property
    def recruitment_rows(self) -> list[tuple[RecruitmentChoice, Any]]:
        """Each choice of recruitment and attrition with its radio button (HR-REC-04)."""
        buttons = {str(button.data["value"]): button for button in self[RECRUITMENT]}
        return [(choice, buttons[choice.value]) for choice in recruitment_choices(self.base)]

    def _list_options(self) -> list[SettingOption]:
        return [
            option
            for group in list_setting_groups()
            for option in group.options
            if option.name not in LEVELLED
            and not (self.running and option.fixed)
            and len(option.choices) != 1
        ]

    def clean(self) -> dict[str, Any] | None:
        """The settings chosen; a field that was not sent stays as it is."""
        data = super().clean()
        level = next((one for one in LEVELS if one.id == self.cleaned_data.get(LEVEL)), None)
        texts = {name: format_setting(value) for name, value in level.settings.items()} if level else {}
        for option in self._list_options():
            if self.add_prefix(option.name) in self.data:
                texts[option.name] = str(self.cleaned_data.get(option.name, "")).strip()
        sound = {}
        for name, text in texts.items():
            if text == format_setting(getattr(self.settings, name)):
                continue
            try:
                build_settings(self.settings, {name: text}, hours=False)
            except RuleViolation as violation:
                self.refuse(violation)
            else:
                sound[name] = text
        try:
            self.chosen = build_settings(self.settings, sound)
        except RuleViolation as violation:
            self.refuse(violation)
        return data

    @property
    def groups(self) -> list[GroupRow]:
        """The page's groups with their rows."""
        return [
            GroupRow(group, rows, any(row.field is not None and row.field.errors for row in rows))
            for group in list_setting_groups()
            if (
                rows := tuple(self._row(option) for option in group.options if option.name not in AT_THE_HEAD)
            )
        ]

    def _row(self, option: SettingOption) -> OptionChange:
        now, other = getattr(self.settings, option.name), getattr(self.base, option.name)
        return OptionChange(
            option=option,
            field=self[option.name] if option.name in self.fields else None,
            now=option.words(now),
            otherwise=option.words(other),
            differs=now != other,
            rules=" ".join(rules_of_setting(option.name)),
        )


def _build_option_field(option: SettingOption, value: Any) -> forms.Field:
    if option.choices:
        return forms.ChoiceField(
            label=option.label,
            required=False,
            choices=[(format_setting(choice), words) for choice, words in option.choices.items()],
            initial=format_setting(value),
            widget=forms.RadioSelect if option.lines else forms.Select,
            error_messages={"invalid_choice": f"{option.label}: choose one of the list."},
        )
    number = forms.NumberInput(
        attrs={"min": option.least, "max": option.most, "class": "narrow-number", "inputmode": "numeric"}
    )
    return forms.CharField(
        label=option.label, required=False, initial=str(value), widget=number, help_text=option.reach
    )
