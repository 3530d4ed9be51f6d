"""A process that plays runs of a forecast: a start on its first line, then run numbers; a result each.

Started by `campaign.services.forecasts` as `python -m campaign.services.forecasts.worker FOLDER`, FOLDER
being the scenario's. It opens no database.
"""

import json
import sys
from pathlib import Path

import django


def main(folder: str) -> None:
    """Read and answer until the input ends."""
    django.setup()
    from campaign.scenarios.reading import scenario_read
    from campaign.services.forecasts.forecast_runs import run_played, start_from_json

    theatre = scenario_read(Path(folder)).theatre
    start = start_from_json(json.loads(sys.stdin.readline()), theatre)
    for line in sys.stdin:
        print(json.dumps(run_played(start, int(line))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
