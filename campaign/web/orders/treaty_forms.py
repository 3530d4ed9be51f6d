"""Forms of conceding, terms and the exchange of prisoners, and of the umpire's end of a campaign."""

from typing import Any

from django import forms

from campaign.rules.victory.treaties import AnswerTerms, Concede, EndCampaign, Exchange, OfferTerms, Treaty
from campaign.web.orders.organisation_forms import Choices, PaperForm

REASON = {"required": "Say why: every act of the umpire's stands in the journal with its reason."}


class TreatyForm(PaperForm):
    """A form of one treaty; `side` is empty for the umpire, who gives a reason."""

    button = "Send it"
    draftable = False

    def treaty(self) -> Treaty:
        raise NotImplementedError

    @property
    def reason(self) -> str:
        return str(self.cleaned_data.get("reason", ""))

    def _with_reason(self) -> None:
        self.fields["reason"] = forms.CharField(label="Reason", max_length=300, error_messages=REASON)

    def _sides(self) -> Choices:
        return [(side.id, side.name) for side in self.world.theatre.sides]


class OfferForm(TreatyForm):
    kind, title = "offer_terms", "Offer terms"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"] = self._pick("The campaign is won by", self._sides(), none="neither side")
        self.fields["text"] = forms.CharField(
            label="Terms",
            max_length=300,
            widget=forms.Textarea(attrs={"rows": 3}),
            error_messages={"required": "Write what you offer, in a sentence or two."},
        )

    def treaty(self) -> OfferTerms:
        return OfferTerms(self.side, self.cleaned_data["winner"], self.cleaned_data["text"])


class ConcedeForm(TreatyForm):
    kind, title, button = "concede", "Concede", "Concede the campaign"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sure"] = forms.BooleanField(
            label="The campaign ends at once and the enemy has won",
            error_messages={"required": "Tick this if you mean it."},
        )

    def treaty(self) -> Concede:
        return Concede(self.side)


class AnswerForm(TreatyForm):
    kind = "answer_terms"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        answers = [(word, word) for word in ("accept", "refuse", "withdraw")]
        self.fields["answer"] = forms.ChoiceField(choices=answers)

    def treaty(self) -> AnswerTerms:
        return AnswerTerms(self.side, self.cleaned_data["answer"])


class ExchangeForm(TreatyForm):
    """Prisoners; the umpire exchanges a pair at once."""

    kind, title = "exchange", "Exchange prisoners"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        taken = {key: each for key, each in self.world.generals.items() if each.state == "captured"}
        own = [
            (key, f"{each.name} ({each.rank})")
            for key, each in taken.items()
            if each.side == (self.side or self.world.theatre.sides[0].id)
        ]
        mine = {key for key, _ in own}
        theirs = [(key, f"{each.name} ({each.rank})") for key, each in taken.items() if key not in mine]
        self.fields["ours"] = self._pick("For our general" if self.side else "This general", own)
        self.fields["theirs"] = self._pick("we give" if self.side else "is exchanged for", theirs)
        if not self.side:
            self._with_reason()

    def treaty(self) -> Exchange:
        return Exchange(self.side, self.cleaned_data["ours"], self.cleaned_data["theirs"])


class EndForm(TreatyForm):
    kind, title, button = "end", "End the campaign", "End the campaign"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"] = self._pick("It is won by", self._sides(), none="neither side")
        self._with_reason()

    def treaty(self) -> EndCampaign:
        return EndCampaign(self.cleaned_data["winner"])


SIDE_FORMS: dict[str, type[TreatyForm]] = {form.kind: form for form in (OfferForm, ExchangeForm, ConcedeForm)}
UMPIRE_FORMS: dict[str, type[TreatyForm]] = {form.kind: form for form in (ExchangeForm, EndForm)}
