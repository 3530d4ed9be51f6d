"""Ask the site of this machine whether it is ready: what it says, and exit 1 when it is not.

With METRICS_TOKEN in the environment it says a line for each part.
"""

import http.client
import os
import sys

bind = os.environ.get("AWI_BIND", "127.0.0.1:8000").rpartition(":")
host = "127.0.0.1" if bind[0] in ("", "0.0.0.0") else bind[0]
name = (os.environ.get("ALLOWED_HOSTS") or "127.0.0.1").split(",")[0].strip().lstrip(".")
connection = http.client.HTTPConnection(host, int(bind[2]), timeout=8)
try:
    headers = {"Host": name if name != "*" else host}
    if token := os.environ.get("METRICS_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    connection.request("GET", "/ready/", headers=headers)
    answer = connection.getresponse()
    print(answer.read().decode(), end="")
    sys.exit(0 if answer.status == 200 else 1)
except OSError as error:
    sys.exit(f"The site does not answer: {error}")
