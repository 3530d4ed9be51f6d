"""`python -m tests.worked_checks FOLDER`: play the worked checks of a folder."""

import sys

from tests.worked_checks.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
