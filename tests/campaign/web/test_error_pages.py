"""The page for an address nobody knows: a way on for who has a seat, nothing told to others."""

import pytest

HERE = "/campaigns/saratoga/"
TOLD = "This campaign has no such page"


@pytest.mark.parametrize(
    "address", ["journal/999/", "battles/999/", "army/nonsense/", "nothing/at/all/", "desk/"]
)
def test_who_has_a_seat_is_led_back_to_his_campaign(crown, saratoga, address):
    answer = crown.get(HERE + address)
    text = answer.content.decode()
    assert answer.status_code == 404 and TOLD in text
    assert f'href="{saratoga.get_absolute_url()}">To the campaign' in text


@pytest.mark.parametrize("address", [f"{HERE}journal/999/", "/campaigns/nowhere/journal/1/", "/nothing/"])
def test_others_learn_nothing_of_a_campaign(stranger, saratoga, address):
    answer = stranger.get(address)
    assert answer.status_code == 404 and TOLD not in answer.content.decode()
