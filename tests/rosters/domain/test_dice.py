"""The dice service: dice by address, fair, checkable with the standard library alone."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.domain.dice import AddressedDice, draw_fraction, hash_secret, roll_face
from tests.factories.scripted_dice import ScriptedDice

SECRET = bytes(range(32))


def dice(**changes):
    return AddressedDice(**{"secret": SECRET, "campaign": "c", "revision": 1, "day": 3, **changes})


def test_a_die_is_a_function_of_its_address_not_of_call_order():
    first = dice().roll("AWI-C-ATT-01", "24th Foot")
    other = dice()
    other.roll("AWI-C-ATT-01", "62nd Foot")
    assert other.roll("AWI-C-ATT-01", "24th Foot") == first


@pytest.mark.parametrize("changed", [{"day": 4}, {"revision": 2}, {"campaign": "d"}, {"secret": b"another"}])
def test_each_part_of_the_address_matters(changed):
    before = [dice().roll("R", str(n)).value for n in range(60)]
    after = [dice(**changed).roll("R", str(n)).value for n in range(60)]
    assert before != after


def test_anyone_can_check_a_die_with_the_standard_library():
    roll = dice().roll("AWI-C-MIL-01", "Herkimer", 1)
    digest = hmac.new(SECRET, roll.address.encode(), hashlib.sha256).digest()
    assert roll.value == next(byte for byte in digest if byte < 252) % 6 + 1


def test_faces_are_even_over_60000_addresses():
    counts = Counter(roll_face(SECRET, str(n), 6) for n in range(60_000))
    # 4 sigma of a binomial with p = 1/6
    assert all(abs(count - 10_000) < 4 * (60_000 * 5 / 36) ** 0.5 for count in counts.values())
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]


@given(st.text(max_size=30), st.integers(min_value=2, max_value=256))
def test_a_face_is_on_the_die(address, sides):
    assert 1 <= roll_face(SECRET, address, sides) <= sides


@pytest.mark.parametrize("sides", [0, 1, 257])
def test_a_die_with_other_sides_is_refused(sides):
    with pytest.raises(ValueError, match="2 to 256"):
        roll_face(SECRET, "a", sides)


def test_a_real_die_stands_in_for_the_computed_one():
    address = dice().address("R", "s")
    assert dice(entered={address: 5}).roll("R", "s").value == 5
    with pytest.raises(ValueError, match="must be 1 to 6"):
        dice(entered={address: 7}).roll("R", "s")


def test_a_battle_seed_comes_from_one_address():
    assert dice().seed("HR-CON-01", "bennington") == dice().seed("HR-CON-01", "bennington")
    assert dice().seed("HR-CON-01", "bennington") != dice().seed("HR-CON-01", "hubbardton")
    assert 0 <= dice().seed("R", "x") < 2**64


def test_a_share_is_a_function_of_its_address_and_even_over_20000():
    assert (
        draw_fraction(SECRET, "wood/1/2")
        == draw_fraction(SECRET, "wood/1/2")
        != draw_fraction(SECRET, "wood/1/3")
    )
    digest = hmac.new(SECRET, b"wood/1/2", hashlib.sha256).digest()
    assert draw_fraction(SECRET, "wood/1/2") == (int.from_bytes(digest[:8], "big") >> 11) / 2**53
    shares = [draw_fraction(SECRET, str(n)) for n in range(20_000)]
    assert min(shares) >= 0 and max(shares) < 1
    assert all(abs(count / 2_000 - 1) < 0.1 for count in Counter(int(10 * one) for one in shares).values())


def test_the_commitment_is_the_hash_of_the_secret():
    assert hash_secret(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_scripted_dice_fall_as_told():
    script = ScriptedDice({"R/a": [1], "R": [2], "": [3]})
    assert [script.roll("R", "a").value, script.roll("R", "a").value, script.roll("Q", "a").value] == [
        1,
        2,
        3,
    ]
    with pytest.raises(IndexError, match="no die for Q of a"):
        script.roll("Q", "a")
