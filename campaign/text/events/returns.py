"""The week's returns in words: recruits, losses, militia, pools."""

from battles.grammar import format_amount
from campaign.text.event_facts import EventFacts, format_reason
from campaign.text.event_kinds import ANY_RULE, EventCategory, EventKind, GazettePrint, Readers
from campaign.text.place_names import format_id


def _militia_return(facts: EventFacts) -> str:
    back = "comes back" if facts["returns"] else "stays at home"
    nation = format_id(str(facts["nation"]))
    return f"the {nation} militia gone home, {format_amount(facts['absent'] or 0, 'unit')}, {back}"


def _warriors_leave(facts: EventFacts) -> str:
    cause = f"{facts['unit']:+its} losses" if facts["cause"] == "losses" else "the long siege"
    return f"{facts['unit']:goes} home after {cause}"


CATEGORY = EventCategory(
    "returns",
    "Returns: recruits, losses, pools",
    (
        EventKind(
            "enlistments",
            rules=("AWI-C-ATT-01",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="terms run out and recruits come in to {unit}{pool}",
        ),
        EventKind(
            "recruits",
            rules=("AWI-C-ATT-02",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="recruits come in to {unit}{pool}",
        ),
        EventKind(
            "attrition",
            rules=("AWI-C-ATT-01",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="sickness and expiring terms thin {unit}{pool}",
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "militia",
            rules=("AWI-C-MIL-01",),
            readers=Readers.ONE_SIDE,
            cause="militia",
            sentence="militia come and go in {unit}{pool}",
        ),
        EventKind(
            "militia_went_home",
            rules=("AWI-C-MIL-02",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:has} gone home",
            gazette=GazettePrint(
                "departures",
                rank=3,
                manners=(
                    "{unit} went home.",
                    "{unit} quitted the army and went home.",
                ),
            ),
        ),
        EventKind(
            "militia_return_roll",
            rules=("AWI-C-MIL-03",),
            readers=Readers.ONE_SIDE,
            sentence=_militia_return,
        ),
        EventKind(
            "militia_returned",
            rules=("AWI-C-MIL-03",),
            readers=Readers.ONE_SIDE,
            cause="militia",
            sentence="{unit:has} come back {where}",
            gazette=GazettePrint(
                "arrivals", rank=5, manners=("{unit} returned {where}.", "{unit} came back {where}.")
            ),
        ),
        EventKind(
            "levy_departed",
            rules=("HR-LEV-01", "HR-REC-03"),
            readers=Readers.ONE_SIDE,
            sentence="{unit:has served its time} and {unit:+leaves}",
            gazette=GazettePrint(
                "departures", rank=4, manners=("Their time being served, the men of {unit} left the army.",)
            ),
        ),
        EventKind(
            "levy_stays",
            rules=("HR-LEV-01",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:has served its time} and {unit:+stays} another day",
        ),
        EventKind(
            "replacements_roll",
            rules=("AWI-C-EUR-01",),
            readers=Readers.ONE_SIDE,
            sentence="word from Europe of replacements",
        ),
        EventKind(
            "replacements",
            rules=("AWI-C-EUR-01",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="replacements from Europe reach {unit}{pool}",
        ),
        EventKind(
            "loyalist_fill",
            rules=("AWI-C-LOY-01",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="Loyalists fill the ranks: {unit}{pool}",
        ),
        EventKind(
            "balanced",
            rules=("AWI-C-OVR-02",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence="strengths are evened out: {unit}{pool}",
        ),
        EventKind(
            "choice_refused",
            rules=ANY_RULE,
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: f"a choice for the week's returns is refused: {format_reason(facts)}",
        ),
        EventKind(
            "choice_lapsed",
            rules=ANY_RULE,
            readers=Readers.ONE_SIDE,
            sentence="what was ordered for {unit} could not be done at the week's end",
        ),
        EventKind(
            "overstrength",
            rules=("AWI-C-OVR-01",),
            readers=Readers.ONE_SIDE,
            cause="terms",
            sentence=lambda facts: (
                f"{facts['unit'] or facts['pool']:has} men over establishment, who go to the pool"
            ),
        ),
        EventKind(
            "unit_eliminated",
            rules=("AWI-C-ELI-01",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:has} no men left",
            gazette=GazettePrint(
                "departures", rank=1, manners=("No men are left of {unit}.", "Of {unit} no men remain.")
            ),
        ),
        EventKind(
            "unit_rebuilt",
            rules=("AWI-C-ELI-01",),
            readers=Readers.ONE_SIDE,
            cause="raised",
            sentence="{unit:is} raised again {where}",
            gazette=GazettePrint("arrivals", rank=4, manners=("Raised again {where}: {unit}.",)),
        ),
        EventKind(
            "unit_raised",
            rules=("AWI-C-POL-03",),
            readers=Readers.ONE_SIDE,
            cause="raised",
            sentence="{unit:is} raised {where}",
            gazette=GazettePrint(
                "arrivals",
                rank=3,
                manners=("Raised {where}: {unit}.", "{where_first} there came under arms {unit}."),
            ),
        ),
        EventKind(
            "pool_spent",
            rules=("AWI-C-POL-03",),
            readers=Readers.ONE_SIDE,
            sentence="men are drawn from {pool}",
        ),
        EventKind(
            "downgraded",
            rules=("AWI-C-POL-02",),
            readers=Readers.ONE_SIDE,
            sentence="line replacements serve as militia: {pool}",
        ),
        EventKind(
            "muster_waits",
            rules=("AWI-C-POL-05",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:finds} no place to muster and {unit:+waits}",
        ),
        EventKind(
            "warriors_leave",
            rules=("HR-NAT-01",),
            readers=Readers.ONE_SIDE,
            sentence=_warriors_leave,
            gazette=GazettePrint("departures", rank=2),
        ),
        EventKind(
            "warriors_stay",
            rules=("HR-NAT-01",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:stays} another week",
        ),
    ),
)
