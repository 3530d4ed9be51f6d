"""Papers of one morning that contradict each other (HR-PAP-05)."""

import pytest

from campaign.rules.army.organisation import Detach, Escort, HandOver, Join, Organisation, Transfer
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.consistency import verify_acts_agree, verify_order_agrees
from campaign.rules.world.world import Order
from tests.campaign.rules.army.test_organisation import camp

DETACH = Detach("fraser", ("fraser_1",), "fraser-d1", "Baum")
MARCH = {"train": Order("train", ("bennington",))}


@pytest.mark.parametrize(
    ("act", "other", "orders", "told"),
    [
        (Transfer(("fraser_1",), "powell"), DETACH, {}, "is detached with Baum by another"),
        (DETACH, Transfer(("fraser_1",), "powell"), {}, "goes over into"),
        (Escort("fraser", "train"), Escort("powell", "train"), {}, "two formations at once"),
        (Escort("fraser", "train"), None, MARCH, "order of its own"),
        (Join("powell", "fraser"), HandOver("powell", "phillips"), {}, "could then not be carried out"),
    ],
)
def test_a_paper_that_contradicts_another_is_refused_hr_pap_05(
    act: Organisation, other: Organisation | None, orders: dict[str, Order], told: str
) -> None:
    verify_acts_agree(camp(), [act], [], {})
    with pytest.raises(RuleViolation, match=told) as refused:
        verify_acts_agree(camp(), [act], [other] if other else [], orders)
    assert refused.value.rule_id == "HR-PAP-05"


def test_a_march_of_wagons_that_are_escorted_is_refused_hr_pap_05() -> None:
    with pytest.raises(RuleViolation, match="withdraw one"):
        verify_order_agrees(camp(), MARCH["train"], [Escort("fraser", "train")])
    verify_order_agrees(camp(), Order("train"), [Escort("fraser", "train")])
    verify_order_agrees(camp(), MARCH["train"], [DETACH, Escort("fraser", "gall")])


def test_papers_that_disagree_already_do_not_stop_another_hr_pap_05() -> None:
    wrong = [Join("powell", "fraser"), HandOver("powell", "phillips")]
    verify_acts_agree(camp(), [DETACH], wrong, {})
