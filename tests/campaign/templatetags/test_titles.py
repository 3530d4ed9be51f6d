"""Two campaigns of one title are told apart where both are listed."""

from django.test import Client

from campaign.models import Campaign, Seat
from campaign.services.setup.campaigns import SeatPlan, campaign_create


def shown(user, address: str) -> str:
    client = Client()
    client.force_login(user)
    return " ".join(client.get(address).content.decode().split())


def test_campaigns_of_one_title_have_their_addresses_names_beside_them(saratoga, burgoyne, carleton):
    for user, address in ((burgoyne, "/"), (carleton, "/"), (carleton, "/umpire/")):
        assert "saratoga-again" not in shown(user, address)
    seats = (
        SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=carleton),
        SeatPlan(Seat.Role.COMMANDER, "crown", "General Carleton", burgoyne),
    )
    campaign_create(scenario="saratoga-1777", slug="saratoga-again", seats=seats, actor=carleton)
    for user in (burgoyne, carleton):
        page = shown(user, "/")
        assert ", saratoga</p>" in page and ", saratoga-again</p>" in page
    board = shown(carleton, "/umpire/")
    assert "<small>saratoga</small>" in board and "<small>saratoga-again</small>" in board
    Campaign.objects.filter(slug="saratoga-again").update(title="Saratoga, the second try")
    for user, address in ((burgoyne, "/"), (carleton, "/"), (carleton, "/umpire/")):
        page = shown(user, address)
        assert ", saratoga</p>" not in page and "<small>saratoga</small>" not in page
