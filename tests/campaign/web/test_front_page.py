"""The front page: the demo doors."""

from django.test import Client, override_settings

from campaign.models import Campaign

PAGE = "/campaigns/saratoga/"


def test_demo_doors_open_on_a_demo_on_this_machine_only(saratoga):
    client = Client(headers={"Host": "127.0.0.1"})
    seat = saratoga.seats.get(side="rebel")
    Campaign.objects.update(demo=True)
    assert "Enter as" not in client.get("/").content.decode()
    assert client.post("/demo/enter/", {"seat": seat.pk}).status_code == 404
    with override_settings(DEMO=True):
        assert f"Enter as {seat.title}" in client.get("/").content.decode()
        assert client.post("/demo/enter/", {"seat": "x"}).status_code == 404
        assert client.post("/demo/enter/", {"seat": seat.pk})["Location"] == PAGE
        assert client.get(PAGE).status_code == 200


def test_demo_doors_lead_to_demo_campaigns_only(saratoga):
    client = Client(headers={"Host": "127.0.0.1"})
    with override_settings(DEMO=True):
        assert client.post("/demo/enter/", {"seat": saratoga.seats.first().pk}).status_code == 404


def test_demo_doors_open_no_account_somebody_has_made_for_himself(saratoga, burgoyne):
    assert burgoyne.has_usable_password()
    Campaign.objects.update(demo=True)
    client = Client(headers={"Host": "127.0.0.1"})
    with override_settings(DEMO=True):
        shown = client.get("/").content.decode()
        assert "Burgoyne" not in shown
        assert "Enter as" in shown
        seat = saratoga.seats.get(side="crown")
        assert client.post("/demo/enter/", {"seat": seat.pk}).status_code == 404
