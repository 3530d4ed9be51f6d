"""Names of one and of several, and the verbs that go with them."""

import pytest

from battles.grammar import Subject, is_plural


@pytest.mark.parametrize(
    "name",
    [
        "the Americans", "Provincials and Canadians", "Dickinson's Jerseymen", "Upper Hudson Bateaux",
        "Posts about Amboy", "Native allies with Burgoyne", "Lines of New York", "Seneca, Genesee towns",
        "Warriors of Kanesatake (Mohawk, Algonquin, Nipissing)", "Queen's Loyal Rangers (cadre)",
        "Queen's Loyal Rangers, recruits", "1st and 3rd New York", "Cayuga and Onondaga",
        "Grenadiers and Light Infantry", "Hessians", "Mississauga of Lake Ontario",
    ],
)  # fmt: skip
def test_names_of_several(name: str) -> None:
    assert is_plural(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "the Crown", "Advanced Corps", "Brigade of Guards", "Garrison of St Johns", "Paterson's Brigade",
        "16th Light Dragoons, first wing", "Porter's Massachusetts", "York and Chester battalion",
        "St Leger's Column", "Ford's Morris County militia", "Rebecca Motte's", "Gates", "Lord Cornwallis",
        "General Parsons",
    ],
)  # fmt: skip
def test_names_of_one(name: str) -> None:
    assert not is_plural(name)


@pytest.mark.parametrize(
    ("spec", "one", "several"),
    [
        ("is", "Rall is", "Guns are"),
        ("has served its time", "Rall has served its time", "Guns have served their time"),
        ("hears the guns and stays", "Rall hears the guns and stays", "Guns hear the guns and stay"),
        ("marches", "Rall marches", "Guns march"),
        ("passes", "Rall passes", "Guns pass"),
        ("carries", "Rall carries", "Guns carry"),
        ("loses", "Rall loses", "Guns lose"),
        ("+goes", "goes", "go"),
        ("", "Rall", "Guns"),
    ],
)
def test_a_verb_agrees_with_its_subject(spec: str, one: str, several: str) -> None:
    assert format(Subject("Rall"), spec) == one
    assert format(Subject("Guns"), spec) == several
