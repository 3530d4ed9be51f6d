"""A battle under every ruleset as a page shows it, without the time it takes to fight it under each."""

from django.utils import timezone

from battles.files.reading import battle_to_json, read_document
from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.odds.ruleset_comparison import file_under
from campaign.models import Job, User
from campaign.services.battles.comparisons import comparison_ask

LEFT_OUT = "These rules have no option rain_on_muskets; left out (AWI-T-SCA-01)."
REFUSED = "A battle of 22 units is too large for these rules; take fewer. (AWI-T-STR-01)"


def compared(user: User, *, name: str = "hubbardton", runs: int = 20) -> Job:
    """What a person has had fought: of the first ruleset, told of all but the last, which refuses it."""
    file, _ = file_under(read_document(name), "awi")
    job = comparison_ask(data=battle_to_json(file), runs=runs, actor=user)
    found = odds_to_json(estimate_odds(file, seed=job.payload["seed"], runs=runs))
    *fought, _ = job.payload["systems"]
    results = [{**found, "ruleset": system["id"], "left_out": []} for system in fought]
    results[-1]["left_out"] = [LEFT_OUT]
    Job.objects.filter(pk=job.pk).update(
        state=Job.State.DONE,
        progress=100,
        finished_at=timezone.now(),
        result={"systems": [*results, {"refused": REFUSED}]},
    )
    job.refresh_from_db()
    return job
