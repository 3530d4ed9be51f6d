"""What an entry of a fight on the table may say, and where two differ (HR-TAB-02, 03, 05, 06)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.battles.table_results import (
    NEITHER,
    Entry,
    Present,
    TableForces,
    TableGeneral,
    UnitResult,
    compare_entries,
    entry_from_json,
    entry_to_json,
    list_entry_faults,
    verify_entry,
)
from campaign.rules.errors import RuleViolation

TABLE = TableForces(
    units={
        "dragoons": Present("dragoons", "Riedesel Dragoons", "crown", 5),
        "rangers": Present("rangers", "Queen's Rangers", "crown", 3),
        "stark_1": Present("stark_1", "Stark, first", "rebel", 5),
    },
    generals={
        "baum": TableGeneral("baum", "Friedrich Baum", "crown"),
        "stark": TableGeneral("stark", "John Stark", "rebel"),
    },
    sides={"rebel": "United States", "crown": "Crown"},
)


@pytest.mark.parametrize(
    ("entry", "field", "sentence"),
    [
        (Entry({"dragoons": UnitResult(6)}), "lost-dragoons", "came with 5 SP and cannot lose 6"),
        (Entry({"dragoons": UnitResult(3, 3)}), "lost-dragoons", "cannot lose 6"),
        (Entry({"dragoons": UnitResult(0, 6, True)}), "captured-dragoons", "cannot lose 6"),
        (Entry({"dragoons": UnitResult(-1)}), "lost-dragoons", "fewer than 0"),
        (Entry({"dragoons": UnitResult(0, -1)}), "captured-dragoons", "fewer than 0"),
        (Entry({"morgan": UnitResult(1)}), "lost-morgan", "morgan was not in this battle"),
        (Entry(generals={"morgan": "killed"}), "general-morgan", "no general of yours"),
        (Entry(generals={"baum": "sulking"}), "general-baum", "cannot be 'sulking'"),
        (Entry(held_by="french"), "held_by", "by United States (rebel), by Crown (crown) or by neither"),
        (Entry(held_by=NEITHER, pursuit="pressed"), "pursuit", "nobody pursues"),
        (Entry(pursuit="wild"), "pursuit", "that the pursuit was pressed"),
        (Entry(notes="x" * 2001), "notes", "shorten them"),
    ],
)
def test_what_cannot_be_is_told_at_its_field_hr_tab_02(entry, field, sentence):
    (fault,) = list_entry_faults(entry, TABLE, whole=False)
    assert fault.field == field and sentence in fault.message


def test_a_whole_entry_says_who_holds_the_field_hr_tab_03():
    assert list_entry_faults(Entry(), TABLE, whole=False) == []
    with pytest.raises(RuleViolation, match="Say who holds the field"):
        verify_entry(Entry(), TABLE, whole=True)
    verify_entry(Entry(held_by=NEITHER), TABLE, whole=True)


def test_a_side_speaks_of_its_own_generals_only():
    assert set(TABLE.as_seen_by("crown").generals) == {"baum"}
    assert set(TABLE.as_seen_by("").generals) == {"baum", "stark"}
    assert set(TABLE.as_seen_by("crown").units) == set(TABLE.units)


def test_only_what_differs_from_nothing_is_stored():
    entry = Entry({"dragoons": UnitResult(), "rangers": UnitResult(2)}, {"baum": ""}, "crown", notes="  ")
    assert entry_to_json(entry) == {"units": {"rangers": {"lost": 2}}, "held_by": "crown"}
    assert entry_to_json(Entry()) == {}


def test_two_ways_to_say_one_thing_do_not_differ_hr_tab_05():
    one, other = Entry({"rangers": UnitResult(3)}), Entry({"rangers": UnitResult(0, 0, True)})
    assert compare_entries({"crown": one, "rebel": other}, TABLE).count == 0


def test_differences_are_counted_and_told_hr_tab_05():
    crown = Entry({"rangers": UnitResult(3)}, {"baum": "killed"}, "crown", "pressed")
    rebel = Entry({"rangers": UnitResult(2), "stark_1": UnitResult(1)}, {"stark": "wounded"}, "rebel")
    differ = compare_entries({"crown": crown, "rebel": rebel}, TABLE)
    assert (differ.units, differ.generals, differ.held_by, differ.pursuit) == (
        ("rangers", "stark_1"), (), True, False
    )  # fmt: skip
    assert differ.describe() == "in 2 units and who holds the field" and differ.count == 3
    umpire = Entry({}, {"baum": "wounded"}, "crown", "none")
    assert compare_entries({"crown": crown, "": umpire}, TABLE).describe() == (
        "in 1 unit, 1 general and the pursuit"
    )
    assert compare_entries({"crown": crown}, TABLE).describe() == ""


costs = st.builds(UnitResult, st.integers(0, 5), st.integers(0, 5), st.booleans())
entries = st.builds(
    Entry,
    st.dictionaries(st.sampled_from(sorted(TABLE.units)), costs),
    st.dictionaries(st.sampled_from(["baum", "stark"]), st.sampled_from(["killed", "wounded", "captured"])),
    st.sampled_from(["", "crown", "rebel", NEITHER]),
    st.sampled_from(["", "none", "pressed"]),
    st.text(max_size=20),
)


@given(entries)
def test_an_entry_stored_is_read_as_it_was(entry):
    again = entry_from_json(entry_to_json(entry))
    assert compare_entries({"crown": entry, "": again}, TABLE).count == 0
    assert entry_to_json(again) == entry_to_json(entry)


@given(entries)
def test_what_is_not_refused_leaves_no_unit_less_than_nothing(entry):
    if list_entry_faults(entry, TABLE, whole=False):
        return
    for unit in TABLE.units.values():
        cost = entry.cost(unit)
        assert 0 <= cost.lost + cost.captured <= unit.sp and min(cost.lost, cost.captured) >= 0
        assert cost.destroyed == (cost.lost + cost.captured == unit.sp)
