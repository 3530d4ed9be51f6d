"""What the settings are read from: the environment, a file `.env` beside manage.py, the folder AWI_VAR."""

from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parents[2]

env = environ.Env()
if (BASE_DIR / ".env").is_file():  # it may be missing, of which the library would warn at every start
    environ.Env.read_env(BASE_DIR / ".env")

VAR_DIR = Path(env.str("AWI_VAR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)
