"""A process that plays runs of a forecast: reads a start and run numbers, writes a result for each.

Started by `campaign.services.forecasts` as `python -m campaign.services.forecasts.worker FOLDER`, FOLDER
being the scenario's. It opens no database.
"""

import json
import sys
from pathlib import Path

import django


def serve_runs(folder: str) -> None:
    """Read run numbers and write results until the input ends."""
    django.setup()
    from campaign.scenarios.reading import read_scenario
    from campaign.services.forecasts.runs import play_run, start_from_json

    theatre = read_scenario(Path(folder)).theatre
    start = start_from_json(json.loads(sys.stdin.readline()), theatre)
    for line in sys.stdin:
        print(json.dumps(play_run(start, int(line))), flush=True)


if __name__ == "__main__":
    serve_runs(sys.argv[1])
