"""Works, bridges, boats and felled roads in words."""

from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers

CATEGORY = EventCategory(
    "works",
    "Works, bridges, boats",
    (
        EventKind(
            "entrenched",
            rules=("HR-WRK-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:digs} in {where}: works of {sp} SP, {men} men at work",
            gazette=GazettePrint(
                "marches", rank=5, manners=("{formation} dug in {where}: works of {sp} SP.",)
            ),
        ),
        EventKind(
            "works_dismantled",
            rules=("HR-WRK-02",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:takes} works down {where}: {sp} SP are left",
        ),
        EventKind(
            "bridge_broken",
            rules=("HR-BRG-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:breaks} the crossing of {route}",
            headline_weight=1,
            gazette=GazettePrint(
                "marches",
                rank=2,
                manners=(
                    "{formation} broke the crossing of {route}.",
                    "The crossing of {route} is broken by {formation}.",
                ),
            ),
        ),
        EventKind(
            "bridge_mended",
            rules=("HR-BRG-02",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:is} mending the crossing of {route}, {men} men at work",
        ),
        EventKind(
            "bridge_repaired",
            rules=("HR-BRG-02",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:has} mended the crossing of {route}",
            gazette=GazettePrint(
                "marches", rank=3, manners=("{formation} made good the crossing of {route}.",)
            ),
        ),
        EventKind(
            "raft_begun",
            rules=("HR-BRG-04",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:is} laying a bridge of rafts on {route}, {men} men at work",
        ),
        EventKind(
            "raft_laid",
            rules=("HR-BRG-04",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:has} laid a bridge of rafts on {route}",
            gazette=GazettePrint(
                "marches", rank=4, manners=("A bridge of rafts is laid on {route} by {formation}.",)
            ),
        ),
        EventKind(
            "raft_breaks",
            rules=("HR-BRG-04",),
            readers=Readers.ONE_SIDE,
            sentence="the rain carries away the bridge of rafts on {route}",
        ),
        EventKind(
            "raft_holds",
            rules=("HR-BRG-04",),
            readers=Readers.ONE_SIDE,
            sentence="the bridge of rafts on {route} holds in the rain",
        ),
        EventKind(
            "road_felled",
            rules=("HR-OBS-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:fells} and {formation:+breaks} {yards} yards of {route}, {men} men at work",
            gazette=GazettePrint("marches", rank=7),
        ),
        EventKind(
            "boats_gathered",
            rules=("HR-BOA-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:gathers} boats at {place}: they carry {men} men now",
            gazette=GazettePrint(
                "marches", rank=6, manners=("{formation} gathered boats at {place}, to carry {men} men.",)
            ),
        ),
    ),
)
