"""The vocabulary has no word that nothing is called by."""

from rosters.domain.vocabulary import TYPES, GunClass, Mobility, TroopType, mobility_of


def test_every_troop_type_has_its_facts() -> None:
    assert set(TYPES) == set(TroopType)


def test_hr_mar_01_every_march_class_is_that_of_some_unit() -> None:
    assert {mobility_of(kind, gun) for kind in TroopType for gun in GunClass} == set(Mobility)
